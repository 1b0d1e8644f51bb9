// Public functions for programs: forces at points, velocities of objects, steps in configuration
// space.                                                 theory/smooth/kinematics.md, Object motion

#pragma STDC FP_CONTRACT OFF  // what cancels must be exactly zero, or sparse rows get more entries

#include "smooth/support.h"

#include <mujoco/api/base.h>
#include <mujoco/api/smooth.h>

#include "base/algebra/simd.h"
#include "base/algebra/vec.h"
#include "base/joint.h"
#include "base/memory/check.h"
#include "base/memory/error.h"
#include "model/behaviour.h"
#include "model/checks/pair.h"
#include "model/data/awake.h"
#include "model/data/tree_runs.h"
#include "smooth/jacobian.h"

// forces

void mj_applyFT(const mjModel* m, mjData* d, const mjtNum force[3], const mjtNum torque[3],
                const mjtNum point[3], int body, mjtNum* qfrc_target) {
  check_pair(m, d);
  check_given(point);
  check_arrays(m->nv, qfrc_target);
  const mjtNum zero[3] = {0, 0, 0};
  check_index("mj_applyFT", "body", body, m->nbody);
  jac_add_force(qfrc_target, m, d, force ? force : zero, torque ? torque : zero, point, body);
}

static KERNEL int any_nonzero(const mjtNum* v, int n) {
  int any = 0;
  for (int i = 0; i < n; i++) {
    any |= v[i] != 0;
  }
  return any;
}

// What sleeps has no forces, and wakes in the stage of positions if it gets some.
void xfrc_accumulate(mjtNum* qfrc, const mjModel* m, const mjData* d) {
  for (int k = 0; k < d->cnd_nrun; k++) {
    const AwakeRun* run = awake_run(d, k);
    // most often all are zero, which is quickly seen
    if (!any_nonzero(d->xfrc_applied + 6 * run->body, 6 * (run->body_end - run->body))) {
      continue;
    }
    for (int i = int_max(1, run->body); i < run->body_end; i++) {
      const mjtNum* xfrc = d->xfrc_applied + 6 * i;
      if (!v3_iszero(xfrc) || !v3_iszero(xfrc + 3)) {
        jac_add_force(qfrc, m, d, xfrc, xfrc + 3, d->xipos + 3 * i, i);
      }
    }
  }
}

// motion of objects

ObjectFrame object_frame(const mjModel* m, const mjData* d, int type, int id) {
  switch (type) {
    case mjOBJ_BODY:
      return (ObjectFrame){id, d->xipos + 3 * id, d->ximat + 9 * id};
    case mjOBJ_XBODY:
      return (ObjectFrame){id, d->xpos + 3 * id, d->xmat + 9 * id};
    case mjOBJ_GEOM:
      return (ObjectFrame){m->geom_bodyid[id], d->geom_xpos + 3 * id, d->geom_xmat + 9 * id};
    case mjOBJ_SITE:
      return (ObjectFrame){m->site_bodyid[id], d->site_xpos + 3 * id, d->site_xmat + 9 * id};
    case mjOBJ_CAMERA:
      return (ObjectFrame){m->cam_bodyid[id], d->cam_xpos + 3 * id, d->cam_xmat + 9 * id};
    default:
      mju_error("object_frame: invalid object type %d", type);
      return (ObjectFrame){0, NULL, NULL};
  }
}

void site_shape(mjtNum pos[3], mjtNum mat[9], const mjModel* m, const mjData* d, int site) {
  const mjtNum *own = d->site_xpos + 3 * site, *turn = d->site_xmat + 9 * site;
  int mesh = m->site_dataid[site];
  if (m->site_type[site] != mjGEOM_MESH || mesh < 0) {
    v3_copy(pos, own);
    m3_copy(mat, turn);
    return;
  }
  mjtNum tilt[9];
  v3_toworld(pos, m->mesh_pos + 3 * mesh, own, turn);
  q_tomat(tilt, m->mesh_quat + 4 * mesh);
  m3_mul(mat, turn, tilt);
}

// The frame of an object that a program names; type and id are checked.
static ObjectFrame asked_frame(const char* function, const mjModel* m, const mjData* d, int type,
                               int id) {
  int count = type == mjOBJ_BODY || type == mjOBJ_XBODY ? m->nbody
              : type == mjOBJ_GEOM                      ? m->ngeom
              : type == mjOBJ_SITE                      ? m->nsite
              : type == mjOBJ_CAMERA                    ? m->ncam
                                                        : -1;
  if (count < 0) {
    mju_error("%s: invalid object type %d, it must be body, xbody, geom, site or camera", function,
              type);
  }
  check_index(function, mju_type2Str(type), id, count);
  return object_frame(m, d, type, id);
}

