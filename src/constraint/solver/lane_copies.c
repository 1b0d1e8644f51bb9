// Problems into lanes and back: the places of rows, the columns of panels, and the pattern of H.
//
// Numbers that all problems have at the same place, one after the other, are read four at a time;
// any others one by one.                      theory/contact/solvers.md, Small islands side by side

#include "constraint/solver/lane_copies.h"

#include <math.h>
#include <mujoco/api/base.h>
#include <string.h>

#include "constraint/solver/lane_law.h"

// room

size_t lanes_bytes(int n, int nefc, int ncone) {
  size_t vectors = 2 * ((size_t)n * (size_t)n + (size_t)nefc * (size_t)n);
  return sizeof(Lanes) + vectors * sizeof(SimdN) + (size_t)ncone * sizeof(LaneCone);
}

static void lanes_place(Lanes* s) {
  int square = s->n * s->n, panels = s->nefc * s->n;
  s->M = (SimdN*)(s + 1);
  s->H = s->M + square;
  s->J = s->H + square;
  s->WJ = s->J + panels;
  s->cone = (LaneCone*)(s->WJ + panels);
}

// the places of rows

RowShape row_shape(const Rows* rows) {
  RowShape shape = {{0}};
  for (int i = 0; i < rows->nefc;) {
    if (rows->type[i] != mjCNSTR_CONTACT_ELLIPTIC) {
      shape.count[0]++;
      i++;
      continue;
    }
    int dim = law_rows(rows, i);
    for (int k = 1; k <= dim; k++) {
      shape.count[k]++;
    }
    i += dim;
  }
  return shape;
}

int row_shape_join(RowShape* shape, const RowShape* other) {
  int rows = 0;
  for (int k = 0; k < 7; k++) {
    shape->count[k] = int_max(shape->count[k], other->count[k]);
    rows += shape->count[k];
  }
  return rows;
}

// Places for cones of the joined shape, those of most rows first.
static void lanes_place_cones(Lanes* s, const RowShape* shape) {
  int row = s->nscalar;
  for (int c = 0; c < s->ncone; c++) {
    LaneCone* cone = s->cone + c;
    cone->row = row;
    cone->dim = 0;
    for (int k = 1; k < 7 && shape->count[k] > c; k++) {
      cone->dim = k;
    }
    for (int k = 0; k < cone->dim; k++) {
      cone->sigma[k] = (SimdN){0};
    }
    row += cone->dim;
  }
}

// The rows of a problem with cones, in their order within each kind.
static void lane_place_rows(Lanes* s, int lane, const RowShape* shape) {
  const Rows* rows = &s->p[lane]->rows;
  int scalar = 0, next[7] = {0};  // the next place of a cone of so many rows
  for (int k = 1; k < 6; k++) {
    next[k] = shape->count[k + 1];
  }
  for (int i = 0, dim; i < rows->nefc; i += dim) {
    dim = law_rows(rows, i);
    if (rows->type[i] != mjCNSTR_CONTACT_ELLIPTIC) {
      s->source[scalar++][lane] = i;
      continue;
    }
    const mjContact* contact = rows->contact + rows->id[i];
    LaneCone* cone = s->cone + next[dim]++;
    LANE(cone->sigma[0], lane) = contact->mu;
    for (int k = 1; k < dim; k++) {
      LANE(cone->sigma[k], lane) = contact->friction[k - 1];
    }
    for (int k = 0; k < dim; k++) {
      s->source[cone->row + k][lane] = i + k;
    }
  }
}

// Rows from the first on that are the problem's in all lanes.
static int lanes_count_aligned(const Lanes* s) {
  for (int r = 0; r < s->nefc; r++) {
    int differ = 0;
    for (int l = 0; l < SIMD_N; l++) {
      differ |= s->source[r][l] ^ r;
    }
    if (differ) {
      return r;
    }
  }
  return s->nefc;
}

// Problems without cones have their rows in their order.
static void lanes_place_scalar(Lanes* s) {
  s->aligned = s->nefc;
  for (int l = 0; l < SIMD_N; l++) {
    s->aligned = int_min(s->aligned, s->p[l]->rows.nefc);
  }
  for (int r = 0; r < s->aligned; r++) {
    for (int l = 0; l < SIMD_N; l++) {
      s->source[r][l] = r;
    }
  }
  for (int r = s->aligned; r < s->nefc; r++) {
    for (int l = 0; l < SIMD_N; l++) {
      s->source[r][l] = r < s->p[l]->rows.nefc ? r : -1;
    }
  }
}

