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


ENCLOSED = (
    [0.03, 0.01, 0.02, 0.9, 0.3, -0.2, 0.1, 0.2],
    [0.25, -0.1, 0.15, 0.5, -0.2, 0.8, 0.3, -1],
    [0.08, 0.2, -0.1, 0.1, 0.6, 0.2, -0.7, 2],
    [1, 0.5, -0.7, 0.3, 0.3, 0.9, 0.1, 0.5],
)


def record_enclosed(out):
    """How far shapes reach out of sites, in four poses."""
    m = mujoco.MjModel.from_xml_path(str(MODELS / "enclosed.xml"))
    d = mujoco.MjData(m)
    write(out, "enclosed_site_size", m.site_size)
    for i, qpos in enumerate(ENCLOSED):
        d.qpos[:] = qpos
        mujoco.mj_normalizeQuat(m, d.qpos)
        mujoco.mj_forward(m, d)
        write(out, f"enclosed_{i}", d.sensordata)


def record_skin_touch(out):
    """What a skin feels of two balls, and where a body without mass is."""
    m = mujoco.MjModel.from_xml_path(str(MODELS / "skin_touch.xml"))
    d = mujoco.MjData(m)
    d.qvel[:] = numpy.sin(1 + numpy.arange(m.nv))
    mujoco.mj_forward(m, d)
    write(out, "skin_touch", d.sensordata)


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


def record_touching(out):
    """Contacts of margins, boxes, meshes, cylinders, capsules and a height field; then how many pairs can have."""
    m = mujoco.MjModel.from_xml_path(str(MODELS / "touching.xml"))
    d = mujoco.MjData(m)
    mujoco.mj_forward(m, d)
    write(out, "touching_body_margin", m.body_margin)
    for field in "dist includemargin exclude pos frame".split():
        write(out, "touching_" + field, getattr(d.contact, field))
    most = []
    for native, several in (0, 0), (0, 1), (1, 0):
        flags = mujoco.mjtDisableBit
        m.opt.disableflags = native * flags.mjDSBL_NATIVECCD | several * flags.mjDSBL_MULTICCD
        pairs = [(0, 12), (1, 14), (3, 16), (4, 17), (5, 18), (19, 6), (8, 21), (0, 9), (19, 4)]
        most += [mujoco.mj_maxContact(m, a, b, margin) for a, b in pairs for margin in (0, 1)]
    write(out, "touching_most", most)


def record_polygons(out):
    """Polygons of hulls, and contacts of their faces."""
    m = mujoco.MjModel.from_xml_path(str(MODELS / "polygons.xml"))
    d = mujoco.MjData(m)
    mujoco.mj_forward(m, d)
    for field in "polynum polyvertadr polyvertnum polyvert polynormal polymapadr polymapnum polymap".split():
        write(out, "polygons_" + field, getattr(m, "mesh_" + field))
    for field in "geom dist pos".split():
        write(out, "polygons_" + field, getattr(d.contact, field))
    write(out, "polygons_normal", d.contact.frame[:, :3])


RING = """<mujoco><extension><plugin plugin='mujoco.sdf.torus'><instance name='t'><config key='radius1' value='.35'/>
<config key='radius2' value='.15'/></instance></plugin></extension><option sdf_initpoints='5'/><asset><mesh name='torus'>
<plugin instance='t'/></mesh><mesh name='brick' vertex='-.1 -.12 -.08  -.1 -.12 .08  -.1 .12 -.08  -.1 .12 .08  .1 -.12 -.08
.1 -.12 .08  .1 .12 -.08  .1 .12 .08'/></asset><worldbody><geom type='sdf' mesh='torus' quat='.9 .2 .3 .1'><plugin instance='t'/>
</geom><body pos='.4 .2 0' euler='{} 20 0'><freejoint/><geom type='mesh' mesh='brick'/></body></worldbody></mujoco>"""


