// color.h: colors that say something: of islands, of constraints that act, of what the mouse does.

#pragma once

#include <mujoco/mjdata.h>

#include "view/draw/picture.h"

// The color of an island: told apart by its first dof, so that it stays while others come and go.
// Gray, for -1, is what is in none.
void island_color(float rgba[4], const mjData* d, int island);

// The color of the island of a dof, or of a constraint row; -1: of none.
void dof_color(float rgba[4], const mjData* d, int dof);
void row_color(float rgba[4], const mjData* d, int row);

// A color on its way to that of active constraints: the impedance of the row of a limit (type
// mjtConstraint) of an object. It stays where the limit isn't reached.
void limit_color(float rgba[3], const Picture* p, int type, int id);

// (1 - x) a + x b, for n channels.
void mix_color(float* out, const float* a, const float* b, float x, int n);