static void lanes_place_rows(Lanes* s) {
  int elliptic = s->p[0]->rows.elliptic;
  RowShape shape[SIMD_N], all = {{0}};
  s->nbounded = s->nefc = 0;
  for (int l = 0; l < SIMD_N; l++) {
    const Rows* rows = &s->p[l]->rows;
    s->nbounded = int_max(s->nbounded, rows->ne + rows->nf);
    s->nefc = int_max(s->nefc, rows->nefc);
  }
  for (int l = 0; elliptic && l < SIMD_N; l++) {
    shape[l] = row_shape(&s->p[l]->rows);
    s->nefc = row_shape_join(&all, shape + l);
  }
  s->nscalar = elliptic ? all.count[0] : s->nefc;
  s->ncone = all.count[1];
  lanes_place(s);
  if (!s->ncone) {
    lanes_place_scalar(s);
    return;
  }
  lanes_place_cones(s, &all);
  for (int r = 0; r < s->nefc; r++) {
    for (int l = 0; l < SIMD_N; l++) {
      s->source[r][l] = -1;
    }
  }
  for (int l = 0; l < SIMD_N; l++) {
    lane_place_rows(s, l, shape + l);
  }
  s->aligned = lanes_count_aligned(s);
}

// numbers of rows and dofs

INLINE void lanes_read_row(Lanes* s, int r, const mjtNum* const* D, const mjtNum* const* R,
                           const mjtNum* const* aref) {
  for (int l = 0; l < SIMD_N; l++) {
    int i = s->source[r][l];
    LANE(s->D[r], l) = i < 0 ? 0 : D[l][i];
    LANE(s->R[r], l) = i < 0 ? 0 : R[l][i];
    LANE(s->b[r], l) = i < 0 ? 0 : -aref[l][i];
  }
}

// A row that a problem lacks has no stiffness there.
INLINE void lanes_read_rows(Lanes* s) {
  const mjtNum *D[SIMD_N], *R[SIMD_N], *aref[SIMD_N];
  const SimdN zero = {0}, infinite = zero + (mjtNum)INFINITY;
  for (int l = 0; l < SIMD_N; l++) {
    const Problem* p = s->p[l];
    D[l] = p->rows.D;
    R[l] = p->rows.R;
    aref[l] = p->start->aref;
  }
  lanes_read(s->D, D, s->aligned);
  lanes_read(s->R, R, s->aligned);
  lanes_read(s->b, aref, s->aligned);
  for (int r = 0; r < s->aligned; r++) {
    s->b[r] = zero - s->b[r];
  }
  for (int r = s->aligned; r < s->nefc; r++) {
    lanes_read_row(s, r, D, R, aref);
  }
  for (int r = 0; r < s->nbounded; r++) {
    s->low[r] = zero;
    s->high[r] = infinite;
  }
  for (int l = 0; l < SIMD_N; l++) {
    const Rows* rows = &s->p[l]->rows;
    for (int r = 0; r < rows->ne; r++) {
      LANE(s->low[r], l) = -(mjtNum)INFINITY;
    }
    for (int r = rows->ne; r < rows->ne + rows->nf; r++) {
      LANE(s->low[r], l) = -rows->frictionloss[r];
      LANE(s->high[r], l) = rows->frictionloss[r];
    }
  }
  for (LaneCone *cone = s->cone, *end = cone + s->ncone; cone < end; cone++) {
    SimdN mu = cone->sigma[0];
    cone->Dm = s->D[cone->row] / (mu * mu * (1 + mu * mu));
  }
}

// Matrices of so few dofs, as one free body has, are taken to be full.
enum {
  FEW_DOFS = 6
};

// Row i of the lower triangle of M. Returns its columns as bits.
INLINE uint32_t lanes_read_inertia(Lanes* s, int i) {
  const mjtNum* value[SIMD_N];
  SimdN* row = s->M + i * s->n;
  uint32_t bits = 0;
  int same = 1, nnz = s->p[0]->tree.rownnz[i], first = i - nnz + 1;
  for (int l = 0; l < SIMD_N; l++) {
    const TreePattern* tree = &s->p[l]->tree;
    int adr = tree->rowadr[i];
    value[l] = s->p[l]->M + adr;
    same &= tree->rownnz[i] == nnz && tree->colind[adr] == first;
  }
  for (int j = 0; j < i; j++) {
    row[j] = (SimdN){0};
  }
  if (same) {
    lanes_read(row + first, value, nnz);
    s->first[i] = first;
    return ((uint32_t)2 << i) - ((uint32_t)1 << first);
  }
  for (int l = 0; l < SIMD_N; l++) {
    const TreePattern* tree = &s->p[l]->tree;
    const int* column = tree->colind + tree->rowadr[i];
    for (int k = 0; k < tree->rownnz[i]; k++) {
      LANE(row[column[k]], l) = value[l][k];
      bits |= (uint32_t)1 << column[k];
    }
  }
  s->first[i] = __builtin_ctz(bits);
  return bits;
}

