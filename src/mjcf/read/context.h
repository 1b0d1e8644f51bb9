// context.h: functions for the readers of all sections.

#pragma once

#include <mujoco/mjspec.h>

#include "mjcf/read/values.h"

// Is the node an element of this name, and not skipped?
int read_is(const Node* node, const char* name);

// The class of an element: that of its class attribute, else fallback.
const mjsDefault* read_class(const Reader* reader, const Node* node, const char* attribute,
                             const mjsDefault* fallback);

// The type of element with the node's name, mjOBJ_UNKNOWN if there is none.
mjtObj read_kind(const Node* node);

// Adds an element outside the body tree with the values of its class. Returns its public struct.
void* read_add(const Reader* reader, const Node* node, mjtObj type);

// Sets the place of an element, for messages of the compiler, and its `info`: "line 7".
void read_place(const Reader* reader, const Node* node, mjsElement* element);
