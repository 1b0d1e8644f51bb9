// Taking elements out of one tree into another, or copying them.           theory/model.md, Editing

#include "spec/graft.h"

#include <mujoco/mjspec.h>
#include <string.h>

#include "base/memory.h"
#include "spec/key.h"
#include "spec/object.h"
#include "spec/reference.h"

#define LENGTH(array) (int)(sizeof(array) / sizeof((array)[0]))

static int namespaced(mjString* out, const Attachment* attachment, const char* name) {
  return string_format(out, "%s%s%s", attachment->prefix, name, attachment->suffix);
}

static int rename_text(mjString* name, const Attachment* attachment) {
  mjString text = {NULL, 0, 0};
  int ok = string_empty(name) || (namespaced(&text, attachment, string_text(name)) &&
                                  string_set(name, string_text(&text)));
  string_clear(&text);
  return ok;
}

// Name of a class as seen from the parent: main is everyone's main.
static int rename_class(mjString* name, const Attachment* attachment) {
  return !attachment->foreign || strcmp(string_text(name), "main") == 0 ||
         rename_text(name, attachment);
}

// 1, with the error set, if something in the parent's model has a (new) name already.
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
  return (!use->essential && !attachment->foreign) || rename_text(use->name, attachment);
}

typedef struct Fallback_ {
  const Attachment* attachment;
  int found;   // references that exist under their new names
  int missed;  // essential references that exist under no name
} Fallback;

// Takes the new name if something has it, else leaves the old one.
static int rename_if_found(const NameUse* use, void* context) {
  Fallback* fallback = context;
  const Attachment* attachment = fallback->attachment;
  if (!use->essential) {
    return rename_use(use, (void*)attachment);
  }
  mjString text = {NULL, 0, 0};
  int ok = namespaced(&text, attachment, string_text(use->name));
  if (ok && spec_find(attachment->tree, use->type, string_text(&text))) {
    fallback->found++;
    ok = string_set(use->name, string_text(&text));
  } else if (ok && !spec_find(attachment->tree, use->type, string_text(use->name))) {
    fallback->missed++;
  }
  string_clear(&text);
  return ok;
}

// May an element keep an old name where the new one doesn't exist?
static int has_fallback(mjtObj type) {
  return type == mjOBJ_PAIR || type == mjOBJ_EXCLUDE || type == mjOBJ_SENSOR ||
         type == mjOBJ_TENDON;
}

// Renames what a copied element refers to; 0 if it doesn't belong to the attached part, -1 if memory
// is out.
static int follow_references(SpecObject* object, const Attachment* attachment) {
  if (!has_fallback(object->element.elemtype)) {
    return reference_visit(object, rename_use, (void*)attachment) ? reference_resolves(object) : -1;
  }
  Fallback fallback = {attachment, 0, 0};
  if (!reference_visit(object, rename_if_found, &fallback)) {
    return -1;
  }
  if (fallback.missed) {
    return 0;
  }

  // a sensor of nothing in particular (a clock) comes with another spec; a replica needs no second
  // one
  int without = attachment->foreign && object->element.elemtype == mjOBJ_SENSOR &&
                string_empty(object->as.sensor.objname) && string_empty(object->as.sensor.refname);
  return (fallback.found || without) && reference_resolves(object);
}

// the part in the body tree

// Renames the class and the plugin of a copy.
static int rename_made(SpecObject* object, const Attachment* attachment) {
  mjString cls = {NULL, 0, 0};
  int ok = string_set(&cls, object->classname) && rename_class(&cls, attachment);
  const char* name = ok ? spec_intern(attachment->tree, string_text(&cls)) : NULL;
  string_clear(&cls);
  object->classname = name ? name : "";
  mjsPlugin* plugin = spec_pluginof(object);
  return name && (!plugin || !attachment->foreign || rename_text(plugin->name, attachment));
}

// Brings a copy into the namespace of the attachment.
static int adapt(SpecObject* object, const Attachment* attachment) {
  int ok = rename_made(object, attachment);
  if (ok && object->place.file &&
      !(object->place.file = spec_intern(attachment->tree, object->place.file))) {
    return 0;
  }
  if (object->element.elemtype == mjOBJ_BODY) {
    ok = ok && rename_class(object->as.body.childclass, attachment);
  } else if (object->element.elemtype == mjOBJ_FRAME) {
    ok = ok && rename_class(object->as.frame.childclass, attachment);
  }
  return ok && rename_text(&object->name, attachment) &&
         reference_visit(object, rename_use, (void*)attachment);
}

