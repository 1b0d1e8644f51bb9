// Derivatives of the length, velocity and moment of actuators by position, one part for each kind
// of transmission.                                  theory/time/exact-derivatives.md, Transmissions

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>

#include "base/algebra/vec.h"
#include "base/joint.h"
#include "base/transmission.h"
#include "derivative/constraint/constraint.h"
#include "derivative/smooth/forces.h"
#include "derivative/tree/tendon_length.h"
#include "model/data/arena.h"
#include "smooth/jacobian.h"

// d(log q)/dq by rotations about the axes of q
static void turn_jacobian(mjtNum out[9], const mjtNum* qpos) {
  const mjtNum unit[4] = {1, 0, 0, 0};
  mjtNum quat[4];
  q_unit(quat, qpos);
  mjd_subQuat(quat, unit, out, NULL);
}

// ball and free joints

typedef struct {
  int is_turning, dof;  // whether the joint rotates; first dof of its rotation
  int in_parent;        // the gear is given in the axes of the parent
  int has_length;
  const mjtNum *gear, *qpos;
} Turning;

static Turning turning_of(const mjModel* m, const mjData* d, int i) {
  Turning t = {0};
  int joint = m->actuator_trnid[2 * i], type = m->jnt_type[joint], n = joint_scalars(type);
  t.is_turning = joint_has_quat(type);
  t.in_parent = m->actuator_trntype[i] == mjTRN_JOINTINPARENT;
  t.has_length = n == 0;
  t.dof = m->jnt_dofadr[joint] + n;
  t.gear = m->actuator_gear + 6 * i + n;
  t.qpos = d->qpos + m->jnt_qposadr[joint] + n;
  return t;
}

// The length is g . r with the rotation vector r = log q and the gear g, and r is the same in the
// axes of parent and child. The moment is g, or R' g if the gear is in the axes of the parent, with
// D_j (R' g) = (R' g) x e_j.
static void turning_length(mjtNum* out, const Turning* t, mjtNum scale) {
  mjtNum J[9], by[3];
  if (t->has_length) {
    turn_jacobian(J, t->qpos);
    if (t->in_parent) {
      mjtNum quat[4], axis[3];
      q_unit(quat, t->qpos);
      q_unrotate(axis, t->gear, quat);
      mjtNum turn[3], move[3];
      mju_quat2Vel(turn, quat, 1);
      m3_tmulv(by, J, axis);
      v3_cross(move, turn, axis);
      v3_addto(by, move);
    } else {
      m3_tmulv(by, J, t->gear);
    }
    v3_addtoscl(out + t->dof, by, scale);
  }
}

static void turning_axis(mjtNum axis[3], const Turning* t) {
  mjtNum quat[4];
  q_unit(quat, t->qpos);
  q_unrotate(axis, t->gear, quat);
}

// slider-crank

// The length of a slider-crank with rod length r, slider axis a and w = crank - slider is a
// function of two numbers:
//
//   L(p, s) = p - sqrt(p^2 + r^2 - s)     p = a . w,  s = w . w         the rod reaches
//   L = p                                                               it does not
typedef struct {
  int slider, crank;  // bodies
  const mjtNum *xslider, *xcrank;
  mjtNum axis[3], w[3];
  mjtNum p, s, pp, ps, ss;  // derivatives of L
  mjtNum by_axis[3], by_w[3];
} Crank;

static Crank crank_of(const mjModel* m, const mjData* d, int i) {
  int crank = m->actuator_trnid[2 * i], slider = m->actuator_trnid[2 * i + 1];
  mjtNum rod = m->actuator_cranklength[i];
  Crank c = {m->site_bodyid[slider], m->site_bodyid[crank], d->site_xpos + 3 * slider,
             d->site_xpos + 3 * crank, .p = 1};
  m3_column(c.axis, d->site_xmat + 9 * slider, 2);
  v3_sub(c.w, c.xcrank, c.xslider);
  mjtNum along = v3_dot(c.axis, c.w), det = along * along + rod * rod - v3_dot(c.w, c.w);
  if (det > 0) {
    mjtNum root = mju_sqrt(det), cube = root * det;
    c.p = 1 - along / root;
    c.s = 1 / (2 * root);
    c.pp = along * along / cube - 1 / root;
    c.ps = -along / (2 * cube);
    c.ss = 1 / (4 * cube);
  }
  v3_scl(c.by_axis, c.w, c.p);
  v3_scl(c.by_w, c.axis, c.p);
  v3_addtoscl(c.by_w, c.w, 2 * c.s);
  return c;
}

