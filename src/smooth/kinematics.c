#include <string.h>

#include "base/spatial.h"
#include "base/target.h"
#include "base/vec.h"
#include "smooth/sincos.h"

// From joint coordinates to the pose of every body and everything attached to it.
//                                                                                spec 04, section 2
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

// Sine and cosine of half the angle of every hinge, found together before anything moves;
// other joints have angle 0.
typedef struct {
  const mjtNum* sine;
  const mjtNum* cosine;
} Turns;

static Turns hinge_turns(const mjModel* m, mjData* d) {
  int njnt = m->njnt;
  if (!njnt) {
    return (Turns){NULL, NULL};
  }
  mjtNum* half = mj_stackAllocNum(d, 3 * njnt);
  for (int j = 0; j < njnt; j++) {
    int adr = m->jnt_qposadr[j];
    half[j] = m->jnt_type[j] == mjJNT_HINGE ? (d->qpos[adr] - m->qpos0[adr]) / 2 : 0;
  }
  sincos_many(half + njnt, half + 2 * njnt, half, njnt);
  return (Turns){half + njnt, half + 2 * njnt};
}

// A frame being computed, its numbers in registers.
typedef struct {
  mjtNum x[3];
  mjtNum q[4];
} Frame;

// applies one slide, hinge or ball joint to the frame of its body
INLINE void joint_move(Frame* frame, const mjModel* m, mjData* d, const Turns* turns, int joint) {
  const mjtNum* pos = m->jnt_pos + 3 * joint;
  const mjtNum* axis = m->jnt_axis + 3 * joint;
  int type = m->jnt_type[joint], centered = v3_iszero(pos);
  mjtNum turn[4], xaxis[3], anchor[3], t[3];

  // axis and anchor as of before this joint's own motion
  if (centered) {
    q_turn(xaxis, axis, frame->q);
    v3_copy(anchor, frame->x);
  } else {
    Vectors both = {two(axis[0], pos[0]), two(axis[1], pos[1]), two(axis[2], pos[2])};
    both = vectors_rotate(both, frame->q);
    v3_set(xaxis, both.x[0], both.y[0], both.z[0]);
    v3_set(t, both.x[1], both.y[1], both.z[1]);
    v3_add(anchor, frame->x, t);
  }
  v3_copy(d->xaxis + 3 * joint, xaxis);
  v3_copy(d->xanchor + 3 * joint, anchor);

  if (type == mjJNT_HINGE) {
    turn[0] = turns->cosine[joint];
    v3_scl(turn + 1, axis, turns->sine[joint]);
  } else if (type == mjJNT_SLIDE) {
    int adr = m->jnt_qposadr[joint];
    v3_addtoscl(frame->x, xaxis, d->qpos[adr] - m->qpos0[adr]);
    return;
  } else {
    q_copy(turn, d->qpos + m->jnt_qposadr[joint]);
    q_normalize(turn);
  }
  q_mul(frame->q, frame->q, turn);
  if (!centered) {
    q_turn(t, pos, frame->q);
    v3_sub(frame->x, anchor, t);
  }
}

// the frame of a body before its joints move it
INLINE void offset_frame(Frame* frame, const mjModel* m, const mjData* d, int body) {
  int parent = m->body_parentid[body], mocap = m->body_mocapid[body];
  const mjtNum* pos = m->body_pos + 3 * body;
  mjtNum quat[4];
  if (mocap < 0) {
    q_copy(quat, m->body_quat + 4 * body);
  } else {
    pos = d->mocap_pos + 3 * mocap;
    q_copy(quat, d->mocap_quat + 4 * mocap);
    q_normalize(quat);
  }
  if (parent) {
    m3_mulv(frame->x, d->xmat + 9 * parent, pos);
    v3_addto(frame->x, d->xpos + 3 * parent);
    q_mul(frame->q, d->xquat + 4 * parent, quat);
  } else {
    v3_copy(frame->x, pos);
    q_copy(frame->q, quat);
  }
}

