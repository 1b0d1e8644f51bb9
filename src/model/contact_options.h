// contact_options.h: contact options that a model gives as custom elements named condyle.*.
//
// They are read from a finished model. The caller is the compiler, which knows the place of an
// element in its file, or the reader of binary models.             theory/hard-contacts.md, Options

#ifndef CONDYLE_MODEL_CONTACT_OPTIONS_H_
#define CONDYLE_MODEL_CONTACT_OPTIONS_H_

#include <mujoco/mjmodel.h>

// Receives the text of a problem with custom element `id` of a type.
typedef void (*ContactReport)(void* context, mjtObj type, int id, const char* text);

// Writes cnd_contact, cnd_geom_restitution and cnd_nmemory: defaults, then the values of custom
// elements. Elements with problems are reported and skipped. Returns the number of problems.
int contact_options_read(mjModel* m, ContactReport report, void* context);

#endif  // CONDYLE_MODEL_CONTACT_OPTIONS_H_
