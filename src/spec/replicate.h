// replicate.h: many copies of one part of a model.

#pragma once

#include "spec/spec.h"

typedef struct SpecReplication_ {
  int count;              // if not positive, the content is deleted
  const char* separator;  // text before the number of a replica
  double offset[3];       // from one replica to the next, in the frame of the first of the two
  double euler[3];        // turn from one to the next, in the units of the spec
} SpecReplication;

// Puts replicas of a body's content in its place, each in its own frame inside `around` (may be
// NULL), and deletes the body. Every name in a replica gets separator + number as suffix. Elements
// outside the tree that refer to the content are copied along. A key that has numbers for the
// content becomes one key for each replica, without the numbers of actuators. A key that doesn't
// fit the model so far is taken for one of the complete model and stays as it is. Returns 0 on
// failure, with an error in the tree. To be called under error_catch.
//                                                                  theory/model/format.md, Replicas
int spec_replicate(SpecObject* body, SpecObject* around, const SpecReplication* replication);
