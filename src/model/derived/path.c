// path.c: unions of the chains of dofs of bodies.

#include "model/derived/path.h"

// Merges the chains of dofs on the way up: the largest dof comes next, and each chain that is at it
// goes on to its parent. So dofs come out in descending order, and are counted first.
int path_dofs(int* dof, const mjModel* m, const int* body, int n, int* at) {
  int num = 0;
  for (int pass = dof ? 0 : 1; pass < 2; pass++) {
    int left = num;
    for (int i = 0; i < n; i++) {
      at[i] = last_dof(m, body[i]);
    }
    for (num = 0;; num++) {
      int next = -1;
      for (int i = 0; i < n; i++) {
        next = at[i] > next ? at[i] : next;
      }
      if (next < 0) {
        break;
      }
      if (pass && dof) {
        dof[--left] = next;
      }
      for (int i = 0; i < n; i++) {
        at[i] = at[i] == next ? m->dof_parentid[next] : at[i];
      }
    }
  }
  return num;
}
