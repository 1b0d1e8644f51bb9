"""Random arguments for the functions of the module, from the generator's tables."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np

from generate.functions import Argument, Binding, bindings
from generate.headers import read_headers

__all__ = ["MODEL", "Maker", "table"]

# integers that mean something
_INTEGERS = {
    "mj_RungeKutta": {"N": 4},
    "mju_Halton": {"index": 5, "base": 3},
    "mj_getState": {"sig": 0x1FFF},
    "mj_setState": {"sig": 0x1FFF},
    "mj_stateSize": {"sig": 0x1FFF},
    "mj_copyState": {"sig": 0x1FFF},
    "mj_extractState": {"srcsig": 0x1FFF, "dstsig": 6},
    "mj_objectVelocity": {"objtype": 5, "objid": 1},
    "mj_objectAcceleration": {"objtype": 5, "objid": 1},
    "mj_name2id": {"type": 3},
    "mjv_connector": {"type": 3},
    "mjv_movePerturb": {"action": 3},
    "mjv_moveModel": {"action": 3},
}

_ROOT = Path(__file__).resolve().parents[3]

MODEL = """
<mujoco>
  <option timestep=".005"><flag energy="enable"/></option>
  <worldbody>
    <geom name="floor" type="plane" size="2 2 .1"/>
    <camera name="fixed" pos="0 -2 1" xyaxes="1 0 0 0 .4 1"/>
    <light name="lamp" pos="0 0 3"/>
    <body name="box" pos="0 0 .095">
      <freejoint/>
      <geom name="box" type="box" size=".1 .1 .1"/>
      <site name="top" pos="0 0 .1"/>
    </body>
    <body name="arm" pos=".5 0 .5">
      <joint name="shoulder" axis="0 1 0" damping=".1" stiffness="1"/>
      <geom name="arm" type="capsule" fromto="0 0 0 .2 0 0" size=".03"/>
      <body name="hand" pos=".2 0 0">
        <joint name="wrist" type="ball"/>
        <geom name="hand" size=".05"/>
        <site name="grip"/>
      </body>
    </body>
    <body name="goal" mocap="true" pos="0 1 1"/>
  </worldbody>
  <tendon>
    <spatial name="rope" stiffness="1"><site site="top"/><site site="grip"/></spatial>
  </tendon>
  <equality><connect body1="hand" anchor="0 0 0"/></equality>
  <actuator>
    <motor name="motor" joint="shoulder"/>
    <general name="slow" joint="shoulder" dyntype="filter" dynprm=".1"/>
    <position name="pull" tendon="rope" kp="2"/>
  </actuator>
  <sensor><jointpos joint="shoulder"/><framepos objtype="site" objname="grip"/></sensor>
  <keyframe><key qpos="0 0 1 1 0 0 0 .1 1 0 0 0"/></keyframe>
