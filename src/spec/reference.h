// reference.h: the references of an element to other elements.
//
// Copying, deleting and attaching all need them. A reference is essential if the element is
// meaningless without it, like the joint of an actuator. It is not if it only adds to the element,
// like a material.

#pragma once

#include <mujoco/mjspec.h>

#include "spec/spec.h"

typedef struct NameUse_ {
  mjString* name;
  mjtObj type;  // type of the named element
  int essential;
} NameUse;

// Calls visit for every non-empty name that an object and the wraps of a tendon hold. Stops if
// visit returns 0, and returns that.
int reference_visit(SpecObject* object, int (*visit)(const NameUse* use, void* context),
                    void* context);

// Returns 1 if an element outside the body tree has all its essential references and all of its
// references exist in its tree.
int reference_resolves(SpecObject* object);

// The type of object that a constraint relates, a transmission drives or a tendon touches;
// mjOBJ_UNKNOWN for an invalid type.
mjtObj reference_equality(const mjsEquality* equality);
mjtObj reference_transmission(mjtTrn type);
mjtObj reference_wrap(mjtWrap type);
