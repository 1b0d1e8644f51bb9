"""Writes stubs of the compiled functions, enums and callbacks, and of the extension itself.

What the headers know comes from them; the rest is in rules.py and, for classes, in stubs_structs.py
and stubs_spec.py. tests/python/package/test_stubs.py holds all stubs against the running module.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from . import rules
from .annotations import docstring, head, method
from .declarations import Headers
from .enums import LEFT_OUT, enum_members
from .functions import bindings
from .stubs_spec import SPEC_CLASSES
from .stubs_structs import STRUCT_CLASSES, struct_classes

__all__ = [
    "write_callback_stubs",
    "write_enum_stubs",
    "write_extension_stubs",
    "write_function_stubs",
    "write_render_stubs",
]

# what a parameter accepts, by what its documentation calls it
_ACCEPTS = {
    "int": "SupportsIndex",
    "float": "SupportsFloat",
    "str": "str | bytes",
    "NDArray": "NDArray[Any]",
}

_TEXTS = "mjDISABLESTRING mjENABLESTRING mjFRAMESTRING mjLABELSTRING mjTIMERSTRING".split()

# callbacks, and the type of their function; "": only functions of C
_CALLBACKS = {
    "mjcb_passive": "Callable[[MjModel, MjData], object]",
    "mjcb_control": "Callable[[MjModel, MjData], object]",
    "mjcb_contactfilter": "Callable[[MjModel, MjData, int, int], int]",
    "mjcb_sensor": "Callable[[MjModel, MjData, int], object]",
    "mjcb_time": "Callable[[], float]",
    "mjcb_act_dyn": "Callable[[MjModel, MjData, int], float]",
    "mjcb_act_gain": "Callable[[MjModel, MjData, int], float]",
    "mjcb_act_bias": "Callable[[MjModel, MjData, int], float]",
    "mju_user_warning": "Callable[[str], object]",
    "mju_user_malloc": "",
    "mju_user_free": "",
}


def write_enum_stubs(headers: Headers) -> str:
    """The text of _enums.pyi."""
    text = head("Enums of the engine.", "from condyle._support.enum import EngineEnum, Members")
    enums = [enum for enum in headers.enums.values() if enum.name and enum.name not in LEFT_OUT]
    known = {enum.name for enum in enums}
    more = {n: members for n, members in enum_members(headers).items() if n not in known}
    text += exports([*known, *more])
    for enum in enums:
        text += f"\nclass {enum.name}(EngineEnum):\n"
        doc = (enum.doc[:1].upper() + enum.doc[1:]).rstrip(".") if enum.doc else ""
        text += docstring(doc and doc + ".", 4)
        for value in enum.values:
            text += f"    {value.name} = {value.value}\n{docstring(value.doc, 4)}"
    for name, members in more.items():
        text += f"\nclass {name}(EngineEnum):\n"
        text += "".join(f"    {member} = {number}\n" for member, number in members.items())
    return text + _ENUM_FUNCTIONS


_ENUM_FUNCTIONS = """
_MEMBERS: dict[str, Members]
_LATER: dict[str, Members]
_later: bool

