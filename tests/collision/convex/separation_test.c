// Stored directions along which pairs were separated, and polytopes in which depths were found:
// none changes a result, and most of them replace a search. CONDYLE_APART: how many rounds are
// tried.

#include "collision/convex/separation.h"

#include "base/algebra/simd.h"
#include "collision/convex/level.h"
#include "collision/mesh_scene.h"
#include "model/data/apart.h"
#include "support/load.h"
#include "support/precision.h"
#include "support/text.h"

// What happens to the directions before a step.
enum {
  KEPT,
  CLEARED,
  POISONED,
  FATES
};

// Random directions for all pairs, of which some are no directions and some belong to other pairs.
static void poison(mjData* d, int ngeom, uint64_t* seed) {
  for (int g2 = 1; g2 < ngeom; g2++) {
    for (int g1 = 0; g1 < g2; g1++) {
      Apart* slot = apart_slot(d, g1, g2);
      int turned = case_int(seed, 2), kind = case_int(seed, 12);
      slot->geom[turned] = (kind == 0 ? g2 : g1) + 1;
      slot->geom[!turned] = g2 + 1;
      double length = 0, way[3];
      for (int k = 0; k < 3; k++) {
        way[k] = case_real(seed, -1, 1);
        length += way[k] * way[k];
      }
      for (int k = 0; k < 3; k++) {
        slot->way[k] = (float)(kind == 1 ? 1e30 * way[k] : way[k] / sqrt(length));
      }
      if (kind == 2) {
        slot->way[case_int(seed, 3)] = case_int(seed, 2) ? NAN : INFINITY;
      } else if (kind == 3) {
        slot->way[0] = slot->way[1] = slot->way[2] = 0;
      } else if (kind < 8) {
        memset(slot->way, 0, sizeof(slot->way));
        slot->way[case_int(seed, 3)] = case_int(seed, 2) ? 1 : -1;
      }
      for (int k = 0; k < 2; k++) {
        static const int vertex[] = {0, 3, 40, -1, INT32_MAX, INT32_MIN};
        slot->vertex[k] = vertex[case_int(seed, 6)];
      }
    }
  }
}

// The polytopes of other pairs, which are closed surfaces, too.
static void swap_touches(mjData* d, int ngeom, uint64_t* seed) {
  for (int n = 0; n < ngeom; n++) {
    int g1 = case_int(seed, ngeom), g2 = case_int(seed, ngeom), g3 = case_int(seed, ngeom);
    if (g1 == g2 || g2 == g3) {
      continue;
    }
    Touch *slot = touch_slot(d, g1, g2), *other = touch_slot(d, g2, g3);
    if (slot && slot != other) {
      *slot = *other;
      slot->geom[0] = (g1 < g2 ? g1 : g2) + 1;
      slot->geom[1] = (g1 < g2 ? g2 : g1) + 1;
    }
  }
}

static void befall(mjData* d, int ngeom, int fate, uint64_t* seed) {
  if (fate == POISONED) {
    poison(d, ngeom, seed);
    swap_touches(d, ngeom, seed);
  } else if (fate == CLEARED) {
    apart_clear(d);
  }
}

// A small motion of one geom, or a jump to where it touches the other or nearly so.
static void move(mjData* d, int g, uint64_t* seed, double by) {
  mjtNum turn[9], mat[9];
  scene_turn(turn, seed, case_int(seed, 3));
  for (int k = 0; k < 9; k++) {
    turn[k] = (mjtNum)by * turn[k] + (k % 4 == 0 ? 1 - (mjtNum)by : 0);
  }
  mjtNum q[4];
  mju_mat2Quat(q, turn);
  q_tomat(turn, q);
  m3_mul(mat, d->geom_xmat + 9 * g, turn);
  m3_copy(d->geom_xmat + 9 * g, mat);
  for (int k = 0; k < 3; k++) {
    d->geom_xpos[3 * g + k] += (mjtNum)case_real(seed, -by, by);
  }
}

// How often something kept has been there.
typedef struct Kept {
  int proofs, contacts, polytopes, trails;
} Kept;

static void count_kept(Kept* kept, const mjData* d, int g1, int g2) {
  const int geom[2] = {g1, g2};
  const Touch* touch = touch_slot(d, g1, g2);
  kept->polytopes += touch->nface > 0;
  kept->trails += touch->is_tied && touch_is_of(touch, geom);
}

