// pending.h: pending keys, the keyframes of a model while it is edited: values stored per element,
// turned into flat arrays when it is compiled (key.h).

#pragma once

#include "spec/spec.h"

// The arrays of a keyframe.
enum {
  KEY_QPOS = 0,
  KEY_QVEL,
  KEY_ACT,
  KEY_MPOS,
  KEY_MQUAT,
  KEY_CTRL,
  KEY_PLASTIC,
  KEY_NFIELD,
};

// The numbers of one element in one array.
typedef struct SpecKeyPart_ {
  SpecObject* object;  // NULL if it was deleted
  int field;
  mjDoubleVec values;
} SpecKeyPart;

struct SpecPendingKey_ {
  SpecPendingKey* next;
  SpecObject* key;  // the key that this one records; NULL if a new key will be made
  int closed;       // 1 if no more keys are derived from it
  int whole;        // 1 if the key is written for the complete model and stays as it is
  mjString name;
  double time;
  SourcePlace place;        // place of the original key; the file is interned
  int present[KEY_NFIELD];  // 1 if the original key has this array, even if no part is in it
  SpecKeyPart* part;
  size_t npart;
  size_t npart_before;  // npart at key_begin
  int present_before[KEY_NFIELD];
};

// Removes the parts from index `from` on.
void pending_drop(SpecPendingKey* pending, size_t from);

// Frees an unlinked pending key.
void pending_free(SpecPendingKey* pending);

// Forgets an element that is about to be freed. If object is NULL, frees all pending keys.
void pending_forget(SpecTree* tree, const SpecObject* object);
