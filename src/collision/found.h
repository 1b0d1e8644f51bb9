// found.h: contacts that threads have found, before they have their place among all contacts.
//
// The place of a contact depends on how many pairs before it have. So threads keep what colliders
// find, ten numbers a contact, in one block that they share; when all have ended, the contacts of
// each pair are given their place, and threads write them there in full.
//
//   pairs of bodies    | 0 | 1 | 2 | 3 | ...       in the order of their contacts
//                        |       |
//   found              pair -> pair            pairs of geoms with contacts, where there was room

#pragma once

#include <mujoco/mjdata.h>
#include <stddef.h>

#include "collision/contact_param.h"

// What a collider finds of a contact: distance, position, normal and tangent hint.
enum {
  FOUND_NUMBERS = 10
};

// A pair of geoms with contacts.
typedef struct FoundPair {
  struct FoundPair* next;  // of the same list
  int geom[2], ipair;
  int num;
  int place;  // of its first contact
  mjtNum margin;
  mjtNum contact[][FOUND_NUMBERS];
} FoundPair;

// The block that all threads fill.
typedef struct FoundRoom {
  char* block;
  size_t bytes, used;
} FoundRoom;

// What one thread has taken of it and not yet filled: threads that write side by side would wait
// for each other's caches.
typedef struct FoundPage {
  FoundRoom* room;
  char* free;
  size_t bytes;
} FoundPage;

// Pairs in the order in which one thread has found them.
typedef struct FoundList {
  FoundPair *first, *last;
} FoundList;

// Appends the num contacts of two geoms. Returns 0 if there is no more room.
int found_add(FoundPage* page, FoundList* list, const mjContact* con, int num, int g1, int g2,
              int ipair, mjtNum margin);

// Gives the pairs of a list their places from `place` on. Returns the place behind the last.
int found_place(FoundList* list, int place);

// Writes the contacts of a list to their places in con. memo: of the contacts before.
void found_write(const FoundList* list, ContactMemo* memo, const mjModel* m, mjContact* con);