// D_k w and D_k a of a dof
static void crank_moves(mjtNum w[3], mjtNum a[3], const Crank* c, const mjModel* m, const mjData* d,
                        int k, int on_crank, int on_slider) {
  const mjtNum* S = d->cdof + 6 * k;
  mjtNum v[3];
  v3_zero(w);
  v3_zero(a);
  if (on_crank) {
    velocity_at(v, m, d, c->crank, S, c->xcrank);
    v3_addto(w, v);
  }
  if (on_slider) {
    velocity_at(v, m, d, c->slider, S, c->xslider);
    v3_subfrom(w, v);
    v3_cross(a, S, c->axis);
  }
}

// Dofs that move either of two bodies; bit 0 of moves: the first body, bit 1: the second.
typedef struct {
  int n;
  int *dof, *moves;
} Pair;

static Pair pair_of(const mjModel* m, mjData* d, int body1, int body2) {
  const int body[2] = {body1, body2};
  BodyChain chain[2];
  ChainRun run[3];
  int nrun = jac_runs(run, chain, m, body, 2), n = 0;
  for (int k = 0; k < nrun; k++) {
    n += run[k].ndof;
  }
  Pair pair = {0, mj_stackAllocInt(d, n), mj_stackAllocInt(d, n)};
  for (int k = 0; k < nrun; k++) {
    int bits = 0;
    for (int i = run[k].first; i < run[k].end; i++) {
      bits |= 1 << chain[i].place;
    }
    for (int i = 0; i < run[k].ndof; i++, pair.n++) {
      pair.dof[pair.n] = run[k].dof[i];
      pair.moves[pair.n] = bits;
    }
  }
  return pair;
}

static void crank_derivative(mjtNum* G, Load* loads, const mjModel* m, mjData* d, int i,
                             mjtNum force) {
  Crank c = crank_of(m, d, i);
  int nv = m->nv;
  mj_markStack(d);
  Pair pair = pair_of(m, d, c.crank, c.slider);
  mjtNum f = force * m->actuator_gear[6 * i], t[3];
  mjtNum* move = mj_stackAllocNum(d, 8 * (size_t)pair.n);
  for (int k = 0; k < pair.n; k++) {
    mjtNum* x = move + 8 * k;
    crank_moves(x, x + 3, &c, m, d, pair.dof[k], pair.moves[k] & 1, pair.moves[k] & 2);
    x[6] = v3_dot(c.axis, x) + v3_dot(c.w, x + 3);
    x[7] = 2 * v3_dot(c.w, x);
  }
  for (int k = 0; k < pair.n; k++) {
    for (int j = 0; j < pair.n; j++) {
      const mjtNum *x = move + 8 * k, *y = move + 8 * j;
      mjtNum sum = c.pp * x[6] * y[6] + c.ps * (x[6] * y[7] + x[7] * y[6]) + c.ss * x[7] * y[7];
      sum += c.p * (v3_dot(x, y + 3) + v3_dot(x + 3, y)) + 2 * c.s * v3_dot(x, y);
      G[(size_t)pair.dof[k] * nv + pair.dof[j]] += f * sum;
    }
  }
  mj_freeStack(d);
  v3_scl(t, c.by_w, f);
  load_add_force(loads, m, d, c.crank, c.xcrank, t);
  v3_scl(t, t, -1);
  load_add_force(loads, m, d, c.slider, c.xslider, t);
  v3_scl(t, c.by_axis, f);
  load_add_direction(loads, c.slider, c.axis, t);
}

