// tendon.c: the dofs that change the length of a tendon.
//
//   fixed      the dofs of its joints
//   spatial    the dofs that move one of its sites or wrapped geoms, even if they move all of them

#include <mujoco/api/base.h>

#include "computed/fill.h"
#include "computed/path.h"

static int is_fixed(const mjModel* m, int tendon) {
  return m->wrap_type[m->tendon_adr[tendon]] == mjWRAP_JOINT;
}

// The row of a tendon in ascending order; dof may be NULL. body and at are scratch memory for the
// items of its path. Returns its length.
static int tendon_row(int* dof, const mjModel* m, int tendon, int* body, int* at) {
  int adr = m->tendon_adr[tendon], num = m->tendon_num[tendon];
  if (!is_fixed(m, tendon)) {
    for (int i = 0; i < num; i++) {
      body[i] = path_body(m, adr + i);
    }
    return path_dofs(dof, m, body, num, at);
  }
  for (int i = 0; i < num && dof; i++) {
    dof[i] = m->jnt_dofadr[m->wrap_objid[adr + i]];
  }
  if (dof) {
    mju_insertionSortInt(dof, num);
  }
  return num;
}

// Visits all rows: writes their lengths, starts and dofs where these are not NULL; returns the sum
// of the lengths.
static int tendon_rows(int* rownnz, int* rowadr, int* colind, const mjModel* m) {
  int* scratch = mju_malloc(2 * (size_t)(m->nwrap + 1) * sizeof(int));
  int sum = 0;
  for (int i = 0; i < m->ntendon; i++) {
    int num = tendon_row(colind ? colind + sum : NULL, m, i, scratch, scratch + m->nwrap + 1);
    if (rownnz) {
      rownnz[i] = num;
    }
    if (rowadr) {
      rowadr[i] = sum;
    }
    sum += num;
  }
  mju_free(scratch);
  return sum;
}

void fill_tendon_type(void* out, const mjModel* m, const mjData* d) {
  (void)d;
  for (int i = 0; i < m->ntendon; i++) {
    ((int*)out)[i] = !is_fixed(m, i);
  }
}

void fill_ten_J_rownnz(void* out, const mjModel* m, const mjData* d) {
  (void)d;
  tendon_rows(out, NULL, NULL, m);
}

void fill_ten_J_rowadr(void* out, const mjModel* m, const mjData* d) {
  (void)d;
  tendon_rows(NULL, out, NULL, m);
}

void fill_ten_J_colind(void* out, const mjModel* m, const mjData* d) {
  (void)d;
  tendon_rows(NULL, NULL, out, m);
}

mjtSize count_ten_J(const mjModel* m) {
  return (mjtSize)tendon_rows(NULL, NULL, NULL, m);
}
