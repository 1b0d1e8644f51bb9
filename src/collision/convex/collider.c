// The general collider: contacts of any two convex shapes, by distance of cores or by depth.
//
// Spheres and capsules are first reduced to their cores, a point and a segment. As long as the
// cores are apart, their distance less the radii is exact and quick. Shapes that overlap deeper go
// through the penetration search.
//                                                       theory/contact/convex.md, Cores and margins

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it breaks ties of features differently

#include "collision/convex/collider.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>

#include "collision/broad/geom_box.h"
#include "collision/collide.h"
#include "collision/complete.h"
#include "collision/contact_param.h"
#include "collision/convex/displaced.h"
#include "collision/convex/feature.h"
#include "collision/convex/hold.h"
#include "collision/convex/hull.h"
#include "collision/convex/level.h"
#include "collision/convex/manifold.h"
#include "collision/convex/mpr.h"
#include "collision/convex/normal.h"
#include "collision/convex/separation.h"
#include "collision/convex/support_cache.h"
#include "collision/unsupported.h"
#include "model/behaviour.h"
#include "model/data/arena.h"

// An upper bound on depths, in m. Sizes and positions up to mjMAXVAL stay far below it, and its
// square doesn't overflow.
static const mjtNum DEEPEST = (mjtNum)1e15;

// The largest squared normal of a face (m^4): MuJoCo treats larger faces, of shapes of some 100 km,
// as degenerate.
static const mjtNum MOST_NORMAL = (mjtNum)1e20;

// A pair is tilted by small rotations, in both senses about both tangents, to find more contacts.
enum {
  NROLL = 4
};

static void place_as(ConvexShape* s, const ConvexShape* other) {
  v3_copy(s->pos, other->pos);
  m3_copy(s->mat, other->mat);
}

// The cores of two shapes and the radii around them. A shape that has no core is its own core, with
// radius 0.
typedef struct Cores {
  ConvexShape copy[2], *shape[2];
  mjtNum radius[2];
  int any;
} Cores;

static void find_cores(Cores* cores, ConvexShape* a, ConvexShape* b) {
  cores->shape[0] = shape_core(cores->radius, cores->copy, a);
  cores->shape[1] = shape_core(cores->radius + 1, cores->copy + 1, b);
  cores->any = cores->shape[0] != a || cores->shape[1] != b;
}

// Finds the distance of two cores, less the radii around them. Returns whether the cores are apart.
static int cores_apart(mjtNum* dist, Gjk* g, const Cores* cores, mjtNum cutoff) {
  const mjtNum* radius = cores->radius;
  mjtNum n[3];
  g->cutoff = cutoff + radius[0] + radius[1];
  *dist = gjk_distance(g, cores->shape[0], cores->shape[1]);
  if (!(*dist > g->tolerance)) {
    return 0;
  }
  v3_sub(n, g->x2, g->x1);
  v3_normalize(n);
  v3_addtoscl(g->x1, n, radius[0]);
  v3_addtoscl(g->x2, n, -radius[1]);
  *dist -= radius[0] + radius[1];
  return 1;
}

// The same, with no margins around: a shape without its margin is the core of one that has no
// other. Elements of flexes are taken as they are, but next to a point or segment they are without
// radius.
static int bare_cores_apart(mjtNum* dist, Gjk* g, Cores* cores, mjtNum cutoff) {
  mjtNum margin[2], radius[2];
  int has_margin = 0, is_inflated = 0;
  for (int i = 0; i < 2; i++) {
    const ConvexShape* s = cores->shape[i];
    margin[i] = s->margin;
    radius[i] = s->radius;
    has_margin |= s->margin > 0;
    is_inflated |= s->kind->is_inflated;
  }
  if (!cores->any && (is_inflated || !has_margin)) {
    return 0;
  }
  for (int i = 0; i < 2; i++) {
    ConvexShape* s = cores->shape[i];
    cores->radius[i] += (mjtNum)0.5 * margin[i] + (s->kind->is_inflated ? radius[i] : 0);
    s->radius = s->kind->is_inflated ? 0 : radius[i];
    s->margin = 0;
  }
  int apart = cores_apart(dist, g, cores, cutoff);
  for (int i = 0; i < 2; i++) {
    cores->shape[i]->margin = margin[i];
    cores->shape[i]->radius = radius[i];
  }
  return apart;
}

