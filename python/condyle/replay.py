"""Runs as files: ``Recorder`` writes one, ``Replay`` steps it again and compares the bits.

A file has the model, the state it began with, and whatever was set before each step. It makes the
same bits anywhere where products are not fused, so a bug report is one file; ``condyle replay``
reads it, too.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType

import condyle
from condyle._replay import _Recorder, _Replay, _replay_here


class Recorder:
    """A run that is written to a file.

    Parameters
    ----------
    path
        The file. It takes its place, or that of an old one, when the recorder is closed.
    model, data
        What is stepped. The file gets the model and the state of ``data`` as they are now.

    Raises
    ------
    OSError
        If the file can't be written; by ``close`` if that shows later.

    Notes
    -----
    ``with Recorder("run.cnd", model, data) as run:`` closes it at the end, also after an exception:
    the steps up to it are what one wants to see again. Changes of the model are not recorded, nor
    are callbacks.
    """

    def __init__(
        self, path: str | os.PathLike[str], model: condyle.MjModel, data: condyle.MjData
    ) -> None:
        self._data = data
        self._recorder = _Recorder(os.fspath(path), model, data)

    def __enter__(self) -> Recorder:  # noqa: PYI034
        """Return the recorder itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Write the end of the file."""
        self.close()

    def step(self, nstep: int = 1) -> None:
        """Call ``mj_step``, recorded: what was set in the data since the last step, and the end.

        Parameters
        ----------
        nstep
            So many steps.
        """
        self._recorder.step(self._data, nstep)

    def close(self) -> None:
        """Write the end of the file; closing again does nothing."""
        self._recorder.close()


@dataclass(frozen=True)
class Outcome:
    """How a replay went.

    Attributes
    ----------
    steps
        Steps that were taken.
    first_difference
        Number of the first step after which the state had other bits than recorded, None if none.
    qpos, qvel
        Largest differences of positions and velocities from the last state of the file (m, rad,
        m/s, rad/s); 0 where all bits are the same.
    """

    steps: int
    first_difference: int | None
    qpos: float
    qvel: float


class Replay:
    """A run that was read from a file, at its beginning.

    Parameters
    ----------
    path
        A file of ``Recorder``, of ``condyle simulate --save`` or of ``cnd_openRecorder``.

    Raises
    ------
    FileNotFoundError
        If there is none.
    ValueError
        If it is no run, or damaged.

    Attributes
    ----------
    model
        Its model.
    data
        The state where the replay is.
    nstep
        Number of recorded steps.
    writer
        What wrote the file: release, processor, compiler, whether products are fused. A second line
        tells if the model was changed during the run.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        os.stat(path)
        self._replay = _Replay(os.fspath(path))
        self.model = self._replay.model()
        self.data = condyle.MjData(self.model)
        self.nstep = self._replay.steps()
        self.writer = self._replay.writer()
        self.reset()

    def reset(self) -> None:
        """Go back to the state at the beginning."""
        self._replay.start(self.data)

    def set_inputs(self) -> None:
        """Set in ``data`` what was set before the next step, without taking it."""
        self._replay.inputs(self.data)

    def step(self) -> bool | None:
        """Take the next step.

        Returns
        -------
        bool or None
            Whether the state has the recorded bits now; None if there are no more steps.
        """
        outcome = self._replay.step(self.data)
        return None if outcome < 0 else outcome > 0

    def __iter__(self) -> Iterator[bool]:
        """Take all steps that are left, with what ``step`` returns of each."""
        while (same := self.step()) is not None:
            yield same

    def run(self) -> Outcome:
        """Take all steps from the beginning.

        Returns
        -------
        Outcome
            Whether the bits are the same, and how far the ends are apart.
        """
        self.reset()
        first = None
        steps = 0
        for same in self:
            if not same and first is None:
                first = steps
            steps += 1
        qpos, qvel = self._replay.distance(self.data)
        return Outcome(steps, first, qpos, qvel)


def here() -> str:
    """Tell what would write a file here, as ``Replay.writer`` does.

    Returns
    -------
    str
        Release, processor, compiler, and whether products are fused.
    """
    return _replay_here()
