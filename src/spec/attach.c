// mjs_attach: parts of one model in another.                                  spec 03, section 15.3
//
// (and of <replicate>: many copies of one body's content.)
//
// The part (a body with its subtree, or a frame with all that is inside it) is moved, or with the
// deep copy flag copied, below the parent. Every name in it becomes prefix + name + suffix, and so
// do the names by which it refers to other things. Then the elements outside the body tree follow
// as copies: from another spec all classes, assets and plugin instances, and from any spec the
// flexes, pairs, tendons, ... whose references exist in the parent under their new names. Keyframes
// are kept by element.
//
// Moved elements keep their addresses, so the user's pointers stay good. They also keep their
// origin: angles, directories and the like are still understood as the spec says in which they were
// written, so the parent keeps that spec alive.

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spec/attach.h"
#include "spec/key.h"
#include "spec/object.h"
#include "spec/reference.h"
#include "spec/spec.h"

typedef struct Attachment_ {
  SpecTree* tree;  // of the parent
  SpecTree* from;  // of the child
  const char* prefix;
  const char* suffix;
  int foreign;        // two different specs
  int copies;         // copy, don't move
  SpecObject** last;  // of replicas: by type, the last element that is an original
  SpecObject* taken;  // the part in its new place
} Attachment;

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

// Renames what a copied element refers to; 0 if it doesn't belong to the attached part.
static int follow_references(SpecObject* object, const Attachment* attachment) {
  if (!has_fallback(object->element.elemtype)) {
    return reference_visit(object, rename_use, (void*)attachment) && reference_resolves(object);
  }
  Fallback fallback = {attachment, 0, 0};
  if (!reference_visit(object, rename_if_found, &fallback) || fallback.missed) {
    return 0;
  }

  // a sensor of nothing in particular (a clock) comes with another spec; a replica needs no second
  // one
  int without = attachment->foreign && object->element.elemtype == mjOBJ_SENSOR &&
                string_empty(object->as.sensor.objname) && string_empty(object->as.sensor.refname);
  return (fallback.found || without) && reference_resolves(object);
}

// the part in the body tree

// Brings an object that came from another tree, or a copy, into the namespace of the attachment.
static int adapt(SpecObject* object, const Attachment* attachment) {
  mjString cls = {NULL, 0, 0};
  int ok = string_set(&cls, object->classname) && rename_class(&cls, attachment);
  object->classname = ok ? spec_intern(attachment->tree, string_text(&cls)) : NULL;
  string_clear(&cls);
  if (!object->classname) {
    object->classname = "";
    return 0;
  }
  if (object->place.file) {
    object->place.file = spec_intern(attachment->tree, object->place.file);
  }
  if (object->element.elemtype == mjOBJ_BODY) {
    ok = rename_class(object->as.body.childclass, attachment);
  } else if (object->element.elemtype == mjOBJ_FRAME) {
    ok = rename_class(object->as.frame.childclass, attachment);
  }
  mjsPlugin* plugin = spec_pluginof(object);
  if (plugin && attachment->foreign) {
    ok = ok && rename_text(plugin->name, attachment);
  }
  return ok && rename_text(&object->name, attachment) &&
         reference_visit(object, rename_use, (void*)attachment);
}

// Takes an element with its subtree out of its tree, or copies it. Sets *failed if memory is out:
// then a copy is NULL, and what was moved is in the new tree, with names that are not all new.
static SpecObject* take(SpecObject* object, const Attachment* attachment, int* failed) {
  SpecObject* taken = object;
  if (attachment->copies || !object->linked) {
    taken = spec_clone(object, attachment->tree);
    if (!taken) {
      *failed = 1;
      return NULL;
    }
    for (SpecObject* it = object; it; it = object_walk(it, object)) {
      it->copy->origin = it->origin;
    }
  } else {
    spec_unlink(object);
    for (SpecObject* it = object; it; it = object_walk(it, object)) {
      mjsPlugin* plugin = spec_pluginof(it);
      if (plugin && plugin->element) {
        SpecObject* instance = spec_object(plugin->element)->copy;
        plugin->element = instance ? &instance->element : NULL;
      }
      it->tree = attachment->tree;
    }
  }
  for (SpecObject* it = taken; it; it = object_walk(it, taken)) {
    *failed |= !adapt(it, attachment);
  }
  return taken;
}