// Where the numbers of M begin in each lane, if all have `count` of them, one row after the other.
INLINE int lanes_find_inertia(const mjtNum* at[SIMD_N], const Lanes* s, int count) {
  int last = s->n - 1;
  for (int l = 0; l < SIMD_N; l++) {
    const TreePattern* tree = &s->p[l]->tree;
    if (tree->rowadr[last] + tree->rownnz[last] - tree->rowadr[0] != count) {
      return 0;
    }
    at[l] = s->p[l]->M + tree->rowadr[0];
  }
  return 1;
}

// The lower triangle of M of few dofs where it is diagonal or full in all lanes, as the number of
// its entries tells: each row has its diagonal. Returns 0, having read nothing, where it isn't.
INLINE int lanes_read_few_inertia(Lanes* s) {
  const mjtNum* at[SIMD_N];
  SimdN packed[FEW_DOFS * (FEW_DOFS + 1) / 2];
  int n = s->n, full = n * (n + 1) / 2, k = 0;
  if (n > FEW_DOFS) {
    return 0;
  }
  if (lanes_find_inertia(at, s, n)) {
    lanes_read(packed, at, n);
    memset(s->M, 0, (size_t)(n * n) * sizeof(SimdN));
    for (int i = 0; i < n; i++) {
      s->first[i] = i;
      s->M[i * n + i] = packed[i];
    }
    return 1;
  }
  if (!lanes_find_inertia(at, s, full)) {
    return 0;
  }
  lanes_read(packed, at, full);
  for (int i = 0; i < n; i++) {
    s->first[i] = 0;
    for (int j = 0; j <= i; j++) {
      s->M[i * n + j] = packed[k++];
    }
  }
  return 1;
}

INLINE void lanes_read_dofs(Lanes* s) {
  const mjtNum *acc[SIMD_N], *acc_smooth[SIMD_N], *frc_smooth[SIMD_N];
  for (int l = 0; l < SIMD_N; l++) {
    const Problem* p = s->p[l];
    acc[l] = p->acc;
    acc_smooth[l] = p->acc_smooth;
    frc_smooth[l] = p->frc_smooth;
    LANE(s->scale, l) = p->scale;
  }
  lanes_read(s->acc, acc, s->n);
  lanes_read(s->acc_smooth, acc_smooth, s->n);
  lanes_read(s->frc_smooth, frc_smooth, s->n);
}

// panels

static uint32_t columns_of(const Matrix* J, int row) {
  if (!J->rownnz || J->rownnz[row] == J->ncolumn) {
    return ((uint32_t)1 << J->ncolumn) - 1;
  }
  uint32_t bits = 0;
  const int* column = J->column + J->rowadr[row];
  for (int k = 0; k < J->rownnz[row]; k++) {
    bits |= (uint32_t)1 << column[k];
  }
  return bits;
}

// How many rows from r on, at least one, have in all lanes the columns that row r has.
static int lanes_like(const Lanes* s, int r) {
  int rows = r < s->aligned ? s->aligned - r : 1;
  for (int l = 0; l < SIMD_N && rows > 1; l++) {
    const Matrix* J = &s->p[l]->J;
    rows = J->rownnz ? int_min(rows, J->same[r] + 1) : rows;
  }
  return rows;
}

// The columns of each row in any lane, those of all rows of a cone together.
static void lanes_find_columns(uint32_t* columns, const Lanes* s) {
  for (int r = 0, rows; r < s->nefc; r += rows) {
    uint32_t any = 0;
    rows = lanes_like(s, r);
    for (int l = 0; l < SIMD_N; l++) {
      int i = s->source[r][l];
      any |= i < 0 ? 0 : columns_of(&s->p[l]->J, i);
    }
    for (int k = 0; k < rows; k++) {
      columns[r + k] = any;
    }
  }
  for (const LaneCone *cone = s->cone, *end = cone + s->ncone; cone < end; cone++) {
    uint32_t all = 0;
    for (int k = 0; k < cone->dim; k++) {
      all |= columns[cone->row + k];
    }
    for (int k = 0; k < cone->dim; k++) {
      columns[cone->row + k] = all;
    }
  }
}

