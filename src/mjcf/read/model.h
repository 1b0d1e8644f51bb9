// model.h: models that are assets of models.            [theory/model/format.md, Models in models]

#pragma once

#include "mjcf/read/values.h"

// Reads the model that an <asset><model> names.
void read_model(const Reader* reader, const Node* node);
