// Kinematics: from joint coordinates to the pose of every body and everything attached to it.
//                                                          theory/smooth/kinematics.md, Joint poses
//
// A body starts at its offset from the parent; each of its joints then moves the frame
// left by the joint before it:
//
//   slide   x += a (q - q0)                a = joint axis as turned so far
//   hinge   Q <- Q turn(axis, q - q0)      the anchor stays where it is: x = anchor - Q pos
//   ball    Q <- Q q                       the same
//   free    x, Q are the coordinates themselves
//
// Quaternions in qpos are normalised in copies, never in place.
//
// Products of quaternions are rounded in one of two orders (quat_simd.h), `order`, which is a
// constant wherever it is read: by the behaviour gjkepa it is that of release 4.0, so that shapes
// whose contacts rounding decides fall on its side.

#pragma STDC FP_CONTRACT OFF  // what cancels must be exactly zero, or sparse rows get more entries

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <mujoco/api/smooth.h>

#include "base/algebra/matrix_simd.h"
#include "base/algebra/quat_simd.h"
#include "base/algebra/simd.h"
#include "base/algebra/vec.h"
#include "base/memory/check.h"
#include "base/transmission.h"
#include "model/behaviour.h"
#include "model/checks/pair.h"
#include "model/data/arena.h"
#include "model/data/share.h"
#include "model/data/tree_runs.h"
#include "smooth/alike/alike.h"
#include "smooth/fluid.h"
#include "smooth/kinematics.h"
#include "smooth/sincos.h"
#include "smooth/wake.h"

// Sine and cosine of half the angle of every hinge, computed together beforehand if there are any;
// other joints have angle 0. The first one is that of joint `first`.
typedef struct {
  const mjtNum* sine;
  const mjtNum* cosine;
  int first;
} Turns;

static Turns hinge_turns(const mjModel* m, mjData* d, const AwakeRun* run) {
  int njnt = run->joint_end - run->joint;
  int n = (njnt + SINCOS_BLOCK - 1) / SINCOS_BLOCK * SINCOS_BLOCK, turns = 0;
  mjtNum* half = arena_num(d, 3 * n);
  for (int k = 0; k < njnt; k++) {
    int j = run->joint + k, adr = m->jnt_qposadr[j], is_hinge = m->jnt_type[j] == mjJNT_HINGE;
    half[k] = is_hinge ? (d->qpos[adr] - m->qpos0[adr]) / 2 : 0;
    turns += is_hinge;
  }
  for (int k = njnt; k < n; k++) {
    half[k] = 0;
  }
  if (turns) {
    sincos_many(half + n, half + 2 * n, half, n);
  }
  return (Turns){half + n, half + 2 * n, run->joint};
}

// The frame of the body being computed; its rotation stays in a register.
typedef struct {
  mjtNum x[3];
  Simd4 q;
} Frame;

// Applies one slide, hinge or ball joint to the frame of its body. Stores axis and anchor as they
// are before the joint's own motion.
// Also lane_joint_move in lanes/dynamics/frames.h and alike_joint_move in smooth/alike/frames.c.
INLINE void joint_move(Frame* frame, const mjModel* m, mjData* d, const Turns* turns, int joint,
                       QuatOrder order) {
  const mjtNum *axis = m->jnt_axis + 3 * joint, *pos = m->jnt_pos + 3 * joint;
  const mjtNum* qpos = d->qpos + m->jnt_qposadr[joint];
  mjtNum *anchor = d->xanchor + 3 * joint, t[3];
  int type = m->jnt_type[joint], off = !v3_iszero(pos);
  v3_copy(t, frame->x);
  if (off) {
    mjtNum arm[3];
    quat4_turn(arm, &frame->q, pos);
    v3_addto(t, arm);
  }
  v3_copy(anchor, t);
  quat4_turn(t, &frame->q, axis);
  v3_copy(d->xaxis + 3 * joint, t);
  if (type == mjJNT_SLIDE) {
    v3_addtoscl(frame->x, t, qpos[0] - m->qpos0[m->jnt_qposadr[joint]]);
    return;
  }

  Simd4 turn;
  if (type == mjJNT_HINGE) {
    mjtNum sine = turns->sine[joint - turns->first];
    turn = (Simd4){turns->cosine[joint - turns->first], axis[0] * sine, axis[1] * sine,
                   axis[2] * sine};
  } else {
    turn = SIMD_READ(Simd4, qpos);
    quat4_normalize(&turn, order);
  }
  quat4_mul(&frame->q, &frame->q, &turn, order);
  if (off) {
    quat4_turn(t, &frame->q, pos);
    v3_sub(frame->x, anchor, t);
  }
}