// All pairs of shapes in sequences of small motions and of rest, with three fates each.
static void compare_pairs(int multiccd, mjtNum margin, Kept* kept) {
  mjModel* m = test_model(scene_text(multiccd));
  mjData* d[FATES];
  for (int f = 0; f < FATES; f++) {
    d[f] = test_data(m);
    mj_kinematics(m, d[f]);
  }
  uint64_t seed = 99, fates = 5;
  long rounds = test_setting("CONDYLE_APART", 1);
  for (long n = 0; n < rounds * SCENE_PLACES * SCENE_GEOMS * (SCENE_GEOMS + 1); n++) {
    int g1 = (int)(n / SCENE_PLACES % SCENE_GEOMS);
    int g2 = (int)(n / SCENE_PLACES / SCENE_GEOMS % (SCENE_GEOMS + 1));
    mjfCollision collide = mjCOLLISIONFUNC[m->geom_type[g1]][m->geom_type[g2]];
    if (g1 == g2 || !collide) {
      continue;
    }
    scene_place(d[KEPT], g1, g2, &seed, (int)(n % SCENE_PLACES), 0.6);
    for (int i = 0; i < 7; i++) {
      mjContact con[FATES][mjMAXCONPAIR];
      int num[FATES];
      memset(con, 0, sizeof(con));
      for (int f = 0; f < FATES; f++) {
        mju_copy(d[f]->geom_xpos, d[KEPT]->geom_xpos, 3 * m->ngeom);
        mju_copy(d[f]->geom_xmat, d[KEPT]->geom_xmat, 9 * m->ngeom);
        befall(d[f], (int)m->ngeom, f, &fates);
        apart_slot(d[f], g1, g2)->idle = 0;  // else few are tried where many touch
        kept->proofs +=
            f == KEPT && is_still_apart(apart_slot(d[f], g1, g2), m, d[f], g1, g2, margin);
        num[f] = collide(m, d[f], con[f], g1, g2, margin);
        assert_int_equal(num[f], num[KEPT]);
        assert_memory_equal(con[f], con[KEPT], sizeof(con[f]));
      }
      kept->contacts += num[KEPT];
      count_kept(kept, d[KEPT], g1, g2);
      if (i % 2) {
        move(d[KEPT], g2, &seed, i == 3 ? 0.1 : 0.01);
      }
    }
  }
}

TEST(directions_change_no_contact_of_a_pair) {
  Kept kept = {0};
  compare_pairs(0, 0, &kept);
  compare_pairs(1, 0, &kept);
  compare_pairs(1, (mjtNum)0.03, &kept);
  assert_that(kept.proofs, >, 1000);
  assert_that(kept.contacts, >, 1000);
  DOUBLE_ONLY();
  assert_that(kept.polytopes, >, 100);
  assert_that(kept.trails, >, 100);
}

// A hull of n points: of a ball, of a grid, of a rounded box with short edges, in which searches
// may end beside the highest vertex.
static void add_hull(Text* t, const char* name, int n, uint64_t* seed) {
  int kind = case_int(seed, 3);
  text_add(t, "<mesh name='%s' inertia='shell' vertex='0 0 .1 .1 0 0 0 .1 0 -.06 -.05 -.07", name);
  for (int i = 0; i < n; i++) {
    double p[3], norm = 0;
    for (int k = 0; k < 3; k++) {
      p[k] = case_real(seed, -1, 1);
      p[k] = kind == 1 ? floor(3 * p[k]) / 3 : p[k];
      norm += p[k] * p[k];
    }
    for (int k = 0; k < 3; k++) {
      p[k] /= kind == 1 ? 1 : sqrt(norm);
      text_add(t, " %.9g", kind == 2 ? 0.1 * (p[k] > 0 ? 1 : -1) + 1e-4 * p[k] : 0.12 * p[k]);
    }
  }
  text_add(t, "'/>");
}

// A box with hulls and primitives of all kinds in it, which are thrown about.
static mjModel* heap(uint64_t* seed, const char* option) {
  Text t = {0};
  text_add(&t, "<mujoco>%s<default><geom friction='.3' %s/></default><asset>", option,
           case_int(seed, 2) ? "margin='.02' gap='.01'" : "");
  static const int sizes[] = {6, 20, 60, 200, 700};
  for (int i = 0; i < 8; i++) {
    char name[8];
    snprintf(name, sizeof(name), "h%d", i);
    add_hull(&t, name, sizes[case_int(seed, 5)], seed);
  }
  text_add(&t, "</asset><worldbody><geom type='plane' size='1 1 1'/>");
  for (int i = 0; i < 4; i++) {
    text_add(&t, "<geom type='box' size='.02 .5 .3' pos='%g %g .3' euler='0 0 %d'/>",
             i % 2   ? 0
             : i - 1 ? 0.5
                     : -0.5,
             i % 2 ? (i - 2) * 0.5 : 0, 90 * i);
  }
  static const char* const solid[] = {"sphere", "capsule", "ellipsoid", "cylinder", "box"};
  for (int i = 0; i < 16; i++) {
    text_add(&t, "<body pos='%g %g %g' euler='%g %g %g'><freejoint/>", 0.25 * (i % 4) - 0.375,
             0.25 * (i / 4 % 4) - 0.375, case_real(seed, 0.15, 0.5), case_real(seed, -180, 180),
             case_real(seed, -180, 180), case_real(seed, -180, 180));
    for (int k = 0; k < 1 + i % 3; k++) {
      if (case_int(seed, 3)) {
        text_add(&t, "<geom type='mesh' mesh='h%d' pos='%g 0 0'/>", case_int(seed, 8), 0.1 * k);
      } else {
        text_add(&t, "<geom type='%s' size='.06 .08 .1' pos='%g 0 0'/>", solid[case_int(seed, 5)],
                 0.1 * k);
      }
    }
    text_add(&t, "</body>");
  }
  text_add(&t, "</worldbody></mujoco>");
  mjModel* m = test_model(t.text);
  free(t.text);
  return m;
}

