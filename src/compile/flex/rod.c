// rod.c: the numbers of flexes of dim 1 that bend and twist.
//                                                        theory/smooth/deformables.md, Rods
#include "model/flex/rod.h"
#include "base/algebra/elementary.h"

#include <math.h>
#include <mujoco/api/spec.h>
#include <string.h>

#include "base/algebra/pose.h"
#include "base/memory/memory.h"
#include "compile/flex/work.h"

// Vertices that bend by less are straight (rad).
static const double STRAIGHT = 1e-4;

// A vertex with two edges, and what it is bent by.
typedef struct Bend_ {
  int degree, edge[2];
  double kb[3], size, length;  // of both edges
  int curved, pairs;
} Bend;

int rod_is_meant(const mjsFlex* spec, int behaves) {
  return spec->dim == 1 && spec->young > 0 &&
         (behaves || spec->section != mjFLEXSECTION_CIRCLE || spec->shear > 0);
}

// section

static double minor_half(const mjsFlex* spec) {
  return fmin(spec->sectionsize[0], spec->sectionsize[1]);
}

int rod_check(Compile* c, const SpecObject* object, FlexWork* flex) {
  const mjsFlex* spec = &object->as.flex;
  mjsFlex usual;
  mjs_defaultFlex(&usual);
  if (!isfinite(spec->shear) || spec->shear < 0) {
    return compile_error(c, object, "shear must not be negative: it is %g", spec->shear);
  }
  if (!flex->rod) {
    return 1;
  }
  if (flex->interp) {
    return compile_error(c, object, "a flex of dim 1 that bends can't follow nodes");
  }
  if (spec->section == mjFLEXSECTION_CIRCLE) {
    return spec->radius > 0 ||
           compile_error(c, object, "bending of a flex of dim 1 needs a positive radius");
  }
  double minor = minor_half(spec);
  if (!(minor > 0) || !isfinite(spec->sectionsize[0]) || !isfinite(spec->sectionsize[1])) {
    return compile_error(c, object, "a box section needs a positive sectionsize: it is %g %g",
                         spec->sectionsize[0], spec->sectionsize[1]);
  }
  if (spec->radius != minor && spec->radius != usual.radius) {
    return compile_error(c, object,
                         "the radius of a flex with a box section is the minor half-size, %g: "
                         "leave it out instead of radius=\"%g\"",
                         minor, spec->radius);
  }
  flex->radius = minor;
  return 1;
}

// Second moments of area, weak axis first, and the torsional constant.
//
//   circle   I = pi r^4 / 4, J = pi r^4 / 2
//   box      I = 4/3 a b^3, 4/3 a^3 b,  J = a b^3 (16/3 - 3.36 (b/a) (1 - b^4/(12 a^4))), a >= b
typedef struct Section_ {
  double area2[2], torsion;
} Section;

static Section section_of(const mjsFlex* spec) {
  double r = spec->radius, square = mjPI * r * r * r * r;
  if (spec->section == mjFLEXSECTION_CIRCLE) {
    return (Section){{square / 4, square / 4}, square / 2};
  }
  double b = minor_half(spec), a = fmax(spec->sectionsize[0], spec->sectionsize[1]), q = b / a;
  return (Section){{4 * a * b * b * b / 3, 4 * a * a * a * b / 3},
                   a * b * b * b * (16.0 / 3 - 3.36 * q * (1 - q * q * q * q / 12))};
}

// bends

// kb = 2 e0 x e1 / (|e0| |e1| + e0 . e1), |kb| = 2 tan(angle / 2). Returns 0 if the edges have no
// length or are folded.
static int curvature(double kb[3], double length[2], const double x0[3], const double x1[3],
                     const double x2[3]) {
  double e0[3], e1[3];
  for (int k = 0; k < 3; k++) {
    e0[k] = x1[k] - x0[k];
    e1[k] = x2[k] - x1[k];
  }
  length[0] = sqrt(pose_dot(e0, e0));
  length[1] = sqrt(pose_dot(e1, e1));
  double size = length[0] * length[1], sum = size + pose_dot(e0, e1);
  pose_cross(kb, e0, e1);
  for (int k = 0; k < 3; k++) {
    kb[k] *= 2 / sum;
  }
  return size > 0 && sum > 1e-10 * size;
}

static int other_end(const FlexWork* flex, int edge, int vert) {
  const int* end = flex->edge + 2 * (size_t)edge;
  return end[0] == vert ? end[1] : end[0];
}

static const double* place_of(const FlexWork* flex, int vert) {
  return flex->position + 3 * (size_t)vert;
}

