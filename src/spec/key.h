// key.h: keeping the numbers of keyframes with their elements while a model is edited.
//
// A keyframe is six flat arrays whose layout follows from the elements of the model. When elements
// are added or removed, the numbers must stay with the elements for which they were written. So
// there is a second form of a keyframe, the pending key, with values per element, until the model
// is compiled:
//   - attaching makes pending keys in the parent from the keys of the child, with the values of the
//     elements that came along;
//   - a key of a model that is attached to itself (replicas) is recorded: it stays in its list, but
//     a pending key says to which elements its numbers belong, and writes it anew when the model is
//     compiled. Further pending keys are derived from it until it is closed.
// Flushing turns pending keys into ordinary ones, in the order in which they were made.

#pragma once

#include "spec/pending.h"
#include "spec/spec.h"

// The place of one element's numbers in one array.
typedef struct KeySlot_ {
  SpecObject* object;
  int field;
  size_t adr;
  size_t num;
} KeySlot;

// The present layout of the keyframes of a tree.
typedef struct KeyLayout_ {
  KeySlot* slot;
  size_t nslot;
  size_t size[KEY_NFIELD];  // length of each array
} KeyLayout;

// Computes the layout. layout->slot is freed by heap_free. Returns 0 if memory runs out.
int key_layout(KeyLayout* layout, const SpecTree* tree);

// One of the arrays of a key.
mjDoubleVec* key_field(SpecObject* key, int field);

// Removes the numbers of elements that are no longer registered from the keys that aren't recorded.
// `before` is the layout that still has those elements.
void key_shrink(SpecTree* tree, const KeyLayout* before);

// Records all keys of a tree. Returns 0 if memory runs out, or if a key doesn't fit the layout
// (reported as an error of `report`). If report is NULL, a key that doesn't fit is taken for one
// that is written for the complete model and stays as it is.
int key_record(SpecTree* tree, SpecTree* report);

// For every recorded key of `from` that is not closed,
// makes a pending key named prefix + name + suffix in tree, or adds to the pending key of that
// name. Values go to the copies of elements (object->copy), or to the elements themselves if they
// have none and are in tree. Call this, key_addcopies and key_copypending under error_catch.
void key_derive(SpecTree* tree, const SpecTree* from, const char* prefix, const char* suffix);

// key_undo removes the pending keys and parts that were added since key_begin.
void key_begin(SpecTree* tree);
void key_undo(SpecTree* tree);

// Moves the numbers in pending keys from elements to their copies, if they have copies. Recorded
// keys that are not closed are left alone.
void key_follow(SpecTree* tree);

// Adds the copies of elements to recorded keys that are not closed, with the values of their
// attributes.
void key_addcopies(SpecTree* tree);

// Removes activations and controls from pending keys, except from recorded keys that are not
// closed.
void key_dropactuators(SpecTree* tree);

// Closes recorded keys: moves them behind the keys derived from them. No more keys are derived from
// a closed key.
void key_close(SpecTree* tree);

// Forgets elements that now belong to another tree.
void key_forgetmoved(SpecTree* tree);

// Copies the pending keys of src into dst, for the copies of its elements.
void key_copypending(SpecTree* dst, const SpecTree* src);

// Number of activations of an actuator: as its author says, or as its dynamics need.
int actuator_states(const mjsActuator* actuator);
