// Contacts of random pairs of geoms, of every combination of shapes, beside the reference's; where
// they differ, a search for the depth that knows no collider says who is right.
//
// CONDYLE_PAIRS and CONDYLE_EXTREME_PAIRS are how many pairs of either series are tried,
// CONDYLE_SEED is the first scene.

#include "support/bridge.h"
#include "support/depth.h"
#include "support/draw.h"
#include "support/load.h"
#include "support/near.h"
#include "support/text.h"

enum {
  PAIRS_OF_SCENE = 4000,
  FEW_PAIRS = 100,  // of a scene with large hulls
  HULLS = 6,
  NTYPE = mjNGEOMTYPES,
};

// scenes: one body with geoms of all shapes

// A hull of so many points: anywhere, on a sphere, or in the corners of a grid.
static void add_points(Text* t, const char* name, int count, const double scale[3]) {
  int kind = whole(3);
  text_add(t, "<mesh name='%s' inertia='shell' vertex='", name);
  for (int i = 0; i < count; i++) {
    double p[3], norm = 0;
    for (int k = 0; k < 3; k++) {
      p[k] = kind == 2 ? 0.5 * (whole(5) - 2) : real(-1, 1);
      norm += p[k] * p[k];
    }
    for (int k = 0; k < 3; k++) {
      text_add(t, "%.9g ", scale[k] * (kind == 1 && norm > 0 ? p[k] / sqrt(norm) : p[k]));
    }
  }
  // a tetrahedron inside makes sure that there is a volume
  for (int i = 0; i < 4; i++) {
    text_add(t, "%.9g %.9g %.9g ", scale[0] * (i == 1 ? 0.9 : -0.3),
             scale[1] * (i == 2 ? 0.9 : -0.3), scale[2] * (i == 3 ? 0.9 : -0.3));
  }
  text_add(t, "'/>");
}

// What scenes of a series have in common: points of the hulls beside their tetrahedron, at least
// how thin these are, and the size of everything, m.
typedef struct Series {
  int counts[HULLS];
  double thin, unit;
} Series;

static void write_scene(Text* t, const Series* series, int multiccd) {
  text_add(t, "<mujoco><option><flag multiccd='%s'/></option><asset>",
           multiccd ? "enable" : "disable");
  text_add(
      t,
      "<mesh name='cube' inertia='shell' vertex='-.5 -.5 -.5 .5 -.5 -.5 -.5 .5 -.5 .5 .5 -.5 "
      "-.5 -.5 .5 .5 -.5 .5 -.5 .5 .5 .5 .5 .5'/>"
      "<mesh name='ball' builtin='sphere' params='1' scale='.5 .5 .5'/>"
      "<mesh name='fine' builtin='sphere' params='2' scale='.6 .4 .5'/>"
      "<mesh name='cone' builtin='cone' params='%d %g' scale='.5 .5 .4' inertia='shell'/>"
      "<mesh name='pillow' builtin='supersphere' params='8 .4 .4' scale='.6 .5 .2'/>"
      "<mesh name='needle' builtin='sphere' params='1' scale='.01 .01 1'/>"
      "<mesh name='tile' inertia='shell' vertex='-.6 -.5 -.01 .6 -.5 -.01 -.6 .5 -.01 .6 .5 -.01 "
      "-.6 -.5 .01 .6 -.5 .01 -.6 .5 .01 .6 .5 .01'/>",
      5 + whole(12), whole(2) ? 0 : real(0.1, 0.9));
  for (int i = 0; i < HULLS; i++) {
    char name[8];
    double scale[3] = {real(0.2, 1), real(0.2, 1), whole(4) ? real(0.2, 1) : series->thin};
    scale[1] = whole(8) ? scale[1] : series->thin;
    snprintf(name, sizeof name, "hull%d", i);
    add_points(t, name, series->counts[i], scale);
  }
  text_add(t, "</asset><worldbody>");
  static const char* const shapes[] = {"sphere", "capsule", "ellipsoid", "cylinder", "box"};
  for (int i = 0; i < 25; i++) {
    text_add(t, "<geom type='%s' size='%.9g %.9g %.9g'/>", shapes[i % 5], length(), length(),
             length());
  }
  static const char* const meshes[] = {"cube",   "ball",  "fine",  "cone",  "pillow",
                                       "needle", "tile",  "hull0", "hull1", "hull2",
                                       "hull3",  "hull4", "hull5"};
  for (int i = 0; i < 13; i++) {
    text_add(t, "<geom type='mesh' mesh='%s'/>", meshes[i]);
  }
  text_add(t, "</worldbody></mujoco>");
}

