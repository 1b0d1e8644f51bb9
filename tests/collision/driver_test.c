// Which pairs of geoms meet, in which order, with which parameters: on whole scenes, by our own
// rules and against the reference.

#include <condyle/profile.h>

#include "collision/marks.h"
#include "support/bridge.h"
#include "support/load.h"
#include "support/near.h"
#include "support/random.h"
#include "support/test.h"

static mjData* collide(const mjModel* m) {
  mjData* d = mj_makeData(m);
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_collision(m, d);
  return d;
}

static int contacts_of(const mjModel* m) {
  mjData* d = collide(m);
  int ncon = d->ncon;
  mj_deleteData(d);
  return ncon;
}

// a chain a - b - c of overlapping spheres; c is welded to d
#define CHAIN                                                               \
  "<mujoco><worldbody><body name='a'><freejoint/><geom name='a' size='1'/>" \
  "<body name='b' pos='.1 0 0'><joint/><geom name='b' size='1'/>"           \
  "<body name='c' pos='.1 0 0'><joint/><geom name='c' size='1'/>"           \
  "<body name='d' pos='.1 0 0'><geom name='d' size='1'/></body></body></body></body></worldbody>"

TEST(bodies_that_are_welded_or_parent_and_child_dont_meet) {
  mjModel* m = test_model(CHAIN "</mujoco>");
  mjData* d = collide(m);
  assert_int_equal(d->ncon, 2);  // a-c and a-d
  for (int i = 0; i < 2; i++) {
    assert_int_equal(d->contact[i].geom[0], 0);
    assert_int_equal(d->contact[i].geom[1], 2 + i);
  }
  m->opt.disableflags |= mjDSBL_FILTERPARENT;
  mj_collision(m, d);
  assert_int_equal(d->ncon, 5);  // all but c-d
  mj_deleteData(d);
}

TEST(excluded_bodies_meet_only_as_explicit_pairs) {
  mjModel* m = test_model(CHAIN
                          "<contact><exclude body1='a' body2='c'/><exclude body1='d' body2='a'/>"
                          "</contact></mujoco>");
  assert_int_equal(contacts_of(m), 0);
  test_release(m);
  m = test_model(
      CHAIN
      "<contact><exclude body1='a' body2='c'/><exclude body1='d' body2='a'/>"
      "<pair geom1='c' geom2='d' condim='4'/><pair geom1='d' geom2='a'/></contact></mujoco>");
  mjData* d = collide(m);
  assert_int_equal(d->ncon, 2);
  assert_int_equal(d->contact[0].geom[0], 0);  // bodies a-d before c-d
  assert_int_equal(d->contact[0].geom[1], 3);
  assert_int_equal(d->contact[0].dim, 3);
  assert_int_equal(d->contact[1].dim, 4);
  mj_deleteData(d);
}

TEST(pair_replaces_the_dynamic_contact_of_its_geoms) {
  mjModel* m =
      test_model(CHAIN "<contact><pair geom1='c' geom2='a' condim='1'/></contact></mujoco>");
  mjData* d = collide(m);
  assert_int_equal(d->ncon, 2);
  assert_int_equal(d->contact[0].dim, 1);
  assert_int_equal(d->contact[1].dim, 3);
  mj_deleteData(d);
}

static int forbid_all(const mjModel* m, mjData* d, int geom1, int geom2) {
  (void)m, (void)d, (void)geom1, (void)geom2;
  return 1;
}

static int collide_never(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2,
                         mjtNum margin) {
  (void)m, (void)d, (void)con, (void)g1, (void)g2, (void)margin;
  return 0;
}

TEST(flags_masks_callback_and_table_switch_contacts_off) {
  mjModel* m = test_model(CHAIN "</mujoco>");
  for (int i = 0; i < 2; i++) {
    int flag = i ? mjDSBL_CONTACT : mjDSBL_CONSTRAINT;
    m->opt.disableflags = flag;
    assert_int_equal(contacts_of(m), 0);
    m->opt.disableflags = 0;
    assert_int_equal(contacts_of(m), 2);
  }

  // masks may be edited between steps
  m->geom_contype[0] = 2;
  m->geom_conaffinity[0] = 0;
  assert_int_equal(contacts_of(m), 0);
  m->geom_conaffinity[3] = 2;
  assert_int_equal(contacts_of(m), 1);
  test_release(m);

  m = test_model(CHAIN "</mujoco>");
  mjcb_contactfilter = forbid_all;
  assert_int_equal(contacts_of(m), 0);
  mjcb_contactfilter = NULL;

  mjfCollision saved = mjCOLLISIONFUNC[mjGEOM_SPHERE][mjGEOM_SPHERE];
  mjCOLLISIONFUNC[mjGEOM_SPHERE][mjGEOM_SPHERE] = NULL;
  assert_int_equal(contacts_of(m), 0);
  mjCOLLISIONFUNC[mjGEOM_SPHERE][mjGEOM_SPHERE] = collide_never;
  assert_int_equal(contacts_of(m), 0);
  mjCOLLISIONFUNC[mjGEOM_SPHERE][mjGEOM_SPHERE] = saved;
  assert_int_equal(contacts_of(m), 2);
}

