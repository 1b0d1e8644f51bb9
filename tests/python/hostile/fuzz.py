"""Calls functions and reads and sets attributes at random, with good and bad arguments.

    python fuzz.py SEED COUNT

Exceptions are fine; that it ends at all is the test. Not set at random: what the model says about
itself, the counts of the data, and functions of C as callbacks, which may fail by right.
"""

from __future__ import annotations

import copy
import os
import random
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / "support")]
sys.path.append(str(Path(__file__).resolve().parents[3] / "python"))

import numpy as np
from function_arguments import MODEL, Maker, table

import condyle
from condyle import simulations

# functions that change the process, or take as long as they are told: see Fuzz.apart
_APART = ("mj_step", "cnd_limitMemory", "mju_threadpool", "mj_setLengthRange")
_CALLBACKS = ("passive", "control", "contactfilter", "sensor", "time", "act_dyn", "act_gain")
_CLASSES = ["MjOption", "MjvCamera", "MjvOption", "MjvPerturb", "MjvGeom", "MjContact", "MjvFigure"]

_FLEX = """
<mujoco>
  <worldbody>
    <flexcomp name="cloth" type="grid" count="3 3 1" spacing=".1 .1 .1" radius=".01" dim="2">
      <edge equality="true"/>
    </flexcomp>
    <geom type="plane" size="1 1 .1" pos="0 0 -.2"/>
  </worldbody>
</mujoco>
"""