// Corrects the distance of EPA if one shape's core lies in the other's margin. GJK then finds the
// exact distance between that core and the other shape without margin; it replaces EPA's distance
// if the two clearly differ.
static mjtNum improve_in_margin(Gjk* g, Cores* cores, mjtNum cutoff, mjtNum dist) {
  int i = !(cores->shape[0]->margin > 0);  // a core has none
  ConvexShape* other = cores->shape[i];
  const mjtNum margin = other->margin;
  if (!cores->any || !(margin > 0) || other->kind->is_part) {
    return dist;
  }
  const mjtNum clearly =
      (mjtNum)1e-5 * (v3_norm(cores->shape[0]->size) + v3_norm(cores->shape[1]->size));
  Gjk bare = *g;
  mjtNum exact;
  cores->radius[i] += (mjtNum)0.5 * margin;
  other->margin = 0;
  int is_apart = cores_apart(&exact, &bare, cores, cutoff);
  other->margin = margin;
  if (!is_apart || mju_abs(exact - dist) < clearly) {
    return dist;
  }
  *g = bare;
  return exact;
}

// Whether a shape is a box, or a mesh with at most so many vertices on its hull.
static int is_hull_of(const ConvexShape* s, int most) {
  int num = shape_corners(s);
  return num > 0 && num <= most;
}

// Copies the vertices of two meshes, whatever their size, until the caller pops the stack. For
// large ones that takes as long as some ten supports, so they should be known to overlap.
static int copy_vertices(mjData* d, ConvexShape* a, ConvexShape* b) {
  a->points = a->points ? a->points : support_cache_find(d, a, HULL_POINTS);
  b->points = b->points ? b->points : support_cache_find(d, b, HULL_POINTS);
  return (a->points || shape_is_box(a)) && (b->points || shape_is_box(b));
}

// The same for searches that know where to look and walk over hulls (shape/summit.h): copies are
// made of other meshes only, and taken where a batch lends them.
static int copy_unclimbed(mjData* d, ConvexShape* a, ConvexShape* b) {
  ConvexShape* s[2] = {a, b};
  for (int i = 0; i < 2; i++) {
    const int climbs = mesh_is_climbed(s[i]);
    if (!s[i]->points) {
      s[i]->points =
          climbs ? support_cache_copy(d, s[i], 0) : support_cache_find(d, s[i], HULL_POINTS);
    }
    if (!s[i]->points && !climbs && !shape_is_box(s[i])) {
      return 0;
    }
  }
  return 1;
}

// Two meshes by hull_depth or hull_again.
static int search_hull(mjtNum* depth, Gjk* g, mjData* d, ConvexShape* a, ConvexShape* b,
                       int (*hull)(mjtNum*, Gjk*, ConvexShape*, ConvexShape*)) {
  if (!(hull == hull_again ? copy_unclimbed(d, a, b) : copy_vertices(d, a, b))) {
    return HULL_UNCLEAR;
  }
  int last[2] = {a->last, b->last}, state = hull(depth, g, a, b);
  g->is_of_hull = state != HULL_UNCLEAR;
  if (state == HULL_DEEP) {
    hold_take(g, d, a, b, *depth);
  }
  if (state == HULL_UNCLEAR) {
    a->last = last[0];
    b->last = last[1];
  }
  return state;
}