static const char* const kOptions[] = {
    "<option><flag multiccd='disable'/></option>",
    "<option><flag multiccd='enable'/></option>",
    "<option ccd_tolerance='1e-3' ccd_iterations='12'/>",
    "<option ccd_iterations='3'/>",
    "<option><flag nativeccd='disable'/></option>",
    "<option o_margin='.01'><flag override='enable' midphase='disable'/></option>",
};

// Pushes every body towards the middle, some more than others, so that new pairs meet.
static void push(const mjModel* m, mjData* d, uint64_t* seed) {
  for (int i = 1; i < m->nbody; i++) {
    mjtNum strength = (mjtNum)case_real(seed, 0, 60) * m->body_mass[i];
    v3_scl(d->xfrc_applied + 6 * i, d->xpos + 3 * i, -strength);
  }
}

static void assert_same_contacts(const mjData* a, const mjData* b) {
  assert_int_equal(a->ncon, b->ncon);
  for (int i = 0; i < a->ncon; i++) {
    assert_memory_equal(a->contact + i, b->contact + i, offsetof(mjContact, dim));
    assert_memory_equal(a->contact[i].geom, b->contact[i].geom, sizeof(a->contact[i].geom));
  }
}

// Steps of twins, which differ in what happens to their directions, are the same in all bits of
// state and contacts; so are distances.
TEST_EACH(directions_change_no_step_with, kOptions) {
  uint64_t seed = 7, fates = 11;
  int contacts = 0;
  for (long n = 0; n < test_setting("CONDYLE_APART", 1); n++) {
    mjModel* m = heap(&seed, text);
    mjData* d[FATES];
    for (int f = 0; f < FATES; f++) {
      d[f] = test_data(m);
    }
    for (int i = 0; i < 60; i++) {
      uint64_t push_seed = seed;
      int g1 = case_int(&seed, (int)m->ngeom), g2 = case_int(&seed, (int)m->ngeom);
      mjtNum distance = 0;
      for (int f = 0; f < FATES; f++) {
        uint64_t same = push_seed;
        push(m, d[f], &same);
        if (case_int(&fates, 2)) {
          befall(d[f], (int)m->ngeom, f, &fates);
          apart_slot(d[f], g1, g2)->idle = 0;  // else few are tried where many touch
        }
        mj_step(m, d[f]);
        mjtNum from_to[6], apart = mj_geomDistance(m, d[f], g1, g2, 1, from_to);
        distance = f == KEPT ? apart : distance;
        assert_that(apart, ==, distance);
        assert_same_contacts(d[f], d[KEPT]);
        assert_memory_equal(d[f]->qpos, d[KEPT]->qpos, (size_t)m->nq * sizeof(mjtNum));
        assert_memory_equal(d[f]->qvel, d[KEPT]->qvel, (size_t)m->nv * sizeof(mjtNum));
      }
      contacts += d[KEPT]->ncon;
    }
    test_release(m);
  }
  assert_that(contacts, >, 100);
}

