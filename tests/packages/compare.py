"""Runs the tasks of a package on Condyle and on the reference, and compares what they show.

``python tests/packages/compare.py PACKAGE ... [--reference VERSION ...] [--only REGEX]``

The same Python and the same packages are used on both sides; only ``mujoco`` differs. Each task is
reset with a fixed seed and gets 20 drawn actions. Observations that part by more than 1e-6 are
looked at again step by step, each from the reference's state, since contacts can make a motion
chaotic: a last bit then grows over a few steps into any size. README.md tells how to set it up.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from multiprocessing.connection import Connection, Listener
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent
TOLERANCE = 1e-6
STEPS = 20
# far below what is compared, far above the last bit
NUDGE = 1e-12
# of positions in a single step, several of each: rounding, and what collision detection leaves open
NUDGES = [size for size in (1e-12, 1e-9) for _ in range(10)]
TIMEOUT = 600

# package -> releases of the reference that it runs with, first the one that is compared with
REFERENCES = {
    "gymnasium": ["3.3.7"],
    "gymnasium_robotics": ["3.3.7"],
    "metaworld": ["3.3.7", "3.3.0"],
    "robosuite": ["3.3.7"],
    "dm_control": ["3.3.7", "4.0.0"],
    "mink": ["3.3.7", "4.0.0"],
    "gym_aloha": ["3.3.7", "4.0.0"],
    "myosuite": ["3.3.7", "4.0.0"],
    "mjx": ["3.3.7"],
    "models": ["3.3.7", "4.0.0"],
}
# what Condyle says it is
_NEWEST = ("dm_control", "mink", "gym_aloha", "myosuite")
SAYS = {"metaworld": "3.3.0"} | dict.fromkeys(_NEWEST, "4.0.0")

# release whose dialect Condyle has under --newest
NEWEST = "4.0.0"
# what differs from it, and why: package, tasks, reason
KNOWN = (
    (
        "dm_control",
        "bricks|cradle",
        "a scene settles for seconds before it is seen, and ends within 5e-6",
    ),
    (
        "models",
        "right_hand|robots/(arx5|g1|h1|yumi|z1)/|spot_arm|scene_arm",
        "meshes of a folded robot in each other: which nearly flat triangles of a hull are one"
        " polygon (yumi), and motions that end in ties",
    ),
)


class Failed(Exception):
    """An order that a worker could not carry out, with what it raised."""

    def __init__(self, kind: str, message: str, trace: str = "") -> None:
        super().__init__(f"{kind}: {' '.join(message.split())[:160]}")
        self.kind = kind
        self.trace = trace


class Worker:
    """A process with one engine. It is started again when it has ended."""

    def __init__(self, engine: str, version: str, folder: Path) -> None:
        self.engine = engine
        self.version = version
        self.folder = folder
        self.line: Connection | None = None
        self.process: subprocess.Popen[bytes] | None = None

    def __str__(self) -> str:
        return self.engine if self.engine == "condyle" else self.version

    def _start(self) -> Connection:
        environment = dict(os.environ)
        if self.engine == "mujoco":
            path = [str(self.folder / f"mujoco-{self.version}"), environment.get("PYTHONPATH", "")]
            environment["PYTHONPATH"] = os.pathsep.join(filter(None, path))
        for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
            environment.setdefault(name, "1")
        environment.setdefault("MUJOCO_GL", "disable")
        # tasks choose from sets
        environment["PYTHONHASHSEED"] = "0"
        with tempfile.TemporaryDirectory() as place:
            address = str(Path(place, "socket"))
            with Listener(address, "AF_UNIX") as listener:
                self.process = subprocess.Popen(
                    [sys.executable, str(HERE / "worker.py"), address, self.engine, self.version],
                    env=environment,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL if not os.environ.get("SHOW") else None,
                )
                listener._listener._socket.settimeout(120)  # type: ignore[attr-defined]
                self.line = listener.accept()
        self._answer()
        assert self.line is not None
        return self.line

    def _answer(self) -> Any:
        assert self.line is not None
        try:
            if not self.line.poll(TIMEOUT):
                raise Failed("Timeout", f"no answer in {TIMEOUT} s")
            answer = self.line.recv()
        except (EOFError, ConnectionError):
            status = self.process.wait() if self.process is not None else None
            self.stop()
            raise Failed("Crash", f"the process ended with {status}") from None
        except Failed:
            self.stop()
            raise
        if answer[0] == "failed":
            raise Failed(*answer[1:])
        return answer[1]

    def __call__(self, order: str, *arguments: Any) -> Any:
        """Give an order; return the answer, or raise Failed."""
        line = self.line if self.line is not None else self._start()
        line.send((order, arguments))
        return self._answer()

    def stop(self) -> None:
        """End the process."""
        if self.line is not None:
            self.line.close()
        if self.process is not None:
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.line = self.process = None


def apart(ours: list[Any], theirs: list[Any]) -> tuple[float, str]:
    """Return the largest difference of two lists of observations, and where it is.

    Relative to numbers above one, absolute below.
    """
    worst, place = 0.0, ""
    for i, (one, other) in enumerate(zip(ours, theirs, strict=True)):
        if one.keys() != other.keys():
            return np.inf, f"step {i}: {sorted(one.keys() ^ other.keys())}"
        for name, a in one.items():
            b = other[name]
            if a.shape != b.shape:
                return np.inf, f"step {i}, {name}: shapes {a.shape}, {b.shape}"
            same = (a == b) | (np.isnan(a) & np.isnan(b))
            gap = np.where(same, 0, np.abs(a - b) / np.maximum(1, np.abs(b)))
            largest = np.inf if np.isnan(gap).any() else float(gap.max(initial=0))
            if largest > worst:
                worst, place = largest, f"step {i}, {name}"
    return worst, place


def episode(worker: Worker, package: str, name: str, *how: Any) -> Any:
    """Make a task afresh and run it."""
    seconds = worker("open", package, name)
    record = worker("run", STEPS, *(how or (None, 0.0)))
    record["making"] = seconds
    return record


def compare_task(package: str, name: str, workers: list[Worker], rounds: int) -> dict[str, Any]:
    """Compare one task between the first worker, Condyle's, and the others."""
    result: dict[str, Any] = {"package": package, "task": name}
    records, errors = {}, {}
    for worker in workers:
        try:
            records[worker] = episode(worker, package, name)
        except Failed as error:
            errors[worker] = error
    result["errors"] = {str(worker): str(error) for worker, error in errors.items()}
    ours = workers[0]
    base = next((worker for worker in workers[1:] if worker in records), workers[1])
    result["base"] = str(base)
    if ours in errors or base in errors:
        if ours in errors and base in errors:
            same = errors[ours].kind == errors[base].kind
            result["verdict"] = "left out" if same else "fails"
        else:
            result["verdict"] = "fails" if ours in errors else "ours only"
        result["trace"] = errors[ours].trace if ours in errors else ""
        return result

    theirs = records[base]
    gap, place = apart(records[ours]["seen"], theirs["seen"])
    result |= {"free": gap, "place": place, "facts": theirs["facts"]}
    result["making"] = [records[ours]["making"], theirs["making"]]
    result["env"] = [sum(records[worker]["seconds"][2:]) for worker in (ours, base)]
    for other in workers[1:]:
        if other in records and other is not base:
            result[f"{base}-{other}"] = apart(records[other]["seen"], theirs["seen"])[0]
            result[f"condyle-{other}"] = apart(records[ours]["seen"], records[other]["seen"])[0]
    result["verdict"] = "equal"
    if gap > TOLERANCE:
        follow(result, package, name, ours, base, theirs)
    if rounds:
        time_engines(result, (ours, base), theirs["states"], rounds)
    return result