// The spatial vector of the object's body, moved to the object, in world axes.
static void at_object(mjtNum out[6], const mjModel* m, const mjData* d, const ObjectFrame* object,
                      const mjtNum* spatial) {
  mjtNum r[3];
  const mjtNum* s = spatial + 6 * object->body;
  v3_sub(r, object->pos, d->subtree_com + 3 * m->body_rootid[object->body]);
  v3_copy(out, s);
  v3_crossadd(out + 3, s, r, s + 3);
}

// Also frame_velocity in lanes/results/sensors.h.
void mj_objectVelocity(const mjModel* m, const mjData* d, int objtype, int objid, mjtNum res[6],
                       int flg_local) {
  check_pair(m, d);
  check_given(res);
  ObjectFrame object = asked_frame("mj_objectVelocity", m, d, objtype, objid);
  sp_zero(res);
  if (!body_moves(m, object.body)) {
    return;
  }
  at_object(res, m, d, &object, d->cvel);
  if (flg_local) {
    sp_tmulv(res, object.mat, res);
  }
}

// a = a_spatial at the point + w x v: the acceleration of a point of the body, minus gravity.
// Also frame_acceleration in lanes/results/sensors.h.
void mj_objectAcceleration(const mjModel* m, const mjData* d, int objtype, int objid, mjtNum res[6],
                           int flg_local) {
  check_pair(m, d);
  check_given(res);
  ObjectFrame object = asked_frame("mj_objectAcceleration", m, d, objtype, objid);
  sp_zero(res);
  if (!body_moves(m, object.body) && !behaves(m, cndBEHAVIOUR_restacc)) {
    return;
  }
  mjtNum velocity[6];
  at_object(res, m, d, &object, d->cacc);
  at_object(velocity, m, d, &object, d->cvel);
  v3_crossadd(res + 3, velocity, velocity + 3, res + 3);
  if (flg_local) {
    sp_tmulv(res, object.mat, res);
  }
}

// configurations

// (q2 - q1) / h; quaternions: log(conj(q1) q2) / h
// Also turn_from in lanes/dynamics/forces.h.
void mj_differentiatePos(const mjModel* m, mjtNum* qvel, mjtNum dt, const mjtNum* qpos1,
                         const mjtNum* qpos2) {
  check_given(m);
  check_arrays(m->nv, qvel, qpos1, qpos2);
  for (int j = 0; j < m->njnt; j++) {
    const mjtNum* q1 = qpos1 + m->jnt_qposadr[j];
    const mjtNum* q2 = qpos2 + m->jnt_qposadr[j];
    mjtNum* v = qvel + m->jnt_dofadr[j];
    int type = m->jnt_type[j], n = joint_scalars(type);
    for (int k = 0; k < n; k++) {
      v[k] = (q2[k] - q1[k]) / dt;
    }
    if (joint_has_quat(type)) {
      mju_subQuat(v + n, q2 + n, q1 + n);
      v3_scl(v + n, v + n, 1 / dt);
    }
  }
}

static void integrate_joints(const mjModel* m, mjtNum* qpos, const mjtNum* qvel, mjtNum dt,
                             int begin, int end) {
  for (int j = begin; j < end; j++) {
    mjtNum* q = qpos + m->jnt_qposadr[j];
    const mjtNum* v = qvel + m->jnt_dofadr[j];
    int type = m->jnt_type[j], n = joint_scalars(type);
    for (int k = 0; k < n; k++) {
      q[k] += dt * v[k];
    }
    if (joint_has_quat(type)) {
      mju_quatIntegrate(q + n, v + n, dt);
    }
  }
}

// q + h v; quaternions: q * exp(h w)
// Also in lanes/integrate.h, derivative/transition.c and derivative/adjoint.c.
void mj_integratePos(const mjModel* m, mjtNum* qpos, const mjtNum* qvel, mjtNum dt) {
  check_given(m);
  check_arrays(m->nv, qpos, qvel);
  integrate_joints(m, qpos, qvel, dt, 0, m->njnt);
}

typedef struct Motion_ {
  const mjModel* m;
  mjData* d;
  const mjtNum* qvel;
  mjtNum dt;
} Motion;

static void run_joints(void* argument, const AwakeRun* run) {
  const Motion* s = argument;
  integrate_joints(s->m, s->d->qpos, s->qvel, s->dt, run->joint, run->joint_end);
}

void integrate_awake(const mjModel* m, mjData* d, const mjtNum* qvel, mjtNum dt) {
  runs_share(m, d, run_joints, &(Motion){m, d, qvel, dt});
}

void mj_normalizeQuat(const mjModel* m, mjtNum* qpos) {
  check_given(m);
  check_arrays(m->nq, qpos);
  for (int j = 0; j < m->njnt; j++) {
    int type = m->jnt_type[j];
    if (joint_has_quat(type)) {
      q_normalize(qpos + m->jnt_qposadr[j] + joint_scalars(type));
    }
  }
}
