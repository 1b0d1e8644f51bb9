// read.h: reading a checked document into an editable model.
//
// Sections are read in a fixed order, whatever their order in the text, because ids depend on it
// and because elements need their classes. The order is: settings, classes, custom, assets, other
// elements outside the body tree, the body tree. Each function reads one kind of section, reports
// problems and continues. [theory/model/format.md, Reading order]

#pragma once

#include "mjcf/read/values.h"

// Fills an empty spec from a checked document.
void read_document(const Reader* reader);
