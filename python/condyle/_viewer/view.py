"""What the viewer shows of a simulation, and what its pages want of it.

Pages draw when they like, the program computes when it likes: between them stands a copy of model
and data, brought up to date by ``View.sync``. Pages move the camera and the hand at once; what
changes the simulation waits for the next ``sync``, so a program meets changes there alone.
"""

from __future__ import annotations

import contextlib
import copy
import math
import threading
import time
import zlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import condyle
from condyle import _condyle
from condyle._support import state as state_bits
from condyle._support.translated import flags_of
from condyle._viewer.wire import Packer

MAX_GEOM = 120000  # shapes in a picture; what is more is left out
MAX_USER_GEOM = 100000  # shapes that a program adds

_GROUPS = "geomgroup sitegroup jointgroup tendongroup actuatorgroup flexgroup skingroup".split()
_ALL = int(condyle.mjtCatBit.mjCAT_ALL)
_RATE_TIME = 0.5  # seconds over which the pace is measured

Change = Callable[[condyle.MjModel, condyle.MjData], None]


class View:
    """A simulation for any number of pages.

    Attributes
    ----------
    lock
        Held while model, data and settings are read or changed here.
    m, d
        The program's own; None without a model.
    cam, opt, perturb, user_scn
        The camera, what is drawn, what the mouse holds, and shapes that the program adds.
    managed
        The viewer runs the simulation, so pages may stop it, and steer its clock.
    version
        Counts models.
    """

    def __init__(self, managed: bool) -> None:
        self.lock = threading.RLock()
        self.managed = managed
        self.playing, self.speed, self.steps = True, 1.0, 0
        self.reload_wanted = False
        self.m: condyle.MjModel | None = None
        self.d: condyle.MjData | None = None
        self.cam, self.opt = condyle.MjvCamera(), condyle.MjvOption()
        self.perturb = condyle.MjvPerturb()
        self.user_scn = condyle.MjvScene()
        self.width = self.height = 0  # of a page's picture, pixels
        self.version, self.title, self.error = 0, "", ""
        self.files: dict[str, bytes] = {}
        self.patches: list[tuple[str, int, bytes]] = []  # of this model: array, place, content
        self._drawn: tuple[condyle.MjModel, condyle.MjData] | None = None
        self._scene = condyle.MjvScene()
        self._user_geoms = self._flags = b""
        self._state = np.empty(0)
        self._pushed = 0
        # by what they change, in the order of the last time: a program may never call sync
        self._wanted: dict[tuple[Any, ...], Change] = {}
        self._pace = (0.0, 0.0, 0.0)  # wall and simulated time of a moment, the pace since then

    def show(
        self,
        m: condyle.MjModel,
        d: condyle.MjData,
        title: str,
        files: dict[str, bytes] | None = None,
    ) -> None:
        """Show another simulation; ``files`` are those it was made of, ``title`` the first one."""
        with self.lock:
            own = copy.copy(m)
            self._drawn = (own, condyle.MjData(own))
            _condyle._copy_drawn(*self._drawn, m, d)
            self.m, self.d, self.title, self.files = m, d, title, files or {}
            condyle.mjv_defaultFreeCamera(m, self.cam)
            condyle.mjv_defaultPerturb(self.perturb)
            self._scene = condyle.MjvScene(self._drawn[0], MAX_GEOM)
            self.user_scn = condyle.MjvScene(self._drawn[0], MAX_USER_GEOM)
            self._flags = flags_of(self._scene).tobytes()
            flags_of(self.user_scn)[:] = flags_of(self._scene)
            self._user_geoms = b""
            self._state = np.empty(condyle.mj_stateSize(m, state_bits.integration()))
            self._pushed, self._wanted, self.patches = 0, {}, []
            self._pace = (time.monotonic(), d.time, 0.0)
            self.version += 1
            # the page may pick and drag before it asks for a picture; both need the cameras of a
            # scene
            self._update()

    # called by the program

    def sync(self, state_only: bool = False) -> None:
        """Take what pages have changed to the program, and its state to them."""
        with self.lock:
            m, d = self.m, self.d
            if m is None or d is None or self._drawn is None:
                return
            self.change(m, d)
            if state_only:
                condyle.mj_getState(m, d, self._state, state_bits.integration())
                condyle.mj_setState(*self._drawn, self._state, state_bits.integration())
                condyle.mj_forward(*self._drawn)
            else:
                _condyle._copy_drawn(*self._drawn, m, d)
            self._take_user_scene()

    def change(self, m: condyle.MjModel, d: condyle.MjData) -> None:
        """Do to the simulation what pages wanted since the last time, and what the mouse does."""
        if self._wanted:
            wanted, self._wanted = self._wanted, {}
            for change in wanted.values():
                change(m, d)
        held = self.perturb.active | self.perturb.active2 and self.perturb.select
        if self._pushed and self._pushed != held:
            d.xfrc_applied[self._pushed] = 0
            self._pushed = 0
        if held > 0:
            paused = self.managed and not self.playing
            condyle.mjv_applyPerturbPose(m, d, self.perturb, int(paused))
            if not paused:
                condyle.mjv_applyPerturbForce(m, d, self.perturb)
                self._pushed = held
        if self.managed and not self.playing:
            condyle.mj_forward(m, d)

    def _take_user_scene(self) -> None:
        scene = self.user_scn
        self._user_geoms = _condyle._scene_geoms(scene) if scene.ngeom else b""
        flags = flags_of(scene).tobytes()
        if flags != self._flags:
            flags_of(self._scene)[:] = flags_of(scene)
        elif flags_of(self._scene).tobytes() != flags:
            flags_of(scene)[:] = flags_of(self._scene)
        self._flags = flags_of(self._scene).tobytes()

    def patch(self, name: str, start: int, count: int) -> None:
        """Copy a part of an array of the program's model that pages hold."""
        with self.lock:
            if self.m is None or self._drawn is None:
                return
            values = getattr(self.m, name).reshape(-1)[start : start + count]
            getattr(self._drawn[0], name).reshape(-1)[start : start + count] = values
            # of a part that changes again and again only the last content is sent
            self.patches = [it for it in self.patches if it[:2] != (name, start)]
            self.patches.append((name, start, values.tobytes()))

    # called by pages, which hold the lock

    def carry_out(self, name: str, values: Sequence[float]) -> None:
        """Do what a page calls; raises ValueError if it is nothing that can be called so."""
        kinds, run = _CALLS.get(name, ("", None))
        if run is None or len(kinds) != len(values):
            raise ValueError(f"call of '{name}' with {len(values)} values")
        for kind, value in zip(kinds, values, strict=True):
            if type(value) is not int and (kind == "i" or type(value) is not float):
                raise ValueError(f"call of '{name}' with {value!r}")
            if not math.isfinite(value) or (kind == "i" and abs(value) > 2**31 - 1):
                raise ValueError(f"call of '{name}' with {value!r}")
        if self._drawn is not None or run in _WITHOUT_MODEL:
            try:
                run(self, *values)
            except condyle.FatalError as error:
                self.error = str(error)

    @property
    def _pair(self) -> tuple[condyle.MjModel, condyle.MjData]:
        assert self._drawn is not None
        return self._drawn

    def _move_camera(self, action: int, x: float, y: float) -> None:
        condyle.mjv_moveCamera(self._pair[0], action, x, y, self._scene, self.cam)

    def _use_camera(self, number: int) -> None:
        m = self._pair[0]
        if 0 <= number < m.ncam:
            self.cam.type = int(condyle.mjtCamera.mjCAMERA_FIXED)
            self.cam.fixedcamid, self.cam.trackbodyid = number, -1
        else:
            condyle.mjv_defaultFreeCamera(m, self.cam)

    def _follow(self, body: int) -> None:
        if 0 < body < self._pair[0].nbody:
            self.cam.type = int(condyle.mjtCamera.mjCAMERA_TRACKING)
            self.cam.fixedcamid, self.cam.trackbodyid = -1, body

    def _look_at(self, x: float, y: float, z: float) -> None:
        self.cam.type = int(condyle.mjtCamera.mjCAMERA_FREE)
        self.cam.fixedcamid = self.cam.trackbodyid = -1
        self.cam.lookat[:] = x, y, z

    def _set_camera(self, distance: float, azimuth: float, elevation: float) -> None:
        self.cam.distance, self.cam.azimuth, self.cam.elevation = distance, azimuth, elevation

    def pick(self, aspect: float, x: float, y: float) -> tuple[int, int, list[float]]:
        """Return body, geom and point at a place of the picture; body -1 if nothing is there."""
        if not all(map(math.isfinite, (aspect, x, y))) or aspect <= 0:
            raise ValueError("a place that is none")
        if self._drawn is None:
            return -1, -1, [0.0, 0.0, 0.0]
        point = np.zeros(3)
        geom, flex, skin = (np.full(1, -1, np.int32) for _ in range(3))
        m, d = self._drawn
        body = condyle.mjv_select(
            m, d, self.opt, aspect, x, y, self._scene, point, geom, flex, skin
        )
        return body, int(geom[0]) if body >= 0 else -1, point.tolist()

    def _select(self, world: int, body: int, x: float, y: float, z: float) -> None:
        m, d = self._pair
        condyle.mjv_defaultPerturb(self.perturb)
        if 0 < body < m.nbody:
            self.perturb.select = body
            out = np.array([x, y, z]) - d.xpos[body]
            self.perturb.localpos[:] = d.xmat[body].reshape(3, 3).T @ out

    def _select_body(self, body: int) -> None:
        m, d = self._pair
        self._select(0, body, *(d.xpos[body] if 0 < body < m.nbody else (0, 0, 0)))

    def _hold(self, world: int, active: int) -> None:
        if active and not self.perturb.active and self.perturb.select > 0:
            condyle.mjv_initPerturb(*self._pair, self._scene, self.perturb)
        self.perturb.active = active & 3

    def _drag(self, world: int, action: int, x: float, y: float) -> None:
        if self.perturb.active:
            condyle.mjv_movePerturb(*self._pair, action, x, y, self._scene, self.perturb)

    def _show(self, flag: int, on: int) -> None:
        if 0 <= flag < len(self.opt.flags):
            self.opt.flags[flag] = bool(on)

    def _render(self, flag: int, on: int) -> None:
        if 0 <= flag < len(flags_of(self._scene)):
            flags_of(self._scene)[flag] = bool(on)

    def _set_label(self, label: int, frame: int) -> None:
        if 0 <= label < len(condyle.mjLABELSTRING) and 0 <= frame < len(condyle.mjFRAMESTRING):
            self.opt.label, self.opt.frame = label, frame

    def _set_group(self, kind: int, group: int, on: int) -> None:
        if 0 <= kind < len(_GROUPS) and 0 <= group < condyle.mjNGROUP:
            getattr(self.opt, _GROUPS[kind])[group] = bool(on)

    def _set_depth(self, depth: int, layer: int) -> None:
        self.opt.bvh_depth, self.opt.flex_layer = depth, layer

    def _want(self, key: tuple[Any, ...], change: Change) -> None:
        """Keep a change until ``sync``, in place of an earlier one of the same thing."""
        self._wanted.pop(key, None)
        self._wanted[key] = change

    def _set_control(self, i: int, value: float) -> None:
        if 0 <= i < self._pair[0].nu:
            self._want(("ctrl", i), lambda m, d: d.ctrl.__setitem__(i, value))

    def _set_position(self, i: int, value: float) -> None:
        if 0 <= i < self._pair[0].nq:
            self._want(("qpos", i), lambda m, d: d.qpos.__setitem__(i, value))

    def _set_physics(self, enable: int, mask: int, on: int) -> None:
        def change_of(bit: int) -> Change:
            def change(m: condyle.MjModel, d: condyle.MjData) -> None:
                _condyle._change_flags(m.opt, bool(enable), bit if on else 0, 0 if on else bit)

            return change

        for bit in (1 << i for i in range(31)):
            if mask & bit:
                self._want(("flags", enable, bit), change_of(bit))

    def _reset(self, key: int) -> None:
        def change(m: condyle.MjModel, d: condyle.MjData) -> None:
            if 0 <= key < m.nkey:
                condyle.mj_resetDataKeyframe(m, d, key)
            else:
                condyle.mj_resetData(m, d)
            condyle.mj_forward(m, d)

        self._want(("reset",), change)

    def _play(self, on: int) -> None:
        self.playing = bool(on) or not self.managed

    def _set_speed(self, speed: float) -> None:
        if self.managed and 0 < speed <= 100:
            self.speed = speed

    def _step(self) -> None:
        if self.managed:
            self.playing = False
            self.steps = min(self.steps + 1, 1000)

    def _reload(self) -> None:
        self.reload_wanted = True

    # pictures

    def _update(self) -> bool:
        """Bring the scene up to date; tells if it can be drawn."""
        try:
            condyle.mjv_updateScene(
                *self._pair, self.opt, self.perturb, self.cam, _ALL, self._scene
            )
        except condyle.FatalError as error:
            self.error = self.error or str(error)
            return False
        if self._user_geoms:
            _condyle._scene_add(self._scene, self._user_geoms)
        return True

    def _picture(self, packer: Packer) -> dict[str, Any]:
        scene = self._scene
        geoms, lights, eyes = _condyle._scene_bytes(scene)
        picture = {
            "world": 0,
            "geoms": packer.raw(geoms),
            "lights": packer.raw(lights),
            "eyes": packer.raw(eyes),
            "flags": packer.array(flags_of(scene)),
        }
        if scene.nflex:
            options = [scene.flexvertopt, scene.flexedgeopt, scene.flexfaceopt, scene.flexskinopt]
            picture["flex"] = {
                "vertices": packer.array(scene.flexvert),
                "faces": packer.array(scene.flexface),
                "normals": packer.array(scene.flexnormal),
                "texcoords": packer.array(scene.flextexcoord),
                "used": packer.array(scene.flexfaceused),
                "options": packer.array(np.array(options, np.uint8)),
            }
        if scene.nskin:
            picture["skin"] = {
                "vertices": packer.array(scene.skinvert),
                "normals": packer.array(scene.skinnormal),
            }
        return picture

    def frame(self, seen: list[float]) -> bytes:
        """Return the message of the next picture; ``seen`` are steps and their time so far."""
        packer = Packer()
        message: dict[str, Any] = {
            "kind": "frame",
            "pictures": [],
            "playing": self.playing,
            "speed": self.speed,
            "warning": "",
            "look": self._look(),
            "selected": self.perturb.select,
        }
        if self._drawn is None:
            d: Any = _Nothing
            pose = np.zeros(6)
        else:
            m, d = self._drawn
            if self._update():
                message["pictures"].append(self._picture(packer))
            cam = self.cam
            pose = np.array([*cam.lookat, cam.distance, cam.azimuth, cam.elevation])
        steps, duration = self._steps(seen)
        message |= {
            "time": d.time if math.isfinite(d.time) else 0,
            "energy": packer.array(d.energy),
            "contacts": d.ncon,
            "rows": d.nefc,
            "steps": steps,
            "stepTime": 1000 * duration / steps if steps else 0,
            "rate": self._rate(d.time),
            "qpos": packer.array(d.qpos),
            "qvel": packer.array(d.qvel),
            "ctrl": packer.array(d.ctrl),
            "sensors": packer.array(d.sensordata),
            "camera": packer.array(pose),
            "error": self.error,
        }
        self.error = ""
        return packer.finish(message)

    def _look(self) -> int:
        """Return a number that changes with what is switched on."""
        opt = self.opt
        parts = [opt.flags, flags_of(self._scene), *(getattr(opt, name) for name in _GROUPS)]
        shown = b"".join(part.tobytes() for part in parts)
        return zlib.crc32(shown + bytes([opt.label & 255, opt.frame & 255]))

    def _steps(self, seen: list[float]) -> tuple[int, float]:
        """Return how many steps there were since the last time, and the seconds they took."""
        if self.d is None:
            return 0, 0.0
        timer = self.d.timer[int(condyle.mjtTimer.mjTIMER_STEP)]
        now = [float(timer.number), timer.duration]
        steps, duration = int(now[0] - seen[0]), now[1] - seen[1]
        seen[:] = now
        # after a reset of the data the counters start again
        return (steps, duration) if steps > 0 and 0 <= duration < 1e6 else (0, 0.0)

    def _rate(self, simulated: float) -> float:
        """Return simulated over real time."""
        wall, before, rate = self._pace
        now = time.monotonic()
        if now - wall > _RATE_TIME:
            rate = (simulated - before) / (now - wall)
            rate = rate if math.isfinite(rate) and rate > 0 else 0.0
            self._pace = (now, simulated, rate)
        return rate

    # answers

    def lengths(self, names: list[str]) -> dict[str, int]:
        """Return the bytes of arrays of the model, as they are sent."""
        if self._drawn is None:
            raise ValueError("there is no model")
        m, lengths = self._drawn[0], {}
        pictures = with_textures(m)
        for name in names:
            owner = pictures if isinstance(name, str) and name.startswith("tex_") else m
            values = getattr(owner, name, None) if isinstance(name, str) else None
            if isinstance(values, (bytes, np.ndarray)):
                lengths[name] = len(values) if isinstance(values, bytes) else values.nbytes
        return lengths

    def arrays(self, packer: Packer, names: list[str], sizes: list[str]) -> dict[str, Any]:
        """Return what a page needs of the model."""
        if self._drawn is None:
            raise ValueError("there is no model")
        m = self._drawn[0]
        pictures = with_textures(m)
        arrays = {}
        for name in names:
            # once, however often it is asked for
            known = not isinstance(name, str) or name in arrays
            owner = pictures if isinstance(name, str) and name.startswith("tex_") else m
            values = None if known else getattr(owner, name, None)
            if isinstance(values, bytes):
                values = np.frombuffer(values, np.uint8)
            if isinstance(values, np.ndarray):
                arrays[name] = packer.array(values)
        arrays["flex_facecapacity"] = packer.array(self._scene.flexfacenum)
        return {
            "arrays": arrays,
            "sizes": {
                name: size
                for name in sizes
                if isinstance(name, str) and isinstance(size := getattr(m, name, None), int)
            },
            "visual": _visual(m),
        }

    def inspect(self, packer: Packer, size: str, row: int) -> list[dict[str, Any]]:
        """Return one row of all arrays of the model with so many rows ("nbody")."""
        from condyle.introspect import mjxmacro  # noqa: PLC0415

        found: list[dict[str, Any]] = []
        if self._drawn is None:
            return found
        m = self._drawn[0]
        for name, (rows, _) in mjxmacro.MJMODEL.items():
            values = getattr(m, name, None)
            if rows != size or name.startswith("name_") or not isinstance(values, np.ndarray):
                continue
            if values.size and 0 <= row < len(values):
                shown = np.atleast_1d(values[row]).reshape(-1)[:12].astype(np.float64)
                meaning = (getattr(condyle.MjModel, name).__doc__ or "").partition(": ")[2]
                found.append({"name": name, "values": packer.array(shown), "meaning": meaning})
        return found

    def names(self) -> dict[str, Any]:
        """Return the names of flags, labels and frames, and what is switched on."""
        return {
            "names": [
                [name for name, _, _ in condyle.mjVISSTRING],
                [name for name, _, _ in condyle.mjRNDSTRING],
                list(condyle.mjLABELSTRING),
                list(condyle.mjFRAMESTRING),
                [key for _, _, key in condyle.mjVISSTRING],
                [key for _, _, key in condyle.mjRNDSTRING],
            ],
            "label": self.opt.label,
            "frame": self.opt.frame,
            "shown": [int(on) for on in self.opt.flags],
            "rendered": [int(on) for on in flags_of(self._scene)],
            "groups": [[int(on) for on in getattr(self.opt, name)] for name in _GROUPS],
        }


