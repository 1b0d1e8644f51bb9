// Boxes drop no pair of geoms that has a contact. For random shapes in random places, all pairs
// that touch by their colliders or distances have reached the narrow phase.

#include <condyle/profile.h>

#include "support/load.h"
#include "support/precision.h"
#include "support/random.h"
#include "support/test.h"

#define SHAPES(margin)                                                                             \
  "<body><freejoint/><geom type='sphere' size='.1' margin='" margin                                \
  "'/></body>"                                                                                     \
  "<body><freejoint/><geom type='capsule' size='.03 .2' margin='" margin                           \
  "'/></body>"                                                                                     \
  "<body><freejoint/><geom type='capsule' size='.01 .1'/><geom type='box' size='.2 .1 "            \
  ".01'/></body>"                                                                                  \
  "<body><freejoint/><geom type='ellipsoid' size='.02 .1 .2' margin='" margin                      \
  "'/></body>"                                                                                     \
  "<body><freejoint/><geom type='cylinder' size='.2 .02' margin='" margin                          \
  "'/></body>"                                                                                     \
  "<body><freejoint/><geom type='cylinder' size='.01 .2'/><geom type='sphere' size='.04'/></body>" \
  "<body><freejoint/><geom type='box' size='.01 .1 .2' margin='" margin                            \
  "'/></body>"                                                                                     \
  "<body><freejoint/><geom type='mesh' mesh='wedge' margin='" margin                               \
  "'/></body>"                                                                                     \
  "<body><freejoint/><geom type='mesh' mesh='wedge'/><geom type='mesh' mesh='wedge' pos='.1 0 "    \
  "0'/></body>"

static const char scene[] =
    "<mujoco><size memory='20M'/><asset><mesh name='wedge' inertia='convex' refpos='.03 .01 0'"
    " vertex='0 0 0  .3 0 0  0 .1 0  .3 .1 0  0 0 .05  0 .1 .05  .1 .05 .06'/></asset><worldbody>"
    "<geom type='plane' size='1 1 1' pos='0 0 -.5'/><geom type='box' size='.2 .2 .05'/>" SHAPES("0")
        SHAPES(".05") SHAPES("0.01") "</worldbody></mujoco>";

enum {
  MAX_GEOM = 64
};

static unsigned char seen[MAX_GEOM][MAX_GEOM];

static void note_pair(const mjModel* m, const mjData* d, int g1, int g2, int ncon,
                      mjtNum duration) {
  (void)m, (void)d, (void)ncon, (void)duration;
  seen[g1][g2] = seen[g2][g1] = 1;
}

static void place_randomly(const mjModel* m, mjData* d, uint64_t* seed) {
  for (int i = 0; i < m->njnt; i++) {
    for (int k = 0; k < 7; k++) {
      d->qpos[7 * i + k] =
          (mjtNum)(k < 3 ? uniform_between(seed, -.4, .4) : uniform_between(seed, -1, 1));
    }
  }
  mj_normalizeQuat(m, d->qpos);
  mj_kinematics(m, d);
  mj_comPos(m, d);
}

// Contacts, or a distance within the margin, which is known without boxes.
static int is_touching(const mjModel* m, mjData* d, int g1, int g2) {
  static mjContact con[mjMAXCONPAIR];
  mjtNum margin = m->geom_margin[g1] > m->geom_margin[g2] ? m->geom_margin[g1] : m->geom_margin[g2];
  mjfCollision collider = mjCOLLISIONFUNC[m->geom_type[g1]][m->geom_type[g2]];
  return collider(m, d, con, g1, g2, margin) > 0 ||
         (m->geom_type[g1] != mjGEOM_PLANE &&
          mj_geomDistance(m, d, g1, g2, 1, NULL) < margin - (mjtNum)1e-5);
}

TEST(pairs_that_touch_are_collided) {
  mjModel* m = test_model(scene);
  assert_that(m->ngeom, <=, MAX_GEOM);
  mjData* d = test_data(m);
  uint64_t seed = 11;
  int touching = 0, dropped = 0;
  for (int round = 0; round < 40; round++) {
    place_randomly(m, d, &seed);
    memset(seen, 0, sizeof seen);
    cnd_observePair = note_pair;
    mj_collision(m, d);
    cnd_observePair = NULL;
    for (int i = 0; i < m->ngeom; i++) {
      for (int j = i + 1; j < m->ngeom; j++) {
        int swap = m->geom_type[i] > m->geom_type[j], g1 = swap ? j : i, g2 = swap ? i : j;
        if (m->geom_bodyid[i] == m->geom_bodyid[j]) {
          continue;
        }
        if (is_touching(m, d, g1, g2)) {
          touching++;
          if (!seen[g1][g2]) {
            fail_msg("round %d: geoms %d and %d touch, but were not collided", round, g1, g2);
          }
        }
        dropped += !seen[g1][g2];
      }
    }
  }
  assert_that(touching, >, 1000);
  assert_that(dropped, >, 10 * touching);
}

