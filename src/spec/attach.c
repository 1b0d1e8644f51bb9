// attach.c: mjs_attach, which moves or copies a part of one model into another.
//                                                                    theory/model/model.md, Editing
//
// The part is a body with its subtree, or a frame with all that is inside it. It is moved below the
// parent, or copied with the deep copy flag (graft.h). Elements outside the body tree follow as
// copies: classes, assets and plugin instances if the spec is another one; flexes, pairs, tendons,
// ... if their references exist in the parent under their new names. Keyframes follow their
// elements (key.h). The settings of the part's own compiler still apply to it, so the parent keeps
// its spec alive; those of its physics meet the parent's (setting/conflict.h).

#include "spec/attach.h"

#include <mujoco/api/base.h>
#include <mujoco/api/spec.h>
#include <string.h>

#include "base/memory/error.h"
#include "spec/graft.h"
#include "spec/key.h"
#include "spec/object.h"
#include "spec/setting/conflict.h"
#include "spec/tree.h"
#include "spec/visit.h"

// Are the new names of a subtree free? The world's name is not checked here: the compiler reports
// it.
static int check_subtree(SpecObject* root, const Attachment* attachment) {
  int ok = 1;
  for (SpecObject* it = root; it && ok; it = object_walk(it, root)) {
    ok = it == attachment->from->world || graft_checkname(it, attachment);
  }
  return ok;
}

// Checks the names that come with the part before anything is changed. Returns 0, with the error
// set, if one exists already.
static int check_names(const SpecObject* child, const Attachment* attachment) {
  mjtObj what = child->element.elemtype;
  int ok = !attachment->foreign || graft_checkassets(attachment);
  if (what == mjOBJ_BODY) {
    return ok && check_subtree((SpecObject*)child, attachment);
  }
  const SpecObject* body = what == mjOBJ_MODEL ? attachment->from->world : child->parent;
  for (SpecObject* it = body->first; it && ok; it = it->next) {
    if (what == mjOBJ_MODEL || it == child || graft_isinside(it, child)) {
      ok = check_subtree(it, attachment);
    }
  }
  return ok;
}

// A new frame with the pose of a site.
static SpecObject* frame_of_site(SpecObject* site) {
  SpecObject* frame = spec_create(site->tree, mjOBJ_FRAME, NULL);
  const mjsSite* from = &site->as.site;
  mjsFrame* to = &frame->as.frame;
  memcpy(to->pos, from->pos, sizeof(to->pos));
  memcpy(to->quat, from->quat, sizeof(to->quat));
  const mjsCompiler* compiler = &site->origin->spec.compiler;
  const char* problem =
      mjs_resolveOrientation(to->quat, compiler->degree, compiler->eulerseq, &from->alt);
  if (problem) {
    spec_error(site->tree, "%s in site '%s'", problem, spec_name(site));
    spec_destroy(frame);
    return NULL;
  }
  spec_link(frame, site->parent, site->frame);
  return frame;
}

// A new frame around all content of a spec's world.
static SpecObject* frame_of_world(SpecTree* tree) {
  SpecObject* frame = spec_add(tree, mjOBJ_FRAME, tree->world, NULL);
  for (SPEC_EACH_ANY(it, tree->world)) {
    if (!it->frame && it != frame) {
      it->frame = frame;
    }
  }
  return frame;
}

static void undo_frame_of_world(SpecObject* frame) {
  for (SPEC_EACH_ANY(it, frame->parent)) {
    if (it->frame == frame) {
      it->frame = NULL;
    }
  }
  spec_destroy(frame);
}

// Puts a spec's world into a new world, so that the old one is a body that can move.
static SpecObject* world_around_world(SpecTree* tree) {
  SpecObject *old = tree->world, *world = tree_makeworld(tree);
  spec_link(old, world, NULL);
  object_register(world);
  tree->world = world;
  return world;
}

static void undo_world_around_world(SpecObject* world) {
  SpecObject* old = world->first;
  old->parent = world->first = world->last = NULL;
  old->linked = 0;
  object_unregister(world);
  world->tree->world = old;
  spec_destroy(world);
}

static SpecObject* attach_part(SpecObject* parent, SpecObject* child,
                               const Attachment* attachment) {
  SpecObject* frame = parent;
  if (parent->element.elemtype == mjOBJ_SITE) {
    frame = frame_of_site(parent);
    if (!frame) {
      return NULL;
    }
  }
  int to_body = parent->element.elemtype == mjOBJ_BODY;
  SpecObject* body = to_body ? parent : frame->parent;
  SpecObject* around = to_body ? NULL : frame;
  return child->element.elemtype == mjOBJ_BODY ? graft_body(child, body, around, attachment)
                                               : graft_frame(child, body, around, attachment);
}

// The reason why child can't be attached to parent, NULL if it can.
static const char* refusal(const SpecObject* parent, const SpecObject* child) {
  mjtObj to = parent->element.elemtype;
  mjtObj what = child->element.elemtype;
  if (to != mjOBJ_FRAME && to != mjOBJ_BODY && to != mjOBJ_SITE) {
    return "parent element is not a frame, body or site";
  }
  if (what != mjOBJ_FRAME && what != mjOBJ_BODY && what != mjOBJ_MODEL) {
    return "child element is not a body or frame, and no model";
  }
  if (to == mjOBJ_BODY && what == mjOBJ_BODY) {
    return "child element is not a frame; a body goes to a frame or a site";
  }
  if (parent->tree == child->tree && !parent->tree->deepcopy) {
    return "a model can only be attached to itself as a deep copy";
  }
  return NULL;
}

