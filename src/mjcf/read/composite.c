// composite.c: reads <composite>. A cable of n vertices has n - 1 bodies, each in the previous one.
// The x axis of a body points along its edge to the next vertex:
//
//      o------------>o------------>o        B_first, B_1, ..., B_last
//      0   link 0    1    link 1   2
//
// y and z are carried along the curve without twist.
//                                                               theory/plugins/cables.md, Composite

#include "mjcf/read/composite.h"

#include <math.h>
#include <mujoco/api/spec.h>
#include <stdio.h>
#include <string.h>

#include "base/algebra/elementary.h"
#include "base/algebra/pose.h"
#include "base/memory/memory.h"
#include "base/text/text.h"
#include "mjcf/read/cable_skin.h"
#include "mjcf/read/context.h"
#include "mjcf/read/plugin.h"
#include "mjcf/read/submodel.h"
#include "spec/spec.h"

enum {
  CABLE = 4,  // index among the kinds
  ELEMENTS_PER_LINK = 5,
};

// what replaces each kind that is no longer supported
static const char* const successors[] = {"replicate", "flex", "cable", "flexcomp", NULL, "shell"};

// vertices

// size = length, radius, frequency
static double curve_line(double s, const double size[3]) {
  return s * size[0];
}

static double curve_cosine(double s, const double size[3]) {
  return size[1] * portable_cos(s * size[2]);
}

static double curve_sine(double s, const double size[3]) {
  return size[1] * portable_sin(s * size[2]);
}

static double curve_zero(double s, const double size[3]) {
  (void)s;
  (void)size;
  return 0;
}

// The components of the curve that a text names: at most three of s, cos(s), sin(s), 0.
static int read_curve(double (*out[3])(double s, const double size[3]), const Reader* reader,
                      const Node* node) {
  static const struct {
    const char* word;
    double (*value)(double s, const double size[3]);
  } shapes[] = {
      {"s", curve_line}, {"cos(s)", curve_cosine}, {"sin(s)", curve_sine}, {"0", curve_zero}};
  mjStringVec words = {NULL, 0, 0};
  mjs_setStringVec(&words, values_text(node, "curve"));
  int ok = words.num <= 3;
  if (!ok) {
    values_error(reader, node, "curve", NULL,
                 "The curve array must have a maximum of 3 components: it has %d", (int)words.num);
  }
  for (size_t i = 0; i < 3; i++) {
    out[i] = curve_zero;
    size_t k = i < words.num ? 0 : 3;
    while (k < 4 && i < words.num && !text_equal(string_text(&words.ptr[i]), shapes[k].word)) {
      k++;
    }
    if (k == 4) {
      values_error(reader, node, "curve", "its components are s, cos(s), sin(s) or 0",
                   "The curve array contains an invalid shape");
      ok = 0;
      break;
    }
    out[i] = shapes[k].value;
  }
  vector_clear((Vector*)&words, VECTOR_STRINGS);
  return ok;
}

// Makes the vertices of a named curve, rotated by the quaternion without normalising it.
static int make_vertices(Cable* cable, int count) {
  const Reader* reader = cable->reader;
  const Node* node = cable->node;
  double size[3] = {1, 0, 0}, quat[4] = {1, 0, 0, 0};
  double (*curve[3])(double s, const double size[3]);
  values_reals(size, reader, node, "size");
  values_reals(quat, reader, node, "quat");
  if (pose_dot(size, size) < mjMINVAL) {
    values_error(reader, node, "size", NULL,
                 "Positive spacing or length expected in composite: size is %g %g %g", size[0],
                 size[1], size[2]);
    return 0;
  }
  if (!read_curve(curve, reader, node)) {
    return 0;
  }
  cable->nvert = count;
  cable->vert = heap_take(3 * (size_t)count * sizeof(float));
  for (int i = 0; i < count; i++) {
    double point[3];
    for (int k = 0; k < 3; k++) {
      // a line takes fractions of the length, other curves the angle i pi / (count - 1)
      point[k] = curve[k] == curve_line ? i * size[0] / (count - 1)
                                        : curve[k](mjPI * i / (count - 1), size);
    }
    pose_rotate(point, point, quat);
    for (int k = 0; k < 3; k++) {
      cable->vert[3 * (size_t)i + (size_t)k] = (float)point[k];
    }
  }
  return 1;
}

