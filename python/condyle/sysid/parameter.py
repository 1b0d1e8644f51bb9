"""Parameters that are fitted: ``Parameter``, with bounds, and ``ParameterDict``, many by name.

A parameter is an array of numbers and a way to write them into an ``MjSpec``, its modifier. What is
fitted is the vector of all numbers of all parameters that are not frozen, in order, row-major.
"""

from __future__ import annotations

import copy
import enum
from collections.abc import Callable, Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

import condyle
from condyle._support.output import write_file
from condyle.sysid import _yaml

__all__ = ["InertiaType", "ModifierFn", "Parameter", "ParameterDict"]

Array: TypeAlias = NDArray[np.float64]
ModifierFn: TypeAlias = Callable[[condyle.MjSpec, Any], object]

# what files and pickles keep of a parameter
_KEPT = ("name", "nominal", "min_value", "max_value", "value", "frozen")


class InertiaType(enum.Enum):
    """Which numbers describe the inertia of a body: see ``body_inertia_param``."""

    Mass = 0
    MassIpos = 1
    Pseudo = 2


class Parameter:
    """A bounded array of numbers.

    Parameters
    ----------
    name
        Key in a ParameterDict.
    nominal
        Value to begin with, a number or an array of any shape.
    min_value, max_value
        Bounds, numbers for all elements or arrays of the same shape.
    frozen
        The value is neither fitted nor written into the spec.
    modifier
        ``modifier(spec, parameter)`` writes ``parameter.value`` into a spec.

    Attributes
    ----------
    name, nominal, min_value, max_value, frozen, modifier
        As given; the arrays are of float64 and have at least one dimension.
    value
        The present value, an array as ``nominal``.
    """

    # set for inertias of bodies only, by body_inertia_param
    inertia_type: InertiaType
    scale_rot_inertia: bool

    def __init__(
        self,
        name: str,
        nominal: ArrayLike,
        min_value: ArrayLike,
        max_value: ArrayLike,
        frozen: bool = False,
        modifier: ModifierFn | None = None,
    ) -> None:
        self.name = str(name)
        self.nominal: Array = np.atleast_1d(np.array(nominal, dtype=np.float64))
        self.min_value = self._bound("min_value", min_value)
        self.max_value = self._bound("max_value", max_value)
        if not (self.min_value <= self.max_value).all():
            raise ValueError(f"Parameter {self.name!r}: min_value is above max_value")
        self.frozen = bool(frozen)
        self.modifier = modifier
        self.value: Array = self.nominal.copy()

    def _bound(self, name: str, bound: ArrayLike) -> Array:
        array = np.asarray(bound, dtype=np.float64)
        try:
            return np.array(np.broadcast_to(array, self.nominal.shape))
        except ValueError:
            raise ValueError(
                f"Parameter {self.name!r}: {name} has shape {array.shape}, and nominal"
                f" {self.nominal.shape}"
            ) from None

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return int(self.nominal.size)

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of its arrays."""
        return tuple(self.nominal.shape)

    def as_vector(self) -> Array:
        """Return a copy of the value as a vector."""
        return self.value.flatten()

    def as_nominal_vector(self) -> Array:
        """Return a copy of the nominal value as a vector."""
        return self.nominal.flatten()

    def get_bounds(self) -> tuple[Array, Array]:
        """Return lower and upper bounds as vectors."""
        return self.min_value.flatten(), self.max_value.flatten()

    def update_from_vector(self, vector: ArrayLike) -> None:
        """Set the value from a vector; bounds are not enforced."""
        numbers = np.asarray(vector, dtype=np.float64)
        if numbers.size != self.size:
            raise ValueError(
                f"Input vector length {numbers.size} does not match parameter size {self.size}."
            )
        self.value = numbers.reshape(self.shape).copy()

    def reset(self) -> None:
        """Set the value to the nominal one."""
        self.value = self.nominal.copy()

    def sample(self, rng: np.random.Generator | None = None) -> Array:
        """Return a vector drawn uniformly within the bounds."""
        generator = np.random.default_rng() if rng is None else rng
        return np.asarray(generator.uniform(*self.get_bounds()))

    def move_off_bound(self, fraction: float = 0.05, at_bound_tol: float = 1e-3) -> None:
        """Move numbers that lie at a bound inwards.

        Those within ``at_bound_tol`` of it go to ``fraction``, both in parts of the range.
        """
        width = self.max_value - self.min_value
        low = self.value <= self.min_value + at_bound_tol * width
        high = self.value >= self.max_value - at_bound_tol * width
        value = np.where(low, self.min_value + fraction * width, self.value)
        self.value = np.where(high & ~low, self.max_value - fraction * width, value)

    def apply_modifier(self, spec: condyle.MjSpec) -> None:
        """Write the value into a spec, if there is a modifier."""
        if self.modifier is not None:
            self.modifier(spec, self)

    def __getstate__(self) -> dict[str, Any]:
        """Leave the modifier out of pickles: it may be a function that has no name."""
        return {key: value for key, value in self.__dict__.items() if key != "modifier"}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        """Take what a pickle has."""
        self.__dict__.update(state)
        self.modifier = None

    def __deepcopy__(self, memo: dict[int, Any]) -> Parameter:
        """Copy the arrays, and keep the modifier."""
        other = copy.copy(self)
        for key, value in self.__dict__.items():
            other.__dict__[key] = value.copy() if isinstance(value, np.ndarray) else value
        return other

    def __copy__(self) -> Parameter:
        """Copy it with its modifier."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        return other

    def names(self) -> list[str]:
        """Return a name for each number: ``v[2]``, ``b[0,1]``, or the parameter's if it is one."""
        if self.size == 1:
            return [self.name]
        return [f"{self.name}[{','.join(map(str, i))}]" for i in np.ndindex(self.shape)]

    def __repr__(self) -> str:
        """Show values and bounds."""
        rows = [
            f"{name}: {value:.4g} in [{low:.4g}, {high:.4g}]"
            for name, value, low, high in zip(
                self.names(), self.as_vector(), *self.get_bounds(), strict=True
            )
        ]
        return "\n".join(rows) + (" (frozen)" if self.frozen else "")


