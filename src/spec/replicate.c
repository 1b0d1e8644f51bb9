// replicate.c: <replicate>, which attaches copies of a body's content to its own model.
//                                                                  theory/model/format.md, Replicas

#include "spec/replicate.h"

#include <condyle/behaviour.h>
#include <mujoco/api/spec.h>
#include <string.h>

#include "spec/graft.h"
#include "spec/key.h"
#include "spec/tree.h"
#include "spec/visit.h"

// Orientation of replica i. Its Euler angles are i times the given ones. Its position is that of
// the previous replica plus the offset in that replica's frame.
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

// Whether keys have numbers for the content of a body: of its joints or mocap bodies.
static int has_coordinates(const SpecObject* body) {
  for (const SpecObject* it = object_walk(body, body); it; it = object_walk(it, body)) {
    if (it->element.elemtype == mjOBJ_JOINT ||
        (it->element.elemtype == mjOBJ_BODY && it->as.body.mocap)) {
      return 1;
    }
  }
  return 0;
}

int spec_replicate(SpecObject* body, SpecObject* around, const SpecReplication* replication) {
  SpecTree* tree = body->tree;
  SpecObject* last[SPEC_NSLOT];
  for (int type = 0; type < SPEC_NSLOT; type++) {
    last[type] = tree->lists[type].last;
  }
  mjString suffix = {NULL, 0, 0};
  Attachment attachment = {.tree = tree, .from = tree, .prefix = "", .copies = 1, .last = last};

  // check names and record keys once, since every replica copies the same elements; by the later
  // rule of the compiler keys stay as they are written, for all of the model
  int later = tree->spec.option.behaviour >> cndBEHAVIOUR_compile & 1;
  int ok = graft_checkrepeated(&attachment) && (later || key_record(tree, NULL));
  int moves = !later && has_coordinates(body);
  int digits = count_digits(replication->count);
  double pos[3] = {0, 0, 0};
  tree_clearcopies(tree);
  for (int i = 0; ok && i < replication->count; i++) {
    string_format(&suffix, "%s%0*d", replication->separator, digits, i);
    attachment.suffix = string_text(&suffix);
    SpecObject* frame = spec_create(tree, mjOBJ_FRAME, NULL);
    spec_link(frame, body->parent, around);
    const char* problem = replica_orientation(frame->as.frame.quat, body, replication->euler, i);
    if (problem) {
      spec_error(tree, "%s", problem);
      ok = 0;
      break;
    }
    memcpy(frame->as.frame.pos, pos, sizeof(pos));
    advance(pos, frame->as.frame.quat, replication->offset);
    graft_content(body, frame, &attachment);
    ok = graft_referrers(&attachment);
    if (moves) {
      key_derive(tree, tree, "", attachment.suffix);
    }
    key_addcopies(tree);

    // keys of earlier attached models pass to the first replica
    if (i == 0) {
      key_follow(tree);
    }
  }
  key_dropactuators(tree);
  tree_clearcopies(tree);
  string_clear(&suffix);
  tree->keeps_keys = later;
  ok = ok && mjs_delete(&tree->spec, &body->element) == 0;
  tree->keeps_keys = 0;
  return ok;
}
