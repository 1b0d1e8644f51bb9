// The behaviour pathdofs: numbers are those of release 4.0.0.

#include <condyle/behaviour.h>
#include <stdio.h>
#include <string.h>

#include "support/load.h"
#include "support/near.h"
#include "support/test.h"

static const char kRobot[] =
    "<mujoco><option jacobian='%s'><behaviour pathdofs='%s'/></option><worldbody><site name='w'/>"
    "<body name='a' pos='0 0 1'><joint name='a1' axis='1 0 0'/><joint name='a2' axis='0 1 0'/>"
    "<geom size='.1'/><site name='sa' pos='.1 0 .1'/>"
    "<body pos='.3 0 0'><joint axis='0 1 0'/><geom size='.1'/><site name='sb' pos='.1 .1 0'/>"
    "<body pos='.3 0 0'><joint/><joint name='c2' type='slide'/><geom size='.1'/>"
    "<site name='sc' pos='.1 .1 0'/></body></body>"
    "<body pos='0 .4 0'><joint axis='0 1 0'/><geom size='.1'/><site name='se' pos='.1 .1 0'/>"
    "</body></body>"
    "<body pos='3 0 2'><freejoint/><geom size='.3' name='gf'/><site name='sf' pos='0 0 .1'/></body>"
    "<body pos='6 0 2'><joint name='h' type='ball'/><geom size='.3' pos='0 0 .2'/></body>"
    "</worldbody><tendon><spatial name='t1'><site site='sc'/><site site='se'/></spatial>"
    "<spatial name='t2'><site site='w'/><geom geom='gf'/><site site='sb'/></spatial>"
    "<fixed name='t3'><joint joint='a1' coef='1'/><joint joint='c2' coef='2'/></fixed></tendon>"
    "<actuator>%s</actuator></mujoco>";

// An actuator, its room, and the entries of its moment: at rest zeros are stored of tendons alone.
static const struct {
  const char* actuator;
  int room, entries;
} kCase[] = {
    {"<motor joint='a1'/>", 1, 1},
    {"<motor joint='h' gear='1 2 3'/>", 3, 3},
    {"<motor site='sc'/>", 5, 1},
    {"<motor site='w'/>", 0, 0},
    {"<motor site='sf' gear='0 0 1 0 0 0'/>", 6, 1},
    {"<motor site='sc' refsite='se' gear='1 0 0 0 0 0'/>", 4, 1},
    {"<motor site='sc' refsite='sb' gear='1 0 0 0 0 0'/>", 2, 1},
    {"<motor site='sc' refsite='sf' gear='1 0 0 0 0 0'/>", 11, 3},
    {"<motor site='sc' refsite='sc' gear='1 0 0 0 0 0'/>", 0, 0},
    {"<motor cranksite='sc' slidersite='sa' cranklength='.5'/>", 5, 2},
    {"<motor cranksite='se' slidersite='sc' cranklength='.5'/>", 6, 3},
    {"<motor cranksite='sf' slidersite='w' cranklength='.5'/>", 6, 1},
    {"<motor tendon='t1'/>", 6, 6},
    {"<motor tendon='t2'/>", 9, 9},
    {"<motor tendon='t3'/>", 2, 2},
    {"<adhesion body='a' ctrlrange='0 1'/>", 15, 0},
};

static mjModel* robot(const char* jacobian, const char* rule, const char* actuator) {
  char text[3000];
  snprintf(text, sizeof(text), kRobot, jacobian, rule, actuator);
  return test_model(text);
}

TEST(moments_have_room_for_the_dofs_that_can_move_their_actuators) {
  for (size_t i = 0; i < sizeof(kCase) / sizeof(kCase[0]); i++) {
    for (int sparse = 0; sparse < 2; sparse++) {
      const char* jacobian = sparse ? "sparse" : "dense";
      mjModel* m = robot(jacobian, "enable", kCase[i].actuator);
      mjModel* old = robot(jacobian, "disable", kCase[i].actuator);
      mjData *d = test_data(m), *before = test_data(old);
      mj_forward(m, d);
      mj_forward(old, before);
      assert_int_equal(m->nJmom, kCase[i].room);
      assert_int_equal(old->nJmom, i < 2 ? kCase[i].room : old->nv);
      assert_int_equal(d->moment_rownnz[0], kCase[i].entries);

      // the same numbers, with zeros
      mjtNum row[2][15] = {{0}};
      for (int k = 0; k < d->moment_rownnz[0]; k++) {
        row[0][d->moment_colind[k]] += d->actuator_moment[k];
      }
      for (int k = 0; k < before->moment_rownnz[0]; k++) {
        row[1][before->moment_colind[k]] += before->actuator_moment[k];
      }
      assert_int_equal(memcmp(row[0], row[1], sizeof(row[0])), 0);
    }
  }
}

// Two ropes that could lean on a ball, but don't: the ball is on their island where rows are
// sparse.
TEST(the_path_of_a_tendon_is_on_one_island_where_rows_are_sparse) {
  static const char kRopes[] =
      "<mujoco><option jacobian='%s' gravity='0 0 -1'><behaviour pathdofs='%s'/></option>"
      "<worldbody><body pos='0 0 1.5'><freejoint/><site name='m'/>"
      "<geom name='ball' size='.3' contype='0' conaffinity='0'/></body>"
      "<replicate count='2' euler='0 0 20'><body pos='.2 0 1.5'><freejoint/><site name='a'/>"
      "<geom size='.03'/></body><body pos='1.2 0 1.5'><freejoint/><site name='b'/>"
      "<geom size='.1'/></body></replicate></worldbody><tendon><spatial range='0 .5'>"
      "<site site='a'/><geom geom='ball' sidesite='m'/><site "
      "site='b'/></spatial></tendon></mujoco>";
  mjtNum qacc[30];
  for (int sparse = 0; sparse < 2; sparse++) {
    for (int rule = 0; rule < 2; rule++) {
      char text[2000];
      snprintf(text, sizeof(text), kRopes, sparse ? "sparse" : "dense",
               rule ? "enable" : "disable");
      mjModel* m = test_model(text);
      m->opt.tolerance = 0;
      mjData* d = test_data(m);
      mj_forward(m, d);
      assert_int_equal(d->nefc, 2);
      assert_int_equal(d->nisland, sparse && rule ? 1 : 2);
      assert_int_equal(d->tree_island[0], sparse && rule ? 0 : -1);
      if (sparse || rule) {
        assert_close(d->qacc, qacc, m->nv, 1e-9);
      } else {
        mju_copy(qacc, d->qacc, m->nv);
      }
    }
  }
}

TEST(a_binary_model_keeps_the_room_of_its_moments) {
  mjModel* m = robot("auto", "enable", kCase[6].actuator);
  mjtSize size = mj_sizeModel(m);
  void* buffer = mju_malloc(size);
  mj_saveModel(m, NULL, buffer, (int)size);
  mjModel* again = mj_loadModelBuffer(buffer, (int)size);
  assert_int_equal(again->nJmom, 2);
  mj_deleteModel(again);
  mju_free(buffer);
}