// The frame of a body before its joints move it.
INLINE void offset_frame(Frame* frame, const mjModel* m, const mjData* d, int body,
                         QuatOrder order) {
  int parent = m->body_parentid[body], mocap = m->body_mocapid[body];
  const mjtNum* pos = m->body_pos + 3 * body;
  Simd4 quat = SIMD_READ(Simd4, m->body_quat + 4 * body);
  if (mocap >= 0) {
    pos = d->mocap_pos + 3 * mocap;
    quat = SIMD_READ(Simd4, d->mocap_quat + 4 * mocap);
    quat4_normalize(&quat, order);
  }
  v3_toworld(frame->x, pos, d->xpos + 3 * parent, d->xmat + 9 * parent);
  frame->q = SIMD_READ(Simd4, d->xquat + 4 * parent);
  quat4_mul(&frame->q, &frame->q, &quat, order);
}

// Pose of a body, with its rotation matrix.
INLINE void body_frame(mjtNum x[3], Simd4* q, mjtNum R[9], const mjModel* m, mjData* d,
                       const Turns* turns, int body, QuatOrder order) {
  int joint = m->body_jntadr[body], last = joint + m->body_jntnum[body] - 1;
  if (last == joint && m->jnt_type[joint] == mjJNT_FREE) {
    const mjtNum* qpos = d->qpos + m->jnt_qposadr[joint];
    v3_copy(x, qpos);
    v3_copy(d->xanchor + 3 * joint, qpos);
    v3_copy(d->xaxis + 3 * joint, m->jnt_axis + 3 * joint);
    *q = SIMD_READ(Simd4, qpos + 3);
  } else {
    Frame frame;
    offset_frame(&frame, m, d, body, order);
    for (int j = joint; j <= last; j++) {
      joint_move(&frame, m, d, turns, j, order);
    }
    v3_copy(x, frame.x);
    *q = frame.q;
  }
  quat4_normalize(q, order);
  quat4_tomat(R, q, order);
}

// Pose of a frame attached to a body at (pos, quat). If its sameframe flag says that it equals
// another frame, it copies that one and ignores any tiny offset, as in MuJoCo.
//                                                      theory/smooth/kinematics.md, Attached frames
INLINE void attached_point(mjtNum xpos[3], const mjData* d, const mjtNum pos[3], int body,
                           int sameframe) {
  if (sameframe == mjSAMEFRAME_BODY) {
    v3_copy(xpos, d->xpos + 3 * body);
  } else if (sameframe == mjSAMEFRAME_INERTIA) {
    v3_copy(xpos, d->xipos + 3 * body);
  } else {
    v3_toworld(xpos, pos, d->xpos + 3 * body, d->xmat + 9 * body);
  }
}

INLINE void attached_turn(mjtNum xmat[9], mjtNum xquat[4], const mjData* d, const mjtNum quat[4],
                          int body, int sameframe, QuatOrder order) {
  Simd4 q;
  if (sameframe == mjSAMEFRAME_NONE) {
    mjtNum R[9];
    q = SIMD_READ(Simd4, d->xquat + 4 * body);
    quat4_mul(&q, &q, &SIMD_READ(Simd4, quat), order);
    quat4_tomat(R, &q, order);
    m3_copy(xmat, R);
  } else {
    int inertial = sameframe == mjSAMEFRAME_INERTIA || sameframe == mjSAMEFRAME_INERTIAROT;
    const mjtNum* R = (inertial ? d->ximat : d->xmat) + 9 * body;
    Simd4 four = SIMD_READ(Simd4, R), next = SIMD_READ(Simd4, R + 4);
    mjtNum last = R[8];
    q = SIMD_READ(Simd4, (inertial ? d->xiquat : d->xquat) + 4 * body);
    SIMD_AT(Simd4, xmat) = four;
    SIMD_AT(Simd4, xmat + 4) = next;
    xmat[8] = last;
  }
  SIMD_AT(Simd4, xquat) = q;
}

