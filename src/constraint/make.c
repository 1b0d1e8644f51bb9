// Makes the constraint rows of a step in two passes over all constraints. The first counts rows and
// entries of the Jacobian, then the arena gives the storage, the second writes the rows. Their
// parameters (impedance, K, B, R) are written with the rows of contacts, and last for all others.
//                                                               theory/contact/constraints.md, Rows

#include <mujoco/api/constraint.h>
#include <mujoco/api/model.h>

#include "base/algebra/sparse_row.h"
#include "base/algebra/vec.h"
#include "constraint/rows/makers.h"
#include "constraint/rows/parameters.h"
#include "constraint/rows/shared.h"
#include "constraint/rows/sink.h"
#include "constraint/rows/storage.h"
#include "model/behaviour.h"
#include "model/checks/pair.h"
#include "model/data/arena.h"
#include "model/data/share.h"
#include "smooth/flex/flex.h"

// The groups of constraints in the order of the efc arrays.
enum {
  EQUALITIES,
  FRICTIONS,
  LIMITS,
  CONTACTS,
  GROUPS
};

// The most bodies of one row: two geoms, or elements of flexes.
static int most_bodies(const mjModel* m) {
  int most = m->nflex ? BOXBODY : 2;
  for (int f = 0; f < m->nflex; f++) {
    most = m->flex_interp[f] && !flex_is_box(m, f) ? MAXBODY : most;
  }
  return most;
}

// The rows of contacts, by the threads of a pool if there is one and it pays.
static void add_contacts(RowSink* sink, BodyJacobian* bodies, ContactPieces* pieces) {
  int shared = sink->measuring ? contacts_count_shared(pieces, sink, most_bodies(sink->m))
                               : contacts_write_shared(pieces, sink);
  if (!shared) {
    rows_contacts(sink, bodies, 0, sink->d->ncon);
  }
}

static void add_group(RowSink* sink, BodyJacobian* bodies, ContactPieces* pieces, int group) {
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
        add_contacts(sink, bodies, pieces);
      }
      break;
  }
}

// Adds the rows of all groups in order. The first walk counts them. The second skips groups in
// which the first has found neither rows nor tendons to note (note_tendon in rows/limit.c).
static void walk(RowSink* sink, BodyJacobian* bodies, ContactPieces* pieces,
                 int64_t found[GROUPS]) {
  mjData* d = sink->d;
  int* count[GROUPS] = {&d->ne, &d->nf, &d->nl, NULL};
  for (int group = 0; group < GROUPS; group++) {
    int64_t before = sink->nrow + sink->noted;
    int row = sink->row;
    if (sink->measuring || found[group]) {
      add_group(sink, bodies, pieces, group);
    }
    if (sink->measuring) {
      found[group] = sink->nrow + sink->noted - before;
    } else if (count[group]) {
      *count[group] = sink->row - row;
    }
  }
  d->nefc = sink->row;
}

// Counts in efc_J_rowsuper how many rows that follow a row of [begin, end) have the same columns,
// as far as the row `end`. Within one constraint its rows are counted already: the last of them
// is compared with the next row, and if they are the same, all rows up to there are counted anew.
static void count_same(void* argument, int begin, int end) {
  const mjData* d = argument;
  const int *nnz = d->efc_J_rownnz, *adr = d->efc_J_rowadr, *col = d->efc_J_colind;
  int* super = d->efc_J_rowsuper;
  for (int first = begin, last; first < end; first = last + 1) {
    last = first + super[first];
    int counted = last <= end;  // else the constraint goes on behind `end`
    while (last < end && nnz[last] == nnz[last + 1] &&
           same_columns(col + adr[last], col + adr[last + 1], nnz[last])) {
      last += last + 1 < end ? 1 + super[last + 1] : 1;
      counted = 0;
    }
    last = int_min(last, end);
    for (int i = first; !counted && i < int_min(last + 1, end); i++) {
      super[i] = last - i;
    }
  }
}

// Completes efc_J_rowsuper, the number of following rows with the same columns.
static void find_supernodes(mjData* d) {
  const int least = 4096, piece = 1024;
  int *super = d->efc_J_rowsuper, last = d->nefc - 1;
  if (!share_pays(d, d->nefc, least)) {
    count_same(d, 0, last);
    return;
  }
  share_for(d, last, piece, count_same, d);
  // counts that ended with a piece go on
  for (int end = (last - 1) / piece * piece; end > 0; end -= piece) {
    for (int i = end - 1; i >= 0 && super[i] == end - i; i--) {
      super[i] += super[end];
    }
  }
}

// The second pass: writes rows and Jacobian.
static void write_rows(RowSink* sink, BodyJacobian* bodies, ContactPieces* pieces,
                       int64_t found[GROUPS], int most) {
  if (!sink->sparse) {
    bodies_make(bodies, sink->m, sink->d, most);
  }
  walk(sink, bodies, pieces, found);
  mjData* d = sink->d;
  if (sink->sparse) {
    find_supernodes(d);
  }
  rows_parameters_of(sink->m, d, NULL, 0, d->ne + d->nf + d->nl);
}

static void clear_tendon_rows(const mjModel* m, mjData* d) {
  for (int i = 0; i < m->ntendon; i++) {
    d->tendon_efcadr[i] = -1;
  }
}

void mj_makeConstraint(const mjModel* m, mjData* d) {
  check_pair(m, d);
  storage_clear(d);
  if (m->opt.disableflags & mjDSBL_CONSTRAINT) {
    if (behaves(m, cndBEHAVIOUR_pathdofs) && m->ntendon && storage_rows(m, d, 0, 0)) {
      clear_tendon_rows(m, d);
    }
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
  ContactPieces pieces;  // too large to be cleared each time
  pieces.size = 0;

  // the first pass needs the columns of rows only if the Jacobian is sparse
  if (sink.sparse) {
    bodies_make(&bodies, m, d, most);
  }
  walk(&sink, &bodies, &pieces, found);
  sink.measuring = 0;
  // tendon_efcadr is -1 for a tendon without equality row; it is allocated even if there are no
  // rows
  if ((sink.nrow || m->ntendon) && storage_rows(m, d, sink.nrow, sink.nJ)) {
    clear_tendon_rows(m, d);
    if (sink.nrow || sink.noted) {
      write_rows(&sink, &bodies, &pieces, found, most);
    }
  }
  arena_pop(d, top);

  if (d->efc_type || !sink.nrow) {
    d->maxuse_con = int_max(d->maxuse_con, d->ncon);
    d->maxuse_efc = int_max(d->maxuse_efc, d->nefc);
  }
}
