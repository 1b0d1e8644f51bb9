// color.h: colors that carry information: islands, active constraints, perturbations by the mouse.

#pragma once

#include <mujoco/mjdata.h>

#include "view/draw/picture.h"

// The color of an island. It depends on the island's first dof, so it stays while other islands
// come and go. -1 (no island) is gray.
void island_color(float rgba[4], const mjData* d, int island);

// The color of a tree that sleeps, darker and duller than that of its island when it was awake.
void asleep_color(float rgba[4], const mjModel* m, const mjData* d, int tree);

// The color of the island of a dof, or of a constraint row; -1: of none.
void dof_color(float rgba[4], const mjData* d, int dof);
void row_color(float rgba[4], const mjData* d, int row);

// Blends a color towards that of active constraints, by the impedance of the limit row (type: an
// mjtConstraint) of an object. It stays the same if the limit isn't reached.
void limit_color(float rgba[3], const Picture* p, int type, int id);

// (1 - x) a + x b, for n channels.
void mix_color(float* out, const float* a, const float* b, float x, int n);