// Heights of vertices are never above the bound by more than the rounding that it is told.
TEST(bounds_hold_for_all_vertices) {
  uint64_t seed = 3;
  int known = 0, tried = 0;
  for (int n = 0; n < 40; n++) {
    Text t = {0};
    text_add(&t, "<mujoco><asset>");
    add_hull(&t, "hull", 5 + case_int(&seed, 400), &seed);
    text_add(&t, "</asset><worldbody><geom type='mesh' mesh='hull'/></worldbody></mujoco>");
    mjModel* m = test_model(t.text);
    free(t.text);
    mjData* d = test_data(m);
    ConvexShape shape;
    mj_kinematics(m, d);
    assert_true(convex_shape(&shape, m, d, 0, 0));
    mjtNum rounding = (mjtNum)2e-6 * m->geom_rbound[0];
    for (int i = 0; i < 300; i++) {
      // along faces, edges and anywhere
      mjtNum l[3], e[3], f[3], top;
      const float* v[3];
      for (int k = 0; k < 3; k++) {
        v[k] = m->mesh_vert + 3 * m->mesh_face[3 * case_int(&seed, (int)m->nmeshface) + k];
        l[k] = (mjtNum)case_real(&seed, -1, 1);
      }
      if (i % 3 == 0) {
        const int* face = m->mesh_face + 3 * case_int(&seed, (int)m->nmeshface);
        for (int k = 0; k < 3; k++) {
          e[k] = m->mesh_vert[3 * face[1] + k] - m->mesh_vert[3 * face[0] + k];
          f[k] = m->mesh_vert[3 * face[2] + k] - m->mesh_vert[3 * face[0] + k];
        }
        v3_cross(l, e, f);
      } else if (i % 3 == 1) {
        for (int k = 0; k < 3; k++) {
          e[k] = v[1][k] - v[0][k];
        }
        v3_copy(f, l);
        v3_cross(l, e, f);
      }
      if (v3_normalize(l) < mjMINVAL) {
        continue;
      }
      int id = mesh_bound(&top, &shape, l, case_int(&seed, shape.nvert), rounding);
      tried++;
      known += id >= 0;
      for (int k = 0; id >= 0 && k < shape.nvert; k++) {
        mjtNum x[3];
        mesh_point(x, &shape, k);
        assert_that(v3_dot(x, l), <=, top + rounding);
      }
    }
    test_release(m);
  }
  assert_that(known, >, tried * 9 / 10);
}

TEST(pairs_of_few_geoms_have_slots_of_their_own) {
  Text t = {0};
  text_add(&t, "<mujoco><worldbody>");
  for (int i = 0; i < 91; i++) {
    text_add(&t, "<geom type='%s' size='1 1 1'/>", i ? "box" : "cylinder");
  }
  text_add(&t, "</worldbody></mujoco>");
  mjModel* m = test_model(t.text);
  free(t.text);
  mjData* d = test_data(m);
  for (int g2 = 1; g2 < m->ngeom; g2++) {
    for (int g1 = 0; g1 < g2; g1++) {
      Apart* slot = apart_slot(d, g1, g2);
      assert_ptr_equal(apart_slot(d, g2, g1), slot);
      assert_int_equal(slot->geom[0], 0);
      slot->geom[0] = 1;
    }
  }
}

TEST(directions_that_prove_nothing_are_tried_rarely) {
  mjModel* m = test_model(
      "<mujoco><worldbody><geom type='cylinder' size='1 1'/>"
      "<geom type='cylinder' size='1 1' pos='3 0 0'/></worldbody></mujoco>");
  mjData* d = test_data(m);
  mj_kinematics(m, d);
  Apart* slot = apart_slot(d, 0, 1);
  *slot = (Apart){.geom = {1, 2}, .way = {0, 0, 1}};
  for (int i = 0; i < 20; i++) {
    assert_int_equal(is_still_apart(slot, m, d, 0, 1, 0), 0);
  }
  slot->way[0] = 1;
  slot->way[2] = 0;
  int waits = 0;
  while (!is_still_apart(slot, m, d, 0, 1, 0)) {
    assert_that(++waits, <, 16);
  }
  assert_that(waits, >, 0);
  assert_int_equal(is_still_apart(slot, m, d, 0, 1, 0), 1);
}

// Primitives with colliders of their own need none.
TEST(models_without_general_pairs_have_no_slots) {
  mjModel* m = test_model(
      "<mujoco><worldbody><geom type='box' size='1 1 1'/><geom size='1'/>"
      "<geom type='capsule' size='1 1'/></worldbody></mujoco>");
  mjData* d = test_data(m);
  assert_null(apart_slot(d, 0, 1));
  apart_clear(d);
}

// Copies get slots of their own, and keep those that they have.
TEST(copies_and_resets_leave_slots_alone) {
  mjModel* m = test_model(scene_text(0));
  mjData *d = test_data(m), *copy = test_own_data(mj_copyData(NULL, m, d), m);
  Apart *slot = apart_slot(d, 6, 7), *other = apart_slot(copy, 6, 7);
  assert_ptr_not_equal(slot, other);
  slot->geom[0] = 7;
  mj_copyData(copy, m, d);
  assert_ptr_equal(apart_slot(copy, 6, 7), other);
  assert_int_equal(other->geom[0], 0);
  mj_resetData(m, d);
  assert_ptr_equal(apart_slot(d, 6, 7), slot);
  apart_clear(d);
  assert_int_equal(slot->geom[0], 0);
}

BEFORE_ALL() {
  mju_user_warning = silent;
}
