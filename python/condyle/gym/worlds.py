"""What tasks see of many worlds: an array for each field of ``MjData``, a row for each world."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

import condyle
from condyle.gym.chance import Chance

# results of mj_rnePostConstraint, which a step doesn't call by itself
_BODY_FORCES = frozenset({"cacc", "cfrc_int", "cfrc_ext"})

Mask = NDArray[np.bool_]


class Worlds:
    """Fields of ``MjData`` as attributes: ``qpos`` is (n, nq), ``xpos`` (n, nbody, 3).

    The engine keeps a result for all worlds from the first time that it is read. Reading one for
    the first time between two steps would give zeros, so ``seal`` forbids it. ``chance`` has the
    worlds' random numbers.
    """

    def __init__(
        self,
        model: condyle.MjModel,
        n: int,
        nthread: int,
        *,
        lanes: bool = True,
        precision: Literal["double", "single"] = "double",
    ) -> None:
        self._sealed = False
        self._body_forces = False
        self._batch = condyle.Batch(model, n, nthread, lanes=lanes, precision=precision)
        self.model = model
        self.n = n
        self.chance = Chance(n)

    def __getattr__(self, name: str) -> NDArray[Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        if self._sealed:
            raise AttributeError(
                f"{name} was not read by the first call of observe, mark and score: "
                f"name it in 'reads' of the task"
            )
        array: NDArray[Any] = self._batch.expose(name)
        if name in _BODY_FORCES:
            self._body_forces = True
        setattr(self, name, array)
        return array

    def vary(self, name: str) -> NDArray[Any]:
        """Give worlds their own values of a field of ``MjModel``, and return them: (n, ...)."""
        array: NDArray[Any] = self._batch.vary(name)
        return array

    def set_const(self, mask: Mask) -> None:
        """Recompute what follows from masses and the like in the worlds of a mask."""
        self._batch.set_const(mask)

    def seal(self) -> None:
        """Keep no further results."""
        self._sealed = True

    def step(self, ctrl: NDArray[np.float64], nstep: int, mask: Mask | None) -> None:
        """Step the worlds of the mask; body forces are those of the last step."""
        if self._body_forces:
            self._batch.body_forces(True)
        self._batch.step(ctrl, nstep, mask=mask)

    def reset(self, mask: Mask) -> None:
        """Reset the worlds of the mask to the model's state, before they get one of their own."""
        self._batch.reset(mask)

    def start(self, mask: Mask, qpos: NDArray[np.float64], qvel: NDArray[np.float64]) -> None:
        """Put the worlds of the mask into states, whose results are known and body forces zero."""
        self.qpos[mask] = qpos
        self.qvel[mask] = qvel
        if self._body_forces:
            self._batch.body_forces(False)
        self._batch.forward(mask)

    def data(self, world: int) -> condyle.MjData:
        """Return a world as data of its own, all its results computed."""
        data = condyle.MjData(self.model)
        self.copy(world, data)
        condyle.mj_forward(self.model, data)
        return data

    def copy(self, world: int, data: condyle.MjData) -> None:
        """Copy a world's state into data, whose results are not computed."""
        self._batch.get_data(world, data)

    def close(self) -> None:
        """Give back threads and memory."""
        self._batch.close()
