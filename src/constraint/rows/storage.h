// storage.h: the arrays of constraint rows, islands and dual matrices in the arena.
//
//   | contacts | rows (efc_*) | metric (efm_*) | islands (island_*, iefc_*, ...) | dual (efc_AR) |
//
// Each block is allocated as a whole. If one doesn't fit, or an array has more elements than an int
// counts, the step has no constraints: a warning is recorded, all pointers are cleared and no
// contact has rows.                                      theory/contact/constraints.md, Row storage

#pragma once

#include <mujoco/mjdata.h>
#include <stdint.h>

// Clears rows and islands; contacts stay.
void storage_clear(mjData* d);

// storage_clear because the arena is full, with the warning.
void storage_full(mjData* d);

// Room for nrow rows and nJ Jacobian entries; sets nJ and leaves nefc = 0. False if the arena is
// full (see above).
int storage_rows(const mjModel* m, mjData* d, int64_t nrow, int64_t nJ);

// Room for the arrays of d->nisland islands with d->nidof dofs. Arrays of a single island that
// would be equal copies, and that no solver writes, are pointers to those of the whole: iefc_D is
// efc_D, and if the island has all dofs, iefc_J and iM are efc_J and M. Their room is taken
// nevertheless, so that parena doesn't depend on the sharing.
int storage_islands(const mjModel* m, mjData* d);

// The same for compressed rows whose order by islands is that of all rows: iefc_J is efc_J, with
// its row lengths, addresses and supernodes, and iefc_D is efc_D. Columns stay apart.
void storage_share_rows(mjData* d);

// The same for dofs: iM is M, with its factor.
void storage_share_dofs(mjData* d);

// Whether rows, or dofs, were found to be so.
static inline int storage_shares_rows(const mjData* d) {
  return d->iefc_J == d->efc_J;
}

static inline int storage_shares_dofs(const mjData* d) {
  return d->iM == d->M;
}

// Whether one island has all dofs.
static inline int storage_is_whole(const mjModel* m, const mjData* d) {
  return d->nisland == 1 && d->nidof == m->nv;
}

// Room for the effective metric, nK entries of it and as many of its factor, with its nv pivots
// behind, and nefmdof dofs of flexes; sets nefmK, cnd_nefmL and efm_active.
int storage_metric(const mjModel* m, mjData* d, int64_t nK);

// Room for the dual matrix with nA entries; sets nA. What is there already stays in its place.
int storage_dual(mjData* d, int64_t nA);

// Sets nY and takes memory for efc_Y and its pattern. Returns 0 if the arena is full.
int storage_whitened(mjData* d, int64_t nY);
