// strain.h: constraints that keep the strain of a cell of a flex, one row for each mode of its
// deformation.                               theory/smooth/deformables.md, Strain constraints

#pragma once

#include "constraint/rows/bodies.h"
#include "constraint/rows/sink.h"

// The number of the cell that an equality keeps; -1 if the flex has no such cell.
int strain_cell(const mjModel* m, int equality);

// Diagonal approximation of each row: the mean inverse weight of the nodes.
mjtNum strain_weight(const mjModel* m, int equality);

void rows_strain(RowSink* sink, BodyJacobian* bodies, int equality);
