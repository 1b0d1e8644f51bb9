"""Times engines alternately on the models of a folder; prints a table and writes wide.json and wide.md beside the programs.

usage: compare.py DIRECTORY [--only WORD] [--family WORD] [--milliseconds N] [--no-load] [--no-instructions]
                  [--note TEXT] [--into DOCUMENT]

DIRECTORY holds the programs `condyle`, `reference-VERSION`... and models/FAMILY.../NAME/model.xml. Ratios are reference / ours: above
1 ours is faster. Times are of the stepping thread's processor, the best of three alternating rounds for each starting state; loading is
by the clock on the wall, cold in a fresh process (best of three) and warm for the second time in it.
"""

import argparse
import json
import math
import pathlib
import re
import subprocess
import sys

ROUNDS = 3
MARKS = "<!-- table of make bench-wide -->", "<!-- end of the table -->"
SMALL = 12  # dofs up to which instructions are counted
COUNTED_STEPS = 50
OURS = "condyle"


def call(*command, timeout=300):
    """The line of JSON that a program prints, or the reason why it has none."""
    try:
        result = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        return "takes too long"
    if result.returncode:
        return (result.stderr.strip() or f"ends with status {result.returncode}").splitlines()[0]
    return json.loads(result.stdout.splitlines()[-1])  # warnings come before


def mean(values):
    return math.exp(sum(math.log(value) for value in values) / len(values)) if values else math.nan


def time_steps(directory, engines, model, milliseconds):
    """Nanoseconds per step by engine, and what was stepped; or a reason and the engine that has it."""
    states = directory / "states"
    for engine in (*engines[1:], engines[0]):  # whichever loads it writes the states
        if not isinstance(call(directory / engine, "states", model, states), str):
            break
    trial = {engine: call(directory / engine, "step", model, states, 10, 1) for engine in engines}
    refused = [f"{engine}: {run}" for engine, run in trial.items() if isinstance(run, str)]
    if refused:
        return "; ".join(refused)
    nanoseconds = sum(trial[engines[-1]]["ns"])
    steps = round(min(max(milliseconds * 1e6 / nanoseconds, 10), 300))
    runs = {engine: [] for engine in engines}
    for _ in range(ROUNDS):
        for engine in engines:
            runs[engine].append(call(directory / engine, "step", model, states, steps, 3))
    best = {}
    for engine, rounds in runs.items():
        times = [min(state) for state in zip(*(run["ns"] for run in rounds), strict=True)]
        best[engine] = {**rounds[0], "ns": sum(times) / len(times)}
    return best


def count_instructions(directory, engine, model):
    """Instructions of a step inside mj_step, from the states that were timed last."""
    out = directory / "callgrind.out"
    run = call("valgrind", "--tool=callgrind", "--toggle-collect=mj_step", f"--callgrind-out-file={out}",
               directory / engine, "step", model, directory / "states", COUNTED_STEPS, 1)
    if isinstance(run, str):
        return None
    total = re.search(r"^(?:summary|totals): (\d+)", out.read_text(), re.MULTILINE)
    return int(total.group(1)) / run["steps"] if total else None


def time_loads(directory, engines, model):
    runs = {engine: [] for engine in engines}
    for _ in range(ROUNDS):
        for engine in engines:
            runs[engine].append(call(directory / engine, "load", model))
    return {engine: {key: min(run[key] for run in rounds) for key in ("cold", "warm")} for engine, rounds in runs.items()}


def kinds_of(engines):
    """(key, title, how a row gives it): the columns of ratios, newest release last."""
    for engine in engines[1:]:
        version = engine.removeprefix("reference-")
        yield f"step {version}", lambda row, e=engine: row["ns"][e] / row["ns"][OURS]
    newest = engines[-1]
    yield "cold load", lambda row: row["cold"][newest] / row["cold"][OURS] if "cold" in row else None
    yield "warm load", lambda row: row["warm"][newest] / row["warm"][OURS] if "warm" in row else None
    yield "instructions", lambda row: row["instructions"][OURS] / row["instructions"][newest] if "instructions" in row else None