typedef struct Attaching_ {
  SpecObject *to, *what;
  Attachment attachment;
  SpecObject* around_world;  // new frame around the content of a whole model
  SpecObject* new_world;     // new world of a model whose old world moves
  SpecObject* taken;         // the part in its new place
  int keys;                  // 1 if keyframes are made for the part
  int ok;
} Attaching;

static void check_all(void* argument) {
  Attaching* a = argument;
  a->ok = graft_checkrepeated(&a->attachment) && check_names(a->what, &a->attachment);
}

// Makes all copies: plugins and assets before the elements that use them.
static void copy_all(void* argument) {
  Attaching* a = argument;
  const Attachment* attachment = &a->attachment;
  if (a->what->element.elemtype == mjOBJ_MODEL) {
    a->what = a->around_world = frame_of_world(attachment->from);
  } else if (a->what == attachment->from->world && !attachment->copies) {
    a->new_world = world_around_world(attachment->from);
  }
  if (attachment->foreign) {
    graft_assets(attachment);
  }
  a->taken = attach_part(a->to, a->what, attachment);
  if (a->taken && graft_referrers(attachment)) {
    if (a->keys) {
      key_derive(attachment->tree, attachment->from, attachment->prefix, attachment->suffix);
    }
    a->ok = (!attachment->foreign || graft_sortinstances(attachment)) &&
            spec_fillkeys(attachment->tree);
  }
}

// Attaches the part; keys are recorded before elements move. Returns the part in its new place,
// NULL on failure.
static SpecObject* attach_all(Attaching* a) {
  SpecTree *from = a->attachment.from, *tree = a->attachment.tree;
  int foreign = a->attachment.foreign, nheld = tree->nchild;
  int nconflict = (int)tree->conflicts.num;
  mjSpec before = tree->spec;
  if (error_catch(NULL, 0, check_all, a) || !a->ok || (foreign && !setting_meet(tree, from))) {
    return NULL;
  }
  if ((foreign && !spec_flushkeys(from)) || !key_record(from, tree) ||
      (foreign && !spec_hold(tree, from))) {
    setting_undo(tree, &before, nconflict);
    return NULL;
  }
  tree_clearcopies(from);
  a->ok = 0;
  GraftMark mark;
  Heap held;
  graft_begin(&mark, tree, a->to->element.elemtype == mjOBJ_BODY ? a->to : a->to->parent);
  error_catchheld(&held, NULL, 0, copy_all, a);
  if (!a->ok) {
    graft_undo(&mark);
    tree_unhold(tree, nheld);
    setting_undo(tree, &before, nconflict);
  } else if (!a->attachment.copies) {
    graft_move(a->what);
    a->taken = a->what;
    from->attached = 1;
  }
  if (a->around_world && a->around_world->tree == from) {
    undo_frame_of_world(a->around_world);
  }
  if (a->new_world && !a->ok) {
    undo_world_around_world(a->new_world);
  }
  heap_drop(&held);

  // the child's keys keep only the elements that stayed
  if (foreign) {
    key_forgetmoved(from);
    spec_flushkeys(from);
  }
  tree_clearcopies(from);
  tree_clearcopies(tree);
  return a->ok ? a->taken : NULL;
}

SpecObject* spec_attach(SpecObject* to, SpecObject* what, const char* prefix, const char* suffix,
                        int keys) {
  const char* reason = refusal(to, what);
  if (reason) {
    spec_error(to->tree, "%s", reason);
    return NULL;
  }
  Attaching attaching = {.to = to,
                         .what = what,
                         .keys = keys,
                         .attachment = {.tree = to->tree,
                                        .from = what->tree,
                                        .prefix = prefix,
                                        .suffix = suffix,
                                        .foreign = to->tree != what->tree,
                                        .copies = to->tree->deepcopy}};
  string_set(&to->tree->error, "");
  if (attaching.attachment.foreign && what->tree->pending) {
    mju_warning(
        "mjs_attach: child model has pending keyframes, which came with what is attached to it. "
        "They get this prefix and suffix, too.");
  }
  SpecObject* taken = attach_all(&attaching);
  to->tree->added = 0;
  to->tree->moved = 1;
  if (!taken && string_empty(&to->tree->error)) {
    spec_error(to->tree, MEMORY_OUT);
  }
  return taken;
}

mjsElement* mjs_attach(mjsElement* parent, const mjsElement* child, const char* prefix,
                       const char* suffix) {
  if (!parent || !child) {
    mju_error("mjs_attach: %s element is null", parent ? "child" : "parent");
    return NULL;
  }
  SpecObject* taken = spec_attach(spec_object(parent), spec_object(child), prefix ? prefix : "",
                                  suffix ? suffix : "", 1);
  return taken ? &taken->element : NULL;
}
