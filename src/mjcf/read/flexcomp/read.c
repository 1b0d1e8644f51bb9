// read.c: reads the attributes, points and pins of a <flexcomp>.
//                                                    theory/smooth/deformables.md, Generated flexes

#include "mjcf/read/flexcomp/macro.h"

#include <math.h>
#include <mujoco/api/spec.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/algebra/pose.h"
#include "base/file.h"
#include "base/memory/memory.h"
#include "mjcf/read/context.h"
#include "mjcf/read/plugin.h"
#include "model/files/resource.h"
#include "spec/spec.h"

static int is_given(const Flexcomp* comp) {
  return comp->type >= FLEXCOMP_MESH;
}

static int refuse(const Macro* macro, const char* attribute, const char* format, ...)
    mjPRINTFLIKE(3, 4);

static int refuse(const Macro* macro, const char* attribute, const char* format, ...) {
  char message[300];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof(message), format, args);
  va_end(args);
  values_error(macro->reader, macro->node, attribute, NULL, "%s", message);
  return 0;
}

// attributes

static int read_orientation(Macro* macro) {
  const Reader* reader = macro->reader;
  const Node* node = macro->node;
  Flexcomp* comp = &macro->comp;
  mjsOrientation alt;
  mjs_defaultOrientation(&alt);
  const struct {
    const char* name;
    mjtOrientation type;
    double* out;
  } forms[] = {{"quat", mjORIENTATION_QUAT, comp->quat},
               {"axisangle", mjORIENTATION_AXISANGLE, alt.axisangle},
               {"xyaxes", mjORIENTATION_XYAXES, alt.xyaxes},
               {"zaxis", mjORIENTATION_ZAXIS, alt.zaxis},
               {"euler", mjORIENTATION_EULER, alt.euler}};
  int given = 0;
  for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
    if (values_reals(forms[i].out, reader, node, forms[i].name)) {
      alt.type = forms[i].type;
      given++;
    }
  }
  if (given > 1) {
    return refuse(macro, NULL, "multiple orientation specifiers are not allowed");
  }
  const mjsCompiler* compiler = &reader->spec->compiler;
  const char* problem =
      mjs_resolveOrientation(comp->quat, compiler->degree, compiler->eulerseq, &alt);
  return !problem || refuse(macro, NULL, "%s", problem);
}

static void read_children(Macro* macro) {
  for (const Node* child = macro->node->first; child; child = child->next) {
    if (child->skip || read_is(child, "plugin") || read_is(child, "pin")) {
      continue;
    }
    values_read(macro->reader, child, macro->flex);
    if (read_is(child, "edge")) {
      double number[mjNIMP];
      values_key(&macro->equality, macro->reader, child, "equality");
      for (int i = 0, n = values_reals(number, macro->reader, child, "solref"); i < n; i++) {
        macro->solref[i] = (mjtNum)number[i];
      }
      for (int i = 0, n = values_reals(number, macro->reader, child, "solimp"); i < n; i++) {
        macro->solimp[i] = (mjtNum)number[i];
      }
    }
  }
}

static void read_attributes(Macro* macro) {
  const Reader* reader = macro->reader;
  const Node* node = macro->node;
  Flexcomp* comp = &macro->comp;
  int key;
  values_read(reader, node, macro->flex);
  int usual = values_text(node, "mesh") ? FLEXCOMP_MESH : FLEXCOMP_GRID;
  comp->type = values_key(&key, reader, node, "type") ? (FlexcompType)key : (FlexcompType)usual;
  comp->dof = values_key(&key, reader, node, "dof") ? (FlexcompDof)key : FLEXCOMP_FULL;
  values_key(&comp->rigid, reader, node, "rigid");
  values_ints(comp->count, reader, node, "count");
  values_reals(comp->spacing, reader, node, "spacing");
  values_reals(comp->scale, reader, node, "scale");
  values_reals(&comp->mass, reader, node, "mass");
  values_reals(&comp->inertiabox, reader, node, "inertiabox");
  values_reals(comp->pos, reader, node, "pos");
  comp->dim = macro->flex->dim;
  comp->order = comp->dof == FLEXCOMP_TRILINEAR ? 1 : comp->dof == FLEXCOMP_QUADRATIC ? 2 : 0;
  memcpy(comp->cells, macro->flex->cellcount, sizeof(comp->cells));
  read_children(macro);
  read_flexwords(reader, node, macro->flex, comp->order > 0);
}

