// interior.h: a primal-dual interior point method for the laws of contact.
//
// For given bounds of friction the laws are the conditions of a convex problem, which interior
// point methods solve in a few steps whatever its scales. Here the bounds are the normal forces,
// which change with the others in every step. Forces stay inside of their bounds, multipliers
// positive, and all products of both tend to zero together (interior_law.h).
//                                                theory/contact/hard-contacts.md, Interior points

#pragma once

#include "constraint/hard/dofs.h"

// Replaces f and w of the blocks of the equations by the best solution found, unless that has a
// larger residual than given, and returns its residual. Stops at the tolerance. start: the normal
// forces to begin with, by what a constraint alone needs. far: where tau gets stuck above this part
// of the square of that need, the path is followed; below it, what is left is for Newton's steps
// with the exact laws.
mjtNum interior_solve(HardDofs* e, mjtNum start, mjtNum far, mjtNum residual, mjtNum tolerance);

// The same with forces pulled to centres, weaker and weaker (proximal point method).
mjtNum interior_solve_pulled(HardDofs* e, mjtNum residual, mjtNum tolerance);
