"""Programs on specs."""

import mujoco
import numpy as np

PEND = """<mujoco><option timestep=".01"/><worldbody><geom name="f" type="plane" size="1 1 .1"/>
<body name="b" pos="0 0 1"><joint name="j" axis="0 1 0" damping=".1"/>
<geom name="g" type="capsule" fromto="0 0 0 0 0 .5" size=".05"/>
<site name="s" pos="0 0 .5"/></body></worldbody>
<actuator><motor name="a" joint="j"/></actuator></mujoco>"""


def booleans():
    s = mujoco.MjSpec()
    b = s.worldbody.add_body()
    j, light = b.add_joint(), b.add_light()
    print(b.mocap, b.explicitinertial, j.actgravcomp, light.active, light.castshadow)
    print(s.compiler.degree, s.compiler.autolimits, s.compiler.fusestatic, s.strippath)
    b.mocap = 2
    light.active = 0.0
    s.compiler.degree = np.bool_(False)
    print(b.mocap, light.active, s.compiler.degree, s.add_texture().hflip)
    print(s.add_equality().active, s.add_mesh().needsdf, s.add_material().texuniform)


def a_boolean_of_text():
    mujoco.MjSpec().worldbody.add_light().active = "on"


def members():
    s = mujoco.MjSpec()
    j = s.worldbody.add_body().add_joint()
    print(j.limited, j.actfrclimited, j.align, s.compiler.inertiafromgeom)
    j.limited = mujoco.mjtLimited.mjLIMITED_TRUE
    print(j.limited, repr(j.limited))
    j.limited = False
    print(j.limited)
    t = s.add_texture()
    t.builtin = mujoco.mjtBuiltin.mjBUILTIN_CHECKER
    print(t.builtin, t.mark, s.add_flex().selfcollide)
    g = s.worldbody.add_geom()
    g.type = 2
    print(g.type)


def members_in_keywords():
    s = mujoco.MjSpec()
    print(s.worldbody.add_geom(type=6, size=[1, 1, 1]).type)
    print(s.worldbody.add_body().add_joint(limited=True).limited)


def numbers_of_users():
    a = mujoco.MjSpec().add_actuator()
    a.dyntype, a.gaintype = mujoco.mjtDyn.mjDYN_USER, mujoco.mjtGain.mjGAIN_USER
    a.biastype = mujoco.mjtBias.mjBIAS_USER
    print(a.dyntype, a.gaintype, a.biastype, int(a.dyntype), int(a.gaintype), int(a.biastype))


def polynomials():
    s = mujoco.MjSpec()
    j = s.worldbody.add_body().add_joint(stiffness=[1, 0], damping=0.5)
    print(j.stiffness, j.damping, j.damping.dtype)
    j.damping[0] = 2
    print(j.damping)
    j.stiffness = [3, 0, 0]
    print(j.stiffness)
    t = s.add_tendon(stiffness=4)
    print(t.stiffness, t.damping)


def wrong_polynomials():
    j = mujoco.MjSpec().worldbody.add_body().add_joint()
    for value in ([1, 0, 0, 0], "text"):
        try:
            j.damping = value
        except TypeError:
            print("TypeError", j.damping)


def a_camera():
    c = mujoco.MjSpec().worldbody.add_camera(resolution=[640, 480])
    print(c.resolution, c.resolution.dtype, c.proj, c.output)
    c.proj = mujoco.mjtProjection.mjPROJ_ORTHOGRAPHIC
    print(c.proj)


def defaults_of_features():
    s = mujoco.MjSpec()
    b = s.worldbody.add_body()
    g, a = b.add_geom(), s.add_actuator()
    print(g.adhesion, g.surfacevel, g.castshadow, b.add_joint().springyield, b.sleep)
    print(a.delay, a.nsample, a.interp, a.armature, a.damping, a.type, a.ctrlspec)
    print(s.add_sensor().interval, b.add_site().meshname, s.add_texture().embed)
    f = s.worldbody.add_frame()
    print(f.scale, f.scaling, f.massscale, s.compiler.passthrough, s.compiler.savecompiled)


def positional_and_none():
    s = mujoco.MjSpec()
    b = s.worldbody.add_body(None, "torso")
    print(b.name, b.add_joint(None, "elbow").name)
    print(b.add_geom(name="g", size=0.1).size, b.add_site(size=[0.1, 0.2]).size)
    print(b.add_geom(name=None, size=[1, 1, 1], rgba=None).rgba)


def wrong_keywords():
    b = mujoco.MjSpec().worldbody.add_body()
    for keywords in ({"what": 1}, {"pos": 1}):
        try:
            b.add_geom(**keywords)
        except (TypeError, ValueError):
            print("refused")


def a_frame():
    s = mujoco.MjSpec()
    f = s.worldbody.add_frame(pos=[1, 0, 0])
    b = f.add_body(name="x", pos=[0, 1, 0])
    g = f.add_geom(size=[0.1, 0, 0])
    b.add_geom(size=[0.1, 0, 0])
    print(b.frame is f, g.frame is f, b.parent is s.worldbody)
    print(s.compile().body_pos[1])


