"""Programs on deformables: their materials, sections, and the layout of their arrays."""

import mujoco
import numpy as np

ASSETS = """<asset><material name="r" rgba="1 0 0 1"/><material name="g" rgba="0 1 0 1"/></asset>"""
PATCH = """<mujoco>{assets}<worldbody/><deformable><flex name="f" dim="2" body="world"
vertex="0 0 0  1 0 0  0 1 0  1 1 0" element="0 1 2  1 3 2" material="{list}"/>
</deformable></mujoco>"""
SOFT = """<mujoco>{assets}<worldbody>{flexes}</worldbody></mujoco>"""
FLEX = """<flexcomp name="{name}" type="grid" dim="{dim}" count="{count}"
spacing=".1 .1 .1" pos="0 0 {z}" mass="1" {words}>
<elasticity young="1e4" poisson=".2" {elastic}/><contact selfcollide="none"/></flexcomp>"""


def _patch(materials):
    return mujoco.MjSpec.from_string(PATCH.format(assets=ASSETS, list=materials))


def materials_of_specs():
    spec = _patch("r g")
    flex = spec.flexes[0]
    print(list(flex.material), spec.compile().flex_matid.tolist())
    for given in ("g", ["g"], ("g", "r"), []):
        flex.material = given
        print(list(flex.material), spec.compile().flex_matid.tolist())
    flex.material = ["r", "r"]
    flex.material[1] = "g"
    print(list(flex.material), spec.compile().flex_matid.tolist())


def one_material_in_a_file():
    spec = _patch("g")
    print(list(spec.flexes[0].material))
    print(list(spec.add_flex(name="n", material=["a", "b"]).material))


def materials_of_models():
    m = _patch("g").compile()
    print(m.flex_matid.dtype, m.flex_matid.shape)
    m.flex_matid[1] = 0
    scene = mujoco.MjvScene(m, 10)
    d = mujoco.MjData(m)
    mujoco.mj_forward(m, d)
    mujoco.mjv_updateScene(m, d, mujoco.MjvOption(), None, mujoco.MjvCamera(), 7, scene)
    print([(g.dataid, g.size.tolist()[1:], g.rgba.tolist()) for g in scene.geoms[: scene.ngeom]])
    m.flex_matid = [-1, -1]
    mujoco.mjv_updateScene(m, d, mujoco.MjvOption(), None, mujoco.MjvCamera(), 7, scene)
    print([(g.dataid, g.rgba.tolist()) for g in scene.geoms[: scene.ngeom]])


def layouts():
    kinds = {
        "cage": (3, "3 3 3", 'dof="trilinear"', ""),
        "solid": (3, "2 2 2", "", ""),
        "cloth": (2, "3 2 1", "", 'elastic2d="both" thickness=".01"'),
        "rod": (1, "4 1 1", "", ""),
        "bending": (2, "3 2 1", "", 'elastic2d="bend" thickness=".01"'),
    }
    for chosen in (list(kinds), ["cloth"], ["solid", "rod"], ["rod", "bending"]):
        flexes = ""
        for z, name in enumerate(chosen):
            dim, count, words, elastic = kinds[name]
            flexes += FLEX.format(
                name=name, dim=dim, count=count, z=z, words=words, elastic=elastic
            )
        m = mujoco.MjModel.from_xml_string(SOFT.format(assets="", flexes=flexes))
        d = mujoco.MjData(m)
        print(m.flex_stiffness.shape, m.flex_bending.shape, m.nflexstiffness, m.nflexbending)
        print(m.flex_stiffnessadr.tolist(), m.flex_bendingadr.tolist(), d.flexelem_krot.shape)
        print(
            round(float(np.abs(m.flex_stiffness).sum()), 3),
            round(float(np.abs(m.flex_bending).sum()), 5),
        )


def sections():
    text = SOFT.format(
        assets="",
        flexes=FLEX.format(
            name="f",
            dim=1,
            count="3 1 1",
            z=0,
            words="",
            elastic='section="box" sectionsize=".02 .01" shear="5e3"',
        ),
    )
    spec = mujoco.MjSpec.from_string(text)
    flex = spec.flexes[0]
    print(
        flex.shear,
        flex.section == mujoco.mjtFlexSection.mjFLEXSECTION_BOX,
        flex.sectionsize.tolist(),
    )
    print(np.round(spec.compile().flex_bending, 6).tolist())
    flex.shear = 0
    print(np.round(spec.compile().flex_bending[9:], 6).tolist())
