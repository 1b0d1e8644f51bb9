"""Records what features of later releases compute, as 4.0.0 does.

usage: python3 record.py        (needs the Python package mujoco==4.0.0; writes numbers.txt beside this file)

A line is a name, the number of elements, and the elements. tests/support/recorded.h reads them; the tests that compare say how the
state was made.
"""

import pathlib

import mujoco
import numpy

HERE = pathlib.Path(__file__).parent
MODELS = HERE.parents[1] / "models/since"
SWING = """<mujoco><option timestep='.005'/><worldbody><body><joint name='j' axis='0 1 0' stiffness='2 .5 .3'
damping='.1 .2 .3' springref='10' armature='.01'/><geom type='capsule' fromto='0 0 0 0 0 .5' size='.05'/></body></worldbody>
<actuator><motor joint='j' gear='3' damping='.01 .02 .03' armature='.002'/><motor joint='j' gear='2' damping='.1'
armature='.001'/></actuator></mujoco>"""
TERMS_QPOS = [0.7, 0.1, 0.9, 0.2, -0.3, 0.1, 1.2, 0.1, 0.8, 0.8, 0.1, 0.4, -0.2]


def write(out, name, values):
    values = numpy.ravel(numpy.asarray(values, dtype=float))
    print(name, len(values), *(f"{x:.15g}" for x in values), file=out)


def terms_state(m):
    d = mujoco.MjData(m)
    d.qpos[:] = TERMS_QPOS
    mujoco.mj_normalizeQuat(m, d.qpos)
    d.qvel[:] = 2 * numpy.sin(1 + numpy.arange(m.nv))
    d.ctrl[:] = 0.1 * numpy.arange(m.nu)
    return d


def record_terms(out):
    """Springs, dampers and inertia; then steps of the integrators."""
    m = mujoco.MjModel.from_xml_path(str(MODELS / "terms.xml"))
    d = terms_state(m)
    mujoco.mj_forward(m, d)
    for name in "jnt_actuatorid tendon_actuatorid dof_M0 dof_invweight0 tendon_invweight0".split():
        write(out, "terms_" + name, getattr(m, name))
    for name in "qfrc_spring qfrc_damper qfrc_passive energy M qfrc_bias".split():
        write(out, "terms_" + name, getattr(d, name))
    for integrator in (0, 2):  # the others have other rules for quaternions and free bodies
        m.opt.integrator = integrator
        d = terms_state(m)
        mujoco.mj_step(m, d, 50)
        write(out, f"terms_steps_{integrator}", numpy.concatenate([d.qpos, d.qvel]))
    m = mujoco.MjModel.from_xml_string(SWING)
    for integrator in range(4):
        m.opt.integrator = integrator
        d = mujoco.MjData(m)
        d.qpos[0], d.qvel[0] = 1, -3
        mujoco.mj_step(m, d, 100)
        write(out, f"terms_swing_{integrator}", [d.qpos[0], d.qvel[0]])


def steps(m, d, n):
    for i in range(n):
        d.ctrl[:] = numpy.sin(0.1 * i + numpy.arange(m.nu))
        mujoco.mj_step(m, d)


def record_history(out):
    """60 steps of each integrator from qpos 0.3, and 7 after the keyframe."""
    m = mujoco.MjModel.from_xml_path(str(MODELS / "history.xml"))
    write(out, "history_actuator_historyadr", m.actuator_historyadr)
    write(out, "history_sensor_historyadr", m.sensor_historyadr)
    for integrator in range(4):
        m.opt.integrator = integrator
        d = mujoco.MjData(m)
        d.qpos[:] = 0.3
        if integrator == 0:
            write(out, "history_reset", d.history)
        steps(m, d, 60)
        kinds = [d.qpos, d.qvel, d.actuator_force, d.sensordata, d.history]
        write(out, f"history_steps_{integrator}", numpy.concatenate(kinds))
    m.opt.integrator = 0
    mujoco.mj_resetDataKeyframe(m, d, 0)
    steps(m, d, 7)
    write(out, "history_key", numpy.concatenate([d.qpos, d.sensordata, d.history]))
    for disabled in "ACTUATION", "SENSOR":
        m.opt.disableflags = getattr(mujoco.mjtDisableBit, "mjDSBL_" + disabled)
        d = mujoco.MjData(m)
        steps(m, d, 20)
        write(out, "history_without_" + disabled.lower(), numpy.concatenate([d.qpos, d.history]))


def rules_state(m):
    d = mujoco.MjData(m)
    mujoco.mj_integratePos(m, d.qpos, 0.3 * numpy.sin(1 + numpy.arange(m.nv)), 1)
    d.qvel[:] = numpy.cos(2 * numpy.arange(m.nv))
    d.ctrl[:] = [0.5, -1, 2]
    return d


SIDE = """<mujoco><worldbody><geom name='g' type='{}' size='.3 1'/><site name='side' pos='0 .5 .1'/><site name='a'
pos='-1 0 .1'/><body><joint axis='0 .1 1'/><geom size='.1' pos='1 0 0'/><site name='b' pos='1 -.05 .3'/></body></worldbody><tendon>
<spatial><site site='a'/><geom geom='g' sidesite='side'/><site site='b'/></spatial></tendon></mujoco>"""