static int touch_before(const mjModel* m, mjData* d, mjPreContact* con, int g1, int g2,
                        mjtNum margin) {
  (void)m, (void)d, (void)g1, (void)g2, (void)margin;
  con->dist = (mjtNum)-0.25;
  con->normal[2] = con->tangent[0] = 1;
  return 1;
}

// a program for 4.0.0 sees the table cnd_COLLISIONFUNC
TEST(colliders_of_programs_for_4_0_0_count) {
  mjModel* m = test_model(
      "<mujoco><worldbody><geom size='1'/><body pos='0 0 1.5'><freejoint/><geom size='1'/></body>"
      "</worldbody></mujoco>");
  mjData* d = test_data(m);
  cndfCollision* entry = &cnd_COLLISIONFUNC[mjGEOM_SPHERE][mjGEOM_SPHERE];
  cndfCollision saved = *entry;
  mj_forward(m, d);
  mjtNum dist = d->contact[0].dist;

  // what was there finds the same
  mjPreContact found;
  assert_int_equal(saved(m, d, &found, 0, 1, 0), 1);
  assert_that(found.dist, ==, dist);
  assert_that(found.normal[2], ==, 1);

  *entry = touch_before;
  mj_forward(m, d);
  assert_int_equal(d->ncon, 1);
  assert_that(d->contact[0].dist, ==, (mjtNum)-0.25);
  assert_that(d->contact[0].frame[8] * d->contact[0].frame[8], ==, 0);
  *entry = NULL;
  mj_forward(m, d);
  assert_int_equal(d->ncon, 0);
  *entry = saved;
  mj_forward(m, d);
  assert_that(d->contact[0].dist, ==, dist);
}

TEST(parameters_are_mixed_by_priority_and_solmix) {
  const char* text =
      "<mujoco><worldbody>"
      "<geom type='plane' size='1 1 1' condim='6' friction='.3 .2 .1' solref='.04 2' solmix='3'"
      " margin='.02' gap='.01'/>"
      "<body pos='0 0 1'><freejoint/><geom size='1' condim='1' friction='.9 .1 .05' solref='.02 1'"
      " margin='.01' priority='%d'/></body></worldbody></mujoco>";
  char xml[1000];
  for (int priority = 0; priority < 2; priority++) {
    snprintf(xml, sizeof(xml), text, priority);
    mjModel* m = test_model(xml);
    mjData* d = collide(m);
    assert_int_equal(d->ncon, 1);
    const mjContact* con = d->contact;
    assert_int_equal(con->dim, priority ? 1 : 6);
    assert_that(fabs(con->includemargin - 0.01), <, 1e-6);
    const mjtNum friction[2][5] = {{0.9, 0.9, 0.2, 0.1, 0.1}, {0.9, 0.9, 0.1, 0.05, 0.05}};
    for (int i = 0; i < 5; i++) {
      assert_that(fabs(con->friction[i] - friction[priority][i]), <, 1e-6);
    }
    assert_that(fabs(con->solref[0] - (priority ? 0.02 : 0.035)), <, 1e-6);
    assert_int_equal(con->exclude, 0);
    assert_int_equal(con->efc_address, -1);
    mj_deleteData(d);
    test_release(m);
  }
}

// Appends printed text to xml[size].
#define ADD(...) n += (size_t)snprintf(xml + n, size - n, __VA_ARGS__)

TEST(full_arena_is_a_warning) {
  char xml[4000];
  size_t n = 0, size = sizeof(xml);
  ADD("<mujoco><size memory='%s'/><worldbody><geom type='plane' size='1 1 1'/>",
      sizeof(mjtNum) == sizeof(double) ? "40K" : "24K");
  for (int i = 0; i < 30; i++) {
    ADD("<body pos='%g 0 0'><freejoint/><geom size='.1'/></body>", 0.3 * i);
  }
  ADD("</worldbody></mujoco>");
  mjModel* m = test_model(xml);
  mjData* d = collide(m);
  assert_that(d->ncon, >, 0);
  assert_that(d->ncon, <, 30);
  assert_int_equal(d->warning[mjWARN_CONTACTFULL].number, 30 - d->ncon);
  assert_int_equal(d->warning[mjWARN_CONTACTFULL].lastinfo, d->ncon);
  mj_deleteData(d);
}

