"""Ways to draw a simulation: ``classic``."""

from condyle.rendering import classic as classic
