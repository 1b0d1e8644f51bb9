"""Setting and getting the callbacks of the engine."""

from condyle import _condyle

globals().update(
    {name: value for name, value in vars(_condyle).items() if name.startswith(("set_mj", "get_mj"))}
)