def copied_back():
    s = mujoco.MjSpec.from_string(PEND)
    m = s.compile()
    m.geom("g").size[0] = 0.07
    m.body("b").pos[0] = 0.25
    s.copy_back(m)
    print(s.geom("g").size[0], s.body("b").pos, round(s.compile().body_mass[1], 9))


def copied_back_from_another():
    s = mujoco.MjSpec.from_string(PEND)
    s.compile()
    try:
        s.copy_back(mujoco.MjModel.from_xml_string("<mujoco/>"))
    except ValueError as error:
        print(str(error)[:37])


def edited_as_a_whole():
    s = mujoco.MjSpec.from_string(
        "<mujoco><worldbody><body name='b'><joint/><geom name='g' size='.1'/>"
        "<geom name='v' size='.2' contype='0' conaffinity='0'/><body name='st' pos='.2 0 0'>"
        "<geom name='gs' size='.03'/></body></body></worldbody></mujoco>"
    )
    print(s.fuse_static(), [b.name for b in s.bodies], s.discard_visual())
    print([g.name for g in s.geoms], round(s.compile().body_mass[1], 9))
    print(s.timer.shape, s.timer.dtype)


def merged_assets():
    s = mujoco.MjSpec()
    for name in "ab":
        s.add_mesh(name=name).make_box(count=[2, 2, 2], spacing=[1, 1, 1])
        s.worldbody.add_body(name=name).add_geom(type=mujoco.mjtGeom.mjGEOM_MESH, meshname=name)
    print(s.dedup_assets(), [mesh.name for mesh in s.meshes], [g.meshname for g in s.geoms])


def an_inertial():
    s = mujoco.MjSpec.from_string(PEND)
    s.adopt_inertial(s.body("b"))
    print(s.body("b").explicitinertial, round(s.body("b").mass, 9), s.body("b").ipos.round(9))


def an_inertial_of_the_world():
    s = mujoco.MjSpec.from_string(PEND)
    s.adopt_inertial(s.worldbody)


def a_path():
    s = mujoco.MjSpec.from_string(PEND)
    t = s.add_tendon()
    t.wrap_joint("j", 2)
    print(len(t.path), t.path[0].type, t.path[0].coef, t.path[0].target.name, t.path[0].divisor)
    for index in (1, 5):
        try:
            t.path[index]
        except IndexError as error:
            print(error)


def bound():
    s = mujoco.MjSpec.from_string(PEND)
    m = s.compile()
    m.bind([s.geom("g"), s.geom("f")]).rgba = [[1, 0, 0, 1], [0, 1, 0, 1]]
    print(m.geom("g").rgba, m.geom("f").rgba)
    d = mujoco.MjData(m)
    d.bind(s.joint("j")).qpos = 0.5
    print(d.qpos, m.bind(s.joint("j")).damping, d.bind([s.joint("j")]).qpos)


def a_muscle():
    a = mujoco.MjSpec.from_string(PEND).add_actuator(name="m")
    a.set_to_muscle([0.01, 0.04], 0, [0.75, 1.05], -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2)
    print(a.dynprm[:2], a.gainprm[:4])


def servos():
    s = mujoco.MjSpec.from_string(PEND)
    a = s.add_actuator()
    a.set_to_position(kp=3, kv=2.0)
    print(a.gainprm[0], a.biasprm[:3])
    a.set_to_velocity(kv=4)
    print(a.gainprm[0], a.biasprm[:3])


def a_texture():
    s = mujoco.MjSpec()
    t = s.add_texture(name="t", type=mujoco.mjtTexture.mjTEXTURE_2D, nchannel=3, width=2, height=2)
    t.data = bytes(range(12))
    print(len(t.data), t.data[3], type(t.data).__name__)
    m = s.compile()
    pixels, space = mujoco.mj_loadTexture(m, 0)
    print(pixels.shape, pixels.dtype, space, pixels[0, 1])
    print(t.classname.name)


def a_texture_that_is_not_there():
    mujoco.mj_loadTexture(mujoco.MjSpec().compile(), 5)


def authored():
    s = mujoco.MjSpec.from_string("<mujoco><option timestep='.1'/></mujoco>")
    print(s.authored.option != 0, s.authored.disableflags, type(s.authored).__name__)


def attached():
    parent, child = mujoco.MjSpec(), mujoco.MjSpec.from_string(PEND)
    frame = parent.worldbody.add_frame(pos=[0, 0, 2])
    parent.attach(child, prefix="c-", frame=frame)
    m = parent.compile()
    print([m.body(i).name for i in range(m.nbody)], m.nu)


def a_made_flex():
    s = mujoco.MjSpec()
    b = s.worldbody.add_body(pos=[0, 0, 1])
    f = b.make_flex("f", dim=2, count=[3, 3, 1], spacing=[0.1, 0.1, 0.1], mass=1)
    m = s.compile()
    print(type(f).__name__, m.nflexvert, m.nflex)


def a_failed_compilation():
    s = mujoco.MjSpec()
    s.worldbody.add_geom()
    try:
        s.compile()
    except ValueError as error:
        print(str(error).splitlines()[0][:40])
