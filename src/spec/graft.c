// graft.c: copies or moves elements from one tree to another and gives them their new names.
//                                                                    theory/model/model.md, Editing

#include "spec/graft.h"

#include <mujoco/mjspec.h>
#include <string.h>

#include "spec/key.h"
#include "spec/object.h"
#include "spec/reference.h"
#include "spec/visit.h"

#define LENGTH(array) (int)(sizeof(array) / sizeof((array)[0]))

static void rename_text(mjString* name, const Attachment* attachment) {
  if (!string_empty(name)) {
    string_format(name, "%s%s%s", attachment->prefix, string_text(name), attachment->suffix);
  }
}

// Gives a class its new name. The class "main" keeps its name in every spec.
static void rename_class(mjString* name, const Attachment* attachment) {
  if (attachment->foreign && strcmp(string_text(name), "main") != 0) {
    rename_text(name, attachment);
  }
}

// Whether the parent's model already has an element of this new name. If so, sets the error.
static int is_taken(const Attachment* attachment, mjtObj type, const char* name) {
  int taken = spec_find(attachment->tree, type, name) != NULL;
  if (taken) {
    spec_error(attachment->tree, "repeated name '%s' in %s", name, spec_typename(type));
  }
  return taken;
}

// references

static int rename_use(const NameUse* use, void* context) {
  const Attachment* attachment = context;
  if (use->essential || attachment->foreign) {
    rename_text(use->name, attachment);
  }
  return 1;
}

typedef struct Fallback_ {
  const Attachment* attachment;
  int found;   // number of references that exist under their new names
  int missed;  // number of essential references that exist under neither name
} Fallback;

// Renames a reference if an element of the new name exists, else keeps the old name.
static int rename_if_found(const NameUse* use, void* context) {
  Fallback* fallback = context;
  const Attachment* attachment = fallback->attachment;
  if (!use->essential) {
    return rename_use(use, (void*)attachment);
  }
  mjString text = {NULL, 0, 0};
  string_set(&text, string_text(use->name));
  rename_text(&text, attachment);
  if (spec_find(attachment->tree, use->type, string_text(&text))) {
    fallback->found++;
    string_set(use->name, string_text(&text));
  } else if (!spec_find(attachment->tree, use->type, string_text(use->name))) {
    fallback->missed++;
  }
  string_clear(&text);
  return 1;
}

// May references of this type of element keep the old name, where no element has the new one?
static int has_fallback(mjtObj type) {
  return type == mjOBJ_PAIR || type == mjOBJ_EXCLUDE || type == mjOBJ_SENSOR ||
         type == mjOBJ_TENDON;
}

// Renames the references of a copied element. Returns 0 if these lead outside the attached part, so
// that the element is not copied.
static int follow_references(SpecObject* object, const Attachment* attachment) {
  if (!has_fallback(object->element.elemtype)) {
    reference_visit(object, rename_use, (void*)attachment);
    return reference_resolves(object);
  }
  Fallback fallback = {attachment, 0, 0};
  reference_visit(object, rename_if_found, &fallback);

  // a sensor without an object (a clock) is copied from another spec, but not for each replica
  int has_no_object = attachment->foreign && object->element.elemtype == mjOBJ_SENSOR &&
                      string_empty(object->as.sensor.objname) &&
                      string_empty(object->as.sensor.refname);
  return !fallback.missed && (fallback.found || has_no_object) && reference_resolves(object);
}

// copies of elements in the body tree

// Renames the references of a copy to its class and its plugin instance.
static void rename_class_and_plugin(SpecObject* object, const Attachment* attachment) {
  mjString cls = {NULL, 0, 0};
  string_set(&cls, object->classname);
  rename_class(&cls, attachment);
  object->classname = spec_intern(attachment->tree, string_text(&cls));
  string_clear(&cls);
  mjsPlugin* plugin = spec_pluginof(object);
  if (plugin && attachment->foreign) {
    rename_text(plugin->name, attachment);
  }
}