// Checks the cells of a cage. A cage of one linear cell follows the rules of 3.3.7 unless the model
// has the behaviour flex.
static int check_cells(Macro* macro) {
  Flexcomp* comp = &macro->comp;
  const int* n = comp->cells;
  for (int k = 0; k < 3; k++) {
    macro->flex->cellcount[k] = comp->order ? n[k] : 1;
    if (comp->order && n[k] < 1) {
      return refuse(macro, "cellcount", "cellcount must be at least 1 along each axis: it is %d",
                    n[k]);
    }
  }
  if (comp->order && (!cage_nodes(comp->order, n) || cage_nodes(comp->order, n) >= 65534)) {
    return refuse(macro, "cellcount", "too many cells: a model has less than 65534 bodies");
  }
  int several = comp->order == 2 || (comp->order && cage_cells(n) > 1);
  macro->flex->order = several ? comp->order : 0;
  int strain = macro->equality == 3;
  if (strain && (!comp->order || comp->dim != 3)) {
    return refuse(macro, NULL,
                  "equality=\"strain\" is for dim 3 and dof \"trilinear\" or \"quadratic\"");
  }
  comp->by_nodes = several || (comp->order && (strain || macro_is_later(macro)));
  return 1;
}

static int check_attributes(Macro* macro) {
  const Flexcomp* comp = &macro->comp;
  const mjsFlex* flex = macro->flex;
  if (!spec_name(spec_object(macro->parent->element))[0]) {
    return refuse(macro, NULL, "Parent body must have name");
  }
  if (comp->dim < 1 || comp->dim > 3) {
    return refuse(macro, "dim", "Invalid dim, must be between 1 and 3: it is %d", comp->dim);
  }
  int least = comp->dof == FLEXCOMP_RADIAL && comp->dim == 3 ? 2 : 1;
  for (int k = 0; k < 3; k++) {
    if (comp->count[k] < least) {
      return refuse(macro, "count", "Count too small: %d is less than %d", comp->count[k], least);
    }
    if (!is_given(comp) && !(comp->spacing[k] >= 2 * flex->radius + flex->margin)) {
      return refuse(macro, "spacing",
                    "Spacing must be larger than geometry size: %g is less than two radii and the "
                    "margin, %g",
                    comp->spacing[k], 2 * flex->radius + flex->margin);
    }
    if (!(comp->scale[k] >= mjMINVAL)) {
      return refuse(macro, "scale", "Scale must be larger than mjMINVAL (%g): it is %g", mjMINVAL,
                    comp->scale[k]);
    }
  }
  int from_asset = values_text(macro->node, "mesh") != NULL;
  if (from_asset && values_text(macro->node, "file")) {
    return refuse(macro, "mesh", "both 'file' and 'mesh' specified");
  }
  if (from_asset && comp->type != FLEXCOMP_MESH && comp->type != FLEXCOMP_GMSH) {
    return refuse(macro, "type", "mesh asset can only be used with flexcomp type mesh or gmsh");
  }
  if (!(comp->mass >= mjMINVAL) || !(comp->inertiabox >= mjMINVAL)) {
    return refuse(macro, comp->mass >= mjMINVAL ? "inertiabox" : "mass",
                  "Mass and inertiabox must be larger than mjMINVAL (%g): they are %g and %g",
                  mjMINVAL, comp->mass, comp->inertiabox);
  }
  if (macro->equality && flex->elastic2d >= 2) {
    return refuse(macro, NULL, "elasticity and edge constraints cannot both be present");
  }
  return check_cells(macro);
}