def record_ring(out):
    """Contacts of a brick with a ring that is a signed distance field."""
    for turn in 10, 50, 80:
        m = mujoco.MjModel.from_xml_string(RING.format(turn))
        d = mujoco.MjData(m)
        mujoco.mj_forward(m, d)
        contact = numpy.column_stack([d.contact.dist, d.contact.pos, d.contact.frame[:, :3]])
        write(out, f"touching_ring_{turn}", contact)


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


def servos_state(m):
    d = mujoco.MjData(m)
    mujoco.mj_integratePos(m, d.qpos, 0.3 * numpy.sin(1 + numpy.arange(m.nv)), 1)
    d.qvel[:] = numpy.cos(2 * numpy.arange(m.nv))
    return d


def record_servos(out):
    """Damping by ratios; forces of targets that are turns apart; steps with forces at their bounds."""
    m = mujoco.MjModel.from_xml_path(str(MODELS / "servos.xml"))
    write(out, "servos_biasprm", m.actuator_biasprm[:, :3])
    d = servos_state(m)
    for control in 6.5, 7, 20, -9:
        d.ctrl[:] = control
        d.act[:] = control
        mujoco.mj_forward(m, d)
        write(out, f"servos_force_{control:g}", d.actuator_force)
    for integrator in 2, 3:
        m.opt.integrator = integrator
        d = servos_state(m)
        d.ctrl[:] = 3 * numpy.sin(numpy.arange(m.nu))
        d.ctrl[6] = 40
        mujoco.mj_step(m, d, 100)
        write(out, f"servos_steps_{integrator}", numpy.concatenate([d.qpos, d.qvel, d.act]))


def record_stack(out):
    """Forces after few sweeps of PGS and accelerations after few iterations of CG, with and without islands."""
    m = mujoco.MjModel.from_xml_path(str(MODELS / "stack.xml"))
    m.opt.tolerance = 0
    d = mujoco.MjData(m)
    d.qvel[:] = 0.3 * numpy.sin(1 + numpy.arange(m.nv))
    for cone in range(2):
        m.opt.cone = cone
        for islands, flag in enumerate([mujoco.mjtDisableBit.mjDSBL_ISLAND, 0]):
            m.opt.disableflags = mujoco.mjtDisableBit.mjDSBL_WARMSTART | flag
            for iterations in 1, 2, 3, 10, 30:
                m.opt.iterations = iterations
                m.opt.solver = mujoco.mjtSolver.mjSOL_PGS
                mujoco.mj_forward(m, d)
                write(out, f"stack_pgs_{cone}_{islands}_{iterations}", d.efc_force)
                if iterations <= 3:
                    m.opt.solver = mujoco.mjtSolver.mjSOL_CG
                    mujoco.mj_forward(m, d)
                    write(out, f"stack_cg_{cone}_{islands}_{iterations}", d.qacc)
                    m.opt.noslip_iterations = iterations
                    mujoco.mj_forward(m, d)
                    write(out, f"stack_noslip_{cone}_{islands}_{iterations}", d.efc_force)
                    m.opt.noslip_iterations = 0
    m.opt.solver = mujoco.mjtSolver.mjSOL_NEWTON
    m.opt.disableflags = 0
    m.opt.iterations = 1
    d.qvel[:] *= -3
    for cone in range(2):
        m.opt.cone = cone
        for points in range(1, 5):
            m.opt.ls_iterations = points
            d.qacc_warmstart[:] = 100 * numpy.sin(1 + numpy.arange(m.nv))
            mujoco.mj_forward(m, d)
            write(out, f"stack_line_{cone}_{points}", d.qacc)


