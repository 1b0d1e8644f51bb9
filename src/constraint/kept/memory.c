// The memory as a list of records, searched in the order of the constraints' rows.
//                                                           theory/contact/hard-contacts.md, Memory

#include "constraint/kept/memory.h"

#include <mujoco/api/model.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "constraint/rows/extent.h"

// A row of cnd_memory.
typedef struct {
  mjtNum kind;      // 0: no record, else 1 + mjtConstraint
  mjtNum id[2];     // contact: its geoms; else: its id, and its number among equal kinds and ids
  mjtNum place[3];  // of a contact: point in the frame of its first geom, m
  mjtNum value[6];  // of a contact: force and torque vectors in the world
} Record;

enum {
  RECORD = sizeof(Record) / sizeof(mjtNum)
};
_Static_assert(RECORD == CND_NMEMORY, "a record is a row of the table");

// The distance, relative to the smaller geom's radius, within which old and new contact points
// match.
#define SAME_PLACE ((mjtNum)0.1)

static int is_contact(int type) {
  return type >= mjCNSTR_CONTACT_FRICTIONLESS;
}

// Key of a side: the number of a geom or, below zero, of an element or a vertex of a flex.
static mjtNum side_key(const mjModel* m, const mjContact* contact, int side) {
  int flex = contact->flex[side];
  if (contact->geom[side] >= 0 || flex < 0) {
    return (mjtNum)contact->geom[side];
  }
  return (mjtNum)(contact->elem[side] >= 0
                      ? -1 - (m->flex_elemadr[flex] + contact->elem[side])
                      : -1 - (m->nflexelem + m->flex_vertadr[flex] + contact->vert[side]));
}

// Describes the constraint that begins at a row by its key and point. number: its place among
// constraints of the same kind and id.
static Record describe(const mjModel* m, const mjData* d, int row, int number) {
  Record record = {.kind = (mjtNum)(1 + d->efc_type[row])};
  if (!is_contact(d->efc_type[row])) {
    record.id[0] = (mjtNum)d->efc_id[row];
    record.id[1] = (mjtNum)number;
    return record;
  }
  const mjContact* contact = d->contact + d->efc_id[row];
  record.kind = 1 + mjCNSTR_CONTACT_ELLIPTIC;
  record.id[0] = side_key(m, contact, 0);
  record.id[1] = side_key(m, contact, 1);
  int geom = contact->geom[0];
  if (geom >= 0) {
    v3_tolocal(record.place, contact->pos, d->geom_xpos + 3 * geom, d->geom_xmat + 9 * geom);
  }
  return record;
}

static int same_key(const Record* a, const Record* b) {
  return a->kind == b->kind && a->id[0] == b->id[0] && a->id[1] == b->id[1];
}

// The number of a constraint among those of its kind and id, given the number of the constraint
// before it.
static int next_number(const mjData* d, int before, int row, int number) {
  int again =
      before >= 0 && d->efc_type[before] == d->efc_type[row] && d->efc_id[before] == d->efc_id[row];
  return again ? number + 1 : 0;
}

void memory_store(const mjModel* m, mjData* d, const mjtNum* value) {
  Record* record = (Record*)(void*)d->cnd_memory;
  int room = m->cnd_nmemory, n = 0, left = d->nefc;
  for (int row = 0, rows, before = -1, number = 0; left && n < room; row += rows, left -= rows) {
    rows = constraint_rows(m, d, row);
    number = next_number(d, before, row, number);
    before = row;
    Record* r = record + n++;
    *r = describe(m, d, row, number);
    if (is_contact(d->efc_type[row])) {
      const mjContact* contact = d->contact + d->efc_id[row];
      mjtNum local[6] = {0};
      memcpy(local, value + row, contact->dim * sizeof(mjtNum));
      sp_tmulv(r->value, contact->frame, local);
    } else {
      memcpy(r->value, value + row, rows * sizeof(mjtNum));
    }
  }
  if (left && room) {
    mj_warning(d, cndWARN_MEMORY, room);
  }
  if (n < room) {
    memset(record + n, 0, (size_t)(room - n) * sizeof(Record));
  }
}

// The list of records while it is searched.
typedef struct {
  const Record* record;
  int n;
  char* used;
  int start;  // where a look-up begins: constraints come in about the same order again
} List;

static List list_make(const mjModel* m, mjData* d) {
  List list = {.record = (const Record*)(const void*)d->cnd_memory};
  while (list.n < m->cnd_nmemory && list.record[list.n].kind != 0) {
    list.n++;
  }
  list.used = mj_stackAllocByte(d, (size_t)list.n, 1);
  if (list.n) {
    memset(list.used, 0, (size_t)list.n);
  }
  return list;
}

static mjtNum reach(const mjModel* m, const Record* record) {
  mjtNum radius = 0;
  for (int i = 0; i < 2; i++) {
    int geom = (int)record->id[i];
    mjtNum r = geom >= 0 ? m->geom_rbound[geom] : 0;
    if (r > 0 && (radius == 0 || r < radius)) {
      radius = r;
    }
  }
  return SAME_PLACE * radius;
}

// The record of a constraint, NULL if there is none. Records of a pair of geoms are consecutive.
static const Record* list_find(List* list, const mjModel* m, const Record* wanted) {
  int first = -1;
  for (int k = 0; k < list->n && first < 0; k++) {
    int i = list->start + k < list->n ? list->start + k : list->start + k - list->n;
    first = same_key(list->record + i, wanted) ? i : -1;
  }
  if (first < 0) {
    return NULL;
  }
  while (first > 0 && same_key(list->record + first - 1, wanted)) {
    first--;
  }
  list->start = first;

  int contact = wanted->kind == 1 + mjCNSTR_CONTACT_ELLIPTIC, best = -1;
  mjtNum least = contact ? reach(m, wanted) : 0;
  for (int i = first; i < list->n && same_key(list->record + i, wanted); i++) {
    mjtNum distance = v3_dist(list->record[i].place, wanted->place);
    if (!list->used[i] && distance <= least) {
      least = distance;
      best = i;
    }
  }
  if (best >= 0) {
    list->used[best] = 1;
  }
  return best >= 0 ? list->record + best : NULL;
}

void memory_recall(mjtNum* value, const mjModel* m, mjData* d) {
  memset(value, 0, d->nefc * sizeof(mjtNum));
  mj_markStack(d);
  List list = list_make(m, d);
  for (int row = 0, rows, before = -1, number = 0; list.n && row < d->nefc; row += rows) {
    rows = constraint_rows(m, d, row);
    number = next_number(d, before, row, number);
    before = row;
    Record wanted = describe(m, d, row, number);
    const Record* found = list_find(&list, m, &wanted);
    if (found && is_contact(d->efc_type[row])) {
      const mjContact* contact = d->contact + d->efc_id[row];
      mjtNum local[6];
      m3_mulv(local, contact->frame, found->value);
      m3_mulv(local + 3, contact->frame, found->value + 3);
      memcpy(value + row, local, contact->dim * sizeof(mjtNum));
    } else if (found) {
      memcpy(value + row, found->value, rows * sizeof(mjtNum));
    }
  }
  mj_freeStack(d);
}
