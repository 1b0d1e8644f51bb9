// uservalue.c: mjs_setUserValue and mjs_getUserValue, a linked list of values at each element.

#include "spec/uservalue.h"

#include <mujoco/api/base.h>
#include <mujoco/api/spec.h>
#include <string.h>

#include "base/memory/check.h"
#include "base/memory/memory.h"

struct SpecKeyValue_ {
  SpecKeyValue* next;
  mjString key;
  const void* data;
  void (*cleanup)(const void*);
};

// The link that points to the value of a key, or to the end of the list.
static SpecKeyValue** find(SpecObject* object, const char* key) {
  SpecKeyValue** link = &object->uservalues;
  while (*link && strcmp(string_text(&(*link)->key), key) != 0) {
    link = &(*link)->next;
  }
  return link;
}

static void drop(SpecKeyValue** link) {
  SpecKeyValue* value = *link;
  *link = value->next;
  if (value->cleanup) {
    value->cleanup(value->data);
  }
  string_clear(&value->key);
  heap_free(value);
}

void uservalue_clear(SpecObject* object) {
  while (object->uservalues) {
    drop(&object->uservalues);
  }
}

void mjs_setUserValue(mjsElement* element, const char* key, const void* data) {
  check_given(element, key);
  mjs_setUserValueWithCleanup(element, key, data, NULL);
}

void mjs_setUserValueWithCleanup(mjsElement* element, const char* key, const void* data,
                                 void (*cleanup)(const void*)) {
  check_given(element, key);
  SpecKeyValue* value = heap_zero(1, sizeof(SpecKeyValue));
  if (!value || !string_set(&value->key, key)) {
    heap_free(value);
    mju_warning("mjs_setUserValue: out of memory");
    return;
  }
  mjs_deleteUserValue(element, key);
  value->data = data;
  value->cleanup = cleanup;
  *find(spec_object(element), key) = value;
}

const void* mjs_getUserValue(mjsElement* element, const char* key) {
  check_given(element);
  SpecKeyValue* value = *find(spec_object(element), key);
  return value ? value->data : NULL;
}

void mjs_deleteUserValue(mjsElement* element, const char* key) {
  check_given(element);
  SpecKeyValue** link = find(spec_object(element), key);
  if (*link) {
    drop(link);
  }
}