void mj_local2Global(mjData* d, mjtNum xpos[3], mjtNum xmat[9], const mjtNum pos[3],
                     const mjtNum quat[4], int body, mjtByte sameframe) {
  check_given(d);
  if (body < 0) {
    mju_error("mj_local2Global: body is %d, must be the id of one", body);
    return;
  }
  if (pos && xpos) {
    attached_point(xpos, d, pos, body, sameframe);
  }
  if (quat && xmat) {
    mjtNum xquat[4];
    attached_turn(xmat, xquat, d, quat, body, sameframe, QUAT_IN_TURN);
  }
}

// The inertial frame of a body, from the body's frame and matrix.
INLINE void inertial_frame(mjtNum xpos[3], mjtNum xmat[9], mjtNum xquat[4], const mjtNum x[3],
                           const Simd4* q, const mjtNum R[9], const mjtNum pos[3],
                           const mjtNum quat[4], int sameframe, QuatOrder order) {
  if (sameframe == mjSAMEFRAME_BODY) {
    v3_copy(xpos, x);
  } else {
    v3_toworld(xpos, pos, x, R);
  }
  if (sameframe == mjSAMEFRAME_NONE) {
    mjtNum Ri[9];
    Simd4 qi;
    quat4_mul(&qi, q, &SIMD_READ(Simd4, quat), order);
    quat4_tomat(Ri, &qi, order);
    m3_copy(xmat, Ri);
    SIMD_AT(Simd4, xquat) = qi;
  } else {
    m3_copy(xmat, R);
    SIMD_AT(Simd4, xquat) = *q;
  }
}

INLINE void body_frames(const mjModel* m, mjData* d, const Turns* turns, const AwakeRun* run,
                        QuatOrder order) {
  for (int i = int_max(1, run->body); i < run->body_end; i++) {
    mjtNum x[3], R[9];
    Simd4 q;
    body_frame(x, &q, R, m, d, turns, i, order);
    v3_copy(d->xpos + 3 * i, x);
    SIMD_AT(Simd4, d->xquat + 4 * i) = q;
    m3_copy(d->xmat + 9 * i, R);
    inertial_frame(d->xipos + 3 * i, d->ximat + 9 * i, d->xiquat + 4 * i, x, &q, R,
                   m->body_ipos + 3 * i, m->body_iquat + 4 * i, m->body_sameframe[i], order);
  }
}

// The geoms and sites [begin, end) whose frames are computed.
typedef struct {
  int geom, geom_end;
  int site, site_end;
} Attached;

// Whether forces may depend on frames of geoms.
static int geoms_act(const mjModel* m) {
  int contacts = !(m->opt.disableflags & (mjDSBL_CONSTRAINT | mjDSBL_CONTACT));
  return contacts || m->nwrap || m->nflex || fluid_is_active(m);
}

static int sites_act(const mjModel* m) {
  int act = m->nwrap || m->neq;
  for (int i = 0; i < (int)m->nactuator; i++) {
    act |= transmission_on_site(m->actuator_trntype[i]);
  }
  return act;
}

// Geoms and sites of the world body come first, so a range can leave them out.
static Attached attached_range(const mjModel* m, int left_out) {
  Attached range = {0, m->ngeom, 0, m->nsite};
  if (left_out) {
    int geoms = m->body_geomnum[0], sites = 0;
    while (sites < m->nsite && !m->site_bodyid[sites]) {
      sites++;
    }
    if (left_out & FRAMES_IDLE) {
      range.geom_end = geoms_act(m) ? m->ngeom : geoms;
      range.site_end = sites_act(m) ? m->nsite : sites;
    }
    if (left_out & FRAMES_FIXED) {
      range.geom = geoms;
      range.site = sites;
    }
  }
  return range;
}

// Frames attached to bodies: geoms or sites.
typedef struct {
  const int* body;
  const mjtByte* sameframe;
  const mjtNum *pos, *quat;
  mjtNum *xpos, *xmat, *xquat;
} AttachedFrames;

// The frame of a body in registers, its rotation by columns; last lanes are not used.
typedef struct {
  int body;
  Simd4 column[3], x;
} Carrier;

