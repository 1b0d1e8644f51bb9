// release.h: whose names for numbers Python sees: those of MuJoCo 3.3.7, or those of 4.0.0.
//
// The engine has numbers of its own for what releases number differently: bits of states and flags,
// kinds of warnings, members of enums. A process chooses a release once
// (condyle.install_as_mujoco), and all names and numbers of the package are of that release; they
// are translated where calls enter the engine.

#ifndef CONDYLE_PYTHON_RELEASE_H_
#define CONDYLE_PYTHON_RELEASE_H_

#include "base/common.h"

// Has this process chosen 4.0.0?
bool release_is_later();

// The engine's bits of a state for those of the process. Raises (C++) FatalError for bits that
// there are not; the other one sets the exception and returns false.
unsigned release_state(unsigned bits);
bool release_state(long long* bits, const char* function);

// Flags of an option (mjtDisableBit, mjtEnableBit) as the process numbers them, and their
// assignment, false with ValueError; `member` is the name of the attribute.
bool release_is_flags(const char* member);
int release_flags(const mjOption* option, bool enable);
bool release_set_flags(mjOption* option, bool enable, int flags);

// The flags of a scene (mjtRndFlag) as the process numbers them: an array whose assignment reaches
// those at `flags`. NULL with an exception.
PyObject* release_render_flags(void* flags, PyObject* owner);

// Copies of arrays as 4.0.0 shows them, whose assignment reaches the engine: eq_data with the marks
// of welds as its last column, and numbers of an enum's members. NULL with an exception.
PyObject* release_equality_data(PyObject* data, PyObject* unposed);
PyObject* release_members(PyObject* numbers, const char* enumeration);

// The place of a warning in the process's list, as the engine numbers it.
int release_warning(int place);
int release_warning_count();

// The number of an enum's member for the engine's number, and the other way round; `enumeration` is
// the enum's name. Raises (C++) ValueError for a member that the engine does not have.
int release_from_engine(const char* enumeration, int number);
int release_to_engine(const char* enumeration, int number);

// Does a field of the model or the data hold booleans in 4.0.0, and uint8 in 3.3.7?
bool release_is_boolean(const char* field);

#endif  // CONDYLE_PYTHON_RELEASE_H_