static void panel_begin(RowPanel* panel, int row, uint32_t columns) {
  panel->row = row;
  panel->nrow = panel->ncol = 0;
  for (columns = columns ? columns : 1; columns; columns &= columns - 1) {
    panel->column[panel->ncol++] = (uint8_t)__builtin_ctz(columns);
  }
}

static void lanes_find_panels(Lanes* s) {
  uint32_t columns[LANE_ROWS];
  s->npanel = 0;
  if (s->n <= FEW_DOFS) {
    RowPanel* panel = s->panel + s->npanel++;
    panel_begin(panel, 0, ((uint32_t)1 << s->n) - 1);
    panel->nrow = s->nefc;
    panel->J = s->J;
    return;
  }
  lanes_find_columns(columns, s);
  RowPanel* panel = NULL;
  SimdN* J = s->J;
  for (int r = 0; r < s->nefc; r++) {
    if (!panel || columns[r] != columns[r - 1]) {
      panel = s->panel + s->npanel++;
      panel_begin(panel, r, columns[r]);
      panel->J = J;
    }
    panel->nrow++;
    J += panel->ncol;
  }
}

// Whether the rows of J have numbers in all columns, one row after the other.
INLINE int rows_are_full(const Matrix* J) {
  int last = J->nrow - 1;
  return !J->rownnz || (J->rownnz[0] == J->ncolumn && J->rownnz[last] == J->ncolumn &&
                        J->rowadr[last] - J->rowadr[0] == last * J->ncolumn);
}

// Where each problem has row r of a panel, if all have its columns and no more.
INLINE int lanes_find_row(const mjtNum* at[SIMD_N], const Lanes* s, int r, int ncol) {
  for (int l = 0; l < SIMD_N; l++) {
    const Matrix* J = &s->p[l]->J;
    int i = s->source[r][l];
    if (i < 0 || (J->rownnz ? J->rownnz[i] : J->ncolumn) != ncol) {
      return 0;
    }
    at[l] = J->value + (J->rownnz ? J->rowadr[i] : i * J->ld);
  }
  return 1;
}

// How many rows from r on, at least one and up to `end`, all problems have one after the other with
// the columns of row r.
INLINE int lanes_count_rows(const Lanes* s, int r, int end) {
  int rows = r < s->aligned ? int_min(end, s->aligned) - r : 1;
  for (int l = 0; l < SIMD_N; l++) {
    const Matrix* J = &s->p[l]->J;
    rows = J->rownnz && rows > 1 && !rows_are_full(J) ? int_min(rows, J->same[r] + 1) : rows;
  }
  return rows;
}

// Row r of a panel, which some lack or have in few columns.
INLINE void lanes_read_thin(SimdN* to, const Lanes* s, int r, const RowPanel* panel) {
  int place[LANE_DOFS];
  for (int k = 0; k < panel->ncol; k++) {
    to[k] = (SimdN){0};
    place[panel->column[k]] = k;
  }
  for (int l = 0; l < SIMD_N; l++) {
    const Matrix* J = &s->p[l]->J;
    int i = s->source[r][l];
    if (i < 0) {
      continue;
    }
    const mjtNum* value = J->value + (J->rownnz ? J->rowadr[i] : i * J->ld);
    const int* column = J->rownnz ? J->column + J->rowadr[i] : NULL;
    for (int k = 0, n = column ? J->rownnz[i] : J->ncolumn; k < n; k++) {
      LANE(to[place[column ? column[k] : k]], l) = value[k];
    }
  }
}

INLINE void lanes_read_panel(Lanes* s, const RowPanel* panel) {
  int ncol = panel->ncol, end = panel->row + panel->nrow;
  for (int r = panel->row; r < end;) {
    const mjtNum* at[SIMD_N];
    SimdN* to = panel->J + (r - panel->row) * ncol;
    if (lanes_find_row(at, s, r, ncol)) {
      int rows = lanes_count_rows(s, r, end);
      lanes_read(to, at, rows * ncol);
      r += rows;
    } else {
      lanes_read_thin(to, s, r++, panel);
    }
  }
}

// the pattern of H

// Adds the columns of panels to those of M, and of the factor to both.
static void lanes_find_pattern(Lanes* s, uint32_t row[LANE_DOFS]) {
  int entries = 0;
  for (int k = 0; k < s->npanel; k++) {
    const RowPanel* panel = s->panel + k;
    uint32_t columns = 0;
    for (int c = 0; c < panel->ncol; c++) {
      columns |= (uint32_t)1 << panel->column[c];
      row[panel->column[c]] |= columns;
    }
  }
  for (int i = s->n - 1; i > 0; i--) {
    uint32_t below = row[i] & (((uint32_t)1 << i) - 1);
    if (below) {
      row[31 - __builtin_clz(below)] |= below;
    }
    s->nbelow[i] = 0;
    for (; below; below &= below - 1) {
      s->below[i][s->nbelow[i]++] = (uint8_t)__builtin_ctz(below);
    }
    entries += s->nbelow[i];
  }
  s->nbelow[0] = 0;
  s->is_full = entries == s->n * (s->n - 1) / 2;
}

