// collada.c: walks the tree of nodes and places the geometries that they show.
//
// The transformations of a node apply in the order in which they are written, the last one first.
// Skins are shown as they were bound: bind_shape_matrix places their geometry.

#include "base/algebra/elementary.h"
#include "meshfile/collada_context.h"

#include <math.h>
#include <string.h>

#include "base/text/number.h"
#include "meshfile/formats.h"

static const double degree = 3.14159265358979323846 / 180;

// transformations

static double length3(const double v[3]) {
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static void cross(double out[3], const double a[3], const double b[3]) {
  for (int k = 0; k < 3; k++) {
    int i = (k + 1) % 3, j = (k + 2) % 3;
    out[k] = a[i] * b[j] - a[j] * b[i];
  }
}

static MeshPlace matrix_place(const double v[16]) {
  MeshPlace place;
  memcpy(place.m, v, sizeof(place.m));
  return place;
}

static MeshPlace translate_place(const double v[3]) {
  return place_make(v, (double[]){1, 0, 0, 0}, (double[]){1, 1, 1});
}

static MeshPlace scale_place(const double v[3]) {
  return place_make((double[]){0, 0, 0}, (double[]){1, 0, 0, 0}, v);
}

static MeshPlace rotate_place(const double v[4]) {
  double length = length3(v), half = v[3] * degree / 2,
         s = length > 0 ? portable_sin(half) / length : 0;
  return place_make((double[]){0, 0, 0},
                    (double[]){length > 0 ? portable_cos(half) : 1, s * v[0], s * v[1], s * v[2]},
                    (double[]){1, 1, 1});
}

// Eye, point looked at, up: x to the right, y up, and z from that point to the eye.
static MeshPlace lookat_place(const double v[9]) {
  double z[3] = {v[0] - v[3], v[1] - v[4], v[2] - v[5]}, x[3], y[3];
  MeshPlace place = translate_place(v);
  cross(x, v + 6, z);
  cross(y, z, x);
  double lx = length3(x), ly = length3(y), lz = length3(z);
  for (int k = 0; k < 3 && lx > 0 && ly > 0 && lz > 0; k++) {
    place.m[4 * k] = x[k] / lx;
    place.m[4 * k + 1] = y[k] / ly;
    place.m[4 * k + 2] = z[k] / lz;
  }
  return place;
}

// Angle, axis a, axis b: x -> x + tan(angle) b (a' x), with a' the unit vector along the part of a
// across b.
static MeshPlace skew_place(const double v[7]) {
  double lb = length3(v + 4), b[3], a[3], along = 0;
  MeshPlace place = mesh_noplace;
  for (int k = 0; k < 3; k++) {
    b[k] = lb > 0 ? v[4 + k] / lb : 0;
    along += v[1 + k] * b[k];
  }
  for (int k = 0; k < 3; k++) {
    a[k] = v[1 + k] - along * b[k];
  }
  double la = length3(a), slope = la > 0 ? portable_tan(v[0] * degree) / la : 0;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      place.m[4 * i + j] += slope * b[i] * a[j];
    }
  }
  return place;
}

static const struct {
  const char* name;
  size_t count;  // of its numbers
  MeshPlace (*place)(const double* numbers);
} transforms[] = {
    {"matrix", 16, matrix_place}, {"translate", 3, translate_place}, {"rotate", 4, rotate_place},
    {"scale", 3, scale_place},    {"lookat", 9, lookat_place},       {"skew", 7, skew_place},
};

// Applies an element to the place of its node, if it is a transformation.
static void transform(const Collada* collada, MeshPlace* place, const XmlNode* node) {
  for (size_t i = 0; i < sizeof(transforms) / sizeof(transforms[0]); i++) {
    double number[16];
    if (!xml_is(node, transforms[i].name)) {
      continue;
    }
    size_t n = xml_numbers(&collada->tree, number, node, transforms[i].count);
    if (n < transforms[i].count) {
      build_fail(collada->build, node->content, "<%s> needs %zu numbers, not %zu", node->name,
                 transforms[i].count, n);
    }
    MeshPlace own = transforms[i].place(number);
    *place = place_join(place, &own);
  }
}

// geometries

static void add_geometry(Collada* collada, XmlNode* geometry, const XmlNode* instance,
                         const MeshPlace* place, const char* node_name) {
  const ColladaGeometry* made = collada_geometry(collada, geometry);
  const char* name = xml_attribute(geometry, "name");
  name = name && *name ? name : node_name ? node_name : xml_attribute(geometry, "id");
  for (size_t i = 0; i < made->npart; i++) {
    MeshPart part = made->part[i];
    part.name = (char*)name;
    part.material = collada_material(collada, instance, made->symbol[i]);
    build_part(collada->build, &part, place);
  }
}

