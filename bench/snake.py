#!/usr/bin/env python3
"""Writes a model: a chain of N hinges that floats and falls on a plane, ten of its links touch.   usage: snake.py N"""
import sys

count = int(sys.argv[1])
print('<mujoco><option timestep=".002"/><worldbody><geom type="plane" size="50 50 1"/>')
print('<body pos="0 0 .2"><freejoint/><geom type="box" size=".05 .05 .02"/>')
for i in range(count):
    touches = "" if i % max(1, count // 10) == 0 else ' contype="0" conaffinity="0"'
    print(f'<body pos=".1 0 0"><joint axis="0 {i % 2} {(i + 1) % 2}" stiffness="50" damping="1"/>'
          f'<geom type="box" size=".03 .03 .03" pos=".05 0 0"{touches}/>')
print("</body>" * (count + 1) + "</worldbody></mujoco>")
