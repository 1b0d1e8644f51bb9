// Derivatives of the forces of contacts of every pair of shapes against differences, in random
// poses that overlap. Contacts of curved shapes are as good as a search is; here they are made
// exact first, by the support functions alone, so that differences have something to tell.

#include "collision/contact_param.h"
#include "derivative/partials.h"

// shapes

static const char* const kShape[] = {
    [mjGEOM_PLANE] = "type='plane' size='3 3 .1'",
    [mjGEOM_HFIELD] = "type='hfield' hfield='hills'",
    [mjGEOM_SPHERE] = "type='sphere' size='.1'",
    [mjGEOM_CAPSULE] = "type='capsule' size='.07 .15'",
    [mjGEOM_ELLIPSOID] = "type='ellipsoid' size='.1 .15 .2'",
    [mjGEOM_CYLINDER] = "type='cylinder' size='.1 .12'",
    [mjGEOM_BOX] = "type='box' size='.1 .13 .17'",
    [mjGEOM_MESH] = "type='mesh' mesh='rock'",
};

static const char kAsset[] =
    "<option cone='elliptic' ccd_tolerance='1e-12' ccd_iterations='200'/><asset>"
    "<hfield name='hills' nrow='4' ncol='4' size='.6 .6 .3 .2' elevation='.1 .7 .3 .5 .9 .2 .6 .4 "
    ".3 .8 .1 .6 .5 .2 .7 .3'/><mesh name='rock' vertex='.1 .02 .01 -.12 .03 0 .01 .13 -.02 0 -.1 "
    ".03 .02 -.01 .14 .01 .02 -.1 .07 .08 .05 -.07 .06 .08 .05 -.07 .09 -.06 -.05 -.07 .08 .05 "
    "-.06 "
    "-.05 .08 -.07'/></asset>";

static mjModel* make_pair(int type1, int type2) {
  char xml[2000];
  int still = type1 == mjGEOM_PLANE || type1 == mjGEOM_HFIELD;
  snprintf(xml, sizeof(xml),
           "<mujoco>%s<worldbody>%s<geom %s condim='4' density='700'/>%s<body><freejoint/><geom %s "
           "friction='.8 .02 .01'/></body></worldbody></mujoco>",
           kAsset, still ? "" : "<body><freejoint/>", kShape[type1], still ? "" : "</body>",
           kShape[type2]);
  return test_model(xml);
}

static void random_unit(mjtNum* out, int n) {
  for (int i = 0; i < n; i++) {
    out[i] = (mjtNum)partials_random();
  }
  mju_normalize(out, n);
}

static int touches(const mjModel* m, mjData* d, const mjtNum dir[3], mjtNum distance) {
  mjtNum* pos = d->qpos + m->nq - 7;
  mju_scl3(pos, dir, distance);
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_collision(m, d);
  return d->ncon > 0;
}

// Random orientations, the last body in a random direction, so near that it overlaps by up to that
// depth.
static void place_pair(const mjModel* m, mjData* d, mjtNum depth) {
  mjtNum dir[3], low = 0, high = 2;
  mj_resetData(m, d);
  for (int i = 0; i < m->nq; i += 7) {
    random_unit(d->qpos + i + 3, 4);
  }
  random_unit(dir, 3);
  if (m->nq == 7) {
    dir[2] = mju_abs(dir[2]) + 1;
    mju_normalize3(dir);
  }
  for (int i = 0; i < 40; i++) {
    mjtNum middle = (low + high) / 2;
    *(touches(m, d, dir, middle) ? &low : &high) = middle;
  }
  mjtNum share = (mjtNum)(1.1 + partials_random()) / 2;
  touches(m, d, dir, num_max(low - depth * share, low / 10));
  for (int i = 0; i < m->nv; i++) {
    d->qvel[i] = (mjtNum)(0.5 * partials_random());
  }
}

// exact contacts of curved shapes

