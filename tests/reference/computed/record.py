"""Records the arrays that later releases of the reference have added, as they are in 4.0.0.

usage: python3 record.py        (needs the Python package mujoco==4.0.0; writes arrays.txt beside this file)

For each model: those arrays of the compiled model that depend on it, then those of data in a random state. An array is its name,
its length and its elements, n*x for n equal ones in a row. tests/computed/recorded_test.c makes the same state and compares.
"""

import itertools
import pathlib

import mujoco
import numpy

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[2]
MODELS = [*sorted((ROOT / "models").glob("*.xml")), *sorted((ROOT / "tests/models").glob("computed_*.xml")), HERE / "flexes.xml"]

OF_MODEL = """nactuator nout nJfe nJten npolygonmax nmeshdegmax nplastic nhistory flg_gravcomp flg_surfacevel flg_adhesion
    actuator_ctrladr actuator_ctrlnum actuator_ctrlspec actuator_outadr actuator_outnum actuator_history actuator_historyadr
    actuator_delay actuator_damping actuator_dampingpoly actuator_armature jnt_actuatorid jnt_stiffnesspoly jnt_plasticadr
    jnt_springyield dof_dampingpoly dof_length tendon_type tendon_actuatorid tendon_stiffnesspoly tendon_dampingpoly
    tendon_plasticadr tendon_springyield tendon_treenum tendon_treeid ten_J_rownnz ten_J_rowadr ten_J_colind cam_projection
    cam_output light_softness geom_surfacevel geom_adhesion geom_castshadow pair_adhesion site_dataid sensor_history
    sensor_historyadr sensor_delay sensor_interval mesh_extrema tex_contenttypeadr tree_bodyadr tree_bodynum tree_dofadr
    tree_dofnum tree_sleep_policy flexedge_J_rownnz flexedge_J_rowadr flexedge_J_colind flex_cellnum flex_size flex_vertcell
    flex_yield flex_plasticadr flex_plasticmode""".split()
OF_DATA = """ntree_awake nbody_awake nparent_awake nv_awake history plastic qfrc_adhesion tree_asleep tree_awake body_awake
    body_awake_ind parent_awake_ind dof_awake_ind flex_hessian_valid flexvert_lambda flexvert_conage xiquat geom_xquat
    site_xquat""".split()


def numbers(seed):
    """Uniform in (-1, 1), as tests/support/random.h makes them."""
    while True:
        seed = (seed * 6364136223846793005 + 1442695040888963407) % 2**64
        yield (seed >> 11) / 4503599627370496.0 - 1


def write(out, thing, name):
    x = numpy.atleast_1d(getattr(thing, name)).astype(float)
    words = []
    for text, same in itertools.groupby(f"{value:.12g}" for value in x.ravel()):
        n = len(list(same))
        words.append(text if n == 1 else f"{n}*{text}")
    print(name, x.size, *words, file=out)


def record(out, path):
    m = mujoco.MjModel.from_xml_path(str(path))
    print("model", path.relative_to(ROOT), file=out)
    for name in OF_MODEL:
        write(out, m, name)
    d = mujoco.MjData(m)
    random = numbers(1)
    mujoco.mj_integratePos(m, d.qpos, numpy.array([0.3 * next(random) for _ in range(m.nv)]), 1)
    mujoco.mj_kinematics(m, d)
    print("data", path.relative_to(ROOT), file=out)
    for name in OF_DATA:
        write(out, d, name)


def main():
    assert mujoco.__version__ == "4.0.0", mujoco.__version__
    with open(HERE / "arrays.txt", "w") as out:
        for path in MODELS:
            try:
                record(out, path)
            except ValueError as error:  # words that 4.0.0 doesn't know any more
                print(path.name, "left out:", str(error).splitlines()[0])


if __name__ == "__main__":
    main()
