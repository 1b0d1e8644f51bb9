// Contacts that finite differences reuse from one collision stage to the next belong to pairs that
// don't move, and to no others, however little memory there is.

#include "collision/pair_cache.h"

#include "model/data/arena.h"
#include "support/load.h"
#include "support/test.h"

// Boxes, capsules and a mesh on a plane, two of them touching each other, one pair explicit.
static const char kPile[] =
    "<mujoco><asset><mesh name='wedge' vertex='0 0 0 .2 0 0 0 .2 0 0 0 .2 .2 .2 .1'/></asset>"
    "<worldbody><geom type='plane' size='5 5 .1'/>"
    "<body pos='0 0 .09'><freejoint/><geom name='a' type='box' size='.1 .1 .1'/></body>"
    "<body pos='.19 0 .09'><freejoint/><geom name='b' type='box' size='.1 .1 .1'/></body>"
    "<body pos='1 0 .04'><freejoint/><geom type='capsule' size='.05 .2' euler='0 90 0'/>"
    "<geom type='sphere' size='.06' pos='.3 0 .01'/></body>"
    "<body pos='2 0 -.02'><freejoint/><geom type='mesh' mesh='wedge'/></body>"
    "<body pos='2.1 .1 .1'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
    "</worldbody><contact><pair geom1='a' geom2='b' margin='.01'/></contact>%s</mujoco>";

static mjModel* pile(const char* more) {
  char xml[4000];
  snprintf(xml, sizeof(xml), kPile, more);
  return test_model(xml);
}

static void place(const mjModel* m, mjData* d, int position, mjtNum by) {
  mju_copy(d->qpos, m->qpos0, m->nq);
  d->qpos[position] += by;
  mj_kinematics(m, d);
  mj_comPos(m, d);
}

// All but what solvers write.
static void assert_same_contact(const mjContact* a, const mjContact* b) {
  size_t after = offsetof(mjContact, dim), end = offsetof(mjContact, efc_address) + sizeof(int);
  assert_memory_equal(a, b, offsetof(mjContact, mu));
  assert_memory_equal((const char*)a + after, (const char*)b + after, end - after);
}

// Contacts with one coordinate moved after the other, with what was kept of earlier stages and
// without, are the same bytes.
static void assert_same(const mjModel* m, mjData* d, mjData* plain) {
  size_t top = d->pstack;
  place(m, d, 0, 0);
  mj_forward(m, d);
  pair_cache_open(m, d);
  for (int i = 0; i < 2 * m->nq; i++) {
    place(m, d, i % m->nq, (mjtNum)1e-3);
    mj_collision(m, d);
    place(m, plain, i % m->nq, (mjtNum)1e-3);
    mj_collision(m, plain);
    assert_int_equal(d->ncon, plain->ncon);
    for (int k = 0; k < d->ncon; k++) {
      assert_same_contact(d->contact + k, plain->contact + k);
    }
  }
  pair_cache_close(d);
  arena_pop(d, top);
}

TEST(contacts_are_the_same_with_and_without) {
  mjModel* m = pile("");
  mjData *d = mj_makeData(m), *plain = mj_makeData(m);
  place(m, d, 0, 0);
  mj_collision(m, d);
  assert_in_range(d->ncon, 12, 100);
  assert_same(m, d, plain);
  mj_deleteData(d);
  mj_deleteData(plain);
}

// Where only some pairs find room, colliders find the others.
TEST(little_room_is_enough) {
  static const char* const memory[] = {"30K", "40K", "50K", "70K", "100K"};
  for (int i = 0; i < 5; i++) {
    char size[100];
    snprintf(size, sizeof(size), "<size memory='%s'/>", memory[i]);
    mjModel* m = pile(size);
    mjData *d = mj_makeData(m), *plain = mj_makeData(m);
    assert_same(m, d, plain);
    mj_deleteData(d);
    mj_deleteData(plain);
    test_release(m);
  }
}

static mjtNum least_distance(const mjData* d, int geom) {
  mjtNum least = 1;
  for (int i = 0; i < d->ncon; i++) {
    if (d->contact[i].geom[0] == geom || d->contact[i].geom[1] == geom) {
      least = mju_min(least, d->contact[i].dist);
    }
  }
  return least;
}

static int still(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2, mjtNum margin) {
  (void)m, (void)d, (void)con, (void)g1, (void)g2, (void)margin;
  return 0;
}

// A sphere that grows unseen shows whether its pair was asked again.
TEST(pairs_that_stand_still_are_not_asked_again) {
  mjModel* m = pile("");
  mjData* d = test_data(m);
  const int sphere = 4;
  assert_int_equal(m->geom_type[sphere], mjGEOM_SPHERE);
  for (int i = 0; i < 4; i++) {
    const int moves = i == 1, is_replaced = i == 2, is_closed = i == 3;
    size_t top = d->pstack;
    place(m, d, 0, 0);
    mjfCollision* collider = &mjCOLLISIONFUNC[mjGEOM_SPHERE][mjGEOM_SPHERE];
    mjfCollision ours = *collider;
    if (is_replaced) {
      *collider = still;
    }
    mj_collision(m, d);
    mjtNum before = least_distance(d, sphere);
    pair_cache_open(m, d);
    mj_collision(m, d);
    if (is_closed) {
      pair_cache_close(d);
    }
    m->geom_size[3 * sphere] *= (mjtNum)1.1;
    place(m, d, moves ? 16 : 0, (mjtNum)1e-5);
    mj_collision(m, d);
    mjtNum after = least_distance(d, sphere);
    m->geom_size[3 * sphere] /= (mjtNum)1.1;
    *collider = ours;
    pair_cache_close(d);
    arena_pop(d, top);
    if (i == 0) {
      assert_that(after, ==, before);
    } else {
      assert_that(after, <, before - (mjtNum)1e-3);
    }
  }
}

BEFORE_ALL() {
  mju_user_warning = silent;
}
