// mesh.c: checks of surfaces that are not closed, not oriented consistently, or not in metres.
//
// In a closed surface whose triangles all face outside, every edge is passed once in each
// direction. Vertices at the same place count as one vertex, because files repeat them along seams
// of texture and normals.

#include <math.h>
#include <mujoco/mjspec.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory/memory.h"
#include "compile/mesh/context.h"
#include "lint/checks.h"

typedef struct Edge_ {
  int low, high;
  int direction;  // 1 if passed from the lower to the higher vertex, else -1
} Edge;

// Counts of edges of a mesh, and the volume that it encloses. legacy is what the default
// inertia="legacy" takes for the volume: the sum of the absolute volumes of the pyramids over its
// faces about the center of mass.
typedef struct Surface_ {
  int nopen;     // edges with only one triangle
  int nflipped;  // edges between triangles that face to different sides
  double volume, legacy;
} Surface;

static int compare_edges(const void* left, const void* right) {
  const Edge *a = left, *b = right;
  return a->low != b->low ? (a->low < b->low ? -1 : 1) : (a->high > b->high) - (a->high < b->high);
}

// Six times the volume of the pyramid from the origin to a triangle.
static double pyramid(const double a[3], const double b[3], const double c[3]) {
  double n[3];
  pose_cross(n, b, c);
  return a[0] * n[0] + a[1] * n[1] + a[2] * n[2];
}

// Counts open and flipped edges in a sorted list.
static void count_edges(Surface* s, const Edge* edge, int n) {
  for (int i = 0, next; i < n; i = next) {
    int balance = 0;
    for (next = i; next < n && compare_edges(edge + i, edge + next) == 0; next++) {
      balance += edge[next].direction;
    }
    if ((next - i) % 2) {
      s->nopen++;
    } else if (balance != 0) {
      s->nflipped++;
    }
  }
}

static Surface examine(const mjModel* m, int mesh) {
  Surface s = {0};
  size_t nvert = (size_t)m->mesh_vertnum[mesh];
  double* vert = heap_take((3 * nvert + 1) * sizeof(double));
  const int* face = m->mesh_face + 3 * (size_t)m->mesh_faceadr[mesh];
  int nedge = 0, *same = heap_take((nvert + 1) * sizeof(int));
  Edge* edge = heap_take((3 * (size_t)m->mesh_facenum[mesh] + 1) * sizeof(Edge));
  for (size_t i = 0; i < 3 * nvert; i++) {
    vert[i] = m->mesh_vert[3 * (size_t)m->mesh_vertadr[mesh] + i];
  }
  mesh_weld(same, vert, (int)nvert);
  for (int i = 0; i < m->mesh_facenum[mesh]; i++) {
    const int* f = face + 3 * (size_t)i;
    int v[3] = {same[f[0]], same[f[1]], same[f[2]]};
    if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) {
      continue;
    }
    double part =
        pyramid(vert + 3 * (size_t)v[0], vert + 3 * (size_t)v[1], vert + 3 * (size_t)v[2]) / 6;
    s.volume += part;
    s.legacy += fabs(part);
    for (int k = 0; k < 3; k++) {
      int a = v[k], b = v[(k + 1) % 3];
      edge[nedge++] = (Edge){a < b ? a : b, a < b ? b : a, a < b ? 1 : -1};
    }
  }
  qsort(edge, (size_t)nedge, sizeof(Edge), compare_edges);
  count_edges(&s, edge, nedge);
  heap_free(edge);
  heap_free(same);
  heap_free(vert);
  return s;
}

// The surface of a mesh. The first call computes those of all meshes.
static const Surface* surface_of(Lint* l, int mesh) {
  if (!l->surface) {
    l->surface = heap_take((size_t)l->m->nmesh * sizeof(Surface));
    for (int i = 0; i < l->m->nmesh; i++) {
      l->surface[i] = examine(l->m, i);
    }
  }
  return &l->surface[mesh];
}

// Does the mass of a moving body come from this geom?
static int gives_mass(const mjModel* m, const SpecObject* geom) {
  const SpecObject* body = geom->parent;
  const mjsCompiler* options = lint_options(geom);
  int inferred =
      options->inertiafromgeom == mjINERTIAFROMGEOM_TRUE ||
      (options->inertiafromgeom == mjINERTIAFROMGEOM_AUTO && isnan(body->as.body.ipos[0]));
  int massless =
      geom->as.geom.mass == 0 || (isnan(geom->as.geom.mass) && geom->as.geom.density == 0);
  int group = geom->as.geom.group;
  return m->body_weldid[body->id] != 0 && inferred && !body->frozen && !massless &&
         group >= options->inertiagrouprange[0] && group <= options->inertiagrouprange[1];
}

