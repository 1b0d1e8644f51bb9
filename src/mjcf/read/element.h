// element.h: attributes of elements that may stand in classes, too.

#ifndef CONDYLE_MJCF_READ_ELEMENT_H_
#define CONDYLE_MJCF_READ_ELEMENT_H_

#include <mujoco/mjspec.h>

#include "mjcf/read/values.h"
#include "spec/spec.h"

// attributes of one node into an object that exists

void read_material(const Reader* reader, const Node* node, mjsMaterial* material);
void read_camera(const Reader* reader, const Node* node, mjsCamera* camera);
void read_light(const Reader* reader, const Node* node, mjsLight* light);
void read_tendon(const Reader* reader, const Node* node, mjsTendon* tendon);
void read_actuator(const Reader* reader, const Node* node, mjsActuator* actuator);

// The one of these functions for the type of the object, or values_read.
void read_values(const Reader* reader, const Node* node, SpecObject* object);

// A new element outside the tree, as its class and its attributes have it; returns its public
// struct.
void* read_element(const Reader* reader, const Node* node, mjtObj type);

#endif  // CONDYLE_MJCF_READ_ELEMENT_H_
