// graft.h: moving or copying elements of one model into another, under new names.
//
// mjs_attach (attach.c) and <replicate> (replicate.c) share it. Every name in the part becomes
// prefix + name + suffix, and so do the names in its references. Elements keep their origin: the
// settings of the spec in which they were written (angles, directories) still apply to them.
//
// First all elements are copied, under error_catch; if memory runs out, the caller removes the
// copies again (graft_undo). Only then do the elements to be moved take the places and values of
// their copies. So moved elements keep their addresses, and the user's pointers stay valid.

#pragma once

#include "spec/spec.h"

typedef struct Attachment_ {
  SpecTree* tree;  // tree of the parent
  SpecTree* from;  // tree of the child
  const char* prefix;
  const char* suffix;
  int foreign;        // two different specs
  int copies;         // copies instead of moves
  SpecObject** last;  // replicas only: the last original of each type
} Attachment;

// The ends, before an attachment, of the lists of a tree, of the children of the receiving body and
// of the active plugins.
typedef struct GraftMark_ {
  SpecObject* listed[SPEC_NSLOT];
  SpecObject *body, *child, *class;
  size_t nactive;  // plugins
} GraftMark;

// graft_begin notes the ends. graft_undo destroys everything behind them.
void graft_begin(GraftMark* mark, SpecTree* tree, SpecObject* body);
void graft_undo(const GraftMark* mark);

// Moves a part (a body, or a frame with its content) of another tree to the place of its copy.
void graft_move(SpecObject* part);

// Copying a part in the body tree. `copy` of each element points to its copy.

// Copies a frame and its content into the frame `around` of a body. If `around` is NULL, the frames
// that enclose the frame are copied too.
SpecObject* graft_frame(SpecObject* frame, SpecObject* body, SpecObject* around,
                        const Attachment* attachment);

// Copies a body with its subtree.
SpecObject* graft_body(SpecObject* body, SpecObject* parent, SpecObject* around,
                       const Attachment* attachment);

// Copies all children of a body into a frame of another body.
void graft_content(SpecObject* from, SpecObject* frame, const Attachment* attachment);

// Is the object in the frame, or in one inside it?
int graft_isinside(const SpecObject* object, const SpecObject* frame);

// Copying elements outside the body tree. Returns 0, with the error set, if a name is repeated.

// Copies classes, plugins and all assets, for a part of another spec. To be called before the
// elements that use them are copied.
void graft_assets(const Attachment* attachment);

// Copies the referrers: elements outside the body tree (flexes, pairs, tendons, ...) whose
// references exist in the parent's model under their new names.
int graft_referrers(const Attachment* attachment);

// Removes the copied plugin instances that no copied element uses. Orders the others: those made
// for one element, those used by the body tree, the rest. Returns 0, with the error set, if a name
// is taken.
int graft_sortinstances(const Attachment* attachment);

// Returns 0, with the error set, if the parent's model already has the new name of an object, or of
// any asset.
int graft_checkname(SpecObject* object, const Attachment* attachment);
int graft_checkassets(const Attachment* attachment);

// Returns 0, with the error set, if two assets or referrers of the parent's model share a name (or
// two keys, if it is attached to itself), because references would be ambiguous.
int graft_checkrepeated(const Attachment* attachment);
