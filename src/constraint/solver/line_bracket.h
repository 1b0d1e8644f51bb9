// line_bracket.h: the line search of MuJoCo, for descents that end before their minimum.
//
// It finds the same minimum as line_search.h through other points. So if `limit` ends it early, the
// error that remains is MuJoCo's.
//                                                    theory/contact/solvers.md, Search by a bracket

#pragma once

#include "constraint/solver/line_search.h"

// Minimum along a line with line->Jv = J s, as line_minimum. keeps_newton: goes on from the first
// Newton point even if it is worse than the start (behaviour solverexit).
LineMinimum line_bracket(const Line* line, const mjtNum gauss[3], mjtNum gtol, int limit,
                         int keeps_newton);