static void crank_rate(mjtNum* out, const mjModel* m, mjData* d, int i, const Twists* W,
                       mjtNum scale) {
  Crank c = crank_of(m, d, i);
  mj_markStack(d);
  Pair pair = pair_of(m, d, c.crank, c.slider);
  const mjtNum* slide = W->body + 6 * c.slider;
  mjtNum w[3], a[3], v[3], f = scale * m->actuator_gear[6 * i];
  velocity_at(w, m, d, c.crank, W->body + 6 * c.crank, c.xcrank);
  velocity_at(v, m, d, c.slider, slide, c.xslider);
  v3_subfrom(w, v);
  v3_cross(a, slide, c.axis);
  mjtNum p = v3_dot(c.axis, w) + v3_dot(c.w, a), s = 2 * v3_dot(c.w, w);
  for (int k = 0; k < pair.n; k++) {
    int j = pair.dof[k];
    mjtNum x[3], y[3], change[3], turn[6];
    crank_moves(x, y, &c, m, d, j, pair.moves[k] & 1, pair.moves[k] & 2);
    mjtNum dp = v3_dot(c.axis, x) + v3_dot(c.w, y), ds = 2 * v3_dot(c.w, x);
    mjtNum sum = (c.pp * dp + c.ps * ds) * p + (c.ps * dp + c.ss * ds) * s;
    sum += c.p * (v3_dot(x, a) + v3_dot(y, w)) + 2 * c.s * v3_dot(x, w);
    if (pair.moves[k] & 1) {
      twists_point_derivative(change, m, d, W, c.crank, c.xcrank, j);
      sum += v3_dot(c.by_w, change);
    }
    if (pair.moves[k] & 2) {
      twists_point_derivative(change, m, d, W, c.slider, c.xslider, j);
      sum -= v3_dot(c.by_w, change);
      twists_derivative(turn, W, d, c.slider, j);
      v3_cross(change, turn, c.axis);
      sum += v3_dot(c.by_axis, change);
      v3_cross(change, slide, y);
      sum += v3_dot(c.by_axis, change);
    }
    out[j] += f * sum;
  }
  mj_freeStack(d);
}

// sites

// Wrench of a site, about the point of the tree; it is constant in the frame of the site.
static void site_wrench(mjtNum out[6], const mjModel* m, const mjData* d, int i) {
  int site = m->actuator_trnid[2 * i], body = m->site_bodyid[site];
  const mjtNum *gear = m->actuator_gear + 6 * i, *mat = d->site_xmat + 9 * site;
  mjtNum r[3], moment[3];
  m3_mulv(out, mat, gear + 3);
  m3_mulv(out + 3, mat, gear);
  v3_sub(r, d->site_xpos + 3 * site, tree_point(m, d, body));
  v3_cross(moment, r, out + 3);
  v3_addto(out, moment);
}

// In the frame of the site, its velocity changes by W_<j x S_j.
static void site_rate(mjtNum* out, const mjModel* m, const mjData* d, int i, const Twists* W,
                      mjtNum scale) {
  int n;
  const int* chain = jac_body_chain(&n, m, m->site_bodyid[m->actuator_trnid[2 * i]]);
  mjtNum wrench[6], rate[6];
  site_wrench(wrench, m, d, i);
  for (int k = 0; k < n; k++) {
    sp_crossmotion(rate, W->before + 6 * chain[k], d->cdof + 6 * chain[k]);
    out[chain[k]] += scale * sp_dot(wrench, rate);
  }
}

// Transmission of a site relative to a reference site: force F and torque T on the body of the site
// at x, the opposite on the body of the reference at x_ref. Both are constant in the frame of the
// reference. Dofs that move both bodies have no moment.
typedef struct {
  int body[2];
  const mjtNum* x[2];
  mjtNum F[3], T[3];
} Relative;

static Relative relative_of(const mjModel* m, const mjData* d, int i) {
  int site = m->actuator_trnid[2 * i], ref = m->actuator_trnid[2 * i + 1];
  const mjtNum *gear = m->actuator_gear + 6 * i, *mat = d->site_xmat + 9 * ref;
  Relative r = {{m->site_bodyid[site], m->site_bodyid[ref]},
                {d->site_xpos + 3 * site, d->site_xpos + 3 * ref},
                {0},
                {0}};
  m3_mulv(r.F, mat, gear);
  m3_mulv(r.T, mat, gear + 3);
  return r;
}

