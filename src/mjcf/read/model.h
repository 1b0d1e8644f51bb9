// model.h: models that are assets of models.                  [theory/format.md, Models in models]

#ifndef CONDYLE_MJCF_READ_MODEL_H_
#define CONDYLE_MJCF_READ_MODEL_H_

#include "mjcf/read/values.h"

// Reads the model that an <asset><model> names.
void read_model(const Reader* reader, const Node* node);

#endif  // CONDYLE_MJCF_READ_MODEL_H_