// What the options say.
static void set_options(Gjk* g, const mjModel* m) {
  g->tolerance = m->opt.ccd_tolerance;
  g->iterations = m->opt.ccd_iterations;
  g->discrete = 0;
  g->most_normal = MOST_NORMAL;
  g->is_of_hull = 0;
  g->later = behaves(m, cndBEHAVIOUR_gjkepa);
}

// The depth of two meshes that overlap by EPA, and then by the definite triangle that belongs to
// the one EPA has found, if there is one: so it does not matter which search has found it.
static mjtNum depth_of_meshes(Gjk* g, mjData* d, ConvexShape* a, ConvexShape* b) {
  mjtNum u[3], depth = g->num > 1 ? epa_depth(g, d, a, b) : 0, exact = depth;
  if (!(depth > 0)) {
    return 0;
  }
  v3_sub(u, g->x1, g->x2);
  if (!(v3_normalize(u) < mjMINVAL) && copy_unclimbed(d, a, b) &&
      feature_touch(&exact, g, a, b, u)) {
    g->is_of_hull = 1;
  }
  return exact;
}

// Whether the triangle that EPA has left is on the boundary of A - B up to rounding: climbs over a
// hull may miss the highest vertex by a little.
static int is_on_boundary(const Gjk* g, mjData* d, ConvexShape* a, ConvexShape* b) {
  mjtNum e[3], f[3], n[3], size = v3_norm(a->size) + v3_norm(b->size);
  v3_sub(e, g->vert[1].w, g->vert[0].w);
  v3_sub(f, g->vert[2].w, g->vert[0].w);
  v3_cross(n, e, f);
  if (g->num != 3 || v3_normalize(n) < mjMINVAL || !copy_unclimbed(d, a, b)) {
    return 0;
  }
  mjtNum level = v3_dot(n, g->vert[0].w);
  v3_scl(n, n, level < 0 ? -1 : 1);
  Vertex w;
  difference_support_near(&w, a, b, n, g->vert[0].ia, g->vert[0].ib);
  return mju_abs(v3_dot(n, w.w) - mju_abs(level)) < (mjtNum)1e-14 * size;
}

// Whether the pair touched in more than a point, by what is kept of it.
static int was_tied(const Gjk* g) {
  const Touch* t = g->touch;
  return t && t->is_tied && touch_is_of(t, g->geom);
}

// Trails (see support.h) of pairs that touch for good.
enum {
  GJK_TRAIL = 12,    // places of a trail for GJK, the rest is EPA's
  MOST_WIDE = 3,     // supports of small hulls with too many vertices about as high to walk over
  MOST_COPIED = 72,  // vertices of a small hull
  RETRY = 6          // searches after which supports that climb at once try to walk again
};

// Whether the vertices are kept in which the supports of an earlier search have ended.
static int has_trail(const Gjk* g) {
  const Touch* t = g->touch;
  return t && (t->is_tied || t->is_level) && touch_is_of(t, g->geom);
}

// Whether the pair is one for walks over its hulls: it was tied, and not by large faces of hulls of
// which a copy is quickly made.
static int is_for_walks(const Gjk* g, const ConvexShape* a, const ConvexShape* b) {
  if (!was_tied(g)) {
    return 0;
  }
  if (points_number(a) > MOST_COPIED || points_number(b) > MOST_COPIED) {
    return 1;
  }
  int wide = 0;
  for (int i = 0; i < TOUCH_VERTS; i++) {
    for (int k = 0; k < 2; k++) {
      wide += (g->touch->vertex[i][k] & TRAIL_CLIMB) != 0;
    }
  }
  return wide <= MOST_WIDE;
}

static void clear_trail(const Gjk* g) {
  Touch* t = g->touch;
  t->geom[0] = g->geom[0] + 1;
  t->geom[1] = g->geom[1] + 1;
  t->nface = t->is_tied = t->is_level = t->searches = 0;
  t->poses.rest = 0;
  for (int i = 0; i < TOUCH_VERTS; i++) {
    t->vertex[i][0] = t->vertex[i][1] = TRAIL_NEW;
  }
}