INLINE void body_frame(Frame* frame, const mjModel* m, mjData* d, const Turns* turns, int body) {
  int joint = m->body_jntadr[body], count = m->body_jntnum[body];
  if (count == 1 && m->jnt_type[joint] == mjJNT_FREE) {
    const mjtNum* qpos = d->qpos + m->jnt_qposadr[joint];
    v3_copy(frame->x, qpos);
    q_copy(frame->q, qpos + 3);
    v3_copy(d->xanchor + 3 * joint, frame->x);
    v3_copy(d->xaxis + 3 * joint, m->jnt_axis + 3 * joint);
  } else {
    offset_frame(frame, m, d, body);
    for (int j = joint; j < joint + count; j++) {
      joint_move(frame, m, d, turns, j);
    }
  }
  q_normalize(frame->q);
}

// Pose of something attached to a body at (pos, quat). The shortcuts are part of the meaning: a
// frame flagged as equal to another takes that one exactly, whatever tiny offset it was given.
//                                                                              spec 04, section 2.2
INLINE void attached_frame(mjtNum xpos[3], mjtNum xmat[9], const mjData* d, const mjtNum pos[3],
                           const mjtNum quat[4], int body, int sameframe) {
  if (xpos) {
    if (sameframe == mjSAMEFRAME_BODY) {
      v3_copy(xpos, d->xpos + 3 * body);
    } else if (sameframe == mjSAMEFRAME_INERTIA) {
      v3_copy(xpos, d->xipos + 3 * body);
    } else {
      m3_mulv(xpos, d->xmat + 9 * body, pos);
      v3_addto(xpos, d->xpos + 3 * body);
    }
  }
  if (xmat) {
    if (sameframe == mjSAMEFRAME_BODY || sameframe == mjSAMEFRAME_BODYROT) {
      memcpy(xmat, d->xmat + 9 * body, 9 * sizeof(mjtNum));
    } else if (sameframe == mjSAMEFRAME_INERTIA || sameframe == mjSAMEFRAME_INERTIAROT) {
      memcpy(xmat, d->ximat + 9 * body, 9 * sizeof(mjtNum));
    } else {
      mjtNum q[4];
      q_mul(q, d->xquat + 4 * body, quat);
      q_tomat(xmat, q);
    }
  }
}

void mj_local2Global(mjData* d, mjtNum xpos[3], mjtNum xmat[9], const mjtNum pos[3],
                     const mjtNum quat[4], int body, mjtByte sameframe) {
  attached_frame(pos ? xpos : NULL, quat ? xmat : NULL, d, pos, quat, body, sameframe);
}

// the frame of the inertia of a body, whose own frame and matrix are at hand
INLINE void inertial_frame(mjtNum xpos[3], mjtNum xmat[9], const Frame* frame, const mjtNum R[9],
                           const mjtNum pos[3], const mjtNum quat[4], int sameframe) {
  if (sameframe == mjSAMEFRAME_BODY) {
    v3_copy(xpos, frame->x);
  } else {
    mjtNum t[3];
    m3_mulv(t, R, pos);
    v3_add(xpos, t, frame->x);
  }
  if (sameframe == mjSAMEFRAME_NONE) {
    mjtNum q[4];
    q_mul(q, frame->q, quat);
    q_tomat(xmat, q);
  } else {
    m3_copy(xmat, R);
  }
}

static KERNEL void body_frames(const mjModel* m, mjData* d, const Turns* turns) {
  for (int i = 1; i < m->nbody; i++) {
    Frame frame;
    mjtNum R[9];
    body_frame(&frame, m, d, turns, i);
    q_tomat(R, frame.q);
    v3_copy(d->xpos + 3 * i, frame.x);
    q_copy(d->xquat + 4 * i, frame.q);
    m3_copy(d->xmat + 9 * i, R);
    inertial_frame(d->xipos + 3 * i, d->ximat + 9 * i, &frame, R, m->body_ipos + 3 * i,
                   m->body_iquat + 4 * i, m->body_sameframe[i]);
  }
}

