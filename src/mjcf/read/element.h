// element.h: attributes of elements that may stand in classes, too.

#ifndef CONDYLE_MJCF_READ_ELEMENT_H_
#define CONDYLE_MJCF_READ_ELEMENT_H_

#include <mujoco/mjspec.h>

#include "mjcf/read/values.h"
#include "spec/spec.h"

// attributes of one node into an object that exists

void read_actuator(const Reader* reader, const Node* node, mjsActuator* actuator);

// The one of these functions for the type of the object, or values_read.
void read_values(const Reader* reader, const Node* node, SpecObject* object);

// A new element outside the tree, as its class and its attributes have it; returns its public
// struct.
void* read_element(const Reader* reader, const Node* node, mjtObj type);

#endif  // CONDYLE_MJCF_READ_ELEMENT_H_