// Gives a copy its new name, class and references.
static void adapt(SpecObject* object, const Attachment* attachment) {
  rename_class_and_plugin(object, attachment);
  if (object->element.elemtype == mjOBJ_BODY) {
    rename_class(object->as.body.childclass, attachment);
  } else if (object->element.elemtype == mjOBJ_FRAME) {
    rename_class(object->as.frame.childclass, attachment);
  }
  rename_text(&object->name, attachment);
  reference_visit(object, rename_use, (void*)attachment);
}

// Appends the copy of a listed element to the parent's list.
static void append_copy(const SpecObject* object) {
  SpecObject* copy = object->copy;
  copy->origin = object->origin;
  spec_link(copy, NULL, NULL);
  copy->id = spec_count(copy->tree, copy->element.elemtype) - 1;
}

// Copies the implicit plugin instances of a part: those made for a single element. This is for
// parts of the same model. graft_assets copies the instances of another model.
static void copy_instances(SpecObject* part, const Attachment* attachment) {
  for (SpecObject* it = part; it; it = object_walk(it, part)) {
    SpecObject* instance = spec_instance(it);
    if (instance && instance->as.plugin.own) {
      instance->copy = NULL;
    }
  }
  for (SpecObject* it = part; it; it = object_walk(it, part)) {
    SpecObject* instance = spec_instance(it);
    if (!instance || !instance->as.plugin.own) {
      continue;
    }
    if (!instance->copy) {
      spec_clone(instance, attachment->tree);
      rename_text(&instance->copy->name, attachment);
      append_copy(instance);
    }
    mjsPlugin* use = spec_pluginof(it->copy);
    use->element = &instance->copy->element;
    string_set(use->name, string_empty(use->name) ? "" : spec_name(instance->copy));
  }
}

// Copies an element and its subtree, under new names.
static SpecObject* copy_subtree(SpecObject* object, const Attachment* attachment) {
  SpecObject* taken = spec_clone(object, attachment->tree);
  for (SpecObject* it = object; it; it = object_walk(it, object)) {
    it->copy->origin = it->origin;
  }
  if (!attachment->foreign) {
    copy_instances(object, attachment);
  }
  for (SpecObject* it = taken; it; it = object_walk(it, taken)) {
    adapt(it, attachment);
  }
  return taken;
}

int graft_isinside(const SpecObject* object, const SpecObject* frame) {
  for (const SpecObject* it = object->frame; it; it = it->frame) {
    if (it == frame) {
      return 1;
    }
  }
  return 0;
}

// Copies the frames that enclose a frame to the parent body. Returns the innermost copy, NULL if
// there is none.
static SpecObject* copy_enclosing(const SpecObject* frame, SpecObject* body,
                                  const Attachment* attachment) {
  SpecObject *innermost = NULL, **link = &innermost;
  for (SpecObject* it = frame->frame; it; it = it->frame) {
    SpecObject* copy = copy_subtree(it, attachment);

    // the name exists if another part of the same frame was attached before
    if (spec_find(attachment->tree, mjOBJ_FRAME, spec_name(copy))) {
      spec_rename(copy, "");
    }
    spec_link(copy, body, NULL);
    *link = copy;
    link = &copy->frame;
  }
  return innermost;
}

// A frame may come after its content, so all copies are linked before they get their frames. If a
// model is attached to itself, the second loop meets the copies too. It skips them, as they have no
// copy.
SpecObject* graft_frame(SpecObject* frame, SpecObject* body, SpecObject* around,
                        const Attachment* attachment) {
  SpecObject* outer = around ? around : copy_enclosing(frame, body, attachment);
  for (SPEC_EACH_ANY(it, frame->parent)) {
    if (it == frame || graft_isinside(it, frame)) {
      spec_link(copy_subtree(it, attachment), body, NULL);
    }
  }
  for (SPEC_EACH_ANY(it, frame->parent)) {
    if (it->copy && (it == frame || graft_isinside(it, frame))) {
      it->copy->frame = it == frame ? outer : it->frame->copy;
    }
  }
  return frame->copy;
}

