// collada_geometry.c: sources of numbers, and triangles, polygons, strips and fans over them.
//
//   <source id> <float_array> x y z x y z ... <accessor source count offset stride>
//   <vertices id> <input semantic="POSITION" source>
//   <polylist material> <input semantic="VERTEX|NORMAL|TEXCOORD" offset source> <vcount> <p>
//
// A corner is as many indices in <p> as the largest offset says, one for each offset.

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/number.h"
#include "meshfile/collada_context.h"

enum {
  MOST_INPUTS = 32,  // of a primitive, and indices of a corner
};

// The numbers of a <float_array>.
typedef struct FloatArray_ {
  float* item;
  size_t count;
} FloatArray;

// Which index of a corner is for what, and what it refers to.
typedef struct Inputs_ {
  int stride;
  int offset[NCORNER];  // -1 if there is none
  CornerValues values[NCORNER];
} Inputs;

// The corners of a <p>, read one by one.
typedef struct CornerText_ {
  const XmlNode* node;
  const char* at;
} CornerText;

// sources

static size_t whole_number(const XmlNode* node, const char* name, size_t otherwise) {
  const char* text = node ? xml_attribute(node, name) : NULL;
  int value = 0;
  return text && number_int(&value, text) && value >= 0 ? (size_t)value : otherwise;
}

static const FloatArray* float_array(Collada* collada, XmlNode* node) {
  if (node->made) {
    return node->made;
  }
  // a number and the space behind it take two bytes
  size_t most = (size_t)(node->end - node->content) / 2 + 1;
  FloatArray* array = node->made = heap_zero(1, sizeof(FloatArray));
  array->item = heap_take(most * sizeof(float));
  const char* at = xml_skip(node->content, node->end);
  while (at < node->end && array->count < most) {
    double value;
    const char* next = number_read(&value, at);
    if (!next || next > node->end || (!number_isspace(*next) && next != node->end)) {
      build_fail(collada->build, at, "<float_array>: '%.*s' is not a number",
                 (int)(node->end - at < 20 ? node->end - at : 20), at);
    }
    array->item[array->count++] = (float)value;
    at = xml_skip(next, node->end);
  }
  array->item = heap_resize(array->item, array->count * sizeof(float));
  return array;
}

// The vectors of a <source>; none if they have fewer components than `width`.
static CornerValues source_values(Collada* collada, const XmlNode* source, size_t width) {
  const XmlNode* accessor = xml_child(xml_child(source, "technique_common"), "accessor");
  XmlNode* node = accessor ? xml_find(&collada->tree, xml_attribute(accessor, "source")) : NULL;
  node = node ? node : xml_child(source, "float_array");
  if (!node || !xml_is(node, "float_array")) {
    return (CornerValues){NULL, 0, width};
  }
  const FloatArray* array = float_array(collada, node);
  size_t stride = whole_number(accessor, "stride", accessor ? 1 : width);
  size_t offset = whole_number(accessor, "offset", 0);
  size_t count = whole_number(accessor, "count", SIZE_MAX);
  if (stride < width || array->count < offset + width) {
    return (CornerValues){NULL, 0, width};
  }
  size_t most = (array->count - offset - width) / stride + 1;
  return (CornerValues){array->item + offset, count < most ? count : most, stride};
}

static int kind_of(const char* semantic) {
  return !semantic                               ? -1
         : strcmp(semantic, "POSITION") == 0     ? CORNER_POSITION
         : strcmp(semantic, "NORMAL") == 0       ? CORNER_NORMAL
         : strncmp(semantic, "TEXCOORD", 8) == 0 ? CORNER_TEXCOORD
                                                 : -1;
}

// Adds an <input>, unless there is one of its kind already.
static void add_input(Collada* collada, Inputs* inputs, const XmlNode* input, int offset) {
  int kind = kind_of(xml_attribute(input, "semantic"));
  if (kind < 0 || inputs->offset[kind] >= 0) {
    return;
  }
  const XmlNode* source = xml_linked(&collada->tree, input, "source", "source");
  inputs->values[kind] = source_values(collada, source, kind == CORNER_TEXCOORD ? 2 : 3);
  inputs->offset[kind] = inputs->values[kind].count || kind == CORNER_POSITION ? offset : -1;
}

