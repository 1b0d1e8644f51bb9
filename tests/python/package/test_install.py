"""The drop-in: one set of classes under two names, and nothing of the original loaded."""

from __future__ import annotations

import importlib
import importlib.resources
import importlib.util
import subprocess
import sys
import sysconfig
import textwrap
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import condyle
from condyle import __main__ as program
from condyle import as_mujoco, minimize, msh2obj
from condyle._support import install

TESTS = Path(__file__).resolve().parents[1]


@pytest.fixture
def bare() -> Iterator[None]:
    """No module called mujoco, before and after."""
    kept = install._modules()
    for name in kept:
        del sys.modules[name]
    yield
    install.uninstall_as_mujoco()
    for name in install._modules():
        del sys.modules[name]
    sys.modules.update(kept)


@pytest.fixture
def installed(bare: None) -> Any:
    return install.install_as_mujoco()


def python(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run Python in a new process that finds condyle as this one does."""
    start = f"import sys; sys.path.insert(0, {str(TESTS)!r}); import conftest; "
    # the reference, if it stands in for the compiled part
    start += "[sys.modules.pop(n) for n in list(sys.modules) if n.split('.')[0] == 'mujoco']; "
    if arguments[:1] == ("-m",):
        start += f"import runpy; sys.argv[1:] = {list(arguments[2:])!r}; "
        start += f"runpy.run_module({arguments[1]!r}, run_name='__main__', alter_sys=True)"
        arguments = ()
    return subprocess.run(
        [sys.executable, "-c", start, *arguments],
        capture_output=True,
        text=True,
        check=False,
        **options,
    )


def test_one_extension_serves_all_later_versions() -> None:
    compiled = importlib.util.find_spec("condyle._condyle")
    if compiled is None or compiled.origin is None:
        pytest.skip("condyle is not built")
    locked = not sysconfig.get_config_var("Py_GIL_DISABLED")
    stable = locked and sys.version_info >= (3, 12) and sys.implementation.name == "cpython"
    assert compiled.origin.endswith((".abi3.so", ".pyd")) or not stable, compiled.origin


def test_the_wheel_has_the_page_that_was_built() -> None:
    folder = Path(condyle.__path__[0])
    built = TESTS.parents[1] / "build" / "web" / "viewer.html"
    if not (folder / "libcondyle.so").exists():
        pytest.skip("condyle is not installed from a wheel")
    if not built.is_file():
        pytest.skip("the page of the viewer is not built (make web)")
    found = folder / "share" / "condyle" / "viewer.html"
    assert found.is_file(), f"no {found}"
    assert found.read_bytes() == built.read_bytes(), f"{found} is not {built}"


def test_the_module_shows_the_names_of_condyle(installed: Any) -> None:
    mujoco = importlib.import_module("mujoco")
    assert mujoco is installed and mujoco is not condyle
    assert mujoco.__name__ == "mujoco"
    assert mujoco.MjModel is condyle.MjModel
    assert {name for name in dir(condyle) if name.startswith("mj")} <= set(dir(mujoco))
    with pytest.raises(AttributeError, match="module 'mujoco' has no attribute 'nothing'"):
        _ = mujoco.nothing


def test_names_that_appear_later_are_found(installed: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(condyle, "mj_new", 3, raising=False)
    assert installed.mj_new == 3


def test_versions_agree_with_each_other(installed: Any) -> None:
    assert installed.__version__ == installed.mj_versionString() == "3.3.7"
    assert installed.mj_version() == installed.mjVERSION_HEADER == 337
    assert condyle.__version__ != "3.3.7"


@pytest.mark.parametrize(
    ("version", "said", "number"),
    [
        ("4.0", "4.0.0", 4000000),
        ("3.3.0", "3.3.0", 330),
        ("3.12.1", "3.12.1", 3012001),
        ("5", "5.0.0", 5000000),
    ],
)
def test_the_version_may_be_chosen(bare: None, version: str, said: str, number: int) -> None:
    module: Any = install.install_as_mujoco(version=version)
    assert module.__version__ == module.mj_versionString() == said
    assert module.mj_version() == module.mjVERSION_HEADER == number
    assert condyle.mj_version() == condyle.mjVERSION_HEADER == 337
    assert install.install_as_mujoco() is module and module.__version__ == said
    install.install_as_mujoco(version="4.1")
    assert module.__version__ == "4.1.0"


def test_the_environment_may_choose_the_version(
    bare: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUJOCO_VERSION", "4.0")
    assert install.install_as_mujoco().__version__ == "4.0.0"


def test_models_follow_the_version_unless_they_say_more(bare: None) -> None:
    def behaviour(xml: str) -> int:
        return int(condyle.MjModel.from_xml_string(xml).opt.behaviour)

    new = behaviour('<mujoco><compiler dialect="4.0"/></mujoco>')
    assert new != 0 and behaviour("<mujoco/>") == 0
    install.install_as_mujoco(version="4.0")
    assert behaviour("<mujoco/>") == new
    assert behaviour('<mujoco><compiler dialect="3.3"/></mujoco>') == 0
    install.uninstall_as_mujoco()
    assert behaviour("<mujoco/>") == 0


def test_the_default_dialect_is_a_release() -> None:
    assert condyle.set_default_dialect("4.0") == "3.3"
    assert condyle.set_default_dialect("3.3") == "4.0"
    with pytest.raises(ValueError, match="dialect must look like '3.3' or '4.0'"):
        condyle.set_default_dialect("new")


@pytest.mark.parametrize("version", ["", "four", "4.0.0.1", "4.", "v4"])
def test_a_version_that_is_none_is_refused(bare: None, version: str) -> None:
    with pytest.raises(ValueError, match="version must look like '3.3.7' or '4.0'"):
        install.install_as_mujoco(version=version)
    assert "mujoco" not in sys.modules


def test_submodules_are_the_same_under_both_names(installed: Any) -> None:
    assert importlib.import_module("mujoco.minimize") is minimize
    assert minimize.__spec__ is not None and minimize.__spec__.name == "condyle.minimize"
    assert minimize.__name__ == "condyle.minimize"
    # also one that is not loaded yet
    for name in ("condyle.msh2obj", "mujoco.msh2obj"):
        sys.modules.pop(name, None)
    try:
        other = importlib.import_module("mujoco.msh2obj")
        assert other is sys.modules["condyle.msh2obj"] is installed.msh2obj
        assert other.__spec__ is not None and other.__spec__.name == "condyle.msh2obj"
    finally:
        sys.modules["condyle.msh2obj"] = condyle.msh2obj = msh2obj


def test_the_batch_of_mujoco_is_not_that_of_condyle(bare: None) -> None:
    from condyle import batch, simulations  # noqa: PLC0415

    mujoco = install.install_as_mujoco()
    assert importlib.import_module("mujoco.batch") is simulations is mujoco.batch
    assert importlib.import_module("mujoco.simulations") is simulations
    assert importlib.import_module("condyle.batch") is batch is condyle.batch
    assert mujoco.batch.Batch is not condyle.Batch
    spec = importlib.util.find_spec("mujoco.batch")
    assert spec is not None and spec.origin == simulations.__file__


def test_finding_and_reloading_find_the_same(installed: Any) -> None:
    spec = importlib.util.find_spec("mujoco")
    assert spec is not None and spec.submodule_search_locations == list(condyle.__path__)
    assert importlib.reload(installed) is installed
    del sys.modules["mujoco"]
    assert importlib.import_module("mujoco") is installed
    folder = importlib.resources.files("mujoco")
    assert (folder / "minimize.py").is_file()


def test_a_submodule_that_condyle_lacks_comes_from_another_folder(
    installed: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "mujoco" / "mjx"
    package.mkdir(parents=True)
    (tmp_path / "mujoco" / "__init__.py").write_text("raise RuntimeError('the original')")
    (tmp_path / "mujoco" / "_structs2.py").write_text("raise RuntimeError('the original')")
    (tmp_path / "mujoco" / "minimize.py").write_text("raise RuntimeError('the original')")
    (package / "__init__.py").write_text("from mujoco import MjModel\nfrom mujoco.mjx import inner")
    (package / "inner.py").write_text("from mujoco import minimize")
    monkeypatch.syspath_prepend(str(tmp_path))
    mjx: Any = importlib.import_module("mujoco.mjx")
    assert mjx.MjModel is condyle.MjModel
    assert mjx.inner.minimize is minimize
    for missing in ("mujoco._structs2", "mujoco.nowhere", "mujoco.mjx.nowhere"):
        with pytest.raises(ModuleNotFoundError, match=missing.replace(".", r"\.")):
            importlib.import_module(missing)


def test_an_original_that_is_loaded_is_refused_or_replaced(bare: None) -> None:
    original = types.ModuleType("mujoco")
    original.__file__ = "/somewhere/mujoco/__init__.py"
    inner = types.ModuleType("mujoco.viewer")
    sys.modules["mujoco"], sys.modules["mujoco.viewer"] = original, inner
    with pytest.raises(RuntimeError, match="already loaded, from /somewhere/mujoco/__init__.py"):
        install.install_as_mujoco()
    assert sys.modules["mujoco"] is original
    module = install.install_as_mujoco(force=True)
    assert sys.modules["mujoco"] is module
    assert sys.modules.get("mujoco.viewer") is not inner
    install.uninstall_as_mujoco()
    assert (sys.modules["mujoco"], sys.modules["mujoco.viewer"]) == (original, inner)


def test_uninstalling_leaves_no_trace(bare: None) -> None:
    before = list(sys.meta_path)
    install.install_as_mujoco()
    importlib.import_module("mujoco.minimize")
    assert len(sys.meta_path) == len(before) + 1
    install.uninstall_as_mujoco()
    assert sys.meta_path == before
    assert install._modules() == {}
    install.uninstall_as_mujoco()


PROGRAM = """
import sys
import mujoco
from mujoco import minimize
print(__name__, sys.argv[1:], mujoco.__version__, minimize.__name__, __file__ == sys.argv[0])
import neighbour
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    (tmp_path / "neighbour.py").write_text("print('neighbour')")
    path = tmp_path / "program.py"
    path.write_text(textwrap.dedent(PROGRAM))
    return path


EXPECTED = "__main__ ['a', '--b'] {} condyle.minimize True\nneighbour\n"


@pytest.mark.parametrize("how", [["condyle.as_mujoco"], ["condyle.__main__", "run"]])
def test_programs_run_unchanged(script: Path, how: list[str]) -> None:
    done = python("-m", *how, str(script), "a", "--b")
    assert (done.stdout, done.returncode) == (EXPECTED.format("3.3.7"), 0), done.stderr
    done = python("-m", *how, "--version=4.0", str(script), "a", "--b")
    assert (done.stdout, done.returncode) == (EXPECTED.format("4.0.0"), 0), done.stderr


def test_packages_run_unchanged(script: Path) -> None:
    done = python("-m", "condyle.as_mujoco", "-m", "program", "a", "--b", cwd=script.parent)
    assert (done.stdout, done.returncode) == (EXPECTED.format("3.3.7"), 0), done.stderr


def test_modules_of_condyle_run_under_the_name_of_mujoco() -> None:
    done = python("-m", "condyle.as_mujoco", "-m", "mujoco.msh2obj", "-i", "none.msh", "-o", "x")
    assert (done.stderr, done.returncode) == ("none.msh does not exist.\n", 1)


def test_the_status_of_a_program_is_passed_on(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text("import sys\nsys.exit(3)")
    assert python("-m", "condyle.as_mujoco", str(path)).returncode == 3
    path.write_text("raise KeyError('x')")
    done = python("-m", "condyle.as_mujoco", str(path))
    assert done.returncode == 1 and 'program.py", line 1' in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "usage: "),
        (["nothing.py"], "nothing.py: no such file"),
        (["-m"], "-m: no package"),
        (["--version"], "--version: no value"),
        (["--colour=red", "x.py"], "unknown option --colour"),
        (["--version=x", "x.py"], "version must look like"),
    ],
)
def test_wrong_command_lines_are_refused(
    bare: None, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert as_mujoco.run(arguments) == 2
    assert message in capsys.readouterr().err


def test_the_package_executes_the_command_line_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    executed: list[tuple[str, list[str]]] = []
    monkeypatch.setattr(program, "__file__", str(tmp_path / "__main__.py"))
    monkeypatch.setattr("os.execv", lambda *call: executed.append(call))
    assert program.main(["compile", "x.xml"]) == 1
    assert "this installation has no command line program" in capsys.readouterr().err
    (tmp_path / "bin").mkdir()
    file = tmp_path / "bin" / program._PROGRAM
    file.touch()
    program.main(["compile", "x.xml"])
    assert executed == [(str(file), [str(file), "compile", "x.xml"])]