def _use(later: bool) -> None: ...
def _members(name: str) -> Members: ...
def _from_engine(name: str, number: int) -> int: ...
def _to_engine(name: str, number: int) -> int: ...
def __getattr__(name: str) -> type[EngineEnum]: ...
"""


def exports(names: Iterable[str]) -> str:
    """The list __all__ of a stub."""
    return "\n__all__ = [\n" + "".join(f'    "{name}",\n' for name in names) + "]\n"


def _widen(annotation: ast.expr | None) -> str:
    words = ast.unparse(annotation).split(" | ") if annotation else ["Any"]
    return " | ".join(_ACCEPTS.get(word, word) for word in words)


def _function(signature: str, doc: str, mark: str = "") -> str:
    """The stub of a function that is documented with this signature."""
    parsed = ast.parse(f"def {signature}: ...").body[0]
    assert isinstance(parsed, ast.FunctionDef) and parsed.returns
    given = parsed.args
    first = len(given.args) - len(given.defaults)
    arguments = []
    for i, argument in enumerate(given.args):
        default = f" = {ast.unparse(given.defaults[i - first])}" if i >= first else ""
        arguments.append(f"{argument.arg}: {_widen(argument.annotation)}{default}")
    return method(parsed.name, arguments, ast.unparse(parsed.returns), doc, 0, mark)


def _functions(headers: Headers, render: bool) -> Iterator[tuple[str, str]]:
    """Names and stubs of the functions that draw pixels, or of all others."""
    for name, function in rules.BY_HAND.items():
        if name.startswith("mjr_") == render:
            mark = "overload" if len(function.signatures) > 1 else ""
            for signature in function.signatures:
                yield name, "\n" + _function(name + signature, function.doc, mark)
    for binding in bindings(headers):
        if binding.function.name.startswith("mjr_") == render:
            yield binding.function.name, "\n" + _function(binding.signature, binding.function.doc)


def write_function_stubs(headers: Headers) -> str:
    """The text of _functions.pyi."""
    text = head(
        "The functions of the C interface.",
        "from typing import Any, SupportsFloat, SupportsIndex, overload\n\n"
        "import numpy as np\n"
        "from numpy.typing import ArrayLike, NDArray\n\n"
        f"from condyle._structs import MjData, MjModel, {', '.join(struct_classes(headers))}",
    )
    return text + "".join(stub for _, stub in _functions(headers, False))


def write_callback_stubs() -> str:
    """The text of _callbacks.pyi."""
    text = head(
        "Setting and getting the callbacks of the engine.",
        "import ctypes\nfrom collections.abc import Callable\nfrom typing import Any\n\n"
        "from condyle._structs import MjData, MjModel",
    )
    for name, function in _CALLBACKS.items():
        accepts = f"{function} | ctypes._CFunctionType" if function else "ctypes._CFunctionType"
        doc = "Sets the callback: a function, a ctypes function pointer, or None."
        text += "\n" + method(f"set_{name}", [f"f: {accepts} | None"], "None", doc, 0)
        text += "\n" + method(f"get_{name}", [], "Any", "The callback that was set, or None.", 0)
    return text


def write_render_stubs(headers: Headers) -> str:
    """The text of _render.pyi."""
    text = head(
        "What draws pixels: MjrContext, MjrRect and the functions mjr_.",
        "from collections.abc import Sequence\n"
        "from typing import Any, SupportsFloat, SupportsIndex, overload\n\n"
        "import numpy as np\n"
        "from numpy.typing import ArrayLike, NDArray\n\n"
        + "".join(
            f"from condyle._model.plain import {name} as {name}\n"
            for name in ("MjrRendererInfo", "mjr_defaultRendererInfo", "mjr_getRendererInfo")
        )
        + "from condyle._structs import MjModel, MjvFigure, MjvScene",
    )
    functions = list(_functions(headers, True))
    extra = ["MjrRendererInfo", "mjr_defaultRendererInfo", "mjr_getRendererInfo"]
    text += exports(["MjrContext", "MjrRect", *extra, *(name for name, _ in functions)])
    text += "".join(struct_classes(headers, render=True).values())
    return text + "".join(stub for _, stub in functions)


def write_extension_stubs(headers: Headers) -> str:
    """The text of _condyle.pyi: names of the other stubs, and what only the package itself uses."""
    functions = [*rules.BY_HAND, *(binding.function.name for binding in bindings(headers))]
    drawing = [name for name in functions if name.startswith("mjr_")]
    callbacks = [f"{way}_{name}" for name in _CALLBACKS for way in ("get", "set")]
    parts = {
        "_callbacks": callbacks,
        "_functions": [name for name in functions if name not in drawing],
        "_render": ["MjrContext", "MjrRect", *drawing],
        "_specs": [*SPEC_CLASSES, "MjVfs"],
        "_structs": [*struct_classes(headers), *STRUCT_CLASSES],
    }
    imports = "from typing import Any, TypeAlias\n\n"
    imports += "import numpy as np\nfrom numpy.typing import NDArray\n\n"
    for module, names in parts.items():
        lines = "".join(f"    {name} as {name},\n" for name in sorted(set(names)))
        imports += f"from condyle.{module} import (\n{lines})\n"
    text = head("The compiled part of the package.", imports)
    for name in _TEXTS:
        text += f"{name}: tuple[str, ...]\n"
    for name in ("mjRNDSTRING", "mjVISSTRING"):
        text += f"{name}: tuple[tuple[str, str, str], ...]\n"
    return text + _OWN


_OWN = '''
class FatalError(Exception):
    """An error of the engine (mju_error); its text unchanged."""

class UnexpectedError(Exception):
    """A broken promise inside the binding."""

def _set_default_dialect(dialect: int) -> int: ...
def _set_release(later: bool) -> None: ...
def _change_flags(opt: MjOption, enable: bool, add: int, drop: int) -> None: ...
def _data_of_view(view: object) -> MjData | None: ...
def _make_gl(backend: str | None, width: int, height: int) -> object: ...
def _current_gl(gl: object | None) -> None: ...
def _backend_gl(gl: object) -> str: ...
def _free_gl(gl: object) -> None: ...
def _copy_drawn(to_m: MjModel, to_d: MjData, m: MjModel, d: MjData) -> None: ...
def _scene_bytes(scn: MjvScene) -> tuple[bytes, bytes, bytes]: ...
def _scene_geoms(scn: MjvScene) -> bytes: ...
def _scene_add(scn: MjvScene, geoms: bytes) -> None: ...
def _model_from_sealed_text(xml: str, assets: dict[str, bytes]) -> MjModel: ...

MJTNUM_BYTES: int

class _Pool:
    """Threads for rollouts: see condyle.rollout."""
    def __init__(self, nthread: int) -> None: ...
    def close(self) -> None: ...
    def rollout(
        self,
        models: list[MjModel],
        datas: list[MjData],
        nstep: int,
        control_spec: int,
        state0: NDArray[np.float64],
        warmstart: NDArray[np.float64] | None,
        control: NDArray[np.float64] | None,
        state: NDArray[np.float64] | None,
        sensordata: NDArray[np.float64] | None,
        chunk_size: int,
        lanes: bool,
    ) -> None: ...

class _Recorder:
    """The file of a run: see condyle.replay."""
    def __init__(self, path: str, model: MjModel, data: MjData) -> None: ...
    def step(self, data: MjData, nstep: int) -> None: ...
    def close(self) -> None: ...

class _Replay:
    """A run that was read: see condyle.replay."""
    def __init__(self, path: str) -> None: ...
    def model(self) -> MjModel: ...
    def steps(self) -> int: ...
    def writer(self) -> str: ...
    def start(self, data: MjData) -> None: ...
    def inputs(self, data: MjData) -> None: ...
    def step(self, data: MjData) -> int: ...
    def distance(self, data: MjData) -> tuple[float, float]: ...

def _replay_here() -> str: ...

class _Batch:
    """Many worlds of one model: see condyle.Batch."""
    def __init__(self, model: MjModel, n: int, nthread: int) -> None: ...
    @property
    def closed(self) -> bool: ...
    @property
    def model(self) -> MjModel: ...
    @property
    def left(self) -> int: ...
    @property
    def failed(self) -> NDArray[np.uint8]: ...
    @property
    def error(self) -> str: ...
    @property
    def errors(self) -> dict[int, str]: ...
    def close(self) -> None: ...
    def expose(self, name: str) -> NDArray[Any]: ...
    def vary(self, name: str) -> NDArray[Any]: ...
    @staticmethod
    def fixed(name: str) -> str | None: ...
    def body_forces(self, on: bool) -> None: ...
    def minimum(self, on: bool) -> None: ...
    def lanes(self, on: bool | str | None, single: bool) -> int: ...
    @property
    def why(self) -> str | None: ...
    @property
    def stats(self) -> dict[str, Any]: ...
    def get_state(self, mask: _Mask, state: NDArray[np.float64], spec: int) -> None: ...
    def set_state(self, mask: _Mask, state: NDArray[np.float64], spec: int) -> None: ...
    def get_data(self, world: int, data: MjData) -> None: ...
    def set_data(self, world: int, data: MjData) -> None: ...
    def copy_model(self, world: int) -> MjModel: ...
    def set_const(self, mask: _Mask) -> bool: ...
    def reset(self, mask: _Mask, key: int) -> bool: ...
    def forward(self, mask: _Mask) -> bool: ...
    def step(self, mask: _Mask, ctrl: _Numbers, nstep: int) -> bool: ...
    def step_async(self, mask: _Mask, ctrl: _Numbers, nstep: int) -> None: ...
    def wait(self) -> bool: ...
    def rollout(
        self, nstep: int, control: _Numbers, state: _Numbers, sensordata: _Numbers
    ) -> bool: ...
    def transition(
        self, A: _Numbers, B: _Numbers, C: _Numbers, D: _Numbers, kinks: NDArray[np.int32] | None
    ) -> bool: ...
    def adjoints(
        self,
        count: int,
        dnext: NDArray[np.float64],
        dsensor: _Numbers,
        dstate: _Numbers,
        dctrl: _Numbers,
        parameters: dict[str, NDArray[np.float64]],
        kinks: NDArray[np.int32] | None,
    ) -> bool: ...
    def gradient_sizes(self) -> dict[str, tuple[int, int]]: ...

class _Simulations:
    """Many simulations as rows of state: see condyle.simulations.Batch."""
    def __init__(self, model: MjModel, nsim: int, nthread: int, persistent: bool) -> None: ...
    @property
    def nsim(self) -> int: ...
    @property
    def nthread(self) -> int: ...
    @property
    def nstate(self) -> int: ...
    @property
    def persistent(self) -> bool: ...
    def state(self) -> NDArray[np.float64]: ...
    def warning(self) -> NDArray[np.int32]: ...
    def status(self) -> NDArray[np.int32]: ...
    def error(self, sim: int) -> str: ...
    def output(self, name: str) -> NDArray[Any] | None: ...
    def expand(self, name: str) -> NDArray[Any] | None: ...
    def expanded(self, name: str) -> NDArray[Any] | None: ...
    def shared(self, name: str) -> NDArray[Any]: ...
    def step(self, ids: _Whole, nstep: int, stage: int) -> int: ...
    def forward(self, ids: _Whole, stage: int) -> int: ...
    def reset(self, ids: _Whole, key: _Whole, stage: int) -> int: ...
    def set_const(self, ids: _Whole) -> int: ...
    def rollout(
        self,
        ids: _Whole,
        nstep: int,
        control: _Numbers,
        spec: int,
        records: list[tuple[str | None, int, NDArray[Any]]],
    ) -> int: ...
    def jac(
        self,
        ids: _Whole,
        body: NDArray[np.int32],
        point: NDArray[np.float64],
        jacp: NDArray[np.float64],
        jacr: NDArray[np.float64],
    ) -> int: ...
    def ray(
        self,
        ids: _Whole,
        pnt: NDArray[np.float64],
        vec: NDArray[np.float64],
        geomgroup: _Mask,
        flg_static: bool,
        bodyexclude: NDArray[np.int32],
        nray: int,
        dist: NDArray[np.float64],
        geomid: NDArray[np.int32],
        normal: _Numbers,
    ) -> int: ...
    def set_models(self, models: list[MjModel] | None) -> None: ...
    def get_model(self, sim: int, model: MjModel) -> None: ...
    def copy_model(self) -> MjModel: ...
    def get_data(self, sim: int, data: MjData) -> None: ...

def _model_field_names() -> list[str]: ...
def _data_field_names() -> list[str]: ...

_Whole: TypeAlias = NDArray[np.int32] | None
_Mask: TypeAlias = NDArray[np.uint8] | None
_Numbers: TypeAlias = NDArray[np.float64] | None
'''