def record_diagonals(out):
    """Regularizers by the exact diagonal, of both cones, and what they lead to."""
    m = mujoco.MjModel.from_xml_path(str(MODELS / "stack.xml"))
    m.opt.tolerance = 0
    m.opt.enableflags = mujoco.mjtEnableBit.mjENBL_DIAGEXACT
    for cone in range(2):
        m.opt.cone = cone
        d = mujoco.MjData(m)
        d.qvel[:] = 0.3 * numpy.sin(1 + numpy.arange(m.nv))
        mujoco.mj_forward(m, d)
        write(out, f"diagonals_efc_R_{cone}", d.efc_R)
        write(out, f"diagonals_efc_diagA_{cone}", d.efc_diagA)
        write(out, f"diagonals_efc_force_{cone}", d.efc_force)
        write(out, f"diagonals_qacc_{cone}", d.qacc)


def record_grains(out):
    """Steps of ellipsoids of millimetres in a fluid."""
    m = mujoco.MjModel.from_xml_path(str(HERE.parents[1] / "models/fluid_small.xml"))
    for integrator in 0, 2, 3:
        m.opt.integrator = integrator
        d = mujoco.MjData(m)
        d.qvel[:] = 0.3 * numpy.sin(1 + numpy.arange(m.nv))
        mujoco.mj_forward(m, d)
        write(out, f"grains_force_{integrator}", d.qfrc_fluid)
        mujoco.mj_step(m, d, 50)
        write(out, f"grains_steps_{integrator}", d.qvel)


def record_compiled(out):
    m = mujoco.MjModel.from_xml_path(str(MODELS / "compiled.xml"))
    names = """body_inertia body_iquat mesh_vert mesh_normal mesh_face mesh_facenormal mesh_facetexcoord mesh_quat mesh_pos
        tendon_actfrclimited actuator_actlimited actuator_ctrllimited actuator_dyntype actuator_dynprm actuator_gainprm
        actuator_biastype actuator_biasprm"""
    for name in names.split():
        write(out, "compiled_" + name, getattr(m, name))


def record_sleep(out):
    """Who sleeps after each of 900 steps, in which a ball hits a pile and something pushes it; the last state."""
    m = mujoco.MjModel.from_xml_path(str(MODELS / "sleep_logs.xml"))
    write(out, "sleep_dof_length", m.dof_length)
    d = mujoco.MjData(m)
    counters, rows = [], []
    for i in range(900):
        if i == 300:
            d.qvel[24] = 5
        d.xfrc_applied[4, 0] = 20 if 700 <= i < 710 else 0
        mujoco.mj_step(m, d)
        counters += list(d.tree_asleep)
        rows.append([d.ncon, d.nefc, d.nv_awake, d.nbody_awake, d.nparent_awake])
    write(out, "sleep_counters", counters)
    write(out, "sleep_sizes", numpy.array(rows).ravel())
    write(out, "sleep_state", numpy.concatenate([d.qpos, d.qvel, d.sensordata]))


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


def discrete_state(m):
    """Away from rest, with controls."""
    d = mujoco.MjData(m)
    mujoco.mj_integratePos(m, d.qpos, 0.02 * numpy.sin(1 + numpy.arange(m.nv)), 1)
    d.qvel[:] = 0.3 * numpy.cos(2 * numpy.arange(m.nv))
    d.ctrl[:] = 0.3 * numpy.sin(3 + numpy.arange(m.nu))
    d.act[:] = 0.2
    return d


