// key.c: the layout of keyframes, and keyframes as numbers per element ("pending keys") while
// elements come and go.

#include "spec/key.h"

#include <condyle/behaviour.h>
#include <math.h>
#include <mujoco/mjspec.h>
#include <string.h>

#include "base/actuator.h"
#include "base/joint.h"
#include "base/memory/memory.h"

int actuator_states(const mjsActuator* actuator) {
  return actuator->actdim >= 0 ? actuator->actdim
                               : activation_count((int)actuator->gaintype, (int)actuator->dyntype,
                                                  actuator->gainprm, actuator->dynprm);
}

// Numbers of the rest of a spring, if it yields.
static size_t joint_nplastic(const mjsJoint* joint) {
  return joint->springyield > 0 && joint->type != mjJNT_FREE ? (size_t)joint_nq(joint->type) : 0;
}

static void add_slot(KeyLayout* layout, SpecObject* object, int field, size_t num) {
  layout->slot[layout->nslot++] = (KeySlot){object, field, layout->size[field], num};
  layout->size[field] += num;
}

int key_layout(KeyLayout* layout, const SpecTree* tree) {
  memset(layout, 0, sizeof(*layout));
  size_t most =
      3 * (size_t)spec_count(tree, mjOBJ_JOINT) +
      2 * ((size_t)spec_count(tree, mjOBJ_BODY) + (size_t)spec_count(tree, mjOBJ_ACTUATOR)) +
      (size_t)spec_count(tree, mjOBJ_TENDON);
  layout->slot = heap_take(most * sizeof(KeySlot));
  if (!layout->slot) {
    return 0;
  }
  for (SPEC_EACH(body, tree, mjOBJ_BODY)) {
    if (body->as.body.mocap) {
      add_slot(layout, body, KEY_MPOS, 3);
      add_slot(layout, body, KEY_MQUAT, 4);
    }
    for (SPEC_EACH_CHILD(joint, body, mjOBJ_JOINT)) {
      add_slot(layout, joint, KEY_QPOS, (size_t)joint_nq(joint->as.joint.type));
      add_slot(layout, joint, KEY_QVEL, (size_t)joint_nv(joint->as.joint.type));
      add_slot(layout, joint, KEY_PLASTIC, joint_nplastic(&joint->as.joint));
    }
  }
  for (SPEC_EACH(actuator, tree, mjOBJ_ACTUATOR)) {
    const mjsActuator* spec = &actuator->as.actuator;
    add_slot(layout, actuator, KEY_ACT, (size_t)actuator_states(spec));
    add_slot(layout, actuator, KEY_CTRL, (size_t)input_count((int)spec->gaintype, spec->ctrlspec));
  }
  for (SPEC_EACH(tendon, tree, mjOBJ_TENDON)) {
    add_slot(layout, tendon, KEY_PLASTIC, tendon->as.tendon.springyield > 0 ? 2 : 0);
  }
  return 1;
}

// The array of a field of a keyframe. The first vectors of a keyframe are its fields, in order.
mjDoubleVec* key_field(SpecObject* key, int field) {
  return &key->vectors[field].doubles;
}

static int is_recorded(const SpecTree* tree, const SpecObject* key) {
  for (const SpecPendingKey* it = tree->pending; it; it = it->next) {
    if (it->key == key) {
      return 1;
    }
  }
  return 0;
}

// Slots are in the order of their addresses, so kept numbers can be moved down in place.
void key_shrink(SpecTree* tree, const KeyLayout* before) {
  for (size_t i = 0; i < before->nslot; i++) {
    const KeySlot* slot = before->slot + i;
    tree->shrunk |= slot->num && !slot->object->registered && spec_count(tree, mjOBJ_KEY);
  }
  for (SPEC_EACH(key, tree, mjOBJ_KEY)) {
    if (tree->keeps_keys || is_recorded(tree, key)) {
      continue;
    }
    for (int field = 0; field < KEY_NFIELD; field++) {
      mjDoubleVec* values = key_field(key, field);
      if (values->num != before->size[field]) {
        continue;  // wrong length: the owners of the numbers are unknown
      }
      size_t to = 0;
      for (size_t i = 0; i < before->nslot; i++) {
        const KeySlot* slot = before->slot + i;
        if (slot->field == field && slot->object->registered) {
          if (slot->num) {
            memmove(values->ptr + to, values->ptr + slot->adr, slot->num * sizeof(double));
          }
          to += slot->num;
        }
      }
      values->num = to;
    }
  }
}

