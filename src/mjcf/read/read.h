// read.h: from a checked document to an editable model.
//
// Sections are read in one fixed order, whatever their order in the text, because ids follow from
// it and because elements need their classes: settings, classes, custom, assets, what stands
// outside the tree, and the tree last. Each function reads one kind of section; all report problems
// and go on. [theory/format.md, Reading order]

#ifndef CONDYLE_MJCF_READ_READ_H_
#define CONDYLE_MJCF_READ_READ_H_

#include <mujoco/mjspec.h>

#include "mjcf/read/values.h"
#include "spec/spec.h"

// Fills an empty spec from a checked document.
void read_document(const Reader* reader);

// sections, each called for every section of its kind in document order

void read_compiler(const Reader* reader, const Node* section);
void read_option(const Reader* reader, const Node* section);
void read_size(const Reader* reader, const Node* section);
void read_statistic(const Reader* reader, const Node* section);
void read_default(const Reader* reader, const Node* section);
void read_worldbody(const Reader* reader, const Node* section);

// elements of other sections; read_asset: those of <custom>, <asset>, <deformable>, <contact>,
// <keyframe>

void read_visual(const Reader* reader, const Node* node);
void read_extension(const Reader* reader, const Node* node);
void read_asset(const Reader* reader, const Node* node);
void read_deformable(const Reader* reader, const Node* node);
void read_equality(const Reader* reader, const Node* node);
void read_tendonpath(const Reader* reader, const Node* node);
void read_actuatortarget(const Reader* reader, const Node* node);
void read_sensor(const Reader* reader, const Node* node);

// elements that stand in classes too: attributes of one node into an object that exists

void read_material(const Reader* reader, const Node* node, mjsMaterial* material);
void read_camera(const Reader* reader, const Node* node, mjsCamera* camera);
void read_light(const Reader* reader, const Node* node, mjsLight* light);
void read_tendon(const Reader* reader, const Node* node, mjsTendon* tendon);
void read_actuator(const Reader* reader, const Node* node, mjsActuator* actuator);

// The one of these functions for the type of the object, or values_read.
void read_values(const Reader* reader, const Node* node, SpecObject* object);

// The use of a plugin: of a node that says which one, of all children of a node that do. user is the
// element that uses it.
void read_use(const Reader* reader, const Node* node, const mjsElement* user, mjsPlugin* use);
void read_uses(const Reader* reader, const Node* node, mjsElement* user);

// shared by the readers

// Is the node an element of this name that is to be read?
int read_is(const Node* node, const char* name);

// The class an element is made from: that of its class attribute, else fallback.
const mjsDefault* read_class(const Reader* reader, const Node* node, const char* attribute,
                             const mjsDefault* fallback);

// The type of element that a node is called after, mjOBJ_UNKNOWN if it is none.
mjtObj read_kind(const Node* node);

// A new element outside the tree, as its class has it; returns its public struct. The other one reads
// its attributes too.
void* read_add(const Reader* reader, const Node* node, mjtObj type);
void* read_element(const Reader* reader, const Node* node, mjtObj type);

// Remembers where an element was written, for messages of the compiler.
void read_place(const Reader* reader, const Node* node, mjsElement* element);

#endif  // CONDYLE_MJCF_READ_READ_H_
