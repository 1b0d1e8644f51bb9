// direction_angle.c: groups triangles by the rounded angles of their normals, the rule of 4.0.
//
//   azimuth  a = round(atan2(y, x) / .01)     0 at the poles, where |z| > 1 - 1e-7
//   polar    p = round(acos(z) / .01)
//
// Triangles with equal (a, p) are a group. The order of the groups is that of a chained hash table,
// whose items are one list in which those of a bucket lie together: an item goes before the others
// of its bucket, one of an empty bucket to the front of the list. So without collisions the newest
// group comes first. When the table is full, it grows to the next prime after twice its size, and
// the list is walked from the front: an item stays, unless its bucket has items already; then it
// moves behind the first of them.                          theory/model/meshes.md, Polygons
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/memory/memory.h"
#include "compile/mesh/direction.h"

static const double angle_step = .01;
static const double pole = 1 - 1e-7;  // |z| from which on the azimuth doesn't count

// A group, an item of the list.
typedef struct Group_ {
  int azimuth, polar;
  uint64_t hash;
  int next;  // the next item, -1 at the end
} Group;

// Item 0 is before the first of the list, group g is item g + 1.
typedef struct Table_ {
  Group* item;
  int nitem;
  int* before;  // of each bucket the item before its first, -1 if the bucket is empty
  int nbucket;
} Table;

// Bits of a number; those of minus zero are zero.
static uint64_t bits_of(double x) {
  uint64_t bits = 0;
  if (x != 0) {
    memcpy(&bits, &x, sizeof(bits));
  }
  return bits;
}

static Group group_of(const double n[3]) {
  // a zero of either sign is positive, so that -x is no wall between equal directions
  double azimuth = fabs(n[2]) > pole ? 0 : round(atan2(n[1] + 0., n[0]) / angle_step);
  double polar = round(acos(n[2] > 1 ? 1 : n[2] < -1 ? -1 : n[2]) / angle_step);
  uint64_t a = bits_of(azimuth), p = bits_of(polar);
  uint64_t hash = a ^ (p + 0x9e3779b9 + (a << 6) + (a >> 2));
  return (Group){(int)azimuth, (int)polar, hash, -1};
}

static int bucket_of(const Table* t, int item) {
  return (int)(t->item[item].hash % (uint64_t)t->nbucket);
}

static int next_prime(int n) {
  for (int i = 2; i <= n / i;) {
    if (n % i) {
      i++;
    } else {
      n++;
      i = 2;
    }
  }
  return n;
}

// Twice the buckets, to which the items of the list are given anew.
static void grow(Table* t) {
  Group* item = t->item;
  t->nbucket = t->nbucket ? next_prime(2 * t->nbucket + 1) : 2;
  heap_free(t->before);
  t->before = mesh_take((size_t)t->nbucket, sizeof(int));
  memset(t->before, -1, (size_t)t->nbucket * sizeof(int));
  int last = 0, bucket = -1;  // the item before the next one, and its bucket
  for (int at; (at = item[last].next) >= 0;) {
    int own = bucket_of(t, at);
    if (own != bucket && t->before[own] >= 0) {
      int home = t->before[own];
      item[last].next = item[at].next;
      item[at].next = item[home].next;
      item[home].next = at;
      continue;
    }
    if (own != bucket) {
      t->before[own] = last;
      bucket = own;
    }
    last = at;
  }
}

// The item of a group, -1 if there is none.
static int find(const Table* t, const Group* g) {
  if (!t->nbucket) {
    return -1;
  }
  int bucket = (int)(g->hash % (uint64_t)t->nbucket);
  int before = t->before[bucket];
  for (int i = before < 0 ? -1 : t->item[before].next; i >= 0 && bucket_of(t, i) == bucket;
       i = t->item[i].next) {
    if (t->item[i].azimuth == g->azimuth && t->item[i].polar == g->polar) {
      return i;
    }
  }
  return -1;
}

static int add(Table* t, const Group* g) {
  if (t->nitem > t->nbucket) {
    grow(t);
  }
  int i = t->nitem++;
  t->item[i] = *g;
  int* before = &t->before[bucket_of(t, i)];
  int is_first = *before < 0;
  if (is_first) {
    *before = 0;
  }
  int next = t->item[i].next = t->item[*before].next;
  t->item[*before].next = i;

  // what was first in the list comes after this item now
  if (is_first && next >= 0) {
    t->before[bucket_of(t, next)] = i;
  }
  return i;
}

int directions_byangle(int* group, int* order, const FaceNormal* facing, int nface) {
  Table t = {.item = mesh_take((size_t)nface + 1, sizeof(Group)), .nitem = 1};
  t.item[0].next = -1;
  for (int i = 0; i < nface; i++) {
    Group g = group_of(facing[i].normal);
    int found = find(&t, &g);
    group[i] = (found < 0 ? add(&t, &g) : found) - 1;
  }
  int n = 0;
  for (int i = t.item[0].next; i >= 0; i = t.item[i].next) {
    order[n++] = i - 1;
  }
  heap_free(t.item);
  heap_free(t.before);
  return n;
}
