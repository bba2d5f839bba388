from surveys.extensions import DRAFT, Tab, tabs

tabs.register(Tab("Simulation", "simulation", phases=(DRAFT,), after="questions"))
