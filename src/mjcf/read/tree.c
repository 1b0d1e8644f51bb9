// tree.c: reads <worldbody>: bodies, frames and their content. The active class is that of the
// innermost body or frame with a childclass. Recursion is as deep as the document, which is
// bounded. [theory/model/format.md, Body tree]

#include <condyle/behaviour.h>
#include <math.h>
#include <mujoco/api/spec.h>
#include <string.h>

#include "mjcf/read/composite.h"
#include "mjcf/read/context.h"
#include "mjcf/read/element.h"
#include "mjcf/read/flexcomp/flexcomp.h"
#include "mjcf/read/plugin.h"
#include "mjcf/read/sections.h"
#include "mjcf/read/submodel.h"
#include "spec/replicate.h"
#include "spec/spec.h"
#include "spec/visit.h"

// The context of an element: its body, frame and class.
typedef struct Place_ {
  mjsBody* body;
  mjsFrame* frame;  // NULL if directly in the body
  const mjsDefault* class;
  int template;  // 1 if the body only holds content to be replicated
} Place;

static void finish(const Reader* reader, const Node* node, const Place* place,
                   mjsElement* element) {
  read_place(reader, node, element);
  if (place->frame) {
    mjs_setFrame(element, place->frame);
  }
}

// full = R full R', as xx, yy, zz, xy, xz, yz
static void turn_inertia(double full[6], const double quat[4]) {
  static const int index[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
  double turn[9], out[6] = {0};
  pose_matrix(turn, quat);
  for (int r = 0; r < 3; r++) {
    for (int c = r; c < 3; c++) {
      for (int k = 0; k < 9; k++) {
        out[index[r][c]] += turn[3 * r + k / 3] * full[index[k / 3][k % 3]] * turn[3 * c + k % 3];
      }
    }
  }
  memcpy(full, out, sizeof(out));
}

// By the later rule the frames around an inertial place it in the body. Before it they don't count.
static void place_inertial(const Reader* reader, mjsBody* body, const mjsFrame* frame) {
  if (!frame || !(reader->spec->option.behaviour >> cndBEHAVIOUR_compile & 1)) {
    return;
  }
  Pose outer, own;
  spec_framepose(&outer, spec_object(frame->element));
  memcpy(own.pos, body->ipos, sizeof(own.pos));
  memcpy(own.quat, body->iquat, sizeof(own.quat));
  mjs_resolveOrientation(own.quat, reader->spec->compiler.degree, reader->spec->compiler.eulerseq,
                         &body->ialt);
  pose_normalize(own.quat, 4);
  pose_compose(&own, &outer, &own);
  memcpy(body->ipos, own.pos, sizeof(own.pos));
  if (!isnan(body->fullinertia[0])) {
    turn_inertia(body->fullinertia, outer.quat);
  } else {
    memcpy(body->iquat, own.quat, sizeof(own.quat));
    body->ialt.type = mjORIENTATION_QUAT;
  }
}

static void read_inertial(const Reader* reader, const Node* node, mjsBody* body) {
  body->explicitinertial = 1;
  values_read(reader, node, body);
  static const char* const orientations[] = {"quat", "axisangle", "xyaxes", "zaxis", "euler"};
  for (int i = 0; i < 5 && values_has(node, "fullinertia"); i++) {
    if (values_has(node, orientations[i])) {
      values_error(reader, node, orientations[i], NULL,
                   "fullinertia and inertial orientation cannot both be specified");
    }
  }
}

static void read_content(const Reader* reader, const Node* node, Place place);

// Reads one scale for all axes, or three.
static void read_scale(const Reader* reader, const Node* node, mjsFrame* frame) {
  double scale[3];
  int n = values_reals(scale, reader, node, "scale");
  if (n == 2) {
    values_error(reader, node, "scale", NULL, "attribute 'scale' must have 1 or 3 values");
    return;
  }
  for (int i = 0; i < 3 && n; i++) {
    frame->scale[i] = scale[n == 1 ? 0 : i];
  }
}

// Reads a frame and its content.
static void read_frame(const Reader* reader, const Node* node, Place place) {
  mjsFrame* frame = mjs_addFrame(place.body, place.frame);
  read_place(reader, node, frame->element);
  values_read(reader, node, frame);
  read_scale(reader, node, frame);
  place.frame = frame;
  place.class = read_class(reader, node, "childclass", place.class);
  if (values_text(node, "childclass")) {
    mjs_setString(frame->childclass, values_text(node, "childclass"));
  }
  read_content(reader, node, place);
}

// Reads a body and its content.
static void read_body(const Reader* reader, const Node* node, Place place) {
  const mjsDefault* class = read_class(reader, node, "childclass", place.class);
  mjsBody* body = mjs_addBody(place.body, class);
  finish(reader, node, &place, body->element);
  values_read(reader, node, body);
  if (values_text(node, "childclass")) {
    mjs_setString(body->childclass, values_text(node, "childclass"));
  }
  read_content(reader, node, (Place){.body = body, .class = class});
}

// Reads a joint, geom, site, camera or light of a body.
static void read_carried(const Reader* reader, const Node* node, Place place,
                         const mjsDefault* class) {
  SpecObject* body = spec_object(place.body->element);
  SpecObject* object = spec_add(body->tree, read_kind(node), body, spec_object(class->element));
  finish(reader, node, &place, &object->element);
  read_values(reader, node, object);
  if (object->element.elemtype == mjOBJ_GEOM) {
    read_uses(reader, node, &object->element);
  }
}

// Counts the elements of a subtree, without recursion because composites nest bodies to any depth.
static double count_elements(const SpecObject* body) {
  double count = 0;
  for (const SpecObject* it = object_walk(body, body); it; it = object_walk(it, body)) {
    count++;
  }
  return count;
}

// Reads a replicate. Its content goes to a body that is then replaced by its replicas.
static void read_replicate(const Reader* reader, const Node* node, Place place) {
  SpecReplication replication = {.separator = ""};
  values_read(reader, node, NULL);
  if (values_text(node, "sep")) {
    replication.separator = values_text(node, "sep");
  }
  values_ints(&replication.count, reader, node, "count");
  values_reals(replication.offset, reader, node, "offset");
  values_reals(replication.euler, reader, node, "euler");

  mjsBody* template = mjs_addBody(place.body, NULL);
  SpecObject* object = spec_object(template->element);
  const mjsDefault* class = read_class(reader, node, "childclass", place.class);
  read_content(reader, node, (Place){.body = template, .class = class, .template = 1});
  if (replication.count > 0 &&
      !read_fits(reader, node, 1 + count_elements(object), replication.count)) {
    replication.count = 0;
  }
  spec_clearerrors(spec_tree(reader->spec));
  SpecObject* around = place.frame ? spec_object(place.frame->element) : NULL;
  if (!spec_replicate(object, around, &replication)) {
    values_error(reader, node, NULL, NULL, "%s", mjs_getError(reader->spec));
  }
}

// Reads everything inside a body or frame, in document order.
static void read_content(const Reader* reader, const Node* node, Place place) {
  int is_world = mjs_findBody(reader->spec, "world") == place.body;
  for (const Node* child = node->first; child; child = child->next) {
    if (child->skip) {
      continue;
    }
    if (is_world && (read_is(child, "joint") || read_is(child, "freejoint"))) {
      values_error(reader, child, NULL, NULL, "World body cannot have joints");
      continue;
    }
    if (is_world && read_is(child, "inertial")) {
      values_error(reader, child, NULL, NULL, "World body cannot have inertia");
      continue;
    }
    if (place.template && (read_is(child, "inertial") || read_is(child, "plugin"))) {
      node_report(child, NULL, reader->problems, cndSEVERITY_WARNING, NULL,
                  "%s has no effect in replicate", child->name);
      continue;
    }

    const mjsDefault* class = read_class(reader, child, "class", place.class);
    if (read_is(child, "inertial")) {
      read_inertial(reader, child, place.body);
      place_inertial(reader, place.body, place.frame);
    } else if (read_is(child, "plugin")) {
      read_use(reader, child, place.body->element, &place.body->plugin);
    } else if (read_is(child, "freejoint")) {
      mjsJoint* joint = mjs_addFreeJoint(place.body);
      finish(reader, child, &place, joint->element);
      values_read(reader, child, joint);
    } else if (read_is(child, "frame")) {
      read_frame(reader, child, place);
    } else if (read_is(child, "replicate")) {
      read_replicate(reader, child, place);
    } else if (read_is(child, "composite")) {
      read_composite(reader, child, place.body, place.frame);
    } else if (read_is(child, "attach")) {
      read_attach(reader, child, place.body, place.frame);
    } else if (read_is(child, "flexcomp")) {
      read_flexcomp(reader, child, place.body);
    } else if (read_is(child, "body")) {
      read_body(reader, child, place);
    } else if (spec_intree(read_kind(child))) {
      read_carried(reader, child, place, class);
    }
  }
}

void read_worldbody(const Reader* reader, const Node* section) {
  if (section->nattribute) {
    values_error(reader, section, section->attributes[0].name, NULL,
                 "World body cannot have attributes");
  }
  read_content(reader, section,
               (Place){.body = mjs_findBody(reader->spec, "world"),
                       .class = mjs_getSpecDefault(reader->spec)});
}
