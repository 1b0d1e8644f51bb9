// replicate.h: many copies of one part.

#ifndef CONDYLE_SPEC_REPLICATE_H_
#define CONDYLE_SPEC_REPLICATE_H_

#include "spec/spec.h"

typedef struct SpecReplication_ {
  int count;              // not positive: the content vanishes
  const char* separator;  // stands before the number of a replica
  double offset[3];       // from one replica to the next, as the first sees it
  double euler[3];        // turn from one to the next, in the units of the spec
} SpecReplication;

// Puts replicas of a body's content where the body is, each in a frame of its own inside `around`
// (NULL: none), and deletes the body. Every name in a replica gets separator + number as suffix;
// what refers to the content from outside the tree is copied along. Every key becomes one key for
// each replica, without the numbers of actuators. 0 on failure, with an error in
// the tree. To be called under error_catch.                              theory/format.md, Replicas
int spec_replicate(SpecObject* body, SpecObject* around, const SpecReplication* replication);

#endif  // CONDYLE_SPEC_REPLICATE_H_
