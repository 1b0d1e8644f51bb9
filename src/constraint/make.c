// Makes the constraint rows of a step in two passes over all constraints. The first counts rows and
// entries of the Jacobian, then the arena gives the storage, the second writes the rows. Their
// parameters (impedance, K, B, R) come last.                    theory/contact/constraints.md, Rows

#include <mujoco/api/constraint.h>
#include <mujoco/api/model.h>

#include "base/algebra/sparse_row.h"
#include "base/algebra/vec.h"
#include "constraint/rows/makers.h"
#include "constraint/rows/parameters.h"
#include "constraint/rows/sink.h"
#include "constraint/rows/storage.h"
#include "model/checks/pair.h"
#include "model/data/arena.h"
#include "smooth/flex/flex.h"

// The groups of constraints in the order of the efc arrays.
enum {
  EQUALITIES,
  FRICTIONS,
  LIMITS,
  CONTACTS,
  GROUPS
};

static void add_group(RowSink* sink, BodyJacobian* bodies, int group) {
  switch (group) {
    case EQUALITIES:
      if (sink->m->neq) {
        rows_equality(sink, bodies);
      }
      break;
    case FRICTIONS:
      rows_friction(sink);
      break;
    case LIMITS:
      rows_limit(sink);
      break;
    default:
      if (sink->d->ncon) {
        rows_contact(sink, bodies);
      }
      break;
  }
}

// Adds the rows of all groups in order. The first walk counts them. The second skips groups in
// which the first has found neither rows nor tendons to note (note_tendon in rows/limit.c).
static void walk(RowSink* sink, BodyJacobian* bodies, int64_t found[GROUPS]) {
  mjData* d = sink->d;
  int* count[GROUPS] = {&d->ne, &d->nf, &d->nl, NULL};
  for (int group = 0; group < GROUPS; group++) {
    int64_t before = sink->nrow + sink->noted;
    int row = d->nefc;
    if (sink->measuring || found[group]) {
      add_group(sink, bodies, group);
    }
    if (sink->measuring) {
      found[group] = sink->nrow + sink->noted - before;
    } else if (count[group]) {
      *count[group] = d->nefc - row;
    }
  }
}

// Completes efc_J_rowsuper, the number of following rows with the same columns. Within the rows of
// one constraint it was set when they were written.
static void find_supernodes(mjData* d) {
  const int *nnz = d->efc_J_rownnz, *adr = d->efc_J_rowadr, *col = d->efc_J_colind;
  for (int i = d->nefc - 2; i >= 0; i--) {
    if (d->efc_J_rowsuper[i] ||
        (nnz[i] == nnz[i + 1] && same_columns(col + adr[i], col + adr[i + 1], nnz[i]))) {
      d->efc_J_rowsuper[i] = d->efc_J_rowsuper[i + 1] + 1;
    }
  }
}

// The second pass: writes rows and Jacobian.
static void write_rows(RowSink* sink, BodyJacobian* bodies, int64_t found[GROUPS], int most) {
  if (!sink->sparse) {
    bodies_make(bodies, sink->m, sink->d, most);
  }
  walk(sink, bodies, found);
  if (sink->sparse) {
    find_supernodes(sink->d);
  }
  rows_parameters(sink->m, sink->d, NULL);
}

// The most bodies of one row: two geoms, or elements of flexes.
static int most_bodies(const mjModel* m) {
  int most = m->nflex ? BOXBODY : 2;
  for (int f = 0; f < m->nflex; f++) {
    most = m->flex_interp[f] && !flex_is_box(m, f) ? MAXBODY : most;
  }
  return most;
}

void mj_makeConstraint(const mjModel* m, mjData* d) {
  check_pair(m, d);
  storage_clear(d);
  if (m->opt.disableflags & mjDSBL_CONSTRAINT) {
    return;
  }
  if (!m->nv && !m->ntendon) {
    d->maxuse_con = int_max(d->maxuse_con, d->ncon);
    return;
  }

  size_t top = arena_top(d);
  RowSink sink = {.m = m, .d = d, .measuring = 1, .sparse = mj_isSparse(m)};
  BodyJacobian bodies;
  int most = most_bodies(m);
  int64_t found[GROUPS];

  // the first pass needs the columns of rows only if the Jacobian is sparse
  if (sink.sparse) {
    bodies_make(&bodies, m, d, most);
  }
  walk(&sink, &bodies, found);
  sink.measuring = 0;
  // tendon_efcadr is -1 for a tendon without equality row; it is allocated even if there are no
  // rows
  if ((sink.nrow || m->ntendon) && storage_rows(m, d, sink.nrow, sink.nJ)) {
    for (int i = 0; i < m->ntendon; i++) {
      d->tendon_efcadr[i] = -1;
    }
    if (sink.nrow || sink.noted) {
      write_rows(&sink, &bodies, found, most);
    }
  }
  arena_pop(d, top);

  if (d->efc_type || !sink.nrow) {
    d->maxuse_con = int_max(d->maxuse_con, d->ncon);
    d->maxuse_efc = int_max(d->maxuse_efc, d->nefc);
  }
}
