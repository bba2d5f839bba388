"""The site. NumPy may use one thread for each request: requests are what the cores are shared by, and several threads
that wait for each other take three times the processor time of one.
"""

import os

for library in ("OPENBLAS", "OMP", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")  # read once, when NumPy is loaded