static int take_vertices(Cable* cable) {
  int count;
  double* given = values_list(&count, cable->reader, cable->node, "vertex");
  if (count % 3) {
    values_error(cable->reader, cable->node, "vertex", NULL,
                 "vertex has %d numbers, not three for each", count);
    heap_free(given);
    return 0;
  }
  cable->nvert = count / 3;
  cable->vert = heap_take((size_t)count * sizeof(float) + 1);
  for (int i = 0; i < count; i++) {
    cable->vert[i] = (float)given[i];
  }
  heap_free(given);
  return 1;
}

static int read_vertices(Cable* cable) {
  const Reader* reader = cable->reader;
  const Node* node = cable->node;
  int count[3] = {1, 1, 1}, given = values_has(node, "vertex");
  values_ints(count, reader, node, "count");
  for (int i = 0; i < 3; i++) {
    if (count[i] < 1) {
      values_error(reader, node, "count", NULL, "Positive counts expected in composite");
      return 0;
    }
  }
  if ((count[0] == 1 && count[1] > 1) || (count[1] == 1 && count[2] > 1)) {
    values_error(reader, node, "count", NULL, "Singleton counts must come last");
    return 0;
  }
  if (count[1] > 1) {
    values_error(reader, node, "count", NULL, "Cable must be one-dimensional");
    return 0;
  }
  if (given && count[0] > 1) {
    values_error(reader, node, "count", NULL, "Either vertex or count can be specified, not both");
    return 0;
  }
  if (!read_fits(reader, node, ELEMENTS_PER_LINK, count[0])) {
    return 0;
  }
  if (given ? !take_vertices(cable) : count[0] > 1 && !make_vertices(cable, count[0])) {
    return 0;
  }
  if (cable->nvert < 2) {
    values_error(reader, node, given ? "vertex" : "count", NULL,
                 "a cable needs at least 2 vertices");
    return 0;
  }
  return read_fits(reader, node, ELEMENTS_PER_LINK, cable->nvert);
}

// links

// Unit vector along an edge; returns its length. Edges are differences in single precision.
static double edge_tangent(double tangent[3], const Cable* cable, int i) {
  const float* p = cable->vert + 3 * (size_t)i;
  for (int k = 0; k < 3; k++) {
    float edge = p[3 + k] - p[k];
    tangent[k] = edge;
  }
  double length = sqrt(pose_dot(tangent, tangent));
  pose_normalize(tangent, 3);
  return length;
}

// The frame of a link, transported from the previous link (tangent `before`). normal is updated.
static void carry_frame(double quat[4], double normal[3], const double before[3],
                        const double tangent[3]) {
  double axis[3], turn[4], binormal[3];
  pose_cross(axis, before, tangent);
  double sine = pose_normalize(axis, 3);
  double cosine = pose_dot(before, tangent);
  pose_axisangle(turn, axis, portable_atan2(sine, cosine));
  pose_rotate(normal, normal, turn);
  pose_normalize(normal, 3);
  pose_cross(binormal, tangent, normal);
  pose_normalize(binormal, 3);
  pose_from_axes(quat, tangent, normal, binormal);
  pose_normalize(quat, 4);
}

// The frame of the first link. Its normal is in the plane of the first two edges, or 0 if they are
// parallel.
static void first_frame(double quat[4], double normal[3], const Cable* cable,
                        const double tangent[3]) {
  double next[3] = {tangent[0], tangent[1], tangent[2]}, binormal[3];
  if (cable->nvert > 2) {
    edge_tangent(next, cable, 1);
  }
  pose_cross(binormal, tangent, next);
  pose_normalize(binormal, 3);
  pose_cross(normal, binormal, tangent);
  pose_normalize(normal, 3);
  pose_from_axes(quat, tangent, normal, binormal);
  pose_normalize(quat, 4);
}

