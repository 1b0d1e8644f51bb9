// Finds the feature of a flex (vertex, edge or face) that a contact is on, and the motion of
// contacts on it. The search starts from all corners of the element and removes one after the
// other.
//
// A flex element is the hull of its corners with a radius r around it, so a contact belongs to the
// point of the hull that is r below the surface:
//
//   c = pos -+ n dist/2 - r u,   u the outward normal there
//                                    theory/time/constraint-derivatives.md, Contacts of deformables

#include "derivative/geometry/flex_feature.h"

#include <mujoco/api/base.h>

#include "base/algebra/vec.h"
#include "collision/flex/flex.h"

// features

// State of the search: the feature so far, the corners x of the element, the point c and the normal
// u, in the world.
typedef struct {
  FlexFeature* of;
  mjtNum x[4][3], c[3], u[3];
} Search;

static mjtNum* corner_at(Search* s, int i) {
  return s->x[s->of->corner[i]];
}

static void remove_corner(FlexFeature* of, int i) {
  of->n--;
  for (; i < of->n; i++) {
    of->corner[i] = of->corner[i + 1];
  }
}

// Removes the corner of a tetrahedron that is furthest below the surface along the normal: it is
// not on the face of the contact.
static void remove_lowest(Search* s) {
  int lowest = 0;
  for (int i = 1; i < s->of->n; i++) {
    if (v3_dot(corner_at(s, i), s->u) < v3_dot(corner_at(s, lowest), s->u)) {
      lowest = i;
    }
  }
  remove_corner(s->of, lowest);
}

// Barycentric shares of up to three corners in the point of their hull plane or line that is
// nearest to c; returns 0 if the corners are degenerate.
//
//   e_i = x_i - x_0:   [e_i . e_j] shares = e_i . (c - x_0)
static int find_shares(Search* s) {
  FlexFeature* of = s->of;
  mjtNum e[2][3] = {{0}}, arm[3], G[3], b[2];
  v3_sub(arm, s->c, corner_at(s, 0));
  for (int i = 1; i < of->n; i++) {
    v3_sub(e[i - 1], corner_at(s, i), corner_at(s, 0));
  }
  G[0] = v3_dot(e[0], e[0]);
  G[1] = v3_dot(e[0], e[1]);
  G[2] = v3_dot(e[1], e[1]);
  b[0] = v3_dot(e[0], arm);
  b[1] = v3_dot(e[1], arm);
  mjtNum det = of->n == 3 ? G[0] * G[2] - G[1] * G[1] : G[0];
  mjtNum least = of->n == 3 ? GEOMETRY_TOL * GEOMETRY_TOL * G[0] * G[2] : 0;
  of->share[0] = 1;
  if (of->n > 1 && det <= least) {
    return 0;
  }
  if (of->n == 2) {
    of->share[1] = b[0] / det;
    of->share[0] -= of->share[1];
  } else if (of->n == 3) {
    of->share[1] = (G[2] * b[0] - G[1] * b[1]) / det;
    of->share[2] = (G[0] * b[1] - G[1] * b[0]) / det;
    of->share[0] -= of->share[1] + of->share[2];
  }
  return 1;
}

// Distance of corner i from the other corner, or from the line of the other two.
static mjtNum corner_height(Search* s, int i) {
  int n = s->of->n;
  mjtNum edge[3], arm[3], across[3];
  v3_sub(arm, corner_at(s, i), corner_at(s, (i + 1) % n));
  if (n == 2) {
    return v3_norm(arm);
  }
  v3_sub(edge, corner_at(s, (i + 2) % n), corner_at(s, (i + 1) % n));
  v3_cross(across, arm, edge);
  return v3_norm(across) / num_max(v3_norm(edge), mjMINVAL);
}

