// Rays of every kind against every shape, one by one beside the reference's.
//
// CONDYLE_RAYS in the environment is the number of rays per scene; by default few enough for a
// second.

#include "base/algebra/vec.h"
#include "support/bridge.h"
#include "support/precision.h"
#include "support/random.h"
#include "support/test.h"
#include "support/text.h"

typedef mjtNum RayFunction(const void* m, const void* d, const mjtNum pnt[3], const mjtNum vec[3],
                           const mjtByte* geomgroup, mjtByte flg_static, int bodyexclude,
                           int geomid[1]);
typedef void MultiRayFunction(const void* m, void* d, const mjtNum pnt[3], const mjtNum* vec,
                              const mjtByte* geomgroup, mjtByte flg_static, int bodyexclude,
                              int* geomid, mjtNum* dist, int nray, mjtNum cutoff);
static int pick(uint64_t* seed, int n) {
  return (int)((xorshift_random(seed) + 1) / 2 * (mjtNum)n) % n;
}

static void draw3(mjtNum out[3], uint64_t* seed, mjtNum scale) {
  for (int k = 0; k < 3; k++) {
    out[k] = scale * xorshift_random(seed);
  }
}

// scenes

static void add_place(Text* t, uint64_t* seed, int turned) {
  text_add(t, " pos='%.3f %.3f %.3f'", xorshift_random(seed), xorshift_random(seed),
           xorshift_random(seed));
  if (turned) {
    text_add(t, " quat='%.3f %.3f %.3f %.3f'", xorshift_random(seed), xorshift_random(seed),
             xorshift_random(seed), xorshift_random(seed));
  }
}

// a surface with hills over the whole of [0, 1]
static double hill(int column, int row) {
  return 0.5 + 0.5 * sin(0.9 * column + 0.3 * row) * cos(0.7 * row);
}

static void add_assets(Text* t) {
  text_add(
      t,
      "<asset><material name='glass' rgba='1 1 1 0'/><material name='brick'/>"
      "<mesh name='torus' builtin='supertorus' params='24 .4 1 1' scale='.5 .5 .5'/>"
      "<mesh name='ball' builtin='sphere' params='2' scale='.4 .3 .5'/>"
      // a cube, one face folded in, one twice, one without area
      "<mesh name='cube' inertia='shell' vertex='0 0 0 1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 1 1 1 0 1 1 "
      ".5 .5 .5 2 2 2' "
      "face='0 2 1 0 3 2 0 1 5 0 5 4 1 2 6 1 6 5 2 3 7 2 7 6 3 0 4 3 4 7 4 5 8 5 6 8 6 7 8 7 4 8 "
      "0 2 1 8 9 9' scale='.4 .4 .4'/>");
  const int size[3][2] = {{12, 9}, {40, 31}, {2, 2}};
  for (int i = 0; i < 3; i++) {
    text_add(t, "<hfield name='hills%d' nrow='%d' ncol='%d' size='%.2f .8 .5 .2' elevation='", i,
             size[i][0], size[i][1], 0.5 + 0.3 * i);
    for (int r = 0; r < size[i][0]; r++) {
      for (int c = 0; c < size[i][1]; c++) {
        text_add(t, "%.4f ", hill(c, r));
      }
    }
    text_add(t, "'/>");
  }
  text_add(t, "</asset>");
}

static const char* const shapes[] = {
    "type='plane' size='.4 .6 1'",      "type='plane' size='0 .5 1'",
    "type='sphere' size='.3'",          "type='capsule' size='.2 .3'",
    "type='ellipsoid' size='.2 .3 .4'", "type='cylinder' size='.3 .2'",
    "type='box' size='.2 .3 .4'",       "type='mesh' mesh='torus'",
    "type='mesh' mesh='ball'",          "type='mesh' mesh='cube'",
    "type='hfield' hfield='hills0'",    "type='hfield' hfield='hills1'",
    "type='hfield' hfield='hills2'",
};

enum {
  NSHAPE = sizeof(shapes) / sizeof(shapes[0])
};

static Bridge* load(Text* t) {
  Bridge* b = bridge_load_text(t->text);
  free(t->text);
  assert_non_null(b);
  bridge_run(b, "mj_kinematics");
  bridge_pull(b, NULL);
  return b;
}

static Bridge* one_shape(int shape, int turned) {
  Text t = {0};
  uint64_t seed = 1234567 + (uint64_t)shape;
  text_add(&t, "<mujoco>");
  add_assets(&t);
  text_add(&t, "<worldbody><geom %s", shapes[shape]);
  if (turned) {
    add_place(&t, &seed, 1);
  }
  text_add(&t, "/></worldbody></mujoco>");
  return load(&t);
}