// points and elements

// Moves points and elements that the author gave as attributes of the flex to the macro, before
// those that are generated. A mesh replaces them.
static void take_lists(Macro* macro) {
  Flexcomp* comp = &macro->comp;
  const mjsFlex* flex = macro->flex;
  if (comp->type != FLEXCOMP_MESH && !values_text(macro->node, "mesh")) {
    vector_copy((Vector*)&comp->point, (const Vector*)flex->vert, VECTOR_DOUBLES);
    vector_copy((Vector*)&comp->element, (const Vector*)flex->elem, VECTOR_INTS);
  }
  vector_copy((Vector*)&comp->texcoord, (const Vector*)flex->texcoord, VECTOR_FLOATS);
  comp->textured = !comp->texcoord.num && (!string_empty(flex->material) || flex->materials->num);
}

static int check_file(Macro* macro, const char* written) {
  const Reader* reader = macro->reader;
  Flexcomp* comp = &macro->comp;
  if (!written || !written[0]) {
    return refuse(macro, "file", "File is required");
  }
  if (comp->type == FLEXCOMP_MESH && comp->dim < 2) {
    return refuse(macro, "dim", "Flex dim must be at least 2 for mesh");
  }
  if (comp->type == FLEXCOMP_MESH && comp->dim == 3 &&
      !values_reals(comp->origin, reader, macro->node, "origin")) {
    return refuse(macro, "origin", "origin must be specified for mesh flexcomps if dim=3");
  }
  return 1;
}

static int load_file(Macro* macro, const char* written) {
  const Reader* reader = macro->reader;
  Flexcomp* comp = &macro->comp;
  char error[300] = "", shown[PATH_SHOWN];
  char* file = resource_path(string_text(reader->spec->compiler.meshdir), written);
  size_t size;
  char* bytes = resource_read(&size, reader->vfs, document_directory(reader->document), file, error,
                              sizeof(error));
  int good = bytes != NULL;
  if (!good) {
    values_error(reader, macro->node, "file", NULL, "Error opening file '%s': %s",
                 path_show(shown, file), error);
  } else {
    good = comp->type == FLEXCOMP_GMSH
               ? flexcomp_gmsh(comp, bytes, size, error, sizeof(error))
               : flexcomp_mesh(comp, file, bytes, size, error, sizeof(error));
    if (!good) {
      values_error(reader, macro->node, "file", NULL, "file '%s': %s", path_show(shown, file),
                   error);
    }
  }
  heap_free(bytes);
  heap_free(file);
  return good;
}

static int read_file(Macro* macro) {
  char* written = values_file(macro->reader, macro->node, "file");
  int good = check_file(macro, written) && load_file(macro, written);
  heap_free(written);
  return good;
}

static int make_shape(Macro* macro) {
  Flexcomp* comp = &macro->comp;
  char error[200] = "";
  Lattice lattice = {.type = (LatticeType)comp->type,
                     .dim = comp->dim,
                     .textured = comp->textured,
                     .point = comp->point,
                     .element = comp->element,
                     .texcoord = comp->texcoord};
  memcpy(lattice.count, comp->count, sizeof(lattice.count));
  memcpy(lattice.spacing, comp->spacing, sizeof(lattice.spacing));
  int good = lattice_make(&lattice, error, sizeof(error));
  comp->point = lattice.point;
  comp->element = lattice.element;
  comp->texcoord = lattice.texcoord;
  return good || refuse(macro, "count", "%s", error);
}