// Removes one corner if c is outside of the feature, or at most `near` inside, on the side opposite
// to that corner. Of several, removes the one for which c is furthest outside. Returns 0 if there
// is none.
static int remove_outside(Search* s, mjtNum near) {
  int furthest = -1;
  mjtNum least = near;
  for (int i = 0; s->of->n > 1 && i < s->of->n; i++) {
    mjtNum above = s->of->share[i] * corner_height(s, i);
    if (above < least) {
      least = above;
      furthest = i;
    }
  }
  if (furthest >= 0) {
    remove_corner(s->of, furthest);
  }
  return furthest >= 0;
}

// Tolerances of the position of c, and of the component of the normal along the feature.
typedef struct {
  mjtNum near, along;
} FeatureTolerance;

// Whether c is on the feature and the normal is perpendicular to it.
static int is_on(Search* s, const FeatureTolerance* tolerance) {
  mjtNum off[3], arm[3];
  v3_copy(off, s->c);
  for (int i = 0; i < s->of->n; i++) {
    v3_sub(arm, corner_at(s, i), s->c);
    if (mju_abs(v3_dot(arm, s->u)) > tolerance->near + tolerance->along * v3_norm(arm)) {
      return 0;
    }
    v3_addtoscl(off, corner_at(s, i), -s->of->share[i]);
  }
  return v3_norm(off) <= tolerance->near;
}

// kinds of contacts

static int is_field(const mjModel* m, const mjContact* con) {
  return con->geom[0] >= 0 && m->geom_type[con->geom[0]] == mjGEOM_HFIELD;
}

static mjtNum margin_of(const mjModel* m, const mjContact* con) {
  return con->geom[0] >= 0 ? flex_geom_margin(m, con->flex[1], con->geom[0])
                           : flex_margin(m, con->flex[1], con->flex[0]);
}

int contact_is_flex(const mjContact* con) {
  return con->geom[0] < 0 || con->geom[1] < 0;
}

int flex_is_iterative(const mjModel* m, const mjContact* con) {
  int geom = con->geom[0], dim = m->flex_dim[con->flex[1]];
  if (con->vert[0] >= 0 || con->vert[1] >= 0) {
    return 0;
  }
  if (geom < 0) {
    return dim != 1 || m->flex_dim[con->flex[0]] != 1;
  }
  return !flex_has_formula(dim, m->geom_type[geom]);
}

// Tolerances of a contact. For a formula they are rounding. An iterative search ends a distance e
// short of the surface, and thus up to sqrt(2 e r) away from the closest points on a radius r,
// which includes half of the margin.
static FeatureTolerance contact_tolerance(const mjModel* m, const mjContact* con, int flex,
                                          mjtNum size) {
  mjtNum rounding = sizeof(mjtNum) == sizeof(double) ? (mjtNum)1e-9 : (mjtNum)1e-5;
  mjtNum noise = rounding * (size + v3_norm(con->pos));
  if (!flex_is_iterative(m, con)) {
    return (FeatureTolerance){noise, 1000 * rounding};
  }
  mjtNum e = 10 * m->opt.ccd_tolerance + noise;
  mjtNum past = mju_sqrt(2 * e * (m->flex_radius[flex] + num_max(0, margin_of(m, con)) / 2));
  return (FeatureTolerance){geometry_position_tol(m, size) + past, geometry_angle_tol(m, size)};
}

// search

// Sets c, u and the candidate corners of a side; returns the size of the side.
static mjtNum search_begin(Search* s, const mjModel* m, const mjData* d, const mjContact* con,
                           int side) {
  FlexFeature* of = s->of;
  int flex = con->flex[side];
  mjtNum size = 0, sign = side ? -1 : 1;
  v3_scl(s->u, con->frame, sign);
  v3_addscl(s->c, con->pos, con->frame, -sign * con->dist / 2);
  v3_addtoscl(s->c, s->u, -m->flex_radius[flex]);
  if (is_field(m, con)) {
    v3_addtoscl(s->c, con->frame, margin_of(m, con) / 2);
  }
  for (int i = 0; i < of->corners.n; i++) {
    v3_copy(s->x[i], d->flexvert_xpos + 3 * (m->flex_vertadr[flex] + of->corners.vert[i]));
    size = num_max(size, v3_dist(s->x[i], s->x[0]));
    if (of->corners.weight[i] != 0) {
      of->corner[of->n++] = i;
    }
  }
  if (of->n == 4) {
    remove_lowest(s);
  }
  return size;
}

