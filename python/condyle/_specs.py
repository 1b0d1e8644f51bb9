"""Models that can be edited: MjSpec and its elements."""

from __future__ import annotations

import os
import warnings
from typing import Any, Union

from condyle import _condyle, _structs
from condyle._zip import from_zip, to_zip

globals().update(
    {
        name: value
        for name, value in vars(_condyle).items()
        if isinstance(value, type) and value.__module__ == "condyle._specs"
    }
)

MjSpec: Any = _condyle.MjSpec
MjOption = _structs.MjOption
MjStatistic = _structs.MjStatistic
MjVisual = _structs.MjVisual
MjVisualHeadlight = MjVisual.Headlight
MjVisualRgba = MjVisual.Rgba

MjStruct = Union[  # noqa: UP007 (a typing.Union is promised)
    _condyle.MjsBody,
    _condyle.MjsFrame,
    _condyle.MjsGeom,
    _condyle.MjsJoint,
    _condyle.MjsLight,
    _condyle.MjsMaterial,
    _condyle.MjsSite,
    _condyle.MjsMesh,
    _condyle.MjsSkin,
    _condyle.MjsTexture,
    _condyle.MjsText,
    _condyle.MjsTuple,
    _condyle.MjsCamera,
    _condyle.MjsFlex,
    _condyle.MjsHField,
    _condyle.MjsKey,
    _condyle.MjsNumeric,
    _condyle.MjsPair,
    _condyle.MjsExclude,
    _condyle.MjsEquality,
    _condyle.MjsTendon,
    _condyle.MjsSensor,
    _condyle.MjsActuator,
    _condyle.MjsPlugin,
]


def _target(parent: Any, kind: str, given: Any) -> Any:
    """The site or frame of the parent that is given as an element or by its name."""
    wanted = _condyle.MjsFrame if kind == "frame" else _condyle.MjsSite
    if isinstance(given, str):
        given = getattr(parent, kind)(given)
    elif not isinstance(given, wanted):
        raise TypeError(f"{kind} should be an {wanted.__name__} or a name, not {given!r}")
    if given is None:
        raise ValueError(f"{kind.capitalize()} not found.")
    if not parent._owns(given):
        raise ValueError(f"{kind.capitalize()} spec does not match parent spec.")
    return given


def _renamed(path: str, prefix: str, suffix: str) -> str:
    """The name of an attached file: prefix and suffix around its stem."""
    folder, name = os.path.split(path)
    stem, extension = os.path.splitext(name)
    return os.path.join(folder, f"{prefix}{stem}{suffix}{extension}")


def _files(spec: Any) -> list[Any]:
    """The elements of a spec that have files: meshes, textures, height fields and skins."""
    lists = (spec.meshes, spec.textures, spec.hfields, spec.skins)
    return [element for elements in lists for element in elements]


def _attach_assets(parent: Any, child: Any, prefix: str, suffix: str, before: set[int]) -> None:
    """Bring the child's files into the parent, under new names, and let elements follow."""
    names = {key: _renamed(key, prefix, suffix) for key in child.assets}
    for key, name in names.items():
        parent.assets[name] = child.assets[key]
    for element in _files(parent):
        if id(element) not in before and element.file in names:
            element.file = names[element.file]
        if isinstance(element, _condyle.MjsTexture) and id(element) not in before:
            element.cubefiles = [names.get(file, file) for file in element.cubefiles]


def _attach(
    self: Any,
    child: Any,
    prefix: str | None = None,
    suffix: str | None = None,
    site: Any = None,
    frame: Any = None,
) -> Any:
    """Attach the content of another spec to a site or a frame; returns its new frame."""
    if not isinstance(child, MjSpec):
        raise TypeError(f"child should be an MjSpec, not {type(child).__name__}")
    if site is None and frame is None:
        raise ValueError("One of frame or site must be specified.")
    if site is not None and frame is not None:
        raise ValueError("Only one of frame or site can be specified.")
    target = _target(self, "frame", frame) if site is None else _target(self, "site", site)
    if child is self and not self._copies:
        raise ValueError("A spec can only be attached to itself with copy_during_attach.")
    before, after = prefix or "", suffix or ""
    taken = {_renamed(key, before, after) for key in child.assets}
    if not self.override_assets:
        for name in taken & set(self.assets):
            raise ValueError(f"Asset {name} already exists in parent spec.")
    if bool(child.assets) != bool(self.assets):
        bare = self if child.assets else child
        if any(element.file for element in _files(bare)):
            whose = "parent" if bare is self else "child"
            warnings.warn(f"The {whose} spec has files but no assets dict.", stacklevel=2)
    held = _files(self)
    result = self._attach(target, child, prefix, suffix)
    if child is not self:
        _attach_assets(self, child, before, after, {id(element) for element in held})
    return result


def _reduce(self: Any) -> tuple[Any, ...]:
    """Pickle a spec as its text and its files."""
    return _from_state, (self.to_xml(), dict(self.assets))


def _from_state(xml: str, assets: dict[str, Any]) -> Any:
    """Make the spec that was pickled."""
    return MjSpec.from_string(xml, assets=assets)


for _name, _function in {
    "attach": _attach,
    "to_zip": to_zip,
    "__reduce__": _reduce,
}.items():
    setattr(MjSpec, _name, _function)
MjSpec.from_zip = staticmethod(from_zip)
