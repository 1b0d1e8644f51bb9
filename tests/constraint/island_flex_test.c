// Which trees of deformables are one island: those of release 4.0.0, and those of 3.3.7.

#include <mujoco/mujoco.h>
#include <stdio.h>

#include "support/load.h"
#include "support/test.h"

#define SHEET                                                                                      \
  "<flexcomp name='f' type='grid' dim='2' count='3 3 1' spacing='.1 .1 .1' radius='.01' mass='1'>" \
  "<contact selfcollide='none'/>%s</flexcomp>"
#define BALL "<geom size='.05' pos='-.1 .1 .05'/>"
#define HINGE "<body pos='0 0 3'><joint range='10 20' limited='true'/><geom size='.1'/></body>"

// Islands of a sheet with elasticity, beside other things.
static void check(const char* dialect, const char* others, const char* elasticity,
                  const int* expected) {
  char xml[2000], sheet[1000];
  snprintf(sheet, sizeof(sheet), SHEET, elasticity);
  snprintf(xml, sizeof(xml),
           "<mujoco><compiler angle='degree'%s/><worldbody>%s%s</worldbody></mujoco>", dialect,
           others, sheet);
  mjModel* m = test_model(xml);
  mjData* d = test_data(m);
  mj_forward(m, d);
  for (int i = 0; i < m->ntree; i++) {
    if (d->tree_island[i] != expected[i]) {
      fail_msg("tree %d is in island %d, not %d", i, d->tree_island[i], expected[i]);
    }
  }
}

#define LATER " dialect='4.0'"
#define STRETCH "<elasticity young='1e4' elastic2d='stretch' thickness='.01'/>"

TEST(elastic_sheets_are_one_island) {
  check(LATER, BALL, STRETCH, (int[]){0, 0, 0, 0, 0, 0, 0, 0, 0});
  check(LATER, BALL, "<elasticity young='1e4' elastic2d='bend' thickness='.01'/>",
        (int[]){0, 0, 0, 0, 0, 0, 0, 0, 0});
}

TEST(contacts_join_all_corners_of_their_elements) {
  check(LATER, BALL, "", (int[]){-1, 0, 0, -1, -1, 0, -1, -1, -1});
  check(LATER, BALL, "<edge damping='1'/>", (int[]){-1, 0, 0, -1, -1, 0, -1, -1, -1});
}

TEST(a_sheet_without_rows_is_in_no_island) {
  check(LATER, HINGE, STRETCH, (int[]){0, -1, -1, -1, -1, -1, -1, -1, -1, -1});
}

TEST(vertices_are_apart_without_the_behaviour) {
  check("", BALL, STRETCH, (int[]){-1, 0, 0, -1, -1, 0, -1, -1, -1});
}

// Forces don't depend on how rows are grouped.
TEST(islands_do_not_change_the_solution) {
  char xml[1000];
  snprintf(xml, sizeof(xml),
           "<mujoco><compiler dialect='4.0'/><option tolerance='0' iterations='50'/><worldbody>"
           "" BALL SHEET "</worldbody></mujoco>",
           STRETCH);
  mjModel* m = test_model(xml);
  mjData* d = test_data(m);
  mjtNum* qacc = malloc((size_t)m->nv * sizeof(mjtNum));
  for (int i = 0; i < 30; i++) {
    mj_forward(m, d);
    mju_copy(qacc, d->qacc, m->nv);
    m->opt.disableflags |= mjDSBL_ISLAND;
    mj_forward(m, d);
    m->opt.disableflags &= ~mjDSBL_ISLAND;
    for (int k = 0; k < m->nv; k++) {
      assert_that(mju_abs(qacc[k] - d->qacc[k]), <, 1e-5 * (1 + mju_abs(qacc[k])));
    }
    mj_step(m, d);
  }
  free(qacc);
}