static void support_of(mjtNum out[3], const mjModel* m, const mjData* d, int geom,
                       const mjtNum n[3]) {
  const mjtNum *size = m->geom_size + 3 * geom, *mat = d->geom_xmat + 9 * geom;
  mjtNum l[3], x[3], scale;
  mju_mulMatTVec3(l, mat, n);
  mju_zero3(x);
  switch (m->geom_type[geom]) {
    case mjGEOM_SPHERE:
      mju_scl3(x, l, size[0]);
      break;
    case mjGEOM_CAPSULE:
      mju_scl3(x, l, size[0]);
      x[2] += l[2] > 0 ? size[1] : -size[1];
      break;
    case mjGEOM_ELLIPSOID:
      for (int i = 0; i < 3; i++) {
        x[i] = size[i] * l[i];
      }
      scale = mju_norm3(x);
      for (int i = 0; i < 3; i++) {
        x[i] *= size[i] / scale;
      }
      break;
    case mjGEOM_CYLINDER:
      scale = mju_max(mju_sqrt(l[0] * l[0] + l[1] * l[1]), mjMINVAL);
      x[0] = size[0] * l[0] / scale;
      x[1] = size[0] * l[1] / scale;
      x[2] = l[2] > 0 ? size[1] : -size[1];
      break;
    case mjGEOM_BOX:
      for (int i = 0; i < 3; i++) {
        x[i] = l[i] > 0 ? size[i] : -size[i];
      }
      break;
    default: {
      int mesh = m->geom_dataid[geom];
      mjtNum top = -1e10;
      for (int i = 0; i < m->mesh_vertnum[mesh]; i++) {
        const float* v = m->mesh_vert + 3 * (m->mesh_vertadr[mesh] + i);
        mjtNum at[3] = {v[0], v[1], v[2]};
        if (mju_dot3(at, l) > top) {
          top = mju_dot3(at, l);
          mju_copy3(x, at);
        }
      }
    }
  }
  mju_mulMatVec3(out, mat, x);
  mju_addTo3(out, d->geom_xpos + 3 * geom);
}

// What of a shape is furthest along a normal, by how its support point jumps as the normal turns a
// little: a point (which may move smoothly), an edge along dir[0], or a face.
typedef struct Feature_ {
  int geom, num;
  mjtNum dir[2][3];
} Feature;

static Feature find_feature(const mjModel* m, const mjData* d, int geom, const mjtNum n[3],
                            const mjtNum frame[9]) {
  Feature f = {.geom = geom, .num = 0};
  for (int i = 0; i < 4 && f.num < 2; i++) {
    mjtNum turned[2][3], x[2][3], jump[3], cross[3];
    for (int side = 0; side < 2; side++) {
      mju_addScl3(turned[side], n, frame + 3, (side ? -1 : 1) * 1e-4 * cos(i * 0.8));
      mju_addToScl3(turned[side], frame + 6, (side ? -1 : 1) * 1e-4 * sin(i * 0.8));
      mju_normalize3(turned[side]);
      support_of(x[side], m, d, geom, turned[side]);
    }
    mju_sub3(jump, x[0], x[1]);
    if (mju_normalize3(jump) < 0.01) {
      continue;
    }
    mju_cross(cross, jump, f.dir[0]);
    if (f.num == 0 || mju_norm3(cross) > 0.01) {
      mju_copy3(f.dir[f.num++], jump);
    }
  }
  // round about an axis, the jump is not quite along the side or the cap
  if (m->geom_type[geom] == mjGEOM_CAPSULE || m->geom_type[geom] == mjGEOM_CYLINDER) {
    const mjtNum* mat = d->geom_xmat + 9 * geom;
    for (int k = 0; k < f.num; k++) {
      int column = f.num == 1 ? 2 : k;
      const mjtNum axis[3] = {mat[column], mat[3 + column], mat[6 + column]};
      mju_copy3(f.dir[k], axis);
    }
  }
  return f;
}

// What is between two features along the directions across n, but for what slips along them.
typedef struct Gap_ {
  const mjModel* m;
  const mjData* d;
  Feature f[2];
  mjtNum n[3], t[2][3], p[2][3];
} Gap;

static void gap_at(mjtNum out[2], Gap* g, const mjtNum n[3]) {
  mjtNum w[3], side[3];
  mju_copy3(g->n, n);
  mju_normalize3(g->n);
  for (int i = 0; i < 2; i++) {
    mju_scl3(side, g->n, i ? -1 : 1);
    support_of(g->p[i], g->m, g->d, g->f[i].geom, side);
  }
  mju_sub3(w, g->p[1], g->p[0]);
  mju_addToScl3(w, g->n, -mju_dot3(w, g->n));
  out[0] = mju_dot3(w, g->t[0]);
  out[1] = mju_dot3(w, g->t[1]);
}