static void* add_part(const Cable* cable, SpecObject* parent, mjtObj type, const char* name) {
  SpecTree* tree = spec_tree(cable->reader->spec);
  SpecObject* object = spec_create(tree, type, NULL);
  spec_link(object, parent, NULL);
  read_place(cable->reader, cable->node, &object->element);
  if (name) {
    mjs_setName(&object->element, name);
  }
  return spec_public(object);
}

// Reads one child of the cable (<joint>, <geom>, <site>) into an element.
static void read_part(const Cable* cable, const char* name, void* element) {
  const Node* node = node_child(cable->node, name);
  if (node && !node->skip) {
    values_read(cable->reader, node, element);
  }
}

static void add_geom(const Cable* cable, SpecObject* body, int i, double length) {
  mjString name = {NULL, 0, 0};
  string_format(&name, "%sG%d", cable->prefix, i);
  mjsGeom* geom = add_part(cable, body, mjOBJ_GEOM, string_text(&name));
  read_part(cable, "geom", geom);
  if (geom->type == mjGEOM_BOX) {
    geom->pos[0] = length / 2;
    geom->size[0] = length / 2;
  } else {
    memset(geom->fromto, 0, sizeof(geom->fromto));
    geom->fromto[3] = length;
  }
  string_clear(&name);
}

// Adds a ball joint; the first link gets the joint named by `initial`.
static void add_joint(const Cable* cable, SpecObject* body, int i) {
  const char* initial = values_text(cable->node, "initial");
  int is_free = i == 0 && initial && text_equal(initial, "free");
  if (i == 0 && initial && text_equal(initial, "none")) {
    return;
  }
  mjString name = {NULL, 0, 0};
  mjsJoint* joint = add_part(cable, body, mjOBJ_JOINT, cable_name(&name, cable, 'J', i));
  joint->group = 3;
  read_part(cable, "joint", joint);
  joint->type = is_free ? mjJNT_FREE : mjJNT_BALL;
  if (is_free) {
    joint->damping = joint->armature = joint->frictionloss = 0;
  }
  string_clear(&name);
}

static void add_site(const Cable* cable, SpecObject* body, const char* end, double x) {
  mjString name = {NULL, 0, 0};
  string_format(&name, "%sS_%s", cable->prefix, end);
  mjsSite* site = add_part(cable, body, mjOBJ_SITE, string_text(&name));
  site->group = 3;
  read_part(cable, "site", site);
  site->pos[0] = x;
  string_clear(&name);
}

// Excludes contacts between neighbouring links.
static void add_exclude(const Cable* cable, int i) {
  mjString name = {NULL, 0, 0};
  mjsExclude* exclude = add_part(cable, NULL, mjOBJ_EXCLUDE, NULL);
  mjs_setString(exclude->bodyname1, cable_name(&name, cable, 'B', i));
  mjs_setString(exclude->bodyname2, cable_name(&name, cable, 'B', i + 1));
  string_clear(&name);
}

static void add_links(const Cable* cable, mjsBody* parent, mjsFrame* frame, SpecObject* instance) {
  int links = cable->nvert - 1;
  SpecObject* body = spec_object(parent->element);
  mjString name = {NULL, 0, 0};
  double before[3] = {0}, normal[3] = {0}, length = 0, last[4] = {1, 0, 0, 0};
  for (int i = 0; i < links; i++) {
    double tangent[3], quat[4], reached = length;
    length = edge_tangent(tangent, cable, i);
    if (i == 0) {
      first_frame(quat, normal, cable, tangent);
    } else {
      carry_frame(quat, normal, before, tangent);
    }
    mjsBody* link = add_part(cable, body, mjOBJ_BODY, cable_name(&name, cable, 'B', i));
    body = spec_object(link->element);
    if (i == 0) {
      values_reals(link->pos, cable->reader, cable->node, "offset");
      for (int k = 0; k < 3; k++) {
        link->pos[k] += cable->vert[k];
      }
      memcpy(link->quat, quat, sizeof(quat));
      if (frame) {
        mjs_setFrame(link->element, frame);
      }
    } else {
      double inverse[4] = {last[0], -last[1], -last[2], -last[3]};
      link->pos[0] = reached;
      pose_mulquat(link->quat, inverse, quat);
      add_exclude(cable, i - 1);
    }
    add_geom(cable, body, i, length);
    read_share(&body->as.body.plugin, instance);
    add_joint(cable, body, i);
    if (i == 0) {
      add_site(cable, body, "first", 0);
    }
    if (i == links - 1) {
      add_site(cable, body, "last", length);
    }
    memcpy(before, tangent, sizeof(before));
    memcpy(last, quat, sizeof(last));
  }
  string_clear(&name);
}