class Fuzz:
    """Random calls with some models and their data."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.rng = np.random.default_rng(seed)
        self.table = table()
        self.models = [
            condyle.MjModel.from_xml_string(text) for text in (MODEL, _FLEX, "<mujoco/>")
        ]
        self.start()
        self.functions = [
            name
            for name in dir(condyle)
            if name.startswith(("mj_", "mju_", "mjd_", "mjv_", "mjr_", "cnd_"))
            and name not in _APART
        ]

    def start(self) -> None:
        """New data: what was done to the old may have left nothing of use."""
        self.datas = [condyle.MjData(m) for m in self.models]
        for m, d in zip(self.models, self.datas, strict=True):
            condyle.mj_step(m, d, 5)

    def value(self) -> Any:
        """Anything."""
        r = self.random
        shape = tuple(r.choice([0, 1, 2, 3, 4, 6, 9, 10, 12]) for _ in range(r.randint(0, 3)))
        dtype = r.choice([float, float, float, np.float32, np.int32, np.uint8, np.int64, object])
        return r.choice(
            [
                lambda: None,
                lambda: r.choice([0, 1, -1, 2, 3, 5, 7, 100, 2**31 - 1, -(2**31), 2**31, 2**70]),
                lambda: r.choice([0.0, -1.0, 1e300, float("nan"), float("inf")]),
                lambda: r.choice(["", "box", "shoulder", "x" * 3000, "\udc80", b"box", "%s%n"]),
                lambda: np.zeros(shape, dtype),
                lambda: np.asfortranarray(self.rng.normal(size=shape)),
                lambda: np.full(shape, np.nan),
                lambda: np.arange(24.0)[:: r.choice([1, 2, -1])],
                lambda: [1.0] * r.randint(0, 12),
                lambda: r.choice(list(condyle.mjtObj)),
                lambda: getattr(condyle, r.choice(_CLASSES))(),
                lambda: condyle.MjvScene(r.choice(self.models), r.randint(0, 3)),
                lambda: condyle.MjvScene(),
                lambda: condyle.MjrRect(0, 0, 4, 4),
                lambda: r.choice(self.models),
                lambda: r.choice(self.datas),
                object,
            ]
        )()

    def call(self) -> None:
        """Calls a function."""
        r = self.random
        name = r.choice(self.functions)
        which = r.randrange(len(self.models))
        if name in self.table and r.random() < 0.85:
            maker = Maker(condyle, copy.copy(self.models[which]), self.datas[which], self.rng)
            arguments = maker.arguments(self.table[name])
            kinds = [a.kind for a in self.table[name].arguments]
            for i, kind in enumerate(kinds):
                if kind in ("kInt", "kState") and r.random() < 0.5:
                    arguments[i] = r.choice([-1, 0, 1, 2, 3, 4, 5, 7, 25, 100, 2**31 - 1, -(2**31)])
                elif kind == "kDouble" and r.random() < 0.3:
                    arguments[i] = r.choice([0, -1, 1e300, float("nan"), float("inf")])
                elif kind in ("kInput", "kOutput") and r.random() < 0.2:
                    arguments[i][...] = r.choice([0, -1, 100, 1]) if arguments[i].size else 0
            if r.random() < 0.3 and arguments:
                arguments[r.randrange(len(arguments))] = self.value()
        else:
            arguments = [self.value() for _ in range(r.randint(0, 8))]
            if r.random() < 0.5:
                arguments[:2] = [self.models[which], self.datas[which]]
        self.last = (
            f"{name}({', '.join(str(type(a).__name__) + ' ' + repr(a)[:60] for a in arguments)})"
        )
        note(self.last)
        getattr(condyle, name)(*arguments)

    def apart(self) -> None:
        """Calls one of the functions that other calls leave out, and takes back what it changed."""
        r = self.random
        m, d = r.choice(list(zip(self.models, self.datas, strict=True)))
        count = r.choice([-1, 0, 1, 2, 3, self.value()])
        name = r.choice(_APART)
        note(f"{name} {count!r}"[:200])
        if name == "mj_step":
            condyle.mj_step(m, d, count if not isinstance(count, int) else min(count, 5))
        elif name == "mju_threadpool":
            condyle.mju_threadpool(d, count if not isinstance(count, int) else min(count, 3))
        elif name == "cnd_limitMemory":
            try:
                condyle.cnd_limitMemory(r.choice([count, 10**6, 10**7]))
                condyle.MjData(condyle.MjModel.from_xml_string(MODEL))
            finally:
                condyle.cnd_limitMemory(0)
        else:
            options = condyle.MjLROpt()
            options.inttotal, options.timestep = 0.05, 0.01
            condyle.mj_setLengthRange(copy.copy(m), d, count, r.choice([options, None, count]))

    def callback(self) -> None:
        """Steps with a callback that does anything."""
        r = self.random
        which = r.randrange(len(self.models))
        m, d = self.models[which], self.datas[which]
        results = [self.value(), 0, 0.5, ValueError("no")]

        def anything(*arguments: Any) -> Any:
            result = r.choice(results)
            if isinstance(result, Exception):
                raise result
            if arguments and r.random() < 0.3:
                repr(r.choice(arguments))
            return result

        name = r.choice(_CALLBACKS)
        note(f"callback {name}")
        setter = getattr(condyle, f"set_mjcb_{name}")
        setter(r.choice([anything, anything, self.value()]))
        try:
            condyle.mj_step(m, d)
        finally:
            condyle.mj_resetCallbacks()

    def worlds(self) -> None:
        """Does something with a batch of worlds, or rolls out."""
        r = self.random
        which = r.randrange(len(self.models))
        m, d = self.models[which], self.datas[which]
        fields = [
            "xpos",
            "body_mass",
            "geom_size",
            "qpos0",
            "opt.timestep",
            "efc_J",
            "cnd_size",
            "",
        ]
        note("batch or rollout")
        if r.random() < 0.2:
            state = r.choice([np.zeros((2, 1)), np.zeros((2, 30)), self.value()])
            condyle.rollout.rollout(m, d, state, self.value(), nstep=r.choice([1, 2, self.value()]))
            return
        if r.random() < 0.4:
            self.rows(m, r.choice(fields))
            return
        with condyle.Batch(m, r.randint(1, 4), r.randint(0, 2)) as batch:
            for _ in range(r.randint(1, 4)):
                array = r.choice([batch.expose, batch.vary])(r.choice(fields))
                note(f"batch {array.shape}")
                if r.random() < 0.5:
                    array[...] = r.choice([0, -1, 1e300, float("nan"), 3])
                r.choice(
                    [
                        batch.step,
                        batch.forward,
                        batch.reset,
                        batch.set_const,
                        batch.transition,
                        lambda batch=batch: batch.step(self.value(), mask=self.value()),
                        lambda batch=batch: batch.get_data(self.value()),
                        lambda batch=batch: batch.set_state(self.value()),
                        lambda batch=batch: batch.vjp(self.value(), self.value()),
                    ]
                )()

    def rows(self, m: Any, field: str) -> None:
        """Does something with simulations as rows."""
        r = self.random
        b = simulations.Batch(m, r.randint(1, 4), r.randint(0, 2), r.random() < 0.3)
        kinds = (b.body, b.joint, b.geom, b.actuator)
        for _ in range(r.randint(1, 4)):
            array = r.choice([b.bind, b.expand, lambda name: b.state])(field)
            note(f"rows {array.shape}")
            if array.flags.writeable and r.random() < 0.5:
                array[...] = r.choice([0, -1, 1e300, float("nan"), 3])
            r.choice(
                [
                    b.step,
                    b.forward,
                    b.reset,
                    b.set_const,
                    lambda: b.step(self.value(), self.value(), r.randint(-1, 4)),
                    lambda: b.reset(self.value(), self.value()),
                    lambda: b.rollout(2, self.value(), record=(self.value(), "qpos")),
                    lambda: b.rollout(2, record=("xpos",), out={"xpos": self.value()}),
                    lambda: b.jac(self.value(), self.value(), self.value()),
                    lambda: b.ray(self.value(), self.value(), self.value()),
                    lambda: b.get_model(self.value(), self.value()),
                    lambda: b.set_models(r.choice([m, None, self.value()])),
                    lambda: setattr(r.choice(kinds)(0), r.choice(["mass", "qpos"]), self.value()),
                ]
            )()

    def reading(self) -> None:
        """Reads something broken."""
        r = self.random
        note("reading")
        place = r.randrange(len(MODEL))
        text = MODEL[:place] + r.choice(["", "<", '"', "9", "nan", "\udc80"]) + MODEL[place + 3 :]
        state = bytearray(self.models[0].__reduce__()[1][0])
        for _ in range(r.randint(1, 5)):
            state[r.randrange(len(state))] = r.randrange(256)
        path = Path("broken.mjb")
        path.write_bytes(state)
        r.choice(
            [
                lambda: condyle.MjModel.from_xml_string(text),
                lambda: condyle.MjSpec.from_string(text).compile(),
                lambda: condyle.MjModel.from_binary_path(str(path)),
                lambda: condyle.MjModel.from_xml_string(self.value(), self.value()),
                lambda: condyle.MjModel.from_xml_path(self.value()),
                lambda: condyle.MjSpec.from_zip(str(path)),
                lambda: self.models[0].bind(self.value()),
                lambda: condyle.mj_loadPluginLibrary(str(path)),
            ]
        )()

    def thing(self) -> Any:
        """A model, data, struct, list or named object."""
        r = self.random
        which = r.randrange(len(self.models))
        m, d = self.models[which], self.datas[which]
        return r.choice(
            [
                lambda: m,
                lambda: d,
                lambda: d,
                lambda: m.opt,
                lambda: m.vis.global_,
                lambda: m.stat,
                lambda: d.contact,
                lambda: d.contact[r.randrange(3)],
                lambda: d.warning[r.randrange(20)],
                lambda: d.solver[0:3],
                lambda: m.body(r.randrange(8)),
                lambda: d.body(r.choice([0, 1, "box", "nobody", -1, 1.5])),
                lambda: d.joint(0),
                lambda: m.sensor(0),
                lambda: d.tendon(0),
                lambda: d.actuator("motor"),
                lambda: condyle.MjvScene(m, r.randint(0, 5)),
                lambda: condyle.MjrContext(),
                lambda: getattr(condyle, r.choice(_CLASSES))(),
            ]
        )()

    def attribute(self) -> None:
        """Reads an attribute, and sets it if that can't spoil the model."""
        r = self.random
        thing = self.thing()
        name = r.choice([n for n in dir(thing) if not n.startswith("__")])
        note(f"{type(thing).__name__}.{name}")
        value = getattr(thing, name)
        repr(value)
        spoils = isinstance(value, int) or (
            isinstance(value, np.ndarray) and value.dtype.kind not in "f"
        )
        is_model = isinstance(thing, condyle.MjModel) or "Model" in type(thing).__name__
        if not spoils and not is_model and r.random() < 0.5:
            setattr(thing, name, self.value())
        elif r.random() < 0.1:
            for action in (copy.copy, copy.deepcopy, repr, hash, len, list, str):
                note(f"{action.__name__}({type(thing).__name__})")
                try:
                    action(thing)
                except (TypeError, ValueError):
                    continue


_log: Any = None


def note(text: str) -> None:
    """Keeps what is being done, for after a crash."""
    if _log:
        os.pwrite(_log, text.encode("utf-8", "replace").ljust(2000)[:2000], 0)


def main(seed: int, count: int) -> int:
    global _log
    folder = os.environ.get("FUZZ_FOLDER") or tempfile.mkdtemp()
    os.chdir(folder)
    _log = os.open("last", os.O_CREAT | os.O_WRONLY)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    fuzz = Fuzz(seed)
    rare = [fuzz.apart, fuzz.callback, fuzz.worlds, fuzz.reading]
    actions = [fuzz.call] * 12 + [fuzz.attribute] * 6 + rare
    for i in range(count):
        if i % 100 == 99:
            fuzz.start()
        try:
            fuzz.random.choice(actions)()
        except MemoryError:
            raise
        except Exception:  # noqa: BLE001, S112
            continue
    note("done")
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
