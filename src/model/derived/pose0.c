// pose0.c: transforms a point from its body's frame to the world, from parent to parent.

#include "model/derived/pose0.h"

#include "base/algebra/vec.h"

void point_at_rest(mjtNum out[3], const mjModel* m, int body, const mjtNum point[3]) {
  v3_copy(out, point);
  for (; body > 0; body = m->body_parentid[body]) {
    q_rotate(out, out, m->body_quat + 4 * body);
    v3_addto(out, m->body_pos + 3 * body);
  }
}
