// Bending and torsion of rods.                           theory/smooth/deformables.md, Rods

#include "smooth/flex/rod.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>

#include "base/algebra/elementary.h"
#include "base/algebra/vec.h"
#include "model/flex/rod_frame.h"
#include "smooth/flex/flex.h"
#include "smooth/jacobian.h"

// frames

// An edge: its vertices, its vector e with length and direction t, its material frame m1, m2 and
// the reference axis u that the angle of its hinge turns to m1.
typedef struct RodEdge_ {
  int vert[2];
  mjtNum e[3], t[3], length, u[3], m1[3], m2[3];
  mjtNum slope;   // of the energy by the angle
  mjtNum spin;    // velocity of the angle
  mjtNum lag[3];  // t0 x t / (1 + t0 . t) of the tangent t0 from which u came, else 0
} RodEdge;

// Angle from u0, taken along to the next edge, to u1.
static mjtNum twist_between(const RodEdge* e0, const RodEdge* e1) {
  mjtNum along[3], across[3];
  rod_transport(along, e0->u, e0->t, e1->t);
  v3_cross(across, along, e1->u);
  return num_atan2(v3_dot(across, e1->t), v3_dot(along, e1->u));
}

void rod_lag(mjtNum out[3], const mjModel* m, const mjData* d, int flex, int edge,
             const mjtNum t[3]) {
  const mjtNum *state = rod_frames(m, d, flex), *before = state + ROD_FRAME * edge;
  v3_zero(out);
  if (rod_is_started(state)) {
    v3_cross(out, before, t);
    v3_scl(out, out, 1 / num_max(mjMINVAL, 1 + v3_dot(before, t)));
  }
}

static RodEdge* find_edges(const mjModel* m, mjData* d, const Rod* rod, int flex, const mjtNum* x) {
  RodEdge* edge = mj_stackAllocByte(d, (size_t)rod->nedge * sizeof(RodEdge), sizeof(mjtNum));
  for (int i = 0; i < rod->nedge; i++) {
    RodEdge* at = edge + i;
    rod_edge(at->vert, rod, i);
    v3_sub(at->e, x + 3 * (size_t)at->vert[1], x + 3 * (size_t)at->vert[0]);
    v3_copy(at->t, at->e);
    at->length = num_max(mjMINVAL, v3_normalize(at->t));
    rod_axis(at->u, m, d, rod, flex, i, at->t, i ? at[-1].t : NULL, i ? at[-1].u : NULL);
    v3_zero(at->lag);
    if (rod_holder(rod, i) < 0) {
      rod_lag(at->lag, m, d, flex, i, at->t);
    }
    at->slope = 0;
  }
  return edge;
}

// The reference twist of vertex i, of whole turns the nearest to what it was.
static mjtNum reference_twist(const RodEdge* edge, const mjtNum* state, const Rod* rod, int i) {
  mjtNum was = state[ROD_FRAME * rod->nedge + i], now = twist_between(edge + i, edge + i + 1);
  return now + (mjtNum)(2 * mjPI) * mju_round((was - now) / (mjtNum)(2 * mjPI));
}

void rod_state_now(mjtNum* state, const mjModel* m, mjData* d, int flex, const mjtNum* x) {
  Rod rod;
  if (!rod_of(&rod, m, flex)) {
    return;
  }
  mj_markStack(d);
  const RodEdge* edge = find_edges(m, d, &rod, flex, x);
  const mjtNum* old = rod_frames(m, d, flex);
  for (int i = 0; i < rod.n; i++) {
    state[ROD_FRAME * rod.nedge + i] = reference_twist(edge, old, &rod, i);
  }
  for (int i = 0; i < rod.nedge; i++) {
    v3_copy(state + ROD_FRAME * i, edge[i].t);
    v3_copy(state + ROD_FRAME * i + 3, edge[i].u);
  }
  mj_freeStack(d);
}

// bends

// Two edges e0, e1 that meet, and their curvature binormal
//
//   kb = 2 e0 x e1 / D,  D = |e0| |e1| + e0 . e1
//   d kb = (2 (de0 x e1 + e0 x de1) - kb (a0 . de0 + a1 . de1)) / D,
//   a0 = |e1| t0 + e1,  a1 = |e0| t1 + e0
typedef struct Bend_ {
  mjtNum e[2][3], t[2][3], a[2][3], length[2], D, kb[3], size;
} Bend;

