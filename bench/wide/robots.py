"""Writes robots of meshes like those that people use, each into a folder of its own.   usage: robots.py DIRECTORY

biped       29 dofs and a free base, 64 convex shells of 50 to 300 vertices in meshes of four times as many faces; links of one joint
            each at hips, waist and shoulders, so that shells of neighbours nearly touch and many pairs are near and apart
arm         seven axes and a gripper of meshes around a part that lies between its fingers, elliptic cones
quadruped   twelve motors on a height field, trunk and legs of meshes
*_pgs       the same with the PGS solver
*_noslip    the same with no-slip iterations
hand_*      a hand of capsules with a forearm, 30 dofs, and a pen, with twenty no-slip iterations

The same bytes every time: shapes and terrain come from a generator of random numbers of its own.
"""

import itertools
import math
import pathlib
import struct
import sys


class Noise:
    """Numbers in (-1, 1), the same on every machine."""

    def __init__(self, seed):
        self.state = seed

    def __call__(self):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) / 2**30 - 1


def power(x, exponent):
    return math.copysign(abs(x) ** exponent, x)


def shell(half, rings, sectors, corner, taper, noise):
    """Vertices and faces of a rounded block with its long axis along z: a superellipsoid, narrower at one end, slightly uneven.

    Every face is split in four around points that lie a little inside, as panels and ribs of real parts do: the hull is the coarse
    shape's, the mesh has four times its faces.
    """
    def point(ring, sector):
        latitude, longitude = math.pi * (ring / rings - 0.5), 2 * math.pi * sector / sectors
        x, y = (power(math.cos(latitude), corner) * power(f(longitude), corner) for f in (math.cos, math.sin))
        z = power(math.sin(latitude), corner)
        scale = (1 - taper * z) * (1 + 0.004 * noise())
        return half[0] * x * scale, half[1] * y * scale, half[2] * z

    vertices = [point(0, 0)]
    for ring in range(1, rings):
        vertices += [point(ring, sector) for sector in range(sectors)]
    vertices.append(point(rings, 0))
    last = len(vertices) - 1

    def index(ring, sector):
        return 0 if ring == 0 else last if ring == rings else 1 + (ring - 1) * sectors + sector % sectors

    coarse = []
    for ring, sector in itertools.product(range(rings), range(sectors)):
        a, b, c, d = index(ring, sector), index(ring, sector + 1), index(ring + 1, sector + 1), index(ring + 1, sector)
        coarse += [face for face in ((a, b, c), (a, c, d)) if len(set(face)) == 3]
    middles, faces = {}, []

    def middle(i, j):
        key = min(i, j), max(i, j)
        if key not in middles:
            middles[key] = len(vertices)
            vertices.append(tuple(0.487 * (p + q) for p, q in zip(vertices[i], vertices[j], strict=True)))
        return middles[key]

    for a, b, c in coarse:
        ab, bc, ca = middle(a, b), middle(b, c), middle(c, a)
        faces += [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
    return vertices, faces


def write_stl(path, vertices, faces):
    data = bytearray(80) + struct.pack("<I", len(faces))
    for face in faces:
        data += struct.pack("<12fH", 0, 0, 0, *itertools.chain(*(vertices[i] for i in face)), 0)
    path.write_bytes(data)


def write_obj(path, vertices, faces):
    lines = ["v " + " ".join(f"{x:.6f}" for x in vertex) for vertex in vertices]
    lines += ["f " + " ".join(str(i + 1) for i in face) for face in faces]
    path.write_text("\n".join(lines) + "\n")


def numbers(values):
    return " ".join(f"{value:.6g}" for value in values)


class Robot:
    """Collects meshes, joints and actuators while bodies are written."""

    def __init__(self, folder, seed, size=1):
        self.folder, self.noise, self.size = folder, Noise(seed), size
        self.meshes, self.joints, self.names = [], [], itertools.count()
        folder.mkdir(parents=True, exist_ok=True)

    def mesh(self, place, half, rings=9, sectors=12, corner=0.55, taper=0.08, more=""):
        """A geom of a new mesh. Of the vertices (rings - 1) * sectors + 2 are on its hull."""
        name = f"part_{next(self.names):02}"
        write, suffix = (write_stl, "stl") if len(self.meshes) % 2 else (write_obj, "obj")
        write(self.folder / f"{name}.{suffix}", *shell([self.size * x for x in half], rings, sectors, corner, taper, self.noise))
        self.meshes.append(f'<mesh name="{name}" file="{name}.{suffix}"/>')
        return f'<geom mesh="{name}" pos="{numbers(place)}" {more}/>'

    def link(self, name, place, axis, span, strength, geoms, children=(), kind="hinge"):
        """A body that turns about one axis within a span of degrees, or slides within one of metres."""
        self.joints.append((name, strength))
        return (f'<body name="{name}" pos="{numbers(place)}"><joint name="{name}" type="{kind}" axis="{axis}" range="{numbers(span)}"/>'
                f'{"".join(geoms)}{"".join(children)}</body>')

    def write(self, option, defaults, world, tail=""):
        actuators = "".join(f'<position joint="{name}" kp="{strength}" forcerange="-{strength * 2} {strength * 2}"/>'
                            for name, strength in self.joints)
        text = f"""<mujoco model="{self.folder.name}">
  <option {option}/>
  <default><joint damping="1" armature="0.02" frictionloss="0.1"/><geom type="mesh" density="700"/>
    <position inheritrange="1" dampratio="1"/>{defaults}</default>
  <asset>{"".join(self.meshes)}</asset>
  <worldbody><light pos="0 0 4"/>{world}</worldbody>
  <actuator>{actuators}</actuator>
  {tail}
</mujoco>
"""
        (self.folder / "model.xml").write_text(text)
        return text


def biped(folder):
    robot = Robot(folder, 1, 1.26)
    part = robot.mesh

    def leg(side):
        y = 0.09 * side
        foot = [part((0.03, 0, -0.035), (0.1, 0.042, 0.022), 11, 16, 0.35, 0), part((-0.04, 0, -0.008), (0.04, 0.035, 0.02), 7, 10),
                part((0.1, 0, -0.028), (0.035, 0.04, 0.016), 7, 12)]
        roll = robot.link(f"ankle_roll_{side}", (0, 0, -0.03), "1 0 0", (-25, 25), 400, foot)
        ankle = [part((0, 0, -0.004), (0.03, 0.03, 0.022), 8, 12), part((-0.03, 0, 0), (0.012, 0.024, 0.02), 6, 10)]
        pitch = robot.link(f"ankle_{side}", (0, 0, -0.34), "0 1 0", (-50, 35), 400, ankle, [roll])
        shank = [part((0.012, 0, -0.1), (0.045, 0.043, 0.095), 13, 22, 0.6, -0.15), part((-0.02, 0, -0.2), (0.028, 0.034, 0.1), 11, 18),
                 part((0, 0, -0.295), (0.026, 0.03, 0.03), 8, 12)]
        knee = robot.link(f"knee_{side}", (0, 0, -0.31), "0 1 0", (-5, 140), 400, shank, [pitch])
        thigh = [part((0.015, 0.01 * side, -0.09), (0.055, 0.05, 0.085), 14, 21, 0.6, -0.1), part((0, 0, -0.2), (0.043, 0.042, 0.075), 12, 20),
                 part((0, 0.03 * side, -0.28), (0.03, 0.018, 0.045), 9, 12)]
        yaw = robot.link(f"hip_yaw_{side}", (0, 0, -0.06), "0 0 1", (-50, 50), 80, thigh, [knee])
        hip = [part((0, 0, -0.01), (0.04, 0.045, 0.038), 10, 16), part((-0.045, 0, 0), (0.014, 0.035, 0.035), 7, 12)]
        roll = robot.link(f"hip_roll_{side}", (0, 0.03 * side, -0.03), "1 0 0", (-30, 30), 400, hip, [yaw])
        hip = [part((0, 0, 0), (0.045, 0.028, 0.045), 10, 16), part((0, 0.03 * side, 0.03), (0.03, 0.012, 0.03), 7, 12)]
        return robot.link(f"hip_{side}", (0, y - 0.03 * side, -0.08), "0 1 0", (-110, 50), 400, hip, [roll])

    def arm(side):
        hand = [part((0.045, 0, 0), (0.045, 0.014, 0.036), 10, 16, 0.5), part((0.03, 0.004, 0.042), (0.03, 0.012, 0.012), 7, 10),
                part((0.105, 0, 0), (0.03, 0.011, 0.03), 8, 14)]
        wrist = robot.link(f"wrist_yaw_{side}", (0.035, 0, 0), "0 0 1", (-70, 70), 15, hand)
        wrist = robot.link(f"wrist_{side}", (0.035, 0, 0), "0 1 0", (-70, 70), 15, [part((0, 0, 0), (0.021, 0.023, 0.023), 7, 10)], [wrist])
        wrist = robot.link(f"wrist_roll_{side}", (0.12, 0, 0), "1 0 0", (-100, 100), 15, [part((0.005, 0, 0), (0.02, 0.026, 0.026), 7, 12)], [wrist])
        lower = [part((0.055, 0, 0), (0.055, 0.032, 0.034), 11, 20), part((0.03, 0, 0.03), (0.03, 0.02, 0.01), 6, 10)]
        elbow = robot.link(f"elbow_{side}", (0.015, 0, -0.11), "0 1 0", (-60, 100), 40, lower, [wrist])
        upper = [part((0, 0, -0.045), (0.036, 0.037, 0.055), 11, 20), part((0.005, 0, -0.1), (0.03, 0.034, 0.028), 8, 14)]
        yaw = robot.link(f"shoulder_yaw_{side}", (0, 0, -0.075), "0 0 1", (-120, 120), 40, upper, [elbow])
        roll = robot.link(f"shoulder_roll_{side}", (0, 0.045 * side, 0), "1 0 0", (-100, 100), 50,
                          [part((0, 0.01 * side, -0.02), (0.037, 0.036, 0.045), 9, 16)], [yaw])
        return robot.link(f"shoulder_{side}", (0, 0.135 * side, 0.24), "0 1 0", (-150, 120), 50, [part((0, 0, 0), (0.036, 0.03, 0.036), 9, 14)], [roll])

    chest = [part((0, 0, 0.16), (0.075, 0.1, 0.105), 15, 21, 0.5, 0), part((0.06, 0, 0.17), (0.03, 0.07, 0.07), 11, 16), part((-0.07, 0, 0.15), (0.03, 0.08, 0.09), 11, 16),
             part((0, 0, 0.3), (0.035, 0.035, 0.03), 8, 12), part((0.01, 0, 0.39), (0.075, 0.065, 0.075), 14, 20, 0.8, 0), part((0.07, 0, 0.4), (0.02, 0.05, 0.03), 8, 12),
             part((0, 0, 0.05), (0.055, 0.075, 0.025), 9, 14)]
    top = robot.link("waist", (0, 0, 0.04), "0 1 0", (-30, 60), 150, chest, [arm(1), arm(-1)])
    top = robot.link("waist_roll", (0, 0, 0.03), "1 0 0", (-25, 25), 150, [part((0, 0, 0.005), (0.05, 0.055, 0.024), 8, 14)], [top])
    top = robot.link("waist_yaw", (0, 0, 0.05), "0 0 1", (-120, 120), 150, [part((0, 0, 0), (0.055, 0.055, 0.022), 8, 16)], [top])
    hull = [part((0, 0, -0.01), (0.06, 0.065, 0.045), 11, 18), part((-0.055, 0, -0.02), (0.025, 0.05, 0.05), 9, 14), part((0.05, 0, -0.01), (0.02, 0.045, 0.035), 8, 12)]
    body = f'<body name="pelvis" pos="0 0 0.91"><freejoint/>{"".join(hull)}{top}{leg(1)}{leg(-1)}</body>'
    return robot.write('timestep="0.002" integrator="implicitfast"', "", f'<geom type="plane" size="0 0 0.05"/>{body}')


def arm(folder):
    robot = Robot(folder, 2)
    part = robot.mesh
    fingers = "".join(robot.link(f"finger_{side}", (0, 0.032 * side, 0.075), f"0 {side} 0", (-0.03, 0.03), 400,
                                 [part((0, 0.008 * side, 0.02), (0.011, 0.008, 0.028), 8, 12, 0.3, 0), part((0, 0.008 * side, 0.048), (0.009, 0.006, 0.01), 7, 12, 0.3, 0)],
                                 kind="slide") for side in (1, -1))
    gripper = [part((0, 0, 0.035), (0.03, 0.1, 0.032), 12, 20, 0.4, 0), part((0, 0, 0.005), (0.042, 0.042, 0.014), 8, 20)]
    axes = (("0 0 1", 166, (0, 0, 0.333)), ("0 1 0", 101, (0, 0, 0)), ("0 0 1", 166, (0, 0, 0.316)), ("0 1 0", 176, (0.0825, 0, 0)),
            ("0 0 1", 166, (-0.0825, 0, 0.384)), ("0 1 0", 215, (0, 0, 0)), ("0 0 -1", 166, (-0.088, 0, 0.107)))
    parts = [[part((0, 0, -0.07), (0.06, 0.06, 0.08), 12, 22), part((0, -0.03, -0.005), (0.055, 0.06, 0.055), 10, 20)],
             [part((0, 0, 0.05), (0.055, 0.055, 0.07), 12, 22), part((0, 0.03, 0.01), (0.055, 0.03, 0.055), 10, 16)],
             [part((0.03, 0, -0.06), (0.055, 0.055, 0.07), 12, 22), part((0.07, 0, -0.01), (0.045, 0.06, 0.045), 10, 18)],
             [part((-0.04, 0, 0.05), (0.05, 0.055, 0.065), 12, 22), part((-0.08, 0, 0.1), (0.045, 0.05, 0.05), 10, 18)],
             [part((0, 0, -0.22), (0.05, 0.05, 0.08), 12, 22), part((0, 0.05, -0.11), (0.035, 0.03, 0.1), 10, 16), part((0, 0.01, -0.02), (0.045, 0.05, 0.05), 10, 18)],
             [part((-0.04, 0, 0), (0.06, 0.045, 0.045), 11, 20), part((-0.088, 0, 0.03), (0.04, 0.04, 0.045), 9, 16)],
             [part((0, 0, -0.03), (0.045, 0.045, 0.025), 9, 20)]]
    body = f'<body name="gripper" pos="0 0 0.02">{"".join(gripper)}{fingers}</body>'
    joints, robot.joints = robot.joints, []
    for i, (axis, span, place) in reversed(list(enumerate(axes))):
        low = 5 if i in (3, 5) else -span
        body = robot.link(f"axis_{i + 1}", place, axis, (low, span), 2000 if i < 4 else 500, parts[i], [body])
    robot.joints = robot.joints[::-1] + joints
    base = part((-0.03, 0, 0.07), (0.1, 0.08, 0.075), 12, 20)
    held = part((0, 0, 0), (0.016, 0.019, 0.03), 10, 16, 0.3, 0, 'mass="0.1"')
    world = f"""<geom type="plane" size="2 2 0.1"/><body name="base">{base}{body}</body>
      <geom type="box" size="0.25 0.4 0.1" pos="0.55 0 0.1"/>
      <body name="held" pos="0.5545 0 0.4985"><freejoint/>{held}</body>"""
    pose = (0, 0, 0, 1.57079, 0, 1.57079, 0)
    control = numbers((*pose, -0.02, -0.02))
    key = f'<keyframe><key name="hold" qpos="{numbers((*pose, -0.0135, -0.0135, 0.5545, 0, 0.4985, 1, 0, 0, 0))}" ctrl="{control}"/></keyframe>'
    return robot.write('timestep="0.002" integrator="implicitfast" cone="elliptic" impratio="10"', "", world, key)


def quadruped(folder):
    robot = Robot(folder, 3)
    part = robot.mesh

    def leg(x, y):
        side = 1 if y > 0 else -1
        name = f"{'front' if x > 0 else 'rear'}_{'left' if y > 0 else 'right'}"
        shank = [part((0.005, 0, -0.09), (0.014, 0.012, 0.095), 11, 12, 0.7, -0.2),
                 '<geom type="sphere" size="0.022" pos="0 0 -0.2" friction="0.9" condim="6"/>']
        knee = robot.link(f"{name}_knee", (0, 0, -0.2), "0 1 0", (-155, -50), 40, shank)
        thigh = [part((0, 0, -0.09), (0.026, 0.018, 0.1), 12, 18), part((0, 0.02 * side, -0.01), (0.04, 0.016, 0.04), 9, 16)]
        hip = robot.link(f"{name}_thigh", (0, 0.08 * side, 0), "0 1 0", (-40, 200), 40, thigh, [knee])
        return robot.link(f"{name}_hip", (x, y, 0), "1 0 0", (-50, 50), 40, [part((0, 0.035 * side, 0), (0.042, 0.032, 0.042), 9, 18)], [hip])

    trunk = [part((0, 0, 0), (0.19, 0.075, 0.055), 15, 21, 0.4, 0), part((0.2, 0, 0.01), (0.05, 0.05, 0.045), 10, 16), part((-0.19, 0, 0), (0.04, 0.06, 0.045), 10, 14),
             part((0, 0, 0.06), (0.1, 0.04, 0.02), 9, 14)]
    size = 64
    noise = Noise(4)
    waves = [(3 * noise(), 3 * noise(), math.pi * noise()) for _ in range(8)]
    heights = [[sum(math.sin(a * i / 3 + b * j / 3 + c) for a, b, c in waves) + 0.6 * noise() for j in range(size)] for i in range(size)]
    low = min(map(min, heights))
    top = max(map(max, heights))
    elevation = " ".join(f"{(value - low) / (top - low):.3f}" for row in heights for value in row)
    robot.meshes.append(f'<hfield name="ground" nrow="{size}" ncol="{size}" size="4 4 0.12 0.1" elevation="{elevation}"/>')
    legs = [leg(x, y) for x in (0.19, -0.19) for y in (0.047, -0.047)]
    body = f'<body name="trunk" pos="0 0 0.42"><freejoint/>{"".join(trunk)}{"".join(legs)}</body>'
    pose = (0, 0.9, -1.8) * 4
    order = [name for name, _ in robot.joints]  # actuators are in the order that links were made: knees first
    values = [{"knee": -1.8, "thigh": 0.9, "hip": 0}[name.rsplit("_", 1)[1]] for name in order]
    key = f'<keyframe><key name="stand" qpos="0 0 0.42 1 0 0 0 {numbers(pose)}" ctrl="{numbers(values)}"/></keyframe>'
    return robot.write('timestep="0.002" integrator="implicitfast" cone="elliptic" impratio="100"', "",
                       f'<geom type="hfield" hfield="ground"/>{body}', key)


def hand(folder):
    robot = Robot(folder, 5)

    def capsule(length, radius, more=""):
        return f'<geom type="capsule" size="{radius}" fromto="0 0 0 0 0 {length}" {more}/>'

    def finger(name, x, height, metacarpal):
        tip = robot.link(f"{name}_distal", (0, 0, 0.025), "1 0 0", (0, 90), 1, [capsule(0.022, 0.0075)])
        middle = robot.link(f"{name}_middle", (0, 0, 0.045), "1 0 0", (0, 90), 1, [capsule(0.025, 0.008)], [tip])
        proximal = robot.link(f"{name}_proximal", (0, 0, 0), "1 0 0", (-5, 90), 1, [capsule(0.045, 0.01)], [middle])
        knuckle = robot.link(f"{name}_knuckle", (x, 0, height), "0 1 0", (-25, 25), 1, [], [proximal])
        knuckle = knuckle.replace("<joint", '<inertial pos="0 0 0" mass="0.008" diaginertia="2e-6 2e-6 2e-6"/><joint', 1)
        if not metacarpal:
            return knuckle
        return robot.link(f"{name}_metacarpal", (x, 0, 0.02), "0.57 0 0.82", (0, 40), 1, [capsule(0.045, 0.009)],
                          [knuckle.replace(f'pos="{numbers((x, 0, height))}"', f'pos="0 0 {numbers((height - 0.02,))}"', 1)])

    massless = '<inertial pos="0 0 0" mass="0.008" diaginertia="2e-6 2e-6 2e-6"/><joint'
    tip = robot.link("thumb_distal", (0, 0, 0.032), "0 1 0", (-90, 0), 1, [capsule(0.026, 0.009)])
    hub = robot.link("thumb_hub", (0, 0, 0), "1 0 0", (-30, 30), 1, [capsule(0.032, 0.01)], [tip])
    hub = robot.link("thumb_middle", (0, 0, 0.038), "0 1 0", (-12, 12), 1, [], [hub]).replace("<joint", massless, 1)
    hub = robot.link("thumb_proximal", (0, 0, 0), "1 0 0", (0, 70), 1, [capsule(0.038, 0.012)], [hub])
    thumb = robot.link("thumb_base", (0.034, 0.01, 0.029), "0 0 -1", (-60, 60), 1, [], [hub]).replace("<joint", massless, 1)
    thumb = thumb.replace("<body ", '<body euler="0 50 0" ', 1)
    fingers = [finger(name, x, height, name == "little") for name, x, height in
               (("first", 0.033, 0.095), ("middle", 0.011, 0.099), ("ring", -0.011, 0.095), ("little", -0.033, 0.087))]
    palm = ['<geom type="box" size="0.042 0.0111 0.044" pos="0 0 0.043"/>']
    wrist = robot.link("wrist_flexion", (0, 0, 0.01), "1 0 0", (-45, 35), 8, palm, [*fingers, thumb])
    wrist = robot.link("wrist_deviation", (0, 0, 0.25), "0 1 0", (-30, 10), 8, [capsule(0.01, 0.015)], [wrist])
    forearm = [capsule(0.22, 0.035)]
    for i, (kind, axis, span) in enumerate((("hinge", "0 0 1", (-40, 40)), ("hinge", "0 1 0", (-40, 40)), ("hinge", "1 0 0", (-40, 40)),
                                            ("slide", "0 0 1", (-0.2, 0.2)), ("slide", "0 1 0", (-0.2, 0.2)), ("slide", "1 0 0", (-0.2, 0.2)))):
        base = 'euler="-90 0 0" pos="0 -0.35 0.25"' if i == 5 else ""
        wrist = robot.link(f"base_{i}", (0, 0, 0), axis, span, 2000, forearm if i == 0 else [], [wrist], kind)
        if i:
            wrist = wrist.replace("<joint", '<inertial pos="0 0 0" mass="0.1" diaginertia="1e-3 1e-3 1e-3"/><joint', 1)
        if base:
            wrist = wrist.replace('pos="0 0 0"', base, 1)
    pen = '<geom type="capsule" size="0.012 0.07" mass="0.05"/><geom type="cylinder" size="0.014 0.01" pos="0 0 0.06" mass="0.005"/>'
    world = f'<geom type="plane" size="2 2 0.1"/>{wrist}<body name="pen" pos="0 -0.01 0.275" euler="0 90 0"><freejoint/>{pen}</body>'
    apart = [("wrist_flexion", f"{name}_proximal") for name in ("first", "middle", "ring", "little", "thumb")]
    apart += [("wrist_flexion", "thumb_hub"), ("thumb_proximal", "thumb_hub"), ("little_proximal", "little_metacarpal")]
    excludes = "".join(f'<exclude body1="{a}" body2="{b}"/>' for a, b in apart)
    curled = numbers(0.7 if name.endswith(("proximal", "middle", "distal")) and "thumb" not in name else 0 for name, _ in robot.joints)
    return robot.write('timestep="0.002" cone="elliptic" noslip_iterations="20"', "", world,
                       f'<contact>{excludes}</contact><keyframe><key name="grasp" ctrl="{curled}"/></keyframe>')


def variant(folder, name, text, change):
    """The same robot in a folder of its own, with another option; meshes are those of the first."""
    out = folder.with_name(f"{folder.name}_{name}")
    out.mkdir(exist_ok=True)
    text = text.replace("<option ", f"<option {change} ", 1)
    (out / "model.xml").write_text(text.replace('file="', f'file="../{folder.name}/'))


def main():
    out = pathlib.Path(sys.argv[1])
    for make in (biped, arm, quadruped):
        folder = out / make.__name__
        text = make(folder)
        variant(folder, "pgs", text, 'solver="PGS"')
        variant(folder, "noslip", text, 'noslip_iterations="5"')
    hand(out / "hand_noslip")


if __name__ == "__main__":
    main()
