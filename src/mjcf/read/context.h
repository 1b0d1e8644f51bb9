// context.h: what the readers of all sections ask and do.

#ifndef CONDYLE_MJCF_READ_CONTEXT_H_
#define CONDYLE_MJCF_READ_CONTEXT_H_

#include <mujoco/mjspec.h>

#include "mjcf/read/values.h"

// Is the node an element of this name that is to be read?
int read_is(const Node* node, const char* name);

// The class an element is made from: that of its class attribute, else fallback.
const mjsDefault* read_class(const Reader* reader, const Node* node, const char* attribute,
                             const mjsDefault* fallback);

// The type of element that a node is called after, mjOBJ_UNKNOWN if it is none.
mjtObj read_kind(const Node* node);

// A new element outside the tree, as its class has it; returns its public struct.
void* read_add(const Reader* reader, const Node* node, mjtObj type);

// Remembers where an element was written, for messages of the compiler.
void read_place(const Reader* reader, const Node* node, mjsElement* element);

#endif  // CONDYLE_MJCF_READ_CONTEXT_H_
