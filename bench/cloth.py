#!/usr/bin/env python3
"""Time of a step of a cloth for each of its vertices, of which there are more and more, and its energy.

    cloth.py DIR        DIR holds cloth.c built as cloth_condyle and, if the reference is there, cloth_reference

Two cloths: one hangs by one side and resists being stretched; the other resists being bent, too, falls over a ball on a
floor and may touch itself. The reference runs up to 1600 vertices: it would need minutes to load more, and 20 GB."""
import json
import os
import subprocess
import sys

SIDES = (10, 20, 40, 100)  # vertices along a side
SPACING = 0.02  # m
MASS = 1e-4  # kg, of a vertex
MOST_OF_REFERENCE = 40


def model(kind, count):
    side = SPACING * (count - 1)
    hangs = kind == "hang"
    pins = f'<pin gridrange="0 0 0 {count - 1}"/>' if hangs else ""
    contact = ('contype="0" conaffinity="0" selfcollide="none"' if hangs else
               'selfcollide="auto" solref=".01 1"')
    return f"""<mujoco>
  <option timestep=".0005" solver="CG" tolerance="1e-6"/>
  <size memory="1G"/>
  <worldbody>
    <geom type="plane" size="0 0 1"/>
    <geom size="{side / 8}" pos="0 0 {side / 8}"/>
    <flexcomp name="cloth" type="grid" dim="2" count="{count} {count} 1" spacing="{SPACING} {SPACING} {SPACING}" radius=".002"
        mass="{MASS * count * count}" pos="0 0 {side / 4 + .004}">
      {pins}<contact {contact}/>
      <elasticity young="3e4" poisson=".3" thickness=".002" damping=".0005" elastic2d="{"stretch" if hangs else "both"}"/>
    </flexcomp>
  </worldbody>
</mujoco>
"""


def run(program, path, steps):
    out = subprocess.run([program, path, str(steps)], capture_output=True, text=True, check=True)
    return json.loads(out.stdout)


def main(folder):
    print("vertices  cloth    ns/vertex   reference  ratio   energy, J: start         most        least")
    for kind in ("hang", "drape"):
        for count in SIDES:
            path = os.path.join(folder, f"cloth_{kind}_{count}.xml")
            with open(path, "w", encoding="utf-8") as file:
                file.write(model(kind, count))
            steps = max(1000 if kind == "hang" else 100, 400000 // count**2)
            ours = run(os.path.join(folder, "cloth_condyle"), path, steps)
            each = ours["ns"] / count**2
            line = f"{count**2:8}  {kind:5} {each:12.1f}"
            other = os.path.join(folder, "cloth_reference")
            if count <= MOST_OF_REFERENCE and os.path.exists(other):
                theirs = run(other, path, steps)["ns"] / count**2
                line += f"{theirs:12.1f} {theirs / each:6.2f}"
            else:
                line += " " * 19
            print(line + "          " + "".join(f"{x:13.6g}" for x in ours["energy"]), flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
