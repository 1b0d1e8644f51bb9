// Derivatives of the forces of contacts with flexes against differences: an element or a body of
// them, and a shape that overlaps it in random poses. Searches are exact to rounding between
// polytopes alone, so elements have no radius there.

#include <condyle/derivative.h>

#include "collision/contact_param.h"
#include "derivative/partials.h"

static const char kAsset[] =
    "<option cone='elliptic' ccd_tolerance='1e-12' ccd_iterations='200'/><asset>"
    "<hfield name='hills' nrow='4' ncol='4' size='.6 .6 .3 .2' elevation='.1 .7 .3 .5 .9 .2 .6 .4 "
    ".3 .8 .1 .6 .5 .2 .7 .3'/><mesh name='rock' vertex='.1 .02 .01 -.12 .03 0 .01 .13 -.02 0 -.1 "
    ".03 .02 -.01 .14 .01 .02 -.1 .07 .08 .05 -.07 .06 .08 .05 -.07 .09 -.06 -.05 -.07 .08 .05 "
    "-.06 -.05 .08 -.07'/></asset>";

static const char kElement[] =
    "type='direct' mass='.6' dim='%d' point='0 0 .1  .3 0 .12  .05 .31 .05  .12 .1 .35' "
    "element='%s'";

static const char kBox[] =
    "type='grid' dim='3' count='2 3 2' spacing='.2 .15 .2' mass='1' dof='trilinear'";

typedef struct {
  int dim;  // of an element, 0: the trilinear box
  mjtNum radius;
} Flex;

static int add_flex(char* xml, size_t size, const Flex* flex, const char* name) {
  static const char* const elements[] = {"", "0 1", "0 1 2", "0 1 2 3"};
  char shape[300];
  snprintf(shape, sizeof(shape), flex->dim ? kElement : kBox, flex->dim, elements[flex->dim]);
  return snprintf(xml, size,
                  "<flexcomp name='%s' %s radius='%g'><contact internal='false' "
                  "selfcollide='none' condim='4' friction='.8 .02 .01'/></flexcomp>",
                  name, shape, (double)flex->radius);
}

static mjModel* make_model(const Flex* flex, const Flex* other, const char* geom) {
  char xml[4000];
  int n = snprintf(xml, sizeof(xml), "<mujoco>%s<worldbody>", kAsset);
  n += add_flex(xml + n, sizeof(xml) - (size_t)n, flex, "a");
  int fixed = geom && (strstr(geom, "plane") || strstr(geom, "hfield"));
  if (other) {
    n += add_flex(xml + n, sizeof(xml) - (size_t)n, other, "b");
  } else {
    static const char body[] =
        "<body><freejoint/><inertial pos='0 0 0' mass='2' diaginertia='.02 .03 .04'/>";
    n += snprintf(xml + n, sizeof(xml) - (size_t)n, "%s<geom %s/>%s", fixed ? "" : body, geom,
                  fixed ? "" : "</body>");
  }
  snprintf(xml + n, sizeof(xml) - (size_t)n, "</worldbody></mujoco>");
  return test_model(xml);
}

// The part that is placed: a free body, or the vertices or nodes of the last flex, which slide.
typedef struct {
  mjModel* m;
  mjtNum* start;  // positions of all, before it is placed
  int is_free;
} Scene;

static int touches(const Scene* scene, mjData* d, const mjtNum dir[3], mjtNum distance) {
  const mjModel* m = scene->m;
  mju_copy(d->qpos, scene->start, m->nq);
  if (scene->is_free) {
    mju_addToScl3(d->qpos + m->nq - 7, dir, distance);
  } else {
    int last = m->nflex - 1, is_box = m->flex_interp[last];
    int num = is_box ? m->flex_nodenum[last] : m->flex_vertnum[last];
    for (int i = 0; i < num; i++) {
      mju_addToScl3(d->qpos + m->nq - 3 * (i + 1), dir, distance);
    }
  }
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_flex(m, d);
  mj_collision(m, d);
  return d->ncon > 0;
}