// Makes supports follow places of the trail; of none if first is end.
static void follow_trail(const Gjk* g, ConvexShape* a, ConvexShape* b, int first, int end) {
  ConvexShape* s[2] = {a, b};
  for (int i = 0; i < 2; i++) {
    const int left = mesh_is_climbed(s[i]) ? end - first : 0;
    s[i]->trail_left = left;
    s[i]->trail = left > 0 ? g->touch->vertex[first] + i : NULL;
  }
}

// Begins the trail of GJK, unless there is no place to keep it. Returns whether there is one.
static int begin_trail(const Gjk* g, ConvexShape* a, ConvexShape* b) {
  Touch* t = g->touch;
  if (!t || (t->geom[0] && !touch_is_of(t, g->geom))) {
    return 0;
  }
  if (!has_trail(g)) {
    clear_trail(g);
  }
  t->searches++;
  for (int i = 0; i < TOUCH_VERTS && t->searches % RETRY == 0; i++) {
    t->vertex[i][0] &= (uint16_t)~TRAIL_CLIMB;
    t->vertex[i][1] &= (uint16_t)~TRAIL_CLIMB;
  }
  follow_trail(g, a, b, 0, GJK_TRAIL);
  return 1;
}

// What GJK and EPA have told of a pair: it touches in more than a point, or rounding decides that
// it has no contact.
static void keep_answer(const Gjk* g, int is_tied, int is_level) {
  Touch* t = g->touch;
  if (t && is_tied && !touch_is_of(t, g->geom)) {
    clear_trail(g);
  }
  if (t && touch_is_of(t, g->geom)) {
    t->nface = 0;
    t->is_tied = (uint8_t)is_tied;
    t->is_level = (uint8_t)is_level;
    t->poses.rest = 0;
  }
}

// Signed distance of two meshes up to 0. hull_depth decides clear cases, of large meshes after GJK
// has said that they overlap; else GJK and EPA do. A pair that touched in more than a point, where
// hull_depth has no answer, is not tried by it as long as this is so.
static mjtNum mesh_distance(Gjk* g, mjData* d, ConvexShape* a, ConvexShape* b) {
  int is_small = is_hull_of(a, MOST_POINTS) && is_hull_of(b, MOST_POINTS), tied = was_tied(g);
  mjtNum depth = 0;
  int state = is_small && !tied ? search_hull(&depth, g, d, a, b, hull_depth) : HULL_UNCLEAR;
  const int full = d->warning[mjWARN_CONTACTFULL].number;
  int is_followed = 0;
  if (state == HULL_UNCLEAR) {
    is_followed = (is_small || tied) && begin_trail(g, a, b);
    mjtNum dist = gjk_distance(g, a, b);
    follow_trail(g, a, b, 0, 0);
    if (dist > g->tolerance || (g->num <= 1 && v3_dist(a->pos, b->pos) > g->tolerance)) {
      keep_answer(g, 0, is_followed);
      if (is_followed) {
        level_keep(g->touch, d, a, b, g->geom);
      }
      return dist;
    }
    state = is_small || tied ? HULL_UNCLEAR : search_hull(&depth, g, d, a, b, hull_depth);
  }
  if (state == HULL_UNCLEAR) {
    Gjk start = *g;
    if (is_followed) {
      follow_trail(g, a, b, GJK_TRAIL, TOUCH_VERTS);
    }
    depth = depth_of_meshes(g, d, a, b);
    follow_trail(g, a, b, 0, 0);
    int is_true = depth > 0 && !g->is_of_hull && is_on_boundary(g, d, a, b);
    keep_answer(g, is_true, is_followed && !(depth > 0));
    if (tied && !is_true) {
      Gjk first = *g;
      mjtNum other = 0;
      *g = start;
      state = search_hull(&other, g, d, a, b, hull_depth);
      *g = state == HULL_UNCLEAR ? first : *g;
      depth = state == HULL_UNCLEAR ? depth : other;
    }
  }
  if (state == HULL_APART) {
    return GJK_FAR;
  }
  depth = depth > 0 ? depth : displaced_depth(g, d, a, b);
  if (is_followed && !(depth > 0) && !g->is_deep && d->warning[mjWARN_CONTACTFULL].number == full) {
    level_keep(g->touch, d, a, b, g->geom);
  }
  return -depth;
}

