// Matching faces and edges within 5 degrees, and clipping one by the walls of the other.

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it breaks ties of features differently

#include "collision/convex/patch.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>

#include "base/algebra/elementary.h"
#include "collision/collide.h"
#include "collision/convex/clip.h"
#include "collision/convex/quad.h"
#include "model/data/arena.h"

// Faces match if the cosine of their normals is below -FACING, an edge and a face if the cosine of
// the edge and the normal is below LEVEL: both within about 5.1 degrees.
static const mjtNum FACING = (mjtNum)0.996, LEVEL = (mjtNum)0.0888;

enum {
  CAP_CORNERS = 16,  // of the polygon that stands for the cap of a cylinder
  MOST_POINTS = 4
};

// The touching features of one shape, in the world.
typedef struct Side {
  const ConvexShape* shape;
  int is_line;       // the side of a cylinder, or a capsule: an edge is all there is
  int has_line;      // that, or the cap of a cylinder, which has the edge of its side beside it
  int is_cap;        // the cap of a cylinder, or its side at the rim, which has the cap beside it
  int is_point;      // of a cylinder or capsule: the search has ended at one end of it
  mjtNum across[3];  // from the axis to that edge
  int id[3], num;
  mjtNum first[3], end[MAX_FACETS][3];  // edges from the first vertex to these ends
  int nend;
  int face[MAX_FACETS], nface;
  mjtNum normal[MAX_FACETS][3];
} Side;

// Whether a shape has faces or edges.
static int has_features(const ConvexKind* kind) {
  return kind->facets || kind == &convex_cylinder || kind == &convex_capsule;
}

int has_patch(const ConvexKind* a, const ConvexKind* b) {
  return has_features(a) && has_features(b) && (a != &convex_capsule || b != &convex_capsule);
}

// sides

// The line of a cylinder's side or of a capsule that is furthest in the direction u.
//
//     cylinder  +-h a + r w / |w|,   capsule  +-h a + r w,   w = u - a (a . u)
//
// A capsule's line is a little inside, as in the reference. A u that is r w / r of a point on the
// surface gives the line through that point.
static void find_line(Side* s, const mjtNum u[3]) {
  const ConvexShape* shape = s->shape;
  mjtNum axis[3], across[3], middle[3];
  m3_column(axis, shape->mat, 2);
  v3_addscl(across, u, axis, -v3_dot(u, axis));
  if (shape->kind == &convex_cylinder) {
    v3_normalize(across);
  }
  v3_addscl(middle, shape->pos, across, shape->size[0]);
  v3_copy(s->across, across);
  v3_addscl(s->first, middle, axis, -shape->size[1]);
  v3_addscl(s->end[0], middle, axis, shape->size[1]);
  s->is_line = s->has_line = s->nend = 1;
}

// A vertex in the world, without the margin that the search has seen.
static void put_corner(mjtNum v[3], const ConvexShape* shape, int id) {
  shape->kind->facets->corner(v, shape, id);
  shape_point(v, shape, v);
}

// The vertices of a polytope that touch, and the faces and edges around them.
static void find_corners(Side* s, const Gjk* g, int which, const mjtNum u[3]) {
  const Facets* facets = s->shape->kind->facets;
  put_corner(s->first, s->shape, which ? g->vert[0].ib : g->vert[0].ia);
  for (int i = 0; i < g->num; i++) {
    int id = which ? g->vert[i].ib : g->vert[i].ia;
    if (s->num && (id == s->id[0] || id == s->id[s->num - 1])) {
      continue;
    }
    if (s->num == 1) {
      put_corner(s->end[0], s->shape, id);
      s->nend = 1;
    }
    if (s->num < 3) {
      s->id[s->num++] = id;
    }
  }
  s->nface = facets->faces(s->face, s->shape, s->id, s->num, u);
  if (s->num == 1) {
    s->nend = facets->ends(s->end, s->shape, s->id[0]);
    for (int i = 0; i < s->nend; i++) {
      shape_point(s->end[i], s->shape, s->end[i]);
    }
  }
}