// A geom whose mass is the volume inside the surface of a mesh; NULL if there is none.
static const SpecObject* weighed_geom(const Lint* l, int mesh) {
  const SpecObject* object = lint_id(l, mjOBJ_MESH, mesh).object;
  if (!object || (object->as.mesh.inertia != mjMESH_INERTIA_LEGACY &&
                  object->as.mesh.inertia != mjMESH_INERTIA_EXACT)) {
    return NULL;
  }
  for (int i = 0; i < l->m->ngeom; i++) {
    const SpecObject* geom = l->m->geom_dataid[i] == mesh ? lint_id(l, mjOBJ_GEOM, i).object : NULL;
    if (geom && (geom->as.geom.type == mjGEOM_MESH) &&
        geom->as.geom.typeinertia == mjINERTIA_VOLUME && gives_mass(l->m, geom)) {
      return geom;
    }
  }
  return NULL;
}

void check_open_mesh(Lint* l) {
  for (int i = 0; i < l->m->nmesh; i++) {
    const SpecObject* geom = weighed_geom(l, i);
    int nopen = geom ? surface_of(l, i)->nopen : 0;
    if (nopen) {
      lint_warn(l, lint_id(l, mjOBJ_MESH, i),
                "close the surface, or inertia=\"convex\" or \"shell\", or give the body an "
                "<inertial>",
                "%d of its edges have a face on one side only: it encloses no volume, but %s takes "
                "its mass from one",
                nopen, lint_name(l, mjOBJ_GEOM, geom->id).text);
    }
  }
}

void check_mesh_volume(Lint* l) {
  const double grave = 1.1;
  for (int i = 0; i < l->m->nmesh; i++) {
    const SpecObject *geom = weighed_geom(l, i), *mesh = lint_id(l, mjOBJ_MESH, i).object;
    if (!geom || mesh->as.mesh.inertia != mjMESH_INERTIA_LEGACY) {
      continue;
    }
    const Surface* s = surface_of(l, i);
    if (s->nopen == 0 && s->nflipped == 0 && s->volume > 0 && s->legacy > grave * s->volume) {
      char fate[60] = "turned by an inertia of another shape";
      if (isnan(geom->as.geom.mass)) {
        snprintf(fate, sizeof(fate), "%.3g times too heavy", s->legacy / s->volume);
      }
      lint_warn(l, lint_id(l, mjOBJ_MESH, i), "inertia=\"exact\" in the mesh",
                "it encloses %.4g m3, but inertia=\"legacy\", the default, counts %.4g m3, because "
                "parts of its surface face its center: %s is %s",
                s->volume, s->legacy, lint_name(l, mjOBJ_GEOM, geom->id).text, fate);
    }
  }
}

void check_flipped_faces(Lint* l) {
  for (int i = 0; i < l->m->nmesh; i++) {
    int nflipped = surface_of(l, i)->nflipped;
    if (nflipped) {
      lint_warn(l, lint_id(l, mjOBJ_MESH, i), "make the normals consistent in the mesh's editor",
                "across %d edges, of two neighbouring faces one looks outside and one inside: the "
                "latter are not drawn",
                nflipped);
    }
  }
}

void check_inverted_mesh(Lint* l) {
  for (int i = 0; i < l->m->nmesh; i++) {
    const Surface* s = surface_of(l, i);
    if (s->nopen == 0 && s->nflipped == 0 && s->volume < 0) {
      lint_warn(l, lint_id(l, mjOBJ_MESH, i), "flip the normals in the mesh's editor",
                "its faces look inside: it encloses a volume of %.3g m3", s->volume);
    }
  }
}

void check_mesh_units(Lint* l) {
  const mjtNum huge = 100;  // m
  const mjModel* m = l->m;
  for (int i = 0; i < m->ngeom; i++) {
    const mjtNum* half = m->geom_aabb + 6 * i + 3;
    mjtNum extent = 2 * num_max(half[0], num_max(half[1], half[2]));
    if (m->geom_type[i] == mjGEOM_MESH && m->body_weldid[m->geom_bodyid[i]] && extent > huge) {
      lint_warn(l, lint_id(l, mjOBJ_GEOM, i), "scale=\"0.001 0.001 0.001\" in its mesh",
                "its mesh is %.3g m long and it moves: is the file in millimetres?", extent);
    }
  }
}
