// contact_options.h: contact options that a model gives as custom elements named condyle.*.
//
// They are read from a compiled model, by the compiler and by the reader of binary models. Only the
// compiler can add an element's place in its file to an error.
//                                                          theory/contact/hard-contacts.md, Options

#pragma once

#include <mujoco/mjmodel.h>

// Receives the message of a problem with custom element `id` of the type.
typedef void (*ContactReport)(void* context, mjtObj type, int id, const char* text);

// Writes cnd_contact, cnd_geom_restitution and cnd_nmemory: defaults, then the values of custom
// elements. Elements with problems are reported and skipped. Returns the number of problems.
int contact_options_read(mjModel* m, ContactReport report, void* context);

// Whether a text element with this name and content makes contacts hard or sticking.
int contact_options_ishard(const char* name, const char* word);
