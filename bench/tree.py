"""Prints a model of one kinematic tree with N dofs: hinges, slides and balls, tendons, actuators, damping.   usage: tree.py N"""

import random
import sys

random.seed(7)
dofs = int(sys.argv[1])
children, joints, sites = {0: []}, {}, []
body, left = 0, dofs
while left > 0:
    body += 1
    # mostly chains, now and then a branch
    parent = body - 1 if body < 3 or random.random() < 0.8 else random.randrange(1, body)
    children[body] = []
    children[parent].append(body)
    kind = random.choice(["hinge"] * 6 + ["slide", "ball"]) if left >= 3 else "hinge"
    joints[body] = kind
    left -= 3 if kind == "ball" else 1


def write(b, indent):
    pad = " " * indent
    axis = " ".join(str(random.randint(-2, 2)) for _ in range(2)) + " 3"
    place = f"{random.uniform(-.1, .1):.3f} {random.uniform(-.1, .1):.3f} {random.uniform(.05, .2):.3f}"
    print(f'{pad}<body name="b{b}" pos="{place}" euler="{random.randint(-30, 30)} 10 0">')
    print(f'{pad}  <joint name="j{b}" type="{joints[b]}" axis="{axis}" damping=".1" stiffness=".5" armature=".01"/>')
    print(f'{pad}  <geom type="capsule" size=".03 .05" contype="0" conaffinity="0"/><site name="s{b}" pos=".05 0 .02"/>')
    for child in children[b]:
        write(child, indent + 2)
    print(f"{pad}</body>")


print('<mujoco><option timestep=".001"/><worldbody>')
for b in children[0]:
    write(b, 2)
print("</worldbody><tendon>")
for b in range(4, body + 1, 5):
    print(f'  <spatial name="t{b}" stiffness="1" damping=".1"><site site="s{b - 3}"/><site site="s{b}"/></spatial>')
print("</tendon><actuator>")
for b in range(1, body + 1):
    if joints[b] != "ball":
        print(f'  <position joint="j{b}" kp="1"/>')
for b in range(4, body + 1, 5):
    print(f'  <motor tendon="t{b}"/>')
print("</actuator></mujoco>")