// The line where a search has ended: through its first vertex, at whose end it begins, on a
// cylinder, and through the point that touches on a capsule.
static void find_line_at(Side* s, const Gjk* g, int which, const mjtNum u[3]) {
  const ConvexShape* shape = s->shape;
  const mjtNum* vertex = which ? g->vert[0].b : g->vert[0].a;
  const mjtNum* touching = which ? g->x2 : g->x1;
  const int is_capsule = shape->kind == &convex_capsule;
  mjtNum axis[3], across[3];
  m3_column(axis, shape->mat, 2);
  v3_sub(across, is_capsule ? touching : vertex, shape->pos);
  const mjtNum along = v3_dot(across, axis);
  v3_addtoscl(across, axis, -along);
  v3_scl(across, across, 1 / (shape->size[0] + (mjtNum)0.5 * shape->margin));
  find_line(s, v3_norm(across) > mjMINVAL ? across : u);
  if (!is_capsule && along > 0) {
    mjtNum end[3];
    v3_copy(end, s->first);
    v3_copy(s->first, s->end[0]);
    v3_copy(s->end[0], end);
  }
}

// Whether all vertices of the last simplex are at one end of a cylinder or capsule, and at which.
static int at_end(int* is_lower, const Gjk* g, int which, const ConvexShape* shape) {
  int lower = 0;
  for (int i = 0; i < g->num; i++) {
    mjtNum arm[3], axis[3];
    m3_column(axis, shape->mat, 2);
    v3_sub(arm, which ? g->vert[i].b : g->vert[i].a, shape->pos);
    lower += v3_dot(arm, axis) < 0;
  }
  *is_lower = lower > 0;
  return lower == 0 || lower == g->num;
}

// The cap of a cylinder: the lower or the upper one.
static void find_cap(Side* s, int is_lower) {
  mjtNum axis[3];
  m3_column(axis, s->shape->mat, 2);
  s->is_cap = s->nface = 1;
  s->face[0] = is_lower;
  v3_scl(s->normal[0], axis, is_lower ? -1 : 1);
}

// u: unit direction towards the other shape.
static void find_side(Side* s, const Gjk* g, int which, const ConvexShape* shape,
                      const mjtNum u[3]) {
  s->shape = shape;
  s->num = s->nend = s->nface = s->is_line = s->has_line = s->is_cap = s->is_point = 0;
  int is_lower = 0;
  if (!shape->kind->facets) {
    s->is_point = at_end(&is_lower, g, which, shape);
  }
  if (shape->kind == &convex_capsule) {
    find_line_at(s, g, which, u);
    return;
  }
  if (shape->kind == &convex_cylinder) {
    mjtNum axis[3];
    m3_column(axis, shape->mat, 2);
    mjtNum along = v3_dot(axis, u);
    find_line_at(s, g, which, u);
    if (mju_abs(along) >= (mjtNum)0.5) {
      s->num = 3;
      s->is_line = 0;
      find_cap(s, along < 0);
    } else if (s->is_point) {
      find_cap(s, is_lower);
    }
    return;
  }
  find_corners(s, g, which, u);
  for (int i = 0; i < s->nface; i++) {
    shape->kind->facets->normal(s->normal[i], shape, s->face[i]);
    m3_mulv(s->normal[i], shape->mat, s->normal[i]);
  }
}

// The two faces that look most at each other: their places in both lists.
static int match_faces(int found[2], const Side* a, const Side* b) {
  mjtNum least = -FACING;
  int is_found = 0;
  for (int i = 0; i < a->nface; i++) {
    for (int j = 0; j < b->nface; j++) {
      mjtNum cosine = v3_dot(a->normal[i], b->normal[j]);
      if (cosine < least) {
        least = cosine;
        is_found = 1;
        found[0] = i;
        found[1] = j;
      }
    }
  }
  return is_found;
}

// The first face and the first edge of the other side that is level with it.
static int match_edge(int found[2], const Side* edge, const Side* face) {
  for (int i = 0; i < face->nface; i++) {
    for (int j = 0; j < edge->nend; j++) {
      mjtNum way[3];
      v3_sub(way, edge->end[j], edge->first);
      v3_normalize(way);
      if (mju_abs(v3_dot(way, face->normal[i])) < LEVEL) {
        found[0] = j;
        found[1] = i;
        return 1;
      }
    }
  }
  return 0;
}

// What touches: face `face` of side `reference`, and face or edge `incident` of the other.
typedef struct Match {
  int reference, face, incident, is_edge;
} Match;

static int find_match(Match* match, const Side side[2]) {
  const Side *a = side, *b = side + 1;
  int found[2];
  if (match_faces(found, a, b)) {
    *match = (Match){1, found[1], found[0], 0};
    return 1;
  }
  int from_a = a->has_line || (!b->is_line && a->num < 3 && a->num <= b->num);
  int from_b = b->has_line || (!a->is_line && b->num < 3);
  // a corner of a box, or the end of a line, on the cap of A stays a point, as in 4.0.0
  int is_point = b->is_line ? b->is_point : b->num == 1 && b->shape->kind == &convex_box;
  from_b &= !(is_point && a->is_cap && !a->is_line);
  if (from_a && match_edge(found, a, b)) {
    *match = (Match){1, found[1], found[0], 1};
    return 1;
  }
  if (from_b && match_edge(found, b, a)) {
    *match = (Match){0, found[1], found[0], 1};
    return 1;
  }
  return 0;
}