static mjtNum signed_distance(Gjk* g, const mjModel* m, mjData* d, ConvexShape* a, ConvexShape* b,
                              mjtNum cutoff, int try_hull) {
  set_options(g, m);
  Cores cores;
  mjtNum dist;
  find_cores(&cores, a, b);
  if (g->later ? bare_cores_apart(&dist, g, &cores, cutoff)
               : cores.any && cores_apart(&dist, g, &cores, cutoff)) {
    return dist;
  }

  g->cutoff = cutoff;
  int is_part = a->kind->is_part || b->kind->is_part;
  g->discrete = shape_is_polytope(a) && shape_is_polytope(b) && !(is_part && cutoff > 0);
  if (try_hull && g->discrete && cutoff == 0 && hull_may_search(g) && is_hull_of(a, HULL_POINTS) &&
      is_hull_of(b, HULL_POINTS) && !shape_is_box(b)) {
    return mesh_distance(g, d, a, b);
  }
  dist = gjk_distance(g, a, b);
  if (dist > g->tolerance || (g->num <= 1 && v3_dist(a->pos, b->pos) > g->tolerance)) {
    return dist;
  }
  mjtNum depth = g->num > 1 ? epa_depth(g, d, a, b) : 0;
  dist = depth > 0 || is_part ? -depth : -displaced_depth(g, d, a, b);
  return g->later ? dist : improve_in_margin(g, &cores, cutoff, dist);
}

// Signed distance, with cached copies of mesh vertices. NAN, with a warning, for poses that are NaN
// or out of bounds. try_hull: whether hull_depth may be used.
static mjtNum search(Gjk* g, const mjModel* m, mjData* d, ConvexShape* a, ConvexShape* b,
                     mjtNum cutoff, int try_hull) {
  size_t top = arena_top(d);
  // what is lent needs no copying, which walks save
  if (support_cache_is_lent(d) || !(try_hull && is_for_walks(g, a, b))) {
    a->points = support_cache_find(d, a, MOST_POINTS);
    b->points = support_cache_find(d, b, MOST_POINTS);
  }
  mjtNum dist = signed_distance(g, m, d, a, b, cutoff, try_hull);
  if (!(dist > -DEEPEST)) {
    mj_warning(d, cndWARN_DEPTH, d->ncon);
    dist = (mjtNum)NAN;
  }
  a->points = b->points = NULL;
  arena_pop(d, top);
  return dist;
}

mjtNum convex_distance_ordered(Gjk* g, const mjModel* m, mjData* d, ConvexShape* a, ConvexShape* b,
                               mjtNum cutoff) {
  a->last = b->last = -1;
  g->axis = NULL;
  g->touch = NULL;
  v3_zero(g->apart);
  return search(g, m, d, a, b, cutoff, 0);
}

mjtNum convex_distance_kept(Gjk* g, const mjModel* m, const mjData* d, ConvexShape* a,
                            ConvexShape* b, const mjtNum* axis, mjtNum cutoff, Touch* touch,
                            const int geom[2]) {
  g->axis = axis;
  g->touch = touch;
  if (touch) {
    memcpy(g->geom, geom, sizeof(g->geom));
  }
  v3_zero(g->apart);
  return search(g, m, (mjData*)d, a, b, cutoff, 1);  // nothing but scratch memory is written
}

mjtNum convex_distance(Gjk* g, const mjModel* m, const mjData* d, ConvexShape* a, ConvexShape* b,
                       const mjtNum* axis, mjtNum cutoff) {
  return convex_distance_kept(g, m, d, a, b, axis, cutoff, NULL, NULL);
}