// The bends of all vertices. NULL if one is degenerate.
static Bend* find_bends(Compile* c, const SpecObject* object, const FlexWork* flex) {
  Bend* bend = heap_zero((size_t)flex->nvert, sizeof(Bend));
  for (int e = 0; e < flex->nedge; e++) {
    for (int k = 0; k < 2; k++) {
      Bend* at = bend + flex->edge[2 * (size_t)e + (size_t)k];
      if (at->degree < 2) {
        at->edge[at->degree] = e;
      }
      at->degree++;
    }
  }
  for (int v = 0; v < flex->nvert; v++) {
    Bend* at = bend + v;
    double length[2];
    if (at->degree != 2) {
      continue;
    }
    if (!curvature(at->kb, length, place_of(flex, other_end(flex, at->edge[0], v)),
                   place_of(flex, v), place_of(flex, other_end(flex, at->edge[1], v)))) {
      compile_error(c, object,
                    "the edges at vertex %d of a flex that bends have no length, or one "
                    "is folded onto the other",
                    v);
      heap_free(bend);
      return NULL;
    }
    at->size = sqrt(pose_dot(at->kb, at->kb));
    at->length = length[0] + length[1];
    at->curved = 2 * portable_atan(at->size / 2) > STRAIGHT;
  }
  return bend;
}

// Stiffness of a vertex whose edges have the length l together, and of an edge between two curved
// vertices: k = E I / l, kt = G J / l, kd = G J / (2 l1).
typedef struct RodLaw_ {
  double EI[2], GJ, minor;
} RodLaw;

static RodLaw law_of(const mjsFlex* spec) {
  Section section = section_of(spec);
  double E = spec->young, G = spec->shear > 0 ? spec->shear : E / (2 * (1 + spec->poisson));
  int box = spec->section != mjFLEXSECTION_CIRCLE;
  int first = spec->sectionsize[0] < spec->sectionsize[1];
  return (RodLaw){{E * section.area2[0], E * section.area2[1]},
                  G * section.torsion,
                  !box    ? 0
                  : first ? -minor_half(spec)
                          : minor_half(spec)};
}

static double* add_record(FlexWork* flex, const int vert[4]) {
  double* out = flex->bending + 1 + ROD_RECORD * (size_t)flex->bending[0];
  flex->bending[0]++;
  for (int k = 0; k < 4; k++) {
    out[k] = vert[k];
  }
  return out;
}

static void add_single(FlexWork* flex, const Bend* at, const int vert[4], int joint,
                       const RodLaw* law) {
  double* out = add_record(flex, vert);
  out[4] = law->EI[0] / at->length;
  out[5] = (law->EI[1] - law->EI[0]) / at->length;
  out[6] = at->curved ? at->size : 0;
  out[7] = joint;
  out[8] = law->GJ / at->length;
  out[9] = law->minor;
}

// rods without hinges

// The angle between the planes of two bends that share the edge from x1 to x2.
static double dihedral(const double* const x[4]) {
  double e[3][3], n[2][3], across[3];
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) {
      e[i][k] = x[i + 1][k] - x[i][k];
    }
  }
  pose_cross(n[0], e[0], e[1]);
  pose_cross(n[1], e[1], e[2]);
  pose_cross(across, n[0], n[1]);
  return portable_atan2(pose_dot(across, e[1]) / sqrt(pose_dot(e[1], e[1])), pose_dot(n[0], n[1]));
}

static void add_pair(FlexWork* flex, const Bend* bend, int edge, const RodLaw* law) {
  const int* end = flex->edge + 2 * (size_t)edge;
  int vert[4] = {0, end[0], end[1], 0};
  const double* x[4];
  double square = 0;
  for (int k = 0; k < 2; k++) {
    const Bend* at = bend + end[k];
    vert[3 * k] = other_end(flex, at->edge[at->edge[0] == edge], end[k]);
  }
  for (int i = 0; i < 4; i++) {
    x[i] = place_of(flex, vert[i]);
  }
  for (int k = 0; k < 3; k++) {
    square += (x[2][k] - x[1][k]) * (x[2][k] - x[1][k]);
  }
  double *out = add_record(flex, vert), rest = dihedral(x), kd = law->GJ / (2 * sqrt(square));
  for (int k = 0; k < 2; k++) {
    const Bend* at = bend + end[k];
    out[4 + k] = law->EI[0] / at->length / at->pairs;
    out[6 + k] = at->size;
  }
  out[8] = kd * portable_cos(rest);
  out[9] = kd * portable_sin(rest);
}