static void read_inputs(Collada* collada, Inputs* inputs, const XmlNode* primitive) {
  *inputs = (Inputs){.offset = {-1, -1, -1}};
  const XmlNode* input = xml_child(primitive, "input");
  for (int i = 0; input; input = xml_again(input), i++) {
    const char* semantic = xml_attribute(input, "semantic");
    size_t offset = whole_number(input, "offset", 0);
    if (offset >= MOST_INPUTS || i >= MOST_INPUTS) {
      build_fail(collada->build, input->content, "<input>: there are more than %d, or offset %zu",
                 MOST_INPUTS, offset);
    }
    inputs->stride = (int)offset >= inputs->stride ? (int)offset + 1 : inputs->stride;
    if (semantic && strcmp(semantic, "VERTEX") == 0) {
      const XmlNode* vertices = xml_linked(&collada->tree, input, "source", "vertices");
      const XmlNode* inner = xml_child(vertices, "input");
      for (int k = 0; inner && k < MOST_INPUTS; inner = xml_again(inner), k++) {
        add_input(collada, inputs, inner, (int)offset);
      }
    } else {
      add_input(collada, inputs, input, (int)offset);
    }
  }
}

// corners

// Reads the next corner. Returns its vertex, -1 at the end of the text.
static int next_corner(Collada* collada, const Inputs* inputs, CornerText* text) {
  int index[MOST_INPUTS];
  const char* start = text->at = xml_skip(text->at, text->node->end);
  if (start >= text->node->end) {
    return -1;
  }
  for (int k = 0; k < inputs->stride; k++) {
    const char* next = number_int(&index[k], text->at);
    if (!next || next > text->node->end) {
      build_fail(collada->build, start, "<%s>: '%.*s' isn't a corner of %d indices",
                 text->node->name,
                 (int)(text->node->end - start < 20 ? text->node->end - start : 20), start,
                 inputs->stride);
    }
    text->at = next;
  }
  int at[NCORNER];
  for (int k = 0; k < NCORNER; k++) {
    at[k] = inputs->offset[k] < 0 ? -1 : index[inputs->offset[k]];
  }
  return corners_vertex(&collada->corners, at, start);
}

static CornerText corners_of(const XmlNode* p) {
  return (CornerText){p, p->content};
}

static void read_triangles(Collada* collada, const Inputs* inputs, const XmlNode* p) {
  CornerText text = corners_of(p);
  for (int a; (a = next_corner(collada, inputs, &text)) >= 0;) {
    int b = next_corner(collada, inputs, &text);
    int c = b < 0 ? -1 : next_corner(collada, inputs, &text);
    if (c < 0) {
      build_fail(collada->build, p->end, "<p>: the indices end within a triangle");
    }
    corners_triangle(&collada->corners, a, b, c);
  }
}

static void read_fan(Collada* collada, const Inputs* inputs, const XmlNode* p) {
  CornerText text = corners_of(p);
  int first = next_corner(collada, inputs, &text), before = -1;
  for (int v; first >= 0 && (v = next_corner(collada, inputs, &text)) >= 0; before = v) {
    if (before >= 0) {
      corners_triangle(&collada->corners, first, before, v);
    }
  }
}

static void read_strip(Collada* collada, const Inputs* inputs, const XmlNode* p) {
  CornerText text = corners_of(p);
  int a = next_corner(collada, inputs, &text), b = a < 0 ? -1 : next_corner(collada, inputs, &text);
  int is_odd = 0;
  for (int c; b >= 0 && (c = next_corner(collada, inputs, &text)) >= 0; is_odd = !is_odd) {
    corners_triangle(&collada->corners, is_odd ? b : a, is_odd ? a : b, c);
    a = b;
    b = c;
  }
}

