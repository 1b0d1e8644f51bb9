"""Programs on models, data and functions."""

import copy
import pickle

import mujoco
import numpy as np

XML = """<mujoco><option timestep=".002"><flag energy="enable"/></option>
<asset><texture name="t" type="2d" builtin="flat" width="4" height="4"/>
<material name="q" texture="t"/></asset>
<worldbody><geom name="f" type="plane" size="1 1 .1"/><light name="l" castshadow="false"/>
<camera name="c" pos="0 -2 1" xyaxes="1 0 0 0 0 1"/>
<body name="b" pos="0 0 1"><joint name="j" axis="0 1 0" damping=".1" range="-1 1" limited="true"/>
<geom name="g" type="capsule" fromto="0 0 0 0 0 .5" size=".05" material="q"/>
<site name="s" pos="0 0 .5"/>
<body name="e" pos="0 0 .5"><joint name="k" axis="0 1 0"/><geom name="h" size=".1"/></body></body>
<body name="free" pos="1 0 .099"><freejoint name="r"/><geom name="ball" size=".1"/></body>
</worldbody>
<equality><joint name="eq" joint1="j" active="false"/></equality>
<tendon><fixed name="ten"><joint joint="j" coef="2"/></fixed></tendon>
<actuator><motor name="a" joint="j" ctrlrange="-1 1"/></actuator>
<sensor><jointpos name="se" joint="j"/></sensor>
<keyframe><key name="key" qpos=".3 0 1 0 1 1 0 0 0"/></keyframe></mujoco>"""
S = mujoco.mjtState


def _made():
    m = mujoco.MjModel.from_xml_string(XML)
    return m, mujoco.MjData(m)


def _show(*arrays):
    for array in arrays:
        array = np.asarray(array)
        print(array.dtype, array.shape, (np.round(np.ravel(array).astype(float), 9) + 0).tolist())


def versions():
    print(mujoco.__version__, mujoco.mj_versionString(), mujoco.mj_version())
    print(mujoco.mjVERSION_HEADER, mujoco.MJTNUM_DTYPE is np.float64, mujoco.MJTNUM_BYTES)


def constants():
    print(mujoco.mjNPOLY, mujoco.mjMINAWAKE, mujoco.mjSC_IN, mujoco.mjSC_OUT, mujoco.mjSC_INOUT)
    print(mujoco.mjDISABLESTRING[-1], mujoco.mjENABLESTRING[4], mujoco.mjRNDSTRING[7])


def flags_are_booleans():
    m, d = _made()
    for array in (m.jnt_limited, m.light_castshadow, m.eq_active0, d.eq_active, d.bvh_active):
        print(array.dtype)
    print(m.body_sameframe.dtype, m.geom_sameframe.dtype, m.joint("j").limited, m.light("l").active)
    m.jnt_limited[0] = 2
    print(m.jnt_limited, ~m.jnt_limited, m.jnt_limited.view(np.uint8))
    print(type(m.flg_gravcomp), m.flg_adhesion)


def booleans_do_not_subtract():
    m, _ = _made()
    print(m.jnt_limited - m.jnt_limited)


def structs_are_assigned():
    m, _ = _made()
    opt, gravity = m.opt, m.opt.gravity
    other = mujoco.MjOption()
    other.gravity[2] = -1
    m.opt = other
    print(m.opt is opt, gravity[2], m.opt.timestep)
    other.timestep = 5
    print(m.opt.timestep)
    m.stat = mujoco.MjStatistic()
    m.vis.headlight = m.vis.headlight
    print(m.stat.extent)


def nothing_is_no_option():
    m, _ = _made()
    m.opt = None


def state_bits():
    m, d = _made()
    print([(k, int(v)) for k, v in S.__members__.items()])
    for bits in (S.mjSTATE_CTRL, S.mjSTATE_FULLPHYSICS, S.mjSTATE_INTEGRATION, S.mjSTATE_USER, 64):
        print(mujoco.mj_stateSize(m, bits))
    d.ctrl[0], d.qpos[0] = 0.5, 0.25
    state = np.zeros(mujoco.mj_stateSize(m, S.mjSTATE_CTRL | S.mjSTATE_QPOS))
    mujoco.mj_getState(m, d, state, S.mjSTATE_CTRL | S.mjSTATE_QPOS)
    _show(state)
    mujoco.mj_setState(m, d, [0.75], S.mjSTATE_CTRL)
    print(d.ctrl)
    part = np.zeros(1)
    mujoco.mj_extractState(m, state, S.mjSTATE_CTRL | S.mjSTATE_QPOS, part, S.mjSTATE_CTRL)
    print(part)
    other = mujoco.MjData(m)
    mujoco.mj_copyState(m, d, other, S.mjSTATE_CTRL)
    print(other.ctrl, other.qpos[0])


def too_many_state_bits():
    m, _ = _made()
    try:
        mujoco.mj_stateSize(m, 1 << 15)
    except mujoco.FatalError:
        print("FatalError")