TEST(contacts_can_be_added) {
  mjModel* m = test_model(CHAIN "</mujoco>");
  mjData* d = collide(m);
  mjContact con = d->contact[1];
  con.dist = -3;
  assert_int_equal(mj_addContact(m, d, &con), 0);
  assert_int_equal(d->ncon, 3);
  assert_that(d->contact[2].dist, ==, -3);
  assert_int_equal(d->contact[1].geom[1], 3);
  mj_deleteData(d);
}

static int pick(uint64_t* seed, int n) {
  return (int)uniform_between(seed, 0, n) % n;
}

// Bodies of several random geoms thrown on two planes, some in chains, with every attribute that
// matters to contacts, explicit pairs and excludes; geoms "g<i>", bodies "b<i>".
static void random_scene(char* xml, size_t size, uint64_t seed, int nbody, int maxgeom) {
  static const char* const type[] = {"sphere", "capsule", "box"};
  static const char* const solref[] = {".02 1", ".05 .7", "-100 -10"};
  static const int condim[] = {1, 3, 4, 6};
  size_t n = 0;
  int ngeom = 0;
  ADD("<mujoco><size memory='20M'/><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .1'>"
      "<geom type='plane' size='1 1 1' euler='10 5 0'/><geom type='box' size='.2 .2 .2'/></body>");
  for (int b = 0; b < nbody; b++) {
    int child = b % 3 == 1;  // hangs on the body before
    if (b && !child) {
      ADD("%s</body>", b % 3 == 2 ? "</body>" : "");
    }
    ADD("<body name='b%d' pos='%g %g %g' euler='%g %g 0'>%s", b, uniform_between(&seed, -.5, .5),
        uniform_between(&seed, -.5, .5), child ? 0.2 : uniform_between(&seed, 0, .6),
        uniform_between(&seed, 0, 360), uniform_between(&seed, 0, 360),
        child ? "<joint/>" : "<freejoint/>");
    int num = 1 + pick(&seed, maxgeom);
    for (int g = 0; g < num; g++) {
      ADD("<geom name='g%d' type='%s' size='%g %g %g' pos='%g %g 0' euler='%g 0 %g' margin='%g' "
          "gap='%g' condim='%d' priority='%d' solmix='%g' friction='%g %g %g' solref='%s' "
          "contype='%d' conaffinity='%d'/>",
          ngeom++, type[pick(&seed, 3)], uniform_between(&seed, .05, .15),
          uniform_between(&seed, .05, .15), uniform_between(&seed, .05, .15),
          g * uniform_between(&seed, -.1, .1), g * uniform_between(&seed, -.1, .1),
          uniform_between(&seed, 0, 360), uniform_between(&seed, 0, 360),
          uniform_between(&seed, 0, .03), uniform_between(&seed, 0, .01), condim[pick(&seed, 4)],
          pick(&seed, 2), uniform_between(&seed, 0, 2), uniform_between(&seed, 0, 1),
          uniform_between(&seed, 0, .1), uniform_between(&seed, 0, .01), solref[pick(&seed, 3)],
          1 + pick(&seed, 3), 1 + pick(&seed, 3));
    }
  }
  ADD("%s</body></worldbody><contact>", (nbody - 1) % 3 == 1 ? "</body>" : "");
  for (int i = 0; i < 6; i++) {
    ADD("<pair geom1='g%d' geom2='g%d' margin='%g' condim='%d' friction='.5 .4 .3 .2 .1'/>", i,
        ngeom - 1 - i, uniform_between(&seed, 0, .1), condim[pick(&seed, 4)]);
    ADD("<exclude body1='b%d' body2='b%d'/>", i, nbody - 1 - pick(&seed, nbody / 2));
  }
  ADD("</contact></mujoco>");
  assert_that(n, <, size);
}