// Pairs of curved vertices, in the order of the edges between them, then the other vertices.
static void add_vertices(FlexWork* flex, Bend* bend, const RodLaw* law) {
  for (int pass = 0; pass < 2; pass++) {
    for (int e = 0; e < flex->nedge; e++) {
      Bend* at[2] = {bend + flex->edge[2 * (size_t)e], bend + flex->edge[2 * (size_t)e + 1]};
      if (!at[0]->curved || !at[1]->curved) {
        continue;
      }
      if (pass) {
        add_pair(flex, bend, e, law);
      } else {
        at[0]->pairs++;
        at[1]->pairs++;
      }
    }
  }
  for (int v = 0; v < flex->nvert; v++) {
    const Bend* at = bend + v;
    if (at->degree == 2 && !at->pairs) {
      add_single(
          flex, at,
          (const int[]){other_end(flex, at->edge[0], v), v, other_end(flex, at->edge[1], v), -1},
          -1, law);
    }
  }
}

// chains

// An open chain: its edges and vertices in order, from the end whose edge is written first.
typedef struct Chain_ {
  int n;             // edges
  int *edge, *vert;  // n, n + 1
  int* joint;        // n hinges, -1 where a body holds the edge
} Chain;

static void chain_free(Chain* chain) {
  heap_free(chain->edge);
  heap_free(chain->vert);
  heap_free(chain->joint);
}

// Returns 0 if the edges don't make one open chain of two or more through all vertices.
static int find_chain(Chain* chain, const FlexWork* flex, const Bend* bend) {
  int start = -1, ends = 0;
  for (size_t i = 0; i < 2 * (size_t)flex->nelem && start < 0; i++) {
    start = bend[flex->elem[i]].degree == 1 ? flex->elem[i] : -1;
  }
  for (int v = 0; v < flex->nvert; v++) {
    ends += bend[v].degree == 1;
    if (bend[v].degree < 1 || bend[v].degree > 2) {
      return 0;
    }
  }
  if (ends != 2 || flex->nedge < 2) {
    return 0;
  }
  size_t n = (size_t)flex->nedge;
  *chain = (Chain){.n = flex->nedge,
                   .edge = heap_take(n * sizeof(int)),
                   .vert = heap_take((n + 1) * sizeof(int)),
                   .joint = heap_take(n * sizeof(int))};
  int edge = bend[start].edge[0], vert = start, i = 0;
  for (; i < chain->n; i++) {
    chain->vert[i] = vert;
    chain->edge[i] = edge;
    vert = other_end(flex, edge, vert);
    chain->vert[i + 1] = vert;
    const Bend* at = bend + vert;
    if (at->degree == 1) {
      break;
    }
    edge = at->edge[at->edge[0] == edge];
  }
  if (i == chain->n - 1) {
    return 1;
  }
  chain_free(chain);  // the rest are rings
  return 0;
}

// Do both vertices of an edge belong to one body?
static int is_held(const FlexWork* flex, const Chain* chain, int edge) {
  return flex->vertbody[chain->vert[edge]] == flex->vertbody[chain->vert[edge + 1]];
}

// Finds the hinges by their names. Returns how many of those that it needs there are, and the name
// of the first that is missing.
static int find_joints(Chain* chain, Compile* c, const SpecObject* object, const FlexWork* flex,
                       int need[1], mjString* missing) {
  int found = 0;
  *need = 0;
  for (int e = 0; e < chain->n; e++) {
    int last = e == chain->n - 1;
    int held = is_held(flex, chain, e) && (!e || (last && chain->n > 2));
    mjString name = {0};
    if (last) {
      string_format(&name, "%s_twist", spec_name(object));
    } else {
      string_format(&name, "%s_twist_%d", spec_name(object), e);
    }
    chain->joint[e] = held ? -1 : compile_find(c, mjOBJ_JOINT, &name);
    int lacks = !held && (chain->joint[e] < 0 || c->m->jnt_type[chain->joint[e]] != mjJNT_HINGE);
    if (lacks && found == *need) {
      string_set(missing, string_text(&name));
    }
    *need += !held;
    found += !held && !lacks;
    string_clear(&name);
  }
  return found;
}

// Parallel transport: u turns as the unit vector a does on its shortest way to b.
static void transport(double u[3], const double a[3], const double b[3]) {
  double c[3], turned[3], cosine = pose_dot(a, b);
  pose_cross(c, a, b);
  pose_cross(turned, c, u);
  double along = pose_dot(c, u) / (1 + cosine);
  for (int k = 0; k < 3; k++) {
    u[k] = u[k] * cosine + turned[k] + along * c[k];
  }
}

static void tangent_of(double t[3], const FlexWork* flex, const Chain* chain, int edge) {
  const double *x0 = place_of(flex, chain->vert[edge]), *x1 = place_of(flex, chain->vert[edge + 1]);
  for (int k = 0; k < 3; k++) {
    t[k] = x1[k] - x0[k];
  }
  pose_normalize(t, 3);
}