def flags_of_the_option():
    m, _ = _made()
    E, D = mujoco.mjtEnableBit, mujoco.mjtDisableBit
    print(m.opt.enableflags == E.mjENBL_ENERGY)
    m.opt.enableflags |= E.mjENBL_FWDINV | E.mjENBL_DIAGEXACT
    m.opt.disableflags |= D.mjDSBL_MULTICCD | D.mjDSBL_CONTACT
    print(m.opt.enableflags, m.opt.disableflags)
    m.opt.disableflags &= ~int(D.mjDSBL_MULTICCD)
    print(m.opt.disableflags)


def warnings():
    m, d = _made()
    print(len(d.warning), d.warning.number)
    d.qvel[0] = np.nan
    mujoco.mj_step(m, d)
    print(d.warning[mujoco.mjtWarning.mjWARN_BADQVEL].number, d.warning.number)


def a_scene():
    m, d = _made()
    scene = mujoco.MjvScene(m, 100)
    print(scene.flags.tolist(), scene.flags.dtype)
    F = mujoco.mjtRndFlag
    scene.flags[F.mjRND_SEGMENT] = 1
    scene.flags[F.mjRND_CULL_FACE] = 0
    print(scene.flags.tolist())
    camera = mujoco.MjvCamera()
    mujoco.mjv_updateScene(m, d, mujoco.MjvOption(), None, camera, 7, scene)
    print(scene.ngeom)


def cameras():
    m, d = _made()
    mujoco.mj_forward(m, d)
    camera = mujoco.MjvCamera()
    mujoco.mjv_moveCamera(m, mujoco.mjtMouse.mjMOUSE_ZOOM, 0, 0.1, camera)
    _show(camera.distance)
    camera.type, camera.fixedcamid = mujoco.mjtCamera.mjCAMERA_FIXED, 0
    head, forward, up, right = np.zeros((4, 3))
    mujoco.mjv_cameraFrame(head, forward, up, right, d, camera)
    _show(head, forward, up, right)
    ver, hor, clip = np.zeros((3, 2), np.float32)
    mujoco.mjv_cameraFrustum(ver, hor, clip, m, camera)
    _show(ver, hor)
    print(type(mujoco.mjv_camera2GLCamera(m, d, camera)).__name__)


def rays():
    m, d = _made()
    mujoco.mj_forward(m, d)
    geomid, normal = np.zeros(1, np.int32), np.zeros(3)
    start, down = np.array([1.0, 0.05, 3]), np.array([0.0, 0, -1])
    _show(mujoco.mj_ray(m, d, start, down, None, 1, -1, geomid), geomid)
    _show(mujoco.mj_ray(m, d, start, down, None, True, -1, None, normal), normal)
    _show(mujoco.mj_ray(m, d, start, down, None, 1, -1, geomid, normal=normal))
    _show(mujoco.mj_ray(m, d, start, down, None, False, -1, geomid=None))
    pos, mat, size = np.zeros(3), np.eye(3).ravel(), np.array([0.1, 0.2, 0.3])
    box = mujoco.mjtGeom.mjGEOM_BOX
    _show(mujoco.mju_rayGeom(pos, mat, size, np.array([0, 0, 2.0]), down, box, normal), normal)
    _show(mujoco.mju_rayGeom(pos, mat, size, np.array([0, 0, 2.0]), down, box))


def many_rays():
    m, d = _made()
    mujoco.mj_forward(m, d)
    vec = np.array([[0.0, 0, -1], [0, 0, 1]])
    ids, dist, normal = np.zeros(2, np.int32), np.zeros(2), np.zeros(6)
    pnt = np.array([1.0, 0, 3])
    mujoco.mj_multiRay(m, d, pnt, vec.ravel(), None, 1, -1, ids, dist, normal, 2, 100.0)
    _show(ids, dist, normal)
    mujoco.mj_multiRay(m, d, pnt, vec.ravel(), None, 1, -1, ids, dist, None, 2, 100.0)
    _show(dist)
    mujoco.mj_multiRay(
        m, d, pnt, vec.ravel(), None, 1, -1, geomid=ids, dist=dist, normal=None, nray=2, cutoff=9
    )
    _show(dist)


def many_rays_of_a_wrong_size():
    m, d = _made()
    ids, dist, normal = np.zeros(2, np.int32), np.zeros(2), np.zeros(5)
    mujoco.mj_multiRay(m, d, np.zeros(3), np.ones(6), None, 1, -1, ids, dist, normal, 2, 100.0)


def the_inertia_matrix():
    m, d = _made()
    mujoco.mj_forward(m, d)
    dense = np.zeros((m.nv, m.nv))
    mujoco.mj_fullM(m, d, dense)
    _show(dense[:2, :2])


def data_of_named_objects():
    m, d = _made()
    mujoco.mj_forward(m, d)
    _show(d.body("b").xiquat, d.geom("g").xquat, d.site("s").xquat)
    _show(d.actuator("a").ctrl, d.actuator("a").moment, d.actuator("a").length)
    _show(m.joint("j").dampingpoly, m.joint("j").stiffnesspoly, m.geom("g").castshadow)
    _show(d.joint("k").cdof, d.tendon("ten").length)


