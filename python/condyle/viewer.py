"""Shows simulations in the browser: ``launch``, ``launch_passive``.

``python -m condyle.viewer [--mjcf=FILE]``

Other engines open a window here. Condyle serves a page to the browser of this machine, which draws
what the program simulates and sends back what the mouse and the panels do; no window is opened by
GLFW. Where no browser can be opened the address is printed.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

import condyle
from condyle._simulate import Mutex
from condyle._viewer import managed, overlay
from condyle._viewer.view import View, title_of
from condyle._viewer.window import Window

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
    """Run a simulation in the browser, at the pace of the clock, until its page is closed.

    Parameters
    ----------
    model, data
        What to show; without a model the page waits for files, without data there are new ones.
    loader
        Called for model and data, again when the user reloads; instead of model and data.
    show_left_ui, show_right_ui
        Show the panels.

    Raises
    ------
    ValueError
        The arguments do not fit each other.
    FatalError
        This installation has no page of the viewer; the text says how to build it.
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
    pair = None
    if loader is not None:
        pair = loader()
    elif model is not None:
        pair = (model, condyle.MjData(model) if data is None else data)
    managed.run(pair, loader, (show_left_ui, show_right_ui))


def launch_from_path(path: str) -> None:
    """Run the simulation of a model file, which the user may reload; see ``launch``."""

    name = os.fspath(path)

    def load() -> tuple[condyle.MjModel, condyle.MjData]:
        binary = name.endswith(".mjb")
        made = condyle.MjModel.from_binary_path if binary else condyle.MjModel.from_xml_path
        m = made(name)
        return m, condyle.MjData(m)

    managed.run(load(), load, (True, True), name)


def launch_passive(
    model: condyle.MjModel,
    data: condyle.MjData,
    *,
    key_callback: KeyCallbackType | None = None,
    show_left_ui: bool = True,
    show_right_ui: bool = True,
) -> Handle:
    """Show in the browser what the caller simulates, and return at once.

    Parameters
    ----------
    model, data
        What to show; ``Handle.sync`` brings the picture up to date.
    key_callback
        Called with the code (GLFW) of a key that is pressed, in a thread of the viewer.
    show_left_ui, show_right_ui
        Show the panels.

    Raises
    ------
    ValueError
        An argument is of the wrong class.
    FatalError
        This installation has no page of the viewer; the text says how to build it.
    """
    _check_model(model)
    _check_data(data)
    if key_callback is not None and not callable(key_callback):
        raise ValueError(f"`key_callback` is not callable: got {key_callback!r}")
    view = View(managed=False)
    condyle.mj_forward(model, data)
    view.show(model, data, title_of(model))
    return Handle(Window(view, (show_left_ui, show_right_ui), key_callback))


def _check_model(model: Any) -> None:
    if not isinstance(model, condyle.MjModel):
        raise ValueError(f"`model` is not a mujoco.MjModel: got {model!r}")  # noqa: TRY004


def _check_data(data: Any) -> None:
    if not isinstance(data, condyle.MjData):
        raise ValueError(f"`data` is not a mujoco.MjData: got {data!r}")  # noqa: TRY004


