// Contacts of signed distance fields by the behaviour gjkepa: as recorded, and what it changes.

#include <condyle/behaviour.h>

#include "base/algebra/vec.h"
#include "collision/later.h"
#include "support/load.h"
#include "support/near.h"
#include "support/recorded.h"
#include "support/test.h"

// FIELDS of tests/reference/since/record.py
static const char scene[] =
    "<mujoco><option sdf_initpoints='8'/><asset><mesh name='a' builtin='supersphere' "
    "params='5 .8 1.2' scale='.3 .25 .2'/><mesh name='b' builtin='hemisphere' params='2' "
    "scale='.3 .3 .4'/></asset><default><geom conaffinity='0'/></default><worldbody>"
    "<body><freejoint/><geom type='mesh' mesh='a'/></body>"
    "<body><freejoint/><geom type='capsule' size='.1 .2'/></body>"
    "<body><freejoint/><geom type='box' size='.1 .2 .15'/></body>"
    "<body><freejoint/><geom type='sdf' mesh='a'/></body>"
    "<body><freejoint/><geom type='sdf' mesh='b' conaffinity='1' pos='.1 0 0'/></body>"
    "</worldbody></mujoco>";

enum {
  CASES = 24,
  FIELD = 4
};

// As record_fields there.
static void recorded_state(const mjModel* m, mjData* d, int number) {
  drawn = 12345u + 1000003u * (uint32_t)number;
  for (int i = 0; i < m->nq; i++) {
    double size = i % 7 < 3 ? 0.2 : 1;
    d->qpos[i] = draw(-size, size);
  }
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_collision(m, d);
}

// A search parts where rounding decides one of its steps, so this tells of the order in which
// kinematics rounds, too.
TEST(contacts_of_fields_are_recorded) {
  DOUBLE_ONLY();
  mjModel* m = later_model(scene);
  mjData* d = test_data(m);
  static mjtNum counts[CASES], numbers[7 * 200 * CASES];
  size_t n = 0;
  for (int i = 0; i < CASES; i++) {
    recorded_state(m, d, i);
    counts[i] = d->ncon;
    for (int k = 0; k < d->ncon; k++, n += 7) {
      numbers[n] = d->contact[k].dist;
      v3_copy(numbers + n + 1, d->contact[k].pos);
      v3_copy(numbers + n + 4, d->contact[k].frame);
    }
  }
  assert_recorded("fields_counts", counts, CASES);
  assert_recorded_near("fields_numbers", numbers, n, 1e-6);
}

// The distance of a point of the world from a geom.
static mjtNum distance_at(const mjModel* m, const mjData* d, int geom, const mjtNum point[3]) {
  mjtNum x[3];
  v3_sub(x, point, d->geom_xpos + 3 * geom);
  m3_tmulv(x, d->geom_xmat + 9 * geom, x);
  mjtGeom type = (mjtGeom)m->geom_type[geom];
  int id = type == mjGEOM_SDF ? m->geom_dataid[geom] : geom;
  mjSDF sdf = {.id = &id, .type = mjSDFTYPE_SINGLE, .geomtype = &type};
  return mjc_distance(m, d, &sdf, x);
}

// Half a depth before pos is the end of the search; by the rule of 3.3.7 it is behind.
TEST(points_are_on_the_other_side_of_the_end_of_a_search) {
  mjModel* m = later_model(scene);
  mjData* d = test_data(m);
  int found = 0;
  for (int i = 0; i < CASES; i++) {
    recorded_state(m, d, i);
    for (int k = 0; k < d->ncon; k++) {
      const mjContact* c = d->contact + k;
      if (m->geom_type[c->geom[0]] != mjGEOM_MESH) {
        mjtNum end[3];
        v3_addscl(end, c->pos, c->frame, -c->dist / 2);
        mjtNum first = distance_at(m, d, c->geom[0], end),
               second = distance_at(m, d, c->geom[1], end);
        assert_near(num_max(first, second), c->dist, 1e-9);
        found++;
      }
    }
  }
  assert_that(found, >, 100);
}

// df/dx of an octree is what differences say, where the sides of its cells count as 1 by the rule
// of 3.3.7.
TEST(gradients_of_an_octree_are_those_of_its_field) {
  DOUBLE_ONLY();
  mjModel* m = later_model(scene);
  mjData* d = test_data(m);
  mj_forward(m, d);
  int id = m->geom_dataid[FIELD], smooth = 0;
  mjtGeom type = mjGEOM_SDF;
  mjSDF sdf = {.id = &id, .type = mjSDFTYPE_SINGLE, .geomtype = &type};
  drawn = 1;
  for (int i = 0; i < 100; i++) {
    const mjtNum* box = m->geom_aabb + 6 * FIELD;
    mjtNum x[3], g[3], difference[3], there[3];
    for (int k = 0; k < 3; k++) {
      x[k] = box[k] + box[3 + k] * draw(-1, 1);
    }
    mjc_gradient(m, d, &sdf, g, x);
    for (int k = 0; k < 3; k++) {
      v3_copy(there, x);
      there[k] += 1e-7;
      difference[k] = (mjc_distance(m, d, &sdf, there) - mjc_distance(m, d, &sdf, x)) / 1e-7;
    }
    smooth += v3_dist(g, difference) < 1e-6;  // not where a cell ends in between
  }
  assert_that(smooth, >, 95);
}

TEST(the_rule_matters_for_models_with_fields) {
  assert_int_equal(cnd_behaviourMatters(later_model(scene), cndBEHAVIOUR_gjkepa), 1);
  assert_int_equal(
      cnd_behaviourMatters(
          test_model("<mujoco><asset><mesh name='a' builtin='sphere' params='1'/></asset>"
                     "<worldbody><geom type='sdf' mesh='a'/><geom size='.1'/></worldbody>"
                     "</mujoco>"),
          cndBEHAVIOUR_gjkepa),
      1);
}
