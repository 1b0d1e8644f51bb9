#!/usr/bin/env python3
"""Time of a step of boxes at rest, awake and asleep, without and with a robot that moves among them.

    sleep.py DIR        DIR holds sleep.c built as sleep_condyle and, if the newest reference is there, sleep_reference

The boxes stand in stacks of ten. The robot is a chain of eight hinges that swings on a post."""
import json
import os
import subprocess
import sys

COUNTS = (0, 10, 100, 1000)


def boxes(count):
    text = ""
    for i in range(count):
        stack, level = divmod(i, 10)
        x, y = stack % 10 * .5, stack // 10 * .5
        text += (f'<body pos="{x} {y} {.1 + .2 * level}"><freejoint/>'
                 '<geom type="box" size=".1 .1 .1"/></body>')
    return text


def robot(length=8):
    text = '<body pos="-3 0 3" sleep="never">'
    for i in range(length):
        text += f'<joint axis="0 1 0" damping=".001"/><geom type="capsule" fromto="0 0 0 .2 0 0" size=".03"/>'
        text += '<body pos=".2 0 0">' if i + 1 < length else ''
    return text + '</body>' * length


def model(count, moves):
    return f"""<mujoco>
  <option><flag sleep="enable"/></option>
  <size memory="500M"/>
  <worldbody>
    <geom type="plane" size="0 0 1"/>
    {boxes(count)}{robot() if moves else ''}
  </worldbody>
</mujoco>
"""


def run(program, path):
    out = subprocess.run([program, path], capture_output=True, text=True, check=True)
    return json.loads(out.stdout)


def main(folder):
    print("boxes  robot    asleep        awake     ratio   reference: asleep        awake   of its time")
    for moves in (False, True):
        for count in COUNTS if moves else COUNTS[1:]:
            path = os.path.join(folder, f"sleep_{count}_{int(moves)}.xml")
            with open(path, "w", encoding="utf-8") as file:
                file.write(model(count, moves))
            ours = run(os.path.join(folder, "sleep_condyle"), path)
            line = (f"{count:5}  {'moves' if moves else '':5} {ours['ns_asleep'] / 1e3:8.1f} us "
                    f"{ours['ns_awake'] / 1e3:10.1f} us {ours['ns_awake'] / ours['ns_asleep']:8.1f}")
            reference = os.path.join(folder, "sleep_reference")
            if os.path.exists(reference):
                its = run(reference, path)
                line += (f"            {its['ns_asleep'] / 1e3:8.1f} us {its['ns_awake'] / 1e3:10.1f} us"
                         f"     {ours['ns_asleep'] / its['ns_asleep']:.2f} asleep")
            if count and ours["asleep"] != count:
                line += f"   only {ours['asleep']} sleep"
            print(line, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