// Shakes everything, and places the part in a random direction so near that it overlaps by up to
// that depth.
static void place(const Scene* scene, mjData* d, mjtNum depth) {
  const mjModel* m = scene->m;
  mjtNum dir[3], low = 0, high = 3;
  mj_resetData(m, d);
  for (int i = 0; i < m->nq; i++) {
    d->qpos[i] += (mjtNum)(0.03 * partials_random());
  }
  if (scene->is_free) {
    mjtNum* pose = d->qpos + m->nq - 7;
    for (int i = 0; i < 4; i++) {
      pose[3 + i] = (mjtNum)partials_random();
    }
    mju_normalize4(pose + 3);
    mju_copy3(pose, m->body_pos + 3);
    for (int k = 0; k < 3; k++) {
      pose[k] = (mjtNum)(0.1 + 0.05 * partials_random());
    }
  }
  for (int k = 0; k < 3; k++) {
    dir[k] = (mjtNum)partials_random();
  }
  if (!scene->is_free && m->nflex == 1) {
    dir[2] = mju_abs(dir[2]) + 1;
    low = -1;
  }
  mju_normalize3(dir);
  mju_copy(scene->start, d->qpos, m->nq);
  for (int i = 0; i < 40; i++) {
    mjtNum middle = (low + high) / 2;
    *(touches(scene, d, dir, middle) ? &low : &high) = middle;
  }
  mjtNum share = (mjtNum)(1.1 + partials_random()) / 2;
  touches(scene, d, dir, low - depth * share);
  for (int i = 0; i < m->nv; i++) {
    d->qvel[i] = (mjtNum)(0.5 * partials_random());
  }
}

// lambda . F, as a number of the model is moved
static double dual_of(Partials* p, const mjtNum* lambda, mjtNum* number, mjtNum by,
                      unsigned long long hash) {
  mjtNum *F = mju_malloc(p->m->nv * sizeof(mjtNum)), before = *number;
  mj_copyData(p->work, p->m, p->d);
  *number += by;
  int same = partials_force(F, p, p->x) == hash;
  *number = before;
  double out = same ? (double)mju_dot(lambda, F, p->m->nv) : NAN;
  mju_free(F);
  return out;
}

// Gradients by the place, size and friction of the last geom, those that the differences tell.
static int compare_gradients(const char* label, Partials* p) {
  mjModel* m = (mjModel*)p->m;
  int nv = m->nv, geom = m->ngeom - 1, compared = 0;
  mjtNum gradient[3][3 * 8] = {{0}};
  mjtNum *lambda = mju_malloc(5 * nv * sizeof(mjtNum)), *rate = lambda + nv, *F = rate + 3 * nv;
  p->x = p->d->qacc;
  // the second contact of a segment on a box is not at the closest points
  int has_size = m->flex_dim[0] > 1 || m->geom_type[geom] != mjGEOM_BOX;
  ConstraintGradient to = {.geom_pos = gradient[0],
                           .geom_size = has_size ? gradient[1] : NULL,
                           .geom_friction = gradient[2]};
  mjtNum* field[3] = {m->geom_pos, m->geom_size, m->geom_friction};
  for (int i = 0; i < nv; i++) {
    lambda[i] = (mjtNum)sin(1 + 3 * i);
  }
  mju_zero(rate, 3 * nv);
  mj_copyData(p->work, m, p->d);
  unsigned long long hash = partials_force(F, p, p->x);
  constraint_vjp(m, p->d, p->x, NULL, lambda, rate, rate + nv, rate + 2 * nv, &to);
  for (int i = 0; i < 9; i++) {
    if (i / 3 == 1 && !has_size) {
      continue;
    }
    int at = 3 * geom + i % 3;
    mjtNum *number = field[i / 3] + at, h = (mjtNum)1e-5;
    double wide =
        (dual_of(p, lambda, number, 2 * h, hash) - dual_of(p, lambda, number, -2 * h, hash)) /
        (4 * h);
    double narrow =
        (dual_of(p, lambda, number, h, hash) - dual_of(p, lambda, number, -h, hash)) / (2 * h);
    double expected = (4 * narrow - wide) / 3, exact = (double)gradient[i / 3][at];
    double size = fabs(exact) + 1e-3 * largest_of(gradient[i / 3], 24) + 1e-3;
    if (fabs(wide - narrow) < 1e-4 * size) {
      compared++;
      if (fabs(exact - expected) > 1e-5 * size) {
        fail_msg("%s, number %d: %.10g, expected %.10g", label, i, exact, expected);
      }
    }
  }
  p->x = NULL;
  mju_free(lambda);
  return compared;
}