def record_discrete(out):
    """Accelerations of discrete steps, and 20 steps; also of flexes."""
    m = mujoco.MjModel.from_xml_path(str(MODELS / "discrete.xml"))
    m.opt.tolerance = 0
    m.opt.iterations = 300
    for solver in range(3):
        for cone in range(2):
            m.opt.solver = solver
            m.opt.cone = cone
            d = discrete_state(m)
            mujoco.mj_forward(m, d)
            write(out, f"discrete_rows_{solver}_{cone}", numpy.concatenate([d.efc_R, d.efc_aref]))
            write(out, f"discrete_smooth_{solver}_{cone}", d.qacc_smooth)
            if solver or not cone:
                write(out, f"discrete_qacc_{solver}_{cone}", d.qacc)
            for _ in range(20):
                mujoco.mj_step(m, d)
            if solver == 2:
                write(out, f"discrete_steps_{cone}", numpy.concatenate([d.qpos, d.qvel, d.act]))
    m = mujoco.MjModel.from_xml_path(str(MODELS / "discrete_flexes.xml"))
    m.opt.tolerance = 0
    m.opt.iterations = 300
    d = mujoco.MjData(m)
    mujoco.mj_integratePos(m, d.qpos, 0.004 * numpy.sin(1 + numpy.arange(m.nv)), 1)
    d.qvel[:] = 0.1 * numpy.cos(2 * numpy.arange(m.nv))
    mujoco.mj_forward(m, d)
    write(out, "discrete_flexes_qacc", d.qacc)
    for _ in range(20):
        mujoco.mj_step(m, d)
    write(out, "discrete_flexes_steps", numpy.concatenate([d.qpos, d.qvel]))


CAPSULES = """<mujoco><worldbody><geom type='capsule' size='.1 .5'/><body><freejoint/><geom type='capsule'
size='.1 .5'/></body></worldbody></mujoco>"""
SPECULATIVE = 432


class Draw:
    """The numbers of tests/collision/speculative/speculative_test.c: a linear congruential generator."""

    def __init__(self, case):
        self.x = 12345 + 1000003 * case

    def real(self, low, high):
        self.x = (1664525 * self.x + 1013904223) % 2**32
        return low + (high - low) * (self.x / 2**32)


def speculative_state(m, d, case):
    """A bullet that flies at a target; returns both geoms. Every third pair is nearly aligned."""
    draw = Draw(case)
    bullet, target = case % 8, 8 + case // 8 % 9
    plane = target == 16
    target = 0 if plane else target + 1  # the world's geoms come first
    bullet += 1
    for g in range(m.ngeom):
        m.geom_contype[g] = m.geom_conaffinity[g] = m.geom_margin[g] = 0
        body = m.geom_bodyid[g]
        m.body_contype[body] = m.body_conaffinity[body] = 0
    for g in bullet, target:
        m.geom_contype[g] = m.geom_conaffinity[g] = 1
        m.body_contype[m.geom_bodyid[g]] = m.body_conaffinity[m.geom_bodyid[g]] = 1
        m.geom_margin[g] = 0.005 if case % 5 == 4 else 0
    d.qpos[:] = m.qpos0
    d.qvel[:] = 0
    tilt = 0.06 if case // 72 % 3 == 0 else 4
    for k, g in enumerate([bullet] if plane else [bullet, target]):
        q, v = 7 * (g - 1), 6 * (g - 1)
        way = [draw.real(-0.5, 0.5), draw.real(-0.5, 0.5), 1]
        for i in range(3):
            d.qpos[q + i] = draw.real(-0.02, 0.02) + (0.45 * way[i] if k == 0 else 0)
            d.qvel[v + i] = -40 * way[i] if k == 0 else draw.real(-5, 5)
            d.qvel[v + 3 + i] = draw.real(-8, 8) if case % 2 else 0
        d.qpos[q + 3] = 1
        for i in range(3):
            d.qpos[q + 4 + i] = tilt * draw.real(-1, 1)
    return bullet, target


def record_speculative(out):
    """Contacts of fast pairs of all shapes: how many, distance, normal, points."""
    m = mujoco.MjModel.from_xml_path(str(MODELS / "speculative.xml"))
    d = mujoco.MjData(m)
    counts, dists, normals, points = [], [], [], []
    for case in range(SPECULATIVE):
        speculative_state(m, d, case)
        mujoco.mj_forward(m, d)
        counts.append(d.ncon)
        for i in range(d.ncon):
            dists.append(d.contact.dist[i])
            normals.extend(d.contact.frame[i][:3])
            points.extend(d.contact.pos[i])
    write(out, "speculative_counts", counts)
    write(out, "speculative_dists", dists)
    write(out, "speculative_normals", normals)
    write(out, "speculative_points", points)