// The mesh of this name, which is that of its file if it has no own.
static SpecObject* find_mesh(const SpecTree* tree, const char* name) {
  SpecObject* found = spec_find(tree, mjOBJ_MESH, name);
  mjString text = {0};
  for (SpecObject* it = spec_first(tree, mjOBJ_MESH); it && !found; it = spec_next(it)) {
    if (!spec_name(it)[0] && !string_empty(it->as.mesh.file)) {
      spec_filename(&text, string_text(it->as.mesh.file));
      found = strcmp(string_text(&text), name) == 0 ? it : NULL;
    }
  }
  string_clear(&text);
  return found;
}

// Makes points from a mesh of the model, which must stand before.
static int read_asset_mesh(Macro* macro, const char* name) {
  const Reader* reader = macro->reader;
  Flexcomp* comp = &macro->comp;
  char error[400] = "";
  SpecObject* mesh = find_mesh(spec_tree(reader->spec), name);
  if (!mesh) {
    return refuse(macro, "mesh", "mesh '%s' not found", name);
  }
  int is_solid = mesh->as.mesh.usertet->num > 0;
  if (is_solid && comp->dim != 3) {
    return refuse(macro, "dim",
                  "flexcomp dim does not match mesh dimensionality: it is %d, the mesh "
                  "has tetrahedra",
                  comp->dim);
  }
  if (!is_solid && comp->dim == 3 && !values_reals(comp->origin, reader, macro->node, "origin")) {
    return refuse(macro, "origin", "origin must be specified for mesh flexcomps if dim=3");
  }
  return flexcomp_asset(comp, mesh, reader->vfs, error, sizeof(error)) ||
         refuse(macro, "mesh", "%s", error);
}

static int make_points(Macro* macro) {
  Flexcomp* comp = &macro->comp;
  const char* asset = values_text(macro->node, "mesh");
  take_lists(macro);
  if (comp->point.num % 3) {
    return refuse(macro, "point", "Point size must be a multiple of 3");
  }
  if (comp->type == FLEXCOMP_SQUARE || comp->type == FLEXCOMP_DISC) {
    comp->dim = 2;
  }
  if (asset) {
    return read_asset_mesh(macro, asset);
  }
  if (comp->type == FLEXCOMP_MESH || comp->type == FLEXCOMP_GMSH) {
    return read_file(macro);
  }
  return comp->type == FLEXCOMP_DIRECT || make_shape(macro);
}

static int check_points(Macro* macro) {
  const Flexcomp* comp = &macro->comp;
  size_t npoint = macro_count_points(macro), per = (size_t)comp->dim + 1;
  if (!npoint || npoint > FLEXCOMP_MAX) {
    return refuse(macro, "point", "%s", npoint ? "too many points" : "No points were created");
  }
  if (!comp->element.num || comp->element.num % per) {
    return refuse(macro, "element",
                  comp->element.num ? "Element size must be a multiple of dim+1"
                                    : "No elements were created");
  }
  for (size_t i = 0; i < comp->point.num; i++) {
    if (!isfinite(comp->point.ptr[i])) {
      return refuse(macro, "point", "a point is not finite");
    }
  }
  for (size_t i = 0; i < comp->element.num; i++) {
    if (comp->element.ptr[i] < 0 || (size_t)comp->element.ptr[i] >= npoint) {
      values_error(macro->reader, macro->node, "element", NULL,
                   "element %zu has point id %d, number of points is %zu", i / per,
                   comp->element.ptr[i], npoint);
      return 0;
    }
  }
  return 1;
}

// Applies scale (to given points) and pose, and computes the box around the points.
static void place_points(Macro* macro) {
  Flexcomp* comp = &macro->comp;
  size_t npoint = macro_count_points(macro);
  for (size_t i = 0; i < npoint; i++) {
    double* p = comp->point.ptr + 3 * i;
    for (int k = 0; k < 3 && is_given(comp); k++) {
      p[k] *= comp->scale[k];
    }
    pose_rotate(p, p, comp->quat);
    for (int k = 0; k < 3; k++) {
      p[k] += comp->pos[k];
      macro->lower[k] = i ? fmin(macro->lower[k], p[k]) : p[k];
      macro->upper[k] = i ? fmax(macro->upper[k], p[k]) : p[k];
    }
  }
  macro->used = heap_zero(npoint, 1);
  for (size_t i = 0; i < npoint; i++) {
    macro->used[i] = !is_given(comp);
  }
  for (size_t i = 0; i < comp->element.num; i++) {
    macro->used[comp->element.ptr[i]] = 1;
  }
}