// D_j of the moment of dof k, which moves one side only; moves: sides that dof j moves
static mjtNum relative_term(const Relative* r, const mjModel* m, const mjData* d, int k, int side,
                            int j, int moves) {
  const mjtNum *Sk = d->cdof + 6 * k, *Sj = d->cdof + 6 * j;
  mjtNum vk[3], vj[3], t[3], sum = 0;
  velocity_at(vk, m, d, r->body[side], Sk, r->x[side]);
  if (moves & (1 << side)) {
    velocity_at(vj, m, d, r->body[side], Sj, r->x[side]);
    if (dof_turns(m, j, k)) {
      v3_cross(t, Sj, vk);
      sum += v3_dot(r->F, t);
      v3_cross(t, Sj, Sk);
      sum += v3_dot(r->T, t);
    } else {
      v3_cross(t, Sk, vj);
      sum += v3_dot(r->F, t);
    }
  }
  if (moves & 2) {
    v3_cross(t, Sj, r->F);
    sum += v3_dot(vk, t);
    v3_cross(t, Sj, r->T);
    sum += v3_dot(Sk, t);
  }
  return side ? -sum : sum;
}

// G += force D (moment), and out += scale D (moment . z) at constant z; either may be NULL
static void relative_derivative(mjtNum* G, mjtNum force, mjtNum* out, const mjtNum* z, mjtNum scale,
                                const mjModel* m, mjData* d, int i) {
  Relative r = relative_of(m, d, i);
  mj_markStack(d);
  Pair pair = pair_of(m, d, r.body[0], r.body[1]);
  for (int a = 0; a < pair.n; a++) {
    int k = pair.dof[a];
    if (pair.moves[a] == 3) {
      continue;
    }
    for (int b = 0; b < pair.n; b++) {
      int j = pair.dof[b];
      mjtNum term = relative_term(&r, m, d, k, pair.moves[a] == 2, j, pair.moves[b]);
      if (G) {
        G[(size_t)k * m->nv + j] += force * term;
      }
      if (out) {
        out[j] += scale * z[k] * term;
      }
    }
  }
  mj_freeStack(d);
}

// Derivative of the length g . R_ref' (x - x_ref) + g_r . log(conj(q_ref) q). Here the quaternion
// of a site is q_site q_body, with the mounting on the left, so q turns by R_body' w in its own
// axes.
static void relative_length(mjtNum* out, const mjModel* m, mjData* d, int i, mjtNum scale) {
  Relative r = relative_of(m, d, i);
  const mjtNum* gear = m->actuator_gear + 6 * i;
  mjtNum quat[2][4], D[2][9], by[2][3];
  for (int side = 0; side < 2; side++) {
    int site = m->actuator_trnid[2 * i + side];
    q_mul(quat[side], m->site_quat + 4 * site, d->xquat + 4 * r.body[side]);
  }
  mjd_subQuat(quat[0], quat[1], D[0], D[1]);
  for (int side = 0; side < 2; side++) {
    mjtNum local[3];
    m3_tmulv(local, D[side], gear + 3);
    m3_mulv(by[side], d->xmat + 9 * r.body[side], local);
    int n;
    const int* chain = jac_body_chain(&n, m, r.body[side]);
    for (int k = 0; k < n; k++) {
      const mjtNum* S = d->cdof + 6 * chain[k];
      mjtNum v[3];
      velocity_at(v, m, d, r.body[side], S, r.x[0]);
      mjtNum moved = v3_dot(r.F, v);
      out[chain[k]] += scale * ((side ? -moved : moved) + v3_dot(by[side], S));
    }
  }
}

// adhesion

// The moment of adhesion is minus the mean of the normal rows of the contacts of a body, active or
// within their gap.
static int adhesion_derivative(mjtNum* G, const mjModel* m, mjData* d, int i, mjtNum force) {
  int body = m->actuator_trnid[2 * i], count = 0;
  mj_markStack(d);
  mjtNum* push = mj_stackAllocNum(d, (size_t)d->ncon);
  for (int c = 0; c < d->ncon; c++) {
    const mjContact* con = d->contact + c;
    int is_own = con->geom[0] >= 0 && con->geom[1] >= 0 && con->exclude <= 1 &&
                 (m->geom_bodyid[con->geom[0]] == body || m->geom_bodyid[con->geom[1]] == body);
    push[c] = is_own ? -force : 0;
    count += is_own;
  }
  mju_scl(push, push, 1 / (mjtNum)int_max(count, 1), d->ncon);
  int kinks = count ? normal_forces_derivative(G, m, d, push) : 0;
  mj_freeStack(d);
  return kinks;
}