def record_rods(out):
    """Records of bends, places of hinges, and 20 steps of a start in motion."""
    m = mujoco.MjModel.from_xml_string(release_4(MODELS / "rods.xml"))
    adr = list(m.flex_bendingadr)
    write(out, "rods_records", numpy.concatenate([m.flex_bending[a : a + 1 + 10 * int(m.flex_bending[a])] for a in adr]))
    d = mujoco.MjData(m)
    mujoco.mj_integratePos(m, d.qpos, 0.01 * numpy.sin(1 + numpy.arange(m.nv)), 1)
    d.qvel[:] = 0.5 * numpy.cos(2 * numpy.arange(m.nv))
    mujoco.mj_forward(m, d)
    write(out, "rods_spring", d.qfrc_spring)
    write(out, "rods_damper", d.qfrc_damper)
    for _ in range(20):
        mujoco.mj_step(m, d)
    write(out, "rods_steps", numpy.concatenate([d.qpos, d.qvel, d.plastic]))


def record_box_rods(out):
    """Contacts of rods with box sections before and after a step, and faces of the first edge."""
    m = mujoco.MjModel.from_xml_string(release_4(MODELS / "boxrods.xml"))
    d = mujoco.MjData(m)
    mujoco.mj_integratePos(m, d.qpos, 0.01 * numpy.sin(1 + numpy.arange(m.nv)), 1)
    d.qvel[:] = 0.5 * numpy.cos(2 * numpy.arange(m.nv))
    for when in ("first", "later"):
        mujoco.mj_forward(m, d)
        rows = [(*c.geom, *c.flex, *c.elem, *c.vert, c.dist, *c.pos, *c.frame[:3]) for c in d.contact]
        write(out, f"boxrods_{when}", numpy.array(rows, dtype=float))
        write(out, f"boxrods_{when}_vel", d.efc_vel)
        if when == "first":
            scene = mujoco.MjvScene(m, 100)
            mujoco.mjv_updateScene(m, d, mujoco.MjvOption(), None, mujoco.MjvCamera(), 7, scene)
            # Python shows a third of the corners
            write(out, "boxrods_faces", numpy.concatenate([scene.flexface[:108], scene.flexnormal[:108]]))
            sizes = [(g.objid, g.dataid, *g.size) for g in scene.geoms[: scene.ngeom] if g.type == mujoco.mjtGeom.mjGEOM_FLEX]
            write(out, "boxrods_parts", numpy.array(sizes, dtype=float))
        mujoco.mj_step(m, d)


def record_hollow(out):
    """Masses of the nodes of shells, and 20 steps of a start in motion."""
    m = mujoco.MjModel.from_xml_string(release_4(MODELS / "hollow.xml"))
    write(out, "hollow_mass", m.body_mass)
    d = mujoco.MjData(m)
    mujoco.mj_integratePos(m, d.qpos, 0.01 * numpy.sin(1 + numpy.arange(m.nv)), 1)
    d.qvel[:] = 0.1 * numpy.cos(2 * numpy.arange(m.nv))
    mujoco.mj_forward(m, d)
    write(out, "hollow_vertices", d.flexvert_xpos)
    write(out, "hollow_spring", d.qfrc_spring)
    for _ in range(20):
        mujoco.mj_step(m, d)
    write(out, "hollow_steps", numpy.concatenate([d.qpos, d.qvel]))


