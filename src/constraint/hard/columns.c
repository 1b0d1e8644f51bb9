// The matrix by articulated bodies, and the rule that chooses between both ways. A row pushes its
// bodies with wrenches; what another row feels is the power of its wrenches along their
// accelerations.

#include "constraint/hard/columns.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/algebra/simd.h"
#include "base/algebra/vec.h"
#include "base/joint.h"
#include "constraint/law/problem.h"
#include "constraint/rows/makers.h"
#include "model/options.h"
#include "smooth/aba.h"

// What the parts of both ways cost, in nanoseconds per count. bench/columns.c measured them on one
// machine; only their ratios matter. See columns_cost.
#define FACTOR_OF_ABA 30.    // articulated bodies: the factor, per dof
#define PUSH 80.             // articulated bodies: a push, per row and tree
#define WALK 12.             // articulated bodies: the walks along a tree, per row and dof
#define ENTRY_OF_ABA 2.5     // articulated bodies: per entry of K
#define ROW_OF_FACTOR 80.    // sparse factor: a copied row, per row and tree
#define HALF_SOLVE 0.2       // sparse factor: half a solve, per row and entry of the factor
#define PRODUCT 0.06         // sparse factor: a product, per entry of K and dof
#define ENTRY_OF_FACTOR 0.2  // sparse factor: per entry of K and tree

enum {
  LANES = 8  // rows of a contact, in vectors of four
};

// The rows of a contact as wrenches on its bodies, about the centre of mass of each body's tree.
// The Jacobian alone describes other constraints (limits, equalities, tendons).
typedef struct {
  int n;       // bodies that can move; -1: no contact of two geoms
  int tip[2];  // last dof that moves the body
  int body[2];
  mjtNum wrench[2][6][LANES];  // of each body, by component and row, times row_scale
} BlockForce;

typedef struct {
  const HardSystem* s;
  Matrix J;
  BlockForce* force;  // of each block
  AbaResponse response;
  int *list, *listadr;  // dofs that rows need, by tree: list[listadr[t]] .. list[listadr[t + 1]]
  mjtNum* tau;          // zero
  int* block_of;        // block of each row
  int* mark;            // of each tree, who has asked for it last
} Columns;

// rows

static void contact_forces(BlockForce* force, const HardSystem* s, const mjContact* contact) {
  const mjModel* m = s->m;
  RowBodies of;
  contact_bodies(&of, m, s->d, contact);
  memset(force, 0, sizeof(BlockForce));
  for (int k = 0; k < of.n; k++) {
    int body = of.body[k];
    if (!body_moves(m, body)) {
      continue;
    }
    mjtNum arm[3];
    int to = force->n++;
    force->body[to] = body;
    force->tip[to] = aba_tip(m, body);
    v3_sub(arm, contact->pos, s->d->subtree_com + 3 * m->body_rootid[body]);
    for (int r = 0; r < contact->dim; r++) {
      mjtNum w[6] = {0}, weight = of.weight[k] * s->row_scale[contact->efc_address + r];
      v3_scl(w + (r < 3 ? 3 : 0), contact->frame + 3 * (r % 3), weight);
      if (r < 3) {
        v3_cross(w, arm, w + 3);
      }
      for (int i = 0; i < 6; i++) {
        force->wrench[to][i][r] = w[i];
      }
    }
  }
}

// The contact of two geoms that a block is, if it is one.
static const mjContact* block_contact(const HardSystem* s, int i) {
  int first = s->block[i].first, type = s->d->efc_type[first];
  if (type != mjCNSTR_CONTACT_ELLIPTIC && type != mjCNSTR_CONTACT_FRICTIONLESS) {
    return NULL;
  }
  const mjContact* contact = s->d->contact + s->d->efc_id[first];
  return contact->geom[0] >= 0 && contact->geom[1] >= 0 ? contact : NULL;
}

static void find_forces(Columns* c) {
  for (int i = 0; i < c->s->nblock; i++) {
    const mjContact* contact = block_contact(c->s, i);
    if (contact) {
      contact_forces(c->force + i, c->s, contact);
    } else {
      c->force[i].n = -1;
    }
  }
}

// dofs

static void need_path(char* needed, const mjModel* m, int dof) {
  for (; dof >= 0 && !needed[dof]; dof = m->dof_parentid[dof]) {
    needed[dof] = 1;
  }
}

// Entries of a row of J, and the dof of each.
typedef struct {
  int n;
  const int* dof;  // NULL: all
  const mjtNum* value;
} JacobianRow;

