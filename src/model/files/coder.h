// coder.h: the registry of formats of models, one for the whole program.
//
// A format is found by its content type, if one is given, else by the extension of a name, in any
// case of letters. Registered structs are never freed.     theory/model/format.md, Other formats

#pragma once

#include <mujoco/mjplugin.h>

// Does a name end with one of the extensions ".a|.b"?
int coder_extends(const char* extensions, const char* name);

// Is there a decoder for a name, or for a content type?
int coder_knows(const char* name, const char* content_type);

// The registered decoder that says it can decode a resource; the encoder for a name. content_type
// may be NULL. NULL if there is none.
const mjpDecoder* coder_finddecoder(const mjResource* resource, const char* content_type);
const mjpEncoder* coder_findencoder(const char* name, const char* content_type);
