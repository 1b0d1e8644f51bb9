// Contacts of signed distance fields: what every contact must be, what a plugin is told, the
// reference's numbers.

#include "base/algebra/vec.h"
#include "collision/same_contacts.h"
#include "sdf_scene.h"
#include "support/bridge.h"
#include "support/load.h"
#include "support/near.h"
#include "support/test.h"

// Scatters the bodies of a model so that most of them meet.
static void scatter(const mjModel* m, mjData* d, uint64_t* seed) {
  for (int j = 0; j < m->njnt; j++) {
    mjtNum* pose = d->qpos + 7 * j;
    draw_vector(pose, (mjtNum)0.25, seed);
    for (int k = 3; k < 7; k++) {
      pose[k] = xorshift_random(seed);
    }
    q_normalize(pose + 3);
  }
  mj_fwdPosition(m, d);
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

// Half a depth behind pos is the end of the search: in both shapes, and as deep in one of them.
TEST(contacts_are_where_both_shapes_are) {
  mjModel* m = test_model(SDF_SCENE);
  mjData* d = test_data(m);
  uint64_t seed = 17;
  int found[NSHAPE] = {0};
  for (int n = 0; n < 20; n++) {
    scatter(m, d, &seed);
    for (int i = 0; i < d->ncon; i++) {
      const mjContact* c = d->contact + i;
      mjtNum end[3];
      assert_that(c->dist, <=, 0);
      assert_near(v3_norm(c->frame), 1, 1e-12);
      v3_addscl(end, c->pos, c->frame, c->dist / 2);
      mjtNum first = distance_at(m, d, c->geom[0], end),
             second = distance_at(m, d, c->geom[1], end);
      assert_near(num_max(first, second), c->dist, 1e-9);
      found[c->geom[0]]++;
    }
  }
  for (int i = 0; i < FIELD_B; i++) {
    assert_that(found[i], >, 50);
  }
}

// Contacts of a scene in many poses, one by one in their order.
static void compare(const char* xml, int rounds, double scale, int least) {
  Bridge* b = test_bridge(xml);
  Allowed allowed[mjNGEOMTYPES];
  allow_all(allowed, 1e-9);
  int compared = 0;
  for (int i = 0; i < rounds; i++) {
    bridge_random(b, (unsigned)i, scale * (1 + i % 3));
    bridge_run(b, "mj_fwdPosition");
    bridge_pull(b, NULL);
    int num = same_contacts(b, allowed);
    assert_that(num, >=, 0);
    compared += num;
  }
  assert_that(compared, >, least);
  test_release(b);
}

TEST(contacts_agree_with_the_reference) {
  BRIDGE_OR_SKIP();
  compare(SDF_SCENE, 60, 0.1, 10000);
}

// the deepest contact
TEST(distances_of_geoms_agree_with_the_reference) {
  BRIDGE_OR_SKIP();
  Bridge* b = test_bridge(SDF_SCENE);
  mjtNum (*reference)(const void*, const void*, int, int, mjtNum, mjtNum*) =
      bridge_function("mj_geomDistance");
  int touching = 0;
  for (int i = 0; i < 140; i++) {
    bridge_random(b, (unsigned)i, 0.2);
    bridge_run(b, "mj_fwdPosition");
    bridge_pull(b, "geom_xpos geom_xmat");
    int first = i % FIELD_B, swap = i % 2;
    int g1 = swap ? FIELD_B : first, g2 = swap ? first : FIELD_B;
    mjtNum ours[7], theirs[7];
    ours[6] = mj_geomDistance(b->m, b->d, g1, g2, 1, ours);
    theirs[6] = reference(b->ref_m, b->ref_d, g1, g2, 1, theirs);
    assert_numbers(ours, theirs, 7, 1e-9, 1);
    touching += theirs[6] < 0;
  }
  assert_that(touching, >, 50);
}

#define FEW_STEPS "<mujoco><option sdf_initpoints='7' sdf_iterations='3'/><asset>"
#define TWO(first)                              \
  "</asset><worldbody><body><freejoint/>" first \
  "</body><body><freejoint/><geom type='sdf' mesh='b'/></body></worldbody></mujoco>"

TEST(options_agree_with_the_reference) {
  BRIDGE_OR_SKIP();
  compare(FEW_STEPS "<mesh name='b' builtin='sphere' params='1' scale='.3 .4 .3'/>" TWO(
              "<geom type='box' size='.2 .3 .1' margin='.1'/>"),
          30, 0.1, 100);
}

// a field of rays towards the origin of the world
TEST(a_mesh_without_an_octree_agrees_with_the_reference) {
  BRIDGE_OR_SKIP();
  compare(
      "<mujoco><asset><mesh name='a' builtin='sphere' params='1' scale='.3 .2 .3'/>"
      "<mesh name='b' builtin='sphere' params='1' scale='.3 .4 .3'/>" TWO(
          "<geom type='mesh' mesh='a'/>"),
      30, 0.1, 100);
}

TEST(plugin_shapes_agree_with_the_reference) {
  BRIDGE_OR_SKIP();
  register_torus();
  compare(
      "<mujoco><extension><plugin plugin='test.torus'/></extension><asset>"
      "<mesh name='b' builtin='sphere' params='1' scale='.3 .4 .3'/></asset><worldbody>"
      "<body><freejoint/><geom type='capsule' size='.1 .2'/></body>"
      "<body><freejoint/><geom type='sdf' mesh='b'><plugin plugin='test.torus'/></geom></body>"
      "<body><freejoint/><geom type='sdf' mesh='b'/></body></worldbody></mujoco>",
      40, 0.05, 500);
}

#define SPHERE_AND_FIELD                                                              \
  "<mujoco><asset><mesh name='b' builtin='sphere' params='1' scale='.4 .4 .4'/>" TWO( \
      "<geom type='sphere' size='.1'/>")

// Makes the plugin of the slot the shape of geom 1.
static void use_plugin(mjModel* m, int* slot) {
  static int zero = 0;
  m->nplugin = 1;
  m->plugin = slot;
  m->plugin_statenum = m->plugin_stateadr = m->plugin_attradr = &zero;
  m->geom_plugin[1] = 0;
}

// A sphere beside the tube of the torus, at its outermost point.
TEST(a_plugin_is_told_of_pairs_and_searches) {
  mjpPlugin torus = torus_plugin();
  int slot = mjp_registerPlugin(&torus);
  mjModel* m = test_model(SPHERE_AND_FIELD);
  use_plugin(m, &slot);
  assert_ptr_equal(mjc_getSDF(m, 1), mjp_getPluginAtSlot(slot));
  mjData* d = test_data(m);
  mj_kinematics(m, d);
  for (int k = 0; k < 3; k++) {
    d->qpos[k] = (mjtNum)0.37 * d->geom_xmat[9 + 3 * k];
  }
  torus_resets = torus_computes = 0;
  mj_fwdPosition(m, d);
  assert_int_equal(torus_resets, 1);
  assert_int_equal(torus_computes, m->opt.sdf_initpoints);
  assert_that(d->ncon, >, 0);

  // its deepest contact: at most half of the depth, about along the line from the sphere to the
  // tube
  int deepest = 0;
  for (int i = 0; i < d->ncon; i++) {
    deepest = d->contact[i].dist < d->contact[deepest].dist ? i : deepest;
  }
  mjtNum outward[3];
  m3_column(outward, d->geom_xmat + 9, 0);
  assert_near(d->contact[deepest].dist, -0.003, 2e-3);
  assert_that(v3_dot(d->contact[deepest].frame, outward), <, -0.95);
}

static int warnings;

static void hear(const char* text) {
  warnings += strstr(text, "geom 1 (unnamed) has no distance field") != NULL;
}

TEST(shapes_without_a_field_are_passed_through_with_a_warning) {
  mjpPlugin shapeless = torus_plugin();
  shapeless.name = "test.shapeless";
  shapeless.capabilityflags = 0;
  int slot = mjp_registerPlugin(&shapeless);
  mjModel* m = test_model(SPHERE_AND_FIELD);
  mjData* d = mj_makeData(m);
  const mjtNum from[3] = {3, 0, 0}, along[3] = {-1, 0, 0};
  mj_fwdPosition(m, d);
  assert_that(d->ncon, >, 0);
  mj_deleteData(d);
  use_plugin(m, &slot);
  d = mj_makeData(m);
  warnings = 0;
  mju_user_warning = hear;
  for (int i = 0; i < 3; i++) {
    mj_step(m, d);
    assert_int_equal(d->ncon, 0);
    assert_that(mj_ray(m, d, from, along, NULL, 1, 1, NULL), ==, -1);
  }
  // a mesh that lost its octree
  m->geom_plugin[1] = -1;
  m->mesh_octnum[0] = 0;
  mj_forward(m, d);
  assert_int_equal(d->ncon, 0);
  m->geom_dataid[1] = -1;
  mj_forward(m, d);
  assert_int_equal(d->ncon, 0);
  assert_int_equal(warnings, 1);
  mju_user_warning = NULL;
  mj_deleteData(d);
}

// More contacts than a pair may have: the first ones stay, and the data tell.
TEST(contacts_beyond_fifty_are_left_out_with_a_warning) {
  mjModel* m = test_model(SDF_SCENE);
  mjData *d = mj_makeData(m), *few = mj_makeData(m);
  m->opt.sdf_initpoints = 40;
  mj_resetData(m, few);
  mj_fwdPosition(m, few);
  m->opt.sdf_initpoints = 1000;
  mj_resetData(m, d);
  mju_user_warning = hear;
  mj_fwdPosition(m, d);
  mju_user_warning = NULL;
  assert_that(d->warning[mjWARN_CONTACTFULL].number, >, 0);
  int num = 0, first = 0;
  for (int i = 0; i < d->ncon; i++) {
    num += d->contact[i].geom[0] == SPHERE && d->contact[i].geom[1] == FIELD_A;
  }
  assert_int_equal(num, mjMAXCONPAIR);
  while (d->contact[first].geom[0] != few->contact[0].geom[0] ||
         d->contact[first].geom[1] != few->contact[0].geom[1]) {
    first++;
  }
  assert_numbers(&d->contact[first].dist, &few->contact[0].dist, 1, 0, 1);
  mj_deleteData(d);
  mj_deleteData(few);
}

TEST(no_points_no_contacts_no_steps_no_harm) {
  mjModel* m = test_model(SDF_SCENE);
  mjData* d = test_data(m);
  m->opt.sdf_initpoints = 0;
  mj_fwdPosition(m, d);
  assert_int_equal(d->ncon, 0);
  m->opt.sdf_initpoints = 5;
  m->opt.sdf_iterations = 0;
  mj_fwdPosition(m, d);
  assert_that(d->ncon, >, 0);
}

TEST(poses_that_are_no_numbers_make_no_contacts) {
  mjModel* m = test_model(SDF_SCENE);
  mjData* d = test_data(m);
  mj_fwdPosition(m, d);
  int before = d->ncon;
  for (int i = 0; i < 3 * m->ngeom; i++) {
    mjtNum* x = d->geom_xpos + i;
    mjtNum good = *x;
    const mjtNum bad[] = {(mjtNum)NAN, (mjtNum)INFINITY, (mjtNum)1e300};
    for (int k = 0; k < 3; k++) {
      *x = bad[k];
      mj_collision(m, d);
      for (int c = 0; c < d->ncon; c++) {
        assert_that(d->contact[c].geom[0], !=, i / 3);
        assert_that(d->contact[c].geom[1], !=, i / 3);
      }
    }
    *x = good;
  }
  for (int i = 0; i < 9 * m->ngeom; i++) {
    mjtNum good = d->geom_xmat[i];
    d->geom_xmat[i] = (mjtNum)NAN;
    mj_collision(m, d);
    d->geom_xmat[i] = good;
  }
  mj_collision(m, d);
  assert_int_equal(d->ncon, before);
}

// What is drawn from an octree is that of the geom's own mesh, wherever both stand in the model.
TEST(a_mesh_is_its_own_whatever_its_number) {
  mjModel* m = test_model(SDF_SCENE);
  mjModel* moved = test_model(
      "<mujoco><size memory='20M'/><asset><mesh name='c' builtin='sphere' params='0'/>"
      "<mesh name='b' builtin='hemisphere' params='2' scale='.3 .3 .4'/>"
      "<mesh name='a' builtin='supersphere' params='5 .8 1.2' scale='.3 .25 .2'/></asset>"
      "<worldbody><geom type='sdf' mesh='a' pos='9 9 9'/><geom size='1' pos='9 0 0'/>"
      "<body><freejoint/><geom type='mesh' mesh='a' conaffinity='0'/></body>"
      "<body><freejoint/><geom type='sdf' mesh='b' pos='.1 0 0'/></body></worldbody></mujoco>");
  mjData *d = mj_makeData(m), *other = mj_makeData(moved);
  uint64_t seed = 23;
  scatter(m, d, &seed);
  memcpy(other->qpos, d->qpos, 7 * sizeof(mjtNum));
  memcpy(other->qpos + 7, d->qpos + (size_t)7 * FIELD_B, 7 * sizeof(mjtNum));
  mj_fwdPosition(moved, other);
  int num = 0;
  for (int i = 0; i < d->ncon; i++) {
    const mjContact* c = d->contact + i;
    if (c->geom[0] == MESH && c->geom[1] == FIELD_B) {
      assert_that(num, <, other->ncon);
      assert_numbers(c->pos, other->contact[num].pos, 3, 1e-9, 1);
      num++;
    }
  }
  assert_that(num, >, 0);
  assert_int_equal(num, other->ncon);
  mj_deleteData(d);
  mj_deleteData(other);
}

// An icosahedron falls onto a box and stays there.
TEST(a_field_comes_to_rest_on_a_box) {
  mjModel* m = test_model(
      "<mujoco><option timestep='.002'/><asset>"
      "<mesh name='b' builtin='sphere' params='0' scale='.1 .1 .1'/></asset><worldbody>"
      "<geom type='box' size='1 1 .5' pos='0 0 -.5'/><body pos='0 0 .12'><freejoint/>"
      "<geom type='sdf' mesh='b' condim='6' friction='1 .01 .01'/></body></worldbody></mujoco>");
  mjData* d = test_data(m);
  for (int i = 0; i < 3000; i++) {
    mj_step(m, d);
  }
  // between the spheres through its faces and its corners
  assert_that(d->qpos[2], >, 0.07);
  assert_that(d->qpos[2], <, 0.105);
  assert_that(mju_norm(d->qvel, 6), <, 0.05);
  for (int i = 0; i < mjNWARNING; i++) {
    assert_int_equal(d->warning[i].number, 0);
  }
}
