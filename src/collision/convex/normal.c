// Replaces the normal of a contact by the exact normals of round surfaces at the contact point.
//                                                       theory/contact/convex.md, Corrected normals

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it breaks ties of features differently

#include "collision/convex/normal.h"

// With outward surface normals n_a and n_b at the contact, the contact normal (from a to b) is
//
//   n = n_a                             only a has a surface normal there
//   n = -n_b                            only b
//   n = (n_a - n_b) / |n_a - n_b|       both
void correct_normal(mjContact* con, const ConvexShape* a, const ConvexShape* b) {
  mjtNum sum[3] = {0, 0, 0};
  int is_corrected = 0;
  for (int i = 0; i < 2; i++) {
    const ConvexShape* s = i ? b : a;
    mjtNum sign = i ? -1 : 1, x[3], n[3];
    if (!s->kind->normal) {
      continue;
    }
    v3_sub(x, con->pos, s->pos);
    m3_tmulv(x, s->mat, x);
    v3_scl(n, con->frame, sign);
    m3_tmulv(n, s->mat, n);
    if (s->kind->normal(n, s, x)) {
      v3_normalize(n);
      m3_mulv(n, s->mat, n);
      v3_addtoscl(sum, n, sign);
      is_corrected = 1;
    }
  }
  if (is_corrected) {
    v3_normalize(sum);
    v3_copy(con->frame, sum);
    v3_zero(con->frame + 3);
  }
}
