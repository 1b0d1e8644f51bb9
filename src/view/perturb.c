// perturb.c: perturbs the selected body by the mouse. The mouse moves a target pose for the
// inertial frame of the body; critically damped springs pull the grabbed point and the orientation
// to it.

#include <condyle/view.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <mujoco/api/smooth.h>
#include <mujoco/api/view.h>

#include "base/algebra/vec.h"
#include "base/memory/check.h"
#include "model/checks/pair.h"

static int is_selected(const mjModel* m, const mjvPerturb* pert) {
  return pert->select > 0 && pert->select < m->nbody;
}

// The grabbed point in the world.
static void grabbed_point(mjtNum out[3], const mjData* d, const mjvPerturb* pert) {
  v3_toworld(out, pert->localpos, d->xpos + 3 * pert->select, d->xmat + 9 * pert->select);
}

static void inertial_quat(mjtNum out[4], const mjModel* m, const mjData* d, int body) {
  mju_mulQuat(out, d->xquat + 4 * body, m->body_iquat + 4 * body);
}

// Three times the mean, over all directions, of the inverse mass that a force at the point feels:
// the trace of J M^-1 J'.
static mjtNum point_mobility(const mjModel* m, mjData* d, const mjtNum point[3], int body) {
  mj_markStack(d);
  mjtNum* J = mj_stackAllocNum(d, 3 * (size_t)m->nv);
  mjtNum* solved = mj_stackAllocNum(d, 3 * (size_t)m->nv);
  mjtNum trace = 0;
  if (m->nv) {
    mj_jac(m, d, J, NULL, point, body);
    mj_solveM(m, d, solved, J, 3);
    trace = mju_dot(J, solved, 3 * m->nv);
  }
  mj_freeStack(d);
  return trace;
}

void mjv_initPerturb(const mjModel* m, mjData* d, const mjvScene* scn, mjvPerturb* pert) {
  check_pair(m, d);
  check_given(scn, pert);
  if (!is_selected(m, pert)) {
    return;
  }
  int body = pert->select, flex = pert->flexselect;
  mjtNum point[3], head[3], forward[3], gap[3];
  grabbed_point(point, d, pert);

  mjtNum mobility = point_mobility(m, d, point, body);
  pert->localmass = mobility == 0 ? 1 : 3 / num_max(mobility, (mjtNum)mjMINVAL);
  if (flex >= 0 && flex < m->nflex && !m->flex_rigid[flex]) {
    // a vertex moves its neighbours too
    pert->localmass *= 2 * (mjtNum)m->flex_edgenum[flex] / (mjtNum)m->flex_vertnum[flex];
  }

  v3_copy(pert->refpos, d->xipos + 3 * body);
  inertial_quat(pert->refquat, m, d, body);
  v3_copy(pert->refselpos, point);
  mjv_cameraInModel(head, forward, NULL, scn);
  v3_sub(gap, point, head);
  pert->scale = mjv_frustumHeight(scn) * v3_dot(gap, forward) *
                (scn->camera[0].orthographic ? (mjtNum)0.15 : 1);
}

// the mouse

static void shift_goal(mjvPerturb* pert, const mjtNum shift[3]) {
  v3_addtoscl(pert->refpos, shift, pert->scale);
  v3_addtoscl(pert->refselpos, shift, pert->scale);
}

static void shift_with_mouse(mjvPerturb* pert, const mjtNum mouse[3], const mjtNum forward[3]) {
  mjtNum shift[3];
  mjv_alignToCamera(shift, mouse, forward);
  shift_goal(pert, shift);
}

// Shifts along two axes of the body, one for each direction of the mouse.
static void shift_in_body(mjvPerturb* pert, const mjData* d, int axis_y, mjtNum reldx,
                          mjtNum reldy) {
  mjtNum y[3], x[3], shift[3];
  m3_column(y, d->xmat + 9 * pert->select, axis_y);
  m3_column(x, d->xmat + 9 * pert->select, 1);
  v3_scl(shift, y, reldy);
  v3_addtoscl(shift, x, reldx);
  shift_goal(pert, shift);
}