SpecObject* graft_body(SpecObject* body, SpecObject* parent, SpecObject* around,
                       const Attachment* attachment) {
  SpecObject* taken = copy_subtree(body, attachment);
  spec_link(taken, parent, around);
  return taken;
}

void graft_content(SpecObject* from, SpecObject* frame, const Attachment* attachment) {
  for (SPEC_EACH_ANY(it, from)) {
    spec_link(copy_subtree(it, attachment), frame->parent, NULL);
  }
  for (SPEC_EACH_ANY(it, from)) {
    it->copy->frame = it->frame && it->frame->copy ? it->frame->copy : frame;
  }
}

// moving, which cannot fail

void graft_begin(GraftMark* mark, SpecTree* tree, SpecObject* body) {
  for (int slot = 0; slot < SPEC_NSLOT; slot++) {
    mark->listed[slot] = tree->lists[slot].last;
  }
  mark->body = body;
  mark->child = body->last;
  mark->class = tree->main_class->last;
  mark->nactive = tree->active.num;
  key_begin(tree);
}

void graft_undo(const GraftMark* mark) {
  SpecTree* tree = mark->body->tree;
  for (int slot = 0; slot < SPEC_NSLOT; slot++) {
    while (tree->lists[slot].last != mark->listed[slot]) {
      spec_destroy(tree->lists[slot].last);
    }
  }
  while (mark->body->last != mark->child) {
    spec_destroy(mark->body->last);
  }
  while (tree->main_class->last != mark->class) {
    spec_destroy(tree->main_class->last);
  }
  tree->active.num = mark->nactive;
  key_undo(tree);
}

// Moves an element to the place of its copy, which is then unlinked.
static void move_one(SpecObject* object) {
  SpecObject *copy = object->copy, *parent = copy->parent, *next = copy->next;
  SpecObject* around = object->frame;
  around = around && around->copy == copy->frame ? around : copy->frame;
  spec_unlink(copy);
  spec_unlink(object);
  for (SpecObject* it = object; it; it = object_walk(it, object)) {
    it->tree = copy->tree;
    object_swap(it, it->copy);
    it->copy->copy = it;
  }
  if (next) {
    spec_linkbefore(object, next);
  } else {
    spec_link(object, parent, NULL);
  }
  object->frame = around;
}

void graft_move(SpecObject* part) {
  SpecObject *body = part->parent, *leftover = NULL, *next;
  SpecTree* tree = part->copy->tree;

  // frames that enclose the part are not moved
  for (SpecObject* it = part->frame; it; it = it->frame) {
    it->copy = NULL;
  }
  for (SpecObject* it = body->first; it; it = next) {
    SpecObject* copy = it->copy;
    next = it->next;
    if (copy) {
      move_one(it);
      copy->next = leftover;
      leftover = copy;
    }
  }
  key_follow(tree);
  for (; leftover; leftover = next) {
    next = leftover->next;
    spec_destroy(leftover);
  }
}

// copies of elements outside the body tree

static void copy_classes(const Attachment* attachment) {
  mjString name = {NULL, 0, 0};
  string_set(&name, "main");
  rename_text(&name, attachment);
  int exists = spec_class(attachment->tree, string_text(&name)) != NULL;
  string_clear(&name);
  if (exists) {
    return;
  }
  SpecObject* classes = spec_clone(attachment->from->main_class, attachment->tree);
  for (SpecObject* it = classes; it; it = object_walk(it, classes)) {
    rename_text(&it->name, attachment);
    if (it->origin == attachment->tree) {
      it->origin = attachment->from;
    }
    for (int type = 0; type < mjNOBJECT; type++) {
      SpecObject* prototype = it->as.classdef.prototype[type];
      if (prototype) {
        prototype->classname = spec_intern(attachment->tree, spec_name(it));
        reference_visit(prototype, rename_use, (void*)attachment);
      }
    }
  }
  spec_link(classes, attachment->tree->main_class, NULL);
}

