// The cache of compiled meshes on disk: a robot loads the same with it, and only robots use it.

#define _GNU_SOURCE  // mkdtemp

#include <condyle/robot.h>
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system/files.h"
#include "support/load.h"
#include "support/starve.h"
#include "support/test.h"

static char folder[100];  // of the robot
static char cache[120];

static void write_file(const char* name, const char* text) {
  char path[300];
  snprintf(path, sizeof(path), "%s/%s", folder, name);
  FILE* file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

#define VERTICES "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 1 1 1\n"
#define OBJ                                                                                  \
  "mtllib arm.mtl\n" VERTICES                                                                \
  "vt 0 0\nvt 1 0\nvt 0 1\nusemtl red\nf 1/1 3/2 2/3\nf 1/1 2/2 4/3\nusemtl blue\nf 1 4 3\n" \
  "f 2 3 5\nf 2 5 4\nf 3 4 5\n"
#define MTL "newmtl red\nKd 1 0 0\nnewmtl blue\nKd 0 0 1\n"
#define LINK(name, mesh, scale)                                                             \
  "<link name='" name                                                                       \
  "'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>" \
  "</inertial><visual><geometry><mesh filename='" mesh "'" scale                            \
  "/></geometry></visual><collision><geometry><mesh filename='" mesh "'" scale              \
  "/></geometry></collision></link>"
#define ROBOT \
  "<robot name='r'>" LINK("base", "arm.obj", "") LINK("arm", "arm.obj", " scale='1 2 -1'") \
      LINK("hand", "hand.stl", "")                                                         \
  "<joint name='j' type='revolute'><parent link='base'/><child link='arm'/><axis xyz='0 0 1'/>" \
  "<limit lower='-1' upper='1' effort='1' velocity='1'/></joint><joint name='k' type='fixed'>" \
  "<parent link='arm'/><child link='hand'/></joint></robot>"
#define FACET(a, b, c) \
  "facet normal 0 0 0\nouter loop\nvertex " a "\nvertex " b "\nvertex " c "\nendloop\nendfacet\n"
#define STL                                                                     \
  "solid s\n" FACET("0 0 0", "0 1 0", "1 0 0") FACET("0 0 0", "1 0 0", "0 0 1") \
      FACET("0 0 0", "0 0 1", "0 1 0") FACET("1 0 0", "0 1 0", "0 0 1") "endsolid s\n"

BEFORE_EACH() {
  snprintf(folder, sizeof(folder), "/tmp/condyle-robot-XXXXXX");
  assert_non_null(mkdtemp(folder));
  snprintf(cache, sizeof(cache), "%s/cache", folder);
  setenv("CONDYLE_CACHE", cache, 1);
  write_file("robot.urdf", ROBOT);
  write_file("arm.obj", OBJ);
  write_file("arm.mtl", MTL);
  write_file("hand.stl", STL);
}

AFTER_EACH() {
  char command[200];
  snprintf(command, sizeof(command), "rm -r %s", folder);
  assert_int_equal(system(command), 0);
}

// Number of entries, and a sum that is another one when one is written again.
static int count_entries(unsigned long* sum) {
  int count = 0;
  *sum = 0;
  DIR* dir = opendir(cache);
  for (const struct dirent* it; dir && (it = readdir(dir));) {
    FileState s;
    char path[600];
    snprintf(path, sizeof(path), "%s/%s", cache, it->d_name);
    if (strstr(it->d_name, ".cache") && system_state(&s, path)) {
      count++;
      *sum += (unsigned long)s.number * 31 + (unsigned long)s.changed[1];
    }
  }
  if (dir) {
    closedir(dir);
  }
  return count;
}

static mjModel* load(int uses_cache) {
  char path[200];
  snprintf(path, sizeof(path), "%s/robot.urdf", folder);
  cndRobotOptions options;
  cnd_defaultRobotOptions(&options);
  options.cache = uses_cache;
  mj_clearCache(mj_getCache());  // as in a new process
  return test_own_model(cnd_loadRobot(path, &options, NULL));
}

// Are two models the same, bit by bit?
static int equal(const mjModel* a, const mjModel* b) {
  int size = mj_sizeModel(a);
  char* bytes[2] = {calloc((size_t)size, 1), calloc((size_t)size, 1)};
  int same = mj_sizeModel(b) == size;
  if (same) {
    mj_saveModel(a, NULL, bytes[0], size);
    mj_saveModel(b, NULL, bytes[1], size);
    same = memcmp(bytes[0], bytes[1], (size_t)size) == 0;
  }
  free(bytes[0]);
  free(bytes[1]);
  return same;
}

TEST(a_robot_is_the_same_without_a_cache_with_an_empty_and_with_a_full_one) {
  unsigned long before, after;
  const mjModel* without = load(0);
  assert_int_equal(count_entries(&before), 0);
  const mjModel* empty = load(1);
  int count = count_entries(&before);
  // 2 files; 2 parts of one and 1 of the other, each mesh for the eye once for each scale, and 3
  // that collide
  assert_int_equal(count, 2 + 5 + 3);
  const mjModel* full = load(1);
  assert_int_equal(count_entries(&after), count);
  assert_that(after, ==, before);
  assert_int_equal(equal(without, empty), 1);
  assert_int_equal(equal(without, full), 1);
}

TEST(a_second_load_in_the_same_process_is_the_same) {
  char path[200];
  snprintf(path, sizeof(path), "%s/robot.urdf", folder);
  const mjModel* first = load(1);
  assert_int_equal(equal(first, test_own_model(cnd_loadRobot(path, NULL, NULL))), 1);
}

TEST(a_mesh_file_that_was_changed_is_read_again) {
  const mjModel* before = load(1);
  write_file("arm.obj", OBJ "f 1 2 5\n");
  const mjModel* after = load(1);
  assert_int_equal(after->nmeshface, before->nmeshface + 4);
  assert_int_equal(equal(after, load(0)), 1);
}

TEST(a_file_that_a_mesh_file_names_is_read_again_when_it_was_changed) {
  assert_that(load(1)->geom_rgba[2], ==, 0);
  write_file("arm.mtl", "newmtl red\nKd 1 0 1\n");
  assert_that(load(1)->geom_rgba[2], ==, 1);
  char path[200];
  snprintf(path, sizeof(path), "%s/arm.mtl", folder);
  unlink(path);
  const mjModel* without = load(1);
  assert_int_equal(equal(without, load(0)), 1);
}

TEST(damaged_entries_are_made_anew) {
  unsigned long before, after;
  const mjModel* good = load(1);
  int count = count_entries(&before);
  DIR* dir = opendir(cache);
  for (const struct dirent* it; (it = readdir(dir));) {
    char path[600];
    snprintf(path, sizeof(path), "%s/%s", cache, it->d_name);
    FILE* file = strstr(it->d_name, ".cache") ? fopen(path, "r+b") : NULL;
    if (file) {
      fseek(file, 20, SEEK_SET);
      fputs("damaged", file);
      fclose(file);
    }
  }
  closedir(dir);
  assert_int_equal(equal(good, load(1)), 1);
  assert_int_equal(count_entries(&after), count);
  assert_that(after, !=, before);
  assert_int_equal(equal(good, load(1)), 1);
}

static void empty_cache(void) {
  DIR* dir = opendir(cache);
  for (const struct dirent* it; dir && (it = readdir(dir));) {
    char path[600];
    snprintf(path, sizeof(path), "%s/%s", cache, it->d_name);
    unlink(path);
  }
  if (dir) {
    closedir(dir);
  }
}

static int load_starved(void* is_empty) {
  char path[200];
  snprintf(path, sizeof(path), "%s/small.urdf", folder);
  if (is_empty) {
    empty_cache();
  }
  mj_clearCache(mj_getCache());
  cndDiagnostics* problems = cnd_makeDiagnostics();
  mjModel* m = problems ? cnd_loadRobot(path, NULL, problems) : NULL;
  const char* message = problems ? "" : "memory";
  for (int i = 0; i < cnd_diagnosticCount(problems, cndSEVERITY_WARNING); i++) {
    const cndDiagnostic* one = cnd_diagnostic(problems, i);
    message = !one                                 ? "no memory for it"
              : one->severity == cndSEVERITY_ERROR ? one->message
                                                   : message;
  }
  int outcome = starve_outcome(m != NULL, message);
  mj_deleteModel(m);
  cnd_deleteDiagnostics(problems);
  mj_clearCache(mj_getCache());
  return outcome;
}

TEST(without_memory_a_full_cache_loses_nothing) {
  STARVE_OR_SKIP();
  write_file("small.urdf", "<robot name='r'>" LINK("hand", "hand.stl", "") "</robot>");
  starve_each(load_starved, NULL);
}

TEST(without_memory_an_empty_cache_loses_nothing) {
  STARVE_OR_SKIP();
  write_file("small.urdf", "<robot name='r'>" LINK("hand", "hand.stl", "") "</robot>");
  starve_each(load_starved, folder);
}

TEST(only_robots_are_cached_on_disk) {
  char path[200], error[300];
  unsigned long sum;
  write_file("model.xml",
             "<mujoco><asset><mesh name='m' file='hand.stl'/></asset><worldbody><geom type='mesh' "
             "mesh='m'/></worldbody></mujoco>");
  mj_clearCache(mj_getCache());
  snprintf(path, sizeof(path), "%s/model.xml", folder);
  test_own_model(mj_loadXML(path, NULL, error, sizeof(error)));
  snprintf(path, sizeof(path), "%s/robot.urdf", folder);
  mjModel* m = mj_loadXML(path, NULL, error, sizeof(error));
  mj_deleteModel(m);
  assert_int_equal(count_entries(&sum), 0);
  assert_int_equal(access(cache, F_OK), -1);
  setenv("CONDYLE_CACHE", "off", 1);
  load(1);
  assert_int_equal(access("off", F_OK), -1);
}

TEST(a_spec_of_a_robot_is_cached_too) {
  char path[200];
  unsigned long before, after;
  snprintf(path, sizeof(path), "%s/robot.urdf", folder);
  const mjModel* m = load(1);
  int count = count_entries(&before);
  mj_clearCache(mj_getCache());
  mjSpec* spec = test_own_spec(cnd_parseRobot(path, NULL, NULL));
  assert_int_equal(equal(m, test_own_model(mj_compile(spec, NULL))), 1);
  assert_int_equal(count_entries(&after), count);
  assert_that(after, ==, before);
}