// bodies with several geoms each, some of them for display only, some not visible
static Bridge* crowd(uint64_t seed) {
  Text t = {0};
  text_add(&t, "<mujoco><option gravity='0 0 0'/>");
  add_assets(&t);
  text_add(&t, "<worldbody>");
  for (int body = 0; body < 14; body++) {
    text_add(&t, "<body");
    add_place(&t, &seed, 1);
    text_add(&t, "><inertial mass='1' diaginertia='1 1 1' pos='.1 -.2 .1' quat='1 .4 .2 0'/>");
    int moves = pick(&seed, 2);
    if (moves) {
      text_add(&t, "<freejoint/>");
    }
    int first = pick(&seed, NSHAPE), display = pick(&seed, 4) == 0;
    for (int i = 0; i < 4; i++) {
      int shape = (first + 3 * i) % NSHAPE;
      if (!moves || !strstr(shapes[shape], "plane")) {
        text_add(&t, "<geom %s", shapes[shape]);
        add_place(&t, &seed, 1);
        text_add(&t, " group='%d'", pick(&seed, 8) - 1);
        text_add(&t, pick(&seed, 6) ? "" : " rgba='1 0 0 0'");
        const char* material[] = {"", "", " material='glass'", " material='brick'"};
        text_add(&t, "%s", material[pick(&seed, 4)]);
        text_add(&t, display || i == 3 ? " contype='0' conaffinity='0'" : "");
        text_add(&t, "/>");
      }
    }
    text_add(&t, "</body>");
  }
  text_add(&t, "</worldbody></mujoco>");
  return load(&t);
}

// rays

enum {
  ANYWHERE,  // from around into the middle
  ALONG,     // along an axis of the world
  INSIDE,    // from within
  SCALED,    // of any length
  LEAVING,   // from a point of the surface
  CORNER,    // through a vertex
  EDGE,      // through an edge
  NKIND,
  FIRST_BORDERLINE = LEAVING
};

static const char* const kind_name[NKIND] = {"anywhere", "along",  "inside", "scaled",
                                             "leaving",  "corner", "edge"};

// A place on an edge of the geom's faces, or one of their corners; of other shapes any within.
static void feature(mjtNum out[3], const mjModel* m, const mjData* d, int geom, int corner,
                    uint64_t* seed) {
  mjtNum a[3], b[3], t = corner ? 0 : (xorshift_random(seed) + 1) / 2;
  int type = m->geom_type[geom], id = m->geom_dataid[geom];
  if (type == mjGEOM_MESH) {
    const int* face = m->mesh_face + 3 * (m->mesh_faceadr[id] + pick(seed, m->mesh_facenum[id]));
    const float* vert = m->mesh_vert + 3 * m->mesh_vertadr[id];
    int i = pick(seed, 3);
    for (int k = 0; k < 3; k++) {
      a[k] = vert[3 * face[i] + k];
      b[k] = vert[3 * face[(i + 1) % 3] + k];
    }
  } else if (type == mjGEOM_HFIELD) {
    int nrow = m->hfield_nrow[id], ncol = m->hfield_ncol[id];
    int r = pick(seed, nrow - 1), c = pick(seed, ncol - 1), step = pick(seed, 3);
    const mjtNum* size = m->hfield_size + 4 * id;
    const float* data = m->hfield_data + m->hfield_adr[id];
    for (int i = 0; i < 2; i++) {
      int row = r + (i && step != 1), column = c + (i && step != 0);
      v3_set(i ? b : a, 2 * size[0] * column / (ncol - 1) - size[0],
             2 * size[1] * row / (nrow - 1) - size[1], size[2] * data[row * ncol + column]);
    }
  } else {
    const mjtNum* size = m->geom_size + 3 * geom;
    for (int k = 0; k < 3; k++) {
      a[k] = pick(seed, 2) ? size[k] : -size[k];
      b[k] = k == 1 ? -a[k] : a[k];
    }
  }
  v3_scl(a, a, 1 - t);
  v3_addtoscl(a, b, t);
  m3_mulv(out, d->geom_xmat + 9 * geom, a);
  v3_addto(out, d->geom_xpos + 3 * geom);
}