def follow(
    result: dict[str, Any], package: str, name: str, ours: Worker, base: Worker, theirs: Any
) -> None:
    """Judge a task whose observations part: from the reference's states, and by its own chaos."""
    try:
        nudged = episode(base, package, name, None, NUDGE)
        result["nudged"] = apart(nudged["seen"], theirs["seen"])[0]
        again = episode(base, package, name, theirs["states"], 0.0)
        mine = episode(ours, package, name, theirs["states"], 0.0)
        result["followed"], result["place"] = apart(mine["seen"], again["seen"])
        shaken = episode(base, package, name, theirs["states"], NUDGE)
        result["shaken"] = apart(shaken["seen"], again["seen"])[0]
        compare_steps(result, ours, base, theirs["states"])
    except Failed as error:
        result["verdict"] = "fails"
        result["errors"]["following"] = str(error)
        return
    own = max(result["shaken"], result["nudged"])
    if result["followed"] <= TOLERANCE:
        result["verdict"] = "equal by step"
    elif result["single"] <= TOLERANCE and result["followed"] <= 10 * own:
        result["verdict"] = "chaotic"
    else:
        result["verdict"] = "differs"


def equally_deep(pair: Any, state: Any) -> bool:
    """Tell if contacts differ in their points only, not in depths and normals."""
    mine, other = (worker("contacts", state) for worker in pair)
    return (
        np.array_equal(mine["geom"], other["geom"])
        and np.allclose(mine["dist"], other["dist"], rtol=0, atol=TOLERANCE)
        and np.allclose(mine["frame"][:, :3], other["frame"][:, :3], rtol=0, atol=TOLERANCE)
        and not np.allclose(mine["pos"], other["pos"], rtol=0, atol=TOLERANCE)
    )