static void adhesion_rate(mjtNum* out, const mjModel* m, mjData* d, int i, const mjtNum* z,
                          mjtNum scale) {
  size_t nv = (size_t)m->nv;
  mj_markStack(d);
  mjtNum* G = arena_zeros(d, nv * nv);
  adhesion_derivative(G, m, d, i, scale);
  for (size_t k = 0; k < nv; k++) {
    mju_addToScl(out, G + k * nv, z[k], m->nv);
  }
  mj_freeStack(d);
}

// all

static int is_reference(const mjModel* m, int i) {
  return m->actuator_trntype[i] == mjTRN_SITE && m->actuator_trnid[2 * i + 1] >= 0;
}

// out += scale moment
static void add_moment(mjtNum* out, const mjData* d, int i, mjtNum scale) {
  int adr = d->moment_rowadr[i];
  for (int k = adr; k < adr + d->moment_rownnz[i]; k++) {
    out[d->moment_colind[k]] += scale * d->actuator_moment[k];
  }
}

void transmission_length_derivative(mjtNum* out, const mjModel* m, mjData* d, int i, mjtNum scale) {
  int type = m->actuator_trntype[i];
  if (transmission_on_joint(type)) {
    Turning t = turning_of(m, d, i);
    if (t.is_turning) {
      turning_length(out, &t, scale);
      return;
    }
  }
  if (is_reference(m, i)) {
    relative_length(out, m, d, i, scale);
  } else if (type == mjTRN_TENDON) {
    tendon_length_derivative(out, m, d, m->actuator_trnid[2 * i], scale * m->actuator_gear[6 * i]);
  } else if (type != mjTRN_SITE && type != mjTRN_BODY) {
    add_moment(out, d, i, scale);
  }
}

void transmission_rate_derivative(mjtNum* out, const mjModel* m, mjData* d, int i, const Twists* W,
                                  mjtNum scale) {
  int type = m->actuator_trntype[i];
  if (type == mjTRN_JOINTINPARENT) {
    Turning t = turning_of(m, d, i);
    if (t.is_turning) {
      mjtNum axis[3], by[3];
      turning_axis(axis, &t);
      v3_cross(by, W->z + t.dof, axis);
      v3_addtoscl(out + t.dof, by, scale);
    }
  } else if (type == mjTRN_TENDON) {
    tendon_rate_derivative(out, m, d, m->actuator_trnid[2 * i], W, scale * m->actuator_gear[6 * i]);
  } else if (type == mjTRN_SLIDERCRANK) {
    crank_rate(out, m, d, i, W, scale);
  } else if (is_reference(m, i)) {
    relative_derivative(NULL, 0, out, W->z, scale, m, d, i);
  } else if (type == mjTRN_BODY) {
    adhesion_rate(out, m, d, i, W->z, scale);
  } else if (type == mjTRN_SITE) {
    site_rate(out, m, d, i, W, scale);
  }
}

// Also mj_transmission in smooth/transmission.c.
int transmission_derivative(mjtNum* G, Load* loads, mjtNum* follower, const mjModel* m, mjData* d,
                            int i, mjtNum force) {
  int type = m->actuator_trntype[i];
  if (type == mjTRN_JOINTINPARENT) {
    Turning t = turning_of(m, d, i);
    if (t.is_turning) {
      mjtNum axis[3];
      turning_axis(axis, &t);
      for (int j = 0; j < 3; j++) {
        mjtNum unit[3] = {0, 0, 0}, change[3];
        unit[j] = 1;
        v3_cross(change, axis, unit);
        for (int k = 0; k < 3; k++) {
          G[(size_t)(t.dof + k) * m->nv + t.dof + j] += force * change[k];
        }
      }
    }
  } else if (type == mjTRN_TENDON) {
    return tendon_derivative(G, loads, m, d, m->actuator_trnid[2 * i],
                             force * m->actuator_gear[6 * i]);
  } else if (type == mjTRN_SLIDERCRANK) {
    crank_derivative(G, loads, m, d, i, force);
  } else if (is_reference(m, i)) {
    relative_derivative(G, force, NULL, NULL, 0, m, d, i);
  } else if (type == mjTRN_BODY) {
    return adhesion_derivative(G, m, d, i, force);
  } else if (type == mjTRN_SITE) {
    mjtNum wrench[6];
    site_wrench(wrench, m, d, i);
    sp_addtoscl(follower + 6 * m->site_bodyid[m->actuator_trnid[2 * i]], wrench, force);
  }
  return 0;
}
