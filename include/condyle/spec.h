// spec.h: what bindings to other languages need of an editable model.

#ifndef CONDYLE_SPEC_H_
#define CONDYLE_SPEC_H_

#include <condyle/diagnostic.h>
#include <mujoco/mjexport.h>
#include <mujoco/mjspec.h>

#ifdef __cplusplus
extern "C" {
#endif

// The name of an element, "" if it has none; valid until it is renamed or deleted. Unlike
// mjs_getName it gives no writable text, so finding by name stays fast.
MJAPI const char* cnd_elementName(const mjsElement* element);

// The file that an element was read from, "" if there is none (made by a program, or from text in
// memory); valid until its spec is deleted. Writes the place of its tag there to line and column,
// which may be NULL: from 1, or 0 if it has none. Elements that a macro of the format made
// (replicate, composite, flexcomp) have the place of the macro.
MJAPI const char* cnd_elementPlace(const mjsElement* element, int* line, int* column);

// The body that a problem is about: its id in the model that was last compiled from the spec. Both
// are compared by their places, so nameless elements count, too. -1 if it is about no single body.
MJAPI int cnd_diagnosticBody(const mjSpec* spec, const cndDiagnostic* problem);

// The id of an element in the model that was last compiled from its spec, whatever was added or
// deleted since (mjs_getId tells of the spec as it is). -1 before.
MJAPI int cnd_compiledId(const mjsElement* element);

// Lets the numbers in an element's struct outlive the element: once it is deleted, its memory is
// freed with its spec. So arrays of a binding that point into the struct stay valid.
MJAPI void cnd_keepElement(mjsElement* element);

// mj_copyBack, which moreover writes what has changed in the model since it was compiled to the
// elements, so that compiling gives the same numbers again: poses (in their frames), sizes, masses
// (which become explicit), parameters, keyframes and settings; what follows from them is left
// alone. Returns 1; 0 with nothing changed if m is no model of the spec or a change can't be
// written.
MJAPI int cnd_copyBack(mjSpec* s, const mjModel* m);

#ifdef __cplusplus
}
#endif

#endif  // CONDYLE_SPEC_H_