// Turns the target, by at most a quarter turn away from the body.
static void turn_goal(const mjModel* m, const mjData* d, mjvPerturb* pert, const mjtNum mouse[3],
                      const mjtNum forward[3]) {
  mjtNum axis[3], quat[4], inertial[4], back[4], turn[3];
  mjv_alignToCamera(axis, mouse, forward);
  mjtNum angle = 2 * (mjtNum)mjPI * v3_normalize(axis);
  mju_axisAngle2Quat(quat, axis, angle);
  q_mul(pert->refquat, quat, pert->refquat);
  mju_normalize4(pert->refquat);
  if (!is_selected(m, pert)) {
    return;
  }
  inertial_quat(inertial, m, d, pert->select);
  q_conj(back, inertial);
  q_mul(quat, back, pert->refquat);
  mju_quat2Vel(turn, quat, 1);
  if (v3_normalize(turn) > mjPI / 2) {
    mju_axisAngle2Quat(quat, turn, (mjtNum)mjPI / 2);
    q_mul(pert->refquat, inertial, quat);
  }
}

void mjv_movePerturb(const mjModel* m, const mjData* d, int action, mjtNum reldx, mjtNum reldy,
                     const mjvScene* scn, mjvPerturb* pert) {
  check_pair(m, d);
  check_given(scn, pert);
  mjtNum forward[3] = {1, 0, 0};
  mjv_cameraInModel(NULL, forward, NULL, scn);
  int is_body = pert->select >= 0 && pert->select < m->nbody;
  switch (action) {
    case mjMOUSE_MOVE_V:
      shift_with_mouse(pert, (mjtNum[3]){reldx, 0, -reldy}, forward);
      break;
    case mjMOUSE_MOVE_H:
      shift_with_mouse(pert, (mjtNum[3]){reldx, -reldy, 0}, forward);
      break;
    case mjMOUSE_MOVE_V_REL:
    case mjMOUSE_MOVE_H_REL:
      if (is_body) {
        shift_in_body(pert, d, action == mjMOUSE_MOVE_V_REL ? 2 : 0, reldx, reldy);
      }
      break;
    case mjMOUSE_ROTATE_V:
      turn_goal(m, d, pert, (mjtNum[3]){reldy, 0, reldx}, forward);
      break;
    case mjMOUSE_ROTATE_H:
      turn_goal(m, d, pert, (mjtNum[3]){reldy, reldx, 0}, forward);
      break;
    case mjMOUSE_ZOOM:
      break;
    default:
      mju_error("mjv_movePerturb: unexpected action %d", action);
  }
}

// the body

// qpos of the free joint that alone moves a body; NULL if it has other joints or none.
static mjtNum* free_pose(const mjModel* m, mjData* d, int body) {
  int joint = m->body_jntadr[body];
  return m->body_jntnum[body] == 1 && m->jnt_type[joint] == mjJNT_FREE
             ? d->qpos + m->jnt_qposadr[joint]
             : NULL;
}

void mjv_applyPerturbPose(const mjModel* m, mjData* d, const mjvPerturb* pert, int flg_paused) {
  check_pair(m, d);
  check_given(pert);
  if (!is_selected(m, pert) || !(pert->active | pert->active2)) {
    return;
  }
  // the target pose of the body, from that of its inertial frame
  int body = pert->select, mocap = m->body_mocapid[body], root = m->body_rootid[body];
  mjtNum pos[3], quat[4], backpos[3], backquat[4];
  mju_negPose(backpos, backquat, m->body_ipos + 3 * body, m->body_iquat + 4 * body);
  mju_mulPose(pos, quat, pert->refpos, pert->refquat, backpos, backquat);

  mjtNum *own = free_pose(m, d, body), *whole = free_pose(m, d, root);
  if (mocap >= 0) {
    v3_copy(d->mocap_pos + 3 * mocap, pos);
    q_copy(d->mocap_quat + 4 * mocap, quat);
  } else if (flg_paused && own) {
    v3_copy(own, pos);
    q_copy(own + 3, quat);
  } else if (flg_paused && whole) {
    // the whole tree moves as the body does
    mjtNum relpos[3], relquat[4], newpos[3], newquat[4];
    mju_negPose(backpos, backquat, d->xpos + 3 * body, d->xquat + 4 * body);
    mju_mulPose(relpos, relquat, pos, quat, backpos, backquat);
    mju_mulPose(newpos, newquat, relpos, relquat, whole, whole + 3);
    v3_copy(whole, newpos);
    q_copy(whole + 3, newquat);
  }
}