// Everything in another size, with the tolerance of the search for it: after compiling, as there
// are least masses.
static void resize(Bridge* b, double unit) {
  mjModel* m = b->m;
  m->opt.ccd_tolerance *= (mjtNum)unit;
  for (int i = 0; i < 3 * m->nmeshvert; i++) {
    m->mesh_vert[i] *= (float)unit;
  }
  for (int i = 0; i < 6 * m->ngeom; i++) {
    m->geom_aabb[i] *= (mjtNum)unit;
    m->geom_size[i / 2] *= (mjtNum)(i % 2 ? unit : 1);
    m->geom_rbound[i / 6] *= (mjtNum)(i % 6 ? 1 : unit);
  }
  bridge_push_model(b, "ccd_tolerance mesh_vert geom_aabb geom_size geom_rbound");
}

// placements

// Two geoms, and what is known of them without any collider.
typedef struct Pair {
  const mjModel* m;
  int geom[2];
  double unit, reach;  // lengths are about the first, m; radii of both
  Overlap overlap;
} Pair;

static void random_rotation(mjtNum mat[9]) {
  mjtNum q[4];
  for (int i = 0; i < 4; i++) {
    q[i] = (mjtNum)real(-1, 1);
  }
  mju_normalize4(q);
  mju_quat2Mat(mat, q);
}

// One of the 24 rotations that take axes to axes.
static void right_rotation(mjtNum mat[9]) {
  int x = whole(3), y = (x + 1 + whole(2)) % 3;
  mju_zero(mat, 9);
  mjtNum a[3] = {0}, b[3] = {0}, c[3];
  a[x] = whole(2) ? 1 : -1;
  b[y] = whole(2) ? 1 : -1;
  mju_cross(c, a, b);
  for (int k = 0; k < 3; k++) {
    mat[3 * k] = a[k];
    mat[3 * k + 1] = b[k];
    mat[3 * k + 2] = c[k];
  }
}

