// later.h: words of MJCF that releases after 3.3.7 have added.        theory/model/dialects.md

#pragma once

#include "mjcf/read/values.h"

// Notes in the spec which word of the latest release a document uses, and where first.
void later_note(const Reader* reader, const Node* root);