int convex_distance_again(mjtNum* dist, Gjk* g, const mjModel* m, const mjData* d, ConvexShape* a,
                          ConvexShape* b, Touch* touch, const int geom[2]) {
  if (!has_polytope(touch, geom) || !shape_is_polytope(a) || !shape_is_polytope(b)) {
    return 0;
  }
  set_options(g, m);
  g->discrete = 1;
  g->cutoff = 0;
  g->touch = touch;
  memcpy(g->geom, geom, sizeof(g->geom));
  v3_zero(g->apart);
  mjtNum depth;
  if (hold_tells(&depth, g, d, a, b)) {
    *dist = -depth;
    g->is_of_hull = 1;
    return 1;
  }
  mjData* scratch = (mjData*)d;
  size_t top = arena_top(scratch);
  int state = search_hull(&depth, g, scratch, a, b, hull_again);
  a->points = b->points = NULL;
  arena_pop(scratch, top);
  *dist = state == HULL_DEEP ? -depth : GJK_FAR;
  return state != HULL_UNCLEAR;
}

// The largest number of contacts of a pair. Only polytopes without margin have several. If the
// smaller limit is four or less, it is 1 unless the model asks for complete faces.
static int most_contacts(const mjModel* m, const ConvexKind* a, const ConvexKind* b,
                         int has_margin) {
  const Facets *fa = a->facets, *fb = b->facets;
  if (!fa || !fb || has_margin || m->opt.disableflags & mjDSBL_NATIVECCD) {
    return 1;
  }
  int most = int_min(fa->most, fb->most);
  return most > 4 || faces_are_complete(m) ? most : 1;
}

static void contact_between(mjContact* con, const mjtNum x1[3], const mjtNum x2[3], mjtNum dist) {
  mjtNum n[3], pos[3];
  v3_sub(n, x1, x2);
  v3_normalize(n);
  v3_add(pos, x1, x2);
  v3_scl(pos, pos, (mjtNum)0.5);
  contact_set(con, dist, pos, n);
}

static int collide_legacy(mjContact* con, const mjModel* m, const mjData* d, ConvexShape* a,
                          ConvexShape* b, mjtNum margin) {
  a->points = support_cache_copy(d, a, 0);  // if a batch lends them
  b->points = support_cache_copy(d, b, 0);
  mjtNum n[3], pos[3], depth = mpr_depth(n, pos, m, a, b);
  if (!(depth > 0)) {
    return 0;
  }
  contact_set(con, margin - depth, pos, n);
  return 1;
}

// Finds the points of a manifold. Their order depends on the order of the corners of the closest
// triangle, which is undefined after hull_depth; so GJK and EPA repeat its search.
static int find_manifold(mjtNum point[mjMAXCONPAIR][3], mjtNum offset[3], mjtNum* dist, Gjk* g,
                         const mjModel* m, mjData* d, ConvexShape* a, ConvexShape* b, int max) {
  int num = convex_manifold(point, offset, g, d, a, b, max);
  if (num > 1 && g->is_of_hull) {
    Gjk again = *g;
    a->last = b->last = -1;
    mjtNum repeated = search(&again, m, d, a, b, 0, 0);
    if (repeated < 0) {
      *g = again;
      *dist = repeated;
      num = convex_manifold(point, offset, g, d, a, b, max);
    }
  }
  return num;
}

// Contacts of two shapes at a distance that a search has left in g.
static int contacts_at(mjContact* con, Gjk* g, const mjModel* m, const mjData* d, ConvexShape* a,
                       ConvexShape* b, mjtNum dist, mjtNum margin, int max) {
  mjtNum point[mjMAXCONPAIR][3], offset[3];
  int num = max > 1 ? find_manifold(point, offset, &dist, g, m, (mjData*)d, a, b, max) : 0;
  for (int i = 0; i < num; i++) {
    mjtNum x1[3];
    v3_sub(x1, point[i], offset);
    contact_between(con + i, x1, point[i], margin + dist);
  }
  if (num == 0) {
    contact_between(con, g->x1, g->x2, margin + dist);
    num = 1;
  }
  return num;
}