// Copies an element with its subtree. Sets *failed if memory is out.
static SpecObject* take(SpecObject* object, const Attachment* attachment, int* failed) {
  SpecObject* taken = spec_clone(object, attachment->tree);
  if (!taken) {
    *failed = 1;
    return NULL;
  }
  for (SpecObject* it = object; it; it = object_walk(it, object)) {
    it->copy->origin = it->origin;
  }
  for (SpecObject* it = taken; it; it = object_walk(it, taken)) {
    *failed |= !adapt(it, attachment);
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

// Copies of the frames around a frame, in the parent body; *out is the innermost. 0 if memory is
// out.
static int copy_enclosing(SpecObject** out, const SpecObject* frame, SpecObject* body,
                          const Attachment* attachment) {
  SpecObject* inner = NULL;
  for (SpecObject* it = frame->frame; it; it = it->frame) {
    SpecObject* copy = spec_clone(it, attachment->tree);
    if (!copy) {
      return 0;
    }
    copy->origin = it->origin;
    if (!adapt(copy, attachment)) {
      spec_destroy(copy);
      return 0;
    }

    // a second part of the same frame may come later
    if (spec_find(attachment->tree, mjOBJ_FRAME, spec_name(copy))) {
      spec_rename(copy, "");
    }
    spec_link(copy, body, NULL);
    *(inner ? &inner->frame : out) = copy;
    inner = copy;
  }
  return 1;
}

// The elements of a frame's body that are in the frame, itself among them, in document order. NULL
// if memory is out.
static SpecObject** members_of(SpecObject* frame, size_t* count) {
  size_t most = 0;
  for (SPEC_EACH_ANY(it, frame->parent)) {
    most++;
  }
  SpecObject** members = heap_take(most * sizeof(SpecObject*));
  *count = 0;
  for (SpecObject* it = members ? frame->parent->first : NULL; it; it = it->next) {
    if (it == frame || graft_isinside(it, frame)) {
      members[(*count)++] = it;
    }
  }
  return members;
}

SpecObject* graft_frame(SpecObject* frame, SpecObject* body, SpecObject* around,
                        const Attachment* attachment) {
  SpecObject* outer = around;
  if (!around && !copy_enclosing(&outer, frame, body, attachment)) {
    return NULL;
  }
  size_t count;
  SpecObject** members = members_of(frame, &count);
  SpecObject** frames = members ? heap_take(count * sizeof(SpecObject*)) : NULL;
  int ok = frames != NULL;
  for (size_t i = 0; ok && i < count; i++) {
    frames[i] = members[i]->frame;
  }

  // everything gets its place first; a frame may stand after what is inside it
  int failed = !ok;
  for (size_t i = 0; ok && i < count; i++) {
    SpecObject* taken = take(members[i], attachment, &failed);
    members[i]->copy = taken;
    if (taken) {
      spec_link(taken, body, NULL);
    }
  }
  for (size_t i = 0; ok && i < count; i++) {
    if (members[i]->copy) {
      members[i]->copy->frame = members[i] == frame ? outer : frames[i]->copy;
    }
  }
  heap_free(members);
  heap_free(frames);
  return failed ? NULL : frame->copy;
}

SpecObject* graft_body(SpecObject* body, SpecObject* parent, SpecObject* around,
                       const Attachment* attachment) {
  int failed = 0;
  SpecObject* taken = take(body, attachment, &failed);
  if (taken) {
    body->copy = taken;
    spec_link(taken, parent, around);
  }
  return failed ? NULL : taken;
}

int graft_content(SpecObject* from, SpecObject* frame, const Attachment* attachment) {
  int failed = 0;
  for (SPEC_EACH_ANY(it, from)) {
    SpecObject* taken = take(it, attachment, &failed);
    it->copy = taken;
    if (taken) {
      spec_link(taken, frame->parent, NULL);
    }
  }
  for (SPEC_EACH_ANY(it, from)) {
    if (it->copy) {
      it->copy->frame = it->frame && it->frame->copy ? it->frame->copy : frame;
    }
  }
  return !failed;
}

// all or nothing

void graft_begin(GraftMark* mark, SpecTree* tree, SpecObject* body) {
  for (int slot = 0; slot < SPEC_NSLOT; slot++) {
    mark->listed[slot] = tree->lists[slot].last;
  }
  mark->body = body;
  mark->child = body->last;
  mark->class = tree->main_class->last;
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
  key_undo(tree);
}

// Puts an element in the place of its copy, which is left over.
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

  // the frames around stay
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

// what is outside the body tree

static int copy_classes(const Attachment* attachment) {
  mjString name = {NULL, 0, 0};
  int ok = namespaced(&name, attachment, "main");
  int exists = ok && spec_class(attachment->tree, string_text(&name));
  string_clear(&name);
  if (!ok || exists) {
    return ok;
  }
  SpecObject* classes = spec_clone(attachment->from->main_class, attachment->tree);
  if (!classes) {
    return 0;
  }
  for (SpecObject* it = classes; it && ok; it = object_walk(it, classes)) {
    ok = rename_text(&it->name, attachment);
    if (it->origin == attachment->tree) {
      it->origin = attachment->from;
    }
    for (int type = 0; ok && type < mjNOBJECT; type++) {
      SpecObject* prototype = it->as.classdef.prototype[type];
      if (prototype) {
        prototype->classname = spec_intern(attachment->tree, spec_name(it));
        ok = prototype->classname && reference_visit(prototype, rename_use, (void*)attachment);
      }
    }
  }
  if (!ok) {
    spec_destroy(classes);
    return 0;
  }
  spec_link(classes, attachment->tree->main_class, NULL);
  return 1;
}

// Copies an element of a list, renames it and what it refers to, and appends it if it belongs to
// the part. 0 if memory is out.
static int copy_listed(SpecObject* object, const Attachment* attachment) {
  mjtObj type = object->element.elemtype;
  SpecObject* copy = spec_clone(object, attachment->tree);
  if (!copy) {
    return 0;
  }
  copy->origin = object->origin;
  int keeps_name = type == mjOBJ_FLEX || type == mjOBJ_SKIN;
  int ok = (keeps_name || rename_text(&copy->name, attachment)) && rename_made(copy, attachment);
  int follows = ok ? follow_references(copy, attachment) : -1;
  int repeated = follows > 0 && is_taken(attachment, type, spec_name(copy));
  if (follows <= 0 || repeated) {
    spec_destroy(copy);
    object->copy = NULL;
    return follows == 0;
  }
  object->copy = copy;
  spec_link(copy, NULL, NULL);
  copy->id = spec_count(attachment->tree, type) - 1;
  return 1;
}

// Name of an asset, or what it will be called after its file; 0 if memory is out.
static int asset_name(mjString* out, const SpecObject* object) {
  const mjString* file = spec_file(object);
  return string_set(out, spec_name(object)) &&
         (!string_empty(out) || !file || spec_filename(out, string_text(file)));
}

// Copies an asset. 0 if memory is out.
static int copy_asset(SpecObject* object, const Attachment* attachment) {
  mjString name = {NULL, 0, 0};
  SpecObject* copy = spec_clone(object, attachment->tree);
  int ok = copy && asset_name(&name, object) && rename_text(&name, attachment) &&
           adapt(copy, attachment) && string_set(&copy->name, string_text(&name));
  string_clear(&name);
  object->copy = ok ? copy : NULL;
  if (!ok) {
    spec_destroy(copy);
    return 0;
  }
  copy->origin = object->origin;
  spec_link(copy, NULL, NULL);
  copy->id = spec_count(attachment->tree, object->element.elemtype) - 1;
  return 1;
}

static int each_of(const mjtObj* types, int count, const Attachment* attachment,
                   int (*attach)(SpecObject* object, const Attachment* attachment)) {
  for (int i = 0; i < count; i++) {
    // when a model is attached to itself, the copies grow the list that is being read
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

static const mjtObj assets[] = {
    mjOBJ_PLUGIN,   mjOBJ_MESH,    mjOBJ_HFIELD, mjOBJ_TEXTURE,
    mjOBJ_MATERIAL, mjOBJ_NUMERIC, mjOBJ_TEXT,
};

int graft_assets(const Attachment* attachment) {
  return copy_classes(attachment) && each_of(assets, LENGTH(assets), attachment, copy_asset);
}

static const mjtObj followers[] = {
    mjOBJ_FLEX,     mjOBJ_PAIR,     mjOBJ_EXCLUDE, mjOBJ_TENDON,
    mjOBJ_EQUALITY, mjOBJ_ACTUATOR, mjOBJ_SENSOR,  mjOBJ_TUPLE,
};

int graft_followers(const Attachment* attachment) {
  static const mjtObj skin = mjOBJ_SKIN;
  return each_of(followers, LENGTH(followers), attachment, copy_listed) &&
         (!attachment->foreign || each_of(&skin, 1, attachment, copy_listed));
}

// names

int graft_checkname(SpecObject* object, const Attachment* attachment) {
  mjString name = {NULL, 0, 0};
  int ok = asset_name(&name, object) && rename_text(&name, attachment) &&
           !is_taken(attachment, object->element.elemtype, string_text(&name));
  string_clear(&name);
  return ok;
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
  return check_repeated(tree, assets, LENGTH(assets)) &&
         check_repeated(tree, followers, LENGTH(followers)) &&
         (attachment->foreign || check_repeated(tree, &key, 1));
}

int graft_checkassets(const Attachment* attachment) {
  return each_of(assets, LENGTH(assets), attachment, graft_checkname);
}
