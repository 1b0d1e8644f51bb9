// edit.c: functions that remove what a model doesn't need from its spec, while what is left moves
// as before: static bodies, what is only seen, inertias that are inferred.
//                                                               theory/model/model.md, Fused bodies
//
// They don't share the oddities of the settings fusestatic and discardvisual: masses are added
// rightly, and a body whose mass is still inferred from geoms stays so. Every decision is made
// before the spec changes, on what a copy of it compiles to.

#include <math.h>
#include <mujoco/api/compile.h>
#include <mujoco/api/spec.h>
#include <string.h>

#include "base/memory/check.h"
#include "base/memory/error.h"
#include "base/memory/memory.h"
#include "compile/compile.h"
#include "compile/context.h"
#include "compile/tree/reduce.h"
#include "spec/reference.h"
#include "spec/tree.h"

// fusing

// A body with the parent that it has once bodies between are fused. In the order of ids.
typedef struct Fusing_ {
  SpecTree* tree;
  SpecObject** body;
  BodyWork* work;      // masses of all bodies, with those of fused ones added
  int* parent;         // index of the parent
  int* into;           // index of the body it is merged into, -1 if it stays
  char* explicit;      // 1 if its sum becomes explicit
  SpecObject** frame;  // what takes the place of a fused body
  int count;
} Fusing;

// Does a body keep its place whatever its mass? Names that are needed are marked.
static int is_needed(const SpecObject* body) {
  const mjsBody* spec = &body->as.body;
  return body->copy || spec->mocap || !spec->fuse || spec->plugin.active ||
         spec_firstchild(body, mjOBJ_JOINT);
}

// Does the mass of the two follow from their geoms, once these are of one body?
static int stays_inferred(const Fusing* f, int i, int p) {
  const BodyWork *work = &f->work[i], *parent = &f->work[p];
  return work->inferred && !work->adjusted && parent->inferred && !parent->adjusted &&
         !f->explicit[p] && f->body[i]->origin == f->body[p]->origin;
}

// Decides about one body, and adds its mass to that of its parent.
static void decide(Fusing* f, int i) {
  const SpecObject* body = f->body[i];
  int p = f->parent[i];
  while (f->into[p] >= 0) {
    p = f->into[p];
  }
  double mass = f->work[i].mass;
  int always = compile_options(f->body[p])->inertiafromgeom == mjINERTIAFROMGEOM_TRUE;
  int adds = p > 0 && mass > 0, sums = adds && !stays_inferred(f, i, p);
  if (is_needed(body) || reduce_feels_other(body, f->body[p], mass) || (sums && always)) {
    return;
  }
  f->into[i] = p;
  if (adds) {
    BodyWork moved = f->work[i];
    for (int k = f->parent[i]; k != p; k = f->parent[k]) {
      pose_compose(&moved.pose, &f->work[k].pose, &moved.pose);
    }
    reduce_addmass(&f->work[p], &moved, 1, INERTIA_EARLY);
    f->explicit[p] |= (char)sums;
  }
}

// Finds the parents, and what is merged into what. Parents come before their children.
static int decide_all(Fusing* f) {
  int nfused = 0;
  tree_clearcopies(f->tree);
  reduce_markbodies(f->tree);
  REDUCE_MARK(f->tree, mjOBJ_BODY, mjOBJ_FLEX);
  f->into[0] = -1;
  for (int i = 1, p; i < f->count; i++) {
    for (p = i - 1; f->body[p] != f->body[i]->parent; p = f->parent[p]) {
    }
    f->parent[i] = p;
    f->into[i] = -1;
    decide(f, i);
    nfused += f->into[i] >= 0;
  }
  tree_clearcopies(f->tree);
  return nfused;
}

// Makes the frames that fused bodies turn into. Returns 0 if memory runs out.
static int make_frames(Fusing* f) {
  int ok = 1;
  for (int i = 1; i < f->count && ok; i++) {
    if (f->into[i] < 0) {
      continue;
    }
    const mjsBody* body = &f->body[i]->as.body;
    SpecObject* frame = f->frame[i] = spec_create(f->tree, mjOBJ_FRAME, NULL);
    ok = frame && string_set(frame->as.frame.childclass, string_text(body->childclass));
    if (ok) {
      memcpy(frame->as.frame.pos, body->pos, sizeof(body->pos));
      memcpy(frame->as.frame.quat, body->quat, sizeof(body->quat));
      frame->as.frame.alt = body->alt;
      frame->origin = f->body[i]->origin;
      frame->place = f->body[i]->place;
    }
  }
  for (int i = 1; i < f->count && !ok; i++) {
    spec_destroy(f->frame[i]);
  }
  return ok;
}

