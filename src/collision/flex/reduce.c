// The contacts of a flex with one geom that are kept, if there are too many.
//                                                  theory/smooth/deformables.md, Contacts of flexes

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "collision/flex/flex.h"
#include "model/behaviour.h"

// The deepest contact, and the nearest kept contact of each: then the one farthest from all that
// are kept, as long as there is room. Of equals the first.
static void choose(mjtByte* kept, mjtNum* nearest, const mjContact* con, int n) {
  int next = 0;
  for (int i = 0; i < n; i++) {
    kept[i] = 0;
    nearest[i] = mjMAXVAL;
    next = con[i].dist < con[next].dist ? i : next;
  }
  for (int k = 0; k < mjMAXCONPAIR; k++) {
    const mjtNum* pos = con[next].pos;
    kept[next] = 1;
    for (int i = 0; i < n; i++) {
      mjtNum away[3];
      v3_sub(away, con[i].pos, pos);
      nearest[i] = num_min(nearest[i], v3_dot(away, away));
    }
    for (int i = next = 0; i < n; i++) {
      next = nearest[i] > nearest[next] ? i : next;
    }
  }
}

void flex_reduce(const mjModel* m, mjData* d, int flex, int first) {
  int n = d->ncon - first;
  if (n <= mjMAXCONPAIR || !behaves(m, cndBEHAVIOUR_flex) ||
      !(m->flex_rigid[flex] || m->flex_interp[flex])) {
    return;
  }
  mjContact* con = d->contact + first;
  mj_markStack(d);
  mjtByte* kept = mj_stackAllocByte(d, (size_t)n, 1);
  choose(kept, mj_stackAllocNum(d, (size_t)n), con, n);
  int end = 0;
  for (int i = 0; i < n; i++) {
    if (kept[i]) {
      memmove(con + end++, con + i, sizeof(mjContact));
    }
  }
  d->ncon = first + end;
  d->parena -= (size_t)(n - end) * sizeof(mjContact);
  mj_freeStack(d);
}