def record_sides(out):
    """Lengths of a string around a geom while one end goes around it."""
    for shape in "sphere", "cylinder":
        m = mujoco.MjModel.from_xml_string(SIDE.format(shape))
        d = mujoco.MjData(m)
        lengths = []
        for i in range(60):
            d.qpos[0] = -3 + 0.1 * i
            mujoco.mj_forward(m, d)
            lengths.append(d.ten_length[0])
        write(out, "rules_side_" + shape, lengths)


def record_rules(out):
    """Ties, loads of tendons and rest; then steps of Euler and Runge-Kutta."""
    m = mujoco.MjModel.from_xml_path(str(MODELS / "rules.xml"))
    m.opt.tolerance = 0
    d = rules_state(m)
    mujoco.mj_forward(m, d)
    for name in "efc_aref qacc sensordata cfrc_ext cfrc_int".split():
        write(out, "rules_" + name, getattr(d, name))
    m.opt.disableflags = mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    m.opt.integrator = 1
    d = rules_state(m)
    mujoco.mj_step(m, d, 50)
    write(out, "rules_rk4", numpy.concatenate([d.qpos, d.qvel]))


SCALED = """qpos0 qpos_spring body_pos body_quat body_ipos body_mass body_inertia jnt_pos jnt_stiffness jnt_stiffnesspoly
    jnt_range jnt_margin jnt_actfrcrange jnt_solimp dof_armature dof_damping dof_frictionloss dof_solimp dof_M0 dof_invweight0
    geom_pos geom_quat geom_size geom_aabb geom_rbound geom_friction geom_margin geom_gap geom_solimp geom_fluid
    site_pos site_quat site_size cam_pos cam_ipd cam_fovy cam_sensorsize cam_intrinsic light_pos light_bulbradius light_range
    light_attenuation mesh_pos mesh_quat mesh_vert hfield_size pair_margin pair_gap pair_friction pair_solimp eq_solimp
    tendon_range tendon_margin tendon_width tendon_stiffness tendon_stiffnesspoly tendon_damping tendon_dampingpoly
    tendon_armature tendon_frictionloss tendon_lengthspring tendon_length0 tendon_solimp_lim wrap_prm actuator_gainprm
    actuator_biasprm actuator_dynprm actuator_ctrlrange actuator_forcerange actuator_actrange actuator_gear
    actuator_cranklength actuator_armature actuator_damping actuator_length0 sensor_cutoff key_qpos key_qvel key_mpos key_ctrl
    key_act""".split()


def record_scaling(out):
    """Arrays of models with scaled frames."""
    for model in "scaled", "stretched":
        m = mujoco.MjModel.from_xml_path(str(MODELS / f"{model}.xml"))
        for name in SCALED:
            write(out, f"{model}_{name}", getattr(m, name))
        write(out, f"{model}_eq_data", m.eq_data[:, :11])  # without what setConst is told


def surfaces_model(cone, gaps=True):
    """Margins and gaps as 3.3.7 means them: contacts act below margin - gap."""
    m = mujoco.MjModel.from_xml_path(str(MODELS / "surfaces.xml"))
    m.opt.cone = cone
    for kind in "geom", "pair":
        margin, gap = getattr(m, kind + "_margin"), getattr(m, kind + "_gap")
        margin -= gap
    return m


def contact_state(m):
    d = mujoco.MjData(m)
    d.qvel[:] = 0.3 * numpy.sin(1 + numpy.arange(m.nv))
    return d


def record_surfaces(out):
    """Contacts with surfaces that move and adhere: what both cones make of them, and 40 steps of them."""
    for cone, name in enumerate(["pyramid", "ellipse"]):
        m = surfaces_model(cone)
        d = contact_state(m)
        mujoco.mj_forward(m, d)
        if cone == 0:
            write(out, "surfaces_geom_surfacevel", m.geom_surfacevel)
            write(out, "surfaces_geom_adhesion", m.geom_adhesion)
            write(out, "surfaces_pair_adhesion", m.pair_adhesion)
            for field in "surfacevel adhesion pos frame".split():
                write(out, "surfaces_contact_" + field, getattr(d.contact, field))
        write(out, f"surfaces_dim_{name}", numpy.column_stack([d.contact.dim, d.contact.exclude]))
        for field in "efc_vel efc_aref efc_force qfrc_adhesion qfrc_passive qacc sensordata".split():
            write(out, f"surfaces_{field}_{name}", getattr(d, field))
        force = numpy.zeros((d.ncon, 6))
        for i in range(d.ncon):
            mujoco.mj_contactForce(m, d, i, force[i])
        write(out, f"surfaces_force_{name}", force)
        for _ in range(40):
            mujoco.mj_step(m, d)
        write(out, f"surfaces_steps_{name}", numpy.concatenate([d.qpos, d.qvel]))


