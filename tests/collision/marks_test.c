// The nodes that a search for contacts marks as visited are the reference's, in all models: for
// bodies, for flexes, and for flexes that collide with themselves.

#include "collision/marks.h"

#include <string.h>

#include "support/caught.h"
#include "support/models.h"

// SDF plugins may be missing and their trees are large; the marks of their bodies are no others.
static int is_skipped(const char* path) {
  return strstr(path, "/plugin/") || strstr(path, "/refused/");
}

// 0 if the reference ends in an error: its stack may be too small.
static int reference_collides(Bridge* b) {
  void (**handler)(const char*) = bridge_function("mju_user_error");
  *handler = caught_jump;
  volatile int done = 0;
  if (!setjmp(caught_place)) {
    bridge_run(b, "mj_fwdPosition");
    done = 1;
  }
  *handler = NULL;
  return done;
}

// Nodes of meshes stand between those of bodies and of flexes. The reference marks them where a
// signed distance field casts rays.
static int is_mesh_node(const mjModel* m, int node) {
  int bodies = 0;
  for (int b = 0; b < m->nbody; b++) {
    bodies += m->body_bvhnum[b];
  }
  return node >= bodies && node < m->nbvhstatic;
}

static void marks_agree(const char* path) {
  Bridge* b = is_skipped(path) ? NULL : bridge_load(path);
  if (!b) {
    return;
  }
  void (**warning)(const char*) = bridge_function("mju_user_warning");
  *warning = silent;
  b->m->vis.global.bvactive = 1;
  for (unsigned int seed = 0; seed < 6; seed += 2) {
    bridge_random(b, seed, 0.1 * seed);
    if (!reference_collides(b)) {
      break;
    }
    bridge_pull(b, NULL);
    size_t count;
    const mjtByte* theirs = bridge_ref_data(b, "bvh_active", &count);
    memset(b->d->bvh_active, 2, count);
    collision_mark(b->m, b->d);
    for (int i = 0; i < (int)count; i++) {
      mjtByte right = is_mesh_node(b->m, i) ? 0 : theirs[i];
      if (b->d->bvh_active[i] != right) {
        fail_msg("node %d of %s in state %u: %d, %d in the reference", i, path, seed,
                 b->d->bvh_active[i], right);
      }
    }
  }
  bridge_free(b);
}

TEST(nodes_are_marked_as_in_the_reference) {
  BRIDGE_OR_SKIP();
  models_each("", marks_agree);
  models_matching(MODELS "*.xml", marks_agree);
}

TEST(nodes_of_shared_models_are_marked_as_in_the_reference) {
  BRIDGE_OR_SKIP();
  shared_or_skip();
  models_matching(SHARED_MODELS "*/*.xml", marks_agree);
}

// Options that replace margins, take searches away or exclude bodies.
TEST(options_change_marks_as_in_the_reference) {
  BRIDGE_OR_SKIP();
  static const char pile[] =
      "<geom type='plane' size='1 1 1'/><body name='a'><freejoint/><geom size='.1'/><geom size='.1'"
      " pos='.5 0 0'/></body><body name='b' pos='.25 .21 0'><freejoint/><geom type='box' size='.1 "
      ".1"
      " .1'/><geom type='capsule' size='.05 .1' pos='.5 0 0' contype='2' conaffinity='2'/></body>";
  static const char* const before[] = {
      "", "<option o_margin='.3'><flag override='enable'/></option>",
      "<option><flag midphase='disable'/></option>", "<option><flag contact='disable'/></option>",
      "<contact><exclude body1='a' body2='b'/></contact>"};
  for (size_t i = 0; i < sizeof before / sizeof before[0]; i++) {
    char xml[2000];
    snprintf(xml, sizeof xml, "<mujoco>%s<worldbody>%s</worldbody></mujoco>", before[i], pile);
    Bridge* b = bridge_load_text(xml);
    assert_non_null(b);
    bridge_run(b, "mj_fwdPosition");
    bridge_pull(b, NULL);
    size_t count;
    const mjtByte* theirs = bridge_ref_data(b, "bvh_active", &count);
    collision_mark(b->m, b->d);
    assert_memory_equal(b->d->bvh_active, theirs, count);
    bridge_free(b);
  }
}