// exact contacts of inflated shapes

// A shape is what is within a radius of the hull of its corners.
typedef struct {
  int n;
  mjtNum x[4][3], radius;
} Core;

static Core core_of(const mjModel* m, const mjData* d, const mjContact* con, int side) {
  Core out = {.n = 0};
  int geom = con->geom[side], flex = con->flex[side];
  if (geom >= 0) {
    int is_round = m->geom_type[geom] == mjGEOM_SPHERE;
    out.radius = m->geom_size[3 * geom];
    for (int i = 0; i < 2 - is_round; i++) {
      mjtNum end[3] = {0, 0, is_round ? 0 : (i ? 1 : -1) * m->geom_size[3 * geom + 1]};
      mju_mulMatVec3(out.x[out.n], d->geom_xmat + 9 * geom, end);
      mju_addTo3(out.x[out.n++], d->geom_xpos + 3 * geom);
    }
    return out;
  }
  out.radius = m->flex_radius[flex];
  for (; out.n <= m->flex_dim[flex]; out.n++) {
    mju_copy3(out.x[out.n], d->flexvert_xpos + 3 * (m->flex_vertadr[flex] + out.n));
  }
  return out;
}

// What goes from a point of the hull of some corners of a to one of some corners of b (bits), along
// which both points are inside: 0 if that isn't so.
static int between(mjtNum w[3], mjtNum at[3], const Core* a, int in_a, const Core* b, int in_b) {
  const Core* of[2] = {a, b};
  mjtNum first[2][3], e[2][3], G[3] = {1, 0, 1}, r[2] = {0, 0}, s[2], left[2] = {1, 1};
  int n = 0, owner[2] = {0, 0}, corners[2] = {in_a, in_b};
  for (int k = 0; k < 2; k++) {
    int start = -1;
    for (int i = 0; i < of[k]->n; i++) {
      if (!(corners[k] >> i & 1)) {
        continue;
      }
      if (start < 0) {
        start = i;
        mju_copy3(first[k], of[k]->x[i]);
      } else if (n == 2) {
        return 0;
      } else {
        mju_sub3(e[n], of[k]->x[i], first[k]);
        mju_scl3(e[n], e[n], k ? 1 : -1);
        owner[n++] = k;
      }
    }
  }
  mju_sub3(w, first[1], first[0]);
  for (int i = 0; i < n; i++) {
    G[2 * i] = mju_dot3(e[i], e[i]);
    r[i] = -mju_dot3(e[i], w);
  }
  G[1] = n == 2 ? mju_dot3(e[0], e[1]) : 0;
  mjtNum det = G[0] * G[2] - G[1] * G[1];
  s[0] = (G[2] * r[0] - G[1] * r[1]) / det;
  s[1] = (G[0] * r[1] - G[1] * r[0]) / det;
  mju_copy3(at, first[0]);
  for (int i = 0; i < n; i++) {
    left[owner[i]] -= s[i];
    if (!(s[i] > 0)) {
      return 0;
    }
    mju_addToScl3(w, e[i], s[i]);
    if (!owner[i]) {
      mju_addToScl3(at, e[i], -s[i]);
    }
  }
  return left[0] > 0 && left[1] > 0;
}