// polygons

static int corners_of(const ConvexShape* shape, int face) {
  int num = shape->kind == &convex_box ? 4 : CAP_CORNERS;
  if (shape->kind == &convex_mesh) {
    mesh_face(&num, shape, face);
  }
  return num;
}

// Corners of the cap of a cylinder with the axes x, y, z: c + (r cos(w) x + r sin(w) y), c the
// middle. Rounding decides which of its equal quadrilaterals stays; the order of operations is that
// of 4.0.0.
static void put_cap(mjtNum (*v)[3], int num, const ConvexShape* shape, int is_lower) {
  const mjtNum step = 2 * (mjtNum)mjPI / CAP_CORNERS, *size = shape->size, *mat = shape->mat;
  for (int i = 0; i < num; i++) {
    mjtNum angle = step * (mjtNum)(is_lower ? i : (num - i) % num);
    mjtNum x = size[0] * num_cos(angle), y = size[0] * num_sin(angle);
    for (int k = 0; k < 3; k++) {
      mjtNum middle = shape->pos[k] + mat[3 * k + 2] * (is_lower ? -size[1] : size[1]);
      v[i][k] = middle + (mat[3 * k] * x + mat[3 * k + 1] * y);
    }
  }
}

// Corners of a face in the world, clockwise seen from outside.
static void put_corners(mjtNum (*v)[3], int num, const ConvexShape* shape, int face) {
  if (shape->kind == &convex_mesh) {
    const int* ids = mesh_face(&num, shape, face);
    for (int i = 0; i < num; i++) {
      mesh_point(v[i], shape, ids[num - 1 - i]);
    }
  } else if (shape->kind == &convex_box) {
    shape->kind->facets->polygon(v, shape, face);
  } else {
    put_cap(v, num, shape, face);
    return;
  }
  for (int i = 0; i < num; i++) {
    shape_point(v[i], shape, v[i]);
  }
}

// Of the corners of a clipped edge, which is flat, the two that are furthest apart. A wall that
// cuts the edge leaves the place twice, up to rounding, so rounding decides which of the two is
// first.
static int farthest_two(mjtNum (*v)[3], int num) {
  int best[2] = {0, 0};
  mjtNum most = -1;
  for (int i = 0; i < num; i++) {
    for (int k = i + 1; k < num; k++) {
      mjtNum apart[3];
      v3_sub(apart, v[k], v[i]);
      if (v3_dot(apart, apart) > most) {
        most = v3_dot(apart, apart);
        best[0] = i;
        best[1] = k;
      }
    }
  }
  if (num < 2) {
    return num;
  }
  mjtNum second[3];
  v3_copy(second, v[best[1]]);
  v3_copy(v[0], v[best[0]]);
  v3_copy(v[1], second);
  return 2;
}

// Clips `polygon` by the walls that rise from the edges of `face` along its normal n; polygon and
// spare have room for `most` corners. The result is in *result.
static int clip(mjtNum (**result)[3], mjtNum (*polygon)[3], mjtNum (*spare)[3], int most, int num,
                mjtNum (*face)[3], int nface, const mjtNum n[3]) {
  for (int i = 0; i < nface && num; i++) {
    const mjtNum *a = face[i], *b = face[(i + 1) % nface];
    mjtNum edge[3], m[3];
    v3_sub(edge, b, a);
    v3_cross(m, edge, n);
    if (v3_normalize(m) < mjMINVAL) {
      continue;  // corners at one place
    }
    num = clip_by_heights(spare, most, polygon, num, a, m);
    mjtNum(*swap)[3] = polygon;
    polygon = spare;
    spare = swap;
  }
  *result = polygon;
  return num;
}

// Contacts of points with the plane of the reference face, through a with the outward normal n.
static int put_contacts(mjContact* con, mjtNum (*v)[3], const int* pick, int num, const mjtNum a[3],
                        const mjtNum n[3], mjtNum side, mjtNum margin) {
  mjtNum normal[3];
  int count = 0;
  v3_scl(normal, n, side);
  for (int i = 0; i < num; i++) {
    mjtNum arm[3], pos[3];
    v3_sub(arm, v[pick[i]], a);
    mjtNum dist = v3_dot(arm, n);
    if (dist <= margin) {
      v3_addscl(pos, v[pick[i]], n, -dist / 2);
      contact_set(con + count++, dist, pos, normal);
    }
  }
  return count;
}

