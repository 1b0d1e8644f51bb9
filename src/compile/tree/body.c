// body.c: compiles bodies: pose, mass and inertia, then their elements.
#include <math.h>
#include <mujoco/mjspec.h>
#include <string.h>

#include "base/joint.h"
#include "base/memory/memory.h"
#include "compile/context.h"
#include "compile/derive/derive.h"
#include "compile/derive/inertia.h"
#include "compile/plugin.h"
#include "compile/tree/frame.h"
#include "compile/tree/repair.h"
#include "compile/tree/tree.h"

static InertiaAxes axes_of(const SpecObject* body) {
  return compile_behaves(body, cndBEHAVIOUR_compile) ? INERTIA_BODY : INERTIA_EARLY;
}

// Takes pose, inertial frame, mass and inertia from the body's own attributes. Geoms and frames
// come later.
static void own_attributes(Compile* c, const SpecObject* object, BodyWork* work) {
  const mjsBody* spec = &object->as.body;
  memcpy(work->pose.pos, spec->pos, sizeof(spec->pos));
  memcpy(work->pose.quat, spec->quat, sizeof(spec->quat));
  memcpy(work->inertial.pos, spec->ipos, sizeof(spec->ipos));
  memcpy(work->inertial.quat, spec->iquat, sizeof(spec->iquat));
  memcpy(work->inertia, spec->inertia, sizeof(spec->inertia));
  work->mass = spec->mass;
  pose_normalize(work->pose.quat, 4);
  pose_normalize(work->inertial.quat, 4);
  frame_orientation(c, object, work->pose.quat, &spec->alt, "error '%s' in frame alternative");

  if (!isnan(spec->fullinertia[0])) {
    double principal[3];
    if (spec->ialt.type != mjORIENTATION_QUAT) {
      compile_error(c, object, "fullinertia and inertial orientation cannot both be specified");
    }
    if (spec->inertia[0] != 0 || spec->inertia[1] != 0 || spec->inertia[2] != 0) {
      compile_error(c, object, "fullinertia and diagonal inertia cannot both be specified");
    }
    double axes[4], *inertial = work->inertial.quat;
    InertiaAxes exact = axes_of(object);
    double least = exact && compile_options(object)->boundinertia > 0 ? -COMPILE_EPS : COMPILE_EPS;
    inertia_eigen3(principal, axes, spec->fullinertia, exact);

    // the reference forgets that the matrix is given in turned axes
    if (repair_isbeyond(object)) {
      pose_mulquat(inertial, inertial, axes);
    } else {
      memcpy(inertial, axes, sizeof(axes));
    }
    if (!(principal[2] >= least)) {
      repair_problem(c, object,
                     "error 'inertia must have positive eigenvalues' in fullinertia: they are "
                     "%g %g %g",
                     principal[0], principal[1], principal[2]);
    }
    memcpy(work->inertia, principal, sizeof(principal));
  }
  frame_orientation(c, object, work->inertial.quat, &spec->ialt,
                    "error '%s' in inertia alternative");
}

// Infers mass, center and principal inertia from geoms, if requested. Values of a single geom are
// copied; those of several are summed about their common center.
static void infer_inertia(Compile* c, SpecObject* object, BodyWork* work) {
  const mjsCompiler* options = compile_options(object);
  int undefined = isnan(object->as.body.ipos[0]) && !repair_isbeyond(object);
  if (object->id == 0 || options->inertiafromgeom == mjINERTIAFROMGEOM_FALSE ||
      (options->inertiafromgeom == mjINERTIAFROMGEOM_AUTO && !undefined)) {
    return;
  }

  const GeomWork* only = NULL;
  int count = 0;
  double mass = 0, center[3] = {0};
  for (SPEC_EACH_CHILD(geom, object, mjOBJ_GEOM)) {
    const GeomWork* piece = &c->geom[geom->id];
    if (piece->mass > COMPILE_EPS) {
      only = piece;
      count++;
      mass += piece->mass;
      for (int i = 0; i < 3; i++) {
        center[i] += piece->mass * piece->pose.pos[i];
      }
    }
  }
  object->weighed = work->inferred = count > 0;
  if (count == 0) {
    return;
  }
  if (count == 1) {
    work->inertial = only->pose;
    work->mass = only->mass;
    memcpy(work->inertia, only->inertia, sizeof(work->inertia));
    return;
  }

  // Several geoms: sum their inertias about the common center and take the principal axes.
  double full[6] = {0};
  for (int i = 0; i < 3; i++) {
    center[i] /= mass;
  }
  for (SPEC_EACH_CHILD(geom, object, mjOBJ_GEOM)) {
    const GeomWork* piece = &c->geom[geom->id];
    if (piece->mass > COMPILE_EPS) {
      double offset[3];
      for (int i = 0; i < 3; i++) {
        offset[i] = piece->pose.pos[i] - center[i];
      }
      inertia_accumulate(full, piece->mass, offset, piece->pose.quat, piece->inertia);
    }
  }
  work->mass = mass;
  memcpy(work->inertial.pos, center, sizeof(center));
  inertia_eigen3(work->inertia, work->inertial.quat, full, axes_of(object));
}