INLINE void carrier_load(Carrier* c, const mjData* d, int body) {
  const mjtNum* x = d->xpos + 3 * body;
  c->body = body;
  simd4_columns(c->column, d->xmat + 9 * body);
  c->x = (Simd4){x[0], x[1], x[2], x[2]};
}

// Computes the frames [i, end) as attached_point and attached_turn do. Consecutive frames are
// often on one body (a Lego brick has a hundred geoms and sites), so the body's frame stays in
// registers.
INLINE void attached_run(const AttachedFrames* f, const mjData* d, int i, int end,
                         QuatOrder order) {
  Carrier c = {.body = -1};
  for (; i < end; i++) {
    int body = f->body[i], sameframe = f->sameframe[i];
    mjtNum* xpos = f->xpos + 3 * i;
    attached_turn(f->xmat + 9 * i, f->xquat + 4 * i, d, f->quat + 4 * i, body, sameframe, order);
    if (sameframe == mjSAMEFRAME_INERTIA) {
      v3_copy(xpos, d->xipos + 3 * body);
      continue;
    }
    if (body != c.body) {
      carrier_load(&c, d, body);
    }
    Simd4 x = c.x;
    if (sameframe != mjSAMEFRAME_BODY) {
      const mjtNum* p = f->pos + 3 * i;
      x += c.column[0] * p[0] + c.column[1] * p[1] + c.column[2] * p[2];
    }
    v3_set(xpos, x[0], x[1], x[2]);
  }
}

INLINE void attached_frames(const mjModel* m, mjData* d, const Attached* range, const AwakeRun* run,
                            QuatOrder order) {
  AttachedFrames geoms = {m->geom_bodyid, m->geom_sameframe, m->geom_pos,  m->geom_quat,
                          d->geom_xpos,   d->geom_xmat,      d->geom_xquat};
  AttachedFrames sites = {m->site_bodyid, m->site_sameframe, m->site_pos,  m->site_quat,
                          d->site_xpos,   d->site_xmat,      d->site_xquat};
  attached_run(&geoms, d, int_max(range->geom, run->geom), int_min(range->geom_end, run->geom_end),
               order);
  attached_run(&sites, d, int_max(range->site, run->site), int_min(range->site_end, run->site_end),
               order);
}

static KERNEL void all_frames(const mjModel* m, mjData* d, const Turns* turns,
                              const Attached* range, const AwakeRun* run) {
  body_frames(m, d, turns, run, QUAT_IN_TURN);
  attached_frames(m, d, range, run, QUAT_IN_TURN);
}

static KERNEL void all_frames_in_pairs(const mjModel* m, mjData* d, const Turns* turns,
                                       const Attached* range, const AwakeRun* run) {
  body_frames(m, d, turns, run, QUAT_IN_PAIRS);
  attached_frames(m, d, range, run, QUAT_IN_PAIRS);
}

// The same in parts: bodies by trees, then geoms and sites, which read all of a body's frame at
// once, and some of the next one.
typedef struct {
  const mjModel* m;
  mjData* d;
  const Turns* turns;
  const Attached* range;
  const AwakeRun* run;
} Frames;

static KERNEL void some_bodies(void* argument, const AwakeRun* part) {
  const Frames* s = argument;
  body_frames(s->m, s->d, s->turns, part, QUAT_IN_TURN);
}

static KERNEL void some_bodies_in_pairs(void* argument, const AwakeRun* part) {
  const Frames* s = argument;
  body_frames(s->m, s->d, s->turns, part, QUAT_IN_PAIRS);
}

// The geoms and sites [begin, end) of a run, counted as one row.
INLINE AwakeRun attached_part(const AwakeRun* run, int begin, int end) {
  AwakeRun part = *run;
  int geoms = part.geom_end - part.geom, last = int_min(geoms, end);
  part.site_end = part.site + int_max(end - geoms, 0);
  part.site += int_max(begin - geoms, 0);
  part.geom_end = part.geom + last;
  part.geom += int_min(geoms, begin);
  return part;
}

static KERNEL void some_attached(void* argument, int begin, int end) {
  const Frames* s = argument;
  AwakeRun part = attached_part(s->run, begin, end);
  attached_frames(s->m, s->d, s->range, &part, QUAT_IN_TURN);
}