// pins

static int wrong_pin(const Macro* macro, const Node* pin, const char* attribute,
                     const char* message) {
  values_error(macro->reader, pin, attribute, NULL, "%s", message);
  return 0;
}

static int pin_range(Macro* macro, const Node* pin, const char* attribute, int first, int last) {
  int npin = (int)macro_count_pins(macro);
  if (first < 0 || first >= npin || last < 0 || last >= npin) {
    values_error(macro->reader, pin, attribute, NULL, "pin %s out of range: there are %d %s",
                 attribute, npin, macro->comp.by_nodes ? "nodes" : "points");
    return 0;
  }
  for (int i = first; i <= last; i++) {
    macro->comp.pinned[i] = 1;
  }
  return 1;
}

// Pins the points of a box of the lattice, ends included.
static int pin_box(Macro* macro, const Node* pin, const char* attribute, const int* low,
                   const int* high) {
  const Flexcomp* comp = &macro->comp;
  int from[3] = {0, 0, 0}, to[3] = {0, 0, 0}, n[3] = {1, 1, 1};
  for (int k = 0; k < 3; k++) {
    n[k] = comp->by_nodes ? comp->order * comp->cells[k] + 1 : k < comp->dim ? comp->count[k] : 1;
  }
  for (int k = 0; k < comp->dim; k++) {
    from[k] = low[k];
    to[k] = high[k];
    if (from[k] < 0 || from[k] >= n[k] || to[k] < 0 || to[k] >= n[k]) {
      values_error(macro->reader, pin, attribute, NULL, "pin %s out of range: count is %d %d %d",
                   attribute, n[0], n[1], n[2]);
      return 0;
    }
  }
  for (int ix = from[0]; ix <= to[0]; ix++) {
    for (int iy = from[1]; iy <= to[1]; iy++) {
      for (int iz = from[2]; iz <= to[2]; iz++) {
        comp->pinned[(ix * n[1] + iy) * n[2] + iz] = 1;
      }
    }
  }
  return 1;
}

static const struct {
  const char* name;
  int lattice;  // 1 if numbers are lattice indices, dim per point
  int ends;     // 2 if numbers are pairs of least and greatest
} pin_forms[] = {{"id", 0, 1}, {"range", 0, 2}, {"grid", 1, 1}, {"gridrange", 1, 2}};

static int read_pin(Macro* macro, const Node* pin) {
  const Flexcomp* comp = &macro->comp;
  for (size_t f = 0; f < sizeof(pin_forms) / sizeof(pin_forms[0]); f++) {
    const char* name = pin_forms[f].name;
    int n, good = 1, width = pin_forms[f].lattice ? comp->dim : 1, ends = pin_forms[f].ends;
    int* id = values_intlist(&n, macro->reader, pin, name);
    int lattice = comp->dim > 1 && (comp->type == FLEXCOMP_GRID || comp->by_nodes);
    if (id && pin_forms[f].lattice && !lattice) {
      good = wrong_pin(macro, pin, name, "pin grid is for type grid and dim 2 or 3");
    } else if (n % (width * ends)) {
      good = wrong_pin(macro, pin, name,
                       pin_forms[f].lattice ? "number of pin indices must be a multiple of dim, or "
                                              "twice dim for a range"
                                            : "pin range must have pairs of numbers");
    }
    for (int i = 0; i < n && good; i += width * ends) {
      const int* last = id + i + width * (ends - 1);
      good = pin_forms[f].lattice ? pin_box(macro, pin, name, id + i, last)
                                  : pin_range(macro, pin, name, id[i], *last);
    }
    heap_free(id);
    if (!good) {
      return 0;
    }
  }
  return 1;
}

