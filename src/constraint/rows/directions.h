// directions.h: conversions between a contact's rows and its directions, which are the normal c_0,
// tangents c_1 and c_2, and rotations c_3 .. c_5.
//
// Rows of a frictionless or elliptic contact are its directions. Edges of a pyramid are c_0 + mu_k
// c_k and c_0 - mu_k c_k in turn: a motion (velocity, acceleration) is projected to the edges, and
// forces on the edges add up to a force with mju_decodePyramid.
//                                                       theory/contact/constraints.md, Contact rows

#pragma once

#include <mujoco/api/base.h>
#include <mujoco/mjdata.h>
#include <string.h>

// The motion (dim components) along the directions, from its projection to the rows.
static inline void directions_motion(mjtNum motion[6], const mjContact* contact, int pyramidal,
                                     const mjtNum* row) {
  if (!pyramidal || contact->dim == 1) {
    memcpy(motion, row, contact->dim * sizeof(mjtNum));
    return;
  }
  motion[0] = (row[0] + row[1]) / 2;
  for (int k = 1; k < contact->dim; k++) {
    motion[k] = (row[2 * k - 2] - row[2 * k - 1]) / (2 * contact->friction[k - 1]);
  }
}

// Adds the projection of a motion to the rows.
static inline void directions_add_motion(mjtNum* row, const mjContact* contact, int pyramidal,
                                         const mjtNum motion[6]) {
  if (!pyramidal || contact->dim == 1) {
    for (int k = 0; k < contact->dim; k++) {
      row[k] += motion[k];
    }
    return;
  }
  for (int k = 1; k < contact->dim; k++) {
    mjtNum slide = contact->friction[k - 1] * motion[k];
    row[2 * k - 2] += motion[0] + slide;
    row[2 * k - 1] += motion[0] - slide;
  }
}

// The force (dim components) along the directions, from the forces of the rows.
static inline void directions_force(mjtNum force[6], const mjContact* contact, int pyramidal,
                                    const mjtNum* row) {
  if (pyramidal) {
    mju_decodePyramid(force, row, contact->friction, contact->dim);
  } else {
    memcpy(force, row, contact->dim * sizeof(mjtNum));
  }
}