static KERNEL void some_attached_in_pairs(void* argument, int begin, int end) {
  const Frames* s = argument;
  AwakeRun part = attached_part(s->run, begin, end);
  attached_frames(s->m, s->d, s->range, &part, QUAT_IN_PAIRS);
}

static void shared_attached(const mjModel* m, mjData* d, const Attached* range, const AwakeRun* run,
                            QuatOrder order) {
  const int piece = 128;  // geoms or sites
  Frames all = {m, d, NULL, range, run};
  int n = run->geom_end - run->geom + run->site_end - run->site;
  share_for(d, n, piece, order == QUAT_IN_PAIRS ? some_attached_in_pairs : some_attached, &all);
}

static void shared_frames(const mjModel* m, mjData* d, const Turns* turns, const Attached* range,
                          const AwakeRun* run, QuatOrder order) {
  Frames all = {m, d, turns, range, run};
  run_share(m, d, run, order == QUAT_IN_PAIRS ? some_bodies_in_pairs : some_bodies, &all);
  shared_attached(m, d, range, run, order);
}

static void run_frames(const mjModel* m, mjData* d, const Attached* range, const AwakeRun* run,
                       QuatOrder order) {
  size_t top = arena_top(d);
  Turns turns = hinge_turns(m, d, run);
  if (run_is_cut(d, run)) {
    shared_frames(m, d, &turns, range, run, order);
  } else if (order == QUAT_IN_PAIRS) {
    all_frames_in_pairs(m, d, &turns, range, run);
  } else {
    all_frames(m, d, &turns, range, run);
  }
  arena_pop(d, top);
}

// Trees of the same shape, side by side.
typedef struct {
  const mjModel* m;
  mjData* d;
  int geoms;
  QuatOrder order;
} GroupFrames;

static void groups_frames(void* argument, const TreeGroups* groups, int begin, int end) {
  const GroupFrames* s = argument;
  alike_frames(s->m, s->d, groups, begin, end, s->geoms, s->order);
}

// Sites, which trees of one shape may have in any number, come last.
static void grouped_frames(const mjModel* m, mjData* d, const TreeGroups* groups,
                           const Attached* range, QuatOrder order) {
  for (int i = 0; i < groups->nplain; i++) {
    AwakeRun run = groups->plain[i];
    run.site_end = run.site;
    run_frames(m, d, range, &run, order);
  }
  groups_share(m, d, groups, groups_frames,
               &(GroupFrames){m, d, range->geom_end == m->ngeom, order});
  for (int i = 0; i < d->cnd_nrun && range->site < range->site_end; i++) {
    AwakeRun run = *awake_run(d, i);
    run.geom_end = run.geom;
    shared_attached(m, d, range, &run, order);
  }
}

// From the root outwards: pose of a body = pose of its parent * its own pose * motions of its
// joints.
void kinematics(const mjModel* m, mjData* d, int left_out) {
  // the world
  v3_zero(d->xpos);
  v3_zero(d->xipos);
  q_identity(d->xquat);
  q_identity(d->xiquat);
  m3_identity(d->xmat);
  m3_identity(d->ximat);

  if (awake_concerns(m, d)) {
    wake_edited(m, d);
  }
  Attached range = attached_range(m, left_out);
  QuatOrder order = behaves(m, cndBEHAVIOUR_gjkepa) ? QUAT_IN_PAIRS : QUAT_IN_TURN;
  TreeGroups groups = tree_groups(m, d);
  if (groups.n) {
    grouped_frames(m, d, &groups, &range, order);
    return;
  }
  for (int i = 0; i < d->cnd_nrun; i++) {
    run_frames(m, d, &range, awake_run(d, i), order);
  }
}

void mj_kinematics(const mjModel* m, mjData* d) {
  check_pair(m, d);
  kinematics(m, d, 0);
}

// Cameras and lights: fixed in their body, or following it in some other way.
//                                                   theory/smooth/kinematics.md, Cameras and lights

// The target of a camera or light: the frame of a body or the com of its subtree; NULL without one.
INLINE const mjtNum* target_point(const mjData* d, int mode, int target) {
  if (target < 0) {
    return NULL;
  }
  if (mode == mjCAMLIGHT_TARGETBODY) {
    return d->xpos + 3 * target;
  }
  return mode == mjCAMLIGHT_TARGETBODYCOM ? d->subtree_com + 3 * target : NULL;
}

