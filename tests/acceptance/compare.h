// compare.h: which arrays of both engines are compared, and how closely.
//
// All of mjxmacro.h, but for a short list with reasons. Numbers may differ by a tolerance relative
// to the largest of their array; integers are exact, sizes equal.

#pragma once

#include "support/models.h"

#include "support/near.h"

// What is left out, and why; all else in mjxmacro.h is compared.
static const struct {
  const char *field, *why;
} excluded[] = {
    {"narena", "how much memory an engine sets aside is its own affair"},
    {"maxuse_stack", "how much of it a step needs, too"},
    {"maxuse_threadstack", "the same"},
    {"maxuse_arena", "the same"},
    {"parena", "contacts say of surfaces what later releases do, and are larger"},
    {"timer", "wall time; its counts of calls are compared apart"},
    {"solver", "what each iteration did on its way to the same minimum"},
    {"solver_niter", "how many there were: with tolerance 0 rounding decides"},
    {"plugin_data", "addresses of what plugins keep"},
    {"bvh_active", "made where it is drawn: tests/collision/marks_test.c"},
};

// written for sparse Jacobians only: in a dense one their memory holds anything
static const char* const sparse_only[] = {
    "efc_J_rownnz",  "efc_J_rowadr",  "efc_J_rowsuper",  "efc_J_colind",
    "iefc_J_rownnz", "iefc_J_rowadr", "iefc_J_rowsuper", "iefc_J_colind",
};

// depends on the solver, so it is known to the square root of rounding only
static const char* const solved[] = {
    "qacc", "qacc_warmstart", "qfrc_constraint", "efc_force", "iefc_force", "ifrc_constraint",
    "iacc", "cacc",           "cfrc_int",        "cfrc_ext",  "sensordata", "qfrc_inverse",
};

// made for all islands, written where there are some: compared where written, in islands_differ
static const char* const with_gaps[] = {"iM", "iM_colind", "iLD", "iefc_J", "iefc_aref"};

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

static inline int is_in(const char* const* list, size_t length, const char* name) {
  for (size_t i = 0; i < length; i++) {
    if (!strcmp(list[i], name)) {
      return 1;
    }
  }
  return 0;
}

static inline int is_excluded(const mjModel* m, const char* name) {
  for (size_t i = 0; i < LENGTH(excluded); i++) {
    if (!strcmp(excluded[i].field, name)) {
      return 1;
    }
  }
  return is_in(with_gaps, LENGTH(with_gaps), name) ||
         (!mj_isSparse(m) && is_in(sparse_only, LENGTH(sparse_only), name));
}

// n numbers of an array from an address on; 1 if they differ
static inline int part_differs(const Bridge* b, const char* name, const mjtNum* ours, int adr,
                               int n) {
  const double* theirs = bridge_ref_data(b, name, NULL);
  char label[100];
  snprintf(label, sizeof label, "%s[%d..%d]", name, adr, adr + n - 1);
  return numbers_differ(label, ours + adr, theirs + adr, n, 1e-9, 1e-6);
}

// The matrices of the islands: inertias one after the other, dense Jacobians as blocks; and the
// rows that belong to one.
static inline int islands_differ(const Bridge* b) {
  const mjData* d = b->d;
  if (!d->nisland) {
    return 0;
  }
  int end = d->nisland - 1, rows = d->island_iefcadr[end] + d->island_nefc[end];
  int last = d->nidof - 1, nonzeros = d->iM_rowadr[last] + d->iM_rownnz[last];
  int differ = part_differs(b, "iM", d->iM, 0, nonzeros) +
               part_differs(b, "iLD", d->iLD, 0, nonzeros) +
               part_differs(b, "iefc_aref", d->iefc_aref, 0, rows) +
               (memcmp(d->iM_colind, bridge_ref_data(b, "iM_colind", NULL),
                       sizeof(int) * (size_t)nonzeros) != 0);
  if (mj_isSparse(b->m)) {
    return differ + bridge_compare(b, "iefc_J", 1e-9);
  }
  for (int i = 0; i < d->nisland; i++) {
    differ += part_differs(b, "iefc_J", d->iefc_J, d->nidof * d->island_iefcadr[i],
                           d->island_nv[i] * d->island_nefc[i]);
  }
  return differ;
}

// Compares all; returns how many fields differ.
static inline int compare_datas(const Bridge* b) {
  int differ = 0;
  for (int i = 0; cnd_dataField(i); i++) {
    const cndField* field = cnd_dataField(i);
    if (!field->hidden && !field->since && !is_excluded(b->m, field->name)) {
      int loose = is_in(solved, LENGTH(solved), field->name);
      differ += bridge_compare(b, field->name, loose ? 1e-7 : 1e-9);
    }
  }
  return differ;
}

// Lets both sides do the same.
#define BOTH(b, function) (bridge_run(b, #function), function((b)->m, (b)->d))
