"""Models that can be edited: MjSpec and its elements."""

from __future__ import annotations

from typing import Union

from condyle import _condyle, _structs
from condyle._model import attach as _attach
from condyle._model.path import MjsTendonPath as MjsTendonPath
from condyle._model.zip import from_zip, to_zip

globals().update(
    {
        name: value
        for name, value in vars(_condyle).items()
        if isinstance(value, type) and value.__module__ == "condyle._specs"
    }
)

MjSpec = _condyle.MjSpec
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


MjSpec.attach = _attach.attach
MjSpec.to_zip = to_zip
MjSpec.__reduce__ = _attach.reduce
MjSpec.from_zip = staticmethod(from_zip)
