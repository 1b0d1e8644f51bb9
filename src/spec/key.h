// key.h: what the numbers of a keyframe belong to.
//
// A keyframe is six flat arrays whose layout follows from the elements of the model. When elements go or come, the numbers must
// stay with the elements they were written for: so before a change the layout is noted as a list of slots (element, field, address,
// length), and after it the arrays are put together anew.

#ifndef CONDYLE_SPEC_KEY_H_
#define CONDYLE_SPEC_KEY_H_

#include "spec/spec.h"

enum {
  KEY_QPOS = 0,
  KEY_QVEL,
  KEY_ACT,
  KEY_MPOS,
  KEY_MQUAT,
  KEY_CTRL,
  KEY_NFIELD,
};

// Where one element's numbers stand in one array.
typedef struct KeySlot_ {
  SpecObject* object;
  int field;
  size_t adr;
  size_t num;
} KeySlot;

// Layout of all keyframes of a tree as it is.
typedef struct KeyLayout_ {
  KeySlot* slot;
  size_t nslot;
  size_t size[KEY_NFIELD];  // length of each array
} KeyLayout;

// Notes the layout; free it with free(layout->slot). 0 if memory is out.
int key_layout(KeyLayout* layout, const SpecTree* tree);

// One of the six arrays of a keyframe.
mjDoubleVec* key_field(SpecObject* key, int field);

// Takes the numbers of elements that are no longer registered out of all keyframes; before is the layout with them.
void key_shrink(SpecTree* tree, const KeyLayout* before);

// Keeps a keyframe (laid out as `layout`, maybe of another tree) for a later spec_flushkeys, under a new name. Values go to the
// copies of its elements (object->copy); where there is none and `moved`, to the elements themselves if they belong to tree now.
// 0 if memory is out.
int key_keep(SpecTree* tree, SpecObject* key, const KeyLayout* layout, int moved, const char* name);

// Keeps the kept keyframes of src in dst too, for the copies of its elements. 0 if memory is out.
int key_copykept(SpecTree* dst, const SpecTree* src);

// Forgets an element that is about to be freed, or (NULL) all kept keyframes.
void key_forget(SpecTree* tree, const SpecObject* object);

#endif  // CONDYLE_SPEC_KEY_H_