// Copies a listed element, renames it and its references, and appends it if it belongs to the part.
// Returns 0, with the error set, if the parent has an element of this name.
static int copy_listed(SpecObject* object, const Attachment* attachment) {
  mjtObj type = object->element.elemtype;
  SpecObject* copy = spec_clone(object, attachment->tree);
  if (type != mjOBJ_FLEX && type != mjOBJ_SKIN) {
    rename_text(&copy->name, attachment);
  }
  rename_class_and_plugin(copy, attachment);
  int follows = follow_references(copy, attachment);
  int repeated = follows && is_taken(attachment, type, spec_name(copy));
  if (follows && !repeated) {
    append_copy(object);
    if (!attachment->foreign) {
      copy_instances(object, attachment);
    }
  } else {
    spec_destroy(copy);
    object->copy = NULL;
  }
  return !repeated;
}

// The new name of an asset, from its own name or else from its file.
static void asset_name(mjString* out, const SpecObject* object, const Attachment* attachment) {
  const mjString* file = spec_file(object);
  string_set(out, spec_name(object));
  if (string_empty(out) && file) {
    spec_filename(out, string_text(file));
  }
  rename_text(out, attachment);
}

static int copy_asset(SpecObject* object, const Attachment* attachment) {
  SpecObject* copy = spec_clone(object, attachment->tree);
  adapt(copy, attachment);
  asset_name(&copy->name, object, attachment);
  append_copy(object);
  return 1;
}

// How the copied elements use a copied plugin instance. The id of the copy holds this value until
// graft_sortinstances assigns the real id.
enum {
  UNUSED = -1,
  IMPLICIT = -2,  // of one element
  IN_TREE = -3,   // declared, used by bodies or geoms
  OUTSIDE = -4,   // declared, used by elements outside the body tree only
};

// Copies a plugin instance. graft_sortinstances decides later whether the copy is kept, and where
// in the list. If another part of the same model was attached before, its copy is used again.
static int copy_instance(SpecObject* object, const Attachment* attachment) {
  mjString name = {NULL, 0, 0};
  asset_name(&name, object, attachment);
  SpecObject* there = spec_find(attachment->tree, mjOBJ_PLUGIN, string_text(&name));
  string_clear(&name);
  if (there && there->origin == object->origin) {
    object->copy = there;
    return 1;
  }
  copy_asset(object, attachment);
  object->copy->id = UNUSED;
  return 1;
}

// Calls `attach` for each element of some types in the attached model, until it returns 0.
static int each_of(const mjtObj* types, int count, const Attachment* attachment,
                   int (*attach)(SpecObject* object, const Attachment* attachment)) {
  for (int i = 0; i < count; i++) {
    // If a model is attached to itself, copies are appended to this same list. The loop ends at the
    // last original.
    SpecObject* last =
        attachment->last ? attachment->last[types[i]] : attachment->from->lists[types[i]].last;
    if (attachment->last && !last) {
      continue;
    }
    for (SpecObject* it = spec_first(attachment->from, types[i]); it;
         it = it == last ? NULL : spec_next(it)) {
      if (!attach(it, attachment)) {
        return 0;
      }
    }
  }
  return 1;
}

static const mjtObj plugins = mjOBJ_PLUGIN;
static const mjtObj assets[] = {
    mjOBJ_MESH, mjOBJ_HFIELD, mjOBJ_TEXTURE, mjOBJ_MATERIAL, mjOBJ_NUMERIC, mjOBJ_TEXT,
};

