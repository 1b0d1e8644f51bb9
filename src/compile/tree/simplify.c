// simplify.c: removes elements to speed up the model, on request.
//
//   fusestatic      a body that can't move against its parent is merged into it
//   discardvisual   geoms that can't collide are removed, with all materials and textures
//
// Both need masses, so the model is compiled, its spec is changed permanently, and the spec is
// compiled again. Inertias inferred from geoms are kept: every body gets an explicit inertial,
// marked frozen. [theory/model/model.md, Fused bodies]
#include <mujoco/api/spec.h>
#include <string.h>

#include "compile/context.h"
#include "compile/tree/reduce.h"
#include "compile/tree/repair.h"
#include "compile/tree/tree.h"
#include "spec/reference.h"
#include "spec/tree.h"

// static bodies

// Replaces a body by a frame in its parent. Its child bodies take its place in the parent's list;
// its geoms, joints, sites etc. go to the end. Returns 0 if memory runs out.
static int fuse(Compile* c, SpecObject* body) {
  SpecObject* parent = body->parent;
  BodyWork* work = &c->body[body->id];
  SpecObject* frame = spec_create(c->tree, mjOBJ_FRAME, NULL);
  if (!frame) {
    return 0;
  }
  memcpy(frame->as.frame.pos, work->pose.pos, sizeof(work->pose.pos));
  memcpy(frame->as.frame.quat, work->pose.quat, sizeof(work->pose.quat));
  spec_link(frame, parent, NULL);
  if (parent != c->tree->world && work->mass >= mjMINVAL) {
    // An error that is part of the format, because models are balanced with it. A robot that the
    // reference refuses is fused without it.
    int later = compile_behaves(body, cndBEHAVIOUR_compile);
    reduce_addmass(&c->body[parent->id], work, repair_isbeyond(body) || later,
                   later ? INERTIA_BODY : INERTIA_EARLY);
  }
  while (body->first) {
    SpecObject *child = body->first, *around = child->frame ? child->frame : frame;
    spec_unlink(child);
    if (child->element.elemtype == mjOBJ_BODY) {
      BodyWork* moved = &c->body[child->id];
      pose_compose(&moved->pose, &work->pose, &moved->pose);
      spec_linkbefore(child, body);
    } else {
      spec_link(child, parent, NULL);
    }
    child->frame = around;
  }
  spec_destroy(body);
  return 1;
}

// Fuses static bodies. `last >= count` repeats a rule of the reference, which looked up needed
// names by the ids from before the fusion: a name whose old id is not below the present number of
// bodies was not found, and named bodies before it were not fused. The rule decides which bodies
// exist, so it is part of the format. Since 4.0 all names are found, and bodies stay if forces
// would change.
static int fuse_static(Compile* c) {
  SpecTree* tree = c->tree;
  reduce_markbodies(tree);
  int count = 0, last = 0;  // number of bodies, and id of the last one whose name is needed
  for (SPEC_EACH(it, tree, mjOBJ_BODY)) {
    count++;
    last = it->copy == it && it->id > last ? it->id : last;
  }
  for (SpecObject *body = spec_nextbody(tree->world, NULL), *next; body; body = next) {
    next = spec_nextbody(body, NULL);
    int later = compile_behaves(body, cndBEHAVIOUR_compile);
    double own = c->body[body->id].mass, mass = own < mjMINVAL ? 0 : own;
    int lost = !later && last >= count && body->id < last && !string_empty(&body->name);
    int needed = body->copy && !(body->copy != body && string_empty(&body->name));
    if (lost || needed || body->as.body.mocap || !body->as.body.fuse ||
        spec_firstchild(body, mjOBJ_JOINT) ||
        (later && reduce_feels_other(body, body->parent, mass))) {
      continue;
    }
    if (!fuse(c, body)) {
      return 0;
    }
    count--;
  }
  return 1;
}

// visual elements

static int clear_material(const NameUse* use, void* unused) {
  (void)unused;
  if (use->type == mjOBJ_MATERIAL || use->type == mjOBJ_TEXTURE) {
    string_set(use->name, "");
  }
  return 1;
}

static void discard_materials(SpecTree* tree) {
  static const mjtObj users[] = {mjOBJ_GEOM,  mjOBJ_SITE, mjOBJ_TENDON, mjOBJ_MESH,
                                 mjOBJ_LIGHT, mjOBJ_FLEX, mjOBJ_SKIN};
  static const mjtObj types[] = {mjOBJ_MATERIAL, mjOBJ_TEXTURE};
  for (size_t i = 0; i < sizeof(users) / sizeof(users[0]); i++) {
    for (SPEC_EACH(it, tree, users[i])) {
      reference_visit(it, clear_material, NULL);
    }
  }
  for (int i = 0; i < 2; i++) {
    while (spec_first(tree, types[i])) {
      spec_destroy(spec_first(tree, types[i]));
    }
  }
}

// Destroys the unmarked elements of a type, except geoms that can collide.
static void discard_unmarked(SpecTree* tree, mjtObj type) {
  for (SpecObject *it = spec_first(tree, type), *next; it; it = next) {
    next = spec_next(it);
    int collides = type == mjOBJ_GEOM && (it->as.geom.contype != 0 || it->as.geom.conaffinity != 0);
    if (it->copy != it && !collides) {
      spec_destroy(it);
    }
  }
}

static void discard_visual(SpecTree* tree) {
  REDUCE_MARK(tree, mjOBJ_GEOM, mjOBJ_PAIR, mjOBJ_TENDON, mjOBJ_SENSOR, mjOBJ_TUPLE);
  discard_unmarked(tree, mjOBJ_GEOM);
  REDUCE_MARK(tree, mjOBJ_MESH, mjOBJ_GEOM, mjOBJ_SITE, mjOBJ_SENSOR);
  discard_unmarked(tree, mjOBJ_MESH);
  discard_materials(tree);
}

// Makes the mass of a body final.
static void freeze(const Compile* c, SpecObject* object) {
  const BodyWork* work = &c->body[object->id];
  reduce_freeze(&object->as.body, work);
  object->frozen = 1;

  // a free body that loses its last child now must not become aligned, if it was not before
  SpecObject* joint = spec_firstchild(object, mjOBJ_JOINT);
  if (joint && joint->as.joint.type == mjJNT_FREE) {
    joint->as.joint.align = work->aligned ? mjALIGNFREE_TRUE : mjALIGNFREE_FALSE;
  }
}

int simplify(Compile* c) {
  const mjsCompiler* options = &c->tree->spec.compiler;
  if (!options->fusestatic && !options->discardvisual) {
    return 0;
  }
  tree_clearcopies(c->tree);
  if (options->fusestatic && !fuse_static(c)) {
    compile_error(c, NULL, "out of memory");
  }
  for (SpecObject* it = spec_nextbody(c->tree->world, NULL); it; it = spec_nextbody(it, NULL)) {
    freeze(c, it);
  }
  if (options->discardvisual) {
    discard_visual(c->tree);
  }
  tree_clearcopies(c->tree);
  return 1;
}
