// pose0.c: a point or the axes of a body in the world, from parent to parent.

#include "model/tree/pose0.h"

#include "base/algebra/vec.h"

void point_at_rest(mjtNum out[3], const mjModel* m, int body, const mjtNum point[3]) {
  v3_copy(out, point);
  for (; body > 0; body = m->body_parentid[body]) {
    q_rotate(out, out, m->body_quat + 4 * body);
    v3_addto(out, m->body_pos + 3 * body);
  }
}

void axes_at_rest(mjtNum quat[4], const mjModel* m, int body) {
  q_identity(quat);
  for (; body > 0; body = m->body_parentid[body]) {
    q_mul(quat, m->body_quat + 4 * (size_t)body, quat);
  }
}