// pending keys

// Appends one pending key, or a list of them, to those of a tree.
static void append(SpecTree* tree, SpecPendingKey* pending) {
  SpecPendingKey** end = &tree->pending;
  while (*end) {
    end = &(*end)->next;
  }
  *end = pending;
}

// Makes room for `count` more parts. Returns 0 if memory runs out.
static int reserve_parts(SpecPendingKey* pending, size_t count) {
  size_t total = pending->npart + count;
  SpecKeyPart* part = heap_resize(pending->part, (total ? total : 1) * sizeof(SpecKeyPart));
  if (!part) {
    return 0;
  }
  pending->part = part;
  return 1;
}

// Makes an unlinked pending key with room for `parts` parts. NULL if memory runs out.
static SpecPendingKey* make_pending(SpecTree* tree, const char* name, double time,
                                    SourcePlace place, size_t parts) {
  SpecPendingKey* pending = heap_zero(1, sizeof(SpecPendingKey));
  if (!pending) {
    return NULL;
  }
  if (!string_set(&pending->name, name) || !reserve_parts(pending, parts)) {
    pending_free(pending);
    return NULL;
  }
  pending->time = time;
  pending->place = place;
  if (place.file) {
    pending->place.file = spec_intern(tree, place.file);
  }
  return pending;
}

// Adds the numbers of one element; the caller has made room for the part. Returns 0 if memory runs
// out.
static int add_part(SpecPendingKey* pending, SpecObject* object, int field, const double* values,
                    size_t num) {
  mjDoubleVec own = {NULL, 0, 0};
  double* copy = doubles_push(&own, num);
  if (!copy) {
    return 0;
  }
  memcpy(copy, values, num * sizeof(double));
  pending->part[pending->npart++] = (SpecKeyPart){object, field, own};
  return 1;
}

static int fits(SpecObject* key, const KeyLayout* layout, SpecTree* report) {
  static const char* const fields[KEY_NFIELD] = {"qpos",  "qvel", "act",    "mpos",
                                                 "mquat", "ctrl", "plastic"};
  for (int field = 0; field < KEY_NFIELD; field++) {
    size_t size = key_field(key, field)->num;
    if (size && size != layout->size[field]) {
      if (!report) {
        return 0;
      }
      spec_error(report, "Keyframe '%s' has invalid %s size, got %zu, should be %zu",
                 spec_name(key), fields[field], size, layout->size[field]);
      return 0;
    }
  }
  return 1;
}

// Records a key that is written for the complete model. It stays as it is, so it has no parts.
static int record_whole(SpecObject* key) {
  SpecPendingKey* pending =
      make_pending(key->tree, spec_name(key), key->as.key.time, key->place, 0);
  if (!pending) {
    return 0;
  }
  pending->key = key;
  pending->whole = 1;
  append(key->tree, pending);
  return 1;
}

static int record(SpecObject* key, const KeyLayout* layout) {
  SpecPendingKey* pending =
      make_pending(key->tree, spec_name(key), key->as.key.time, key->place, layout->nslot);
  if (!pending) {
    return 0;
  }
  pending->key = key;
  for (int field = 0; field < KEY_NFIELD; field++) {
    pending->present[field] = key_field(key, field)->num > 0;
  }
  for (size_t i = 0; i < layout->nslot; i++) {
    const KeySlot* slot = layout->slot + i;
    if (pending->present[slot->field] && slot->num &&
        !add_part(pending, slot->object, slot->field, key_field(key, slot->field)->ptr + slot->adr,
                  slot->num)) {
      pending_free(pending);
      return 0;
    }
  }
  append(key->tree, pending);
  return 1;
}

int key_record(SpecTree* tree, SpecTree* report) {
  if (!spec_count(tree, mjOBJ_KEY)) {
    return 1;
  }
  KeyLayout layout;
  if (!key_layout(&layout, tree)) {
    return 0;
  }
  int ok = 1;
  for (SpecObject* key = spec_first(tree, mjOBJ_KEY); key && ok; key = spec_next(key)) {
    ok = !report || is_recorded(tree, key) || fits(key, &layout, report);
  }
  for (SpecObject* key = spec_first(tree, mjOBJ_KEY); key && ok; key = spec_next(key)) {
    ok = is_recorded(tree, key) ||
         (fits(key, &layout, NULL) ? record(key, &layout) : record_whole(key));
  }
  heap_free(layout.slot);
  return ok;
}