static void read_polygon(Collada* collada, const Inputs* inputs, const XmlNode* p) {
  CornerText text = corners_of(p);
  for (int v; (v = next_corner(collada, inputs, &text)) >= 0;) {
    corners_point(&collada->corners, v);
  }
  corners_close(&collada->corners);
}

static void read_polylist(Collada* collada, const Inputs* inputs, const XmlNode* primitive) {
  const XmlNode *counts = xml_child(primitive, "vcount"), *p = xml_child(primitive, "p");
  if (!counts || !p) {
    return;
  }
  CornerText text = corners_of(p);
  const char* at = xml_skip(counts->content, counts->end);
  while (at < counts->end) {
    int n;
    const char* next = number_int(&n, at);
    if (!next || next > counts->end || n < 0) {
      build_fail(collada->build, at, "<vcount>: not a number of corners");
    }
    for (int i = 0; i < n; i++) {
      int v = next_corner(collada, inputs, &text);
      if (v < 0) {
        build_fail(collada->build, at, "<vcount>: a polygon of %d corners, but <p> ends", n);
      }
      corners_point(&collada->corners, v);
    }
    corners_close(&collada->corners);
    at = xml_skip(next, counts->end);
  }
}

// Holes of polygons (<ph>: <p> and <h>) are left out.
static void read_polygons(Collada* collada, const Inputs* inputs, const XmlNode* primitive) {
  for (const XmlNode* child = primitive->child; child; child = child->next) {
    const XmlNode* p = xml_is(child, "p")    ? child
                       : xml_is(child, "ph") ? xml_child(child, "p")
                                             : NULL;
    if (p) {
      read_polygon(collada, inputs, p);
    }
  }
}

static const struct {
  const char* name;
  void (*read_p)(Collada*, const Inputs*, const XmlNode*);    // for each <p>
  void (*read_all)(Collada*, const Inputs*, const XmlNode*);  // once
} primitives[] = {
    {"triangles", read_triangles, NULL}, {"trifans", read_fan, NULL},
    {"tristrips", read_strip, NULL},     {"polylist", NULL, read_polylist},
    {"polygons", NULL, read_polygons},
};

// Adds a primitive to a geometry, if it is one of triangles.
static void read_primitive(Collada* collada, ColladaGeometry* made, const XmlNode* node) {
  size_t kind = 0, n = sizeof(primitives) / sizeof(primitives[0]);
  while (kind < n && !xml_is(node, primitives[kind].name)) {
    kind++;
  }
  if (kind == n) {
    return;
  }
  Inputs inputs;
  read_inputs(collada, &inputs, node);
  if (inputs.offset[CORNER_POSITION] < 0) {
    if (xml_child(node, "p")) {
      build_fail(collada->build, node->content, "<%s>: no input gives positions", node->name);
    }
    return;
  }
  corners_values(&collada->corners, inputs.values);
  const XmlNode* p = primitives[kind].read_p ? xml_child(node, "p") : NULL;
  for (; p; p = xml_again(p)) {
    primitives[kind].read_p(collada, &inputs, p);
  }
  if (primitives[kind].read_all) {
    primitives[kind].read_all(collada, &inputs, node);
  }
  made->part = build_grow(made->part, &made->room, made->npart, sizeof(MeshPart));
  made->symbol = heap_resize(made->symbol, made->room * sizeof(char*));
  MeshPart part = {.material = -1};
  corners_part(&part, &collada->corners);
  made->part[made->npart] = part;
  made->symbol[made->npart++] = xml_attribute(node, "material");
}

const ColladaGeometry* collada_geometry(Collada* collada, XmlNode* geometry) {
  if (geometry->made) {
    return geometry->made;
  }
  ColladaGeometry* made = geometry->made = heap_zero(1, sizeof(ColladaGeometry));
  const XmlNode* mesh = xml_child(geometry, "mesh");
  mesh = mesh ? mesh : xml_child(geometry, "convex_mesh");
  collada->tree.inside = geometry;
  for (const XmlNode* node = mesh ? mesh->child : NULL; node; node = node->next) {
    read_primitive(collada, made, node);
  }
  collada->tree.inside = NULL;
  return made;
}
