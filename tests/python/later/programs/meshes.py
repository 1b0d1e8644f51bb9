"""Programs on octrees of meshes."""

import mujoco
import numpy as np

XML = """<mujoco><asset><mesh name="m" builtin="sphere" params="2"/>
<mesh name="k" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset><worldbody><geom type="sdf" mesh="m"/>
<body pos="0 0 3"><freejoint/><geom type="sdf" mesh="k"/></body></worldbody></mujoco>"""


def depths_of_octrees():
    spec = mujoco.MjSpec.from_string(XML)
    print([mesh.octree_maxdepth for mesh in spec.meshes])
    for depth in (0, 1, 3, 4, 6):
        for mesh in spec.meshes:
            mesh.octree_maxdepth = depth
        m = spec.compile()
        print(
            depth,
            m.mesh_octnum.tolist(),
            int(m.oct_depth.max()),
            round(float(np.abs(m.oct_coeff).sum()), 5),
        )


def one_mesh_of_two_depths():
    spec = mujoco.MjSpec.from_string(XML)
    spec.meshes[0].octree_maxdepth = 2
    print(spec.compile().mesh_octnum.tolist(), spec.copy().meshes[0].octree_maxdepth)
