// attach.h: attaching a part of a model, for the reader.

#pragma once

#include "spec/spec.h"

// Like mjs_attach, which asks for keys. Without, keyframes are not made once more for the copies of
// a part of the same model: the numbers of the copies in the present ones are those of the
// reference pose. Returns the attached body or frame; NULL, with the error set, on failure.
SpecObject* spec_attach(SpecObject* to, SpecObject* what, const char* prefix, const char* suffix,
                        int keys);
