// impedance.h: how strongly a constraint row is enforced, and how fast, as a function of its
// violation.
//
// A row is a spring-damper whose strength d lies in (0,1): 0 ignores the row, 1 makes it hard. d
// grows with the violation along a sigmoid, so a contact is soft at the surface and stiff deeper.
// The solver's numbers (regularizer R, reference acceleration aref) follow from d and from two
// numbers K and B. No other file knows the curve and the two forms of a spring.
//
//        d |          ________ dmax
//          |        /
//          |      _/   <- midpoint, power
//   dmin __|____/
//          +-----+-------+----- |r|
//                      width

#pragma once

#include <mujoco/mjmodel.h>

#include "base/spring.h"

// Impedance d(r) in [mjMINIMP, mjMAXIMP] and its derivative dd/dr (1/length, or 1/angle for
// rotational rows). solimp = (dmin, dmax, width, midpoint, power), clamped here; r is pos - margin.
//                                                          theory/contact/constraints.md, Impedance
void impedance(mjtNum out_d[1], mjtNum out_derivative[1], const mjtNum solimp[mjNIMP], mjtNum r);

// Impedances of n violations with one solimp.
void impedances(mjtNum* out_d, mjtNum* out_derivative, const mjtNum solimp[mjNIMP], const mjtNum* r,
                int n);
