// pgs.h: projected Gauss-Seidel: the forces of rows, one after another, as the scalar engine's PGS.
//                                                                    theory/contact/solvers.md, PGS
//
//   minimise over admissible f:   1/2 f' (A + R) f + f' b,     A = J M^-1 J',  b = J a0 - a_ref
//
// A is never formed. With M = L'DL the rows B = J L^-1 D^-1/2 have A = B B', so that sweeps keep
// the vector z = B' f of dofs, and the residual of a row is B z + R f + b. Where sweeps end, most
// are not at the minimum yet: rows take their turns in the scalar engine's order.
//                                                                theory/time/lanes.md, Gauss-Seidel

#pragma once

#include "lanes/dynamics/panels.h"
#include "lanes/rows/rows.h"

static const Num DUAL_MOST_INCREASE = (Num)1e-10;  // a row that raises the cost by more stays

static Real* dual_take(Work* w, int n) {
  Real* out = w->dual + w->dual_used;
  w->dual_used += n;
  return out;
}

// A group of `dim` rows on the dofs of a set and all that carry them.
static DualGroup* dual_open(Work* w, int dim, LaneSet dofs, Real* b, Real* f) {
  DualGroup* g = w->group + w->ngroup++;
  *g = (DualGroup){.dim = dim, .nrow = dim, .dof = w->dual_dof + w->dual_used, .b = b, .out = f};
  g->second = 3;
  for (int i = w->m->nv - 1; i >= 0; i--) {
    if (set_has(&dofs, i)) {
      g->dof[g->n++] = i;
      if (w->m->dof_parentid[i] >= 0) {
        set_add(&dofs, w->m->dof_parentid[i]);
      }
    }
  }
  g->B = dual_take(w, g->n * dim);
  for (int i = 0; i < g->n * dim; i++) {
    g->B[i] = REAL_ZERO;
  }
  return g;
}

// Writes J of a group on some of its dofs. dof: ascending; J: rows of one dof after the other
static void dual_put(DualGroup* g, const LaneCoupledDof* dof, int n, const Real* J) {
  for (int a = n - 1, i = 0; a >= 0; a--) {
    while (g->dof[i] != dof[a].dof) {
      i++;
    }
    copy_reals(g->B + i * g->dim, J + a * g->dim, g->dim);
  }
}

// B = J L^-1 D^-1/2 in place of J.
// Also mj_solveM2 in smooth/inertia.c.
INLINE void dual_halve(const Work* w, const DualGroup* g, int dim) {
  for (int i = 0; i < g->n; i++) {
    int dof = g->dof[i];
    const Real* L = w->L + lane_row_at(dof);
    Real* row = g->B + i * dim;
    for (int a = i + 1; a < g->n; a++) {
      if (set_has(w->s->ancestors + dof, g->dof[a])) {
        Real* to = g->B + a * dim;
        for (int k = 0; k < dim; k++) {
          to[k] = real_mulsub(L[g->dof[a]], row[k], to[k]);
        }
      }
    }
    for (int k = 0; k < dim; k++) {
      row[k] *= w->root[dof];
    }
  }
}

// rows of a group: its directions c_0, c_1, ..., or edges c_0 + c_1, c_0 - c_1, c_0 + c_2, ...

INLINE Num edge_sign(int row) {
  return row % 2 ? -1 : 1;
}

INLINE Real row_along(int edges, int row, const Real* c) {
  return edges ? c[0] + c[row / 2 + 1] * edge_sign(row) : c[row];
}

// Adds the force of a row to those along the directions.
INLINE void row_spread(Real c[6], int edges, int row, Real f) {
  if (!edges) {
    c[row] += f;
    return;
  }
  c[0] += f;
  c[row / 2 + 1] += f * edge_sign(row);
}

// Rotations of a weld and friction of a cone have their own regularizer; edges all have one.
INLINE Real row_regularizer(const DualGroup* g, int edges, int row) {
  return g->R[row >= g->second && !edges];
}

