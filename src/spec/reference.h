// reference.h: which other elements an element names.
//
// Copying, deleting and attaching all need to know what refers to what; this is the one place that
// does. A reference is essential if the element means nothing without it (the joint of an
// actuator), not if it only adds to it (a material).

#ifndef CONDYLE_SPEC_REFERENCE_H_
#define CONDYLE_SPEC_REFERENCE_H_

#include <mujoco/mjspec.h>

#include "spec/spec.h"

typedef struct NameUse_ {
  mjString* name;
  mjtObj type;  // of what is named
  int essential;
} NameUse;

// Calls visit for every non-empty name that an object and the wraps of a tendon hold; stops when it
// returns 0, and returns that.
int reference_visit(SpecObject* object, int (*visit)(const NameUse* use, void* context),
                    void* context);

// 1 if an element outside the body tree names what it must name, and all of that exists in its
// tree.
int reference_resolves(SpecObject* object);

// What a constraint relates and what a transmission drives; mjOBJ_UNKNOWN for an invalid type.
mjtObj reference_equality(const mjsEquality* equality);
mjtObj reference_transmission(mjtTrn type);

#endif  // CONDYLE_SPEC_REFERENCE_H_