class ParameterDict:
    """Parameters by name, in the order in which they were added."""

    def __init__(self, parameters: Mapping[str, Parameter] | None = None) -> None:
        self.parameters: dict[str, Parameter] = dict(parameters or {})

    def add(self, param: Parameter) -> None:
        """Add a parameter under its name, in place of another of that name."""
        self.parameters[param.name] = param

    def update(self, pdict: ParameterDict) -> None:
        """Add all parameters of another one; ValueError if a name is there already."""
        for name in pdict.keys():
            if name in self.parameters:
                raise ValueError(f"Parameter {name!r} already exists in the dictionary.")
        self.parameters.update(pdict.parameters)

    def copy(self) -> ParameterDict:
        """Return a copy that shares nothing but the modifiers."""
        return type(self)({name: copy.deepcopy(p) for name, p in self.items()})

    def __getitem__(self, key: str) -> Parameter:
        """Return the parameter of that name."""
        return self.parameters[key]

    def __setitem__(self, key: str, param: Parameter) -> None:
        """Put a parameter under a name."""
        self.parameters[key] = param

    def __contains__(self, key: object) -> bool:
        """Tell whether there is a parameter of that name."""
        return key in self.parameters

    def __len__(self) -> int:
        """Return the number of parameters, frozen ones included."""
        return len(self.parameters)

    def __iter__(self) -> Iterator[str]:
        """Iterate over names."""
        return iter(self.parameters)

    def keys(self) -> list[str]:
        """Return the names."""
        return list(self.parameters)

    def values(self) -> list[Parameter]:
        """Return the parameters."""
        return list(self.parameters.values())

    def items(self) -> list[tuple[str, Parameter]]:
        """Return names and parameters."""
        return list(self.parameters.items())

    def free(self) -> list[Parameter]:
        """Return the parameters that are not frozen."""
        return [p for p in self.parameters.values() if not p.frozen]

    @property
    def size(self) -> int:
        """How many numbers are fitted."""
        return sum(p.size for p in self.free())

    def _chosen(self, include_frozen: bool) -> list[Parameter]:
        return self.values() if include_frozen else self.free()

    def as_vector(self, include_frozen: bool = False) -> Array:
        """Return all values, without those of frozen parameters unless asked for."""
        return _joined([p.as_vector() for p in self._chosen(include_frozen)])

    def as_nominal_vector(self, include_frozen: bool = False) -> Array:
        """Return all nominal values."""
        return _joined([p.as_nominal_vector() for p in self._chosen(include_frozen)])

    def update_from_vector(self, vector: ArrayLike) -> None:
        """Set the values of all parameters that are not frozen from a vector of ``size``."""
        numbers = np.asarray(vector, dtype=np.float64).ravel()
        if numbers.size != self.size:
            raise ValueError(
                f"Input vector length {numbers.size} does not match the {self.size} numbers of the"
                " parameters that are not frozen."
            )
        start = 0
        for p in self.free():
            p.update_from_vector(numbers[start : start + p.size])
            start += p.size

    def get_bounds(self) -> tuple[Array, Array]:
        """Return lower and upper bounds of the numbers that are fitted."""
        bounds = [p.get_bounds() for p in self.free()]
        return _joined([low for low, _ in bounds]), _joined([high for _, high in bounds])

    def reset(self) -> None:
        """Set all values, frozen ones too, to the nominal ones."""
        for p in self.values():
            p.reset()

    def sample(self, rng: np.random.Generator | None = None) -> Array:
        """Return a vector drawn uniformly within the bounds, one draw for each parameter."""
        generator = np.random.default_rng() if rng is None else rng
        return _joined([p.sample(generator) for p in self.free()])

    def randomize(self, rng: np.random.Generator | None = None) -> None:
        """Set the values to ``sample(rng)``."""
        self.update_from_vector(self.sample(rng))

    def move_off_bounds(self, fraction: float = 0.05, at_bound_tol: float = 1e-3) -> ParameterDict:
        """Move all numbers that lie at bounds inwards (``Parameter.move_off_bound``)."""
        for p in self.free():
            p.move_off_bound(fraction, at_bound_tol)
        return self

    def get_non_frozen_parameter_names(self) -> list[str]:
        """Return a name for each number that is fitted."""
        return [name for p in self.free() for name in p.names()]

    # files

    def save_to_disk(self, path: str | PathLike[str]) -> None:
        """Write all parameters, without modifiers, to a YAML file."""
        content = {}
        for key, p in self.items():
            content[key] = {
                name: value.tolist() if isinstance(value, np.ndarray) else value
                for name, value in ((name, getattr(p, name)) for name in _KEPT)
            }
        write_file(path, _yaml.write(content).encode())

    @staticmethod
    def load_from_disk(path: str | PathLike[str]) -> ParameterDict:
        """Read parameters; they have no modifiers."""
        content = _yaml.read(Path(path).read_text(encoding="utf-8"), str(path))
        result = ParameterDict()
        for key, kept in content.items():
            missing = [name for name in _KEPT if not isinstance(kept, dict) or name not in kept]
            if missing:
                raise ValueError(f"{path}: parameter {key!r} has no {', '.join(missing)}")
            p = Parameter(
                kept["name"], kept["nominal"], kept["min_value"], kept["max_value"], kept["frozen"]
            )
            p.update_from_vector(kept["value"])
            result.parameters[key] = p
        return result

    # texts

    def compare_parameters(
        self,
        init_params: ArrayLike,
        predicted_params: ArrayLike,
        measured_params: ArrayLike | None = None,
        sig_digits: int = 4,
    ) -> str:
        """Return a table of values before and after a fit.

        Parameters
        ----------
        init_params, predicted_params
            Vectors as those of ``as_vector``: before and after.
        measured_params
            What they truly are, if that is known.
        sig_digits
            Digits of each number.
        """
        before, after = np.ravel(init_params), np.ravel(predicted_params)
        truth = None if measured_params is None else np.ravel(measured_params)
        heads = ["Parameter", "Initial", "Identified", "Lower", "Upper", "Change"]
        heads += [] if truth is None else ["True", "Error"]
        rows = [heads]
        names = self.get_non_frozen_parameter_names()
        for i, (name, low, high) in enumerate(zip(names, *self.get_bounds(), strict=True)):
            numbers = [before[i], after[i], low, high, after[i] - before[i]]
            if truth is not None:
                numbers += [truth[i], after[i] - truth[i]]
            rows.append([name, *(f"{number:.{sig_digits}g}" for number in numbers)])
        lines = _table(rows)
        if truth is not None:
            lines.append(f"RMSE: {np.sqrt(np.mean((after - truth) ** 2)):.{sig_digits}g}")
        lines.append(f"RMS change: {np.sqrt(np.mean((after - before) ** 2)):.{sig_digits}g}")
        return "\n".join(lines)

    def get_parameter_info(self) -> str:
        """Return a table of names, sizes and shapes."""
        rows = [["Name", "Size", "Shape", "Frozen"]]
        rows += [
            [name, str(p.size), str(p.shape), "yes" if p.frozen else "no"]
            for name, p in self.items()
        ]
        return "\n".join(_table(rows))

    def __repr__(self) -> str:
        """Show values and bounds of all."""
        lines = [f"  {line}" for p in self.values() for line in repr(p).splitlines()]
        return "\n".join(["ParameterDict(", *lines, ")"])


def _joined(parts: list[Array]) -> Array:
    return np.concatenate(parts) if parts else np.empty(0)


def _table(rows: list[list[str]]) -> list[str]:
    """Lines of columns of equal width, the first to the left; a rule under the heads."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        lines.append("  ".join(cells).rstrip())
    lines.insert(1, "-" * max(map(len, lines)))
    return lines
