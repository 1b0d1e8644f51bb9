#include "spec/key.h"

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdlib.h>
#include <string.h>

// One element's numbers in a kept keyframe.
typedef struct Part_ {
  SpecObject* object;  // NULL: gone meanwhile
  int field;
  mjDoubleVec values;
} Part;

struct SpecPendingKey_ {
  SpecPendingKey* next;
  mjString name;
  double time;
  int present[KEY_NFIELD];  // the array was given, even if no part of it came along
  Part* part;
  size_t npart;
};

static size_t joint_nq(mjtJoint type) {
  return type == mjJNT_FREE ? 7 : type == mjJNT_BALL ? 4 : 1;
}

static size_t joint_nv(mjtJoint type) {
  return type == mjJNT_FREE ? 6 : type == mjJNT_BALL ? 3 : 1;
}

static size_t actuator_na(const mjsActuator* actuator) {
  return actuator->actdim >= 0 ? (size_t)actuator->actdim : actuator->dyntype != mjDYN_NONE;
}

static void add_slot(KeyLayout* layout, SpecObject* object, int field, size_t num) {
  layout->slot[layout->nslot++] = (KeySlot){object, field, layout->size[field], num};
  layout->size[field] += num;
}

int key_layout(KeyLayout* layout, const SpecTree* tree) {
  memset(layout, 0, sizeof(*layout));
  size_t most = 2 * ((size_t)spec_count(tree, mjOBJ_JOINT) + (size_t)spec_count(tree, mjOBJ_BODY) +
                     (size_t)spec_count(tree, mjOBJ_ACTUATOR));
  layout->slot = malloc(most * sizeof(KeySlot));
  if (!layout->slot) {
    return 0;
  }
  for (SPEC_EACH(body, tree, mjOBJ_BODY)) {
    if (body->as.body.mocap) {
      add_slot(layout, body, KEY_MPOS, 3);
      add_slot(layout, body, KEY_MQUAT, 4);
    }
    for (SPEC_EACH_CHILD(joint, body, mjOBJ_JOINT)) {
      add_slot(layout, joint, KEY_QPOS, joint_nq(joint->as.joint.type));
      add_slot(layout, joint, KEY_QVEL, joint_nv(joint->as.joint.type));
    }
  }
  for (SPEC_EACH(actuator, tree, mjOBJ_ACTUATOR)) {
    add_slot(layout, actuator, KEY_ACT, actuator_na(&actuator->as.actuator));
    add_slot(layout, actuator, KEY_CTRL, 1);
  }
  return 1;
}

mjDoubleVec* key_field(SpecObject* key, int field) {
  mjsKey* pub = &key->as.key;
  switch (field) {
    case KEY_QPOS:
      return pub->qpos;
    case KEY_QVEL:
      return pub->qvel;
    case KEY_ACT:
      return pub->act;
    case KEY_MPOS:
      return pub->mpos;
    case KEY_MQUAT:
      return pub->mquat;
    default:
      return pub->ctrl;
  }
}

