"""How numbers are written on every page: the functions of surveys.reporting.numbers as filters."""

from django import template

from surveys.reporting.numbers import chance, count, epsilon, level, margin, percent, percent_range, points, precision

register = template.Library()

for write in (chance, count, epsilon, level, margin, percent, percent_range, points, precision):
    register.filter(write.__name__, write)