YIELDING = """<mujoco><option timestep='.005'/><compiler angle='radian'/><worldbody><site name='hook' pos='1 0 .5'/><body>
<joint name='j' axis='0 1 0' stiffness='20 4' springref='.2' springyield='.3'/><geom size='.1' pos='0 0 .2'/>
<site name='hand' pos='.3 0 .2'/><body pos='.3 0 0'><joint name='s' type='slide' axis='1 0 0' stiffness='90' damping='.2'
springyield='.03'/><geom size='.05' mass='.5'/></body></body></worldbody><tendon><spatial stiffness='30' springlength='.3 .5'
springyield='.02'><site site='hook'/><site site='hand'/></spatial><fixed stiffness='50' springlength='0 .05' springyield='.02'>
<joint joint='s' coef='1'/><joint joint='j' coef='.5'/></fixed></tendon></mujoco>"""


def record_plastic(out):
    """Springs that yield, from a start in motion and from keyframes; then the integrators without balls."""
    m = mujoco.MjModel.from_xml_path(str(MODELS / "plastic.xml"))
    for name in "jnt_springyield jnt_plasticadr tendon_springyield tendon_plasticadr key_plastic".split():
        write(out, "plastic_" + name, getattr(m, name))
    for integrator in (0, 2):
        m.opt.integrator = integrator
        d = mujoco.MjData(m)
        if integrator == 0:
            write(out, "plastic_reset", d.plastic)
        d.qvel[:] = 3 * numpy.sin(1 + numpy.arange(m.nv))
        mujoco.mj_step(m, d, 100)
        write(out, f"plastic_steps_{integrator}", numpy.concatenate([d.qpos, d.qvel, d.plastic]))
    m.opt.integrator = 0
    m.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_ENERGY
    mujoco.mj_resetDataKeyframe(m, d, 0)
    mujoco.mj_forward(m, d)
    write(out, "plastic_key_forces", numpy.concatenate([d.qfrc_spring, d.energy[:1]]))
    mujoco.mj_step(m, d, 30)
    write(out, "plastic_key_steps", numpy.concatenate([d.qpos, d.plastic]))
    m = mujoco.MjModel.from_xml_string(YIELDING)
    for integrator in range(4):
        m.opt.integrator = integrator
        d = mujoco.MjData(m)
        d.qvel[:] = 4, -2
        mujoco.mj_step(m, d, 150)
        write(out, f"plastic_yielding_{integrator}", numpy.concatenate([d.qpos, d.qvel, d.plastic]))


def record_inputs(out):
    """Sizes and parameters of actuators of several inputs, and 200 steps of each integrator."""
    m = mujoco.MjModel.from_xml_path(str(MODELS / "inputs.xml"))
    write(out, "inputs_sizes", [m.nactuator, m.nu, m.nout, m.na])
    for name in "ctrladr ctrlnum ctrlspec outadr actnum ctrllimited forcelimited".split():
        write(out, "inputs_" + name, getattr(m, "actuator_" + name))
    for name in "gainprm biasprm dynprm ctrlrange forcerange acc0 length0 gear".split():
        write(out, "inputs_" + name, getattr(m, "actuator_" + name))
    for integrator in range(4):
        m.opt.integrator = integrator
        d = mujoco.MjData(m)
        steps(m, d, 200)
        kinds = [d.qpos, d.qvel, d.act, d.actuator_length, d.actuator_force, d.sensordata, d.history]
        write(out, f"inputs_steps_{integrator}", numpy.concatenate(kinds))


def release_4(path):
    """The text of a model without the words that only Condyle has."""
    return path.read_text().replace('<compiler dialect="4.0"/>', "")


def record_flexes(out):
    """Masses of nodes, 20 steps of a start in motion, and the hinge of a sheet that is bent by steps."""
    m = mujoco.MjModel.from_xml_string(release_4(MODELS / "flexes.xml"))
    write(out, "flexes_mass", m.body_mass)
    d = mujoco.MjData(m)
    mujoco.mj_integratePos(m, d.qpos, 0.004 * numpy.sin(1 + numpy.arange(m.nv)), 1)
    d.qvel[:] = 0.1 * numpy.cos(2 * numpy.arange(m.nv))
    for _ in range(20):
        mujoco.mj_step(m, d)
    write(out, "flexes_steps", numpy.concatenate([d.qpos, d.qvel, d.plastic]))
    m = mujoco.MjModel.from_xml_string(release_4(MODELS / "bent.xml"))
    d = mujoco.MjData(m)
    hinge = int(numpy.argmax(m.flex_edgeflap[:, 1]))
    bent = []
    for angle in (0.1, 0.2, 0.5, 1.0, -0.3, 2.5):
        d.qvel[:] = 0
        d.qpos[:] = 0
        d.qpos[7:9] = 0.8 * (numpy.cos(angle) - 1), 0.8 * numpy.sin(angle)
        mujoco.mj_step(m, d)
        bent.append(d.plastic[hinge])
    write(out, "flexes_bent", bent)


with open(HERE / "numbers.txt", "w") as file:
    record_scaling(file)
    record_terms(file)
    record_history(file)
    record_sides(file)
    record_rules(file)
    record_surfaces(file)
    record_plastic(file)


    record_inputs(file)
    record_flexes(file)
