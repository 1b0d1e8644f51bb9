// frames.c: poses of trees side by side.
//                                                          theory/smooth/kinematics.md, Joint poses

#pragma STDC FP_CONTRACT OFF  // what cancels must be exactly zero, or sparse rows get more entries

#include "smooth/alike/alike.h"
#include "smooth/alike/group.h"
#include "smooth/alike/lane_algebra.h"
#include "smooth/sincos.h"

// The poses of the bodies and joints of a group. Where they are to stand, the model's numbers stand
// before: offsets of bodies from their parents, anchors and axes of joints in their bodies.
typedef struct {
  SimdN x[3 * ALIKE_BODIES], q[4 * ALIKE_BODIES], R[9 * ALIKE_BODIES], xi[3 * ALIKE_BODIES];
  SimdN anchor[3 * ALIKE_DOFS], axis[3 * ALIKE_DOFS];
  SimdN qpos[2 * ALIKE_DOFS];
  SimdN move[ALIKE_DOFS];                      // q - q0 of slides and hinges, by joints
  SimdN sine[ALIKE_DOFS], cosine[ALIKE_DOFS];  // of half the angle of hinges
} LanePoses;

typedef struct {
  Lane3 x;
  Lane4 q;
} LaneMoving;

// rotations

INLINE Lane4 lane4_load(const SimdN q[4]) {
  return (Lane4){q[0], q[1], q[2], q[3]};
}

INLINE void lane4_store(SimdN out[4], Lane4 q) {
  out[0] = q.w;
  out[1] = q.x;
  out[2] = q.y;
  out[3] = q.z;
}