// Of the points those within margin of the reference face.
static int keep_near(mjtNum (*v)[3], int num, const mjtNum a[3], const mjtNum n[3], mjtNum margin) {
  int count = 0;
  for (int i = 0; i < num; i++) {
    mjtNum arm[3];
    v3_sub(arm, v[i], a);
    if (v3_dot(arm, n) <= margin) {
      v3_copy(v[count++], v[i]);
    }
  }
  return count;
}

// Moves points along the normal n to the plane through a: on[i] is that of v[i]. Those that end
// more than margin above their places, as seen along m, are left out. Returns how many are left.
static int project(mjtNum (*on)[3], mjtNum (*v)[3], int num, const mjtNum a[3], const mjtNum n[3],
                   const mjtNum m[3], mjtNum margin) {
  int count = 0;
  for (int i = 0; i < num; i++) {
    mjtNum arm[3], rise[3];
    v3_sub(arm, a, v[i]);
    v3_addscl(on[count], v[i], n, v3_dot(arm, n));
    v3_sub(rise, on[count], v[i]);
    if (v3_dot(rise, m) <= margin) {
      v3_copy(v[count++], v[i]);
    }
  }
  return count;
}

// The face of B, the reference, is clipped by that of A, and what is left is moved to A's face. The
// corners of a mesh's face are not quite in one plane, so each depth is from where its corner was.
static int faces_touch(mjContact* con, const Side* a, int face1, const Side* b, int face2,
                       mjtNum (*room)[3], int num1, int num2, mjtNum margin) {
  int most = 2 * (num1 + num2), pick[MOST_POINTS] = {0, 1, 2, 3};
  mjtNum(*polygon)[3] = room, (*spare)[3] = room + most, (*face)[3] = spare + most, (*left)[3];
  const mjtNum *n1 = a->normal[face1], *n2 = b->normal[face2];
  put_corners(face, num1, a->shape, a->face[face1]);
  put_corners(polygon, num2, b->shape, b->face[face2]);
  int num = clip(&left, polygon, spare, most, num2, face, num1, n1);
  mjtNum(*on)[3] = left == polygon ? spare : polygon;
  num = project(on, left, num, face[0], n1, n2, margin);
  if (num > MOST_POINTS) {
    largest_quad(pick, on, num, num, quad_area);
    num = MOST_POINTS;
  }
  for (int i = 0; i < num; i++) {
    put_contacts(con + i, on, pick + i, 1, left[pick[i]], n2, -1, margin);
  }
  return num;
}

// Moves the line of a capsule, which grows by half of the margin, R, across its axis, and is then
// moved back along the normal n of the face beside it: by R (across + n), along the axis for the
// most part.
static void grow_line(mjtNum end[2][3], const Side* side, const mjtNum n[3], mjtNum margin) {
  for (int i = 0; i < 2 && side->shape->kind == &convex_capsule; i++) {
    v3_addtoscl(end[i], side->across, margin / 2);
    v3_addtoscl(end[i], n, margin / 2);
  }
}

// An edge is clipped by the reference face. side: 1 if that is a face of A, -1 if of B.
static int edge_touches(mjContact* con, const Side* reference, int at, const mjtNum end[2][3],
                        mjtNum (*room)[3], int nface, mjtNum side, mjtNum margin) {
  int most = 2 * (nface + 2);
  const mjtNum* n = reference->normal[at];
  mjtNum(*polygon)[3] = room, (*spare)[3] = room + most, (*face)[3] = spare + most, (*left)[3];
  put_corners(face, nface, reference->shape, reference->face[at]);
  v3_copy(polygon[0], end[0]);
  v3_copy(polygon[1], end[1]);
  int num = clip(&left, polygon, spare, most, 2, face, nface, n), pick[2] = {0, 1};
  num = farthest_two(left, keep_near(left, num, face[0], n, margin));
  return put_contacts(con, left, pick, num, face[0], n, side, margin);
}

static int touch(mjContact* con, const Side side[2], const Match* match, mjtNum (*room)[3],
                 int nface, int nother, mjtNum margin) {
  const Side *reference = side + match->reference, *other = side + !match->reference;
  if (!match->is_edge) {
    return faces_touch(con, other, match->incident, reference, match->face, room, nother, nface,
                       margin);
  }
  mjtNum end[2][3];
  v3_copy(end[0], other->first);
  v3_copy(end[1], other->end[match->incident]);
  grow_line(end, other, reference->normal[match->face], margin);
  return edge_touches(con, reference, match->face, end, room, nface, match->reference ? -1 : 1,
                      margin);
}