// Closes a group whose J is there: B, the products G = B B', and the diagonal G + R of its rows,
// which for edges are c_0 + c_k, c_0 - c_k.
static void dual_close(Work* w, DualGroup* g, int edges) {
  int dim = g->dim;
  if (dim == 1) {
    dual_halve(w, g, 1);
  } else if (dim == 3) {
    dual_halve(w, g, 3);
  } else {
    dual_halve(w, g, dim);
  }
  g->edges = edges;
  g->nrow = edges ? 2 * (dim - 1) : dim;
  g->G = dual_take(w, dim * dim);
  g->f = dual_take(w, g->nrow);
  g->diagonal = dual_take(w, g->nrow);
  g->inverse = dual_take(w, g->nrow);
  for (int a = 0; a < dim; a++) {
    for (int b = 0; b <= a; b++) {
      Real sum = REAL_ZERO;
      for (int i = 0; i < g->n; i++) {
        sum = real_muladd(g->B[i * dim + a], g->B[i * dim + b], sum);
      }
      g->G[a * dim + b] = g->G[b * dim + a] = sum;
    }
  }
  for (int r = 0; r < g->nrow; r++) {
    int k = edges ? r / 2 + 1 : r;
    const Real* G = g->G + k * dim;
    Real A = G[k], cross = G[0] * 2;
    A = !edges ? A : r % 2 ? g->G[0] + A - cross : g->G[0] + A + cross;
    g->diagonal[r] = A + row_regularizer(g, edges, r);
    g->inverse[r] = 1 / g->diagonal[r];
  }
}

// 1/D, and a mask of the lanes that have the row
INLINE Mask dual_regularizer(Real* R, Real D) {
  Mask on = D > REAL_ZERO;
  *R = 1 / real_select(on, D, lane_real_of(1));
  return on;
}

static void dual_add_row(Work* w, DofRowSlot* slot) {
  const LaneDofRow* row = slot->of;
  LaneSet dofs = {{0}};
  set_add(&dofs, row->dof);
  DualGroup* g = dual_open(w, 1, dofs, &slot->x, &slot->v);
  int friction = row->law == LANE_FRICTION_LOSS;
  Real eta = friction ? real_constant(*slot->eta) : lane_real_of(INFINITY);
  g->on = dual_regularizer(g->R, slot->stiffness);
  g->low = friction ? -eta : REAL_ZERO;
  g->high = eta;
  g->slips = friction;
  g->B[0] = row_sign(row, lane_real_of(1));
  dual_close(w, g, 0);
}

static void dual_add_coupled(Work* w, int k) {
  const LaneCoupledRow* coupled_row = w->s->coupled_row + k;
  CoupledSlot* slot = w->coupled_row + k;
  const LaneCoupledDof* dof = w->s->coupled + coupled_row->dof;
  LaneSet dofs = {{0}};
  for (int a = 0; a < coupled_row->ndof; a++) {
    set_add(&dofs, dof[a].dof);
  }
  DualGroup* g = dual_open(w, coupled_row->nrow, dofs, slot->x, slot->v);
  int friction = coupled_row->law == LANE_FRICTION_LOSS;
  Real eta = friction ? real_constant(w->constants.coupled_row[k].eta) : lane_real_of(INFINITY);
  g->on = dual_regularizer(g->R, slot->stiffness);
  dual_regularizer(g->R + 1, slot->spin);
  g->low = coupled_row->law == LANE_ONE_SIDED ? REAL_ZERO : -eta;
  g->high = eta;
  g->slips = friction;
  dual_put(g, dof, coupled_row->ndof, w->coupled_row_J + coupled_row->J);
  dual_close(w, g, 0);
}

static void dual_add_contact(Work* w, int k) {
  const mjModel* m = w->m;
  const LaneContact* contact = w->s->contact + k;
  ContactSlot* slot = w->contact + k;
  const ContactConstants* c = w->constants.contact + k;
  LaneSet dofs = {{0}};
  for (int side = 0; side < 2; side++) {
    int body = contact->body[side];
    while (body && !m->body_dofnum[body]) {
      body = m->body_parentid[body];
    }
    if (body) {
      set_add(&dofs, m->body_dofadr[body] + m->body_dofnum[body] - 1);
    }
  }
  DualGroup* g = dual_open(w, contact->dim, dofs, slot->x, slot->v);
  g->on = dual_regularizer(g->R, slot->stiffness);
  g->low = REAL_ZERO;
  g->high = lane_real_of(INFINITY);
  g->cone = w->has_cones && contact->dim > 1;
  if (g->cone) {
    g->mu = real_constant(c->mu);
    g->R[1] = g->R[0] * g->mu * g->mu;
    g->second = 1;
  }
  if (contact->coupling >= 0) {
    Jacobian j = lane_contact_rows(w, contact);
    dual_put(g, j.dof, j.n, j.J);
  }
  for (int i = 0; contact->coupling < 0 && i < g->n; i++) {
    Real J[6];
    lane_directions_motion(J, slot, c, contact->dim, w->cdof[g->dof[i]], slot->r);
    for (int a = 0; a < contact->dim; a++) {
      g->B[i * contact->dim + a] = contact->body[1] ? J[a] : -J[a];
    }
  }
  dual_close(w, g, contact->dim > 1 && !g->cone);
}

