// parts.h: the parts of derived_complete.

#pragma once

#include <mujoco/mjmodel.h>

// Visits the rows of all tendons: writes their lengths, starts and dofs where these are not NULL;
// returns the sum of the lengths. scratch has 2 (nwrap + 1) places.
int tendon_rows(int* rownnz, int* rowadr, int* colind, const mjModel* m, int* scratch);

// The same for the edges of flexes. An edge on which nothing acts has an empty row, but room for
// its dofs. Returns the room of all rows.
int edge_rows(int* rownnz, int* rowadr, int* colind, const mjModel* m);

// Numbers of flex_stiffness and flex_bending.
mjtSize flex_stiffness_count(const mjModel* m);
mjtSize flex_bending_count(const mjModel* m);

// nefmCvert, and nefm0dof and nefm0L. The latter returns 0 if memory runs out.
mjtSize flex_order_count(const mjModel* m);
int flex_metric_count(mjtSize size[2], const mjModel* m);

// Return 0 if memory runs out.
int write_flex_order(mjModel* m);   // efmC_perm
int write_flex_metric(mjModel* m);  // efm0_dofid, efm0_L_*: all but the values

void write_flexes(mjModel* m);   // flex_size, flex_vertcell, flex_stiffnessadr, flex_bendingadr
void write_extrema(mjModel* m);  // mesh_extrema