// all

KERNEL
static void lanes_read_all(Lanes* s) {
  uint32_t row[LANE_DOFS];
  lanes_read_dofs(s);
  int done = lanes_read_few_inertia(s);
  for (int i = 0; !done && i < s->n; i++) {
    row[i] = lanes_read_inertia(s, i);
  }
  lanes_read_rows(s);
  for (int k = 0; k < s->npanel; k++) {
    lanes_read_panel(s, s->panel + k);
  }
  s->is_full = s->n <= FEW_DOFS;
  if (!s->is_full) {
    lanes_find_pattern(s, row);
  }
}

void lanes_read_problems(Lanes* s, Problem* const* p, int count) {
  s->n = p[0]->n;
  s->count = count;
  s->recorded = 0;
  s->live = s->failed = s->niter = (MaskN){0};
  for (int l = 0; l < SIMD_N; l++) {
    s->p[l] = p[l < count ? l : 0];
    s->recorded |= s->p[l]->island < mjNISLAND;
    s->live[l] = l < count ? -1 : 0;
  }
  lanes_place_rows(s);
  lanes_find_panels(s);
  lanes_read_all(s);
}

// contact.H of the contacts in the middle zone, as law_cost leaves it
static void lane_write_cones(const Lanes* s, int lane) {
  const Problem* p = s->p[lane];
  for (const LaneCone *cone = s->cone, *end = cone + s->ncone; cone < end; cone++) {
    if (cone->middle[lane]) {
      int i = s->source[cone->row][lane];
      mjContact* contact = p->rows.contact + p->rows.id[i];
      mjtNum x[6] = {0};
      for (int k = 0; k < contact->dim; k++) {
        x[k] = LANE(s->jar[cone->row + k], lane);
      }
      ConePoint at = cone_point(contact, x);
      cone_hessian(contact, &at, p->rows.D[i]);
    }
  }
}

// Zones of the rows as states.
INLINE void lanes_write_states(int* const* state, const Lanes* s, const SimdN* zone) {
  int r = 0;
#ifndef mjUSESINGLE
  for (; r + 4 <= s->aligned && s->count == 4; r += 4) {
    Simd4 v[4];
    for (int k = 0; k < 4; k++) {
      v[k] = SIMD_READ(Simd4, zone + r + k);
    }
    simd4_transpose(v);
    for (int l = 0; l < 4; l++) {
      SIMD_AT(Int4, state[l] + r) = __builtin_convertvector(v[l], Int4);
    }
  }
#endif
  for (; r < s->nefc; r++) {
    for (int l = 0; l < s->count; l++) {
      int i = s->source[r][l];
      if (i >= 0) {
        state[l][i] = (int)LANE(zone[r], l);
      }
    }
  }
}

INLINE void lanes_write_rows(mjtNum* const* to, const Lanes* s, const SimdN* from) {
  lanes_write(to, from, s->aligned, s->count);
  for (int r = s->aligned; r < s->nefc; r++) {
    for (int l = 0; l < s->count; l++) {
      int i = s->source[r][l];
      if (i >= 0) {
        to[l][i] = LANE(from[r], l);
      }
    }
  }
}

KERNEL
void lanes_write_problems(const Lanes* s) {
  mjtNum *acc[SIMD_N], *frc[SIMD_N], *force[SIMD_N], *b[SIMD_N];
  int *state[SIMD_N], *cold[SIMD_N];
  SimdN zone[LANE_ROWS];
  lanes_zones(zone, s);
  for (int l = 0; l < s->count; l++) {
    const Problem* p = s->p[l];
    acc[l] = p->acc;
    frc[l] = p->frc_constraint;
    force[l] = p->force;
    b[l] = p->start->b;
    state[l] = p->state;
    cold[l] = p->start->cold_state;
  }
  lanes_write(acc, s->acc, s->n, s->count);
  lanes_write(frc, s->frc_constraint, s->n, s->count);
  lanes_write_rows(force, s, s->force);
  lanes_write_rows(b, s, s->b);
  lanes_write_states(state, s, zone);
  if (s->p[0]->start->warm) {
    lanes_write_states(cold, s, s->cold);
  }
  for (int l = 0; l < s->count; l++) {
    lane_write_cones(s, l);
  }
}
