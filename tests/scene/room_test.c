// The memory of scenes.

#include "support/bridge.h"
#include "support/caught.h"
#include "support/load.h"
#include "support/models.h"
#include "support/ref_scene.h"
#include "support/test.h"
#include "view/same_scene.h"

static const char model[] =
    "<mujoco><worldbody><geom size='1'/><flexcomp name='cloth' type='grid' count='3 4 1' "
    "spacing='.1 .1 .1' radius='.01' dim='2'/><flexcomp name='solid' type='grid' count='3 4 3' "
    "spacing='.1 .1 .1' radius='.01' dim='3'/><flexcomp name='cable' type='grid' count='5 1 1' "
    "spacing='.1 .1 .1' radius='.01' dim='1'/></worldbody></mujoco>";

TEST(a_scene_has_room_for_shapes_alone) {
  mjvScene scn;
  mjv_defaultScene(&scn);
  mjv_makeScene(NULL, &scn, 10);
  assert_int_equal(scn.maxgeom, 10);
  assert_non_null(scn.geoms);
  assert_non_null(scn.geomorder);
  assert_null(scn.flexvert);
  assert_that(scn.scale, ==, 1);
  assert_that(scn.rotate[0], ==, 1);
  assert_true(scn.flags[mjRND_SHADOW]);
  for (int i = 0; i < mjNRNDFLAG; i++) {
    assert_int_equal(scn.flags[i], mjRNDSTRING[i][1][0] == '1');
  }
  // what it has is freed when it is made again
  mjv_makeScene(NULL, &scn, -3);
  assert_int_equal(scn.maxgeom, 0);
  assert_null(scn.geoms);
  mjv_freeScene(&scn);
  mjv_freeScene(&scn);
}

TEST(flexes_have_room_for_their_faces) {
  mjModel* m = test_model(model);
  mjvScene scn;
  mjv_defaultScene(&scn);
  mjv_makeScene(m, &scn, 1);
  assert_int_equal(scn.nflex, 3);
  assert_int_equal(scn.flexfacenum[0], 2 * m->flex_elemnum[0] + 2 * m->flex_shellnum[0]);
  assert_int_equal(scn.flexfaceadr[1], scn.flexfacenum[0]);
  assert_that(scn.flexfacenum[1], >=, m->flex_shellnum[1]);
  mjv_freeScene(&scn);
}

TEST(a_scene_that_is_too_large_is_an_error) {
  mjvScene scn;
  mjv_defaultScene(&scn);
  size_t before = cnd_limitMemory(1 << 20);
  assert_error(mjv_makeScene(NULL, &scn, 1 << 20), "mjv_makeScene: out of memory");
  cnd_limitMemory(before);
  assert_null(scn.geoms);
  assert_int_equal(scn.maxgeom, 0);
}

TEST(room_agrees_with_the_reference) {
  Bridge* b = test_bridge(model);
  mjvScene ours, theirs;
  mjv_defaultScene(&ours);
  mjv_defaultScene(&theirs);
  mjv_makeScene(b->m, &ours, 5);
  ref_scene_make(b, &theirs, 5);
  memset(theirs.flexfaceused, 0, 3 * sizeof(int));
  memset(theirs.flexvert, 0, 3 * sizeof(float) * (size_t)b->m->nflexvert);
  assert_int_equal(scenes_differ(b->m, &ours, &theirs, 1), 0);
  mjv_freeScene(&ours);
  ref_scene_free(&theirs);
  assert_memory_equal(&ours, &theirs, sizeof ours);
}
