// contact_options.h: what custom elements named condyle.* say about contacts.
//
// They are read from a finished model, whoever made it: the compiler, which knows where an element
// stands in its file, or the reader of binary models.              theory/hard-contacts.md, Options

#ifndef CONDYLE_MODEL_CONTACT_OPTIONS_H_
#define CONDYLE_MODEL_CONTACT_OPTIONS_H_

#include <mujoco/mjmodel.h>

// Is told of what is wrong with custom element id of a type.
typedef void (*ContactReport)(void* context, mjtObj type, int id, const char* text);

// Writes cnd_contact, cnd_geom_restitution and cnd_nmemory of a model: standard values, then those
// of its custom elements. Returns how many problems were reported; an element that has one is
// passed over.
int contact_options_read(mjModel* m, ContactReport report, void* context);

#endif  // CONDYLE_MODEL_CONTACT_OPTIONS_H_
