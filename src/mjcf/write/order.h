// order.h: the order of the attributes of a written element.

#pragma once

#include <stddef.h>

// Sorts the attributes of a start tag, ` name="value" ...`, into the order of release 3.3.7, so
// that files of both can be compared line by line. Those that it doesn't know stay behind the
// others.
void order_attributes(char* attributes, size_t length, const char* element, const char* parent);