// touch, geom: of convex_distance_kept.
static int collide_kept(mjContact* con, const mjModel* m, const mjData* d, ConvexShape* a,
                        ConvexShape* b, const mjtNum* axis, mjtNum margin, int max, mjtNum apart[3],
                        Touch* touch, const int geom[2]) {
  if (apart) {
    v3_zero(apart);
  }
  if (m->opt.disableflags & mjDSBL_NATIVECCD) {
    return collide_legacy(con, m, d, a, b, margin);
  }
  Gjk g;
  mjtNum dist = convex_distance_kept(&g, m, d, a, b, axis, 0, touch, geom);
  if (!(dist < 0)) {
    if (apart) {
      v3_copy(apart, g.apart);
    }
    return 0;
  }
  return contacts_at(con, &g, m, d, a, b, dist, margin, max);
}

int collide_shapes(mjContact* con, const mjModel* m, const mjData* d, ConvexShape* a,
                   ConvexShape* b, const mjtNum* axis, mjtNum margin, int max, mjtNum apart[3]) {
  return collide_kept(con, m, d, a, b, axis, margin, max, apart, NULL, NULL);
}

// Contacts of two geoms. The normal of the legacy search is corrected.
static int collide_geoms(mjContact* con, const mjModel* m, const mjData* d, ConvexShape* a,
                         ConvexShape* b, const mjtNum* axis, mjtNum margin, int max,
                         mjtNum apart[3], Touch* touch, const int geom[2]) {
  int num = collide_kept(con, m, d, a, b, axis, margin, max, apart, touch, geom);
  if (num && m->opt.disableflags & mjDSBL_NATIVECCD) {
    correct_normal(con, a, b);
  }
  return num;
}

// Whether a pair with single contacts may have more of them when it is rolled.
static int may_roll(const mjModel* m, const ConvexKind* a, const ConvexKind* b) {
  return several_asked(m) && !a->is_strict && !b->is_strict;
}

int convex_most(const mjModel* m, int type1, int type2, int has_margin) {
  const ConvexKind *a = convex_kind(type1), *b = convex_kind(type2);
  if (!a || !b) {
    return 0;
  }
  int most = most_contacts(m, a, b, has_margin);
  return most == 1 && may_roll(m, a, b) ? 1 + NROLL : most;
}

// Adds contacts between flat faces, from copies of the shapes that are rolled a little about the
// first contact. A new contact counts if it is more than `apart` from all others. It gets the depth
// of the first one.
static int roll_shapes(mjContact* con, const mjModel* m, const mjData* d, ConvexShape* a,
                       ConvexShape* b, mjtNum margin, mjtNum apart) {
  const mjtNum angle = (mjtNum)1e-3;
  mjtNum frame[9];
  memcpy(frame, con->frame, sizeof(frame));
  contact_frame(frame);
  int num = 1;
  ConvexShape a2 = *a, b2 = *b;  // the support search of each roll starts at the last result
  for (int axis = 1; axis <= 2; axis++) {
    for (mjtNum way = -1; way <= 1; way += 2) {
      place_as(&a2, a);
      place_as(&b2, b);
      shape_turn(&a2, con->pos, frame + 3 * axis, way * angle);
      shape_turn(&b2, con->pos, frame + 3 * axis, -way * angle);
      if (!collide_kept(con + num, m, d, &a2, &b2, NULL, margin, 1, NULL, NULL, NULL)) {
        continue;
      }
      if (m->opt.disableflags & mjDSBL_NATIVECCD) {
        int is_later = behaves(m, cndBEHAVIOUR_gjkepa);
        correct_normal(con + num, is_later ? a : &a2, is_later ? b : &b2);
      }
      int is_new = 1;
      for (int i = 0; i < num; i++) {
        is_new = is_new && v3_dist(con[i].pos, con[num].pos) > apart;
      }
      if (is_new) {
        con[num++].dist = con->dist;
      }
    }
  }
  return num;
}

