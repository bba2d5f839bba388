"""How numbers are written on every page: the functions of surveys.reporting.numbers as filters."""

from django import template

from surveys.reporting import numbers

register = template.Library()

for name in ("count", "percent", "points", "percent_range", "level", "epsilon", "odds", "chance"):
    register.filter(name, getattr(numbers, name))
