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

// Impedance d(r) in [mjMINIMP, mjMAXIMP] and its derivative dd/dr (1/length, or 1/angle for
// rotational rows). solimp = (dmin, dmax, width, midpoint, power), clamped here; r is pos - margin.
//                                                          theory/contact/constraints.md, Impedance
void impedance(mjtNum out_d[1], mjtNum out_derivative[1], const mjtNum solimp[mjNIMP], mjtNum r);

// Impedances of n violations with one solimp.
void impedances(mjtNum* out_d, mjtNum* out_derivative, const mjtNum solimp[mjNIMP], const mjtNum* r,
                int n);

// A spring's reference (solref) made safe: both numbers positive (timeconst, dampratio) or both not
// (-stiffness, -damping). A mixed pair is replaced by fallback; unless REFSAFE is disabled or the
// integrator is discrete, timeconst is at least two time steps. Returns 1 if the pair was mixed.
int reference_check(mjtNum out[mjNREF], const mjModel* m, const mjtNum solref[mjNREF],
                    const mjtNum fallback[mjNREF]);

// The reference that replaces one of mixed signs.
static const mjtNum DEFAULT_REFERENCE[mjNREF] = {(mjtNum)0.02, 1};

// Stiffness K (1/s^2) and damping B (1/s) of a row from its checked reference and the largest
// impedance of its solimp.                     theory/contact/constraints.md, Stiffness and damping
mjtNum reference_stiffness(const mjtNum solref[mjNREF], const mjtNum solimp[mjNIMP]);
mjtNum reference_damping(const mjtNum solref[mjNREF], const mjtNum solimp[mjNIMP]);