static JacobianRow jacobian_row(const Columns* c, int r) {
  const Matrix* J = &c->J;
  return J->rownnz ? (JacobianRow){J->rownnz[r], J->column + J->rowadr[r], J->value + J->rowadr[r]}
                   : (JacobianRow){J->ncolumn, NULL, J->value + (ptrdiff_t)r * J->ld};
}

static void need_row(char* needed, const Columns* c, int r) {
  JacobianRow row = jacobian_row(c, r);
  for (int k = 0; k < row.n; k++) {
    if (row.value[k] != 0) {
      need_path(needed, c->s->m, row.dof ? row.dof[k] : k);
    }
  }
}

static void find_dofs(Columns* c) {
  const HardSystem* s = c->s;
  const mjModel* m = s->m;
  mj_markStack(s->d);
  char* needed = mj_stackAllocByte(s->d, m->nv, 1);
  memset(needed, 0, m->nv);
  for (int i = 0; i < s->nblock; i++) {
    const BlockForce* force = c->force + i;
    for (int k = 0; k < force->n; k++) {
      need_path(needed, m, force->tip[k]);
    }
    for (int r = s->block[i].first; force->n < 0 && r < s->block[i].first + s->block[i].dim; r++) {
      need_row(needed, c, r);
    }
  }
  int n = 0;
  for (int t = 0; t < m->ntree; t++) {
    c->listadr[t] = n;
    for (int i = s->tree_dof[t]; i < s->tree_dof[t + 1]; i++) {
      if (needed[i]) {
        c->list[n++] = i;
      }
    }
  }
  c->listadr[m->ntree] = n;
  mj_freeStack(s->d);
}

// columns

// Pushes row r of a block and finds how its trees answer.
static void push_row(Columns* c, int block, int r) {
  const HardSystem* s = c->s;
  const BlockForce* force = c->force + block;
  for (int k = 0; k < force->n; k++) {
    mjtNum wrench[6];
    for (int i = 0; i < 6; i++) {
      wrench[i] = force->wrench[k][i][r];
    }
    aba_push(&c->response, force->body[k], wrench, 1);
  }
  int efc = s->block[block].first + r;
  JacobianRow row = jacobian_row(c, efc);
  for (int k = 0; force->n < 0 && k < row.n; k++) {
    c->tau[row.dof ? row.dof[k] : k] = s->row_scale[efc] * row.value[k];
  }
  for (int e = s->treeadr[block]; e < s->treeadr[block + 1]; e++) {
    int tree = s->tree[e], n = c->listadr[tree + 1] - c->listadr[tree];
    const int* list = c->list + c->listadr[tree];
    if (force->n < 0) {
      aba_push_dofs(&c->response, c->tau, list, n);
    }
    aba_response_solve(&c->response, list, n);
  }
  for (int k = 0; force->n < 0 && k < row.n; k++) {
    c->tau[row.dof ? row.dof[k] : k] = 0;
  }
}

// What the rows of a block feel of the present answer, in the trees that are marked.
static mjtNum felt_by_jacobian(const Columns* c, int r, int mark) {
  JacobianRow row = jacobian_row(c, r);
  mjtNum sum = 0;
  for (int k = 0; k < row.n; k++) {
    int dof = row.dof ? row.dof[k] : k;
    if (row.value[k] != 0 && c->mark[c->s->m->dof_treeid[dof]] == mark) {
      sum += row.value[k] * c->response.rate[dof];
    }
  }
  return c->s->row_scale[r] * sum;
}

// sum += wrenches . acc, for four rows
INLINE void power(Simd4* sum, const mjtNum wrench[6][LANES], const mjtNum acc[6]) {
  for (int i = 0; i < 6; i++) {
    *sum += acc[i] * SIMD_READ(Simd4, wrench[i]);
  }
}

INLINE void feel(mjtNum* out, const Columns* c, int block, int mark, mjtNum scale) {
  const BlockForce* force = c->force + block;
  int dim = c->s->block[block].dim;
  if (force->n < 0) {
    for (int r = 0; r < dim; r++) {
      out[r] = scale * felt_by_jacobian(c, c->s->block[block].first + r, mark);
    }
    return;
  }
  mjtNum all[LANES];
  Simd4 low = {0}, high = {0};
  for (int k = 0; k < force->n; k++) {
    if (c->mark[c->s->m->dof_treeid[force->tip[k]]] == mark) {
      const mjtNum* acc = c->response.acc + 6 * (size_t)force->tip[k];
      power(&low, force->wrench[k], acc);
      if (dim > 4) {
        power(&high, (const mjtNum(*)[LANES])(force->wrench[k][0] + 4), acc);
      }
    }
  }
  SIMD_AT(Simd4, all) = scale * low;
  SIMD_AT(Simd4, all + 4) = scale * high;
  for (int r = 0; r < dim; r++) {
    out[r] = all[r];
  }
}