</mujoco>
"""


def table() -> dict[str, Binding]:
    """All functions of the generated table, by name."""
    return {b.function.name: b for b in bindings(read_headers(_ROOT / "include"))}


class Maker:
    """Makes arguments for one module (condyle, or the reference) and one pair of model and data."""

    def __init__(self, module: Any, m: Any, d: Any, rng: np.random.Generator) -> None:
        self.module, self.m, self.d, self.rng = module, m, d, rng
        self.lengths: dict[str, int] = {}

    def arguments(self, binding: Binding) -> list[Any]:
        """Arguments that fit, the arrays filled with random numbers."""
        self.lengths = {}
        if binding.function.name.startswith("mju_band") or "Band" in binding.function.name:
            self.lengths = {"ntotal": 6, "nband": 3, "ndense": 2, "nvec": 1}
        self.lengths |= _INTEGERS.get(binding.function.name, {})
        values: dict[str, Any] = {}
        for argument in binding.arguments:  # numbers first: shapes of arrays may follow from them
            if argument.kind in ("kInt", "kState"):
                values[argument.name] = self._value(argument)
        values = {a.name: values.get(a.name) for a in binding.arguments} | {
            a.name: self._value(a) for a in binding.arguments if a.kind not in ("kInt", "kState")
        }
        self._mend(binding.function.name, values)
        return list(values.values())

    def _value(self, argument: Argument) -> Any:
        name, kind = argument.name, argument.kind
        if kind == "kModel":
            return self.m
        if kind == "kData":
            return self.d
        if kind in ("kInt", "kState"):
            return self.lengths.setdefault(name, int(self.rng.integers(0, 2)))
        if kind == "kDouble":
            return float(self.rng.uniform(0.1, 1))
        if kind == "kText":
            return {"name": "shoulder", "str": "geom", "seq": "xYz"}.get(name, "box")
        if kind == "kStruct":
            return self._struct(argument.annotation.partition(" ")[0])
        shape = tuple(self._length(part) for part in self._parts(argument.shape))
        return self._array(argument.c.base, shape)

    def _struct(self, name: str) -> Any:
        if name == "MjVisual":
            return self.m.vis
        if name == "MjrRect":
            return self.module.MjrRect(0, 0, 4, 3)
        thing = getattr(self.module, name)()
        if name == "MjvScene":
            self.module.mjv_updateCamera(self.m, self.d, self.module.MjvCamera(), thing)
        if name == "MjvPerturb":
            thing.select, thing.active = 1, 1
        return thing

    @staticmethod
    def _parts(shape: str) -> list[str]:
        return [part.strip() for part in re.split(r",(?![^(]*\))", shape)]

    def _length(self, text: str) -> int:
        if "mj_stateSize" in text:
            word = text[text.index(",") + 1 : -1].strip()
            return int(self.module.mj_stateSize(self.m, self.lengths[word]))
        if "cnd_stateSize" in text:
            return int(self.module.cnd_stateSize(self.m))
        if "?" in text:
            dim = self.lengths.setdefault("dim", 4)
            return 1 if dim == 1 else 2 * (dim - 1)

        def value(match: re.Match[str]) -> str:
            word = match.group(0)
            if word in self.lengths:
                return str(self.lengths[word])
            for place in (self.m, self.d, self.module):
                if hasattr(place, word):
                    return str(int(getattr(place, word)))
            return str(self.lengths.setdefault(word, 4))

        return int(eval(re.sub(r"[A-Za-z_]\w*", value, text)))  # noqa: S307

    def _array(self, base: str, shape: tuple[int, ...]) -> Any:
        values = self.rng.uniform(-1, 1, shape)
        dtypes: dict[str, Any] = {"mjtNum": float, "double": float, "float": np.float32}
        if base in dtypes:
            return values.astype(dtypes[base])
        return np.ones(shape, np.int32 if base == "int" else np.uint8)

    def _mend(self, name: str, values: dict[str, Any]) -> None:
        """Replaces numbers that mean nothing by some that do."""
        for key in ("mat", "H"):
            square = values.get(key)
            if name in ("mju_cholFactor", "mju_cholUpdate", "mju_cholSolve", "mju_boxQP"):
                if square is not None and square.ndim == 2:
                    square[:] = square @ square.T + np.eye(len(square))
        if name in ("mju_dense2Band", "mju_boxQP"):  # not all of them is written
            values["res" if name == "mju_dense2Band" else "R"][:] = 0
        if name == "mju_cholFactorBand":
            square = np.eye(6) * 9 + np.ones((6, 6))
            values["mat"][:] = 0
            self.module.mju_dense2Band(values["mat"], square, 6, 3, 2)
        if "rownnz" in values and "rowadr" in values and name != "mj_addM":
            rows = len(values["rownnz"])
            values["rownnz"][:], values["rowadr"][:] = 1, np.arange(rows)
            if len(values["colind"]) == rows:
                values["colind"][:] = np.arange(rows)
        if name == "mj_addM":
            for word in ("rownnz", "rowadr", "colind"):
                values[word][:] = getattr(self.m, f"M_{word}")[: len(values[word])]
        if name == "mju_dense2sparse":
            size = self.lengths["nr"] * self.lengths["nc"]
            values["res"], values["colind"] = np.zeros(size), np.zeros(size, np.int32)
        for word in ("lower", "upper"):
            if word in values:
                values[word][:] = -1 if word == "lower" else 1
        if name == "mju_raySkin":
            values["nface"], values["nvert"] = 1, 3
            values["face"] = np.arange(3, dtype=np.int32)
            values["vert"] = self._array("float", (9,))
            values["vertid"] = np.zeros(1, np.int32)
