// element.h: reading attributes of elements that may also be in classes.

#pragma once

#include <mujoco/mjspec.h>

#include "mjcf/read/values.h"
#include "spec/spec.h"

// each reads the attributes of one node into an existing object

// The default class of an element.
const SpecObject* read_classof(const mjsElement* element);

// around: the class of an actuator, or the one that it is the prototype of
void read_actuator(const Reader* reader, const Node* node, mjsActuator* actuator,
                   const SpecObject* around);

// Calls the function above for the object's type, or else values_read.
void read_values(const Reader* reader, const Node* node, SpecObject* object);

// Adds an element outside the body tree, with the values of its class and attributes. Returns its
// public struct.
void* read_element(const Reader* reader, const Node* node, mjtObj type);