// The contact at the closest points of both cores, from all pairs of their features; 0 if these
// overlap.
static int refine(const mjModel* m, mjData* d) {
  if (d->ncon != 1) {
    return 0;
  }
  mjContact* con = d->contact;
  Core a = core_of(m, d, con, 0), b = core_of(m, d, con, 1);
  mjtNum least = INFINITY, w[3], at[3], point[3], n[3];
  for (int i = 1; i < 1 << a.n; i++) {
    for (int j = 1; j < 1 << b.n; j++) {
      if (between(w, at, &a, i, &b, j) && mju_norm3(w) < least) {
        least = mju_norm3(w);
        mju_copy3(n, w);
        mju_copy3(point, at);
      }
    }
  }
  mju_scl3(n, n, 1 / least);
  if (mju_dot3(n, con->frame) < 0.9) {
    return 0;
  }
  con->dist = least - a.radius - b.radius;
  mju_addScl3(con->pos, point, n, a.radius + con->dist / 2);
  mju_copy3(con->frame, n);
  mju_zero3(con->frame + 3);
  contact_frame(con->frame);
  return con->dist < 0;
}

// All cones and dimensions.
static void choose_options(mjModel* m, int i) {
  static const int dims[] = {1, 3, 4, 6};
  m->opt.cone = i % 2;
  for (int k = 0; k < m->nflex; k++) {
    m->flex_condim[k] = dims[i / 2 % 4];
  }
}

static void compare(const char* label, const Flex* flex, const Flex* other, const char* geom,
                    mjtNum depth, int is_refined) {
  enum {
    STATES = 12
  };
  mjModel* m = make_model(flex, other, geom);
  Scene scene = {m, mju_malloc(m->nq * sizeof(mjtNum)), 0};
  scene.is_free = m->jnt_type[m->njnt - 1] == mjJNT_FREE;
  Partials p = {.m = m, .d = mj_makeData(m), .work = mj_makeData(m)};
  p.refine = is_refined ? refine : NULL;
  int compared = 0;
  for (int i = 0; i < STATES; i++) {
    choose_options(m, i);
    place(&scene, p.d, depth);
    partials_state(&p);
    if (scene.is_free && !is_refined) {
      compared += compare_gradients(label, &p);
    }
  }
  partials_assert(&p, label, 1e-6);
  assert_that(p.compared, >, STATES * m->nv);  // of three times as many
  assert_true(compared >= STATES * 5 || !scene.is_free || is_refined);
  mju_free(scene.start);
  mj_deleteData(p.d);
  mj_deleteData(p.work);
  test_release(m);
}

TEST(formulas_agree_with_differences) {
  DOUBLE_ONLY();
  const Flex segment = {1, (mjtNum)0.02}, sheet = {2, (mjtNum)0.02};
  compare("segment, sphere", &segment, NULL, "size='.1' pos='.02 .01 -.03'", (mjtNum)0.02, 0);
  compare("segment, capsule", &segment, NULL, "type='capsule' size='.07 .15' pos='.02 .01 -.03'",
          (mjtNum)0.02, 0);
  compare("segment, box", &segment, NULL, "type='box' size='.1 .13 .17' pos='.02 .01 -.03'",
          (mjtNum)0.02, 0);
  compare("segment, plane", &segment, NULL, "type='plane' size='3 3 .1'", (mjtNum)0.02, 0);
  compare("sheet, sphere", &sheet, NULL, "size='.1' pos='.02 .01 -.03'", (mjtNum)0.02, 0);
  compare("sheet, plane", &sheet, NULL, "type='plane' size='3 3 .1'", (mjtNum)0.02, 0);
  compare("segments", &segment, &segment, NULL, (mjtNum)0.02, 0);
}

TEST(polytopes_agree_with_differences) {
  DOUBLE_ONLY();
  for (int dim = 1; dim <= 3; dim++) {
    const Flex flex = {dim, 0};
    if (dim > 1) {
      compare("box", &flex, NULL, "type='box' size='.1 .13 .17' pos='.02 .01 -.03'", (mjtNum)0.02,
              0);
    }
    compare("rock", &flex, NULL, "type='mesh' mesh='rock' pos='.02 .01 -.03'", (mjtNum)0.02, 0);
    for (int other = 2; other <= 3; other++) {
      const Flex second = {other, 0};
      compare("elements", &flex, &second, NULL, (mjtNum)0.02, 0);
    }
  }
}