// Returns how many contacts were compared.
static int compare_scene(Bridge* b, uint64_t seed, int rounds) {
  int compared = 0;
  for (int i = 0; i < rounds; i++) {
    bridge_random(b, (unsigned)(seed + (uint64_t)i), 0.1 + 0.1 * (i % 5));
    bridge_run(b, "mj_fwdPosition");
    bridge_pull(b, NULL);
    int ncon = b->d->ncon;
    mjContact* contact = malloc((size_t)(ncon + 1) * sizeof(mjContact));
    memcpy(contact, b->d->contact, (size_t)ncon * sizeof(mjContact));
    mj_collision(b->m, b->d);
    assert_int_equal(b->d->ncon, ncon);
    for (int k = 0; k < ncon; k++) {
      const mjContact *ours = b->d->contact + k, *ref = contact + k;
      assert_int_equal(ours->geom[0], ref->geom[0]);
      assert_int_equal(ours->geom[1], ref->geom[1]);
      assert_int_equal(ours->dim, ref->dim);
      const mjtNum *x = &ours->dist, *y = &ref->dist;
      int num = (int)(&ours->mu - x);
      char label[60];
      snprintf(label, sizeof label, "contact %d of geoms %d-%d", k, ours->geom[0], ours->geom[1]);
      assert_false(numbers_differ(label, x, y, num, 1e-9, 1));
    }
    compared += ncon;
    free(contact);
  }
  return compared;
}

TEST(random_scenes_agree_with_the_reference) {
  BRIDGE_OR_SKIP();
  static char xml[60000];
  for (int k = 0; k < 6; k++) {
    random_scene(xml, sizeof(xml), (uint64_t)k, 14 + 6 * k, k % 2 ? 1 : 1 + 2 * k);
    Bridge* b = test_bridge(xml);
    assert_that(compare_scene(b, 100 * (uint64_t)k, 40), >, 40);
    test_release(b);
  }
}

// trees of many geoms are descended; the answer is that of comparing all
TEST(tree_descent_loses_nothing) {
  static char xml[40000];
  size_t n = 0, size = sizeof(xml);
  ADD("<mujoco><size memory='20M'/><worldbody>");
  for (int i = 0; i < 60; i++) {
    ADD("<geom type='box' size='.05 .03 .02' pos='%g %g 0' euler='20 30 40'/>", 0.6 * cos(0.1 * i),
        0.6 * sin(0.1 * i));
  }
  for (int b = 0; b < 4; b++) {
    ADD("<body pos='%g %g 0'><freejoint/>", 0.3 * b - 0.5, 0.2 * b - 0.3);
    for (int i = 0; i < 30; i++) {
      ADD("<geom type='capsule' size='.02 .03' pos='%g %g 0' euler='%d 0 0'/>", 0.2 * cos(0.2 * i),
          0.2 * sin(0.2 * i), 20 * i);
    }
    ADD("</body>");
  }
  ADD("</worldbody></mujoco>");
  mjModel* m = test_model(xml);
  mjData* d = collide(m);
  int ncon = d->ncon;
  assert_that(ncon, >, 20);
  m->opt.disableflags |= mjDSBL_MIDPHASE;
  mj_collision(m, d);
  assert_int_equal(d->ncon, ncon);
  mj_deleteData(d);
}

// so many geoms that the number of pairs is more than an int holds: their trees are descended
TEST(pairs_of_geoms_are_counted_beyond_an_int) {
  enum {
    COLUMNS = 200,
    NGEOM = 47000
  };
  const double pitch = 0.01;
  mjSpec* spec = mj_makeSpec();
  spec->memory = 40 << 20;
  for (int b = 0; b < 2; b++) {
    mjsBody* body = mjs_addBody(mjs_findBody(spec, "world"), NULL);
    assert_non_null(mjs_addFreeJoint(body));
    // the last column of the first meets the first of the second
    body->pos[0] = b * (COLUMNS - 1 + 0.5) * pitch;
    for (int i = 0; i < NGEOM; i++) {
      mjsGeom* geom = mjs_addGeom(body, NULL);
      geom->size[0] = 0.4 * pitch;
      geom->pos[0] = pitch * (i % COLUMNS);
      geom->pos[1] = pitch * (i / COLUMNS);
    }
  }
  mjModel* m = test_compile(spec);
  m->vis.global.bvactive = 1;
  mjData* d = collide(m);
  assert_int_equal(d->ncon, NGEOM / COLUMNS);
  collision_mark(m, d);
  assert_int_equal(d->bvh_active[m->body_bvhadr[1]], 1);
  mj_deleteData(d);
  mj_deleteSpec(spec);
}