static void bend_of(Bend* at, const mjtNum x0[3], const mjtNum x1[3], const mjtNum x2[3]) {
  v3_sub(at->e[0], x1, x0);
  v3_sub(at->e[1], x2, x1);
  for (int k = 0; k < 2; k++) {
    v3_copy(at->t[k], at->e[k]);
    at->length[k] = num_max(mjMINVAL, v3_normalize(at->t[k]));
  }
  mjtNum product = at->length[0] * at->length[1];
  at->D = num_max(mjMINVAL * product, product + v3_dot(at->e[0], at->e[1]));
  for (int k = 0; k < 2; k++) {
    v3_addscl(at->a[k], at->e[1 - k], at->t[k], at->length[1 - k]);
  }
  v3_cross(at->kb, at->e[0], at->e[1]);
  v3_scl(at->kb, at->kb, 2 / at->D);
  at->size = v3_norm(at->kb);
}

// d kb of velocities of the edges.
static void bend_rate(mjtNum out[3], const Bend* at, mjtNum v[2][3]) {
  mjtNum part[3];
  v3_cross(out, v[0], at->e[1]);
  v3_crossadd(out, at->e[0], v[1], out);
  v3_scl(part, at->kb, v3_dot(at->a[0], v[0]) + v3_dot(at->a[1], v[1]));
  for (int k = 0; k < 3; k++) {
    out[k] = (2 * out[k] - part[k]) / at->D;
  }
}

// The gradient by both edges of g . kb: G0 = (2 e1 x g - (g . kb) a0) / D,
// G1 = (2 g x e0 - (g . kb) a1) / D
static void bend_gradient(mjtNum G[2][3], const Bend* at, const mjtNum g[3]) {
  mjtNum along = v3_dot(g, at->kb);
  v3_cross(G[0], at->e[1], g);
  v3_cross(G[1], g, at->e[0]);
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < 3; k++) {
      G[i][k] = (2 * G[i][k] - along * at->a[i][k]) / at->D;
    }
  }
}

// Forces at vertices, from a gradient by an edge: f = - dE/dx.
static void push_edge(mjtNum (*force)[3], int from, int to, const mjtNum gradient[3]) {
  v3_addto(force[from], gradient);
  v3_subfrom(force[to], gradient);
}

static void push_bend(mjtNum (*force)[3], const int vert[3], mjtNum G[2][3]) {
  push_edge(force, vert[0], vert[1], G[0]);
  push_edge(force, vert[1], vert[2], G[1]);
}

static void record_vertices(int vert[4], const mjtNum* record) {
  for (int k = 0; k < 4; k++) {
    vert[k] = (int)record[k];
  }
}

static void velocity_of(mjtNum out[2][3], const mjtNum (*v)[3], const int vert[3]) {
  v3_sub(out[0], v[vert[1]], v[vert[0]]);
  v3_sub(out[1], v[vert[2]], v[vert[1]]);
}

// rods whose edges twist

// Energy of a vertex, with w_j = (kb . m2, - kb . m1) in the material frame of edge j = 0, 1, the
// angles theta_j of the hinges and the reference twist r:
//
//   E = 1/2 sum over j of (k2 (w_j - w0_j)_1^2 + k1 (w_j - w0_j)_2^2)
//       + kt (theta_1 - theta_0 + r)^2
//   dr = kb / (2 |e0|) . de0 + kb / (2 |e1|) . de1
static void spring_vertex(mjtNum (*force)[3], RodEdge* edge, const Rod* rod, int i, const Bend* at,
                          mjtNum twist) {
  const mjtNum *record = rod->record + ROD_RECORD * i, *rest = rod->rest + ROD_REST * i;
  mjtNum weak = record[4], strong = record[4] + record[5], G[2][3], g[3] = {0, 0, 0};
  mjtNum torque = 2 * record[8] * twist;
  int vert[4];
  for (int j = 0; j < 2; j++) {
    RodEdge* e = edge + i + j;
    mjtNum w1 = v3_dot(at->kb, e->m2), w2 = -v3_dot(at->kb, e->m1);
    mjtNum f1 = strong * (w1 - rest[2 * j]), f2 = weak * (w2 - rest[2 * j + 1]);
    v3_addtoscl(g, e->m2, f1);
    v3_addtoscl(g, e->m1, -f2);
    e->slope += f1 * w2 - f2 * w1 + (j ? torque : -torque);
  }
  bend_gradient(G, at, g);
  for (int j = 0; j < 2; j++) {
    v3_addtoscl(G[j], at->kb, torque / (2 * at->length[j]));
  }
  record_vertices(vert, record);
  push_bend(force, vert, G);
}

