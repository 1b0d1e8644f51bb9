"""Records cameras without a scene, as the newest reference computes them.

usage: python3 record.py        (needs the Python package mujoco==4.0.0; writes cameras.txt beside this file)

A line is a case: what the camera is, then its frame, frustum and eye, then where each action of the mouse has moved it.
tests/view/recorded_test.c reads the cameras from here, too.
"""

import pathlib
import re

import mujoco
import numpy

HERE = pathlib.Path(__file__).parent
CASES = 18
ACTIONS = range(1, 10)


def model(orthographic):
    """The model of tests/view/view_model.h."""
    text = (HERE.parents[1] / "view/view_model.h").read_text()
    xml = "".join(re.findall(r'"([^"]*)"', text[text.index("<mujoco>") - 1:]))
    return mujoco.MjModel.from_xml_string(xml.replace("orthographic=''", f"orthographic='{orthographic}'"))


def words(*values):
    return " ".join(f"{x:.12g}" for v in values for x in numpy.ravel(v))


def state(camera):
    return words(camera.lookat, camera.distance, camera.azimuth, camera.elevation)


def case(out, m, d, random, number):
    def camera():
        c = mujoco.MjvCamera()
        c.type, c.fixedcamid, c.trackbodyid, c.orthographic = kind
        c.lookat, c.distance, c.azimuth, c.elevation = numbers[:3], numbers[3], numbers[4], numbers[5]
        return c

    kind = (number % 3, number // 3 % m.ncam, number // 3 % (m.nbody + 1) - 1, number // 6 % 2)
    numbers = random.uniform(-1, 1, 8) * [1, 1, 1, 1.5, 180, 89, 1, 1] + [0, 0, 0, 2, 0, 0, 0, 0]
    numbers = numpy.round(numbers, 6)
    print("camera", *kind, words(numbers), file=out)
    frame = numpy.zeros((4, 3))
    sides = numpy.zeros((3, 2), numpy.float32)
    mujoco.mjv_cameraFrame(*frame, d, camera())
    mujoco.mjv_cameraFrustum(*sides, m, camera())
    print("frame", words(frame), file=out)
    print("frustum", words(sides), file=out)
    eye = mujoco.mjv_camera2GLCamera(m, d, camera())
    print("eye", words(eye.pos, eye.forward, eye.up, eye.frustum_center, eye.frustum_width, eye.frustum_bottom,
                       eye.frustum_top, eye.frustum_near, eye.frustum_far, eye.orthographic), file=out)
    for action in ACTIONS:
        moved = camera()
        mujoco.mjv_moveCamera(m, action, numbers[6], numbers[7], moved)
        print("move", action, state(moved), file=out)


def main():
    assert mujoco.__version__ == "4.0.0", mujoco.__version__
    random = numpy.random.default_rng(1)
    with open(HERE / "cameras.txt", "w") as out:
        for orthographic in ("false", "true"):
            m = model(orthographic)
            d = mujoco.MjData(m)
            mujoco.mj_forward(m, d)
            print("model", orthographic, file=out)
            for number in range(CASES):
                case(out, m, d, random, number)


if __name__ == "__main__":
    main()
