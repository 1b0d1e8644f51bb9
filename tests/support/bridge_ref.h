// bridge_ref.h: what both sides of the bridge agree on; no type of either engine in it.

#pragma once

#include <stddef.h>

// A field of the reference's model or data.
typedef struct RefField_ {
  void* data;      // first element, NULL if there are none
  size_t count;    // elements at present
  size_t element;  // bytes of an element
} RefField;

// Find a field by name; return 0 if it is unknown.
typedef int RefModelField(RefField* field, void* m, const char* name);
typedef int RefDataField(RefField* field, void* m, void* d, const char* name);