// Damping of |kb| with k = 1/2 sum over j of (k2 (n . m2)^2 + sqrt(k1 k2) (n . m1)^2), n along kb,
// or of kb itself if it is 0, and of the twist:
//
//   f = - 2 beta k d|kb|/dt grad |kb| - 2 beta kt m' grad m
static void damp_vertex(mjtNum (*force)[3], RodEdge* edge, const Rod* rod, int i, const Bend* at,
                        const mjtNum (*v)[3], mjtNum damping) {
  const mjtNum* record = rod->record + ROD_RECORD * i;
  mjtNum strong = record[4] + record[5], weak = mju_sqrt(record[4] * strong);
  mjtNum rate[2][3], dkb[3], n[3], G[2][3], g[3] = {0, 0, 0};
  int vert[4];
  record_vertices(vert, record);
  velocity_of(rate, v, vert);
  bend_rate(dkb, at, rate);
  int bent = at->size > mjMINVAL;
  v3_scl(n, at->kb, bent ? 1 / at->size : 0);
  mjtNum along = v3_dot(n, dkb), stiffness = 0, twist = edge[i + 1].spin - edge[i].spin;
  for (int j = 0; j < 2; j++) {
    const RodEdge* e = edge + i + j;
    const mjtNum* of = bent ? n : dkb;
    mjtNum w1 = v3_dot(of, e->m2), w2 = v3_dot(of, e->m1);
    stiffness += (strong * w1 * w1 + weak * w2 * w2) / 2;
    v3_addtoscl(g, e->m2, strong * w1);
    v3_addtoscl(g, e->m1, weak * w2);
    twist += v3_dot(at->kb, rate[j]) / (2 * at->length[j]);
  }
  if (bent) {
    v3_scl(g, n, 2 * stiffness * along);
  }
  v3_scl(g, g, damping);
  bend_gradient(G, at, g);
  mjtNum torque = 2 * damping * record[8] * twist;
  for (int j = 0; j < 2; j++) {
    v3_addtoscl(G[j], at->kb, torque / (2 * at->length[j]));
    edge[i + j].slope += j ? torque : -torque;
  }
  push_bend(force, vert, G);
}

// Applies the torques on the edges: on hinges, or on the bodies that hold them. A frame that comes
// from an earlier tangent spins when the edge moves off: d angle = - lag . de / |e|.
static void push_slopes(mjtNum* qfrc, mjtNum (*force)[3], const mjModel* m, const mjData* d,
                        const Rod* rod, RodEdge* edge, int spins) {
  const mjtNum zero[3] = {0, 0, 0};
  for (int i = 0; i < rod->nedge; i++) {
    RodEdge* at = edge + i;
    int body = rod_holder(rod, i);
    if (body >= 0) {
      mjtNum torque[3];
      v3_scl(torque, at->t, -at->slope);
      jac_add_force(qfrc, m, d, zero, torque, d->xpos + 3 * body, body);
    } else {
      qfrc[m->jnt_dofadr[rod_joint(rod, i)]] -= at->slope;
      mjtNum G[3];
      v3_scl(G, at->lag, spins ? -at->slope / at->length : 0);
      push_edge(force, at->vert[0], at->vert[1], G);
    }
    at->slope = 0;
  }
}

// Material frames at the angles of the hinges, and their velocities.
static void turn_material(RodEdge* edge, const mjModel* m, const mjData* d, const Rod* rod) {
  for (int i = 0; i < rod->nedge; i++) {
    RodEdge* at = edge + i;
    int body = rod_holder(rod, i), joint = rod_joint(rod, i);
    at->spin = body >= 0 ? v3_dot(d->cvel + 6 * body, at->t) : d->qvel[m->jnt_dofadr[joint]];
    rod_material(at->m1, at->m2, at->t, at->u, rod_angle(m, d, rod, i));
  }
}

static void twisting_forces(const mjModel* m, mjData* d, const Rod* rod, int flex,
                            mjtNum (*spring)[3], mjtNum (*damper)[3], const mjtNum (*v)[3]) {
  const mjtNum *x = d->flexvert_xpos + 3 * (size_t)m->flex_vertadr[flex],
               *state = rod_frames(m, d, flex);
  RodEdge* edge = find_edges(m, d, rod, flex, x);
  turn_material(edge, m, d, rod);
  for (int pass = 0; pass < 2; pass++) {
    if (!(pass ? damper : spring)) {
      continue;
    }
    for (int i = 0; i < rod->n; i++) {
      const mjtNum* record = rod->record + ROD_RECORD * i;
      Bend at;
      bend_of(&at, x + 3 * (size_t)record[0], x + 3 * (size_t)record[1], x + 3 * (size_t)record[2]);
      if (pass) {
        damp_vertex(damper, edge, rod, i, &at, v, m->flex_damping[flex]);
      } else {
        mjtNum twist = rod_angle(m, d, rod, i + 1) - rod_angle(m, d, rod, i) +
                       reference_twist(edge, state, rod, i);
        spring_vertex(spring, edge, rod, i, &at, twist);
      }
    }
    push_slopes(pass ? d->qfrc_damper : d->qfrc_spring, pass ? damper : spring, m, d, rod, edge,
                !pass);
  }
}