// k stiffness, m mass at the point, x - x0 its distance from the goal, v its velocity:
//
//   f = -k m (x - x0) - sqrt(k) m v,   and a torque against turning about the direction of x - x0
static void pull_point(mjtNum force[3], mjtNum torque[3], const mjModel* m, const mjData* d,
                       const mjvPerturb* pert, const mjtNum vel[6], mjtNum inertia) {
  mjtNum k = (mjtNum)m->vis.map.stiffness, mass = pert->localmass;
  mjtNum point[3], delta[3], arm[3], turning[3], v[3];
  grabbed_point(point, d, pert);
  v3_sub(delta, point, pert->refselpos);
  v3_sub(arm, point, d->xipos + 3 * pert->select);
  v3_cross(turning, vel, arm);
  v3_add(v, vel + 3, turning);
  v3_scl(force, delta, -k * mass);
  v3_addtoscl(force, v, -mju_sqrt(k) * mass);
  v3_cross(torque, arm, force);
  v3_normalize(delta);
  mjtNum damping = mju_sqrt((mjtNum)m->vis.map.stiffnessrot) * inertia;
  v3_addtoscl(torque, delta, -damping * v3_dot(delta, vel));
}

// t = k I r - sqrt(k) I w, r the turn to the goal
static void turn_body(mjtNum torque[3], const mjModel* m, const mjData* d, const mjvPerturb* pert,
                      const mjtNum vel[6], mjtNum inertia) {
  mjtNum k = (mjtNum)m->vis.map.stiffnessrot;
  mjtNum quat[4], back[4], turn[3];
  inertial_quat(quat, m, d, pert->select);
  q_conj(back, quat);
  q_mul(quat, pert->refquat, back);
  mju_quat2Vel(turn, quat, 1);
  v3_scl(torque, turn, k * inertia);
  v3_addtoscl(torque, vel, -mju_sqrt(k) * inertia);
}

static void apply_force(const mjModel* m, mjData* d, const mjvPerturb* pert, int adds) {
  int body = pert->select, active = pert->active | pert->active2;
  if (body < 0 || body >= m->nbody || !active) {
    return;
  }
  mjtNum vel[6], mobility = m->body_invweight0[2 * body + 1];
  mjtNum inertia = mobility == 0 ? 1 : 1 / num_max((mjtNum)mjMINVAL, mobility);
  mj_objectVelocity(m, d, mjOBJ_BODY, body, vel, 0);
  mjtNum *force = d->xfrc_applied + 6 * body, *torque = force + 3;
  if (active & mjPERT_TRANSLATE) {
    pull_point(force, torque, m, d, pert, vel, inertia);
  }
  if (active & mjPERT_ROTATE) {
    mjtNum pulling[3];
    v3_copy(pulling, torque);
    turn_body(torque, m, d, pert, vel, inertia);
    if (adds && active & mjPERT_TRANSLATE) {
      v3_addto(torque, pulling);
    }
  }
}

void mjv_applyPerturbForce(const mjModel* m, mjData* d, const mjvPerturb* pert) {
  check_pair(m, d);
  check_given(pert);
  apply_force(m, d, pert, 0);
}

void cnd_applyPerturbForce(const mjModel* m, mjData* d, const mjvPerturb* pert) {
  check_pair(m, d);
  check_given(pert);
  if (pert->select > 0) {
    apply_force(m, d, pert, 1);
  }
}