// The general collider finds a contact exactly where the distance is below the margin.
TEST(convex_shapes_within_the_margin_have_contacts) {
  DOUBLE_ONLY();  // the search's rounding in single precision is wider than the band between
  mjModel* m = test_model(scene);
  mjData* d = test_data(m);
  mjfCollision convex = mjCOLLISIONFUNC[mjGEOM_MESH][mjGEOM_MESH];
  uint64_t seed = 5;
  int touching = 0, apart = 0;
  for (int round = 0; round < 40; round++) {
    place_randomly(m, d, &seed);
    for (int g1 = 1; g1 < m->ngeom; g1++) {
      for (int g2 = 1; g2 < m->ngeom; g2++) {
        if (g1 == g2 || m->geom_type[g1] > m->geom_type[g2] ||
            mjCOLLISIONFUNC[m->geom_type[g1]][m->geom_type[g2]] != convex) {
          continue;
        }
        static mjContact con[mjMAXCONPAIR];
        mjtNum margin = (mjtNum)0.02, dist = mj_geomDistance(m, d, g1, g2, 1, NULL);
        int num = convex(m, d, con, g1, g2, margin);
        if (dist < margin - (mjtNum)1e-5 ? num == 0 : dist > margin + (mjtNum)1e-5 && num) {
          fail_msg("round %d: geoms %d and %d, %g apart, have %d contacts", round, g1, g2,
                   (double)dist, num);
        }
        *(num ? &touching : &apart) += 1;
      }
    }
  }
  assert_that(touching, >, 1000);
  assert_that(apart, >, 1000);
}

// Height of the lowest vertex of a mesh above a plane.
static mjtNum lowest_vertex(const mjModel* m, const mjData* d, int plane, int geom) {
  const mjtNum *mat = d->geom_xmat + 9 * plane, n[3] = {mat[2], mat[5], mat[8]};
  int mesh = m->geom_dataid[geom];
  mjtNum lowest = 1;
  for (int i = 0; i < m->mesh_vertnum[mesh]; i++) {
    const float* v = m->mesh_vert + 3 * (m->mesh_vertadr[mesh] + i);
    const mjtNum local[3] = {v[0], v[1], v[2]};
    mjtNum x[3];
    mju_mulMatVec3(x, d->geom_xmat + 9 * geom, local);
    mju_addTo3(x, d->geom_xpos + 3 * geom);
    mju_subFrom3(x, d->geom_xpos + 3 * plane);
    lowest = mju_min(lowest, mju_dot3(x, n));
  }
  return lowest;
}

// A plane finds a contact exactly where a vertex is below the margin.
TEST(meshes_on_planes_have_contacts) {
  mjModel* m = test_model(scene);
  mjData* d = test_data(m);
  uint64_t seed = 9;
  int touching = 0, apart = 0;
  for (int round = 0; round < 400; round++) {
    place_randomly(m, d, &seed);
    mjtNum quat[4] = {1, (mjtNum)uniform_between(&seed, -1, 1),
                      (mjtNum)uniform_between(&seed, -1, 1), 0};
    mju_normalize4(quat);
    mju_quat2Mat(d->geom_xmat, quat);
    for (int g = 1; g < m->ngeom; g++) {
      static mjContact con[mjMAXCONPAIR];
      if (m->geom_type[g] != mjGEOM_MESH) {
        continue;
      }
      mjtNum margin = (mjtNum)0.02, height = lowest_vertex(m, d, 0, g);
      int num = mjCOLLISIONFUNC[mjGEOM_PLANE][mjGEOM_MESH](m, d, con, 0, g, margin);
      if (height < margin - (mjtNum)1e-5 ? num == 0 : height > margin + (mjtNum)1e-5 && num) {
        fail_msg("round %d: geom %d, %g above, has %d contacts", round, g, (double)height, num);
      }
      *(num ? &touching : &apart) += 1;
    }
  }
  assert_that(touching, >, 100);
  assert_that(apart, >, 100);
}
