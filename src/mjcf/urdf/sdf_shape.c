// Inertia, shapes, materials and lights of SDF, as elements of URDF.

#include "mjcf/urdf/sdf_shape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory/memory.h"
#include "base/text/text.h"
#include "base/text/text_format.h"
#include "mjcf/urdf/sdf_element.h"

enum {
  MOST_REALS = 6
};

void sdf_set_reals(Document* document, Node* node, const char* attribute, const double* value,
                   int n) {
  char text[MOST_REALS * (TEXT_NUMBER_BYTES + 1)] = "";
  size_t length = 0;
  for (int i = 0; i < n; i++) {
    if (i) {
      text[length++] = ' ';
    }
    length += (size_t)text_formatreal(text + length, value[i]);
  }
  text[length] = 0;
  document_set(document, node, attribute, text);
}

void sdf_set_origin(Document* document, Node* parent, const Node* place, const Pose* pose) {
  double rpy[3];
  pose_to_rpy(rpy, pose->quat);
  Node* origin = document_add(document, parent, place, "origin");
  sdf_set_reals(document, origin, "xyz", pose->pos, 3);
  sdf_set_reals(document, origin, "rpy", rpy, 3);
}

// The pose of an element of a link in the link.
static Pose place_in_link(SdfFrames* frames, SdfFrame* link, const Node* node) {
  const Pose* own = sdf_pose_of(frames, link);
  Pose world = sdf_element_pose(frames, link->scope, node, own);
  return sdf_relative(own, &world);
}

// The inertia in the axes of its pose. A link without one has that of the format's defaults.
static void write_inertial(SdfFrames* frames, Node* to, SdfFrame* link) {
  static const char* const names[] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
  Document* document = frames->document;
  Node absent = *link->node;
  absent.first = absent.last = NULL;
  const Node* inertial = node_child(link->node, "inertial");
  inertial = inertial ? inertial : &absent;
  const Node* inertia = node_child(inertial, "inertia");
  Node* out = document_add(document, to, inertial, "inertial");
  double mass = sdf_real(frames, inertial, "mass", 1);
  Pose place = place_in_link(frames, link, inertial);
  sdf_set_origin(document, out, inertial, &place);
  sdf_set_reals(document, document_add(document, out, inertial, "mass"), "value", &mass, 1);
  Node* matrix = document_add(document, out, inertial, "inertia");
  for (int i = 0; i < 6; i++) {
    double value = sdf_real(frames, inertia, names[i], i == 0 || i == 3 || i == 5);
    sdf_set_reals(document, matrix, names[i], &value, 1);
  }
}

// shapes

static void pass_reals(SdfFrames* frames, Node* to, const char* attribute, const Node* shape,
                       const char* child, int n) {
  double value[3];
  const char* text = sdf_text(shape, child);
  if (!text || sdf_reals(value, n, frames, shape, text) != n) {
    node_report(shape, NULL, frames->problems, cndSEVERITY_ERROR, NULL,
                "<%s> should have %d numbers", child, n);
    return;
  }
  sdf_set_reals(frames->document, to, attribute, value, n);
}

// A file of the main file is named as there, one of an included file by its path: names in a model
// are relative to its main file.
static void set_file(SdfFrames* frames, Node* to, const Node* node, const char* uri) {
  const char* main = document_directory(frames->document);
  size_t length = strlen(main);
  char* path = node->source->includer ? sdf_path(frames, node, uri, "") : NULL;
  document_set(frames->document, to, "filename",
               !path                              ? uri
               : strncmp(path, main, length) != 0 ? path
                                                  : path + length);
  heap_free(path);
}

static void write_mesh(SdfFrames* frames, Node* geometry, const Node* mesh) {
  Node* out = document_add(frames->document, geometry, mesh, "mesh");
  const char* uri = sdf_text(mesh, "uri");
  if (uri) {
    set_file(frames, out, mesh, uri);
  }
  if (node_child(mesh, "scale")) {
    pass_reals(frames, out, "scale", mesh, "scale", 3);
  }
  if (node_child(mesh, "submesh")) {
    node_report(mesh, NULL, frames->problems, cndSEVERITY_WARNING, NULL,
                "the whole of '%s' is used, not its submesh", uri ? uri : "");
  }
}

// Writes a shape. Returns 0, with a warning, if URDF has nothing like it.
static int write_geometry(SdfFrames* frames, Node* geometry, const Node* node) {
  static const struct {
    const char *name, *attribute[2];
    int n[2];
  } shapes[] = {{"box", {"size", NULL}, {3, 0}},
                {"sphere", {"radius", NULL}, {1, 0}},
                {"cylinder", {"radius", "length"}, {1, 1}},
                {"capsule", {"radius", "length"}, {1, 1}},
                {"ellipsoid", {"radii", NULL}, {3, 0}}};
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    const Node* shape = node_child(node, shapes[i].name);
    if (shape) {
      Node* out = document_add(frames->document, geometry, shape, shapes[i].name);
      for (int k = 0; k < 2 && shapes[i].attribute[k]; k++) {
        pass_reals(frames, out, shapes[i].attribute[k], shape, shapes[i].attribute[k],
                   shapes[i].n[k]);
      }
      return 1;
    }
  }
  const Node *mesh = node_child(node, "mesh"), *plane = node_child(node, "plane");
  if (mesh) {
    write_mesh(frames, geometry, mesh);
  } else if (plane) {
    document_add(frames->document, geometry, plane, "plane");
  } else if (node->first) {
    node_report(node, NULL, frames->problems, cndSEVERITY_WARNING, NULL,
                "shapes of the kind '%s' are left out", node->first->name);
  }
  return mesh || plane;
}

