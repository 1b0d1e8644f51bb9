// What a contact is: its bodies, their weights, its rows.
//                                                       theory/contact/constraints.md, Contact rows

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "constraint/rows/makers.h"
#include "model/behaviour.h"
#include "smooth/flex/flex.h"

void contact_bodies(RowBodies* bodies, const mjModel* m, const mjData* d,
                    const mjContact* contact) {
  if (contact_has_geoms(contact)) {
    bodies->n = 2;  // the rest is too large to be cleared each time
    for (int side = 0; side < 2; side++) {
      bodies->body[side] = m->geom_bodyid[contact->geom[side]];
      bodies->weight[side] = side ? 1 : -1;
    }
    return;
  }
  FlexBodies flex;
  flex_contact_bodies(&flex, m, d, contact, 0);
  bodies->n = flex.n;
  memcpy(bodies->body, flex.body, (size_t)flex.n * sizeof(int));
  memcpy(bodies->weight, flex.weight, (size_t)flex.n * sizeof(mjtNum));
}

void contact_weight(mjtNum out[2], const mjModel* m, const mjData* d, const mjContact* contact) {
  if (contact_has_geoms(contact)) {
    const int* body = m->geom_bodyid;
    const mjtNum* weight1 = m->body_invweight0 + 2 * body[contact->geom[0]];
    const mjtNum* weight2 = m->body_invweight0 + 2 * body[contact->geom[1]];
    out[0] = weight1[0] + weight2[0];
    out[1] = weight1[1] + weight2[1];
    return;
  }
  FlexBodies of;
  out[0] = out[1] = 0;
  int is_signed = behaves(m, cndBEHAVIOUR_flex);  // quadratic cells have negative weights
  flex_contact_bodies(&of, m, d, contact, !is_signed);
  for (int i = 0; i < of.n; i++) {
    const mjtNum* invweight = m->body_invweight0 + 2 * of.body[i];
    mjtNum own = i < of.second ? -of.weight[i] : of.weight[i];
    mjtNum weight = is_signed ? own : mju_abs(own);
    out[0] += weight * invweight[0];
    out[1] += weight * invweight[1];
  }
}
