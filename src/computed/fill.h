// fill.h: the functions that compute the arrays of later releases. Each writes a whole array; its
// shape is in the table (table.c). d is NULL unless the values follow from it.

#pragma once

#include <mujoco/mjdata.h>

typedef void Fill(void* out, const mjModel* m, const mjData* d);

// The number of rows of an array for which MuJoCo 3.3.7 has no size.
typedef mjtSize Count64(const mjModel* m);

// model.c
Fill fill_cam_projection;