static void make_ray(mjtNum pnt[3], mjtNum vec[3], int kind, const Bridge* b, uint64_t* seed) {
  mjtNum target[3], x;
  int geom = pick(seed, b->m->ngeom);
  const mjtNum* centre = b->d->geom_xpos + 3 * geom;
  draw3(pnt, seed, 2);
  draw3(target, seed, (mjtNum)0.6);
  v3_addto(pnt, centre);
  v3_addto(target, centre);
  if (kind == CORNER || kind == EDGE) {
    feature(target, b->m, b->d, geom, kind == CORNER, seed);
  }
  v3_sub(vec, target, pnt);
  if (kind == ALONG) {
    int axis = pick(seed, 3);
    mjtNum length = pnt[axis] > centre[axis] ? -1 : 1;
    v3_addscl(pnt, target, vec, 0);
    v3_zero(vec);
    vec[axis] = length;
    pnt[axis] = centre[axis] - 2 * length;
  } else if (kind == INSIDE) {
    v3_copy(pnt, centre);
    v3_addtoscl(pnt, vec, (mjtNum)0.1 * xorshift_random(seed));
    draw3(vec, seed, 1);
  } else if (kind == LEAVING) {
    x = mj_ray(b->m, b->d, pnt, vec, NULL, 1, -1, NULL);
    v3_addtoscl(pnt, vec, x);
    draw3(vec, seed, 1);
  } else if (kind == SCALED) {
    v3_scl(vec, vec, mju_pow(10, 12 * xorshift_random(seed)));
  }
}

// answers

typedef struct Answer_ {
  mjtNum x;
  int geom;
} Answer;

// Which answers count as one: x to nine digits; the geom, too, unless both are met at exactly one
// x.
static int same(Answer ours, Answer theirs) {
  mjtNum gap = mju_abs(ours.x - theirs.x), size = num_max(mju_abs(theirs.x), (mjtNum)1e-12);
  return gap <= 1e-9 * size && (ours.geom == theirs.geom || ours.x == theirs.x);
}

// Whether a ray through a vertex or an edge, or from a point of a surface, meets what it is aimed
// at is decided by rounding: one of the two answers is that very place. Or the reference sees
// nothing of a height field, because the ray leaves the box around it exactly through an edge of
// the box.
static int borderline(int kind, const Bridge* b, Answer ours, Answer theirs) {
  mjtNum place = kind == LEAVING ? 0 : 1, tolerance = (mjtNum)1e-9;
  int unseen = theirs.x < 0 && ours.geom >= 0 && b->m->geom_type[ours.geom] == mjGEOM_HFIELD;
  return kind >= FIRST_BORDERLINE &&
         (mju_abs(ours.x - place) < tolerance || mju_abs(theirs.x - place) < tolerance || unseen);
}

// How many rays of each kind were cast, hit, and had another answer than the reference.
typedef struct Tally_ {
  int cast[NKIND], hit[NKIND], off[NKIND];
} Tally;

// Counts an answer; fails the test if it is wrong.
static void judge(Tally* tally, int kind, const Bridge* b, const mjtNum pnt[3], const mjtNum vec[3],
                  Answer ours, Answer theirs) {
  tally->cast[kind]++;
  tally->hit[kind] += theirs.x >= 0;
  if (same(ours, theirs)) {
    return;
  }
  tally->off[kind]++;
  if (!borderline(kind, b, ours, theirs)) {
    fail_msg(
        "%s from %.17g %.17g %.17g along %.17g %.17g %.17g: %.17g (geom %d), reference %.17g (geom "
        "%d)",
        kind_name[kind], pnt[0], pnt[1], pnt[2], vec[0], vec[1], vec[2], ours.x, ours.geom,
        theirs.x, theirs.geom);
  }
}

// Enough rays must hit, and few may be decided by rounding.
static void check_tally(const char* name, const Tally* t, double most) {
  for (int k = 0; k < NKIND && getenv("CONDYLE_RAYS"); k++) {
    print_message("%s, %s: %d of %d off, %d hits\n", name, kind_name[k], t->off[k], t->cast[k],
                  t->hit[k]);
  }
  for (int k = 0; k < NKIND; k++) {
    assert_that(t->hit[k], >, t->cast[k] / 50);
    assert_that(t->off[k], <=, most * t->cast[k]);
  }
}