// A plane's normal is the z axis of its geom.
static void turn_plane(SdfFrames* frames, Pose* place, const Node* geometry) {
  const Node* plane = node_child(geometry, "plane");
  const char* text = plane ? sdf_text(plane, "normal") : NULL;
  double normal[3] = {0, 0, 1}, turn[4];
  if (text && sdf_reals(normal, 3, frames, plane, text) == 3 && pose_normalize(normal, 3) > 0) {
    pose_from_z(turn, normal);
    pose_mulquat(place->quat, place->quat, turn);
  }
}

static void write_material(SdfFrames* frames, Node* to, const Node* visual, const char* name) {
  const Node* material = node_child(visual, "material");
  const char* diffuse = material ? sdf_text(material, "diffuse") : NULL;
  double rgba[4] = {0.7, 0.7, 0.7, 1};
  if (diffuse && sdf_reals(rgba, 4, frames, material, diffuse) < 3) {
    node_report(material, NULL, frames->problems, cndSEVERITY_ERROR, NULL,
                "<diffuse> should have 4 numbers, not '%s'", diffuse);
  }
  rgba[3] *= 1 - sdf_real(frames, visual, "transparency", 0);
  const Node* place = material ? material : visual;
  Node* out = document_add(frames->document, to, place, "material");
  document_set(frames->document, out, "name", name);
  sdf_set_reals(frames->document, document_add(frames->document, out, place, "color"), "rgba", rgba,
                4);
}

// The name of a shape in the robot, with a number where another shape has it. The caller frees it.
static char* element_name(const char* prefix, const Node* node, int number) {
  const char* own = node_text(node, "name");
  own = own ? own : node->name;
  size_t size = strlen(prefix) + strlen(own) + 16;
  char* name = heap_take(size);
  int length = snprintf(name, size, "%s::%s", prefix, own);
  if (number) {
    snprintf(name + length, size - (size_t)length, "_%d", number);
  }
  return name;
}

// number: 0, or what tells it from another shape of the name
static void write_element(SdfFrames* frames, Node* to, SdfFrame* link, const Node* node,
                          const char* prefix, int number) {
  const Node* geometry = node_child(node, "geometry");
  if (!geometry || node_child(geometry, "empty")) {
    return;
  }
  Node* out = document_add(frames->document, to, node, node->name);
  char* name = element_name(prefix, node, number);
  document_set(frames->document, out, "name", name);
  Pose place = place_in_link(frames, link, node);
  turn_plane(frames, &place, geometry);
  sdf_set_origin(frames->document, out, node, &place);
  Node* shape = document_add(frames->document, out, geometry, "geometry");
  if (!write_geometry(frames, shape, geometry)) {
    // the last child goes again
    Node** last = &to->first;
    while (*last != out) {
      to->last = *last;
      last = &(*last)->next;
    }
    *last = NULL;
    to->last = to->first ? to->last : NULL;
  } else if (text_equal(node->name, "visual")) {
    write_material(frames, out, node, name);
  }
  heap_free(name);
}

// Collisions stand before visuals: a collision takes the colour of the visual before it.
void sdf_write_link(SdfFrames* frames, Node* to, SdfFrame* link, const char* name) {
  static const char* const kinds[] = {"collision", "visual"};
  Hash taken = {0};
  int number = 1;
  write_inertial(frames, to, link);
  for (int k = 0; k < 2; k++) {
    for (const Node* node = link->node->first; node; node = node->next, number++) {
      if (text_equal(node->name, kinds[k])) {
        const char* own = node_text(node, "name");
        uint64_t hash = hash_text(own ? own : node->name);
        write_element(frames, to, link, node, name, hash_find(&taken, hash) ? number : 0);
        hash_add(&taken, hash, (void*)(uintptr_t)node);
      }
    }
  }
  hash_clear(&taken);
}

void sdf_write_lights(SdfFrames* frames, Node* robot, const Node* world) {
  static const char* const colors[] = {"diffuse", "specular"};
  Document* document = frames->document;
  for (const Node* light = world->first; light; light = light->next) {
    if (!text_equal(light->name, "light")) {
      continue;
    }
    const char* type = node_text(light, "type");
    const char* shadows = sdf_text(light, "cast_shadows");
    Pose place = sdf_element_pose(frames, "", light, &POSE_IDENTITY);
    double direction[3] = {0, 0, -1}, turned[3];
    const char* text = sdf_text(light, "direction");
    if (text) {
      sdf_reals(direction, 3, frames, light, text);
    }
    pose_rotate(turned, direction, place.quat);
    Node* out = document_add(document, robot, light, SDF_LIGHT);
    document_set(document, out, "type", type ? type : "point");
    document_set(document, out, "shadows", shadows ? shadows : "false");
    sdf_set_reals(document, out, "xyz", place.pos, 3);
    sdf_set_reals(document, out, "dir", turned, 3);
    for (int k = 0; k < 2; k++) {
      double rgb[4];
      text = sdf_text(light, colors[k]);
      if (text && sdf_reals(rgb, 4, frames, light, text) >= 3) {
        sdf_set_reals(document, out, colors[k], rgb, 3);
      }
    }
  }
}
