// speculative.h: contacts of geoms that will touch in the coming step (flag speculative).
//
//        x1(0)                                            first pose: where the contact acts
//       -----o                  ___                       and its points are seen
//            :    dx1          /
//            o..............> o| x2(t) = x2(0)            near pose: where the points are found
//                          x1(t) \___
//
// Such a contact is like any other for what comes after; its distance is not that of the geoms,
// but one at which they end the step where they touch.
//                                                              theory/contact/speculative.md

#pragma once

#include <mujoco/mjdata.h>

#include "collision/broad/travel.h"

// What is asked of a pair of geoms in order of type. reach: distance of contacts, with their gap;
// filter: the program's, or NULL.
typedef struct SpeculativePair {
  int g1, g2, ipair;
  mjtNum reach;
  mjfConFilt filter;
} SpeculativePair;

// Replaces the num contacts that two geoms have now, none of which acts, by those that they will
// have within the step, if there are some. con has room for mjMAXCONPAIR. Returns their number.
int speculative_contacts(mjContact* con, int num, const Travel* travel, const mjModel* m, mjData* d,
                         const SpeculativePair* pair);