def record_capsules(out):
    """Contacts of capsules that are parallel or nearly so."""
    m = mujoco.MjModel.from_xml_string(CAPSULES)
    d = mujoco.MjData(m)
    counts, numbers = [], []
    for case in range(240):
        draw = Draw(case)
        m.geom_size[:, :2] = [[draw.real(0.02, 0.2), draw.real(0.02, 1)] for _ in range(2)]
        m.geom_rbound[:] = m.geom_size[:, 0] + m.geom_size[:, 1]
        angle = (0, 1e-9, 1e-6, 1e-5, 9e-5, 1.1e-4, 1e-3, 0.3)[case % 8]
        d.qpos[0] = draw.real(-0.1, 0.1)
        d.qpos[1] = (m.geom_size[0][0] + m.geom_size[1][0]) * draw.real(0.8, 0.98)
        d.qpos[2] = draw.real(-1.1, 1.1) * (m.geom_size[0][1] + m.geom_size[1][1])
        d.qpos[3:] = (1, angle, 0, 0) if case % 3 else (angle, 1, 0, 0)
        mujoco.mj_forward(m, d)
        counts.append(d.ncon)
        for i in range(d.ncon):
            numbers += [d.contact.dist[i], *d.contact.pos[i], *d.contact.frame[i][:3]]
    write(out, "capsules_counts", counts)
    write(out, "capsules_numbers", numbers)


SEARCHES = """<mujoco><option><flag multiccd='disable'/></option><asset><mesh name='wedge'
vertex='0 0 0  .21 .01 .02  .03 .17 -.02  -.02 .04 .19'/><hfield name='h' nrow='4' ncol='4' size='.4 .4 .2 .1'
elevation='.1 .7 .3 .5 .9 .2 .6 .4 .3 .8 .1 .7 .5 .4 .9 .2'/></asset><worldbody><geom type='hfield' hfield='h'/>
<body><freejoint/><geom size='.08'/></body><body><freejoint/><geom type='capsule' size='.06 .1'/></body>
<body><freejoint/><geom type='ellipsoid' size='.05 .1 .15'/></body>
<body><freejoint/><geom type='ellipsoid' size='.12 .04 .09'/></body>
<body><freejoint/><geom type='cylinder' size='.09 .07'/></body>
<body><freejoint/><geom type='cylinder' size='.05 .12'/></body>
<body><freejoint/><geom type='box' size='.06 .1 .08'/></body>
<body><freejoint/><geom type='mesh' mesh='wedge'/></body></worldbody></mujoco>"""
SEARCHED = ((1, 3), (2, 3), (3, 4), (3, 5), (3, 7), (3, 8), (2, 5), (5, 6), (5, 7), (5, 8), (7, 8), (1, 8), (0, 1), (0, 2), (0, 3), (0, 5))