static int inside(const SpecObject* object, const SpecObject* frame) {
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
  SpecObject** members = malloc(most * sizeof(SpecObject*));
  *count = 0;
  for (SpecObject* it = members ? frame->parent->first : NULL; it; it = it->next) {
    if (it == frame || inside(it, frame)) {
      members[(*count)++] = it;
    }
  }
  return members;
}

// Attaches a frame and what is inside it to a body; around is the frame there. If that is NULL the
// frames around it come along.
static SpecObject* attach_frame(SpecObject* frame, SpecObject* body, SpecObject* around,
                                const Attachment* attachment) {
  SpecObject* outer = around;
  if (!around && !copy_enclosing(&outer, frame, body, attachment)) {
    return NULL;
  }
  size_t count;
  SpecObject** members = members_of(frame, &count);
  SpecObject** frames = members ? malloc(count * sizeof(SpecObject*)) : NULL;
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
  free(members);
  free(frames);
  return failed ? NULL : frame->copy;
}

static SpecObject* attach_body(SpecObject* body, SpecObject* parent, SpecObject* around,
                               const Attachment* attachment) {
  int failed = 0;
  SpecObject* taken = take(body, attachment, &failed);
  if (taken) {
    body->copy = taken;
    spec_link(taken, parent, around);
  }
  return failed ? NULL : taken;
}