// Follows the sources of skins and morphs to the geometry under them.
static void add_controller(Collada* collada, XmlNode* controller, const XmlNode* instance,
                           const MeshPlace* place, const char* name, int depth) {
  build_visit(collada->build, controller->content, depth);
  const XmlNode *skin = xml_child(controller, "skin"), *bind = xml_child(skin, "bind_shape_matrix");
  const XmlNode* deformer = skin ? skin : xml_child(controller, "morph");
  MeshPlace own = *place;
  if (bind) {
    double number[16];
    if (xml_numbers(&collada->tree, number, bind, 16) < 16) {
      build_fail(collada->build, bind->content, "<bind_shape_matrix> needs 16 numbers");
    }
    MeshPlace bound = matrix_place(number);
    own = place_join(place, &bound);
  }
  if (!deformer) {
    return;
  }
  XmlNode* source = xml_linked(&collada->tree, deformer, "source", NULL);
  if (xml_is(source, "controller")) {
    add_controller(collada, source, instance, &own, name, depth + 1);
  } else if (xml_is(source, "geometry")) {
    add_geometry(collada, source, instance, &own, name);
  }
}

// nodes

static void add_node(Collada* collada, const XmlNode* node, const MeshPlace* outer, int depth) {
  build_visit(collada->build, node->content, depth);
  MeshPlace place = *outer;
  const char* name = xml_attribute(node, "name");
  for (const XmlNode* child = node->child; child; child = child->next) {
    transform(collada, &place, child);
  }
  for (const XmlNode* child = node->child; child; child = child->next) {
    if (xml_is(child, "node")) {
      add_node(collada, child, &place, depth + 1);
    } else if (xml_is(child, "instance_node")) {
      add_node(collada, xml_linked(&collada->tree, child, "url", "node"), &place, depth + 1);
    } else if (xml_is(child, "instance_geometry")) {
      XmlNode* geometry = xml_linked(&collada->tree, child, "url", "geometry");
      add_geometry(collada, geometry, child, &place, name);
    } else if (xml_is(child, "instance_controller")) {
      XmlNode* controller = xml_linked(&collada->tree, child, "url", "controller");
      add_controller(collada, controller, child, &place, name, depth + 1);
    }
  }
}

// From the unit of the file to metres; what is up goes to the file.
static MeshPlace file_place(const Collada* collada) {
  const XmlNode *asset = xml_child(collada->tree.root, "asset"), *unit = xml_child(asset, "unit");
  const XmlNode* axis = xml_child(asset, "up_axis");
  const char *up = axis && axis->plain ? axis->plain : "Y_UP", *text;
  double meter = 1, value;
  text = unit ? xml_attribute(unit, "meter") : NULL;
  if (text && number_read(&value, text) && value > 0 && isfinite(value)) {
    meter = value;
  }
  collada->build->file->up = *up == 'X' ? 'x' : *up == 'Z' ? 'z' : 'y';
  return scale_place((double[]){meter, meter, meter});
}

// The scene that is shown, else the first one; NULL if there is none.
static const XmlNode* find_scene(const Collada* collada) {
  const XmlNode* root = collada->tree.root;
  const XmlNode* instance = xml_child(xml_child(root, "scene"), "instance_visual_scene");
  const XmlNode* shown = NULL;
  if (instance) {
    shown = xml_find(&collada->tree, xml_attribute(instance, "url"));
  }
  if (shown && xml_is(shown, "visual_scene")) {
    return shown;
  }
  return xml_child(xml_child(root, "library_visual_scenes"), "visual_scene");
}

void collada_read(MeshBuild* build) {
  Collada* collada = heap_zero(1, sizeof(Collada));
  collada->build = build;
  xml_parse(&collada->tree, build);
  if (!xml_is(collada->tree.root, "COLLADA")) {
    build_fail(build, NULL, "the root is <%s>, not <COLLADA>", collada->tree.root->name);
  }
  corners_start(&collada->corners, build);
  MeshPlace place = file_place(collada);
  const XmlNode* scene = find_scene(collada);
  for (const XmlNode* node = xml_child(scene, "node"); node; node = xml_again(node)) {
    add_node(collada, node, &place, 0);
  }

  // a file without a scene shows everything that it has
  const XmlNode* library = scene ? NULL : xml_child(collada->tree.root, "library_geometries");
  for (; library; library = xml_again(library)) {
    XmlNode* geometry = xml_child(library, "geometry");
    for (; geometry; geometry = xml_again(geometry)) {
      add_geometry(collada, geometry, NULL, &place, NULL);
    }
  }
}
