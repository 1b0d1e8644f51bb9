// motion.h: velocities, accelerations, momenta and forces as differences of positions in time.
//
// The state moves on and back along its velocity and acceleration; points and frames are followed
// with their bodies, and nothing that the engine says about velocities is used.

#pragma once

#include "support/zoo.h"

// time of the differences, s; a second difference loses 1e-16/h^2, a first one 1e-16/h, both are
// right to h^2
static const double kFirst = 1e-6, kSecond = 1e-4;

// A state, and room for the same a little earlier and later.
typedef struct Moment_ {
  const mjModel* m;
  mjData* d;         // now
  mjData* moved[2];  // back and forth
  mjtNum* solved;    // acceleration that the solver found
} Moment;

// The state t later, accelerating evenly.
static inline void move(const Moment* now, mjData* moved, double t) {
  const mjModel* m = now->m;
  mjtNum* mean = calloc((size_t)m->nv, sizeof *mean);
  mju_addScl(mean, now->d->qvel, now->d->qacc, (mjtNum)(t / 2), m->nv);
  mju_copy(moved->qpos, now->d->qpos, m->nq);
  mj_integratePos(m, moved->qpos, mean, (mjtNum)t);
  mju_addScl(moved->qvel, now->d->qvel, now->d->qacc, (mjtNum)t, m->nv);
  mj_kinematics(m, moved);
  mj_comPos(m, moved);
  free(mean);
}

static inline void spread(const Moment* now, double t) {
  move(now, now->moved[0], -t);
  move(now, now->moved[1], t);
}

// frames

// A frame that is fixed to a body.
typedef struct Frame_ {
  int body;
  mjtNum pos[3], mat[9];
} Frame;