class Handle:
    """An open viewer; ``launch_passive`` makes them. Calls after closing do nothing.

    The viewer works in threads of its own. Model and data of the program are read and changed
    inside ``sync`` alone; ``cam``, ``opt`` and ``perturb`` are shared: whoever changes them in more
    than one step holds ``lock()`` meanwhile.
    """

    def __init__(self, window: Any) -> None:
        if not isinstance(window, Window):
            raise TypeError("handles are made by launch_passive")
        self._window = window
        self._view = window.view

    @property
    def url(self) -> str:
        """Address of the page, for browsers of this machine."""
        return self._window.url

    @property
    def cam(self) -> condyle.MjvCamera:
        """The camera, which the mouse moves."""
        return self._view.cam

    @property
    def opt(self) -> condyle.MjvOption:
        """What is drawn."""
        return self._view.opt

    @property
    def perturb(self) -> condyle.MjvPerturb:
        """The body that is selected, and what the mouse does to it."""
        return self._view.perturb

    @property
    def user_scn(self) -> condyle.MjvScene:
        """Shapes of the program's own, drawn from the next ``sync`` on."""
        return self._view.user_scn

    @property
    def m(self) -> condyle.MjModel | None:
        """The model; None after closing."""
        return None if self._window.closed else self._view.m

    @property
    def d(self) -> condyle.MjData | None:
        """The data; None after closing."""
        return None if self._window.closed else self._view.d

    @property
    def viewport(self) -> condyle.MjrRect | None:
        """The picture of the page, pixels; empty before there is one, None after closing."""
        if self._window.closed:
            return None
        return condyle.MjrRect(0, 0, self._view.width, self._view.height)

    def is_running(self) -> bool:
        """Tell if the viewer is open: no longer when its last page is closed."""
        return self._window.is_open()

    def close(self) -> None:
        """Close the viewer; its pages say so."""
        self._window.close()

    def lock(self) -> contextlib.AbstractContextManager[None]:
        """Keep the viewer from reading while settings, or model and data, change.

        The same thread may take it again, and may call ``sync`` meanwhile.
        """
        return contextlib.nullcontext() if self._window.closed else Mutex(self._view.lock)

    def sync(self, state_only: bool = False) -> None:
        """Bring the picture up to date, and take what the page changes.

        Parameters
        ----------
        state_only
            Take the state of integration alone, and compute the rest from it (``mj_forward``),
            instead of model and data as they are.
        """
        if self._window.is_open():
            self._view.sync(state_only)

    def update_hfield(self, hfieldid: int) -> None:
        """Bring the heights of a height field up to date."""
        if self._window.closed:
            return
        m = _element(self._view.m, "nhfield", hfieldid, "hfield")
        count = m.hfield_nrow[hfieldid] * m.hfield_ncol[hfieldid]
        self._view.patch("hfield_data", int(m.hfield_adr[hfieldid]), int(count))

    def update_mesh(self, meshid: int) -> None:
        """Bring the vertices and normals of a mesh up to date."""
        if self._window.closed:
            return
        m = _element(self._view.m, "nmesh", meshid, "mesh")
        for name, address, count in (
            ("mesh_vert", m.mesh_vertadr, m.mesh_vertnum),
            ("mesh_normal", m.mesh_normaladr, m.mesh_normalnum),
        ):
            self._view.patch(name, 3 * int(address[meshid]), 3 * int(count[meshid]))

    def update_texture(self, texid: int) -> None:
        """Bring the pixels of a texture up to date."""
        if self._window.closed:
            return
        m = _element(self._view.m, "ntex", texid, "texture")
        if m.tex_adr[texid] < 0:
            return  # it is in a file
        count = m.tex_height[texid] * m.tex_width[texid] * m.tex_nchannel[texid]
        self._view.patch("tex_data", int(m.tex_adr[texid]), int(count))

    def set_figures(
        self,
        viewports_figures: tuple[condyle.MjrRect, condyle.MjvFigure]
        | list[tuple[condyle.MjrRect, condyle.MjvFigure]],
    ) -> None:
        """Draw figures over the picture, as they are now."""
        self._put(figures=overlay.figures(viewports_figures))

    def clear_figures(self) -> None:
        """Take figures away."""
        self._put(figures=[])

    def set_texts(
        self,
        texts: tuple[int | None, int | None, str | None, str | None]
        | list[tuple[int | None, int | None, str | None, str | None]],
    ) -> None:
        """Write texts over the picture.

        Parameters
        ----------
        texts
            Font (mjtFont), place (mjtGridPos), lines on the left and on the right; None: normal,
            upper left, nothing.
        """
        self._put(texts=overlay.texts(texts))

    def clear_texts(self) -> None:
        """Take texts away."""
        self._put(texts=[])

    def set_images(
        self,
        viewports_images: tuple[condyle.MjrRect, NDArray[Any]]
        | list[tuple[condyle.MjrRect, NDArray[Any]]],
    ) -> None:
        """Draw images over the picture: colors (height, width, 3), uint8, top row first.

        Raises
        ------
        ValueError
            An image has another shape than its rectangle.
        """
        self._put(images=overlay.images(viewports_images))

    def clear_images(self) -> None:
        """Take images away."""
        self._put(images=[])

    def _put(self, **parts: list[overlay.Part]) -> None:
        if not self._window.closed:
            self._window.stage.put(parts)

    def __enter__(self) -> Handle:  # noqa: PYI034
        """Return the handle itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the viewer."""
        self.close()


def _element(m: Any, size: str, number: int, kind: str) -> Any:
    """Return the model; raises ValueError if it has no element of that number."""
    if not 0 <= number < getattr(m, size):
        raise ValueError(f"{kind} {number} is not in the model, which has {getattr(m, size)}")
    return m


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m condyle.viewer", description="Runs a model in the browser."
    )
    parser.add_argument("--mjcf", help="model file")
    options = parser.parse_args(arguments)
    try:
        if options.mjcf is None:
            launch()
        else:
            launch_from_path(options.mjcf)
    except (condyle.FatalError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
