// Measuring and writing of rows, dense or sparse.               theory/contact/constraints.md, Rows

#include "constraint/rows/sink.h"

#include <string.h>

#include "base/algebra/simd.h"

int sink_wants(RowSink* sink, int nrow, int ncolumn) {
  if (sink->sparse && !ncolumn) {
    return 0;
  }
  if (sink->measuring) {
    sink->nrow += nrow;
    sink->nJ += (int64_t)nrow * (sink->sparse ? ncolumn : sink->m->nv);
    return 0;
  }
  return 1;
}

// Whether every entry of every row is exactly zero.
static int vanishes(const RowJacobian* jacobian, int nrow) {
  for (int k = 0; k < jacobian->ncolumn; k++) {
    for (int r = 0; r < nrow; r++) {
      if (jacobian->value[r * jacobian->row_step + k * jacobian->column_step] != 0) {
        return 0;
      }
    }
  }
  return 1;
}

// Writes four rows from columns of whole vectors, four columns at a time.
KERNEL static void put_four(mjtNum* restrict to, const mjtNum* restrict value, int step, int n) {
  int k = 0;
  for (; k + 4 <= n; k += 4) {
    Simd4 block[4];
    for (int c = 0; c < 4; c++) {
      block[c] = SIMD_READ(Simd4, value + (k + c) * step);
    }
    simd4_transpose(block);
    for (int r = 0; r < 4; r++) {
      SIMD_AT(Simd4, to + r * n + k) = block[r];
    }
  }
  for (; k < n; k++) {
    for (int r = 0; r < 4; r++) {
      to[r * n + k] = value[k * step + r];
    }
  }
}

static void put_sparse(RowSink* sink, int nrow, const RowJacobian* jacobian) {
  mjData* d = sink->d;
  const mjtNum* value = jacobian->value;
  const int* dof = jacobian->dof;
  int n = jacobian->ncolumn, row_step = jacobian->row_step, column_step = jacobian->column_step;
  int done = row_step == 1 ? nrow / 4 * 4 : 0;
  for (int r = 0; r < done; r += 4) {
    put_four(d->efc_J + sink->adr + (size_t)r * n, value + r, column_step, n);
  }
  for (int r = 0; r < nrow; r++) {
    int i = sink->row + r, adr = sink->adr;
    d->efc_J_rownnz[i] = n;
    d->efc_J_rowadr[i] = adr;
    d->efc_J_rowsuper[i] = nrow - 1 - r;
    copy_columns(d->efc_J_colind + adr, dof, n);
    for (int k = 0; k < n && r >= done; k++) {
      d->efc_J[adr + k] = value[r * row_step + k * column_step];
    }
    sink->adr += n;
  }
}

// `nrow` is constant where this is inlined
INLINE void put_columns(mjtNum* to, int nv, int nrow, const RowJacobian* jacobian) {
  for (int k = 0; k < jacobian->ncolumn; k++) {
    const mjtNum* value = jacobian->value + k * jacobian->column_step;
    int dof = jacobian->dof ? jacobian->dof[k] : k;
    for (int r = 0; r < nrow; r++) {
      to[r * nv + dof] = value[r * jacobian->row_step];
    }
  }
}

static void put_dense(mjData* d, int nv, int row, int nrow, const RowJacobian* jacobian) {
  mjtNum* to = d->efc_J + (size_t)row * nv;
  memset(to, 0, sizeof(mjtNum) * nrow * nv);
  switch (nrow) {
    case 1:
      put_columns(to, nv, 1, jacobian);
      break;
    case 3:
      put_columns(to, nv, 3, jacobian);
      break;
    case 4:
      put_columns(to, nv, 4, jacobian);
      break;
    default:
      put_columns(to, nv, nrow, jacobian);
      break;
  }
}

// What a row is, besides its numbers. nrow is constant where this is inlined.
INLINE void describe(mjData* d, int row, int nrow, int type, int id, const mjtNum* pos,
                     const mjtNum* margin, mjtNum frictionloss) {
  int *types = d->efc_type + row, *ids = d->efc_id + row;
  mjtNum *positions = d->efc_pos + row, *margins = d->efc_margin + row;
  mjtNum* losses = d->efc_frictionloss + row;
  for (int r = 0; r < nrow; r++) {
    types[r] = type;
  }
  for (int r = 0; r < nrow; r++) {
    ids[r] = id;
  }
  for (int r = 0; r < nrow; r++) {
    positions[r] = pos[r];
  }
  for (int r = 0; r < nrow; r++) {
    margins[r] = margin ? margin[r] : 0;
  }
  for (int r = 0; r < nrow; r++) {
    losses[r] = frictionloss;
  }
}

int sink_put(RowSink* sink, int type, int id, int nrow, const RowJacobian* jacobian,
             const mjtNum* pos, const mjtNum* margin, mjtNum frictionloss) {
  mjData* d = sink->d;
  int row = sink->row, contact = type >= mjCNSTR_CONTACT_FRICTIONLESS;

  // rows of zeros are dropped, but not those of contacts, whose efc_address is set already
  if (!sink->sparse && !contact && vanishes(jacobian, nrow)) {
    return 0;
  }

  if (sink->sparse) {
    put_sparse(sink, nrow, jacobian);
  } else {
    put_dense(d, sink->m->nv, row, nrow, jacobian);
  }
  if (nrow == 4) {
    describe(d, row, 4, type, id, pos, margin, frictionloss);
  } else {
    describe(d, row, nrow, type, id, pos, margin, frictionloss);
  }
  sink->row += nrow;
  return nrow;
}