static void cast(Tally* tally, const Bridge* b, int count, uint64_t seed) {
  RayFunction* reference = (RayFunction*)bridge_function("mj_ray");
  for (int i = 0; i < count; i++) {
    mjtNum pnt[3], vec[3];
    make_ray(pnt, vec, i % NKIND, b, &seed);
    if (v3_norm(vec) >= mjMINVAL) {
      Answer ours, theirs;
      mjtByte group[mjNGROUP] = {1, 1, 1, 0, 1, 1}, *groups = i % 3 ? NULL : group;
      mjtByte flg_static = i % 11 != 0;
      int exclude = i % 5 ? -1 : pick(&seed, b->m->nbody + 1);
      ours.x = mj_ray(b->m, b->d, pnt, vec, groups, flg_static, exclude, &ours.geom);
      theirs.x = reference(b->ref_m, b->ref_d, pnt, vec, groups, flg_static, exclude, &theirs.geom);
      judge(tally, i % NKIND, b, pnt, vec, ours, theirs);
    }
  }
}

TEST(rays_meet_each_shape_where_the_reference_does) {
  BRIDGE_OR_SKIP();
  DOUBLE_ONLY();
  for (int i = 0; i < 2 * NSHAPE; i++) {
    Tally t = {{0}, {0}, {0}};
    Bridge* b = one_shape(i / 2, i % 2);
    cast(&t, b, (int)test_setting("CONDYLE_RAYS", 1400), 99991 + (uint64_t)i);
    // the corners of hills2, a single cell, are all on the border
    check_tally(shapes[i / 2], &t, i / 2 == NSHAPE - 1 ? 0.5 : 0.12);
    bridge_free(b);
  }
}

TEST(rays_meet_a_crowd_where_the_reference_does) {
  BRIDGE_OR_SKIP();
  DOUBLE_ONLY();
  Tally t = {{0}, {0}, {0}};
  for (int i = 0; i < 6; i++) {
    Bridge* b = crowd(31 + (uint64_t)i);
    cast(&t, b, (int)test_setting("CONDYLE_RAYS", 2100), 7777 + (uint64_t)i);
    bridge_free(b);
  }
  check_tally("crowd", &t, 0.01);
}

// A fan of rays from one point, of each kind that has any direction.
TEST(many_rays_at_once_see_what_the_reference_does) {
  BRIDGE_OR_SKIP();
  DOUBLE_ONLY();
  enum {
    NRAY = 100
  };
  MultiRayFunction* reference = (MultiRayFunction*)bridge_function("mj_multiRay");
  uint64_t seed = 4242;
  int hits = 0, lost = 0;
  for (int scene = 0; scene < 8; scene++) {
    Bridge* b = crowd(131 + (uint64_t)scene);
    for (int fan = 0; fan < (int)test_setting("CONDYLE_RAYS", 4000) / NRAY; fan++) {
      mjtNum pnt[3], vec[3 * NRAY], x[2][NRAY], cutoff = 2 + 2 * xorshift_random(&seed);
      int geom[2][NRAY], exclude = fan % 5 ? -1 : pick(&seed, b->m->nbody);
      mjtByte group[mjNGROUP] = {1, 1, 1, 0, 1, 1}, *groups = fan % 3 ? NULL : group;
      mjtByte flg_static = fan % 11 != 0;
      make_ray(pnt, vec, ANYWHERE, b, &seed);
      for (int i = 0; i < NRAY; i++) {
        mjtNum to[3];
        v3_copy(to, b->d->geom_xpos + 3 * pick(&seed, b->m->ngeom));
        v3_sub(vec + 3 * i, to, pnt);
        draw3(to, &seed, i % 10 ? (mjtNum)0.4 : 3);
        v3_addto(vec + 3 * i, to);
        if (i % 7 == 0) {
          v3_set(vec + 3 * i, 0, 0, i % 2 ? 1 : -1);
        }
      }
      mj_multiRay(b->m, b->d, pnt, vec, groups, flg_static, exclude, geom[0], x[0], NRAY, cutoff);
      reference(b->ref_m, b->ref_d, pnt, vec, groups, flg_static, exclude, geom[1], x[1], NRAY,
                cutoff);
      for (int i = 0; i < NRAY; i++) {
        Tally t = {{0}, {0}, {0}};
        judge(&t, ANYWHERE, b, pnt, vec + 3 * i, (Answer){x[0][i], geom[0][i]},
              (Answer){x[1][i], geom[1][i]});
        mjtNum alone = mj_ray(b->m, b->d, pnt, vec + 3 * i, groups, flg_static, exclude, NULL);
        hits += x[0][i] >= 0;
        lost += x[0][i] != alone;
      }
    }
    bridge_free(b);
  }
  print_message("%d hits, %d rays that see something else alone\n", hits, lost);
  assert_that(hits, >, 1000);
  assert_that(lost, >, 100);
}
