// adhesion.h: the force by which surfaces attract what they touch, or nearly touch.
//
// It is a passive force, so that a contact itself can only push. How strong it is, each contact
// says; a model where none does has flg_adhesion 0 and doesn't come here.
//                                       theory/contact/constraints.md, Moving and adhesive surfaces

#pragma once

#include <mujoco/mjdata.h>

// Adds to qfrc_adhesion minus the attraction times the gradient of the distance, for all contacts
// that are active or within their gap.
void adhesion_forces(const mjModel* m, mjData* d);