// In the contact of a tetrahedron's vertex with its own opposite face, the feature is that face,
// even if the vertex is not over the face.
int flex_feature(FlexFeature* out, const mjModel* m, const mjData* d, const mjContact* con,
                 int side) {
  Search s = {.of = out};
  *out = (FlexFeature){.n = 0};
  flex_contact_corners(&out->corners, m, d, con, side);
  mjtNum size = search_begin(&s, m, d, con, side);
  if (out->corners.n == 1) {
    out->share[0] = 1;
    return 1;
  }
  int is_own_face = out->n == 3 && out->corners.n == 4 && con->vert[!side] >= 0;
  FeatureTolerance tolerance = contact_tolerance(m, con, con->flex[side], size);
  do {
    if (!out->n || !find_shares(&s)) {
      return 0;
    }
  } while (!is_own_face && remove_outside(&s, tolerance.near));
  return is_on(&s, &tolerance);
}

// Twist (w, shift) of an edge with direction e, or of a face with unit normal N, at corner
// velocities v:
//
//   edge  w = e x (v_1 - v_0) / |x_1 - x_0|
//   face  w = N x N',   N' = ((v_1 - v_0) x e_2 + e_1 x (v_2 - v_0)) / (2 area), its part across N
//   shift = sum share v - w x (sum share x)
void flex_feature_twist(mjtNum out[6], const FlexFeature* of, const mjtNum x[4][3],
                        const mjtNum v[4][3]) {
  mjtNum e[2][3] = {{0}}, r[2][3] = {{0}}, c[3] = {0, 0, 0}, N[3], turned[3], t[3];
  sp_zero(out);
  for (int i = 0; i < of->n; i++) {
    v3_addtoscl(c, x[of->corner[i]], of->share[i]);
    v3_addtoscl(out + 3, v[of->corner[i]], of->share[i]);
    if (i > 0) {
      v3_sub(e[i - 1], x[of->corner[i]], x[of->corner[0]]);
      v3_sub(r[i - 1], v[of->corner[i]], v[of->corner[0]]);
    }
  }
  if (of->n == 2) {
    v3_cross(out, e[0], r[0]);
    v3_scl(out, out, 1 / v3_dot(e[0], e[0]));
  } else if (of->n == 3) {
    v3_cross(N, e[0], e[1]);
    mjtNum area = v3_normalize(N);
    v3_cross(turned, r[0], e[1]);
    v3_cross(t, e[0], r[1]);
    v3_addto(turned, t);
    v3_cross(out, N, turned);
    v3_scl(out, out, 1 / area);
  }
  v3_cross(t, out, c);
  v3_subfrom(out + 3, t);
}

// surfaces

static void round_surface(SurfaceShape* s, mjtNum radius) {
  *s = (SurfaceShape){.C = {radius, 0, 0, radius}, .S = {1, 0, 0, 1}};
}

// Surface of the feature: a sphere around a vertex, a capsule around an edge, or a face.
static int flex_surface(SurfaceShape* s, const mjModel* m, const mjData* d, const mjContact* con,
                        int side) {
  FlexFeature feature;
  if (!flex_feature(&feature, m, d, con, side)) {
    return 0;
  }
  const mjtNum* x = d->flexvert_xpos + 3 * m->flex_vertadr[con->flex[side]];
  mjtNum radius = m->flex_radius[con->flex[side]], edge[3];
  if (feature.n == 2) {
    const int* vert = feature.corners.vert;
    v3_sub(edge, x + 3 * vert[feature.corner[1]], x + 3 * vert[feature.corner[0]]);
    v3_normalize(edge);
    surface_set(s, con->frame, edge, 1, 0, radius, 1);
  } else if (feature.n == 3) {
    *s = (SurfaceShape){.C = {1, 0, 0, 1}};
  } else {
    round_surface(s, radius);
  }
  return 1;
}