// What the rows of a contact from `row` on are, besides their numbers: the first npos have its
// position.
INLINE void describe_contact(mjData* d, int row, int nrow, const RowKind* kind) {
  for (int r = 0; r < nrow; r++) {
    d->efc_type[row + r] = kind->type;
    d->efc_id[row + r] = kind->id;
    d->efc_pos[row + r] = r < kind->npos ? kind->pos : 0;
    d->efc_margin[row + r] = r < kind->npos ? kind->margin : 0;
    d->efc_frictionloss[row + r] = 0;
  }
}

mjtNum* sink_rows(RowSink* sink, const RowKind* kind, int nrow) {
  mjtNum* J = sink->d->efc_J + (size_t)sink->row * sink->m->nv;
  memset(J, 0, sizeof(mjtNum) * nrow * sink->m->nv);
  describe_contact(sink->d, sink->row, nrow, kind);
  sink->row += nrow;
  return J;
}

// The same of four rows, as most contacts have, in vectors.
INLINE void describe_four(mjData* d, int row, const RowKind* kind) {
  mjtNum pos = kind->pos, margin = kind->margin;
  int all = kind->npos == 4;
  mjtNum pos1 = all ? pos : 0, margin1 = all ? margin : 0;
  SIMD_AT(Int4, d->efc_type + row) = (Int4){0} + kind->type;
  SIMD_AT(Int4, d->efc_id + row) = (Int4){0} + kind->id;
  SIMD_AT(Simd4, d->efc_frictionloss + row) = (Simd4){0};
  SIMD_AT(Simd4, d->efc_pos + row) = (Simd4){pos, pos1, pos1, pos1};
  SIMD_AT(Simd4, d->efc_margin + row) = (Simd4){margin, margin1, margin1, margin1};
}

INLINE void describe_rows(mjData* d, int row, int nrow, const RowKind* kind) {
  if (nrow == 4) {
    describe_four(d, row, kind);
  } else {
    describe_contact(d, row, nrow, kind);
  }
}

// nnz, adr and same of nrow rows with n columns each; adr: of the first
INLINE void place_rows(int* nnz, int* address, int* same, int nrow, int adr, int n) {
  const Int4 down = {0, 1, 2, 3};
  Int4 at = adr + n * down, left = nrow - 1 - down;
  int r = 0;
  for (; r + 4 <= nrow; r += 4, at += 4 * n, left -= 4) {
    SIMD_AT(Int4, nnz + r) = (Int4){n, n, n, n};
    SIMD_AT(Int4, address + r) = at;
    SIMD_AT(Int4, same + r) = left;
  }
  for (; r < nrow; r++) {
    nnz[r] = n;
    address[r] = adr + n * r;
    same[r] = nrow - 1 - r;
  }
}

// The columns of the next nrow rows, n each.
INLINE void same_columns_of(const RowSink* sink, int nrow, const int* dof, int n) {
  const mjData* d = sink->d;
  int row = sink->row, adr = sink->adr, *to = d->efc_J_colind + adr;
  place_rows(d->efc_J_rownnz + row, d->efc_J_rowadr + row, d->efc_J_rowsuper + row, nrow, adr, n);
  repeat_columns(to, dof, n, nrow);
}

KERNEL
mjtNum* sink_same_contacts(RowSink* sink, int type, int nrow, int begin, int end, const int* dof,
                           int n) {
  mjData* d = sink->d;
  mjtNum* J = d->efc_J + sink->adr;
  same_columns_of(sink, (end - begin) * nrow, dof, n);
  for (int i = begin; i < end; i++, sink->row += nrow) {
    const RowKind kind = row_kind_of(type, nrow, d->contact + i, i);
    d->contact[i].efc_address = sink->row;
    describe_rows(d, sink->row, nrow, &kind);
  }
  sink->adr += (end - begin) * nrow * n;
  return J;
}

KERNEL
mjtNum* sink_sparse_rows(RowSink* sink, const RowKind* kind, int nrow, const int* dof, int n) {
  mjtNum* J = sink->d->efc_J + sink->adr;
  same_columns_of(sink, nrow, dof, n);
  describe_rows(sink->d, sink->row, nrow, kind);
  sink->row += nrow;
  sink->adr += nrow * n;
  return J;
}

void sink_put_rows(RowSink* sink, int type, int id, const SparseRows* rows, const mjtNum* pos) {
  mjData* d = sink->d;
  int row = sink->row, n = rows->n, from = rows->adr[0], to = sink->adr;
  size_t nJ = (size_t)(rows->adr[n - 1] + rows->num[n - 1] - from);
  memcpy(d->efc_J_colind + to, rows->column + from, nJ * sizeof(int));
  memcpy(d->efc_J + to, rows->value + from, nJ * sizeof(mjtNum));
  memcpy(d->efc_J_rownnz + row, rows->num, (size_t)n * sizeof(int));
  memset(d->efc_J_rowsuper + row, 0, (size_t)n * sizeof(int));
  memcpy(d->efc_pos + row, pos, (size_t)n * sizeof(mjtNum));
  memset(d->efc_margin + row, 0, (size_t)n * sizeof(mjtNum));
  memset(d->efc_frictionloss + row, 0, (size_t)n * sizeof(mjtNum));
  for (int r = 0; r < n; r++) {
    d->efc_J_rowadr[row + r] = rows->adr[r] - from + to;
    d->efc_type[row + r] = type;
    d->efc_id[row + r] = id;
  }
  sink->row += n;
  sink->adr += (int)nJ;
}
