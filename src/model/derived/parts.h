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

void write_flexes(mjModel* m);   // flex_size, flex_vertcell, flex_stiffnessadr, flex_bendingadr
void write_extrema(mjModel* m);  // mesh_extrema