def report(rows, engines, note):
    """Markdown: means by family, then every model."""
    kinds = list(kinds_of(engines))
    newest = next(name for name, _ in reversed(kinds) if name.startswith("step"))
    lines = [*([note, ""] if note else []), f"| family | models | {' | '.join(name for name, _ in kinds)} | lowest {newest} |",
             "|---|" + "--:|" * (len(kinds) + 2)]
    step = dict(kinds)[newest]
    for family in [*dict.fromkeys(row["family"] for row in rows), "all"]:
        group = [row for row in rows if family in (row["family"], "all")]
        means = [mean([value for row in group if (value := get(row))]) for _, get in kinds]
        cells = " | ".join("" if math.isnan(value) else f"{value:.2f}" for value in means)
        lowest = min(group, key=step)
        lines.append(f"| {family} | {len(group)} | {cells} | {step(lowest):.2f} {lowest['name']} |")
    lines += ["", f"| model | dofs | rows | ns | {' | '.join(name for name, _ in kinds)} |", "|---|" + "--:|" * (len(kinds) + 3)]
    for row in rows:
        cells = " | ".join("" if (value := get(row)) is None else f"{value:.2f}" for _, get in kinds)
        lines.append(f"| {row['family']}/{row['name']} | {row['nv']} | {row['rows']:.1f} | {row['ns'][OURS]:.0f} | {cells} |")
    return "\n".join(lines) + "\n"


def replace_table(document, text):
    """Writes the tables between the marks of a document."""
    before, _, rest = document.read_text().partition(MARKS[0])
    _, _, after = rest.partition(MARKS[1])
    document.write_text(f"{before}{MARKS[0]}\n{text}{MARKS[1]}{after}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--only", default="", help="a regular expression of model names")
    parser.add_argument("--family", default="", help="a regular expression of families")
    parser.add_argument("--milliseconds", type=float, default=20, help="of a round's steps")
    parser.add_argument("--no-load", action="store_true")
    parser.add_argument("--no-instructions", action="store_true")
    parser.add_argument("--note", default="", help="machine and load, above the tables")
    parser.add_argument("--into", type=pathlib.Path, help="a document whose tables are replaced")
    options = parser.parse_args()
    directory = options.directory.resolve()
    engines = [OURS, *sorted(path.name for path in directory.glob("reference-*") if path.is_file())]
    rows, refused = [], []
    columns = "".join(f"{engine.removeprefix('reference-'):>12}" for engine in engines)
    print(f"{'model':44} {'dofs':>4} {'rows':>6}{columns}   ratios of steps; of loads, cold and warm; part of instructions")
    for file in sorted(directory.glob("models/**/model.xml")):
        family, name = str(file.parent.parent.relative_to(directory / "models")), file.parent.name
        if not (re.search(options.only, name) and re.search(options.family, family)):
            continue
        best = time_steps(directory, engines, file, options.milliseconds)
        if isinstance(best, str):
            refused.append(f"{family}/{name}: {best}")
            print(f"{family + '/' + name:44} {best}", flush=True)
            continue
        facts = {key: value for key, value in best[OURS].items() if key != "ns"}
        row = {"family": family, "name": name, **facts, "ns": {engine: run["ns"] for engine, run in best.items()}}
        if not options.no_load:
            loads = time_loads(directory, engines, file)
            row |= {key: {engine: run[key] for engine, run in loads.items()} for key in ("cold", "warm")}
        if row["nv"] <= SMALL and not options.no_instructions:
            counts = {engine: count_instructions(directory, engine, file) for engine in engines}
            if all(counts.values()):
                row["instructions"] = counts
        rows.append(row)
        values = "".join("        " if (value := get(row)) is None else f"{value:8.2f}" for _, get in kinds_of(engines))
        times = "".join(f"{row['ns'][engine]:12.0f}" for engine in engines)
        warned = f"  {row['warnings']} warnings" if row["warnings"] else ""
        print(f"{family + '/' + name:44} {row['nv']:4} {row['rows']:6.1f}{times} {values}{warned}", flush=True)
        (directory / "wide.json").write_text(json.dumps({"models": rows, "refused": refused}, indent=1) + "\n")
    if not rows:
        sys.exit("no model was timed")
    text = report(rows, engines, options.note)
    (directory / "wide.md").write_text(text)
    if options.into:
        replace_table(options.into, text)
    print("\n" + text.split("\n\n| model")[0])
    for line in refused:
        print("left out:", line)


if __name__ == "__main__":
    main()
