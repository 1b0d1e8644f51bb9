// named.h: objects of a model by name: m.body("x").mass, d.joint(3).qpos.

#ifndef CONDYLE_PYTHON_NAMED_H_
#define CONDYLE_PYTHON_NAMED_H_

#include "base/wrapper.h"

// The object of a category (mjtObj) with that id, in an MjModel or an MjData. Returns NULL with
// KeyError if the category has no objects there, or with IndexError.
PyObject* named_object(PyObject* container, mjtObj type, int id);

#endif  // CONDYLE_PYTHON_NAMED_H_
