// pending.h: keyframes as values per element. key.h says what for.

#ifndef CONDYLE_SPEC_PENDING_H_
#define CONDYLE_SPEC_PENDING_H_

#include "spec/spec.h"

// The arrays of a keyframe.
enum {
  KEY_QPOS = 0,
  KEY_QVEL,
  KEY_ACT,
  KEY_MPOS,
  KEY_MQUAT,
  KEY_CTRL,
  KEY_NFIELD,
};

// One element's numbers.
typedef struct SpecKeyPart_ {
  SpecObject* object;  // NULL: gone meanwhile
  int field;
  mjDoubleVec values;
} SpecKeyPart;

struct SpecPendingKey_ {
  SpecPendingKey* next;
  SpecObject* key;  // recorded key, NULL if it is to be made
  int closed;       // nothing is derived from it any more
  mjString name;
  double time;
  SourcePlace place;        // of the key it comes from; the file is interned
  int present[KEY_NFIELD];  // the array was given, even if it holds nothing of what came along
  SpecKeyPart* part;
  size_t npart;
  size_t npart_before;  // at key_begin
  int present_before[KEY_NFIELD];
};

// Takes parts out, from one on.
void pending_drop(SpecPendingKey* pending, size_t from);

// Frees a pending key that is in no list.
void pending_free(SpecPendingKey* pending);

// Forgets an element that is about to be freed, or (NULL) all pending keys.
void pending_forget(SpecTree* tree, const SpecObject* object);

#endif  // CONDYLE_SPEC_PENDING_H_
