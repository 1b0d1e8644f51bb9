// submodel.h: models inside models, <asset><model> and <attach>.
//
// A sub-model is read completely, with its own includes, classes and settings, when its asset is;
// attaching copies parts of it. A model may be the sub-model of many but not of itself, and a
// document may not unfold into more than a bounded number of elements: a few lines of text could
// ask for billions. [theory/format.md, Models in models]

#ifndef CONDYLE_MJCF_READ_SUBMODEL_H_
#define CONDYLE_MJCF_READ_SUBMODEL_H_

#include <mujoco/mjspec.h>

#include "mjcf/read/values.h"

enum {
  SUBMODEL_MAX_DEPTH = 32,      // models in models
  SUBMODEL_MAX_COUNT = 1000,    // read for one document
  READ_MAX_ELEMENTS = 1 << 20,  // what copying may unfold into
};

// What belongs to one document; NULL if memory is out.
Submodels* submodels_make(const Reader* outer);
void submodels_free(Submodels* submodels);

// May one more model be read? Counts it.
int submodels_count(Submodels* submodels);

// Takes over the model of an asset.
void submodels_add(Submodels* submodels, const Node* node, const char* name, mjSpec* spec);

// Remembers in a spec the models that nothing attached.
void submodels_noteunattached(const Submodels* submodels, mjSpec* spec);

// Attaches what an attach element asks for to a body, inside a frame (NULL: none).
void read_attach(const Reader* reader, const Node* node, mjsBody* body, mjsFrame* frame);

// May so many copies of so many elements be added? Reports an error at the node if not.
int read_fits(const Reader* reader, const Node* node, double elements, double copies);

#endif  // CONDYLE_MJCF_READ_SUBMODEL_H_