// Copies all children of a body into a frame of another body; 0 if memory is out.
static int attach_content(SpecObject* from, SpecObject* frame, const Attachment* attachment) {
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

// what is outside the body tree

static int attach_classes(const Attachment* attachment) {
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
static int attach_listed(SpecObject* object, const Attachment* attachment) {
  mjtObj type = object->element.elemtype;
  SpecObject* copy = spec_clone(object, attachment->tree);
  if (!copy) {
    return 0;
  }
  copy->origin = object->origin;
  int keeps_name = type == mjOBJ_FLEX || type == mjOBJ_SKIN;
  mjString cls = {NULL, 0, 0};
  int ok = (keeps_name || rename_text(&copy->name, attachment)) &&
           string_set(&cls, copy->classname) && rename_class(&cls, attachment);
  copy->classname = ok ? spec_intern(attachment->tree, string_text(&cls)) : "";
  string_clear(&cls);
  mjsPlugin* plugin = spec_pluginof(copy);
  if (plugin && attachment->foreign) {
    ok = ok && rename_text(plugin->name, attachment);
  }
  int follows = ok && copy->classname && follow_references(copy, attachment);
  int repeated = follows && is_taken(attachment, type, spec_name(copy));
  if (!follows || repeated) {
    spec_destroy(copy);
    object->copy = NULL;
    return ok && !repeated;
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
static int attach_asset(SpecObject* object, const Attachment* attachment) {
  mjString name = {NULL, 0, 0};
  SpecObject* copy = spec_clone(object, attachment->tree);
  int ok = copy && asset_name(&name, object) && rename_text(&name, attachment) &&
           adapt(copy, attachment) && string_set(&copy->name, string_text(&name));
  string_clear(&name);
  object->copy = ok ? copy : NULL;
  if (!ok) {
    if (copy) {
      spec_destroy(copy);
    }
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

static int attach_assets(const Attachment* attachment) {
  return attach_classes(attachment) && each_of(assets, LENGTH(assets), attachment, attach_asset);
}

static int attach_followers(const Attachment* attachment) {
  static const mjtObj types[] = {
      mjOBJ_FLEX,     mjOBJ_PAIR,     mjOBJ_EXCLUDE, mjOBJ_TENDON,
      mjOBJ_EQUALITY, mjOBJ_ACTUATOR, mjOBJ_SENSOR,  mjOBJ_TUPLE,
  };
  static const mjtObj skin = mjOBJ_SKIN;
  return each_of(types, LENGTH(types), attachment, attach_listed) &&
         (!attachment->foreign || each_of(&skin, 1, attachment, attach_listed));
}

// names

// 0, with the error set, if the parent's model has the new name of an object already.
static int check_name(SpecObject* object, const Attachment* attachment) {
  mjString name = {NULL, 0, 0};
  int ok = asset_name(&name, object) && rename_text(&name, attachment) &&
           !is_taken(attachment, object->element.elemtype, string_text(&name));
  string_clear(&name);
  return ok;
}

static int check_subtree(SpecObject* root, const Attachment* attachment) {
  int ok = 1;
  for (SpecObject* it = root; it && ok; it = object_walk(it, root)) {
    ok = check_name(it, attachment);
  }
  return ok;
}

// The same for all that an attachment brings in any case, before anything is changed.
static int check_names(const SpecObject* child, const Attachment* attachment) {
  mjtObj what = child->element.elemtype;
  int ok = !attachment->foreign || each_of(assets, LENGTH(assets), attachment, check_name);
  if (what == mjOBJ_BODY) {
    return ok && check_subtree((SpecObject*)child, attachment);
  }
  const SpecObject* body = what == mjOBJ_MODEL ? attachment->from->world : child->parent;
  for (SpecObject* it = body->first; it && ok; it = it->next) {
    if (what == mjOBJ_MODEL || it == child || inside(it, child)) {
      ok = check_subtree(it, attachment);
    }
  }
  return ok;
}

// the whole

// A new frame with the pose of a site.
static SpecObject* frame_of_site(SpecObject* site) {
  SpecObject* frame = spec_create(site->tree, mjOBJ_FRAME, NULL);
  if (!frame) {
    return NULL;
  }
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

// A new frame around all of a spec's world.
static SpecObject* frame_of_world(SpecTree* tree) {
  SpecObject* frame = spec_add(tree, mjOBJ_FRAME, tree->world, NULL);
  for (SpecObject* it = frame ? tree->world->first : NULL; it; it = it->next) {
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

static SpecObject* attach_part(SpecObject* parent, SpecObject* child,
                               const Attachment* attachment) {
  SpecObject* frame = parent;
  SpecObject* around_world = NULL;
  if (parent->element.elemtype == mjOBJ_SITE) {
    frame = frame_of_site(parent);
    if (!frame) {
      return NULL;
    }
  }
  int to_body = parent->element.elemtype == mjOBJ_BODY;
  SpecObject* body = to_body ? parent : frame->parent;
  SpecObject* around = to_body ? NULL : frame;
  if (child->element.elemtype == mjOBJ_MODEL) {
    child = around_world = frame_of_world(attachment->from);
    if (!child) {
      return NULL;
    }
  }
  SpecObject* taken = child->element.elemtype == mjOBJ_BODY
                          ? attach_body(child, body, around, attachment)
                          : attach_frame(child, body, around, attachment);
  if (around_world && around_world->tree == attachment->from) {
    undo_frame_of_world(around_world);
  }
  return taken;
}

// What is wrong with attaching these two, NULL if nothing.
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

// Everything in its order: keys are noted before elements move, plugins and assets come before what
// uses them. 0 on failure.
static int attach_all(SpecObject* to, SpecObject* what, Attachment* attachment) {
  SpecTree* from = attachment->from;
  SpecTree* tree = attachment->tree;
  if ((attachment->foreign && !spec_flushkeys(from)) || !key_pin(from, tree)) {
    return 0;
  }
  tree_clearcopies(from);
  int ok = 1;
  if (attachment->foreign) {
    ok = tree_hold(tree, from) && attach_assets(attachment);
    from->attached |= !attachment->copies;
  }
  attachment->taken = ok ? attach_part(to, what, attachment) : NULL;
  ok = attachment->taken && attach_followers(attachment) &&
       key_derive(tree, from, attachment->prefix, attachment->suffix);

  // what moved is no longer the child's, its own keys know only the rest
  if (attachment->foreign) {
    key_forgetmoved(from);
    ok = spec_flushkeys(from) && ok;
  }
  tree_clearcopies(from);
  tree_clearcopies(tree);
  return ok;
}

mjsElement* mjs_attach(mjsElement* parent, const mjsElement* child, const char* prefix,
                       const char* suffix) {
  if (!parent || !child) {
    mju_error("mjs_attach: %s element is null", parent ? "child" : "parent");
    return NULL;
  }
  SpecObject* to = spec_object(parent);
  SpecObject* what = spec_object(child);
  const char* reason = refusal(to, what);
  if (reason) {
    spec_error(to->tree, "%s", reason);
    return NULL;
  }
  Attachment attachment = {
      .tree = to->tree,
      .from = what->tree,
      .prefix = prefix ? prefix : "",
      .suffix = suffix ? suffix : "",
      .foreign = to->tree != what->tree,
      .copies = to->tree->deepcopy,
  };

  string_clear(&to->tree->error);
  if (!check_names(what, &attachment) || !attach_all(to, what, &attachment)) {
    if (string_empty(&to->tree->error)) {
      spec_error(to->tree, "out of memory");
    }
    return NULL;
  }
  return &attachment.taken->element;
}

// replicas

// Pose of a replica: its angles are multiples of the given ones, its place is that of the one
// before plus the offset as that one sees it.
//
//   q_i = euler(i e),   p_0 = 0,   p_(i+1) = p_i + R(q_i) offset
static const char* replica_orientation(double quat[4], const SpecObject* body,
                                       const double euler[3], int i) {
  const mjsCompiler* compiler = &body->origin->spec.compiler;
  mjsOrientation turned = {.type = mjORIENTATION_EULER};
  for (int k = 0; k < 3; k++) {
    turned.euler[k] = i * euler[k];
  }
  memcpy(quat, (double[4]){1, 0, 0, 0}, 4 * sizeof(double));
  return mjs_resolveOrientation(quat, compiler->degree, compiler->eulerseq, &turned);
}

// pos += R(quat) v
static void advance(double pos[3], const double quat[4], const double v[3]) {
  double w = quat[0], x = quat[1], y = quat[2], z = quat[3];
  double t[3] = {2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])};
  pos[0] += v[0] + w * t[0] + (y * t[2] - z * t[1]);
  pos[1] += v[1] + w * t[1] + (z * t[0] - x * t[2]);
  pos[2] += v[2] + w * t[2] + (x * t[1] - y * t[0]);
}

static int count_digits(int n) {
  int digits = 1;
  while (n >= 10) {
    n /= 10;
    digits++;
  }
  return digits;
}

int spec_replicate(SpecObject* body, SpecObject* around, const SpecReplication* replication) {
  SpecTree* tree = body->tree;
  SpecObject* last[SPEC_NSLOT];
  for (int type = 0; type < SPEC_NSLOT; type++) {
    last[type] = tree->lists[type].last;
  }
  mjString suffix = {NULL, 0, 0};
  Attachment attachment = {.tree = tree, .from = tree, .prefix = "", .copies = 1, .last = last};

  // what is noted once holds for all replicas: each copies the same elements
  int ok = key_pin(tree, tree), digits = count_digits(replication->count);
  double pos[3] = {0, 0, 0};
  tree_clearcopies(tree);
  for (int i = 0; ok && i < replication->count; i++) {
    ok = string_format(&suffix, "%s%0*d", replication->separator, digits, i);
    SpecObject* frame = ok ? spec_create(tree, mjOBJ_FRAME, NULL) : NULL;
    if (!frame) {
      ok = 0;
      break;
    }
    spec_link(frame, body->parent, around);
    attachment.suffix = string_text(&suffix);
    const char* problem = replica_orientation(frame->as.frame.quat, body, replication->euler, i);
    if (problem) {
      spec_error(tree, "%s", problem);
      ok = 0;
      break;
    }
    memcpy(frame->as.frame.pos, pos, sizeof(pos));
    advance(pos, frame->as.frame.quat, replication->offset);
    ok = attach_content(body, frame, &attachment) && attach_followers(&attachment) &&
         key_derive(tree, tree, "", attachment.suffix) && key_addcopies(tree);

    // keys that came with attached models go on in the first replica
    if (ok && i == 0) {
      key_follow(tree);
    }
  }
  key_dropactuators(tree);
  tree_clearcopies(tree);
  string_clear(&suffix);
  if (!ok && string_empty(&tree->error)) {
    spec_error(tree, "out of memory");
  }
  return ok && mjs_delete(&tree->spec, &body->element) == 0;
}