// a b
// Also quat4_mul in base/algebra/quat_simd.h.
INLINE Lane4 lane4_mul(Lane4 a, Lane4 b, QuatOrder order) {
  if (order == QUAT_IN_PAIRS) {
    return (Lane4){(a.w * b.w - a.x * b.x) - (a.y * b.y + a.z * b.z),
                   (a.w * b.x + a.x * b.w) + (a.y * b.z - a.z * b.y),
                   (a.w * b.y - a.x * b.z) + (a.y * b.w + a.z * b.x),
                   (a.w * b.z + a.x * b.y) + (a.z * b.w - a.y * b.x)};
  }
  return (Lane4){
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

// Also quat4_turn in base/algebra/quat_simd.h.
INLINE Lane3 lane4_turn(Lane4 q, Lane3 v) {
  Lane3 t = {q.w * v.x + q.y * v.z - q.z * v.y, q.w * v.y + q.z * v.x - q.x * v.z,
             q.w * v.z + q.x * v.y - q.y * v.x};
  Lane3 twice = {q.x + q.x, q.y + q.y, q.z + q.z};
  return lane3_add(v, lane3_cross(twice, t));
}

// Lanes whose quaternions have the length 1 keep them; few don't.
INLINE Lane4 lane4_normalize(Lane4 q, QuatOrder order) {
  SimdN square = (q.w * q.w + q.x * q.x) + (q.y * q.y + q.z * q.z), error = square - 1;
  lane_abs(&error);
  MaskN off = ~(error <= (SimdN){0} + 2 * Q_UNIT_EPS);
  if (order == QUAT_IN_TURN && !lane_any(&off)) {
    return q;
  }
  SimdN part[4];
  lane4_store(part, q);
  for (int l = 0; l < SIMD_N; l++) {
    mjtNum one[4] = {LANE(part[0], l), LANE(part[1], l), LANE(part[2], l), LANE(part[3], l)};
    if (order == QUAT_IN_PAIRS) {
      q_normalize_in_pairs(one);
    } else if (off[l]) {
      q_normalize(one);
    }
    for (int c = 0; c < 4; c++) {
      LANE(part[c], l) = one[c];
    }
  }
  return lane4_load(part);
}

// Also quat4_tomat in base/algebra/quat_simd.h.
INLINE void lane4_tomat(SimdN R[9], Lane4 q, QuatOrder order) {
  SimdN x = q.x + q.x, y = q.y + q.y, z = q.z + q.z;
  SimdN wx2 = q.w * x, wy2 = q.w * y, wz2 = q.w * z;
  SimdN xy2 = q.x * y, xz2 = q.x * z, yz2 = q.y * z;
  SimdN ww = q.w * q.w, xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
  int paired = order == QUAT_IN_PAIRS;
  R[0] = paired ? (ww - yy) + (xx - zz) : ww + xx - yy - zz;
  R[1] = xy2 - wz2;
  R[2] = xz2 + wy2;
  R[3] = xy2 + wz2;
  R[4] = paired ? (ww + yy) - (xx + zz) : ww - xx + yy - zz;
  R[5] = yz2 - wx2;
  R[6] = xz2 - wy2;
  R[7] = yz2 + wx2;
  R[8] = paired ? (ww - yy) - (xx - zz) : ww - xx - yy + zz;
}

// R v + x
INLINE Lane3 lane_toworld(const SimdN R[9], Lane3 v, Lane3 x) {
  return (Lane3){(R[0] * v.x + R[1] * v.y + R[2] * v.z) + x.x,
                 (R[3] * v.x + R[4] * v.y + R[5] * v.z) + x.y,
                 (R[6] * v.x + R[7] * v.y + R[8] * v.z) + x.z};
}

INLINE Lane3 lane3_choose(const MaskN* mask, Lane3 then, Lane3 other) {
  Lane3 out;
  lane_choose(&out.x, mask, &then.x, &other.x);
  lane_choose(&out.y, mask, &then.y, &other.y);
  lane_choose(&out.z, mask, &then.z, &other.z);
  return out;
}

// joints

INLINE void lane_poses_load(LanePoses* poses, const TreeGroup* g, const mjModel* m,
                            const mjData* d) {
  SimdN qpos0[2 * ALIKE_DOFS], half[ALIKE_DOFS];
  int turns = 0;
  group_read(poses->x, m->body_pos, g->body, 3, 0, 3 * g->nbody);
  group_read(poses->q, m->body_quat, g->body, 4, 0, 4 * g->nbody);
  group_read(poses->anchor, m->jnt_pos, g->joint, 3, 0, 3 * g->njnt);
  group_read(poses->axis, m->jnt_axis, g->joint, 3, 0, 3 * g->njnt);
  group_read(poses->qpos, d->qpos, g->qpos, 1, 0, g->nq);
  group_read(qpos0, m->qpos0, g->qpos, 1, 0, g->nq);
  for (int j = 0; j < g->njnt; j++) {
    int joint = g->joint[0] + j, at = m->jnt_qposadr[joint] - g->qpos[0];
    int is_hinge = m->jnt_type[joint] == mjJNT_HINGE;
    poses->move[j] = poses->qpos[at] - qpos0[at];
    half[j] = (SimdN){0};
    if (is_hinge) {
      half[j] = poses->move[j] / 2;
    }
    turns += is_hinge;
  }
  if (turns) {
    sincos_many((mjtNum*)poses->sine, (mjtNum*)poses->cosine, (const mjtNum*)half,
                SIMD_N * g->njnt);
  }
}

// Joint j of the group, at an anchor where `off` says that its frame has one.
// Also joint_move in smooth/kinematics.c.
INLINE void alike_joint_move(LaneMoving* frame, LanePoses* poses, const TreeGroup* g,
                             const mjModel* m, int j, QuatOrder order) {
  int type = m->jnt_type[g->joint[0] + j];
  Lane3 axis = lane3_load(poses->axis + 3 * j), anchor = frame->x;
  Lane3 pos = lane3_load(poses->anchor + 3 * j);
  const SimdN zero = {0};
  MaskN off = ~((pos.x == zero) & (pos.y == zero) & (pos.z == zero));
  int any = lane_any(&off);
  if (any) {
    anchor = lane3_choose(&off, lane3_add(anchor, lane4_turn(frame->q, pos)), anchor);
  }
  Lane3 turned = lane4_turn(frame->q, axis);
  lane3_store(poses->anchor + 3 * j, anchor);
  lane3_store(poses->axis + 3 * j, turned);
  if (type == mjJNT_SLIDE) {
    frame->x = lane3_addscl(frame->x, turned, poses->move + j);
    return;
  }
  Lane4 turn;
  if (type == mjJNT_HINGE) {
    SimdN sine = poses->sine[j];
    turn = (Lane4){poses->cosine[j], axis.x * sine, axis.y * sine, axis.z * sine};
  } else {
    int at = m->jnt_qposadr[g->joint[0] + j] - g->qpos[0];
    turn = lane4_normalize(lane4_load(poses->qpos + at), order);
  }
  frame->q = lane4_mul(frame->q, turn, order);
  if (any) {
    frame->x = lane3_choose(&off, lane3_sub(anchor, lane4_turn(frame->q, pos)), frame->x);
  }
}

// bodies

// The frame of body i before its joints move it.
INLINE void lane_offset_frame(LaneMoving* frame, const LanePoses* poses, const TreeGroup* g,
                              const mjModel* m, int i, QuatOrder order) {
  const SimdN zero = {0}, one = zero + 1;
  const SimdN world_R[9] = {one, zero, zero, zero, one, zero, zero, zero, one};
  Lane3 pos = lane3_load(poses->x + 3 * i);
  Lane4 quat = lane4_load(poses->q + 4 * i);
  if (i) {
    int parent = m->body_parentid[g->body[0] + i] - g->body[0];
    frame->x = lane_toworld(poses->R + 9 * parent, pos, lane3_load(poses->x + 3 * parent));
    frame->q = lane4_mul(lane4_load(poses->q + 4 * parent), quat, order);
  } else {
    frame->x = lane_toworld(world_R, pos, (Lane3){zero, zero, zero});
    frame->q = lane4_mul((Lane4){one, zero, zero, zero}, quat, order);
  }
}

// Also body_frame in smooth/kinematics.c.
INLINE void lane_body_frame(LanePoses* poses, const TreeGroup* g, const mjModel* m, int i,
                            QuatOrder order) {
  LaneMoving frame;
  int joint = m->body_jntadr[g->body[0] + i], last = joint + m->body_jntnum[g->body[0] + i] - 1;
  if (last == joint && m->jnt_type[joint] == mjJNT_FREE) {
    const SimdN* qpos = poses->qpos + m->jnt_qposadr[joint] - g->qpos[0];
    frame.x = lane3_load(qpos);
    frame.q = lane4_load(qpos + 3);
    lane3_store(poses->anchor + 3 * (joint - g->joint[0]), frame.x);
  } else {
    lane_offset_frame(&frame, poses, g, m, i, order);
    for (int j = joint; j <= last; j++) {
      alike_joint_move(&frame, poses, g, m, j - g->joint[0], order);
    }
  }
  frame.q = lane4_normalize(frame.q, order);
  lane3_store(poses->x + 3 * i, frame.x);
  lane4_store(poses->q + 4 * i, frame.q);
  lane4_tomat(poses->R + 9 * i, frame.q, order);
}

// The bit of a value of sameframe. Numbers that mean nothing count as they do for single trees.
INLINE unsigned lane_flag(mjtByte flag) {
  return 1u << (flag <= mjSAMEFRAME_INERTIAROT ? flag : mjSAMEFRAME_BODYROT);
}

// The bits of all lanes.
INLINE unsigned lane_flags(const mjtByte* flags, const int first[SIMD_N], int i) {
  unsigned seen = 0;
  for (int l = 0; l < SIMD_N; l++) {
    seen |= lane_flag(flags[first[l] + i]);
  }
  return seen;
}

enum {
  AT_BODY = 1 << mjSAMEFRAME_BODY,
  AT_INERTIA = 1 << mjSAMEFRAME_INERTIA,
  ALONG_INERTIA = AT_INERTIA | 1 << mjSAMEFRAME_INERTIAROT,
  ELSEWHERE = 1 << mjSAMEFRAME_NONE
};

// The lanes whose flag is in a set.
INLINE void lane_flag_mask(MaskN* mask, const mjtByte* flags, const int first[SIMD_N], int i,
                           unsigned set) {
  for (int l = 0; l < SIMD_N; l++) {
    (*mask)[l] = -((set & lane_flag(flags[first[l] + i])) != 0);
  }
}

// A frame: its position, quaternion and matrix, wherever they stand.
typedef struct {
  const SimdN *x, *q, *R;
} LanePlace;

// Frames that are attached to bodies: of geoms, or inertial ones.
typedef struct {
  const int* first;  // those of the trees
  const mjtByte* sameframe;
  const mjtNum *pos, *quat;
} LaneAttached;

// Numbers of a frame that is none of its body's.
typedef struct {
  SimdN x[3], q[4], R[9];
} LaneOwn;

INLINE void lane_choose_many(SimdN* to, const MaskN* mask, const SimdN* then, const SimdN* other,
                             int n) {
  for (int c = 0; c < n; c++) {
    lane_choose(to + c, mask, then + c, other + c);
  }
}

// Where trees have different flags, each lane takes what its own one says.
INLINE void lane_mix(LanePlace* place, LaneOwn* own, const LanePlace* at, const LanePlace* inertial,
                     const LaneAttached* f, int i) {
  MaskN body, mass, turned, along;
  lane_flag_mask(&body, f->sameframe, f->first, i, AT_BODY);
  lane_flag_mask(&mass, f->sameframe, f->first, i, AT_INERTIA);
  lane_flag_mask(&turned, f->sameframe, f->first, i, ELSEWHERE);
  lane_flag_mask(&along, f->sameframe, f->first, i, ALONG_INERTIA);
  lane_choose_many(own->x, &body, at->x, place->x, 3);
  lane_choose_many(own->x, &mass, inertial->x, own->x, 3);
  lane_choose_many(own->q, &turned, place->q, at->q, 4);
  lane_choose_many(own->q, &along, inertial->q, own->q, 4);
  lane_choose_many(own->R, &turned, place->R, at->R, 9);
  lane_choose_many(own->R, &along, inertial->R, own->R, 9);
  *place = (LanePlace){own->x, own->q, own->R};
}

// The frame i of those attached to a body at a place.
// Also attached_run and inertial_frame in smooth/kinematics.c.
INLINE void lane_attach(LanePlace* place, LaneOwn* own, const LanePlace* at,
                        const LanePlace* inertial, const LaneAttached* f, int i, QuatOrder order) {
  unsigned seen = lane_flags(f->sameframe, f->first, i);
  *place = *at;
  if (seen & ~(unsigned)(AT_BODY | AT_INERTIA)) {
    SimdN pos[3];
    group_read(pos, f->pos, f->first, 3, 3 * i, 3);
    lane3_store(own->x, lane_toworld(at->R, lane3_load(pos), lane3_load(at->x)));
    place->x = own->x;
  } else if (seen == AT_INERTIA) {
    place->x = inertial->x;
  }
  if (seen & ELSEWHERE) {
    SimdN quat[4];
    group_read(quat, f->quat, f->first, 4, 4 * i, 4);
    Lane4 turned = lane4_mul(lane4_load(at->q), lane4_load(quat), order);
    lane4_store(own->q, turned);
    lane4_tomat(own->R, turned, order);
    place->q = own->q;
    place->R = own->R;
  } else if (!(seen & ~(unsigned)ALONG_INERTIA)) {
    place->q = inertial->q;
    place->R = inertial->R;
  }
  if (seen & (seen - 1)) {
    lane_mix(place, own, at, inertial, f, i);
  }
}

// The geoms of a group that are still to come, and positions that wait to be written: three numbers
// of one geom are fewer than are written at once.
typedef struct {
  LaneAttached of;
  int first[SIMD_N], n, next, waiting;
  SimdN x[12];
} LaneGeoms;

INLINE void lane_geoms_begin(LaneGeoms* geoms, const TreeGroup* g, const mjModel* m) {
  geoms->n = geoms->next = geoms->waiting = 0;
  geoms->of = (LaneAttached){geoms->first, m->geom_sameframe, m->geom_pos, m->geom_quat};
  for (int b = g->body[0]; b < g->body[0] + g->nbody; b++) {
    geoms->n += m->body_geomnum[b];
  }
  for (int l = 0; geoms->n && l < SIMD_N; l++) {
    int b = g->body[l];
    while (!m->body_geomnum[b]) {
      b++;
    }
    geoms->first[l] = m->body_geomadr[b];
  }
}

INLINE void lane_geoms_flush(LaneGeoms* geoms, mjData* d) {
  int i = geoms->next - geoms->waiting;
  group_write(d->geom_xpos, geoms->x, geoms->first, 3, 3 * i, 3 * geoms->waiting);
  geoms->waiting = 0;
}

// The geoms of a body.
INLINE void lane_geom_frames(LaneGeoms* geoms, const LanePlace* at, const LanePlace* inertial,
                             mjData* d, int n, QuatOrder order) {
  for (int end = geoms->next + n; geoms->next < end;) {
    LanePlace place;
    LaneOwn own;
    int i = geoms->next++;
    lane_attach(&place, &own, at, inertial, &geoms->of, i, order);
    lane3_store(geoms->x + 3 * geoms->waiting++, lane3_load(place.x));
    group_write(d->geom_xmat, place.R, geoms->first, 9, 9 * i, 9);
    group_write(d->geom_xquat, place.q, geoms->first, 4, 4 * i, 4);
    if (geoms->waiting == 4 || geoms->next == geoms->n) {
      lane_geoms_flush(geoms, d);
    }
  }
}

// all

INLINE void lane_frames(const mjModel* m, mjData* d, const TreeGroups* groups, int begin, int end,
                        int geoms, QuatOrder order) {
  for (int k = begin; k < end; k++) {
    TreeGroup g;
    _Alignas(32) LanePoses poses;
    _Alignas(32) LaneGeoms all;
    group_load(&g, m, groups, k);
    lane_poses_load(&poses, &g, m, d);
    lane_geoms_begin(&all, &g, m);
    const LaneAttached masses = {g.body, m->body_sameframe, m->body_ipos, m->body_iquat};
    for (int i = 0; i < g.nbody; i++) {
      LaneOwn own;
      LanePlace at = {poses.x + 3 * i, poses.q + 4 * i, poses.R + 9 * i}, inertial;
      lane_body_frame(&poses, &g, m, i, order);
      lane_attach(&inertial, &own, &at, &at, &masses, i, order);
      lane3_store(poses.xi + 3 * i, lane3_load(inertial.x));
      group_write(d->ximat, inertial.R, g.body, 9, 9 * i, 9);
      group_write(d->xiquat, inertial.q, g.body, 4, 4 * i, 4);
      if (geoms) {
        lane_geom_frames(&all, &at, &inertial, d, m->body_geomnum[g.body[0] + i], order);
      }
    }
    group_write(d->xpos, poses.x, g.body, 3, 0, 3 * g.nbody);
    group_write(d->xquat, poses.q, g.body, 4, 0, 4 * g.nbody);
    group_write(d->xmat, poses.R, g.body, 9, 0, 9 * g.nbody);
    group_write(d->xipos, poses.xi, g.body, 3, 0, 3 * g.nbody);
    group_write(d->xanchor, poses.anchor, g.joint, 3, 0, 3 * g.njnt);
    group_write(d->xaxis, poses.axis, g.joint, 3, 0, 3 * g.njnt);
  }
}

static KERNEL void frames_in_turn(const mjModel* m, mjData* d, const TreeGroups* groups, int begin,
                                  int end, int geoms) {
  lane_frames(m, d, groups, begin, end, geoms, QUAT_IN_TURN);
}

static KERNEL void frames_in_pairs(const mjModel* m, mjData* d, const TreeGroups* groups, int begin,
                                   int end, int geoms) {
  lane_frames(m, d, groups, begin, end, geoms, QUAT_IN_PAIRS);
}

void alike_frames(const mjModel* m, mjData* d, const TreeGroups* groups, int begin, int end,
                  int geoms, QuatOrder order) {
  if (order == QUAT_IN_PAIRS) {
    frames_in_pairs(m, d, groups, begin, end, geoms);
  } else {
    frames_in_turn(m, d, groups, begin, end, geoms);
  }
}