// One column: what all blocks feel that share a tree with block i.
static KERNEL void feel_all(mjtNum* out, const Columns* c, const HardMatrix* K, int i) {
  const HardSystem* s = c->s;
  for (int k = K->runadr[i]; k < K->runadr[i + 1]; k++) {
    int block = c->block_of[K->run[k].first];
    for (int left = K->run[k].n; left > 0; block++) {
      feel(out, c, block, i + 1, s->m->opt.timestep);
      out += s->block[block].dim;
      left -= s->block[block].dim;
    }
  }
}

int columns_aba_applies(const HardSystem* s) {
  return aba_applies(s->m) && !options_is_implicit(s->m) && !s->d->efm_active;
}

static void fill_block(HardMatrix* K, Columns* c, int i) {
  const HardSystem* s = c->s;
  for (int e = s->treeadr[i]; e < s->treeadr[i + 1]; e++) {
    c->mark[s->tree[e]] = i + 1;
  }
  for (int r = 0; r < s->block[i].dim; r++) {
    push_row(c, i, r);
    feel_all(K->value + K->adr[i] + (int64_t)r * K->length[i], c, K, i);
  }
}

// K_ij = h J_i X^-1 J_j', the power of the wrenches of row i along the accelerations by row j
void columns_aba(HardMatrix* K, const HardSystem* s) {
  const mjModel* m = s->m;
  mjData* d = s->d;
  mj_markStack(d);
  AbaFactor factor = aba_factor(m, d, s->damping ? m->opt.timestep : 0);
  Columns c = {.s = s, .J = matrix_whole_J(m, d), .response = aba_response_make(m, d, &factor)};
  c.force = mj_stackAllocByte(d, (size_t)s->nblock * sizeof(BlockForce), 64);
  c.list = mj_stackAllocInt(d, m->nv);
  c.listadr = mj_stackAllocInt(d, (size_t)m->ntree + 1);
  c.mark = mj_stackAllocInt(d, m->ntree);
  c.tau = mj_stackAllocNum(d, m->nv);
  memset(c.mark, 0, m->ntree * sizeof(int));
  memset(c.tau, 0, m->nv * sizeof(mjtNum));
  c.block_of = mj_stackAllocInt(d, s->nrow);
  for (int i = 0; i < s->nblock; i++) {
    for (int r = 0; r < s->block[i].dim; r++) {
      c.block_of[s->block[i].first + r] = i;
    }
  }
  find_forces(&c);
  find_dofs(&c);
  for (int i = 0; i < s->nblock; i++) {
    fill_block(K, &c, i);
  }
  mj_freeStack(d);
}

// The factor: half a solve a row and tree (the entries of M's rows there), then a product of the
// tree's dofs for each entry of K and common tree. Articulated bodies: a factor of their own, two
// walks along the tree a row, then a few products an entry.
ColumnsCost columns_cost(const HardMatrix* K, const HardSystem* s) {
  const mjModel* m = s->m;
  ColumnsCost cost = {0, FACTOR_OF_ABA * m->nv};
  for (int i = 0; i < s->nblock; i++) {
    double entries = (double)s->block[i].dim * K->length[i];
    cost.aba += ENTRY_OF_ABA * entries;
    for (int e = s->treeadr[i]; e < s->treeadr[i + 1]; e++) {
      int first = s->tree_dof[s->tree[e]], end = s->tree_dof[s->tree[e] + 1];
      double n = end - first;
      double stored = m->M_rowadr[end - 1] + m->M_rownnz[end - 1] - m->M_rowadr[first];
      cost.factor += s->block[i].dim * (ROW_OF_FACTOR + HALF_SOLVE * stored);
      cost.factor += (ENTRY_OF_FACTOR + PRODUCT * n) * entries;
      cost.aba += s->block[i].dim * (PUSH + WALK * n);
    }
  }
  return cost;
}

void columns_fill(HardMatrix* K, const HardSystem* s) {
  if (columns_aba_applies(s)) {
    ColumnsCost cost = columns_cost(K, s);
    if (cost.aba < cost.factor) {
      columns_aba(K, s);
      return;
    }
  }
  matrix_columns_ldl(K, s);
}
