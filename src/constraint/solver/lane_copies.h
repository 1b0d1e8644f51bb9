// lane_copies.h: problems into lanes and back.

#pragma once

#include <stddef.h>

#include "constraint/solver/lane_problems.h"

// The shape of elliptic rows: all of one problem, or those of which only type, id, contact and nefc
// are known.
RowShape row_shape(const Rows* rows);

// The least shape that two fit in; returns its number of rows.
int row_shape_join(RowShape* shape, const RowShape* other);

// Bytes of Lanes with all that belongs to it, for problems of n dofs and nefc rows in lanes.
size_t lanes_bytes(int n, int nefc, int ncone);

// Reads `count` problems of n dofs that have a ProblemStart. s: lanes_bytes, aligned as
// vectors are. The rows that they have in lanes must be no more than LANE_ROWS.
void lanes_read_problems(Lanes* s, Problem* const* p, int count);

// Writes accelerations, forces and states of all problems, and what their ProblemStart asks for.
void lanes_write_problems(const Lanes* s);