// Deep, touching, within the margin or apart; turned at random, or aligned, on a grid or nested.
static void place(const Pair* p, mjtNum* pos, mjtNum* mat) {
  int g1 = p->geom[0], g2 = p->geom[1], how = whole(4);
  mjtNum turn[9];
  random_rotation(turn);
  for (int k = 0; k < 2; k++) {
    mjtNum* at = mat + 9 * p->geom[k];
    if (how == 0 || how == 1) {
      random_rotation(at);
    } else {
      right_rotation(at);
      if (how == 3) {  // aligned with each other, not with the world
        mjtNum aligned[9];
        mju_mulMatMat(aligned, turn, at, 3, 3, 3);
        mju_copy(at, aligned, 9);
      }
    }
  }
  int nested = whole(6) == 0;
  for (int k = 0; k < 3; k++) {
    pos[3 * g1 + k] = (mjtNum)(p->unit * (how == 2 ? 0.25 * (whole(5) - 2) : real(-1, 1)));
    double gap = nested ? 0.01 * real(-1, 1) : p->reach / p->unit * real(-0.6, 0.6);
    gap = how == 2 ? 0.125 * floor(8 * gap + 0.5) : gap;
    pos[3 * g2 + k] = pos[3 * g1 + k] + (mjtNum)(p->unit * gap);
  }
  if (whole(3) == 0) {
    // nearly touching along the direction of least overlap of a few
    long double best = INFINITY, u[3] = {0, 0, 1};
    for (int i = 0; i < 40; i++) {
      long double v[3] = {real(-1, 1), real(-1, 1), real(-1, 1)};
      if (how >= 2 && i < 6) {
        for (int k = 0; k < 3; k++) {
          v[k] = (i % 2 ? 1 : -1) * mat[9 * g1 + 3 * k + i / 2];
        }
      }
      long double e = overlap_along(&p->overlap, v);
      if (e < best) {
        best = e;
        memcpy(u, v, sizeof u);
      }
    }
    double left = whole(2) ? 0 : p->unit * real(-0.02, 0.02);
    long double norm = sqrtl(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    for (int k = 0; k < 3; k++) {
      pos[3 * g2 + k] += (mjtNum)(u[k] / norm * (best - (long double)left));
    }
  }
}

// verdicts

typedef enum Verdict {
  SAME,    // count, depth, normal and place
  PLACE,   // depth and normal, at another place of the same manifold
  NORMAL,  // another direction of the same depth
  OURS,    // ours has the depth that is searched, the reference another
  COUNT,   // the same with another number of contacts
  THEIRS,  // neither has, but ours is as deep as the reference's
  WRONG,   // another depth than both, or no contact where there is one
  NVERDICT
} Verdict;

static const char* const verdict_name[NVERDICT] = {
    "same", "other place", "other normal", "ours right", "other count", "as good", "WRONG"};

static long tally[NTYPE][NTYPE][NVERDICT];

static int near3(const mjtNum* a, const mjtNum* b, double tolerance) {
  return fabs((double)(a[0] - b[0])) <= tolerance && fabs((double)(a[1] - b[1])) <= tolerance &&
         fabs((double)(a[2] - b[2])) <= tolerance;
}

static double deepest(const mjContact* con, int num) {
  double dist = INFINITY;
  for (int i = 0; i < num; i++) {
    dist = fmin(dist, (double)con[i].dist);
  }
  return dist;
}

// How far ends of contacts are outside of their shapes.
static double furthest_outside(const Overlap* o, const mjContact* con, int num) {
  double most = 0;
  for (int i = 0; i < 2 * num; i++) {
    const mjContact* c = con + i / 2;
    mjtNum end[3];
    mju_addScl3(end, c->pos, c->frame, (i % 2 ? (mjtNum)0.5 : (mjtNum)-0.5) * c->dist);
    most = fmax(most, (double)overlap_outside(o, i % 2, end));
  }
  return most;
}

// 0 if shapes are apart along one of some directions; they may be along others, if not.
static int may_overlap(const Overlap* o, double tolerance) {
  enum {
    AXES = 12,
    CENTRES = AXES + 2,
    ANY = CENTRES + 150
  };
  const DepthShape *a = o->shape, *b = o->shape + 1;
  for (int i = 0; i < ANY; i++) {
    long double u[3];
    for (int k = 0; k < 3; k++) {
      u[k] = i < AXES      ? o->shape[i % 2].mat[3 * k + i / 4]
             : i < CENTRES ? (long double)b->pos[k] - a->pos[k]
                           : (long double)real(-1, 1);
      u[k] *= (i < AXES ? i / 2 % 2 : i % 2) ? -1 : 1;
    }
    if (overlap_along(o, u) <= tolerance) {
      return 0;
    }
  }
  return 1;
}

// Contacts of one depth come in any order.
static int is_among(const mjContact* one, const mjContact* all, int num, double tolerance) {
  for (int i = 0; i < num; i++) {
    if (fabs((double)(one->dist - all[i].dist)) <= tolerance &&
        near3(one->pos, all[i].pos, tolerance)) {
      return 1;
    }
  }
  return 0;
}

static Verdict judge(const Pair* p, const mjContact* ours, int num, const mjContact* theirs,
                     int ref_num, double tolerance) {
  int depths = num == ref_num, normals = 1, places = 1;
  for (int i = 0; i < num && depths; i++) {
    depths = fabs((double)(ours[i].dist - theirs[i].dist)) <= tolerance;
    normals = normals && near3(ours[i].frame, theirs[i].frame, 1e-6);
    places = places && is_among(ours + i, theirs, ref_num, tolerance);
  }
  if (depths && normals && places && (num || !may_overlap(&p->overlap, tolerance))) {
    return SAME;
  }
  // the deepest contact is at the margin minus the overlap of the inflated shapes
  const Overlap* o = &p->overlap;
  double margin = (double)o->margin;
  double overlap = (double)overlap_least(NULL, o, num ? ours->frame : NULL);
  double truth = margin - overlap;
  double dist = num ? deepest(ours, num) : fmax(truth, margin);
  double ref_dist = ref_num ? deepest(theirs, ref_num) : INFINITY;
  if (!num && !ref_num) {
    // shapes that hardly more than touch may go without
    return overlap > 20 * tolerance ? WRONG : SAME;
  }
  if (!num && overlap > tolerance) {
    return WRONG;
  }
  if (fabs(dist - truth) > tolerance) {
    // a search that ended early is too shallow, but no more than the reference's
    int as_good = dist > truth ? dist <= ref_dist + tolerance : fabs(dist - ref_dist) <= tolerance;
    return as_good ? THEIRS : WRONG;
  }
  if (!depths) {
    return num == ref_num ? OURS : COUNT;
  }
  if (!normals) {
    // nor is its direction worse, by much; shapes that just touch have none
    double excess = overlap_along_normal(o, ours->frame) - overlap;
    double theirs_excess = overlap_along_normal(o, theirs->frame) - overlap;
    int as_good = excess <= 1.5 * fmax(0, theirs_excess) + 10 * tolerance;
    return as_good || overlap <= tolerance ? NORMAL : WRONG;
  }
  // of the contacts, those of rolled shapes lie beside them, by less than their size or as theirs
  double bound = 1e-3 * (double)p->m->geom_rbound[p->geom[0]] + margin / 2;
  double outside = furthest_outside(o, ours, 1), all = furthest_outside(o, ours, num);
  double bound_of_all = fmax(p->reach / 2, furthest_outside(o, theirs, ref_num) + bound);
  int right = outside <= fmax(bound, furthest_outside(o, theirs, 1)) && all <= bound_of_all;
  return right ? PLACE : WRONG;
}

static int has_tie_of_its_own(int type1, int type2) {
  // the box-box and capsule-box colliders follow conventions; others are held to them elsewhere
  return type2 == mjGEOM_BOX && (type1 == mjGEOM_BOX || type1 == mjGEOM_CAPSULE);
}

static void report(const Pair* p, const mjContact* ours, int num, const mjContact* theirs,
                   int ref_num, int scene, int which) {
  const Overlap* o = &p->overlap;
  double overlap = (double)overlap_least(NULL, o, num ? ours->frame : NULL);
  print_error(
      "scene %d, pair %d, geoms %d and %d, types %d and %d, margin %g: ours %d at %.12g, theirs %d "
      "at %.12g, searched %.12g, along our normal %.12g, along theirs %.12g\n",
      scene, which, p->geom[0], p->geom[1], o->shape[0].type, o->shape[1].type, (double)o->margin,
      num, num ? deepest(ours, num) : NAN, ref_num, ref_num ? deepest(theirs, ref_num) : NAN,
      (double)o->margin - overlap,
      num ? (double)o->margin - overlap_along_normal(o, ours->frame) : NAN,
      ref_num ? (double)o->margin - overlap_along_normal(o, theirs->frame) : NAN);
}

// Two geoms at random, the one of the lower type first; 0 if these aren't compared.
static int choose_pair(Pair* p, const mjModel* m, const mjData* d, double unit) {
  int g1 = whole((int)m->ngeom), g2 = whole((int)m->ngeom);
  int swap = m->geom_type[g1] > m->geom_type[g2];
  p->m = m;
  p->geom[0] = swap ? g2 : g1;
  p->geom[1] = swap ? g1 : g2;
  p->reach = (double)(m->geom_rbound[g1] + m->geom_rbound[g2]);
  p->overlap = overlap_of_geoms(m, d, p->geom[0], p->geom[1], whole(2) ? 0 : (mjtNum)(0.02 * unit));
  p->unit = unit;
  return g1 != g2 && !has_tie_of_its_own(p->overlap.shape[0].type, p->overlap.shape[1].type);
}

static int try_scene(Bridge* b, int pairs, int scene, double unit) {
  static mjContact ours[mjMAXCONPAIR], others[mjMAXCONPAIR];
  int wrong = 0;
  for (int i = 0; i < pairs; i++) {
    Pair p;
    if (!choose_pair(&p, b->m, b->d, unit)) {
      continue;
    }
    int g1 = p.geom[0], g2 = p.geom[1], type1 = b->m->geom_type[g1], type2 = b->m->geom_type[g2];
    mjtNum margin = (mjtNum)p.overlap.margin;
    place(&p, b->d->geom_xpos, b->d->geom_xmat);
    bridge_push(b, "geom_xpos geom_xmat");
    int num = mjCOLLISIONFUNC[type1][type2](b->m, b->d, ours, g1, g2, margin);
    int ref_num = bridge_collide(others, b, type1, type2, g1, g2, margin);
    // products of lengths are told apart to mjMINVAL only
    double tolerance = 1e-6 * fmax(unit, p.reach) + mjMINVAL / unit;
    Verdict verdict = judge(&p, ours, num, others, ref_num, tolerance);
    tally[type1][type2][verdict]++;
    if (verdict == WRONG && wrong++ < 3) {
      report(&p, ours, num, others, ref_num, scene, i);
    }
  }
  return wrong;
}

static void print_tally(void) {
  static const char* const name[NTYPE] = {"plane",    "hfield", "sphere", "capsule", "ellipsoid",
                                          "cylinder", "box",    "mesh",   "sdf"};
  print_message("%-22s", "");
  for (int v = 0; v < NVERDICT; v++) {
    print_message(" %12s", verdict_name[v]);
  }
  print_message("\n");
  for (int i = 0; i < NTYPE; i++) {
    for (int j = i; j < NTYPE; j++) {
      long sum = 0;
      for (int v = 0; v < NVERDICT; v++) {
        sum += tally[i][j][v];
      }
      if (sum) {
        print_message("%-10s %-11s", name[i], name[j]);
        for (int v = 0; v < NVERDICT; v++) {
          print_message(" %12ld", tally[i][j][v]);
        }
        print_message("\n");
      }
    }
  }
}

typedef void (*SeriesOf)(Series*, int scene);

// So many pairs of the scene of a series that its number gives. Returns how many are wrong.
static int try_numbered(SeriesOf series_of, int scene, int pairs) {
  Text text = {0};
  Series series;
  draw_scene(scene);
  series_of(&series, scene);
  write_scene(&text, &series, scene % 2);
  Bridge* b = test_bridge(text.text);
  free(text.text);
  resize(b, series.unit);
  int wrong = try_scene(b, pairs, scene, series.unit);
  test_release(b);
  return wrong;
}

// The same of scenes in turn, with a table.
static int try_series(SeriesOf series_of, long pairs, int of_scene) {
  int wrong = 0;
  memset(tally, 0, sizeof tally);
  for (int scene = (int)test_setting("CONDYLE_SEED", 1); pairs > 0; scene++, pairs -= of_scene) {
    wrong += try_numbered(series_of, scene, of_scene);
  }
  print_tally();
  return wrong;
}

static void ordinary(Series* s, int scene) {
  (void)scene;
  *s = (Series){{0, 4, 6, 12, 40, 150}, 0.01, 1};
}

// Hulls of up to 100,000 vertices, flat and needle-like, from micrometres to thousands of
// kilometres.
static void extreme(Series* s, int scene) {
  *s = (Series){{0, 6, 20, 200, 2000, scene % 40 ? 200 : 100000}, 1e-4, pow(10, scene % 13 - 6)};
}

TEST(contacts_are_the_reference_s_or_better) {
  BRIDGE_OR_SKIP();
  DOUBLE_ONLY();
  long pairs = test_setting("CONDYLE_PAIRS", PAIRS_OF_SCENE);
  assert_int_equal(try_series(ordinary, pairs, PAIRS_OF_SCENE), 0);
}

// Of micrometres a product of lengths is near mjMINVAL, and rounding decides which searches end
// early, in both engines.
TEST(extreme_contacts_are_the_reference_s_or_better) {
  BRIDGE_OR_SKIP();
  DOUBLE_ONLY();
  long pairs = test_setting("CONDYLE_EXTREME_PAIRS", 13 * FEW_PAIRS);
  assert_that(try_series(extreme, pairs, FEW_PAIRS), <=, pairs / 10000);
}

// A sphere whose centre is in the margin of an ellipsoid, an edge that touches a face, capsules
// that are long and end to end or small and cross, boxes above 100 km, a needle across a disc, a
// sphere on an ellipsoid where the last simplex is flat, round meshes about the centres of
// ellipsoids, searches that start at a segment, and one that starts beside the origin.
TEST(pairs_that_were_wrong_stay_right) {
  BRIDGE_OR_SKIP();
  DOUBLE_ONLY();
  static const struct {
    SeriesOf series;
    int scene, pairs;
  } known[] = {{extreme, 121, 58},     {extreme, 231, 72},     {extreme, 7068, 69},
               {extreme, 30032, 96},   {extreme, 30249, 75},   {ordinary, 247, 2787},
               {ordinary, 1016, 1055}, {ordinary, 1192, 652},  {ordinary, 1224, 2178},
               {ordinary, 8057, 1669}, {ordinary, 50038, 1693}};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    assert_int_equal(try_numbered(known[i].series, known[i].scene, known[i].pairs), 0);
  }
}