int convex_patch(mjContact* con, const Gjk* g, mjData* d, const ConvexShape* a,
                 const ConvexShape* b, mjtNum dist, mjtNum margin) {
  mjtNum u[3], back[3];
  v3_sub(u, g->x2, g->x1);
  v3_scl(u, u, dist < 0 ? -1 : 1);
  v3_normalize(u);
  v3_scl(back, u, -1);
  size_t top = arena_top(d);
  Side* side = arena_push(d, 2 * sizeof(Side), _Alignof(Side));
  Match match;
  int num = 0, is_full = !side;
  if (side) {
    find_side(side, g, 0, a, u);
    find_side(side + 1, g, 1, b, back);
    if (find_match(&match, side)) {
      const Side *reference = side + match.reference, *other = side + !match.reference;
      int nface = corners_of(reference->shape, reference->face[match.face]);
      int nother = match.is_edge ? 2 : corners_of(other->shape, other->face[match.incident]);
      size_t corners = 5 * ((size_t)nface + (size_t)nother);  // two polygons of `most`, and a face
      mjtNum(*room)[3] = arena_push(d, corners * sizeof(*room), _Alignof(mjtNum));
      num = room ? touch(con, side, &match, room, nface, nother, margin) : 0;
      is_full = !room;
    }
  }
  if (is_full) {
    mj_warning(d, mjWARN_CONTACTFULL, d->ncon);
  }
  arena_pop(d, top);
  return num;
}

// above a plane

// The face of a side that looks most at a plane with normal n.
static int face_below(const Side* side, const mjtNum n[3]) {
  int best = 0;
  for (int i = 1; i < side->nface; i++) {
    if (v3_dot(side->normal[i], n) < v3_dot(side->normal[best], n)) {
      best = i;
    }
  }
  return best;
}

// Corners of the lowest face, however much it is tilted.
static int face_stands(mjContact* con, mjData* d, const Side* side, const mjtNum n[3],
                       const mjtNum origin[3], mjtNum margin) {
  int face = side->face[face_below(side, n)], num = corners_of(side->shape, face);
  int pick[MOST_POINTS] = {0, 1, 2, 3};
  mjtNum(*v)[3] = arena_push(d, (size_t)num * sizeof(*v), _Alignof(mjtNum));
  if (!v) {
    mj_warning(d, mjWARN_CONTACTFULL, d->ncon);
    return 0;
  }
  put_corners(v, num, side->shape, face);
  num = keep_near(v, num, origin, n, margin);
  if (num > MOST_POINTS) {
    largest_quad(pick, v, num, num, quad_area);
    num = MOST_POINTS;
  }
  return put_contacts(con, v, pick, num, origin, n, 1, margin);
}

// Both ends of a line that is level.
static int line_lies(mjContact* con, const Side* side, const mjtNum n[3], const mjtNum origin[3],
                     mjtNum margin) {
  const int pick[2] = {0, 1};
  mjtNum v[2][3];
  v3_copy(v[0], side->first);
  v3_copy(v[1], side->end[0]);
  grow_line(v, side, n, margin);
  return put_contacts(con, v, pick, 2, origin, n, 1, margin);
}

int plane_patch(mjContact* con, mjData* d, const mjtNum n[3], const mjtNum origin[3],
                const ConvexShape* shape, int id, mjtNum margin) {
  if (!has_features(shape->kind)) {
    return 0;
  }
  mjtNum axis[3], down[3];
  m3_column(axis, shape->mat, 2);
  v3_scl(down, n, -1);
  int has_line = !shape->kind->facets, is_level = mju_abs(v3_dot(axis, n)) < LEVEL;
  if (shape->kind == &convex_capsule && !is_level) {
    return 0;
  }
  Gjk lowest = {.num = 1};
  lowest.vert[0].ib = id;
  size_t top = d->pstack;
  Side* side = arena_push(d, sizeof(Side), _Alignof(Side));
  int num = 0;
  if (!side) {
    mj_warning(d, mjWARN_CONTACTFULL, d->ncon);
  } else if (has_line && is_level) {
    side->shape = shape;
    find_line(side, down);
    num = line_lies(con, side, n, origin, margin);
  } else {
    v3_scl(down, has_line ? axis : down, has_line && v3_dot(axis, n) > 0 ? -1 : 1);
    find_side(side, &lowest, 1, shape, down);
    num = face_stands(con, d, side, n, origin, margin);
  }
  arena_pop(d, top);
  return num;
}