// Checks bounds, signs, and the triangle inequality of principal inertias, without tolerance.
static void check_inertia(Compile* c, SpecObject* object, BodyWork* work) {
  const mjsCompiler* options = compile_options(object);
  double* inertia = work->inertia;
  if (object->id == 0) {
    return;
  }

  // NaN stays and is refused if the body moves
  work->mass = work->mass < options->boundmass ? options->boundmass : work->mass;
  int keeps = repair_isbeyond(object) && !(options->boundinertia > 0);
  for (int i = 0; i < 3 && !keeps; i++) {
    inertia[i] = inertia[i] < options->boundinertia ? options->boundinertia : inertia[i];
  }
  int negative = inertia[0] < 0 || inertia[1] < 0 || inertia[2] < 0;
  if (work->mass < 0 || (negative && !keeps)) {
    compile_error(c, object, "mass and inertia cannot be negative: they are %g and %g %g %g",
                  work->mass, inertia[0], inertia[1], inertia[2]);
  } else if (negative) {
    return;  // told with the eigenvalues
  } else if (inertia[0] + inertia[1] < inertia[2] || inertia[0] + inertia[2] < inertia[1] ||
             inertia[1] + inertia[2] < inertia[0]) {
    double mean = (inertia[0] + inertia[1] + inertia[2]) / 3;
    if (options->balanceinertia) {
      inertia[0] = inertia[1] = inertia[2] = mean;
      object->weighed = 0;
    } else {
      repair_problem(
          c, object,
          "inertia must satisfy A + B >= C; use 'balanceinertia' to fix: the principal inertias "
          "are %g %g %g",
          inertia[0], inertia[1], inertia[2]);
    }
  }
}

// Moves the frame of a single free body to its inertial frame, if requested. Its equations of
// motion decouple there.
static void align_free(const SpecObject* object, BodyWork* work) {
  const SpecObject* joint = spec_firstchild(object, mjOBJ_JOINT);
  if (!joint || spec_nextsibling(joint) || joint->as.joint.type != mjJNT_FREE ||
      spec_firstchild(object, mjOBJ_BODY)) {
    return;
  }
  int align = joint->as.joint.align;
  if (align == mjALIGNFREE_TRUE ||
      (align == mjALIGNFREE_AUTO && compile_options(object)->alignfree)) {
    pose_compose(&work->pose, &work->pose, &work->inertial);
    pose_inverse(&work->unalign, &work->inertial);
    work->inertial = POSE_IDENTITY;
    work->aligned = 1;
  }
}

// Checks which joints share a body, and where free joints are.
static void check_joints(Compile* c, const SpecObject* object) {
  const char* name = spec_name(object);
  int njnt = 0, ndof = 0, nfree = 0, has_ball = 0;
  for (SPEC_EACH_CHILD(joint, object, mjOBJ_JOINT)) {
    mjtJoint type = joint->as.joint.type;
    njnt++;
    ndof += joint_nv(type);
    nfree += type == mjJNT_FREE;
    if (has_ball && (type == mjJNT_BALL || type == mjJNT_HINGE)) {
      compile_error(c, object, "ball followed by rotation in body '%s'", name);
    }
    has_ball |= type == mjJNT_BALL;
  }
  if (ndof > 6) {
    compile_error(c, object, "more than 6 dofs in body '%s'", name);
  } else if (nfree && njnt > 1) {
    compile_error(c, object, "free joint can only appear by itself");
  }

  // bodies between it and the world may still be fused
  int onground = !object->parent || object->parent->id == 0 ||
                 (c->tree->spec.compiler.fusestatic && !c->simplified);
  if (nfree && !onground) {
    compile_error(c, object, "free joint can only be used on top level");
  }
  if (object->as.body.mocap && (njnt || !object->parent || object->parent->id != 0)) {
    compile_error(c, object, "mocap body '%s' is not a fixed child of world", name);
  }
}