static KERNEL void attached_frames(const mjModel* m, mjData* d) {
  for (int i = 0; i < m->ngeom; i++) {
    attached_frame(d->geom_xpos + 3 * i, d->geom_xmat + 9 * i, d, m->geom_pos + 3 * i,
                   m->geom_quat + 4 * i, m->geom_bodyid[i], m->geom_sameframe[i]);
  }
  for (int i = 0; i < m->nsite; i++) {
    attached_frame(d->site_xpos + 3 * i, d->site_xmat + 9 * i, d, m->site_pos + 3 * i,
                   m->site_quat + 4 * i, m->site_bodyid[i], m->site_sameframe[i]);
  }
}

void mj_kinematics(const mjModel* m, mjData* d) {
  // the world
  v3_zero(d->xpos);
  v3_zero(d->xipos);
  q_identity(d->xquat);
  m3_identity(d->xmat);
  m3_identity(d->ximat);

  mj_markStack(d);
  Turns turns = hinge_turns(m, d);
  body_frames(m, d, &turns);
  mj_freeStack(d);
  attached_frames(m, d);
}

// Cameras and lights: fixed in their body, or following it in some other way.  spec 04, section 2.3

// what a target mode looks at: the body's frame or the com of its subtree; NULL without a target
static const mjtNum* target_point(const mjData* d, int mode, int target) {
  if (target < 0) {
    return NULL;
  }
  if (mode == mjCAMLIGHT_TARGETBODY) {
    return d->xpos + 3 * target;
  }
  return mode == mjCAMLIGHT_TARGETBODYCOM ? d->subtree_com + 3 * target : NULL;
}

// Camera at xpos looking at a point: z away from it, x level, y up.
static void look_at(mjtNum xmat[9], const mjtNum xpos[3], const mjtNum point[3]) {
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

static void camera_frame(const mjModel* m, mjData* d, int cam) {
  int body = m->cam_bodyid[cam], mode = m->cam_mode[cam];
  mjtNum* xpos = d->cam_xpos + 3 * cam;
  mjtNum* xmat = d->cam_xmat + 9 * cam;

  if (mode == mjCAMLIGHT_TRACK || mode == mjCAMLIGHT_TRACKCOM) {
    m3_copy(xmat, m->cam_mat0 + 9 * cam);
    if (mode == mjCAMLIGHT_TRACK) {
      v3_add(xpos, d->xpos + 3 * body, m->cam_pos0 + 3 * cam);
    } else {
      v3_add(xpos, d->subtree_com + 3 * body, m->cam_poscom0 + 3 * cam);
    }
    return;
  }

  attached_frame(xpos, xmat, d, m->cam_pos + 3 * cam, m->cam_quat + 4 * cam, body,
                 mjSAMEFRAME_NONE);
  const mjtNum* point = target_point(d, mode, m->cam_targetbodyid[cam]);
  if (point) {
    look_at(xmat, xpos, point);
  }
}

static void light_frame(const mjModel* m, mjData* d, int light) {
  int body = m->light_bodyid[light], mode = m->light_mode[light];
  mjtNum* xpos = d->light_xpos + 3 * light;
  mjtNum* xdir = d->light_xdir + 3 * light;

  if (mode == mjCAMLIGHT_TRACK || mode == mjCAMLIGHT_TRACKCOM) {
    v3_copy(xdir, m->light_dir0 + 3 * light);
    if (mode == mjCAMLIGHT_TRACK) {
      v3_add(xpos, d->xpos + 3 * body, m->light_pos0 + 3 * light);
    } else {
      v3_add(xpos, d->subtree_com + 3 * body, m->light_poscom0 + 3 * light);
    }
  } else {
    attached_frame(xpos, NULL, d, m->light_pos + 3 * light, NULL, body, mjSAMEFRAME_NONE);
    const mjtNum* point = target_point(d, mode, m->light_targetbodyid[light]);
    if (point) {
      v3_sub(xdir, point, xpos);
    } else {
      q_rotate(xdir, m->light_dir + 3 * light, d->xquat + 4 * body);
    }
  }
  v3_normalize(xdir);
}

void mj_camlight(const mjModel* m, mjData* d) {
  for (int i = 0; i < m->ncam; i++) {
    camera_frame(m, d, i);
  }
  for (int i = 0; i < m->nlight; i++) {
    light_frame(m, d, i);
  }
}