// Puts the contacts that some lane has into the order of the scalar engine. They mostly are.
static void sort_contacts(Work* w) {
  const LaneContact* contact = w->s->contact;
  for (int n = 1; n < w->nmet; n++) {
    int k = w->met[n], to = n;
    for (; to && contact[w->met[to - 1]].rank > contact[k].rank; to--) {
      w->met[to] = w->met[to - 1];
    }
    w->met[to] = k;
  }
}

// Of a model with very many slots not all contacts have room. A lane has the same room whoever its
// neighbours are; one with more contacts is left to the scalar engine.
static void dual_limit(Work* w) {
  const LaneStructure* s = w->s;
  if (s->ndual < MOST_DUAL) {
    return;
  }
  Real used = REAL_ZERO, room = lane_real_of((Num)((s->ndual - s->nscalar_dual) / LANES));
  for (int n = 0; n < w->nmet; n++) {
    int k = w->met[n], numbers = s->contact[k].dim * (w->m->nv + 20);
    used += real_where(w->contact[k].stiffness > REAL_ZERO, lane_real_of((Num)numbers));
  }
  Mask fits = used <= room;
  w->failed |= mask_bits(~fits);
  for (int n = 0; n < w->nmet; n++) {
    Real* stiffness = &w->contact[w->met[n]].stiffness;
    *stiffness = real_where(fits, *stiffness);
  }
}

static void dual_groups(Work* w) {
  int row = 0;  // rows of dofs are in order
  w->dual_used = w->ngroup = 0;
  for (int i = 0; i < w->m->nv; i++) {
    w->root[i] = real_sqrt(w->L[lane_row_at(i) + i]);
    w->z[i] = REAL_ZERO;
  }
  for (int n = 0; n < w->s->nrow + w->s->ncoupled_row; n++) {
    LaneScalar scalar = w->s->scalar[n];
    if (scalar.is_coupled_row && w->coupled_row[scalar.index].on) {
      dual_add_coupled(w, scalar.index);
    } else if (!scalar.is_coupled_row && row < w->nrow &&
               w->row[row].of == w->s->row + scalar.index) {
      dual_add_row(w, w->row + row++);
    }
  }
  sort_contacts(w);
  dual_limit(w);
  int met = w->nmet;
  w->nmet = 0;
  for (int n = 0; n < met; n++) {
    int k = w->met[n];
    if (mask_any(w->contact[k].stiffness > REAL_ZERO)) {
      w->met[w->nmet++] = k;
      dual_add_contact(w, k);
    }
  }
}

// forces

// z += B' c
INLINE void dual_push(Real* z, const DualGroup* g, const Real* c, int dim) {
  for (int i = 0; i < g->n; i++) {
    Real sum = z[g->dof[i]];
    for (int k = 0; k < dim; k++) {
      sum = real_muladd(g->B[i * dim + k], c[k], sum);
    }
    z[g->dof[i]] = sum;
  }
}

// b = J a0 - a_ref, and no forces.
static void dual_begin(Work* w) {
  rows_multiply(w, w->acc_smooth);
  for (int k = 0; k < w->ngroup; k++) {
    DualGroup* g = w->group + k;
    for (int a = 0; a < g->dim; a++) {
      g->b[a] += g->out[a];
    }
    for (int r = 0; r < g->nrow; r++) {
      g->f[r] = REAL_ZERO;
    }
  }
}

// f: the forces of the law at x
INLINE void dual_law(const DualGroup* g, const Real* x) {
  if (g->cone) {
    cone_force_at(g->f, x, 1 / g->R[0], g->mu, g->dim);
  }
  for (int r = 0; r < g->nrow; r++) {
    Real scalar = -row_along(g->edges, r, x) / row_regularizer(g, g->edges, r);
    g->f[r] = real_where(g->on, g->cone ? g->f[r] : real_clamp(scalar, g->low, g->high));
  }
}