def copied_data():
    m, d = _made()
    d.qpos[0] = 0.5
    other = mujoco.MjData(m)
    mujoco.mj_copyData(other, m, d)
    print(other.qpos[0], copy.copy(d).qpos[0], pickle.loads(pickle.dumps(d)).qpos[0])


def parts_of_a_step():
    m, d = _made()
    d.qpos[0] = 0.2
    mujoco.mj_fwdKinematics(m, d)
    _show(d.site_xpos[0])
    d.ctrl[0] = 3
    mujoco.mj_resetCtrl(m, d)
    print(d.ctrl, mujoco.mj_maxContact(m, 0, 1, False), mujoco.mj_insideSite(m, d, 0, np.zeros(3)))
    print(mujoco.mj_actuatorInputName(m, 0, 0))


def embedded():
    m, _ = _made()
    print(type(mujoco.mj_embedAssets(m)).__name__, mujoco.mj_embedAssets(m).ngeom)


def islands():
    m, d = _made()
    mujoco.mj_forward(m, d)
    print(d.nisland, d.tree_island, d.island_ntree[:1], d.ncon)
    print(d.contact.adhesion, d.contact.surfacevel.shape, d.contact[0].adhesion)


def what_constants_depend_on():
    m = mujoco.MjModel
    print(m._setconst_groups, len(m._setconst_fields), len(m._setconst_inputs))
    print(m._setconst_outputs[:3], m._setconst_scalars, "body_mass" in m._setconst_inputs)


def a_trained_log():
    config = mujoco.MjLogConfig.get()
    print(config.logto_console, config.logfile, config.topics)


def derivatives():
    m, d = _made()
    A, B = np.zeros((2 * m.nv, 2 * m.nv)), np.zeros((2 * m.nv, m.nu))
    mujoco.mjd_transitionFD(m, d, 1e-6, True, A, B, None, None)
    _show(np.round(B[m.nv], 6))


def enums():
    K = mujoco.mjtMouse
    print(list(K.__members__), mujoco.mjtSleepPolicy(3), mujoco.mjtRayDataField.mjRAYDATA_NORMAL)
    print(mujoco.mjtState(64), mujoco.mjtProjection.mjPROJ_PERSPECTIVE.value)
    print(mujoco.mjtWarning.mjWARN_BADQPOS | 0, mujoco.mjrPixelFormat.mjPIXEL_FORMAT_KTX)


def keyframes_and_steps():
    m, d = _made()
    mujoco.mj_resetDataKeyframe(m, d, 0)
    for _ in range(10):
        mujoco.mj_step(m, d)
    _show(d.qpos[:2], d.sensordata, d.time)


def equality_data():
    m = mujoco.MjModel.from_xml_string("""<mujoco><worldbody><body name="a"><freejoint/>
<geom size=".1"/></body><body name="b" pos="1 0 1"><freejoint/><geom size=".1"/></body></worldbody>
<equality><weld name="w" body1="a" body2="b"/><weld body1="a" relpose="0 1 0 1 0 0 0"/>
<connect body1="a" body2="b" anchor="0 0 0"/></equality></mujoco>""")
    _show(m.eq_data, m.equality("w").data)
    m.eq_data[2, :3] = 1, 2, 3
    m.equality("w").data[10] = 0.5
    m.eq_data[1, 11] = 1
    m.qpos0[7] = 2
    mujoco.mj_setConst(m, mujoco.MjData(m))
    _show(m.eq_data)
    m.eq_data = 0
    _show(m.eq_data)


def actuators_by_name():
    m = mujoco.MjModel.from_xml_string("""<mujoco><worldbody><body><joint name="j"/>
<geom size=".1"/></body></worldbody><actuator><motor joint="j"/><position name="p" joint="j"
timeconst=".1"/><damper name="d" joint="j" kv="1" ctrlrange="0 1"/></actuator></mujoco>""")
    for name in "pd":
        a = m.actuator(name)
        _show(a.dyntype, a.gaintype, a.biastype)
    m.actuator("p").dyntype[0] = mujoco.mjtDyn.mjDYN_FILTER
    m.actuator("d").gaintype = mujoco.mjtGain.mjGAIN_FIXED
    _show(m.actuator_dyntype, m.actuator_gaintype)


def numbers():
    print(mujoco.mju_round(-2.5), mujoco.mju_round(-0.5), mujoco.mju_round(1.5))
    matrix = np.array([[4.0, 1, 2], [1, 0.25, 0.7], [2, 0.7, 5]])
    print(mujoco.mju_cholFactor(matrix, 1e-6))
    _show(matrix)
    vectors, quat, value = np.zeros(9), np.zeros(4), np.zeros(3)
    small = np.array([3e-7, 1e-8, 2e-8, 1e-8, 4e-7, 3e-9, 2e-8, 3e-9, 5e-7])
    mujoco.mju_eig3(value, vectors, quat, small)
    _show(vectors)