// The pending key of a tree that will make a key of this name; NULL if there is none.
static SpecPendingKey* find_pending(SpecTree* tree, const char* name) {
  for (SpecPendingKey* it = tree->pending; it; it = it->next) {
    if (!it->key && name[0] && strcmp(string_text(&it->name), name) == 0) {
      return it;
    }
  }
  return NULL;
}

static void derive(SpecTree* tree, const SpecPendingKey* from, const char* name) {
  SpecPendingKey* pending = find_pending(tree, name);
  if (pending) {
    reserve_parts(pending, from->npart);
  } else {
    pending = make_pending(tree, name, from->time, from->place, from->npart);
    append(tree, pending);
  }
  for (int field = 0; field < KEY_NFIELD; field++) {
    pending->present[field] |= from->present[field];
  }
  for (size_t i = 0; i < from->npart; i++) {
    const SpecKeyPart* part = from->part + i;
    SpecObject* object = part->object && part->object->copy ? part->object->copy : part->object;
    if (object && object->tree == tree && object->registered) {
      add_part(pending, object, part->field, part->values.ptr, part->values.num);
    }
  }
}

void key_derive(SpecTree* tree, const SpecTree* from, const char* prefix, const char* suffix) {
  // if tree and from are the same, derived keys are appended to the list that is read here, so the
  // loop ends at the last original key
  const SpecPendingKey* last = NULL;
  for (const SpecPendingKey* it = from->pending; it; it = it->next) {
    last = it;
  }
  for (const SpecPendingKey* it = from->pending; it; it = it == last ? NULL : it->next) {
    if (!it->key || it->closed || it->whole) {
      continue;
    }
    mjString name = {NULL, 0, 0};
    string_format(&name, "%s%s%s", prefix, string_text(&it->name), suffix);

    // only one nameless key can be called prefix + suffix; others stay nameless
    if (string_empty(&it->name) && find_pending(tree, string_text(&name))) {
      string_clear(&name);
    }
    derive(tree, it, string_text(&name));
    string_clear(&name);
  }
}

void key_begin(SpecTree* tree) {
  tree->npending = 0;
  for (SpecPendingKey* it = tree->pending; it; it = it->next) {
    tree->npending++;
    it->npart_before = it->npart;
    memcpy(it->present_before, it->present, sizeof(it->present));
  }
}

void key_undo(SpecTree* tree) {
  SpecPendingKey** link = &tree->pending;
  for (int i = 0; i < tree->npending; i++, link = &(*link)->next) {
    pending_drop(*link, (*link)->npart_before);
    memcpy((*link)->present, (*link)->present_before, sizeof((*link)->present));
  }
  while (*link) {
    SpecPendingKey* next = (*link)->next;
    pending_free(*link);
    *link = next;
  }
}

void key_close(SpecTree* tree) {
  SpecPendingKey* closed = NULL;
  SpecPendingKey** closed_end = &closed;
  for (SpecPendingKey** link = &tree->pending; *link;) {
    SpecPendingKey* it = *link;
    if (it->key && !it->closed) {
      it->closed = 1;
      *link = it->next;
      it->next = NULL;
      *closed_end = it;
      closed_end = &it->next;
    } else {
      link = &it->next;
    }
  }
  append(tree, closed);
}

void key_follow(SpecTree* tree) {
  for (SpecPendingKey* it = tree->pending; it; it = it->next) {
    for (size_t i = 0; (!it->key || it->closed) && i < it->npart; i++) {
      SpecObject* object = it->part[i].object;
      it->part[i].object = object && object->copy ? object->copy : object;
    }
  }
}

// Is an element in a spec that has the later rules of the compiler?
static int compiles_later(const SpecObject* object) {
  return object->tree->spec.option.behaviour >> cndBEHAVIOUR_compile & 1;
}