def record_searches(out):
    """Single contacts of pairs of the general search, every other one with a margin."""
    m = mujoco.MjModel.from_xml_string(SEARCHES)
    d = mujoco.MjData(m)
    mujoco.mj_forward(m, d)
    counts, numbers = [], []
    for case in range(320):
        draw, pair = Draw(case), SEARCHED[case % len(SEARCHED)]
        for g in range(m.ngeom):
            m.geom_contype[g] = m.geom_conaffinity[g] = g in pair
            body = m.geom_bodyid[g]
            m.body_contype[body] = m.body_conaffinity[body] = g in pair
        m.geom_margin[:] = 0.01 * (case // len(SEARCHED) % 2)
        for g in range(1, m.ngeom):
            d.geom_xpos[g] = [draw.real(-0.09, 0.09) for _ in range(3)]
            d.geom_xpos[g][2] += 0.15 if pair[0] == 0 else 0
            w, x, y, z = (draw.real(-1, 1) for _ in range(4))
            n = 2 / (w * w + x * x + y * y + z * z)  # the search is sensitive to the last digit of what follows
            d.geom_xmat[g] = [
                *(1 - n * (y * y + z * z), n * (x * y - w * z), n * (x * z + w * y)),
                *(n * (x * y + w * z), 1 - n * (x * x + z * z), n * (y * z - w * x)),
                *(n * (x * z - w * y), n * (y * z + w * x), 1 - n * (x * x + y * y)),
            ]
        mujoco.mj_collision(m, d)
        counts.append(d.ncon)
        for i in range(d.ncon):
            numbers += [d.contact.dist[i], *d.contact.pos[i], *d.contact.frame[i][:3]]
    write(out, "searches_counts", counts)
    write(out, "searches_numbers", numbers)


CLOTH = """<mujoco><worldbody><body><freejoint/><geom type='capsule' size='.06 .08'/></body><flexcomp name='f' type='grid' dim='2'
count='2 2 1' spacing='.2 .2 .1' radius='.01' mass='1'><contact selfcollide='none' margin='.005'/></flexcomp></worldbody></mujoco>"""


def record_cloth(out):
    """Contacts of a capsule with two triangles."""
    m = mujoco.MjModel.from_xml_string(CLOTH)
    d = mujoco.MjData(m)
    counts, numbers = [], []
    for case in range(60):
        draw = Draw(case)
        d.qpos[:3] = [draw.real(-0.12, 0.12) for _ in range(3)]
        d.qpos[3:7] = [draw.real(-1, 1) for _ in range(4)]
        d.qpos[7:] = [draw.real(-0.01, 0.01) for _ in range(m.nq - 7)]
        mujoco.mj_normalizeQuat(m, d.qpos)
        mujoco.mj_forward(m, d)
        counts.append(d.ncon)
        for i in range(d.ncon):
            numbers += [d.contact.dist[i], *d.contact.pos[i], *d.contact.frame[i][:3]]
    write(out, "cloth_counts", counts)
    write(out, "cloth_numbers", numbers)


FIELDS = """<mujoco><option sdf_initpoints='8'/><asset><mesh name='a' builtin='supersphere' params='5 .8 1.2' scale='.3 .25 .2'/>
<mesh name='b' builtin='hemisphere' params='2' scale='.3 .3 .4'/></asset><default><geom conaffinity='0'/></default><worldbody>
<body><freejoint/><geom type='mesh' mesh='a'/></body><body><freejoint/><geom type='capsule' size='.1 .2'/></body>
<body><freejoint/><geom type='box' size='.1 .2 .15'/></body><body><freejoint/><geom type='sdf' mesh='a'/></body>
<body><freejoint/><geom type='sdf' mesh='b' conaffinity='1' pos='.1 0 0'/></body></worldbody></mujoco>"""


def record_fields(out):
    """Contacts of signed distance fields; quaternions are not normalised beforehand, as others do that in another order."""
    m = mujoco.MjModel.from_xml_string(FIELDS)
    d = mujoco.MjData(m)
    counts, numbers = [], []
    for case in range(24):
        draw = Draw(case)
        for body in range(m.nq // 7):
            d.qpos[7 * body : 7 * body + 3] = [draw.real(-0.2, 0.2) for _ in range(3)]
            d.qpos[7 * body + 3 : 7 * body + 7] = [draw.real(-1, 1) for _ in range(4)]
        mujoco.mj_kinematics(m, d)
        mujoco.mj_comPos(m, d)
        mujoco.mj_collision(m, d)
        counts.append(d.ncon)
        for i in range(d.ncon):
            numbers += [d.contact.dist[i], *d.contact.pos[i], *d.contact.frame[i][:3]]
    write(out, "fields_counts", counts)
    write(out, "fields_numbers", numbers)


with open(HERE / "numbers.txt", "w") as file:
    record_fields(file)
    record_cloth(file)
    record_searches(file)
    record_capsules(file)
    record_speculative(file)
    record_scaling(file)
    record_servos(file)
    record_stack(file)
    record_diagonals(file)
    record_grains(file)
    record_compiled(file)
    record_terms(file)
    record_history(file)
    record_sides(file)
    record_rules(file)
    record_surfaces(file)
    record_touching(file)
    record_polygons(file)
    record_ring(file)
    record_plastic(file)
    record_inputs(file)
    record_enclosed(file)
    record_skin_touch(file)
    record_sleep(file)
    record_flexes(file)
    record_discrete(file)
    record_rods(file)
    record_box_rods(file)
    record_hollow(file)