static inline Frame frame_of(const mjModel* m, const mjData* d, int type, int id) {
  const mjtNum *pos = NULL, *mat = NULL;
  Frame f = {.body = id, .mat = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  switch (type) {
    case mjOBJ_BODY:
      pos = d->xipos + 3 * id, mat = d->ximat + 9 * id;
      break;
    case mjOBJ_XBODY:
      pos = d->xpos + 3 * id, mat = d->xmat + 9 * id;
      break;
    case mjOBJ_GEOM:
      pos = d->geom_xpos + 3 * id, mat = d->geom_xmat + 9 * id, f.body = m->geom_bodyid[id];
      break;
    case mjOBJ_SITE:
      pos = d->site_xpos + 3 * id, mat = d->site_xmat + 9 * id, f.body = m->site_bodyid[id];
      break;
    case mjOBJ_CAMERA:
      pos = d->cam_xpos + 3 * id, mat = d->cam_xmat + 9 * id, f.body = m->cam_bodyid[id];
      break;
    default:
      f.body = 0;
      return f;
  }
  mju_copy3(f.pos, pos);
  mju_copy(f.mat, mat, 9);
  return f;
}

// The same frame where its body has been moved to.
static inline Frame follow(const Frame* f, const mjData* from, const mjData* to) {
  const mjtNum *before = from->xmat + 9 * f->body, *after = to->xmat + 9 * f->body;
  mjtNum local[9], arm[3];
  Frame g = {.body = f->body};
  mju_mulMatTMat(local, before, f->mat, 3, 3, 3);
  mju_mulMatMat(g.mat, after, local, 3, 3, 3);
  mju_sub3(arm, f->pos, from->xpos + 3 * f->body);
  mju_mulMatTVec(local, before, arm, 3, 3);
  mju_mulMatVec(g.pos, after, local, 3, 3);
  mju_addTo3(g.pos, to->xpos + 3 * f->body);
  return g;
}

// f seen from r
static inline Frame relative(const Frame* f, const Frame* r) {
  Frame g = {.body = f->body};
  mjtNum arm[3];
  mju_sub3(arm, f->pos, r->pos);
  mju_mulMatTVec(g.pos, r->mat, arm, 3, 3);
  mju_mulMatTMat(g.mat, r->mat, f->mat, 3, 3, 3);
  return g;
}

// Angular, then linear velocity from where a frame was to where it will be.
static inline void rate(mjtNum out[6], const Frame* before, const Frame* after, double time) {
  mjtNum turn[9], quat[4];
  mju_mulMatMatT(turn, after->mat, before->mat, 3, 3, 3);
  mju_mat2Quat(quat, turn);
  mju_quat2Vel(out, quat, (mjtNum)time);
  mju_sub3(out + 3, after->pos, before->pos);
  mju_scl3(out + 3, out + 3, (mjtNum)(1 / time));
}

// Velocity of f relative to r, both moving, in the axes of r.
static inline void velocity(mjtNum out[6], const Moment* now, const Frame* f, const Frame* r) {
  Frame seen[2];
  spread(now, kFirst);
  for (int i = 0; i < 2; i++) {
    Frame fi = follow(f, now->d, now->moved[i]), ri = follow(r, now->d, now->moved[i]);
    seen[i] = relative(&fi, &ri);
  }
  rate(out, seen, seen + 1, 2 * kFirst);
}

// Acceleration minus gravity; what is welded to the world feels nothing at all.
static inline void acceleration(mjtNum out[6], const Moment* now, const Frame* f) {
  mjtNum ends[2][6];
  mju_zero(out, 6);
  if (!now->m->body_weldid[f->body]) {
    return;
  }
  spread(now, kSecond);
  for (int i = 0; i < 2; i++) {
    Frame g = follow(f, now->d, now->moved[i]);
    rate(ends[i], i ? f : &g, i ? &g : f, kSecond);
  }
  mju_sub(out, ends[1], ends[0], 6);
  mju_scl(out, out, (mjtNum)(1 / kSecond), 6);
  mju_subFrom3(out + 3, now->m->opt.gravity);
}

// subtrees

static inline int is_in_subtree(const mjModel* m, int body, int root) {
  while (body > root) {
    body = m->body_parentid[body];
  }
  return body == root;
}

// Center of mass; angular momentum about a point (NULL: the center) relative to it, linear
// momentum.
static inline void subtree(mjtNum com[3], mjtNum momentum[6], const Moment* now, int root,
                           const mjtNum* about) {
  const mjModel* m = now->m;
  const Frame world = frame_of(m, now->d, mjOBJ_UNKNOWN, 0);
  mjtNum mass = 0, mean[3], v[6];
  mju_zero3(com);
  mju_zero(momentum, 6);
  for (int pass = 0; pass < 2; pass++) {
    for (int i = root; i < m->nbody; i++) {
      if (!is_in_subtree(m, i, root)) {
        continue;
      }
      Frame f = frame_of(m, now->d, mjOBJ_BODY, i);
      velocity(v, now, &f, &world);
      if (!pass) {
        mass += m->body_mass[i];
        mju_addToScl3(com, f.pos, m->body_mass[i]);
        mju_addToScl3(momentum + 3, v + 3, m->body_mass[i]);
        continue;
      }
      mjtNum local[3], spin[3], arm[3];
      mju_mulMatTVec(local, f.mat, v, 3, 3);
      for (int k = 0; k < 3; k++) {
        local[k] *= m->body_inertia[3 * i + k];
      }
      mju_mulMatVec(spin, f.mat, local, 3, 3);
      mju_addTo3(momentum, spin);
      mju_sub3(arm, f.pos, about ? about : com);
      if (!about) {
        mju_subFrom3(v + 3, mean);
      }
      mju_cross(spin, arm, v + 3);
      mju_addToScl3(momentum, spin, m->body_mass[i]);
    }
    if (!pass) {
      mju_scl3(com, com, 1 / mass);
      mju_scl3(mean, momentum + 3, 1 / mass);
    }
  }
}

// Force and torque about a point that the parent exerts on a subtree: the rates of its momenta,
// less what weight, applied forces and contacts do.
static inline void from_parent(mjtNum out[6], const Moment* now, int root, const mjtNum at[3]) {
  const mjModel* m = now->m;
  mjtNum force[3], torque[3], arm[3];
  mju_zero(out, 6);
  for (int i = root ? root : 1; i < m->nbody; i++) {
    if (!is_in_subtree(m, i, root)) {
      continue;
    }
    // of the body: m a and R I (R' w)' about its center of mass
    Frame f = frame_of(m, now->d, mjOBJ_BODY, i);
    const Frame world = frame_of(m, now->d, mjOBJ_UNKNOWN, 0);
    mjtNum acc[6], v[6], w[3], spin[3];
    acceleration(acc, now, &f);
    velocity(v, now, &f, &world);
    if (!m->body_weldid[i]) {
      mju_scl3(acc + 3, m->opt.gravity, -1);
    }
    mju_mulMatTVec(w, f.mat, v, 3, 3);
    mju_mulMatTVec(torque, f.mat, acc, 3, 3);
    for (int k = 0; k < 3; k++) {
      spin[k] = w[k] * m->body_inertia[3 * i + k];
      torque[k] *= m->body_inertia[3 * i + k];
    }
    mju_cross(force, w, spin);
    mju_addTo3(torque, force);
    mju_mulMatVec(spin, f.mat, torque, 3, 3);
    mju_scl3(force, acc + 3, m->body_mass[i]);
    mju_subFrom3(force, now->d->xfrc_applied + 6 * i);
    mju_subFrom3(spin, now->d->xfrc_applied + 6 * i + 3);
    mju_sub3(arm, f.pos, at);
    mju_cross(torque, arm, force);
    mju_addTo3(out, force);
    mju_addTo3(out + 3, torque);
    mju_addTo3(out + 3, spin);
  }
  for (int i = 0; i < now->d->ncon; i++) {
    const mjContact* con = now->d->contact + i;
    for (int side = 0; side < 2; side++) {
      int body = m->geom_bodyid[con->geom[side]];
      if (con->efc_address < 0 || !body || !is_in_subtree(m, body, root)) {
        continue;
      }
      mjtNum local[6], sign = side ? -1 : 1;
      mj_contactForce(m, now->d, i, local);
      mju_mulMatTVec(force, con->frame, local, 3, 3);
      mju_addToScl3(out, force, sign);
      mju_sub3(arm, con->pos, at);
      mju_cross(torque, arm, force);
      mju_addToScl3(out + 3, torque, sign);
      mju_mulMatTVec(torque, con->frame, local + 3, 3, 3);
      mju_addToScl3(out + 3, torque, sign);
    }
  }
}
