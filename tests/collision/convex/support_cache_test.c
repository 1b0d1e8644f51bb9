// Meshes copied for a collision stage: how long they last, and that they change no contact.

#include "collision/convex/support_cache.h"
#include "collision/mesh_scene.h"
#include "support/test.h"

TEST(copies_last_as_long_as_the_stage) {
  const Scene scene = scene_make(), *s = &scene;
  ConvexShape shape;
  assert_true(convex_shape(&shape, s->m, s->d, SCENE_SOLIDS, 0));
  assert_null(support_cache_copy(s->d, &shape, MOST_POINTS));
  mj_markStack(s->d);
  support_cache_open(s->m, s->d);
  const SupportPoints* points = support_cache_copy(s->d, &shape, MOST_POINTS);
  assert_non_null(points);
  assert_int_equal(points->num, points_number(&shape));
  assert_ptr_equal(support_cache_copy(s->d, &shape, MOST_POINTS), points);
  assert_ptr_equal(support_cache_find(s->d, &shape, MOST_POINTS), points);
  // a stage that an error has left is not believed once the stack is empty
  size_t top = s->d->pstack;
  s->d->pstack = 0;
  assert_null(support_cache_copy(s->d, &shape, MOST_POINTS));
  s->d->pstack = top;
  support_cache_close(s->d);
  assert_null(support_cache_copy(s->d, &shape, MOST_POINTS));
  assert_non_null(support_cache_find(s->d, &shape, MOST_POINTS));
  mj_freeStack(s->d);
  assert_int_equal(s->d->pstack, 0);
  // nor when something else lies there
  mj_markStack(s->d);
  support_cache_open(s->m, s->d);
  mj_freeStack(s->d);
  mj_markStack(s->d);
  mj_stackAllocByte(s->d, 1 << 14, 1);
  assert_null(support_cache_copy(s->d, &shape, MOST_POINTS));
  mj_freeStack(s->d);
  scene_free(s);
}

// pairs within a stage, and by themselves
TEST(copies_change_no_contact) {
  const Scene scene = scene_make(), *s = &scene;
  mjfCollision collide = mjCOLLISIONFUNC[mjGEOM_MESH][mjGEOM_MESH];
  uint64_t seed = 12;
  int contacts = 0;
  for (int n = 0; n < 40; n++) {
    for (int g2 = SCENE_SOLIDS + 1; g2 < SCENE_GEOMS; g2++) {
      mjContact kept[mjMAXCONPAIR], own[mjMAXCONPAIR];
      scene_place(s->d, g2 - 1, g2, &seed, n % SCENE_PLACES, 0.4);
      memset(kept, 0, sizeof(kept));
      memset(own, 0, sizeof(own));
      mj_markStack(s->d);
      support_cache_open(s->m, s->d);
      int num = collide(s->m, s->d, kept, g2 - 1, g2, 0);
      support_cache_close(s->d);
      mj_freeStack(s->d);
      assert_int_equal(collide(s->m, s->d, own, g2 - 1, g2, 0), num);
      assert_memory_equal(own, kept, sizeof(kept));
      contacts += num;
    }
  }
  assert_that(contacts, >, 100);
  scene_free(s);
}