// Surfaces of a flex on a height field: the field is raised by the margin, and half of the margin
// is added around the flex.
static int field_surfaces(SurfaceShape s[2], const mjModel* m, const mjData* d,
                          const mjContact* con) {
  mjtNum margin = margin_of(m, con), p[2][3];
  witness_points(p[0], p[1], con);
  if (!flex_surface(&s[1], m, d, con, 1) ||
      !hfield_surface(&s[0], m, d, con->geom[0], p[0], con->frame, con->frame, margin,
                      mju_abs(con->dist))) {
    return 0;
  }
  surface_inflate(&s[1], margin / 2);
  return 1;
}

static int side_surfaces(SurfaceShape s[2], const mjModel* m, const mjData* d,
                         const mjContact* con) {
  mjtNum p[2][3];
  witness_points(p[0], p[1], con);
  int is_geom = con->geom[0] >= 0;
  return (is_geom ? surface_of(&s[0], m, d, con->geom[0], p[0], con->frame, con->frame)
                  : flex_surface(&s[0], m, d, con, 0)) &&
         flex_surface(&s[1], m, d, con, 1);
}

// A segment of a flex on a box has the contacts of a capsule, some of which are not at the closest
// points.
static int segment_geometry(ContactGeometry* out, const mjModel* m, const mjData* d,
                            const mjContact* con) {
  int flex = con->flex[1];
  if (con->geom[0] < 0 || m->geom_type[con->geom[0]] != mjGEOM_BOX || m->flex_dim[flex] != 1) {
    return GEOMETRY_NOT_CLOSEST;
  }
  const int* vert = m->flex_elem + m->flex_elemdataadr[flex] + 2 * con->elem[1];
  const mjtNum* x = d->flexvert_xpos + 3 * m->flex_vertadr[flex];
  mjtNum pos[3], axis[3], mat[9] = {0}, size[3] = {m->flex_radius[flex], 0, 0};
  v3_add(pos, x + 3 * vert[0], x + 3 * vert[1]);
  v3_scl(pos, pos, (mjtNum)0.5);
  v3_sub(axis, x + 3 * vert[0], x + 3 * vert[1]);
  size[1] = v3_normalize(axis) / 2;
  for (int k = 0; k < 3; k++) {
    mat[3 * k + 2] = axis[k];
  }
  Solid segment = {pos, mat, size};
  return geometry_segment_box(out, m, d, con, &segment);
}

// If two sides are flat against each other, the closest points are not unique. The derivative is
// then that of a vertex of the second side at the contact.
int geometry_flex(ContactGeometry* out, const mjModel* m, const mjData* d, const mjContact* con) {
  SurfaceShape s[2];
  int geom = con->geom[0];
  if (con->flex[1] < 0 || (geom >= 0 ? m->geom_type[geom] == mjGEOM_SDF : con->flex[0] < 0)) {
    return GEOMETRY_UNKNOWN;
  }
  if (flex_is_iterative(m, con) && m->opt.disableflags & mjDSBL_NATIVECCD) {
    return GEOMETRY_LEGACY;
  }
  if (!(is_field(m, con) ? field_surfaces : side_surfaces)(s, m, d, con)) {
    return segment_geometry(out, m, d, con);
  }
  if (contact_geometry_closest(out, &s[0], &s[1], con->dist)) {
    return 0;
  }
  round_surface(&s[1], m->flex_radius[con->flex[1]]);
  return contact_geometry_closest(out, &s[0], &s[1], con->dist) ? 1 : GEOMETRY_FLAT;
}
