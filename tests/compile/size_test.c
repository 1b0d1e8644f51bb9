// Large sizes: memory that is never written costs nothing, and more memory than the machine has is
// refused before it is allocated.

#include <sys/resource.h>
#include <time.h>

#include "support/models.h"

// Most bytes that this process has had in memory so far.
static double most_bytes(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * (double)usage.ru_maxrss;
}

static double cpu_seconds(void) {
  return (double)clock() / CLOCKS_PER_SEC;
}

static void plain_only(void) {
#ifdef CONDYLE_SANITIZED
  test_skip("instrumented memory is touched, and slow");
#endif
}

TEST(what_is_not_used_is_not_touched) {
  static const char* const models[] = {
      "<mujoco><size nuserdata='100000000'/></mujoco>",
      ("<mujoco><size nuser_geom='50000000'/><worldbody><geom size='1'/><geom size='1' user='1'/>"
       "</worldbody></mujoco>"),
      "<mujoco><size memory='3G'/></mujoco>",
  };
  plain_only();
  for (int i = 0; i < 3; i++) {
    double before = most_bytes();
    mjModel* m = test_model(models[i]);
    mjData* d = test_data(m);
    mj_step(m, d);
    assert_true(i != 1 || m->geom_user[m->nuser_geom] == 1);
    if (most_bytes() - before > 1e8) {
      fail_msg("%s: %.0f MB more", models[i], (most_bytes() - before) / 1e6);
    }
    test_release(m);
  }
}

// keyframes hold the reference configuration: they do need their memory
TEST(what_the_machine_lacks_is_refused) {
  double before = most_bytes();
  cndDiagnostics* list = cnd_makeDiagnostics();
  mjModel* m = cnd_loadXMLString(
      "<mujoco>\n<size nkey='100000'/><worldbody><replicate count='9000' offset='3 0 0'><body>"
      "<freejoint/><geom size='1'/></body></replicate></worldbody></mujoco>",
      NULL, list);
  assert_null(m);
  assert_non_null(strstr(cnd_diagnostic(list, 0)->message, "could not create mjModel"));
  assert_int_equal(cnd_diagnostic(list, 0)->line, 2);
  cnd_deleteDiagnostics(list);
#ifndef CONDYLE_SANITIZED
  assert_that(most_bytes() - before, <, 2e8);
#else
  (void)before;
#endif
}

TEST(many_geoms_in_one_body_load_quickly) {
  plain_only();
  double start = cpu_seconds();
  mjModel* m = test_model(
      "<mujoco><worldbody><body><freejoint/><replicate count='65536' offset='1 0 0'>"
      "<geom size='.1'/></replicate></body></worldbody></mujoco>");
  assert_int_equal(m->ngeom, 65536);
  assert_that(cpu_seconds() - start, <, (kThorough ? 4 : 20));
}

// more pairs of geoms than an int counts: the trees of boxes decide, not each geom with each
TEST(large_bodies_meet_by_their_trees) {
  plain_only();
  mjModel* m = test_model(
      "<mujoco><worldbody><body><freejoint/><replicate count='50000' offset='1 0 0'><geom "
      "size='.1'/>"
      "</replicate></body><body pos='.5 0 0'><freejoint/><replicate count='50000' offset='1 0 0'>"
      "<geom size='.1'/></replicate></body></worldbody></mujoco>");
  mjData* d = test_data(m);
  mj_kinematics(m, d);
  mj_comPos(m, d);
  double start = cpu_seconds();
  mj_collision(m, d);
  assert_that(cpu_seconds() - start, <, (kThorough ? 1 : 5));
  assert_int_equal(d->ncon, 0);
}

// broken and careless files say the same thing any number of times
TEST(what_is_repeated_costs_no_search) {
  static const char* const files[][3] = {
      {"<robot name='r'>", "<link name='a'/>", "</robot>"},
      {"<robot name='r'><link name='a'/>", "<material name='m'><color rgba='1 0 0 1'/></material>",
       "</robot>"},
      {"<mujoco><asset><mesh name='m' inertia='shell' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 1 3",
       " 0 2 1",
       "'/></asset><worldbody><geom type='mesh' mesh='m' contype='0' conaffinity='0'/>"
       "</worldbody></mujoco>"},
  };
  enum {
    REPEATED = 100000
  };
  plain_only();
  for (int i = 0; i < 3; i++) {
    size_t before = strlen(files[i][0]), piece = strlen(files[i][1]);
    char* text = malloc(before + piece * REPEATED + strlen(files[i][2]) + 1);
    assert_non_null(text);
    memcpy(text, files[i][0], before);
    for (size_t k = 0; k < REPEATED; k++) {
      memcpy(text + before + piece * k, files[i][1], piece);
    }
    strcpy(text + before + piece * REPEATED, files[i][2]);
    double start = cpu_seconds();
    mjModel* m = cnd_loadXMLString(text, NULL, NULL);
    double time = cpu_seconds() - start;
    assert_true(i == 0 ? !m : m != NULL);
    if (time > 4) {
      fail_msg("file %d: %.1f s", i, time);
    }
    mj_deleteModel(m);
    free(text);
  }
}
