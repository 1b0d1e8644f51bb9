// tendon_rows.c: the dofs that change the length of a tendon.
//
//   fixed      the dofs of its joints
//   spatial    the dofs that move one of its sites or wrapped geoms, even if they move all of them

#include <mujoco/api/base.h>

#include "model/derived/parts.h"
#include "model/derived/path.h"

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

int tendon_rows(int* rownnz, int* rowadr, int* colind, const mjModel* m, int* scratch) {
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
  return sum;
}
