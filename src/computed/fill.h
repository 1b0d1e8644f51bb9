// fill.h: the functions that compute the arrays of later releases. Each writes a whole array; its
// shape is in the table (table.c). d is NULL unless the values follow from it.

#pragma once

#include <mujoco/mjdata.h>

typedef void Fill(void* out, const mjModel* m, const mjData* d);

// The number of rows of an array for which MuJoCo 3.3.7 has no size.
typedef mjtSize Count64(const mjModel* m);

// tendon.c
Fill fill_tendon_type, fill_ten_J_rownnz, fill_ten_J_rowadr, fill_ten_J_colind;
Count64 count_ten_J;

// flex.c
Fill fill_flex_vertcell, fill_flex_size, fill_flex_stiffnessadr, fill_flex_bendingadr;
Fill fill_flexedge_J_rownnz, fill_flexedge_J_rowadr, fill_flexedge_J_colind;
Count64 count_flexedge_J, count_flex_stiffness, count_flex_bending;

// mesh.c
Fill fill_mesh_extrema;
Count64 count_polygon_most, count_degree_most;

// pose.c
Fill fill_xiquat, fill_geom_xquat, fill_site_xquat;

// model.c
Fill fill_cam_projection, fill_has_gravcomp;