// Puts the frame and the content of a body in its place: bodies where it was, all else at the end.
static void replace(SpecObject* body, SpecObject* frame) {
  SpecObject* parent = body->parent;
  spec_link(frame, parent, body->frame);
  while (body->first) {
    SpecObject *child = body->first, *around = child->frame ? child->frame : frame;
    spec_unlink(child);
    if (child->element.elemtype == mjOBJ_BODY) {
      spec_linkbefore(child, body);
    } else {
      spec_link(child, parent, NULL);
    }
    child->frame = around;
  }
  spec_destroy(body);
}

// A free body that loses its last child must not become aligned, if it was not before.
static void keep_alignment(SpecObject* body, const BodyWork* work) {
  SpecObject* joint = spec_firstchild(body, mjOBJ_JOINT);
  if (joint && joint->as.joint.type == mjJNT_FREE && !work->aligned) {
    joint->as.joint.align = mjALIGNFREE_FALSE;
  }
}

static void fuse_all(const Fusing* f) {
  for (int i = 1; i < f->count; i++) {
    int p = f->into[i];
    if (p >= 0) {
      replace(f->body[i], f->frame[i]);
      keep_alignment(f->body[p], &f->work[p]);
    }
  }
  for (int p = 1; p < f->count; p++) {
    if (f->explicit[p] && f->into[p] < 0) {
      reduce_freeze(&f->body[p]->as.body, &f->work[p]);
    }
  }
}

int mjs_fuseStatic(mjSpec* s, const mjVFS* vfs) {
  check_given(s);
  SpecTree* tree = spec_tree(s);
  spec_clearerrors(tree);
  int count = spec_count(tree, mjOBJ_BODY), nfused = -1;
  size_t n = (size_t)count;
  Fusing f = {.tree = tree,
              .work = compile_weigh(tree, vfs),
              .body = spec_array(tree, mjOBJ_BODY),
              .parent = heap_zero(n, sizeof(int)),
              .into = heap_zero(n, sizeof(int)),
              .explicit = heap_zero(n, 1),
              .frame = heap_zero(n, sizeof(SpecObject*)),
              .count = count};
  if (f.work && f.body && f.parent && f.into && f.explicit && f.frame) {
    nfused = decide_all(&f);
    if (make_frames(&f)) {
      fuse_all(&f);
    } else {
      spec_nomemory(tree);
      nfused = -1;
    }
  } else if (f.work) {
    spec_nomemory(tree);
  }
  heap_free(f.work);
  heap_free(f.body);
  heap_free(f.parent);
  heap_free(f.into);
  heap_free(f.explicit);
  heap_free(f.frame);
  return nfused;
}

// discarding

// Is a geom only seen? References to it are marked.
static int is_visual(const SpecObject* geom) {
  const mjsGeom* spec = &geom->as.geom;
  return !spec->contype && !spec->conaffinity && !geom->copy && !(spec->fluid_ellipsoid > 0);
}

// May a geom have a part in the mass of its body?
static int is_weighed(const SpecObject* geom) {
  const mjsCompiler* options = compile_options(geom->parent);
  const mjsGeom* spec = &geom->as.geom;
  int inferred =
      options->inertiafromgeom == mjINERTIAFROMGEOM_TRUE ||
      (options->inertiafromgeom == mjINERTIAFROMGEOM_AUTO && isnan(geom->parent->as.body.ipos[0]));
  return inferred && geom->parent != geom->tree->world && spec->mass != 0 &&
         spec->group >= options->inertiagrouprange[0] &&
         spec->group <= options->inertiagrouprange[1] && (spec->mass > 0 || spec->density > 0);
}

// Clears references to materials and textures that aren't marked.
static int clear_unmarked(const NameUse* use, void* context) {
  const SpecTree* tree = context;
  if (use->type == mjOBJ_MATERIAL || use->type == mjOBJ_TEXTURE) {
    const SpecObject* object = spec_find(tree, use->type, string_text(use->name));
    if (!object || !object->copy) {
      string_set(use->name, "");
    }
  }
  return 1;
}

static void clear_looks(SpecTree* tree) {
  static const mjtObj users[] = {mjOBJ_GEOM,  mjOBJ_SITE, mjOBJ_TENDON, mjOBJ_MESH,
                                 mjOBJ_LIGHT, mjOBJ_FLEX, mjOBJ_SKIN,   mjOBJ_MATERIAL};
  for (size_t i = 0; i < sizeof(users) / sizeof(users[0]); i++) {
    for (SPEC_EACH(it, tree, users[i])) {
      reference_visit(it, clear_unmarked, tree);
    }
    for (SPEC_EACH(it, tree, mjOBJ_DEFAULT)) {
      SpecObject* prototype = it->as.classdef.prototype[users[i]];
      if (prototype) {
        reference_visit(prototype, clear_unmarked, tree);
      }
    }
  }
}