// Numbers for an element that a key was not written for: the attributes of the element as written,
// without conversion of units or frames. NaN leaves it to the compiler: the rest of a spring, and
// by its later rule all numbers.
static void raw_values(double* out, const SpecObject* object, int field, size_t num) {
  memset(out, 0, num * sizeof(double));
  if (field == KEY_PLASTIC || compiles_later(object)) {
    for (size_t i = 0; i < num; i++) {
      out[i] = NAN;
    }
  } else if (field == KEY_MPOS) {
    memcpy(out, object->as.body.pos, 3 * sizeof(double));
  } else if (field == KEY_MQUAT) {
    memcpy(out, object->as.body.quat, 4 * sizeof(double));
  } else if (field == KEY_QPOS && object->as.joint.type == mjJNT_FREE) {
    out[3] = 1;
  } else if (field == KEY_QPOS && object->as.joint.type == mjJNT_BALL) {
    out[0] = object->as.joint.ref < 0 ? -1 : 1;  // (ref, 0, 0, 0), normalized
  } else if (field == KEY_QPOS) {
    out[0] = object->as.joint.ref;
  }
}

// Fills the missing numbers of one element. If some numbers of a joint are given, the missing ones
// are zero. A mocap pose with missing numbers is replaced as a whole.
static void fill_slot(double* out, const KeySlot* slot, size_t given) {
  size_t here = given > slot->adr ? given - slot->adr : 0;
  if (here >= slot->num) {
    return;
  }
  int is_pose = slot->field == KEY_MPOS || slot->field == KEY_MQUAT;
  if (here == 0 || is_pose) {
    raw_values(out + slot->adr, slot->object, slot->field, slot->num);
  } else {
    memset(out + slot->adr + here, 0, (slot->num - here) * sizeof(double));
  }
}

// Leaves all numbers from the first missing one on to the compiler.
static void leave_open(mjDoubleVec* values, size_t given) {
  for (size_t i = given; i < values->num; i++) {
    values->ptr[i] = NAN;
  }
}

// Fills one array. Returns 0, with the array unchanged, if memory runs out.
static int fill(mjDoubleVec* values, int field, const KeyLayout* layout) {
  size_t given = values->num;
  if (!doubles_resize(values, layout->size[field])) {
    return 0;
  }
  int later = layout->nslot && compiles_later(layout->slot[0].object);
  if (later) {
    leave_open(values, given);
  }
  for (size_t i = 0; i < layout->nslot && !later; i++) {
    if (layout->slot[i].field == field) {
      fill_slot(values->ptr, layout->slot + i, given);
    }
  }
  return 1;
}

// Reserves the memory that an array needs. Returns 0 if memory runs out.
static int reserve(mjDoubleVec* values, int field, const KeyLayout* layout) {
  size_t given = values->num;
  int ok = doubles_resize(values, layout->size[field]);
  values->num = given;
  return ok;
}

// Calls a function for all arrays that are too short, until it returns 0.
static int each_short(SpecTree* tree, const KeyLayout* layout,
                      int (*call)(mjDoubleVec* values, int field, const KeyLayout* layout)) {
  int ok = 1;
  for (SPEC_EACH(key, tree, mjOBJ_KEY)) {
    int fields = is_recorded(tree, key) ? 0 : KEY_NFIELD;
    for (int field = 0; ok && field < fields; field++) {
      mjDoubleVec* values = key_field(key, field);
      if (values->num && values->num < layout->size[field]) {
        ok = call(values, field, layout);
      }
    }
  }
  return ok;
}

int spec_fillkeys(SpecTree* tree) {
  KeyLayout layout;
  if (!spec_count(tree, mjOBJ_KEY)) {
    return 1;
  }
  if (!key_layout(&layout, tree)) {
    return 0;
  }
  int ok = each_short(tree, &layout, reserve) && each_short(tree, &layout, fill);
  heap_free(layout.slot);
  return ok;
}

void key_addcopies(SpecTree* tree) {
  for (SpecPendingKey* it = tree->pending; it; it = it->next) {
    size_t count = it->key && !it->closed ? it->npart : 0;
    reserve_parts(it, count);
    for (size_t i = 0; i < count; i++) {
      SpecKeyPart part = it->part[i];
      SpecObject* copy = part.object ? part.object->copy : NULL;
      double values[7];
      if (copy && part.field != KEY_ACT && part.field != KEY_CTRL) {
        raw_values(values, copy, part.field, part.values.num);
        add_part(it, copy, part.field, values, part.values.num);
      }
    }
  }
}

void key_dropactuators(SpecTree* tree) {
  for (SpecPendingKey* it = tree->pending; it; it = it->next) {
    if (!it->key || it->closed) {
      it->present[KEY_ACT] = it->present[KEY_CTRL] = 0;
    }
  }
}

