"""Attaching specs to each other with their files, and pickling them."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping

from condyle._condyle import MjsFrame, MjsHField, MjsMesh, MjSpec, MjsSite, MjsSkin, MjsTexture

__all__ = ["attach", "reduce"]

_Place = MjsSite | MjsFrame
_WithFile = MjsMesh | MjsTexture | MjsHField | MjsSkin


def _target(parent: MjSpec, site: MjsSite | str | None, frame: MjsFrame | str | None) -> _Place:
    """The site or frame of the parent that is given as an element or by its name."""
    if site is None and frame is None:
        raise ValueError("One of frame or site must be specified.")
    if site is not None and frame is not None:
        raise ValueError("Only one of frame or site can be specified.")
    kind, given, wanted = ("site", site, MjsSite) if frame is None else ("frame", frame, MjsFrame)
    found = getattr(parent, kind)(given) if isinstance(given, str) else given
    if found is None:
        raise ValueError(f"{kind.capitalize()} not found.")
    if not isinstance(found, wanted):
        raise TypeError(f"{kind} should be an {wanted.__name__} or a name, not {given!r}")
    if not parent._owns(found):
        raise ValueError(f"{kind.capitalize()} spec does not match parent spec.")
    return found


def _renamed(path: str, prefix: str, suffix: str) -> str:
    """The name of an attached file: prefix and suffix around its stem."""
    folder, name = os.path.split(path)
    stem, extension = os.path.splitext(name)
    return os.path.join(folder, f"{prefix}{stem}{suffix}{extension}")


def _files(spec: MjSpec) -> list[_WithFile]:
    """The elements of a spec that have files."""
    return [*spec.meshes, *spec.textures, *spec.hfields, *spec.skins]


def _attach_assets(
    parent: MjSpec, child: MjSpec, prefix: str, suffix: str, before: set[int]
) -> None:
    """Bring the child's files into the parent, under new names, and let elements follow."""
    names = {key: _renamed(key, prefix, suffix) for key in child.assets}
    for key, name in names.items():
        parent.assets[name] = child.assets[key]
    for element in _files(parent):
        if id(element) in before:
            continue
        element.file = names.get(element.file, element.file)
        if isinstance(element, MjsTexture):
            element.cubefiles = [names.get(file, file) for file in element.cubefiles]


def _check_assets(parent: MjSpec, child: MjSpec, prefix: str, suffix: str) -> None:
    """Refuse files of a name that exists; warn if one of both has files but no dict of them."""
    taken = {_renamed(key, prefix, suffix) for key in child.assets}
    if not parent.override_assets:
        for name in taken & set(parent.assets):
            raise ValueError(f"Asset {name} already exists in parent spec.")
    if bool(child.assets) != bool(parent.assets):
        bare = parent if child.assets else child
        if any(element.file for element in _files(bare)):
            whose = "parent" if bare is parent else "child"
            warnings.warn(f"The {whose} spec has files but no assets dict.", stacklevel=3)


def _has_content(spec: MjSpec) -> bool:
    """Whether there is anything in the world of a spec: what was attached has moved to another."""
    world = spec.worldbody
    places = (world.bodies, world.geoms, world.sites, world.cameras, world.lights, world.frames)
    return any(places)


def attach(
    self: MjSpec,
    child: MjSpec,
    prefix: str | None = None,
    suffix: str | None = None,
    site: MjsSite | str | None = None,
    frame: MjsFrame | str | None = None,
) -> MjsFrame:
    """Attach the content of another spec to a site or a frame; returns its new frame."""
    if not isinstance(child, MjSpec):
        raise TypeError(f"child should be an MjSpec, not {type(child).__name__}")
    target = _target(self, site, frame)
    if child is self and not self._copies:
        raise ValueError("A spec can only be attached to itself with copy_during_attach.")
    if child.parent is not None and not self._copies and not _has_content(child):
        raise ValueError("The child is attached already; set copy_during_attach before that.")
    before, after = prefix or "", suffix or ""
    _check_assets(self, child, before, after)
    held = _files(self)
    result = self._attach(target, child, prefix, suffix)
    if child is not self:
        _attach_assets(self, child, before, after, {id(element) for element in held})
    return result


def reduce(self: MjSpec) -> tuple[object, ...]:
    """Pickle a spec as its text and its files."""
    return _from_state, (self.to_xml(), dict(self.assets))


def _from_state(xml: str, assets: Mapping[str, bytes | str]) -> MjSpec:
    """Make the spec that was pickled."""
    return MjSpec.from_string(xml, assets=assets)