def with_textures(m: condyle.MjModel) -> condyle.MjModel:
    """Return a model with the textures that m leaves in their files; m if they can't be read."""
    if m.ntex and m.tex_adr.min() < 0:
        with contextlib.suppress(ValueError):
            return condyle.mj_embedAssets(m)
    return m


def title_of(m: condyle.MjModel) -> str:
    """Return the name of a model."""
    return m.names.split(b"\0", 1)[0].decode(errors="replace")


def _visual(m: condyle.MjModel) -> dict[str, Any]:
    """Return what the model says about pictures."""
    visual, fog, haze = m.vis.map, m.vis.rgba.fog, m.vis.rgba.haze
    names = "zfar shadowclip fogstart fogend haze".split()
    return {
        "extent": m.stat.extent,
        **{name: getattr(visual, name) for name in names},
        "fogColor": fog[:3].tolist(),
        "hazeColor": haze[:3].tolist(),
    }


class _Nothing:
    """Stands for the data where there is no model."""

    time = 0.0
    ncon = nefc = 0
    energy: NDArray[np.float64] = np.zeros(2)
    qpos = qvel = ctrl = sensordata = np.empty(0)


# functions that pages may call: argument types (i: integer, f: float), and what each does
_CALLS: dict[str, tuple[str, Callable[..., None]]] = {
    "moveCamera": ("iff", View._move_camera),
    "useCamera": ("i", View._use_camera),
    "followBody": ("i", View._follow),
    "lookAt": ("fff", View._look_at),
    "setCamera": ("fff", View._set_camera),
    "select": ("iifff", View._select),
    "selectBody": ("i", View._select_body),
    "hold": ("ii", View._hold),
    "drag": ("iiff", View._drag),
    "show": ("ii", View._show),
    "render": ("ii", View._render),
    "setLabel": ("ii", View._set_label),
    "setGroup": ("iii", View._set_group),
    "setDepth": ("ii", View._set_depth),
    "setControl": ("if", View._set_control),
    "setPosition": ("if", View._set_position),
    "setPhysics": ("iii", View._set_physics),
    "reset": ("i", View._reset),
    "play": ("i", View._play),
    "setSpeed": ("f", View._set_speed),
    "step": ("", View._step),
    "reload": ("", View._reload),
}
_WITHOUT_MODEL = (View._play, View._set_speed, View._reload)
