// read.h: from a checked document to an editable model.
//
// Sections are read in one fixed order, whatever their order in the text, because ids follow from
// it and because elements need their classes: settings, classes, custom, assets, what stands
// outside the tree, and the tree last. Each function reads one kind of section; all report problems
// and go on. [theory/format.md, Reading order]

#ifndef CONDYLE_MJCF_READ_READ_H_
#define CONDYLE_MJCF_READ_READ_H_

#include "mjcf/read/values.h"

// Fills an empty spec from a checked document.
void read_document(const Reader* reader);

#endif  // CONDYLE_MJCF_READ_READ_H_