static void write_body(Compile* c, const SpecObject* object) {
  mjModel* m = c->m;
  const BodyWork* work = &c->body[object->id];
  int i = object->id;
  m->body_weldid[i] = work->weldid;
  compile_store(m->body_pos + 3 * i, work->pose.pos, 3);
  compile_store(m->body_quat + 4 * i, work->pose.quat, 4);
  compile_store(m->body_ipos + 3 * i, work->inertial.pos, 3);
  compile_store(m->body_iquat + 4 * i, work->inertial.quat, 4);
  m->body_sameframe[i] = (mjtByte)derive_bodyframe(m->body_ipos + 3 * i, m->body_iquat + 4 * i);
  m->body_mass[i] = (mjtNum)work->mass;
  compile_store(m->body_inertia + 3 * i, work->inertia, 3);
  m->body_gravcomp[i] = (mjtNum)object->as.body.gravcomp;
  m->body_simple[i] = object->as.body.simple != 0;  // may it be; derive_simple says whether it is
  m->body_plugin[i] = compile_plugin(c, object);
}

static void compile_body(Compile* c, SpecObject* object) {
  BodyWork* work = &c->body[object->id];
  int moves = spec_firstchild(object, mjOBJ_JOINT) != NULL;
  work->weldid = object->id == 0 ? 0 : moves ? object->id : c->body[object->parent->id].weldid;
  check_joints(c, object);
  own_attributes(c, object, work);
  object->weighed = 0;

  for (SPEC_EACH_CHILD(geom, object, mjOBJ_GEOM)) {
    compile_geom(c, geom);
  }
  if (!object->frozen) {
    infer_inertia(c, object, work);
  }

  // A body without any inertial frame takes its own pose in the parent, an accident of the
  // reference that is part of the format.
  if (isnan(work->inertial.pos[0])) {
    work->inertial = work->pose;
  }
  if (!object->frozen) {
    BodyWork before = *work;
    check_inertia(c, object, work);
    work->adjusted = before.mass != work->mass ||
                     memcmp(before.inertia, work->inertia, sizeof(work->inertia)) != 0;
  }
  frame_apply(c, object, &work->pose);
  align_free(object, work);
  write_body(c, object);

  static void (*const finish[mjNOBJECT])(Compile*, SpecObject*) = {
      [mjOBJ_GEOM] = write_geom,       [mjOBJ_JOINT] = compile_joint, [mjOBJ_SITE] = compile_site,
      [mjOBJ_CAMERA] = compile_camera, [mjOBJ_LIGHT] = compile_light,
  };
  for (SPEC_EACH_ANY(child, object)) {
    mjtObj type = child->element.elemtype;
    if (type < mjNOBJECT && finish[type]) {
      finish[type](c, child);
    }
  }
}

// Does a body, or one welded below it, have mass and inertia about every axis?
static int has_inertia(const Compile* c, const char* below, int i) {
  const BodyWork* work = &c->body[i];
  return below[i] || (work->mass >= mjMINVAL && work->inertia[0] >= mjMINVAL &&
                      work->inertia[1] >= mjMINVAL && work->inertia[2] >= mjMINVAL);
}

// Checks that every moving body has inertia, its own or that of jointless bodies below it.
static void check_moving(Compile* c) {
  char* below = heap_take((size_t)c->count[mjOBJ_BODY]);
  memset(below, 0, (size_t)c->count[mjOBJ_BODY]);
  for (int i = c->count[mjOBJ_BODY] - 1; i > 0; i--) {
    const SpecObject* object = c->list[mjOBJ_BODY][i];
    if (has_inertia(c, below, i) && !spec_firstchild(object, mjOBJ_JOINT)) {
      below[object->parent->id] = 1;
    }
  }
  for (int i = 1; i < c->count[mjOBJ_BODY]; i++) {
    const SpecObject* object = c->list[mjOBJ_BODY][i];
    if (spec_firstchild(object, mjOBJ_JOINT) && !has_inertia(c, below, i)) {
      const BodyWork* work = &c->body[i];
      repair_problem(
          c, object,
          "mass and inertia of moving bodies must be larger than mjMINVAL (%g): the mass "
          "is %g kg, the principal inertias are %g %g %g kg m2",
          mjMINVAL, work->mass, work->inertia[0], work->inertia[1], work->inertia[2]);
    }
  }
  heap_free(below);
}

void compile_bodies(Compile* c) {
  int before = c->nerror;
  for (int i = 0; i < c->count[mjOBJ_BODY]; i++) {
    compile_body(c, c->list[mjOBJ_BODY][i]);
  }

  // skipped after errors, because a geom without mass would make its body look massless
  if (c->nerror == before) {
    check_moving(c);
  }
}