// rods without hinges

// The size of a bend, and kb by it, are smooth through kb = 0, of a vertex with rest size r:
//
//   s = sqrt((|kb|^2 + eps r^2) / (1 + eps)),  N = kb / s,  |N| = 1 at rest
static const mjtNum EPS = (mjtNum)1e-8;

static mjtNum smooth_size(mjtNum size, mjtNum rest) {
  return mju_sqrt((size * size + EPS * rest * rest) / (1 + EPS));
}

// E = k (1 + eps) (s - r)^2, k |kb|^2 without a rest
static void spring_size(mjtNum (*force)[3], const Bend* at, const int vert[3], mjtNum k,
                        mjtNum rest) {
  mjtNum G[2][3], g[3];
  v3_scl(g, at->kb, rest == 0 ? 2 * k : 2 * k * (1 - rest / smooth_size(at->size, rest)));
  bend_gradient(G, at, g);
  push_bend(force, vert, G);
}

// Force - 2 beta k d|kb|/dt grad |kb|. A straight bend is damped in every direction.
static void damp_size(mjtNum (*force)[3], const Bend* at, const int vert[3], mjtNum k,
                      const mjtNum (*v)[3]) {
  mjtNum rate[2][3], G[2][3], g[3], n[3];
  velocity_of(rate, v, vert);
  bend_rate(g, at, rate);
  if (at->size > mjMINVAL) {
    v3_scl(n, at->kb, 1 / at->size);
    v3_scl(g, n, v3_dot(n, g));
  }
  v3_scl(g, g, 2 * k);
  bend_gradient(G, at, g);
  push_bend(force, vert, G);
}

// Two bends that share an edge e with direction t, and the cosine and sine of the angle psi between
// their planes, times the sizes of N0 and N1:
//
//   C = N0 . N1,  S = t . (N0 x N1)
typedef struct Pair_ {
  const Bend* bend[2];
  mjtNum N[2][3], size[2], square[2], cosine, sine;
} Pair;

static void pair_of(Pair* out, const Bend bend[2], const mjtNum rest[2]) {
  mjtNum across[3];
  for (int i = 0; i < 2; i++) {
    out->bend[i] = bend + i;
    out->size[i] = smooth_size(bend[i].size, rest[i]);
    v3_scl(out->N[i], bend[i].kb, 1 / num_max(mjMINVAL, out->size[i]));
    out->square[i] = v3_dot(out->N[i], out->N[i]);
  }
  v3_cross(across, out->N[0], out->N[1]);
  out->cosine = v3_dot(out->N[0], out->N[1]);
  out->sine = v3_dot(across, bend[0].t[1]);
}

// Gradient by the three edges of a C + b S + c |N0|^2 |N1|^2, with constant a, b, c; t only turns
// across N0 x N1, so it adds nothing.
static void pair_gradient(mjtNum G[3][3], const Pair* at, mjtNum a, mjtNum b, mjtNum c) {
  const mjtNum* t = at->bend[0]->t[1];
  for (int k = 0; k < 3; k++) {
    v3_zero(G[k]);
  }
  for (int i = 0; i < 2; i++) {
    const mjtNum *own = at->N[i], *other = at->N[1 - i];
    mjtNum g[3], part[2][3];
    v3_cross(g, i ? t : other, i ? other : t);
    v3_scl(g, g, b);
    v3_addtoscl(g, other, a);
    v3_addtoscl(g, own, 2 * c * at->square[1 - i]);
    v3_addtoscl(g, own, -v3_dot(g, own) / (1 + EPS));
    v3_scl(g, g, 1 / num_max(mjMINVAL, at->size[i]));
    bend_gradient(part, at->bend[i], g);
    v3_addto(G[i], part[0]);
    v3_addto(G[i + 1], part[1]);
  }
}