// Newton's method in one (across an edge) or two unknowns.
static int find_normal(Gap* g, int nfree) {
  mjtNum r[2], plus[2], minus[2], J[4] = {1, 0, 0, 1}, n[3], h = (mjtNum)1e-5;
  for (int k = 0; k < 40; k++) {
    mjtNum from[3];
    mju_copy3(from, g->n);
    gap_at(r, g, from);
    mjtNum left = mju_abs(r[0]) + (nfree == 2 ? mju_abs(r[1]) : 0);
    if (left < 1e-14 || k == 39) {
      return left < 1e-12;
    }
    for (int i = 0; i < nfree; i++) {
      mju_addScl3(n, from, g->t[i], h);
      gap_at(plus, g, n);
      mju_addScl3(n, from, g->t[i], -h);
      gap_at(minus, g, n);
      J[i] = (plus[0] - minus[0]) / (2 * h);
      J[2 + i] = (plus[1] - minus[1]) / (2 * h);
    }
    if (nfree == 1) {
      J[2] = 0;
      r[1] = 0;
    }
    mjtNum det = J[0] * J[3] - J[1] * J[2];
    mjtNum a = -(J[3] * r[0] - J[1] * r[1]) / det, b = -(J[0] * r[1] - J[2] * r[0]) / det;
    if (!(mju_abs(a) + mju_abs(b) < 0.3)) {
      return 0;
    }
    mju_addScl3(n, from, g->t[0], a);
    mju_addToScl3(n, g->t[1], b);
    mju_normalize3(n);
    mju_copy3(g->n, n);
    // stay across: t0 = n x edge, or any two
    mju_addToScl3(g->t[0], n, -mju_dot3(g->t[0], n));
    mju_normalize3(g->t[0]);
    if (nfree == 2) {
      mju_cross(g->t[1], n, g->t[0]);
    }
  }
  return 0;
}

// The normal that features leave, and the directions in which it may still turn; returns how many.
static int free_directions(Gap* g, const mjContact* con) {
  const Feature* f = g->f;
  mjtNum normal[3], edge[3];
  mju_copy3(g->n, con->frame);
  mju_copy3(g->t[0], con->frame + 3);
  mju_copy3(g->t[1], con->frame + 6);
  if (f[0].num + f[1].num == 0) {
    return 2;
  }
  if (f[0].num + f[1].num == 1) {
    mju_copy3(edge, f[0].num ? f[0].dir[0] : f[1].dir[0]);
    mju_addToScl3(g->n, edge, -mju_dot3(g->n, edge));
    mju_normalize3(g->n);
    mju_copy3(g->t[1], edge);
    mju_cross(g->t[0], edge, g->n);
    return 1;
  }
  if (f[0].num == 1) {
    mju_cross(normal, f[0].dir[0], f[1].dir[0]);
  } else {
    const Feature* face = f[0].num == 2 ? f : f + 1;
    mju_cross(normal, face->dir[0], face->dir[1]);
  }
  mju_normalize3(normal);
  mju_scl3(g->n, normal, mju_dot3(normal, con->frame) > 0 ? 1 : -1);
  return 0;
}

// Slips along the features until the points are opposite.
static void slip(Gap* g) {
  mjtNum w[3], across[3];
  const Feature* f = g->f;
  mju_sub3(w, g->p[1], g->p[0]);
  mju_addToScl3(w, g->n, -mju_dot3(w, g->n));
  if (f[0].num == 2 || f[1].num == 2) {
    mju_addToScl3(g->p[f[1].num == 2], w, f[1].num == 2 ? -1 : 1);
  } else if (f[0].num && f[1].num) {
    // w + b e_2 - a e_1 = 0
    mju_cross(across, g->n, f[1].dir[0]);
    mju_addToScl3(g->p[0], f[0].dir[0], mju_dot3(w, across) / mju_dot3(f[0].dir[0], across));
    mju_cross(across, g->n, f[0].dir[0]);
    mju_addToScl3(g->p[1], f[1].dir[0], -mju_dot3(w, across) / mju_dot3(f[1].dir[0], across));
  } else if (f[0].num) {
    mju_addToScl3(g->p[0], f[0].dir[0], mju_dot3(w, f[0].dir[0]));
  } else if (f[1].num) {
    mju_addToScl3(g->p[1], f[1].dir[0], -mju_dot3(w, f[1].dir[0]));
  }
}

