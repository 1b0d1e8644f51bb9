// line_bracket.h: the line search of MuJoCo, for descents that end before their minimum.
//
// It comes to the same minimum as line_search.h by other points, so what is left when `limit` is
// reached is the same as there.                      theory/contact/solvers.md, Search by a bracket

#pragma once

#include "constraint/solver/line_search.h"

// Minimum along a line with line->Jv = J s, as line_minimum.
LineMinimum line_bracket(const Line* line, const mjtNum gauss[3], mjtNum gtol, int limit);
