// Pairs of every two kinds of geoms with invalid sizes and poses: zero, denormal, huge, NaN. Every
// collider comes to an end, with contacts or without. A depth that can't be computed gives a
// warning.
//
// CONDYLE_HOSTILE is how many pairs are tried.

#include "collision/collide.h"
#include "collision/mesh_scene.h"
#include "support/load.h"

static const double odd[] = {0,   -0.0,  1e-300, 5e-324, 1e-30, 1e-15,    1e-9,      1e-3,
                             1e3, 1e9,   1e15,   1e30,   1e38,  1e150,    1e300,     1.7e308,
                             -1,  -1e-9, -1e300, NAN,    -NAN,  INFINITY, -INFINITY, 1};

static mjtNum odd_number(uint64_t* seed) {
  return (mjtNum)odd[case_int(seed, sizeof odd / sizeof odd[0])];
}

// All solids and meshes, and what isn't convex; everything belongs to the world.
static mjModel* make_model(int multiccd) {
  static SceneText s;
  s.num = 0;
  snprintf(s.text, sizeof s.text, "%s", scene_text(multiccd));
  char* end = strstr(s.text, "</worldbody>");
  snprintf(
      end, sizeof s.text - (size_t)(end - s.text), "%s",
      "<geom type='hfield' hfield='h'/><geom type='sdf' mesh='m3'/></worldbody><asset>"
      "<hfield name='h' nrow='5' ncol='6' size='1 1 .3 .1' elevation='0 1 0 1 0 1  1 0 1 0 1 0  "
      "0 0 1 1 0 0  1 1 0 0 1 1  0 1 1 0 0 1'/></asset></mujoco>");
  mjModel* m = test_model(s.text);
  return m;
}

// Spoils one or a few of the numbers of a geom, in its place or in a copy of the model.
static void spoil(mjModel* m, mjData* d, int geom, uint64_t* seed) {
  mjtNum* numbers[] = {m->geom_size + 3 * geom, d->geom_xpos + 3 * geom, d->geom_xmat + 9 * geom};
  static const int count[] = {3, 3, 9};
  int which = case_int(seed, 5), mesh = m->geom_dataid[geom];
  if (which < 3) {
    int all = case_int(seed, 3) == 0;
    mjtNum value = odd_number(seed);
    for (int i = 0; i < count[which]; i++) {
      if (all || case_int(seed, 3) == 0) {
        numbers[which][i] = all ? value : odd_number(seed);
      }
    }
  } else if (m->geom_type[geom] == mjGEOM_MESH) {
    float* vert = m->mesh_vert + 3 * (size_t)m->mesh_vertadr[mesh];
    mjtNum factor = odd_number(seed);
    int axis = case_int(seed, 4), single = case_int(seed, 3 * m->mesh_vertnum[mesh]);
    for (int i = 0; i < 3 * m->mesh_vertnum[mesh]; i++) {
      if (which == 3 ? axis == 3 || i % 3 == axis : i == single) {
        vert[i] *= (float)factor;
      }
    }
  }
}

// What a spoiled model is made good from.
typedef struct Sound {
  const mjtNum* size;
  const float* vert;
} Sound;

static void restore(mjModel* m, const Sound* sound) {
  memcpy(m->geom_size, sound->size, (size_t)m->ngeom * 3 * sizeof(mjtNum));
  memcpy(m->mesh_vert, sound->vert, (size_t)m->nmeshvert * 3 * sizeof(float));
}

static void try_pair(const mjModel* m, mjData* d, int g1, int g2, mjtNum margin) {
  static mjContact con[mjMAXCONPAIR];
  mjfCollision collide = mjCOLLISIONFUNC[m->geom_type[g1]][m->geom_type[g2]];
  if (collide) {
    size_t top = d->pstack;
    int num = collide(m, d, con, g1, g2, margin);
    assert_in_range(num, 0, mjMAXCONPAIR);
    assert_that(d->pstack, ==, top);
    // the general collider knows no depth that is no number
    for (int i = 0; i < num && collide == collide_convex; i++) {
      assert_false(isnan((double)con[i].dist));
    }
  }
  mjtNum fromto[6];
  mj_geomDistance(m, d, g1, g2, margin + 1, fromto);
}

TEST(hostile_pairs_come_to_an_end) {
  const long pairs = test_setting("CONDYLE_HOSTILE", 4000);
  uint64_t seed = 123;
  for (int multiccd = 0; multiccd < 2; multiccd++) {
    mjModel *m = make_model(multiccd), *copy = mj_copyModel(NULL, m);
    const Sound sound = {copy->geom_size, copy->mesh_vert};
    mjData* d = test_data(m);
    mj_kinematics(m, d);
    for (long i = 0; i < pairs / 2; i++) {
      int g1 = case_int(&seed, m->ngeom), g2 = case_int(&seed, m->ngeom);
      int swap = m->geom_type[g1] > m->geom_type[g2] ? g1 : -1;
      g1 = swap < 0 ? g1 : g2;
      g2 = swap < 0 ? g2 : swap;
      if (g1 == g2) {
        continue;
      }
      m->opt.disableflags = case_int(&seed, 4) ? 0 : mjDSBL_NATIVECCD;
      m->opt.ccd_iterations = case_int(&seed, 5) ? 35 : case_int(&seed, 1000);
      scene_place(d, g1, g2, &seed, case_int(&seed, SCENE_PLACES), 0.3);
      spoil(m, d, case_int(&seed, 2) ? g1 : g2, &seed);
      if (case_int(&seed, 3) == 0) {
        spoil(m, d, case_int(&seed, 2) ? g1 : g2, &seed);
      }
      // as contact_margin gives them
      mjtNum margin = case_int(&seed, 3) ? 0 : odd_number(&seed);
      try_pair(m, d, g1, g2, margin < mjMAXVAL ? margin : (mjtNum)mjMAXVAL);
      restore(m, &sound);
    }
    mj_deleteModel(copy);
    test_release(m);
  }
}