// Deletes visual geoms, or the unmarked elements of another type. Returns their number.
static int discard(SpecTree* tree, mjtObj type) {
  int count = 0;
  for (SpecObject *it = spec_first(tree, type), *next; it; it = next) {
    next = spec_next(it);
    if (type == mjOBJ_GEOM ? is_visual(it) : !it->copy) {
      mjs_delete(&tree->spec, &it->element);
      count++;
    }
  }
  return count;
}

// Makes the masses explicit of which a visual geom is part. Returns 0, with an error, if it can't.
static int keep_masses(SpecTree* tree, const mjVFS* vfs) {
  BodyWork* work = NULL;
  for (SPEC_EACH(it, tree, mjOBJ_GEOM)) {
    if (!is_visual(it) || !is_weighed(it)) {
      continue;
    }
    if (compile_options(it->parent)->inertiafromgeom == mjINERTIAFROMGEOM_TRUE) {
      spec_problem(
          tree, it->parent, cndSEVERITY_ERROR,
          "discarding visual geoms would change the inertia of this body, which "
          "inertiafromgeom 'true' infers from its geoms; with inertiafromgeom 'auto' it is "
          "kept as an explicit inertial");
      return 0;
    }
    if (!work) {
      work = compile_weigh(tree, vfs);
    }
    if (!work) {
      return 0;
    }
  }
  int i = 0;
  for (SpecObject* body = tree->world; body && work; body = spec_nextbody(body, NULL), i++) {
    int loses = 0;
    for (SPEC_EACH_CHILD(geom, body, mjOBJ_GEOM)) {
      loses |= is_visual(geom) && is_weighed(geom);
    }
    if (loses && work[i].inferred) {
      reduce_freeze(&body->as.body, &work[i]);
    }
  }
  heap_free(work);
  return 1;
}

int mjs_discardVisual(mjSpec* s, const mjVFS* vfs) {
  check_given(s);
  SpecTree* tree = spec_tree(s);
  spec_clearerrors(tree);
  tree_clearcopies(tree);
  REDUCE_MARK(tree, mjOBJ_GEOM, mjOBJ_PAIR, mjOBJ_TENDON, mjOBJ_SENSOR, mjOBJ_TUPLE);
  REDUCE_MARK(tree, mjOBJ_MATERIAL, mjOBJ_SENSOR, mjOBJ_TUPLE);
  REDUCE_MARK(tree, mjOBJ_TEXTURE, mjOBJ_SENSOR, mjOBJ_TUPLE);
  int count = -1;
  if (keep_masses(tree, vfs)) {
    count = discard(tree, mjOBJ_GEOM);
    clear_looks(tree);
    count += discard(tree, mjOBJ_MATERIAL) + discard(tree, mjOBJ_TEXTURE);
    REDUCE_MARK(tree, mjOBJ_MESH, mjOBJ_GEOM, mjOBJ_SITE, mjOBJ_SENSOR, mjOBJ_TUPLE);
    count += discard(tree, mjOBJ_MESH);
  }
  tree_clearcopies(tree);
  return count;
}

// adopting

int mjs_adoptInertial(mjsBody* body, const mjVFS* vfs) {
  check_given(body);
  SpecObject* object = spec_object(body->element);
  SpecTree* tree = object->tree;
  spec_clearerrors(tree);
  if (object == tree->world) {
    spec_problem(tree, object, cndSEVERITY_ERROR, "the world body has no inertial");
    return -1;
  }
  if (compile_options(object)->inertiafromgeom == mjINERTIAFROMGEOM_TRUE) {
    spec_problem(tree, object, cndSEVERITY_ERROR,
                 "an inertial cannot be adopted when inertiafromgeom is 'true', which infers the "
                 "inertia of every body from its geoms");
    return -1;
  }
  BodyWork* work = compile_weigh(tree, vfs);
  int i = 0;
  for (const SpecObject* it = tree->world; it != object; it = spec_nextbody(it, NULL)) {
    i++;
  }
  int ok = work != NULL;
  if (ok && (work[i].inferred || isnan(body->ipos[0]))) {
    reduce_freeze(body, &work[i]);
  }
  heap_free(work);
  return ok ? 0 : -1;
}
