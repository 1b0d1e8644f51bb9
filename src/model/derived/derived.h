// derived.h: arrays of later releases that follow from the rest of a model: patterns of Jacobians,
// extreme vertices, sizes of flexes. The compiler and the reader of binary models write them.
//                                           theory/model/model.md, Arrays that only follow

#pragma once

#include <mujoco/mjmodel.h>

// Gives a whole model its derived arrays. Where they need room, returns a larger copy and frees m.
// Frees m and returns NULL if memory runs out. nJmom shrinks (behaviour pathdofs).
mjModel* derived_complete(mjModel* m);

// Writes again what follows from fields that a program may edit: flg_gravcomp, npolygonmax,
// nmeshdegmax, flexedge_J_*. Values that stay are not written, because models of a batch share
// them.
void derived_follow(mjModel* m);