// the nested sweep finds what comparing all spheres with each other finds
TEST(broad_phase_loses_nothing) {
  static char xml[20000];
  size_t n = 0, size = sizeof(xml);
  ADD("<mujoco><size memory='20M'/><worldbody>");
  for (int i = 0; i < 120; i++) {
    ADD("<body><freejoint/><geom size='.1'/></body>");
  }
  ADD("</worldbody></mujoco>");
  mjModel* m = test_model(xml);
  mjData* d = test_data(m);
  uint64_t seed = 3;
  for (int round = 0; round < 20; round++) {
    for (int i = 0; i < 120; i++) {
      for (int k = 0; k < 3; k++) {
        d->qpos[7 * i + k] = (mjtNum)uniform_between(&seed, -.6, k == 2 && round % 2 ? -.59 : .6);
      }
    }
    mj_kinematics(m, d);
    mj_comPos(m, d);
    mj_collision(m, d);
    int near = 0;
    for (int i = 0; i < m->ngeom; i++) {
      for (int j = i + 1; j < m->ngeom; j++) {
        mjtNum gap[3], square = 0;
        for (int k = 0; k < 3; k++) {
          gap[k] = d->geom_xpos[3 * i + k] - d->geom_xpos[3 * j + k];
          square += gap[k] * gap[k];
        }
        near += square <= (mjtNum)(0.2 * 0.2);
      }
    }
    assert_int_equal(d->ncon, near);
    for (int k = 1; k < d->ncon; k++) {
      const int *a = d->contact[k - 1].geom, *b = d->contact[k].geom;
      assert_true(a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]));
    }
  }
}

// A tilted plane with a margin and a ball, both of the world, meet all spheres that are near.
TEST(bodies_near_the_world_are_not_lost) {
  static char xml[20000];
  size_t n = 0, size = sizeof(xml);
  ADD("<mujoco><size memory='20M'/><worldbody><geom type='plane' size='1 1 1' pos='.1 -.2 .3' "
      "euler='20 30 0' margin='.04'/><geom size='.3' pos='-.2 .3 .6'/>");
  for (int i = 0; i < 120; i++) {
    ADD("<body><freejoint/><geom size='.05' margin='%g'/></body>", i % 3 * 0.03);
  }
  ADD("</worldbody></mujoco>");
  mjModel* m = test_model(xml);
  mjData* d = test_data(m);
  uint64_t seed = 5;
  for (int round = 0; round < 20; round++) {
    for (int i = 0; i < 7 * 120; i++) {
      d->qpos[i] = (mjtNum)(i % 7 < 3 ? uniform_between(&seed, -1, 1) : i % 7 == 3);
    }
    mj_kinematics(m, d);
    mj_comPos(m, d);
    mj_collision(m, d);
    int found[2] = {0, 0}, near[2] = {0, 0};
    for (int k = 0; k < d->ncon; k++) {
      int first = d->contact[k].geom[0];
      found[first != 0] += first < 2;
    }
    for (int i = 2; i < m->ngeom; i++) {
      const mjtNum *x = d->geom_xpos + 3 * i, *plane = d->geom_xmat;
      mjtNum height = 0, square = 0;
      for (int k = 0; k < 3; k++) {
        height += (x[k] - d->geom_xpos[k]) * plane[3 * k + 2];
        square += (x[k] - d->geom_xpos[3 + k]) * (x[k] - d->geom_xpos[3 + k]);
      }
      near[0] += height - (mjtNum)0.05 <= mju_max(m->geom_margin[i], m->geom_margin[0]);
      near[1] += mju_sqrt(square) - (mjtNum)0.35 <= m->geom_margin[i];
    }
    assert_that(near[0], >, 10);
    assert_that(near[0], <, 110);
    assert_that(near[1], >, 0);
    assert_int_equal(found[0], near[0]);
    assert_int_equal(found[1], near[1]);
  }
}

static struct {
  int calls, contacts;
  mjtNum duration;
} seen;

static void see(const mjModel* m, const mjData* d, int geom1, int geom2, int ncon,
                mjtNum duration) {
  assert_that(m->geom_type[geom1], <=, m->geom_type[geom2]);
  assert_that(d->ncon, >=, ncon);
  seen.calls++;
  seen.contacts += ncon;
  seen.duration += duration;
}

static mjtNum tick(void) {
  static mjtNum time;
  return time += 1;
}

TEST(observer_sees_every_pair_of_the_narrow_phase) {
  mjModel* m = test_model(CHAIN "</mujoco>");
  cnd_observePair = see;
  mj_deleteData(collide(m));
  assert_int_equal(seen.calls, 2);
  assert_int_equal(seen.contacts, 2);
  assert_that(seen.duration, ==, 0);
  mjcb_time = tick;
  mj_deleteData(collide(m));
  assert_that(seen.duration, ==, 2);
  mj_resetCallbacks();
  assert_null(cnd_observePair);
  mj_deleteData(collide(m));
  assert_int_equal(seen.calls, 4);
}
