// data.h: MjData, and the functions that other files need of it.

#ifndef CONDYLE_PYTHON_DATA_H_
#define CONDYLE_PYTHON_DATA_H_

#include "base/wrapper.h"

extern PyTypeObject* DataType;

// The mjData of an argument; NULL with TypeError if it is something else.
mjData* data_of(PyObject* object, const char* name);

// The same, made for m or for a model with the sizes of m (NULL: any); TypeError if it is not.
mjData* data_for(PyObject* object, const mjModel* m, const char* name);

// The model that an MjData belongs to.
const mjModel* data_model(PyObject* data);

// Makes an MjData of the model (an MjModel) that owns d. Frees d on failure.
PyObject* data_make(PyObject* model, mjData* d);

// Makes an MjData that wraps d without owning it, for the duration of a callback.
PyObject* data_borrow(PyObject* model, mjData* d);

// A list of structs in the data: d.contact, d.warning, d.cnd_warning, d.timer,
// d.solver.
PyObject* list_make(int which, Wrapper* data);
enum {
  kContacts,
  kWarnings,
  kOwnWarnings,
  kTimers,
  kSolver,
  kLists
};

#endif  // CONDYLE_PYTHON_DATA_H_
