"""Windows that show a simulation: ``launch``, ``launch_passive``.

``python -m condyle.viewer [--mjcf=FILE]``
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

import condyle
from condyle import _drawing

KeyCallbackType = Callable[[int], None]
LoaderType = Callable[[], "tuple[condyle.MjModel, condyle.MjData]"]


def launch(
    model: condyle.MjModel | None = None,
    data: condyle.MjData | None = None,
    *,
    loader: LoaderType | None = None,
    show_left_ui: bool = True,
    show_right_ui: bool = True,
) -> None:
    """Open a window that runs the simulation, and return when it is closed.

    Parameters
    ----------
    model, data
        What to show; an empty window without a model, new data without data.
    loader
        Called for model and data, again when the user reloads; instead of model and data.
    show_left_ui, show_right_ui
        Show the panels.

    Raises
    ------
    ValueError
        The arguments do not fit each other.
    FatalError
        Always: windows come with a later release.
    """
    if model is None and data is not None:
        raise ValueError("mjData is specified but mjModel is not")
    if model is not None and loader is not None:
        raise ValueError("model and loader are both specified")
    if model is not None:
        _check_model(model)
    if data is not None:
        _check_data(data)
    if loader is not None and not callable(loader):
        raise ValueError(f"`loader` is not callable: got {loader!r}")
    _drawing.refuse("viewer.launch")


def launch_from_path(path: str) -> None:
    """Open a window for a model file; see ``launch``."""
    _drawing.refuse("viewer.launch_from_path")


def launch_passive(
    model: condyle.MjModel,
    data: condyle.MjData,
    *,
    key_callback: KeyCallbackType | None = None,
    show_left_ui: bool = True,
    show_right_ui: bool = True,
) -> Handle:
    """Open a window that shows what the caller simulates, and return at once.

    Parameters
    ----------
    model, data
        What to show; ``Handle.sync`` brings the window up to date.
    key_callback
        Called with the code of a key that is pressed.
    show_left_ui, show_right_ui
        Show the panels.

    Raises
    ------
    ValueError
        An argument is of the wrong class.
    FatalError
        Always: windows come with a later release.
    """
    _check_model(model)
    _check_data(data)
    if key_callback is not None and not callable(key_callback):
        raise ValueError(f"`key_callback` is not callable: got {key_callback!r}")
    _drawing.refuse("viewer.launch_passive")


def _check_model(model: Any) -> None:
    if not isinstance(model, condyle.MjModel):
        raise ValueError(f"`model` is not a mujoco.MjModel: got {model!r}")  # noqa: TRY004


def _check_data(data: Any) -> None:
    if not isinstance(data, condyle.MjData):
        raise ValueError(f"`data` is not a mujoco.MjData: got {data!r}")  # noqa: TRY004


class Handle:
    """An open window; ``launch_passive`` makes them. Calls after closing do nothing."""

    cam: condyle.MjvCamera
    opt: condyle.MjvOption
    perturb: condyle.MjvPerturb
    user_scn: condyle.MjvScene | None
    m: condyle.MjModel | None
    d: condyle.MjData | None
    viewport: condyle.MjrRect | None

    def __init__(self, *_: Any) -> None:
        _drawing.refuse("viewer.Handle")

    def is_running(self) -> bool:
        """Tell if the window is open."""
        _drawing.refuse("viewer.Handle")

    def close(self) -> None:
        """Close the window."""

    def lock(self) -> contextlib.AbstractContextManager[None]:
        """Keep the window from reading while model and data change."""
        _drawing.refuse("viewer.Handle")

    def sync(self, state_only: bool = False) -> None:
        """Bring the window up to date with model and data, or with the state alone."""
        _drawing.refuse("viewer.Handle")

    def update_hfield(self, hfieldid: int) -> None:
        """Bring a height field on the device up to date."""
        _drawing.refuse("viewer.Handle")

    def update_mesh(self, meshid: int) -> None:
        """Bring a mesh on the device up to date."""
        _drawing.refuse("viewer.Handle")

    def update_texture(self, texid: int) -> None:
        """Bring a texture on the device up to date."""
        _drawing.refuse("viewer.Handle")

    def set_figures(
        self,
        viewports_figures: tuple[condyle.MjrRect, condyle.MjvFigure]
        | list[tuple[condyle.MjrRect, condyle.MjvFigure]],
    ) -> None:
        """Draw figures over the picture."""
        _drawing.refuse("viewer.Handle")

    def clear_figures(self) -> None:
        """Take figures away."""
        _drawing.refuse("viewer.Handle")

    def set_texts(
        self,
        texts: tuple[int | None, int | None, str | None, str | None]
        | list[tuple[int | None, int | None, str | None, str | None]],
    ) -> None:
        """Write texts (font, grid position, left, right) over the picture."""
        _drawing.refuse("viewer.Handle")

    def clear_texts(self) -> None:
        """Take texts away."""
        _drawing.refuse("viewer.Handle")

    def set_images(
        self,
        viewports_images: tuple[condyle.MjrRect, NDArray[Any]]
        | list[tuple[condyle.MjrRect, NDArray[Any]]],
    ) -> None:
        """Draw images over the picture."""
        _drawing.refuse("viewer.Handle")

    def clear_images(self) -> None:
        """Take images away."""
        _drawing.refuse("viewer.Handle")

    def __enter__(self) -> Handle:  # noqa: PYI034
        """Return the handle itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the window."""
        self.close()


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m condyle.viewer", description="Shows a model in a window."
    )
    parser.add_argument("--mjcf", help="model file")
    options = parser.parse_args(arguments)
    try:
        if options.mjcf is None:
            launch()
        else:
            launch_from_path(options.mjcf)
    except condyle.FatalError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
