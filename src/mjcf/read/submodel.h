// submodel.h: models inside models, <asset><model> and <attach>.
//
// A sub-model is read completely, with its own includes, classes and settings, when its asset is
// read. Attaching copies parts of it. A model may be the sub-model of many models but not of
// itself. The number of elements of a document is bounded, because a few lines of text could ask
// for billions. [theory/model/format.md, Models in models]

#pragma once

#include <mujoco/mjspec.h>

#include "mjcf/read/values.h"

enum {
  SUBMODEL_MAX_DEPTH = 32,      // nested models
  SUBMODEL_MAX_COUNT = 1000,    // models read for one document
  READ_MAX_ELEMENTS = 1 << 20,  // elements made by copying
};

// The sub-models of one document. NULL if memory runs out.
Submodels* submodels_make(const Reader* outer);
void submodels_free(Submodels* submodels);

// Counts one more model. May it be read?
int submodels_count(Submodels* submodels);

// Adds the model of an asset and takes ownership of it.
void submodels_add(Submodels* submodels, const Node* node, const char* name, mjSpec* spec);

// Records in a spec the models that were never attached.
void submodels_noteunattached(const Submodels* submodels, mjSpec* spec);

// Attaches the part named by an <attach> element to a body, inside frame (may be NULL).
void read_attach(const Reader* reader, const Node* node, mjsBody* body, mjsFrame* frame);

// Does the number of elements allow these copies? Reports an error at the node if not.
int read_fits(const Reader* reader, const Node* node, double elements, double copies);