// The axis of the first edge, across the tangent: that of the major half-size of a box. The first
// half-size is along y of the body of the first vertex, or z if y is too near to the tangent.
static void first_axis(double u[3], const double t[3], const double quat[4], int swaps) {
  double back[4] = {quat[0], -quat[1], -quat[2], -quat[3]}, own[3];
  pose_rotate(own, t, back);
  int z = fabs(own[1]) >= 0.5;
  double axis[3], across[3];
  for (int k = 0; k < 3; k++) {
    axis[k] = (k == (z ? 2 : 1)) - own[z ? 2 : 1] * own[k];
  }
  pose_normalize(axis, 3);
  pose_cross(across, own, axis);
  pose_rotate(u, swaps ? across : axis, quat);
}

// kb in the frame of an edge: (kb . v, - kb . u), v = t x u
static void rest_in(double out[2], const double kb[3], const double t[3], const double u[3]) {
  double v[3];
  pose_cross(v, t, u);
  out[0] = pose_dot(kb, v);
  out[1] = -pose_dot(kb, u);
}

static void to_body(double out[3], const double x[3], const double quat[4]) {
  double back[4] = {quat[0], -quat[1], -quat[2], -quat[3]};
  pose_rotate(out, x, back);
}

// Writes the records of a chain that twists, its rest curvatures and frames: see model/flex/rod.h.
static void add_chain(FlexWork* flex, const Bend* bend, const Chain* chain, const RodLaw* law,
                      const Pose* body) {
  int n = chain->n - 1;
  for (int i = 0; i < n; i++) {
    const int* v = chain->vert + i;
    add_single(flex, bend + v[1], (const int[]){v[0], v[1], v[2], -1}, chain->joint[i + 1], law);
  }
  double *rest = flex->bending + 1 + ROD_RECORD * n, *first = rest + ROD_REST * n;
  double *last = first + ROD_FIRST, *place = last + ROD_LAST;
  double t[3], u[3], next[3];
  const double* quat = body[flex->vertbody[chain->vert[0]]].quat;
  tangent_of(t, flex, chain, 0);
  first_axis(u, t, quat, law->minor < 0);
  memcpy(first, t, sizeof(t));
  memcpy(first + 3, u, sizeof(u));
  if (is_held(flex, chain, 0)) {
    to_body(first, t, quat);
    to_body(first + 3, u, quat);
  }
  for (int i = 0; i < n; i++) {
    const int* v = chain->vert + i;
    double kb[3], length[2];
    curvature(kb, length, place_of(flex, v[0]), place_of(flex, v[1]), place_of(flex, v[2]));
    tangent_of(next, flex, chain, i + 1);
    if (bend[v[1]].curved) {
      rest_in(rest + ROD_REST * i, kb, t, u);
    }
    transport(u, t, next);
    memcpy(t, next, sizeof(t));
    if (bend[v[1]].curved) {
      rest_in(rest + ROD_REST * i + 2, kb, t, u);
    }
  }
  to_body(last, u, body[flex->vertbody[chain->vert[n]]].quat);
  for (int e = 0; e < chain->n; e++) {
    place[chain->edge[e]] = e;
  }
}

// Binds the hinges of a chain, if there are some. Returns 0 after an error.
static int bind_chain(Compile* c, const SpecObject* object, FlexWork* flex, Chain* chain) {
  int box = object->as.flex.section != mjFLEXSECTION_CIRCLE, need;
  mjString missing = {0};
  int found = find_joints(chain, c, object, flex, &need, &missing), good = 1;
  if (found < need && (found || box)) {
    good = compile_error(c, object,
                         "a flex of dim 1 whose edges twist needs the hinge '%s', which "
                         "flexcomp makes",
                         string_text(&missing));
  } else if (found == need && need && chain->joint[0] >= 0 &&
             chain->joint[0] != chain->joint[1] - 1) {
    good = compile_error(c, object,
                         "hinge '%s_twist_0' must stand just before that of the second "
                         "edge",
                         spec_name(object));
  }
  flex->twists = good && need && found == need;
  string_clear(&missing);
  return good;
}

int rod_stiffen(Compile* c, const SpecObject* object, FlexWork* flex, const Pose* body) {
  const mjsFlex* spec = &object->as.flex;
  if (!flex->rod || flex->rigid) {
    return 1;
  }
  Bend* bend = find_bends(c, object, flex);
  if (!bend) {
    return 0;
  }
  RodLaw law = law_of(spec);
  Chain chain = {0};
  int box = spec->section != mjFLEXSECTION_CIRCLE, open = find_chain(&chain, flex, bend), good = 1;
  if (open) {
    good = bind_chain(c, object, flex, &chain);
  } else if (box) {
    good = compile_error(c, object, "a box section needs one open chain of two or more edges");
  }
  if (good && flex->twists) {
    add_chain(flex, bend, &chain, &law, body);
  } else if (good) {
    add_vertices(flex, bend, &law);
  }
  if (open) {
    chain_free(&chain);
  }
  heap_free(bend);
  return good;
}