// Inflated ones are searched as well, but their closest points are those of their cores.
TEST(inflated_elements_agree_with_differences) {
  DOUBLE_ONLY();
  mjtNum r = (mjtNum)0.016, depth = (mjtNum)0.012;
  for (int dim = 1; dim <= 3; dim++) {
    const Flex flex = {dim, r}, solid = {3, r};
    for (int other = 2; other <= 3; other++) {
      const Flex second = {other, r};
      compare("elements", &flex, &second, NULL, depth, 1);
    }
    if (dim > 1) {
      compare("capsule", &flex, NULL, "type='capsule' size='.07 .15' pos='.02 .01 -.03'", depth, 1);
    }
    compare("sphere", &solid, NULL, "size='.1' pos='.02 .01 -.03'", depth, 1);
  }
}

TEST(boxes_of_nodes_agree_with_differences) {
  DOUBLE_ONLY();
  const Flex box = {0, 0}, solid = {3, 0};
  compare("nodes, plane", &box, NULL, "type='plane' size='3 3 .1'", (mjtNum)0.02, 0);
  compare("nodes, box", &box, NULL, "type='box' size='.1 .13 .17' pos='.02 .01 -.03'", (mjtNum)0.02,
          0);
  compare("nodes, solid", &box, &solid, NULL, (mjtNum)0.02, 0);
}

// A solid that is nearly flat, whose corners touch the faces opposite, and a sheet whose vertices
// touch the neighbours of their elements.
TEST(contacts_with_itself_agree_with_differences) {
  DOUBLE_ONLY();
  static const char* const shape[] = {
      "dim='3' point='0 0 0 .3 0 0 0 .3 0 .1 .1 .035' element='0 1 2 3'",
      "dim='2' point='0 0 0 .3 0 0 0 .3 0 .15 .12 .035' element='0 1 2 1 3 2'",
  };
  for (int i = 0; i < 2; i++) {
    char xml[1000];
    snprintf(
        xml, sizeof(xml),
        "<mujoco><option cone='elliptic'/><worldbody><flexcomp name='a' type='direct' mass='1' "
        "radius='.02' %s><contact internal='true' selfcollide='none' friction='.8 .02 "
        ".01'/></flexcomp></worldbody></mujoco>",
        shape[i]);
    mjModel* m = test_model(xml);
    Partials p = {.m = m, .d = mj_makeData(m), .work = mj_makeData(m)};
    for (int k = 0; k < 8; k++) {
      choose_options(m, k);
      mj_resetData(m, p.d);
      partials_scatter(m, p.d, 0.002, 0.5);
      partials_state(&p);
      assert_that(p.d->ncon, >, 0);
    }
    partials_assert(&p, shape[i], 1e-6);
    assert_that(p.compared, >, 8 * m->nv);
    mj_deleteData(p.d);
    mj_deleteData(p.work);
    test_release(m);
  }
}

// A corner in the middle of a face tells where two parallel sides touch, and that is counted.
TEST(parallel_faces_are_kinks) {
  mjModel* m = test_model(
      "<mujoco><worldbody><geom type='box' size='1 1 .1'/><flexcomp name='a' type='direct' dim='2' "
      "mass='1' radius='.02' point='0 0 .11 .3 0 .11 0 .3 .11' element='0 1 "
      "2'/></worldbody></mujoco>");
  mjData* d = test_data(m);
  int n = 2 * m->nv;
  mjtNum* A = mju_malloc(n * n * sizeof(mjtNum));
  assert_that(cnd_transitionExact(m, d, A, NULL, NULL, NULL), >, 0);
  assert_that(d->ncon, >, 0);
  m->opt.disableflags |= mjDSBL_NATIVECCD;
  assert_error(cnd_transitionExact(m, d, A, NULL, NULL, NULL),
               "\"a\" (flex): with the flag nativeccd");
  mju_free(A);
}

TEST(fields_agree_with_differences) {
  DOUBLE_ONLY();
  const Flex solid = {3, 0}, sheet = {2, 0};
  compare("solid, field", &solid, NULL, "type='hfield' hfield='hills'", (mjtNum)0.02, 0);
  compare("sheet, field", &sheet, NULL, "type='hfield' hfield='hills'", (mjtNum)0.02, 0);
}