// Camera at xpos looking at a point: z away from it, x level, y up.
INLINE void look_at(mjtNum xmat[9], const mjtNum xpos[3], const mjtNum point[3]) {
  const mjtNum up[3] = {0, 0, 1};
  mjtNum x[3], y[3], z[3];
  v3_sub(z, xpos, point);
  v3_normalize(z);
  v3_cross(x, up, z);
  v3_normalize(x);
  v3_cross(y, z, x);
  v3_normalize(y);
  for (int row = 0; row < 3; row++) {
    v3_set(xmat + 3 * row, x[row], y[row], z[row]);
  }
}

// Position of a camera or light that follows a body, or the com of its subtree, without turning;
// returns 0 for other modes.
INLINE int tracked_point(mjtNum xpos[3], const mjData* d, int mode, int body, const mjtNum pos0[3],
                         const mjtNum poscom0[3]) {
  if (mode == mjCAMLIGHT_TRACK) {
    v3_add(xpos, d->xpos + 3 * body, pos0);
  } else if (mode == mjCAMLIGHT_TRACKCOM) {
    v3_add(xpos, d->subtree_com + 3 * body, poscom0);
  }
  return mode == mjCAMLIGHT_TRACK || mode == mjCAMLIGHT_TRACKCOM;
}

INLINE void camera_frame(const mjModel* m, mjData* d, int cam) {
  int body = m->cam_bodyid[cam], mode = m->cam_mode[cam];
  mjtNum* xpos = d->cam_xpos + 3 * cam;
  mjtNum* xmat = d->cam_xmat + 9 * cam;

  if (tracked_point(xpos, d, mode, body, m->cam_pos0 + 3 * cam, m->cam_poscom0 + 3 * cam)) {
    m3_copy(xmat, m->cam_mat0 + 9 * cam);
    return;
  }

  const mjtNum *point = target_point(d, mode, m->cam_targetbodyid[cam]),
               *pos = m->cam_pos + 3 * cam;
  const mjtNum* quat = m->cam_quat + 4 * cam;
  if (!body && !point) {
    // the most common camera: fixed in the world
    v3_copy(xpos, pos);
    q_tomat(xmat, quat);
    return;
  }
  attached_point(xpos, d, pos, body, mjSAMEFRAME_NONE);
  if (point) {
    look_at(xmat, xpos, point);
  } else {
    mjtNum xquat[4];
    attached_turn(xmat, xquat, d, quat, body, mjSAMEFRAME_NONE, QUAT_IN_TURN);
  }
}

INLINE void light_frame(const mjModel* m, mjData* d, int light) {
  int body = m->light_bodyid[light], mode = m->light_mode[light];
  mjtNum* xpos = d->light_xpos + 3 * light;
  mjtNum* xdir = d->light_xdir + 3 * light;

  if (tracked_point(xpos, d, mode, body, m->light_pos0 + 3 * light, m->light_poscom0 + 3 * light)) {
    v3_copy(xdir, m->light_dir0 + 3 * light);
  } else if (!body && mode == mjCAMLIGHT_FIXED) {
    v3_copy(xpos, m->light_pos + 3 * light);
    v3_copy(xdir, m->light_dir + 3 * light);
  } else {
    attached_point(xpos, d, m->light_pos + 3 * light, body, mjSAMEFRAME_NONE);
    const mjtNum* point = target_point(d, mode, m->light_targetbodyid[light]);
    if (point) {
      v3_sub(xdir, point, xpos);
    } else {
      q_rotate(xdir, m->light_dir + 3 * light, d->xquat + 4 * body);
    }
  }
  v3_normalize(xdir);
}

static KERNEL void camera_frames(const mjModel* m, mjData* d) {
  for (int i = 0; i < m->ncam; i++) {
    camera_frame(m, d, i);
  }
  for (int i = 0; i < m->nlight; i++) {
    light_frame(m, d, i);
  }
}

void mj_camlight(const mjModel* m, mjData* d) {
  check_pair(m, d);
  camera_frames(m, d);
}
