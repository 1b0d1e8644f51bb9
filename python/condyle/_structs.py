"""Classes of the engine's structs: MjModel, MjData, MjOption, MjContact ..."""

from condyle import _condyle
from condyle._condyle import MjrRect, mjv_averageCamera, mjv_camera2GLCamera  # noqa: F401
from condyle._model import later as _later
from condyle._model.plain import MjPreContact, MjrRendererInfo, MjrVertexAttribute  # noqa: F401

_later.install()

globals().update(
    {
        name: value
        for name, value in vars(_condyle).items()
        if isinstance(value, type) and value.__module__ == __name__
    }
)


def _model_from_state(*state: object) -> object:
    """Make the MjModel that was pickled."""
    return _condyle._model_from_state(*state)


def _data_from_state(*state: object) -> object:
    """Make the MjData that was pickled."""
    return _condyle._data_from_state(*state)


def _struct_from_state(*state: object) -> object:
    """Make the struct that was pickled."""
    return _condyle._struct_from_state(*state)