static int read_pins(Macro* macro) {
  Flexcomp* comp = &macro->comp;
  size_t npin = macro_count_pins(macro);
  comp->pinned = heap_zero(npin, 1);
  for (const Node* child = macro->node->first; child && !comp->rigid; child = child->next) {
    if (read_is(child, "pin") && !read_pin(macro, child)) {
      return 0;
    }
  }
  comp->pinned[0] |= comp->dof == FLEXCOMP_RADIAL;
  int all = 1;
  for (size_t i = 0; i < npin; i++) {
    all &= comp->pinned[i];
  }
  comp->rigid |= all;
  return 1;
}

// Checks that there are not more bodies than contacts can number.
static int check_bodies(const Macro* macro) {
  const Flexcomp* comp = &macro->comp;
  size_t bodies = 0;
  for (size_t i = 0; !comp->order && i < macro_count_points(macro); i++) {
    bodies += macro->used[i] && !comp->pinned[i];
  }
  return bodies < 65534 || comp->rigid ||
         refuse(macro, NULL, "too many points: a model has less than 65534 bodies");
}

// Reads the plugin of the vertices' bodies. If vertices belong to the parent, the parent must have
// the same plugin or none.
static int read_plugin(Macro* macro) {
  const Flexcomp* comp = &macro->comp;
  const mjsPlugin* parent = &macro->parent->plugin;
  const Node* child = node_child(macro->node, "plugin");
  if (child && comp->rigid) {
    node_report(child, NULL, macro->reader->problems, cndSEVERITY_WARNING,
                "put it into the parent body", "plugin has no effect in a rigid flexcomp");
    return 1;
  }
  mjString name = {0};
  int ok;
  string_format(&name, "flexcomp_%s", macro->name);
  macro->instance = read_shared(&ok, macro->reader, macro->node, string_text(&name));
  string_clear(&name);
  if (macro->instance && parent->active && parent->element != &macro->instance->element &&
      (macro_any_pinned(macro) || comp->order)) {
    values_error(macro->reader, child, NULL, NULL,
                 "pinned vertices are of the parent body, and a body can use one plugin only");
    return 0;
  }
  return ok;
}

void read_flexcomp(const Reader* reader, const Node* node, mjsBody* parent) {
  mjsEquality usual;
  mjs_defaultEquality(&usual);
  Macro macro = {
      .comp = {.count = {10, 10, 10},
               .spacing = {0.02, 0.02, 0.02},
               .scale = {1, 1, 1},
               .quat = {1, 0, 0, 0},
               .mass = 1,
               .inertiabox = 0.005},
      .reader = reader,
      .node = node,
      .parent = parent,
      .flex = mjs_addFlex(reader->spec),
      .name = values_text(node, "name"),
  };
  memcpy(macro.solref, usual.solref, sizeof(macro.solref));
  memcpy(macro.solimp, usual.solimp, sizeof(macro.solimp));
  read_place(reader, node, macro.flex->element);
  read_attributes(&macro);
  if (macro.name) {
    mjs_setName(macro.flex->element, macro.name);
    if (read_orientation(&macro) && check_attributes(&macro) && make_points(&macro) &&
        check_points(&macro)) {
      place_points(&macro);
      if (read_pins(&macro) && check_bodies(&macro) && read_plugin(&macro)) {
        macro_generate(&macro);
      }
    }
  }
  vector_clear((Vector*)&macro.comp.point, VECTOR_DOUBLES);
  vector_clear((Vector*)&macro.comp.element, VECTOR_INTS);
  vector_clear((Vector*)&macro.comp.texcoord, VECTOR_FLOATS);
  vector_clear((Vector*)&macro.comp.elemtexcoord, VECTOR_INTS);
  heap_free(macro.comp.pinned);
  heap_free(macro.used);
}