// Slots stand in the order of their addresses, so the numbers that stay can be moved down in place.
void key_shrink(SpecTree* tree, const KeyLayout* before) {
  for (SPEC_EACH(key, tree, mjOBJ_KEY)) {
    for (int field = 0; field < KEY_NFIELD; field++) {
      mjDoubleVec* values = key_field(key, field);
      if (values->num != before->size[field]) {
        continue;  // too short or too long: whose numbers these are is unknown
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

static void free_pending(SpecPendingKey* pending) {
  for (size_t i = 0; i < pending->npart; i++) {
    vector_clear((Vector*)&pending->part[i].values, VECTOR_DOUBLES);
  }
  free(pending->part);
  string_clear(&pending->name);
  free(pending);
}

static void append(SpecTree* tree, SpecPendingKey* pending) {
  SpecPendingKey** end = &tree->pending;
  while (*end) {
    end = &(*end)->next;
  }
  *end = pending;
}

int key_keep(SpecTree* tree, SpecObject* key, const KeyLayout* layout, int moved,
             const char* name) {
  SpecPendingKey* pending = calloc(1, sizeof(SpecPendingKey));
  Part* part = calloc(layout->nslot + 1, sizeof(Part));
  if (!pending || !part || !string_set(&pending->name, name)) {
    free(pending);
    free(part);
    return 0;
  }
  pending->part = part;
  pending->time = key->as.key.time;
  for (size_t i = 0; i < layout->nslot; i++) {
    const KeySlot* slot = layout->slot + i;
    const mjDoubleVec* values = key_field(key, slot->field);
    SpecObject* object = slot->object->copy ? slot->object->copy : moved ? slot->object : NULL;
    if (values->num != layout->size[slot->field] || !slot->num || !object ||
        !object->registered || object->tree != tree) {
      continue;
    }
    mjDoubleVec kept = {NULL, 0, 0};
    double* copy = doubles_push(&kept, slot->num);
    if (!copy) {
      free_pending(pending);
      return 0;
    }
    memcpy(copy, values->ptr + slot->adr, slot->num * sizeof(double));
    part[pending->npart++] = (Part){object, slot->field, kept};
  }
  for (int field = 0; field < KEY_NFIELD; field++) {
    pending->present[field] = key_field(key, field)->num > 0;
  }
  append(tree, pending);
  return 1;
}

int key_copykept(SpecTree* dst, const SpecTree* src) {
  for (const SpecPendingKey* it = src->pending; it; it = it->next) {
    SpecPendingKey* pending = calloc(1, sizeof(SpecPendingKey));
    Part* part = calloc(it->npart + 1, sizeof(Part));
    if (!pending || !part || !string_set(&pending->name, string_text(&it->name))) {
      free(pending);
      free(part);
      return 0;
    }
    pending->part = part;
    pending->time = it->time;
    memcpy(pending->present, it->present, sizeof(it->present));
    append(dst, pending);
    for (size_t i = 0; i < it->npart; i++) {
      Part* to = part + pending->npart++;
      to->object = it->part[i].object ? it->part[i].object->copy : NULL;
      to->field = it->part[i].field;
      if (!vector_copy((Vector*)&to->values, (const Vector*)&it->part[i].values, VECTOR_DOUBLES)) {
        return 0;
      }
    }
  }
  return 1;
}

void key_forget(SpecTree* tree, const SpecObject* object) {
  if (!object) {
    while (tree->pending) {
      SpecPendingKey* pending = tree->pending;
      tree->pending = pending->next;
      free_pending(pending);
    }
    return;
  }
  for (SpecPendingKey* pending = tree->pending; pending; pending = pending->next) {
    for (size_t i = 0; i < pending->npart; i++) {
      if (pending->part[i].object == object) {
        pending->part[i].object = NULL;
      }
    }
  }
}

// Writes one part of a kept keyframe to its element's place; what is too long for it (its type was changed) is dropped.
static void write_part(SpecObject* key, const KeyLayout* layout, const Part* part) {
  for (size_t i = 0; part->object && i < layout->nslot; i++) {
    const KeySlot* slot = layout->slot + i;
    if (slot->object == part->object && slot->field == part->field &&
        slot->num == part->values.num) {
      memcpy(key_field(key, slot->field)->ptr + slot->adr, part->values.ptr,
             slot->num * sizeof(double));
      return;
    }
  }
}

static int flush(SpecTree* tree, const SpecPendingKey* pending, const KeyLayout* layout) {
  SpecObject* key = spec_add(tree, mjOBJ_KEY, NULL, NULL);
  if (!key) {
    return 0;
  }
  key->as.key.time = pending->time;
  spec_rename(key, string_text(&pending->name));
  for (int field = 0; field < KEY_NFIELD; field++) {
    size_t size = pending->present[field] ? layout->size[field] : 0;
    mjDoubleVec* values = key_field(key, field);
    if (!doubles_resize(values, size)) {
      spec_destroy(key);
      return 0;
    }
    for (size_t i = 0; i < size; i++) {
      values->ptr[i] = NAN;
    }
  }
  for (size_t i = 0; i < pending->npart; i++) {
    if (pending->present[pending->part[i].field]) {
      write_part(key, layout, pending->part + i);
    }
  }
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
    tree->pending = pending->next;
    free_pending(pending);
  }
  free(layout.slot);
  return ok;
}
