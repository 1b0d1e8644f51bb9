"""Records what the reference engine computes for models/*.xml, for machines without it.

usage: python3 record.py        (needs the Python package mujoco==3.3.7; writes arrays.txt beside this file)

For each model: every array of the compiled model, every array of the data in a random state, and the state 100 steps later.
An array is recorded as its name, its length and its elements, n*x for n equal ones in a row; of the pixels of textures there
are the first ones only. tests/acceptance/recorded_test.c makes the same states and compares.
"""

import itertools
import pathlib

import mujoco
import numpy

HERE = pathlib.Path(__file__).parent
MODELS = HERE.parents[2] / "models"
STEPS = 100
MOST_PIXELS = 200

# an engine's own memory, wall time, the way of the solver; memory that is not always written
EXCLUDED = set("""narena nbuffer maxuse_stack maxuse_threadstack maxuse_arena maxuse_con maxuse_efc pstack pbase parena threadpool timer
    solver solver_niter solver_nnz solver_fwdinv bvh_active iM iM_colind iLD iefc_J
    efc_J_rownnz efc_J_rowadr efc_J_rowsuper efc_J_colind iefc_J_rownnz iefc_J_rowadr iefc_J_rowsuper iefc_J_colind
    efc_AR efc_AR_rownnz efc_AR_rowadr efc_AR_colind qDeriv qLU qH qHDiagInv plugin_data names paths warning""".split())


def numbers(seed):
    """Uniform in (-1, 1), as tests/support/random.h makes them."""
    while True:
        seed = (seed * 6364136223846793005 + 1442695040888963407) % 2**64
        yield (seed >> 11) / 4503599627370496.0 - 1


def arrays(thing):
    for name in sorted(dir(thing)):
        if name.startswith("_") or name in EXCLUDED:
            continue
        value = getattr(thing, name)
        if isinstance(value, numpy.ndarray) and value.dtype.kind in "fiub" and value.size:
            yield name, value.astype(float).ravel()


def write(out, name, x):
    words = []
    for text, same in itertools.groupby(f"{value:.11g}" for value in x):
        n = len(list(same))
        words.append(text if n == 1 else f"{n}*{text}")
    print(name, x.size, *(words[:MOST_PIXELS] if name == "tex_data" else words), file=out)


def record(out, path):
    m = mujoco.MjModel.from_xml_path(str(path))
    print("model", path.name, file=out)
    for name, x in arrays(m):
        write(out, name, x)

    m.opt.tolerance, m.opt.ls_tolerance, m.opt.iterations, m.opt.ls_iterations = 0, 1e-10, 200, 100
    d = mujoco.MjData(m)
    random = numbers(1)
    mujoco.mj_integratePos(m, d.qpos, numpy.array([0.3 * next(random) for _ in range(m.nv)]), 1)
    d.qvel[:] = [0.3 * next(random) for _ in range(m.nv)]
    d.ctrl[:] = [0.3 * next(random) for _ in range(m.nu)]
    mujoco.mj_forward(m, d)
    mujoco.mj_subtreeVel(m, d)
    mujoco.mj_rnePostConstraint(m, d)
    print("data", path.name, file=out)
    for name, x in arrays(d):
        write(out, name, x)

    for _ in range(STEPS):
        mujoco.mj_step(m, d)
    print("later", path.name, file=out)
    for name in ("qpos", "qvel"):
        write(out, name, numpy.array(getattr(d, name)))


def main():
    assert mujoco.__version__ == "3.3.7", mujoco.__version__
    with open(HERE / "arrays.txt", "w") as out:
        for name in ("humanoid", "chain", "rubble", "limits"):
            record(out, MODELS / f"{name}.xml")


main()
