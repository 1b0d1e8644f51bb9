// graft.h: elements of one model moved or copied into another, under new names.
//
// What mjs_attach (attach.c) and <replicate> (replicate.c) share. Every name in the part becomes
// prefix + name + suffix, and so do the names by which it refers to other things. Elements keep
// their origin: angles, directories and the like are still understood as the spec says in which
// they were written.
//
// Whatever needs memory makes copies, under error_catch: the caller takes them back if memory runs
// out (graft_undo). Only when all are there, elements that are to be moved take the places and the
// values of theirs: so they keep their addresses, and the user's pointers stay good.

#ifndef CONDYLE_SPEC_GRAFT_H_
#define CONDYLE_SPEC_GRAFT_H_

#include "spec/spec.h"

typedef struct Attachment_ {
  SpecTree* tree;  // of the parent
  SpecTree* from;  // of the child
  const char* prefix;
  const char* suffix;
  int foreign;        // two different specs
  int copies;         // copy, don't move
  SpecObject** last;  // of replicas: by type, the last element that is an original
} Attachment;

// Where the lists of a tree end, the children of the body that gets a part, and active plugins.
typedef struct GraftMark_ {
  SpecObject* listed[SPEC_NSLOT];
  SpecObject *body, *child, *class;
  size_t nactive;  // plugins
} GraftMark;

// Notes the ends; destroys what is behind them.
void graft_begin(GraftMark* mark, SpecTree* tree, SpecObject* body);
void graft_undo(const GraftMark* mark);

// Puts a part (a body, or a frame with what is inside) of another tree in the place of its copy.
void graft_move(SpecObject* part);

// The part in the body tree, as copies. `copy` of an element says what has become of it.

// A frame and what is inside it goes to a body; around is the frame there. If that is NULL the
// frames around it come along.
SpecObject* graft_frame(SpecObject* frame, SpecObject* body, SpecObject* around,
                        const Attachment* attachment);

// A body with its subtree.
SpecObject* graft_body(SpecObject* body, SpecObject* parent, SpecObject* around,
                       const Attachment* attachment);

// All children of a body, as copies, into a frame of another body.
void graft_content(SpecObject* from, SpecObject* frame, const Attachment* attachment);

// Is the object in the frame, or in one inside it?
int graft_isinside(const SpecObject* object, const SpecObject* frame);

// What is outside the body tree, as copies; 0, with the error set, if a name is repeated.

// Classes, plugins and all assets, for parts of another spec; to be called before what uses them
// comes.
void graft_assets(const Attachment* attachment);

// Flexes, pairs, tendons, ... whose references exist in the parent under their new names.
int graft_followers(const Attachment* attachment);

// Takes back the plugin instances that came with the assets of another spec but that nothing uses
// that came. The others get their order: those made for one element, those that the body tree uses,
// the rest. 0, with the error set, if one has the name of another instance.
int graft_sortinstances(const Attachment* attachment);

// 0, with the error set, if the parent's model has the new name of an object, or of an asset,
// already.
int graft_checkname(SpecObject* object, const Attachment* attachment);
int graft_checkassets(const Attachment* attachment);

// 0, with the error set, if two assets or followers of the parent's model (or keys, if it is
// attached to itself) share a name: what refers to it would follow the wrong one.
int graft_checkrepeated(const Attachment* attachment);

#endif  // CONDYLE_SPEC_GRAFT_H_