def compare_steps(result: dict[str, Any], ours: Worker, base: Worker, states: list[Any]) -> None:
    """Compare all steps of the engine on the way.

    Where shapes touch evenly, rounding decides how many contacts there are, and where among points
    that are equally deep. Such a step counts as a tie: if the reference parts from itself as far
    when positions are nudged by 1e-9 at most, or depths and normals agree.
    """
    between = base("between", states)
    pair = [worker("single", between) for worker in (ours, base)]
    result |= {"steps": len(between), "ties": 0, "single": 0.0}
    for i, (mine, other) in enumerate(zip(*pair, strict=True)):
        gap, place = apart([mine], [other])
        if gap > TOLERANCE:
            nudged = [
                base("single", [between[i]], size, seed)[0] for seed, size in enumerate(NUDGES)
            ]
            own = max(apart([again], [other])[0] for again in nudged)
            if own >= gap / 10 or equally_deep((ours, base), between[i]):
                result["ties"] += 1
                continue
        if gap > result["single"]:
            result["single"] = gap
            if gap > TOLERANCE:
                result["place"] = f"step {i} of {len(between)} of the engine, {place.split()[-1]}"


def time_engines(result: dict[str, Any], pair: Any, states: Any, rounds: int) -> None:
    """Time the bare steps of both engines in turn, from the same states."""
    best = [np.inf, np.inf]
    try:
        for _ in range(rounds):
            for i, worker in enumerate(pair):
                best[i] = min(best[i], worker("engine", states, 3))
    except Failed as error:
        result["errors"]["timing"] = str(error)
        return
    result["engine"] = best


def known(result: dict[str, Any]) -> str:
    """Return why a task differs from the newest release, empty if that isn't known."""
    if result["verdict"] != "differs":
        return ""
    for package, tasks, reason in KNOWN:
        if re.fullmatch(package, result["package"]) and re.search(tasks, result["task"]):
            meshes = result.get("facts", {}).get("nmesh", 0)
            if meshes or not reason.startswith("meshes"):
                return reason
    return ""


def explain(package: str, name: str, workers: list[Worker]) -> None:
    """Print which arrays of model and data differ, and where an error comes from."""
    for worker in workers:
        try:
            episode(worker, package, name)
        except Failed as error:
            print(f"--- {worker}\n{error.trace or error}")
            return
    for label in ("after the reset", "at each step"):
        states = [None]
        if label == "at each step":
            states = episode(workers[1], package, name)["states"]
        for i, state in enumerate(states):
            if state is None:
                for worker in workers[:2]:
                    worker("open", package, name)
                    worker("run", 0, None, 0.0)
            found = [worker("arrays", state) for worker in workers[:2]]
            gaps = []
            for key in sorted(found[0].keys() & found[1].keys()):
                a, b = found[0][key], found[1][key]
                if a.shape != b.shape:
                    gaps.append((np.inf, f"{key} {a.shape} {b.shape}"))
                    continue
                size = max(1e-12, float(np.abs(b).max(initial=0)))
                gap = float(np.abs(a - b).max(initial=0)) / size
                if gap > 1e-9:
                    gaps.append((gap, key))
            gaps.sort(key=lambda item: -item[0])
            print(f"{label} {i}: " + ", ".join(f"{key} {gap:.1e}" for gap, key in gaps[:12]))


