// key.h: what the numbers of a keyframe belong to.
//
// A keyframe is six flat arrays whose layout follows from the elements of the model. When elements
// go or come, the numbers must stay with the elements they were written for. So a keyframe has
// another form, as values per element ("pending key"), until the model is compiled:
//   - attaching makes pending keys in the parent from the keys of the child, with the values of the
//     elements that came along;
//   - a key of a model that is attached to itself (replicas) is recorded: it stays in its list, but
//     a pending key says to which elements its numbers belong, and writes it anew when the model is
//     compiled. Further pending keys are derived from it until it is closed.
// Flushing turns pending keys into ordinary ones, in the order in which they were made.

#ifndef CONDYLE_SPEC_KEY_H_
#define CONDYLE_SPEC_KEY_H_

#include "spec/pending.h"
#include "spec/spec.h"

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

// One of the arrays of a key.
mjDoubleVec* key_field(SpecObject* key, int field);

// Takes the numbers of elements that are no longer registered out of the keys that aren't recorded;
// before: the layout with them.
void key_shrink(SpecTree* tree, const KeyLayout* before);

// Records all keys of a tree. 0 if one doesn't fit the layout (an error of `report`) or memory is
// out.
int key_record(SpecTree* tree, SpecTree* report);

// Makes, in tree, a pending key named prefix + name + suffix for every recorded key of from that is
// not closed. Values go to the copies of elements (object->copy); where there is none, to the
// elements themselves if they are in tree. A pending key of the same name takes the values too.
// This, key_addcopies and key_copypending are called under error_catch.
void key_derive(SpecTree* tree, const SpecTree* from, const char* prefix, const char* suffix);

// From here on pending keys are added, or parts to them; key_undo takes them out again.
void key_begin(SpecTree* tree);
void key_undo(SpecTree* tree);

// Hands the numbers in pending keys, unless they record one that is not closed, over to the copies
// of elements, where there are.
void key_follow(SpecTree* tree);

// Adds the copies of elements to recorded keys that are not closed, with the values that they have
// by themselves.
void key_addcopies(SpecTree* tree);

// Takes what belongs to actuators out of the same keys.
void key_dropactuators(SpecTree* tree);

// Closes recorded keys: puts them behind the keys derived from them, and derives no more from them.
void key_close(SpecTree* tree);

// Forgets elements that now belong to another tree.
void key_forgetmoved(SpecTree* tree);

// Copies the pending keys of src into dst, for the copies of its elements.
void key_copypending(SpecTree* dst, const SpecTree* src);

#endif  // CONDYLE_SPEC_KEY_H_