// Starts with the forces of the law at the last acceleration in lanes in which they cost no more
// than none.                                                       theory/contact/solvers.md, Start
// Also dual_pgs in constraint/solver/dual.c.
static void dual_warm(Work* w) {
  int nv = w->m->nv;
  for (int i = 0; i < nv; i++) {
    w->search[i] = w->warm[i] - w->acc_smooth[i];
  }
  rows_multiply(w, w->search);
  Real cost = REAL_ZERO;
  for (int k = 0; k < w->ngroup; k++) {
    DualGroup* g = w->group + k;
    Real c[6] = {REAL_ZERO}, x[6];
    for (int a = 0; a < g->dim; a++) {
      x[a] = g->b[a] + g->out[a];
    }
    dual_law(g, x);
    for (int r = 0; r < g->nrow; r++) {
      Real b = row_along(g->edges, r, g->b), R = row_regularizer(g, g->edges, r), f = g->f[r];
      cost = real_muladd(f, real_muladd(R, f, b * 2), cost);
      row_spread(c, g->edges, r, f);
    }
    dual_push(w->z, g, c, g->dim);
  }
  cost += vector_dot(w->z, w->z, nv);
  Real keep = real_where(cost <= REAL_ZERO, lane_real_of(1));
  for (int i = 0; i < nv; i++) {
    w->z[i] *= keep;
  }
  for (int k = 0; k < w->ngroup; k++) {
    for (int r = 0; r < w->group[k].nrow; r++) {
      w->group[k].f[r] *= keep;
    }
  }
}

// q = b + B z. The terms of one row are added up in four sums, those of several rows in two: each
// addition would otherwise have to wait for the one before.
INLINE void dual_pull(Real q[6], const Real* z, const DualGroup* g, int dim) {
  enum {
    WAYS = 4
  };
  int ways = dim == 1 ? WAYS : WAYS / 2, i = 0;
  Real sum[WAYS][6];
  UNROLL
  for (int v = 0; v < ways; v++) {
    for (int k = 0; k < dim; k++) {
      sum[v][k] = v ? REAL_ZERO : g->b[k];
    }
  }
  for (; i + ways <= g->n; i += ways) {
    UNROLL
    for (int v = 0; v < ways; v++) {
      Real at = z[g->dof[i + v]];
      for (int k = 0; k < dim; k++) {
        sum[v][k] = real_muladd(g->B[(i + v) * dim + k], at, sum[v][k]);
      }
    }
  }
  for (; i < g->n; i++) {
    for (int k = 0; k < dim; k++) {
      sum[0][k] = real_muladd(g->B[i * dim + k], z[g->dof[i]], sum[0][k]);
    }
  }
  for (int k = 0; k < dim; k++) {
    q[k] = sum[0][k] + sum[1][k];
    q[k] = ways == WAYS ? q[k] + (sum[2][k] + sum[3][k]) : q[k];
  }
}

// The rows of a group in turn, each to its own minimum; returns the decrease of the cost. dim and
// edges are constants where this is inlined.
// Also step_scalars in constraint/solver/dual_sweep.c.
INLINE Real dual_step(Real* z, const DualGroup* g, Mask live, int dim, int edges) {
  Real q[6], c[6] = {REAL_ZERO}, gain = REAL_ZERO;
  int nrow = edges ? 2 * (dim - 1) : dim;
  live &= g->on;
  if (!mask_any(live)) {
    return gain;
  }
  dual_pull(q, z, g, dim);
  Mask moved = mask_of(0);
  UNROLL
  for (int r = 0; r < nrow; r++) {
    Real f = g->f[r];
    Real residual = real_muladd(row_regularizer(g, edges, r), f, row_along(edges, r, q));
    Real force = real_clamp(real_mulsub(residual, g->inverse[r], f), g->low, g->high);
    Real change = force - f;
    Real cost = change * real_muladd(change * (Num)0.5, g->diagonal[r], residual);
    Mask on = live & (cost <= DUAL_MOST_INCREASE);
    change = real_where(on, change);
    gain -= real_where(on, cost);
    g->f[r] = real_select(on, force, f);
    moved |= change != REAL_ZERO;
    for (int j = edges ? 0 : r + 1; j < dim; j++) {
      q[j] = real_muladd(row_along(edges, r, g->G + j * dim), change, q[j]);
    }
    row_spread(c, edges, r, change);
  }
  if (mask_any(moved)) {
    dual_push(z, g, c, dim);
  }
  return gain;
}

// constraint and acc by the forces of groups.
// Also dual_finish in constraint/solver/dual.c.
static void lane_dual_finish(Work* w) {
  int nv = w->m->nv;
  for (int k = 0; k < w->ngroup; k++) {
    const DualGroup* g = w->group + k;
    Real f[6] = {REAL_ZERO};
    for (int r = 0; r < g->nrow; r++) {
      row_spread(f, g->edges, r, g->f[r]);
    }
    copy_reals(g->out, f, g->dim);
  }
  w->has_forces = 1;
  rows_force(w);
  copy_reals(w->acc, w->constraint, nv);
  lane_solve(w->acc, w->L, &w->s->M);
  for (int i = 0; i < nv; i++) {
    w->acc[i] += w->acc_smooth[i];
  }
}