static void push_pair(mjtNum (*force)[3], const int vert[4], const mjtNum (*G)[3], mjtNum scale) {
  for (int i = 0; i < 3; i++) {
    mjtNum own[3];
    v3_scl(own, G[i], scale);
    push_edge(force, vert[i], vert[i + 1], own);
  }
}

// E = kd |z - z0|^2 with z = C + i S and |z0| = 1, damped by 2 beta kd / (1 + eps) times the rate
// of z across z.
// record: w0 w1 |kb0| |kb1| kd z0
static void pair_forces(mjtNum (*spring)[3], mjtNum (*damper)[3], const Bend bend[2],
                        const int vert[4], const mjtNum* record, const mjtNum (*v)[3],
                        mjtNum damping) {
  mjtNum kd = mju_sqrt(record[8] * record[8] + record[9] * record[9]), G[3][3];
  Pair at;
  pair_of(&at, bend, record + 6);
  if (spring) {
    pair_gradient(G, &at, -2 * record[8], -2 * record[9], kd);
    push_pair(spring, vert, (const mjtNum(*)[3])G, 1);
  }
  mjtNum size = mju_sqrt(at.cosine * at.cosine + at.sine * at.sine);
  if (damper && size > mjMINVAL) {
    mjtNum rate = 0, e[3];
    pair_gradient(G, &at, -at.sine / size, at.cosine / size, 0);
    for (int i = 0; i < 3; i++) {
      v3_sub(e, v[vert[i + 1]], v[vert[i]]);
      rate += v3_dot(G[i], e);
    }
    push_pair(damper, vert, (const mjtNum(*)[3])G, 2 * damping * kd * rate / (1 + EPS));
  }
}

static void plain_forces(const mjModel* m, const mjData* d, const Rod* rod, int flex,
                         mjtNum (*spring)[3], mjtNum (*damper)[3], const mjtNum (*v)[3]) {
  const mjtNum* x = d->flexvert_xpos + 3 * (size_t)m->flex_vertadr[flex];
  mjtNum damping = m->flex_damping[flex];
  for (int i = 0; i < rod->n; i++) {
    const mjtNum* record = rod->record + ROD_RECORD * i;
    int vert[4], pair = record[3] >= 0;
    Bend at[2];
    record_vertices(vert, record);
    for (int k = 0; k <= pair; k++) {
      const int* from = vert + k;
      bend_of(at + k, x + 3 * (size_t)from[0], x + 3 * (size_t)from[1], x + 3 * (size_t)from[2]);
      if (spring) {
        spring_size(spring, at + k, from, record[4 + k], record[6 + k]);
      }
      if (damper) {
        damp_size(damper, at + k, from, damping * record[4 + k], v);
      }
    }
    if (pair) {
      pair_forces(spring, damper, at, vert, record, v, damping);
    }
  }
}

// all

static mjtNum (*vectors(mjData* d, size_t n))[3] {
  mjtNum(*out)[3] = mj_stackAllocByte(d, n * sizeof(mjtNum[3]), sizeof(mjtNum));
  mju_zero(out[0], (int)(3 * n));
  return out;
}

void rod_forces(const mjModel* m, mjData* d, const Rod* rod, int flex, int spring, int damper) {
  int first = m->flex_vertadr[flex];
  size_t n = (size_t)m->flex_vertnum[flex];
  damper &= m->flex_damping[flex] != 0;
  mj_markStack(d);
  mjtNum(*pull)[3] = spring ? vectors(d, n) : NULL, (*drag)[3] = damper ? vectors(d, n) : NULL;
  mjtNum(*v)[3] = damper ? vectors(d, n) : NULL;
  for (size_t i = 0; i < n && damper; i++) {
    size_t at = (size_t)first + i;
    flex_point_velocity(v[i], m, d, d->flexvert_xpos + 3 * at, m->flex_vertbodyid[at]);
  }
  if (rod->twists) {
    twisting_forces(m, d, rod, flex, pull, drag, (const mjtNum(*)[3])v);
  } else {
    plain_forces(m, d, rod, flex, pull, drag, (const mjtNum(*)[3])v);
  }
  for (size_t i = 0; i < n; i++) {
    size_t at = (size_t)first + i;
    const mjtNum* x = d->flexvert_xpos + 3 * at;
    if (spring) {
      flex_push(d->qfrc_spring, m, d, pull[i], x, m->flex_vertbodyid[at]);
    }
    if (damper) {
      flex_push(d->qfrc_damper, m, d, drag[i], x, m->flex_vertbodyid[at]);
    }
  }
  mj_freeStack(d);
}