void graft_assets(const Attachment* attachment) {
  const mjIntVec* active = &attachment->from->active;
  for (size_t i = 0; i < active->num; i++) {
    spec_activate(attachment->tree, active->ptr[i]);
  }
  copy_classes(attachment);
  each_of(&plugins, 1, attachment, copy_instance);
  each_of(assets, LENGTH(assets), attachment, copy_asset);
}

static const mjtObj referrers[] = {
    mjOBJ_FLEX,     mjOBJ_PAIR,     mjOBJ_EXCLUDE, mjOBJ_TENDON,
    mjOBJ_EQUALITY, mjOBJ_ACTUATOR, mjOBJ_SENSOR,  mjOBJ_TUPLE,
};

int graft_referrers(const Attachment* attachment) {
  static const mjtObj skin = mjOBJ_SKIN;
  return each_of(referrers, LENGTH(referrers), attachment, copy_listed) &&
         (!attachment->foreign || each_of(&skin, 1, attachment, copy_listed));
}

// Notes how the copy of `user` uses its copied plugin instance: a usage code (IMPLICIT, IN_TREE or
// OUTSIDE), kept in the id of the copied instance until graft_sortinstances has sorted them.
static void mark_use(const SpecObject* user) {
  SpecObject* instance = user->copy ? spec_instance(user) : NULL;
  SpecObject* copy = instance ? instance->copy : NULL;
  if (copy && (copy->id == UNUSED || copy->id == OUTSIDE)) {
    int in_tree = spec_intree(user->element.elemtype);
    copy->id = copy->as.plugin.own ? IMPLICIT : in_tree ? IN_TREE : OUTSIDE;
  }
}

int graft_sortinstances(const Attachment* attachment) {
  const SpecTree* from = attachment->from;
  int ok = 1;
  for (int i = 0; i < SPEC_NUSER; i++) {
    for (SPEC_EACH(it, from, spec_users[i])) {
      mark_use(it);
    }
  }
  for (SPEC_EACH(it, from, mjOBJ_PLUGIN)) {
    if (it->copy && it->copy->id < 0) {
      spec_unlink(it->copy);
    }
    if (it->copy && it->copy->id == UNUSED) {
      spec_destroy(it->copy);
      it->copy = NULL;
    }
  }
  for (int usage = IMPLICIT; usage >= OUTSIDE; usage--) {
    for (SPEC_EACH(it, from, mjOBJ_PLUGIN)) {
      if (it->copy && it->copy->id == usage) {
        ok = ok && !is_taken(attachment, mjOBJ_PLUGIN, spec_name(it->copy));
        spec_link(it->copy, NULL, NULL);
        it->copy->id = spec_count(attachment->tree, mjOBJ_PLUGIN) - 1;
      }
    }
  }
  return ok;
}

// names

int graft_checkname(SpecObject* object, const Attachment* attachment) {
  mjString name = {NULL, 0, 0};
  asset_name(&name, object, attachment);
  int taken = is_taken(attachment, object->element.elemtype, string_text(&name));
  string_clear(&name);
  return !taken;
}

static int check_repeated(SpecTree* tree, const mjtObj* types, int count) {
  for (int i = 0; i < count; i++) {
    for (SPEC_EACH(it, tree, types[i])) {
      if (spec_name(it)[0] && spec_find(tree, types[i], spec_name(it)) != it) {
        spec_error(tree, "repeated name '%s' in %s", spec_name(it), spec_typename(types[i]));
        return 0;
      }
    }
  }
  return 1;
}

int graft_checkrepeated(const Attachment* attachment) {
  static const mjtObj key = mjOBJ_KEY;
  SpecTree* tree = attachment->tree;
  return check_repeated(tree, &plugins, 1) && check_repeated(tree, assets, LENGTH(assets)) &&
         check_repeated(tree, referrers, LENGTH(referrers)) &&
         (attachment->foreign || check_repeated(tree, &key, 1));
}

int graft_checkassets(const Attachment* attachment) {
  return each_of(assets, LENGTH(assets), attachment, graft_checkname);
}
