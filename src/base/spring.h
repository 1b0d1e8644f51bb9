// spring.h: the spring and damper that a row's solref and solimp stand for.
//
// Rows of constraints are springs. Their numbers follow from the model alone, so that collision,
// which stands below the constraints, can ask what a row will do with a contact.

#pragma once

#include <mujoco/mjmodel.h>

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

// Makes a spring that a discrete step can't resolve that of one step. ref is the checked reference,
// I the impedance.                        theory/contact/constraints.md, Rows of discrete steps
void reference_resolve(mjtNum* K, mjtNum* B, const mjModel* m, const mjtNum ref[mjNREF], mjtNum I);

// Derivative of the B of such a spring by I.
mjtNum reference_resolved_slope(const mjModel* m, const mjtNum ref[mjNREF], mjtNum I);
