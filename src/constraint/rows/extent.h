// extent.h: which rows belong to one constraint.

#ifndef CONDYLE_CONSTRAINT_ROWS_EXTENT_H_
#define CONDYLE_CONSTRAINT_ROWS_EXTENT_H_

#include <mujoco/mjdata.h>

// How many rows the constraint has that begins at a row: all with its type and id of a contact or
// an equality, and one of any other. The edges of a flex are constraints of their own.
int constraint_rows(const mjModel* m, const mjData* d, int row);

#endif  // CONDYLE_CONSTRAINT_ROWS_EXTENT_H_