// Adds contacts where a single one of two geoms may not be enough.
static int roll_geoms(mjContact* con, const mjModel* m, const mjData* d, ConvexShape* a,
                      ConvexShape* b, const int geom[2], mjtNum margin) {
  mjtNum apart = (mjtNum)1e-3 * num_min(m->geom_rbound[geom[0]], m->geom_rbound[geom[1]]);
  return roll_shapes(con, m, d, a, b, margin, apart);
}

// The contacts of geoms that overlapped in an earlier step, if the polytope that is kept tells
// them; -1 if not.
static int collide_again(const mjModel* m, const mjData* d, mjContact* con, const int geom[2],
                         mjtNum margin, Touch* touch) {
  if (!has_polytope(touch, geom)) {
    return -1;
  }
  ConvexShape a, b;
  Gjk g;
  mjtNum dist;
  if (!convex_shape(&a, m, d, geom[0], margin) || !convex_shape(&b, m, d, geom[1], margin) ||
      !convex_distance_again(&dist, &g, m, d, &a, &b, touch, geom)) {
    return -1;
  }
  int max = most_contacts(m, a.kind, b.kind, 0);
  int num = dist < 0 ? contacts_at(con, &g, m, d, &a, &b, dist, margin, max) : 0;
  return max == 1 && num && may_roll(m, a.kind, b.kind)
             ? roll_geoms(con, m, d, &a, &b, geom, margin)
             : num;
}

static int collide_at(const mjModel* m, const mjData* d, mjContact* con, const int geom[2],
                      mjtNum margin, Apart* slot, Touch* touch) {
  const int g1 = geom[0], g2 = geom[1];
  // shapes that are apart may have a legacy contact
  int is_legacy = (m->opt.disableflags & mjDSBL_NATIVECCD) != 0;
  if (margin == 0 && level_is_kept(touch, m, d, geom)) {
    return 0;
  }
  if (!is_legacy) {
    int num = collide_again(m, d, con, geom, margin, touch);
    if (num >= 0) {
      return num;
    }
  }
  if (slot && is_still_apart(slot, m, d, g1, g2, margin)) {
    return 0;
  }
  mjtNum axis[3], way[3];
  if (!is_legacy && geom_boxes_apart(axis, m, d, g1, g2, margin)) {
    return 0;
  }
  ConvexShape a, b;
  if (!convex_shape(&a, m, d, g1, margin) || !convex_shape(&b, m, d, g2, margin)) {
    return collide_unsupported(m, d, con, g1, g2, margin);
  }
  int max = most_contacts(m, a.kind, b.kind, a.margin > 0);
  int num =
      collide_geoms(con, m, d, &a, &b, is_legacy ? NULL : axis, margin, max, way, touch, geom);
  if (slot && !num) {
    apart_keep(slot, &a, &b, g1, g2, way);
  }
  return max == 1 && num == 1 && may_roll(m, a.kind, b.kind)
             ? roll_geoms(con, m, d, &a, &b, geom, margin)
             : num;
}

int collide_convex(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2,
                   mjtNum margin) {
  int is_legacy = (m->opt.disableflags & mjDSBL_NATIVECCD) != 0;
  const int geom[2] = {g1, g2};
  Apart* slot = is_legacy ? NULL : apart_take(d, g1, g2);
  Touch* touch = is_legacy ? NULL : touch_take(d, g1, g2);
  int num = collide_at(m, d, con, geom, margin, slot, touch);
  touch_give_back(d, touch);
  apart_give_back(d, slot);
  return num;
}
