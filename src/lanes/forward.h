// forward.h: forward dynamics in their order.            theory/integration.md, Stages of a step

#pragma once

#include "lanes/forces.h"
#include "lanes/frames.h"
#include "lanes/inertia.h"
#include "lanes/motion.h"
#include "lanes/newton.h"

static void forward(Work* w) {
  frames(w);
  body_inertias(w);
  inertia_matrix(w);
  motion(w);
  passive_forces(w);
  actuation(w);
  smooth_acceleration(w);
  constrain(w);
}