void key_forgetmoved(SpecTree* tree) {
  for (SpecPendingKey* it = tree->pending; it; it = it->next) {
    for (size_t i = 0; i < it->npart; i++) {
      if (it->part[i].object && it->part[i].object->tree != tree) {
        it->part[i].object = NULL;
      }
    }
  }
}

void key_copypending(SpecTree* dst, const SpecTree* src) {
  for (const SpecPendingKey* it = src->pending; it; it = it->next) {
    SpecPendingKey* pending =
        make_pending(dst, string_text(&it->name), it->time, it->place, it->npart);
    append(dst, pending);
    pending->key = it->key ? it->key->copy : NULL;
    pending->closed = it->closed;
    pending->whole = it->whole;
    memcpy(pending->present, it->present, sizeof(it->present));
    for (size_t i = 0; i < it->npart; i++) {
      const SpecKeyPart* part = it->part + i;
      if (part->object && part->object->copy) {
        add_part(pending, part->object->copy, part->field, part->values.ptr, part->values.num);
      }
    }
  }
}

// flushing

// Writes one part of a pending key to the slot of its element. An element that was deleted or
// changed its type has no slot. Parts come nearly in the order of slots, so the search starts where
// the last one ended.
static void write_part(SpecObject* key, const KeyLayout* layout, const SpecKeyPart* part,
                       size_t* next) {
  for (size_t i = 0; part->object && i < layout->nslot; i++) {
    size_t at = *next + i < layout->nslot ? *next + i : *next + i - layout->nslot;
    const KeySlot* slot = layout->slot + at;
    if (slot->object == part->object && slot->field == part->field &&
        slot->num == part->values.num) {
      memcpy(key_field(key, slot->field)->ptr + slot->adr, part->values.ptr,
             slot->num * sizeof(double));
      *next = at;
      return;
    }
  }
}

// Writes a pending key into a key. It makes room first, so that a key that can't be written stays
// pending.
static int write_key(SpecObject* key, const SpecPendingKey* pending, const KeyLayout* layout) {
  if (!pending->key) {
    key->as.key.time = pending->time;
    key->place = pending->place;
    if (!string_set(&key->name, string_text(&pending->name))) {
      return 0;
    }
  }
  for (int field = 0; field < KEY_NFIELD; field++) {
    size_t size = pending->present[field] ? layout->size[field] : 0;
    mjDoubleVec* values = key_field(key, field);
    if (!doubles_resize(values, size)) {
      return 0;
    }
    for (size_t i = 0; i < size; i++) {
      values->ptr[i] = NAN;
    }
  }
  size_t next = 0;
  for (size_t i = 0; i < pending->npart; i++) {
    if (pending->present[pending->part[i].field]) {
      write_part(key, layout, pending->part + i, &next);
    }
  }
  return 1;
}

// Fills up the arrays of a key that are too short.
static int complete_key(SpecObject* key, const KeyLayout* layout) {
  int ok = 1;
  for (int field = 0; ok && field < KEY_NFIELD; field++) {
    mjDoubleVec* values = key_field(key, field);
    if (values->num && values->num < layout->size[field]) {
      ok = fill(values, field, layout);
    }
  }
  return ok;
}

static int flush(SpecTree* tree, const SpecPendingKey* pending, const KeyLayout* layout) {
  SpecObject* key = pending->key ? pending->key : spec_create(tree, mjOBJ_KEY, NULL);
  if (!key) {
    return 0;
  }
  if (!(pending->whole ? complete_key(key, layout) : write_key(key, pending, layout))) {
    spec_destroy(pending->key ? NULL : key);
    return 0;
  }
  spec_unlink(key);
  spec_link(key, NULL, NULL);
  return 1;
}

int spec_flushkeys(SpecTree* tree) {
  if (!tree->pending) {
    return 1;
  }
  KeyLayout layout;
  if (!key_layout(&layout, tree)) {
    return 0;
  }
  int ok = 1;
  while (ok && tree->pending) {
    SpecPendingKey* pending = tree->pending;
    ok = flush(tree, pending, &layout);
    if (ok) {
      tree->pending = pending->next;
      pending_free(pending);
    }
  }
  heap_free(layout.slot);
  int id = 0;
  for (SPEC_EACH(key, tree, mjOBJ_KEY)) {
    key->id = id++;
  }
  return ok;
}