// the whole cable

static int check_type(const Reader* reader, const Node* node) {
  int type = CABLE;
  if (!values_key(&type, reader, node, "type")) {
    return 0;
  }
  if (type != CABLE) {
    values_error(reader, node, "type", NULL,
                 "The \"%s\" composite type is deprecated. Please use \"%s\" instead.",
                 values_text(node, "type"), successors[type]);
  }
  return type == CABLE;
}

static int check_children(const Reader* reader, const Node* node, mjsGeom* geom) {
  int joints = 0, kind;
  for (const Node* child = node->first; child; child = child->next) {
    if (!read_is(child, "joint")) {
      continue;
    }
    values_key(&kind, reader, child, "kind");
    if (++joints == 2) {
      values_error(reader, child, NULL, NULL, "Only particles are allowed to have multiple joints");
      return 0;
    }
  }
  const Node* child = node_child(node, "geom");
  if (child) {
    values_read(reader, child, geom);
  }
  if (!child ||
      (geom->type != mjGEOM_CYLINDER && geom->type != mjGEOM_CAPSULE && geom->type != mjGEOM_BOX)) {
    values_error(reader, child ? child : node, child ? "type" : NULL,
                 "its type must be cylinder, capsule or box",
                 "Cable geom type must be sphere, capsule or box");
    return 0;
  }
  return 1;
}

// The plugin instance that all bodies share, NULL if there is none. Sets ok to 0 after an error.
static SpecObject* read_instance(int* ok, const Cable* cable) {
  mjString name = {NULL, 0, 0};
  string_format(&name, "composite%s", cable->prefix);
  SpecObject* instance = read_shared(ok, cable->reader, cable->node, string_text(&name));
  string_clear(&name);
  if (instance &&
      !text_equal(string_text(instance->as.plugin.pub.plugin_name), "mujoco.elasticity.cable")) {
    values_error(cable->reader, node_child(cable->node, "plugin"), NULL, NULL,
                 "Only mujoco.elasticity.cable is supported by composites");
    *ok = 0;
  }
  return instance;
}

static void add_text(const Cable* cable) {
  mjString name = {NULL, 0, 0};
  string_format(&name, "composite_%s", cable->prefix);
  mjsText* text = add_part(cable, NULL, mjOBJ_TEXT, string_text(&name));
  string_format(&name, "rope_%s", cable->prefix);
  mjs_setString(text->data, string_text(&name));
  string_clear(&name);
}

void read_composite(const Reader* reader, const Node* node, mjsBody* body, mjsFrame* frame) {
  mjsGeom* geom = &spec_create(spec_tree(reader->spec), mjOBJ_GEOM, NULL)->as.geom;
  const char* prefix = values_text(node, "prefix");
  Cable cable = {.reader = reader, .node = node, .prefix = prefix ? prefix : "", .geom = geom};
  int ok = 0;
  values_read(reader, node, NULL);
  if (check_type(reader, node) && check_children(reader, node, geom) && read_vertices(&cable)) {
    SpecObject* instance = read_instance(&ok, &cable);
    if (ok) {
      add_text(&cable);
      add_links(&cable, body, frame, instance);
    }
  }
  if (ok) {
    read_cableskin(&cable, node_child(node, "skin"));
  }
  heap_free(cable.vert);
  spec_destroy(spec_object(geom->element));
}