// The contact at the points of both shapes that are opposite along their common normal. 0 if that
// isn't found, as where two faces touch.
static int refine_contact(const mjModel* m, const mjData* d, mjContact* con) {
  Gap g = {.m = m, .d = d};
  mjtNum back[3], w[3], r[2], n[3];
  mju_scl3(back, con->frame, -1);
  g.f[0] = find_feature(m, d, con->geom[0], con->frame, con->frame);
  g.f[1] = find_feature(m, d, con->geom[1], back, con->frame);
  int nfree = g.f[0].num + g.f[1].num > 2 ? -1 : free_directions(&g, con);
  if (nfree < 0 || (nfree > 0 && !find_normal(&g, nfree))) {
    return 0;
  }
  mju_copy3(n, g.n);
  gap_at(r, &g, n);
  slip(&g);
  mju_sub3(w, g.p[1], g.p[0]);
  con->dist = mju_dot3(w, g.n);
  mju_copy3(con->frame, g.n);
  mju_zero3(con->frame + 3);
  contact_frame(con->frame);
  mju_add3(con->pos, g.p[0], g.p[1]);
  mju_scl3(con->pos, con->pos, (mjtNum)0.5);
  return 1;
}

static int refine(const mjModel* m, mjData* d) {
  for (int i = 0; i < d->ncon; i++) {
    if (!refine_contact(m, d, d->contact + i)) {
      return 0;
    }
  }
  return 1;
}

// tests

static int is_curved(int type) {
  return type == mjGEOM_ELLIPSOID || type == mjGEOM_CYLINDER;
}

static void compare_pair(int type1, int type2, mjtNum depth, int nstate, double tolerance) {
  mjModel* m = make_pair(type1, type2);
  Partials p = {.m = m, .d = mj_makeData(m), .work = mj_makeData(m)};
  partials_seed = (unsigned)(100 * type1 + type2);
  int is_exact = mjCOLLISIONFUNC[type1][type2] != mjCOLLISIONFUNC[mjGEOM_MESH][mjGEOM_MESH] ||
                 (!is_curved(type1) && !is_curved(type2));
  p.refine = is_exact ? NULL : refine;
  for (int s = 0; s < nstate; s++) {
    m->opt.cone = s % 2;
    place_pair(m, p.d, depth);
    partials_state(&p);
  }
  char label[50];
  snprintf(label, sizeof(label), "types %d and %d, depth %g", type1, type2, (double)depth);
  partials_assert(&p, label, tolerance);
  assert_that(p.compared, >, nstate * m->nv);  // of three times as many
  mj_deleteData(p.d);
  mj_deleteData(p.work);
  test_release(m);
}

TEST(pairs_agree_with_differences) {
  DOUBLE_ONLY();
  for (int type1 = mjGEOM_PLANE; type1 <= mjGEOM_MESH; type1++) {
    for (int type2 = int_max(type1, mjGEOM_SPHERE); type2 <= mjGEOM_MESH; type2++) {
      if (type1 != mjGEOM_HFIELD) {
        compare_pair(type1, type2, (mjtNum)0.03, 8, 1e-6);
      }
    }
  }
}

// As far as a search with the usual tolerance is right, so is the derivative: it does not take one
// feature for another.
static void compare_tolerances(int type1, int type2) {
  mjModel* m = make_pair(type1, type2);
  mjData* d = test_data(m);
  int n = m->nv * m->nv, compared = 0;
  mjtNum *A = mju_malloc((6 * n + m->nv) * sizeof(mjtNum)), *B = A + 3 * n, *x = B + 3 * n;
  partials_seed = (unsigned)(10 * type1 + type2);
  m->opt.ccd_tolerance = (mjtNum)1e-6;
  for (int s = 0; s < 12; s++) {
    place_pair(m, d, (mjtNum)0.01);
    mj_forward(m, d);
    mju_scl(x, d->qacc, (mjtNum)0.3, m->nv);  // well inside of the zone
    mju_zero(A, 6 * n);
    constraint_partials(m, d, x, NULL, A, A + n, A + 2 * n);
    // seldom a search ends somewhere else
    mjtNum before = d->contact->dist;
    if (!refine(m, d) || mju_abs(d->contact->dist - before) > 1e-4) {
      continue;
    }
    mj_makeConstraint(m, d);
    mj_referenceConstraint(m, d);
    constraint_partials(m, d, x, NULL, B, B + n, B + 2 * n);
    char label[50];
    snprintf(label, sizeof(label), "types %d and %d, state %d", type1, type2, s);
    if (numbers_differ(label, A, B, n, 0.1, 1e-9)) {
      fail();
    }
    compared++;
  }
  assert_that(compared, >, 3);
  mju_free(A);
  test_release(m);
}