def show(result: dict[str, Any]) -> str:
    """Return a line about a result."""
    line = f"{result['verdict']:14}{result['package']}: {result['task']}"
    if "free" in result:
        line += f"  {result['free']:.1e}"
        line += "".join(
            f"  {key} {result[key]:.1e}"
            for key in ("followed", "shaken", "nudged", "single")
            if key in result
        )
        if result.get("ties"):
            line += f"  {result['ties']} ties in {result['steps']}"
        if result["verdict"] != "equal":
            line += f"  [{result['place']}]"
        line += "".join(
            f"  {key} {result[key]:.1e}" for key in result if re.match(r"[\dc].*-\d", key)
        )
        line += f"  make {ratio(result['making']):.2f}  env {ratio(result['env']):.2f}"
    if "engine" in result:
        line += f"  engine {ratio(result['engine']):.2f}"
    if "reason" in result:
        line += f"\n    {result['reason']}"
    for worker, error in result["errors"].items():
        line += f"\n    {worker}: {error}"
    return line


def ratio(pair: Any) -> float:
    """Return ours by theirs."""
    return float(pair[0] / pair[1]) if pair[1] else float("nan")


def middle(values: list[float]) -> str:
    """Return the geometric mean of ratios as text."""
    kept = [value for value in values if np.isfinite(value) and value > 0]
    return f"{np.exp(np.mean(np.log(kept))):.2f}" if kept else "-"


def summary(results: list[dict[str, Any]]) -> str:
    """Return a table in Markdown, a row for each package."""
    lines = [
        "| package | tasks | equal | equal by step | chaotic | other | largest difference |"
        " make | step of the task | step of the engine |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for package in dict.fromkeys(result["package"] for result in results):
        rows = [result for result in results if result["package"] == package]
        ran = [row for row in rows if "free" in row]
        counts = Counter(row["verdict"] for row in rows)
        largest = max((min(row["free"], row.get("followed", np.inf)) for row in ran), default=0)
        timed = [ratio(row["engine"]) for row in ran if "engine" in row]
        other = len(rows) - sum(counts[key] for key in ("equal", "equal by step", "chaotic"))
        lines.append(
            f"| {package} | {len(rows)} | {counts['equal']} | {counts['equal by step']} |"
            f" {counts['chaotic']} | {other} | {largest:.0e} |"
            f" {middle([ratio(row['making']) for row in ran])} |"
            f" {middle([ratio(row['env']) for row in ran])} | {middle(timed)} |"
        )
    return "\n".join(lines)


def main() -> int:
    """Compare what the command line names; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("packages", nargs="*", default=list(REFERENCES))
    parser.add_argument("--folder", type=Path, default=Path("build/packages"))
    parser.add_argument("--reference", action="append", help="a version; may be repeated")
    parser.add_argument("--says", help="the version that Condyle tells")
    parser.add_argument(
        "--newest", action="store_true", help=f"compare with {NEWEST}, by its rules"
    )
    parser.add_argument("--only", default="", help="tasks whose name matches")
    parser.add_argument("--rounds", type=int, default=0, help="rounds of timing the engines")
    parser.add_argument("--explain", action="store_true", help="which arrays differ")
    parser.add_argument("--json", type=Path, help="write all results there")
    options = parser.parse_args()

    results = []
    start = time.monotonic()
    for package in options.packages:
        versions = [NEWEST] if options.newest else options.reference or REFERENCES[package]
        says = NEWEST if options.newest else options.says or SAYS.get(package, versions[0])
        workers = [Worker("condyle", says, options.folder)]
        workers += [Worker("mujoco", version, options.folder) for version in versions]
        try:
            for name in workers[0]("names", package):
                if not re.search(options.only, name):
                    continue
                if options.explain:
                    explain(package, name, workers)
                result = compare_task(package, name, workers, options.rounds)
                if options.newest and known(result):
                    result |= {"verdict": "known", "reason": known(result)}
                results.append(result)
                print(show(result), flush=True)
        finally:
            for worker in workers:
                worker.stop()
        if options.json:
            options.json.write_text(json.dumps(results, indent=1))
    print()
    print(summary(results))
    print(f"{time.monotonic() - start:.0f} s")
    return int(any(result["verdict"] in ("fails", "differs") for result in results))


if __name__ == "__main__":
    sys.exit(main())
