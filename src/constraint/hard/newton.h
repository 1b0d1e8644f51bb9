// newton.h: Newton's steps to a solution near the forces that sweeps have found.
//
// Sweeps converge slowly where forces propagate through many bodies, as in a stack of boxes. Which
// laws apply (the active set) is read off f - v / k, the point that a solution's forces are the
// projection of. They are then equations, linear but for the direction of a slide:
//
//   stick, equality   v = 0
//   slide             v_n = 0,   f_t = f_n x_t / |x_t|,   x_t = f_t - v_t / k
//   open, at a bound  f = 0, the bound
//
// Many forces may make the same motion: the corners of a box are more than it takes to hold it. So
// steps solve the laws for v = w + proximal k (f - centre), which have one solution near a centre;
// its forces are the next centre (proximal point method, Rockafellar 1976). A step is shortened
// until the laws are violated less.
//                                                    theory/contact/hard-contacts.md, Newton's step

#pragma once

#include "constraint/hard/dofs.h"

// Moves f and w of the blocks of the equations by one step. centre (nrow): the forces near which to
// stay; proximal: how strongly, by the diagonal of K. Returns what is left of the violation of the
// laws that the step is for, as a part of that of the laws without `proximal`: much less than 1
// when they are solved. Returns -1, and changes nothing, if the equations have no solution.
mjtNum newton_step(HardDofs* dofs, const mjtNum* centre, mjtNum proximal);