TEST(usual_tolerances_tell_features) {
  DOUBLE_ONLY();
  for (int type1 = mjGEOM_SPHERE; type1 <= mjGEOM_MESH; type1++) {
    for (int type2 = type1; type2 <= mjGEOM_MESH; type2++) {
      int searched = mjCOLLISIONFUNC[type1][type2] == mjCOLLISIONFUNC[mjGEOM_MESH][mjGEOM_MESH];
      if (searched && (is_curved(type1) || is_curved(type2))) {
        compare_tolerances(type1, type2);
      }
    }
  }
}

// A height field's prisms with rounded shapes, whose contacts are the closest points, and with
// polytopes.
TEST(fields_agree_with_differences) {
  DOUBLE_ONLY();
  compare_pair(mjGEOM_HFIELD, mjGEOM_SPHERE, (mjtNum)0.03, 12, 1e-6);
  compare_pair(mjGEOM_HFIELD, mjGEOM_CAPSULE, (mjtNum)0.03, 12, 1e-6);
  compare_pair(mjGEOM_HFIELD, mjGEOM_BOX, (mjtNum)0.03, 12, 1e-6);
  compare_pair(mjGEOM_HFIELD, mjGEOM_MESH, (mjtNum)0.03, 12, 1e-6);
}

// Manifolds with all kinds of points, axes through boxes.
TEST(deep_boxes_agree_with_differences) {
  DOUBLE_ONLY();
  compare_pair(mjGEOM_BOX, mjGEOM_BOX, (mjtNum)0.15, 40, 1e-6);
  compare_pair(mjGEOM_CAPSULE, mjGEOM_BOX, (mjtNum)0.15, 40, 1e-6);
  compare_pair(mjGEOM_PLANE, mjGEOM_CYLINDER, (mjtNum)0.15, 12, 1e-6);
}

// Prisms on cubes and boxes, flat but for less than what counts as parallel: faces on faces, an
// edge on a face.
static void compare_flat(int enableflags, double tilt) {
  mjModel* m = test_model(
      "<mujoco><option ccd_tolerance='1e-12'/><asset><mesh "
      "name='cube' vertex='.1 .1 .1 .1 .1 -.1 .1 -.1 .1 .1 -.1 -.1 -.1 .1 .1 -.1 .1 -.1 -.1 -.1 .1 "
      "-.1 -.1 -.1'/><mesh name='hex' vertex='.1 0 .1 .05 .08 .1 -.05 .09 .1 -.1 .01 .1 -.05 -.08 "
      ".1 .06 -.07 .1 .1 0 -.1 .05 .08 -.1 -.05 .09 -.1 -.1 .01 -.1 -.05 -.08 -.1 .06 -.07 "
      "-.1'/></asset><worldbody><body><freejoint/><geom type='mesh' mesh='cube'/></body>"
      "<body pos='.05 .03 .19'><freejoint/><geom type='mesh' mesh='hex'/></body>"
      "<body pos='1 1 1'><freejoint/><geom type='box' size='.2 .2 .2'/></body>"
      "<body pos='1.05 1.03 1.2902'><freejoint/><geom type='mesh' mesh='hex' euler='0 0 "
      "20'/></body>"
      "<body pos='3 1 1'><freejoint/><geom type='box' size='.2 .2 .2'/></body>"
      "<body pos='3.25 1.05 1.1'><freejoint/><geom type='mesh' mesh='hex' euler='0 0 20'/></body>"
      "<body pos='5 1 1'><freejoint/><geom type='box' size='.2 .2 .2'/></body>"
      "<body pos='5.15 1.05 1.318'><freejoint/><geom type='mesh' mesh='cube' euler='45 0 "
      "0'/></body>"
      "</worldbody></mujoco>");
  m->opt.enableflags |= enableflags;
  Partials p = {.m = m, .d = mj_makeData(m), .work = mj_makeData(m)};
  for (int s = 0; s < 4; s++) {
    mj_resetData(m, p.d);
    partials_scatter(m, p.d, tilt, 0.2);
    partials_state(&p);
    assert_that(p.d->ncon, >=, (enableflags ? 10 : 4));
  }
  partials_assert(&p, "flat", 1e-6);
  mj_deleteData(p.d);
  mj_deleteData(p.work);
  test_release(m);
}

// The same without more contacts: where the search ends at a face, the triangle that it ends at is
// at a kink.
TEST(flat_faces_agree_with_differences) {
  DOUBLE_ONLY();
  compare_flat(0, 2e-4);
}

TEST(manifolds_agree_with_differences) {
  DOUBLE_ONLY();
  compare_flat(mjENBL_MULTICCD, 4e-4);
}
