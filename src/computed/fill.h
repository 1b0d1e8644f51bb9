// fill.h: the functions that compute the arrays of later releases. Each writes a whole array; its
// shape is in the table (table.c). d is NULL unless the values follow from it.

#pragma once

#include <mujoco/mjdata.h>

typedef void Fill(void* out, const mjModel* m, const mjData* d);

// The number of rows of an array for which MuJoCo 3.3.7 has no size.
typedef mjtSize Count64(const mjModel* m);

// tree.c
Fill fill_tree_bodyadr, fill_tree_bodynum, fill_tree_dofadr, fill_tree_dofnum, fill_tree_policy;
Fill fill_tendon_treenum, fill_tendon_treeid;

// body.c
Fill fill_dof_length, fill_body_awake, fill_body_ind, fill_parent_ind, fill_dof_ind;
Count64 count_awake_parents;

// model.c
Fill fill_cam_projection;
