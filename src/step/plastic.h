// plastic.h: springs that yield, at the end of a step.
//                                                         theory/smooth/passive.md, Plastic springs

#pragma once

#include <mujoco/mjdata.h>

// Paths of tendons: their lengths, and their gradients in dense rows of nv.
typedef struct PlasticPaths_ {
  const mjtNum *length, *gradient;
  const mjtNum *vertex, *node;  // of flexes
  const mjtNum* plastic;        // with frames of rods as they are there
} PlasticPaths;

// Copies the present paths to the stack, for a step whose stages will move them; nothing if no
// spring yields.
PlasticPaths plastic_paths(const mjModel* m, mjData* d);

// Moves the rests of springs that are displaced by more than their yield. The positions are those
// of the end of the step, but tendons follow their paths at its beginning (NULL: those of d) and
// the velocities qvel by which it moved.
void plastic_yield(const mjModel* m, mjData* d, const mjtNum* qvel, const PlasticPaths* begin);
