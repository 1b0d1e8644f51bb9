// Models of single simulations: each runs as a loop over models that were edited by hand would.

#include <mujoco/mjbatch.h>

#include "support/caught.h"
#include "support/models.h"

enum {
  N = 4
};

static mjBatch* make_batch(const mjModel* m, int n, int persistent) {
  char error[200] = "";
  mjBatchConfig config = {2, (mjtByte)persistent};
  mjBatch* b = mjb_makeBatch(m, n, &config, error, sizeof(error));
  assert_string_equal(error, "");
  return b;
}

static void assert_states(mjBatch* b, mjModel* const* model, int nstep) {
  int n = mjb_nstate(b);
  mjtNum* state = calloc((size_t)n, sizeof(mjtNum));
  for (int i = 0; i < N; i++) {
    mjData* d = test_data(model[i]);
    for (int t = 0; t < nstep; t++) {
      mj_step(model[i], d);
    }
    mj_getState(model[i], d, state, mjSTATE_INTEGRATION);
    for (int k = 0; k < n; k++) {
      if (mjb_state(b)[i * n + k] != state[k]) {
        fail_msg("state %d of simulation %d: %.17g, with a model of its own %.17g", k, i,
                 (double)mjb_state(b)[i * n + k], (double)state[k]);
      }
    }
    test_release(d);
  }
  free(state);
}

// Masses, friction, gravity and time steps of their own, with constants that follow.
TEST(expanded_fields_are_edits_of_a_model) {
  const mjModel* m = our_model(kHumanoid);
  for (int persistent = 0; persistent < 2; persistent++) {
    mjBatch* b = make_batch(m, N, persistent);
    int nmass, nfriction, elemsize;
    mjtNum* mass = mjb_expand(b, "body_mass", &nmass, &elemsize);
    assert_that(nmass, ==, m->nbody);
    assert_that(elemsize, ==, (int)sizeof(mjtNum));
    mjtNum* friction = mjb_expand(b, "geom_friction", &nfriction, NULL);
    mjtNum* gravity = mjb_expand(b, "opt.gravity", NULL, NULL);
    mjtNum* h = mjb_expand(b, "opt.timestep", NULL, NULL);
    int* iterations = mjb_expand(b, "opt.iterations", NULL, &elemsize);
    assert_that(elemsize, ==, (int)sizeof(int));
    mjModel* model[N];
    for (int i = 0; i < N; i++) {
      model[i] = mj_copyModel(NULL, m);
      for (int k = 0; k < m->nbody; k++) {
        mass[i * nmass + k] = model[i]->body_mass[k] *= 1 + (mjtNum)0.1 * (mjtNum)i;
      }
      friction[i * nfriction] = model[i]->geom_friction[0] = (mjtNum)0.2 * (mjtNum)i;
      gravity[3 * i] = model[i]->opt.gravity[0] = (mjtNum)i;
      h[i] = model[i]->opt.timestep = (mjtNum)0.001 * (mjtNum)(1 + i);
      iterations[i] = model[i]->opt.iterations = 5 + i;
      mjData* d = test_data(model[i]);
      mj_setConst(model[i], d);
      test_release(d);
    }
    assert_that(mjb_setConst(b, NULL, 0), ==, 0);
    assert_that(mjb_step(b, NULL, 0, 150, mjSTAGE_NONE), ==, 0);
    assert_states(b, model, 150);

    // the model of a simulation is the edited one
    mjModel* copy = mj_copyModel(NULL, mjb_model(b));
    mjb_getModel(b, 2, copy);
    for (int k = 0; k < cnd_modelFieldCount(); k++) {
      cndArray ours, edited;
      cnd_modelArray(&ours, copy, cnd_modelField(k)->name);
      cnd_modelArray(&edited, model[2], cnd_modelField(k)->name);
      size_t bytes = ours.rows * ours.columns * ours.field->size;
      if (bytes && memcmp(ours.data, edited.data, bytes) != 0) {
        fail_msg("%s of the simulation's model is not that of the edited one", ours.field->name);
      }
    }
    mj_deleteModel(copy);
    for (int i = 0; i < N; i++) {
      mj_deleteModel(model[i]);
    }
    mjb_deleteBatch(b);
  }
}

TEST(only_constants_that_differ_get_rows) {
  const mjModel* m = our_model(kHumanoid);
  mjBatch* b = make_batch(m, N, 0);
  int size = 0;
  assert_null(mjb_expanded(b, "dof_M0", &size, NULL));
  assert_that(size, ==, m->nv);
  mjtNum* friction = mjb_expand(b, "geom_friction", NULL, NULL);
  friction[0] = 5;
  assert_that(mjb_setConst(b, NULL, 0), ==, 0);
  assert_null(mjb_expanded(b, "dof_M0", NULL, NULL));

  // masses that nobody has changed
  mjtNum* mass = mjb_expand(b, "body_mass", NULL, NULL);
  assert_that(mjb_setConst(b, NULL, 0), ==, 0);
  assert_null(mjb_expanded(b, "dof_M0", NULL, NULL));
  mass[m->nbody + 1] *= 2;
  static const int others[] = {0, 2, 3}, changed[] = {1};
  assert_that(mjb_setConst(b, others, 3), ==, 0);
  assert_null(mjb_expanded(b, "dof_M0", NULL, NULL));
  assert_that(mjb_setConst(b, changed, 1), ==, 0);
  const mjtNum* M0 = mjb_expanded(b, "dof_M0", NULL, NULL);
  assert_non_null(M0);
  assert_that(M0[0], ==, m->dof_M0[0]);
  assert_that(M0[m->nv], >, m->dof_M0[0]);
  assert_null(mjb_expanded(b, "qpos0", NULL, NULL));
  assert_null(mjb_expanded(b, "body_sameframe", NULL, NULL));

  // what is derived is computed anew, also where somebody has written
  mjtNum* own = mjb_expand(b, "dof_M0", NULL, NULL);
  assert_ptr_equal(own, M0);
  own[0] = 7;
  assert_that(mjb_setConst(b, NULL, 0), ==, 0);
  assert_that(own[0], ==, m->dof_M0[0]);
  mjb_deleteBatch(b);
}

// A frame that no longer coincides with its body's is heeded.
TEST(flags_of_frames_follow_their_frames) {
  const mjModel* m = test_model(
      "<mujoco><worldbody><body><freejoint/><geom name='g' "
      "size='.1'/></body></worldbody></mujoco>");
  mjBatch* b = make_batch(m, 2, 0);
  mjtNum* ipos = mjb_expand(b, "body_ipos", NULL, NULL);
  mjtNum* xipos = mjb_output(b, "xipos", NULL, NULL);
  ipos[3 * m->nbody + 3] = (mjtNum)0.25;
  assert_that(mjb_setConst(b, NULL, 0), ==, 0);
  mjb_forward(b, NULL, 0, mjSTAGE_POS);
  assert_that(xipos[3], ==, 0);
  assert_that(xipos[3 * m->nbody + 3], ==, (mjtNum)0.25);
  mjb_deleteBatch(b);
}

// A model compiled with other sizes has the same bounds.
TEST(bounds_follow_sizes) {
  static const char xml[] =
      "<mujoco><option density='1000'/><worldbody><body><freejoint/><geom size='%s'/>"
      "<geom type='box' size='%s .2 .3' pos='1 0 0'/><geom type='capsule' size='.1 .2' "
      "pos='.5 0 0' fluidshape='ellipsoid'/></body></worldbody></mujoco>";
  char text[1000];
  const mjModel* model[2];
  for (int k = 0; k < 2; k++) {
    snprintf(text, sizeof(text), xml, k ? ".2" : ".1", k ? ".4" : ".1");
    model[k] = test_model(text);
  }
  mjBatch* b = make_batch(model[0], 2, 0);
  int nsize;
  mjtNum* size = mjb_expand(b, "geom_size", &nsize, NULL);
  mjb_setConst(b, NULL, 0);
  assert_null(mjb_expanded(b, "geom_rbound", NULL, NULL));
  mju_copy(size + nsize, model[1]->geom_size, nsize);
  mjb_setConst(b, NULL, 0);
  const mjtNum* radius = mjb_expanded(b, "geom_rbound", NULL, NULL);
  const mjtNum* box = mjb_expanded(b, "geom_aabb", NULL, NULL);
  assert_null(mjb_expanded(b, "geom_fluid", NULL, NULL));
  for (int g = 0; g < 3; g++) {
    assert_that(radius[g], ==, model[0]->geom_rbound[g]);
    assert_that(mju_abs(radius[3 + g] - model[1]->geom_rbound[g]), <, 1e-6);
    assert_that(mju_abs(box[18 + 6 * g + 3] - model[1]->geom_aabb[6 * g + 3]), <, 1e-6);
  }
  mjb_deleteBatch(b);
}

TEST(structure_and_assets_are_shared) {
  static const char* const refused[] = {"body_parentid",
                                        "geom_type",
                                        "mesh_vert",
                                        "hfield_data",
                                        "nq",
                                        "foo",
                                        "timestep",
                                        "names",
                                        "jnt_qposadr",
                                        "body_simple",
                                        "wrap_prm",
                                        "bvh_child",
                                        "opt.foo",
                                        "opt",
                                        "M_colind",
                                        "sensor_dim",
                                        "tex_data",
                                        "body_dofnum",
                                        "",
                                        "qpos"};
  mjBatch* b = make_batch(our_model(kHumanoid), 2, 0);
  for (size_t k = 0; k < sizeof(refused) / sizeof(refused[0]); k++) {
    int size = -5;
    if (mjb_expand(b, refused[k], &size, NULL) || mjb_expanded(b, refused[k], &size, NULL)) {
      fail_msg("%s can be expanded", refused[k]);
    }
    assert_that(size, ==, -5);
  }
  assert_non_null(mjb_expand(b, "geom_contype", NULL, NULL));
  assert_non_null(mjb_expand(b, "jnt_limited", NULL, NULL));
  assert_non_null(mjb_expand(b, "geom_rgba", NULL, NULL));
  mjb_deleteBatch(b);
}

// Any number in any field that may be expanded ends in results, warnings or an error.
TEST(no_number_in_a_row_breaks_the_others) {
  const mjModel* m = our_model(kHumanoid);
  mju_user_warning = silent;
  static const double reals[] = {NAN, INFINITY, -1, 0, 1e30};
  static const int wholes[] = {-1, 7, 2147483647, -2147483647 - 1};
  int tried = 0;
  for (int k = 0; k < cnd_modelFieldCount() + cnd_optionFieldCount(); k++) {
    char name[100];
    int option = k - cnd_modelFieldCount();
    snprintf(name, sizeof(name), "%s%s", option < 0 ? "" : "opt.",
             option < 0 ? cnd_modelField(k)->name : cnd_optionField(option)->name);
    mjBatch* b = make_batch(m, 2, 0);
    int size, elemsize;
    char* rows = mjb_expand(b, name, &size, &elemsize);
    for (int v = 0; rows && v < 5; v++) {
      for (int i = 0; i < size; i++) {
        if (elemsize == (int)sizeof(mjtNum)) {
          ((mjtNum*)(void*)rows)[i] = (mjtNum)reals[v];
        } else if (elemsize == 4) {
          ((int*)(void*)rows)[i] = wholes[v % 4];
        } else {
          rows[i] = (char)wholes[v % 4];
        }
      }
      tried++;
      mjb_setConst(b, NULL, 0);
      mjb_reset(b, NULL, 0, NULL, mjSTAGE_ACC);
      mjb_step(b, NULL, 0, 2, mjSTAGE_ACC);
      if (mjb_status(b)[1]) {
        fail_msg("%s: the other simulation failed: %s", name, mjb_error(b, 1));
      }
      assert_that(mjb_state(b)[mjb_nstate(b)], ==, 2 * m->opt.timestep);
    }
    mjb_deleteBatch(b);
  }
  mju_user_warning = NULL;
  assert_that(tried, >, 500);
}

TEST(callers_models_take_the_place_of_rows) {
  const mjModel* m = our_model(kHumanoid);
  mjModel* model[N];
  for (int i = 0; i < N; i++) {
    model[i] = mj_copyModel(NULL, m);
    mju_scl(model[i]->dof_damping, m->dof_damping, (mjtNum)i, m->nv);
  }
  for (int persistent = 0; persistent < 2; persistent++) {
    mjBatch* b = make_batch(m, N, persistent);
    mjb_setModels(b, (const mjModel* const*)model);
    assert_that(mjb_step(b, NULL, 0, 20, mjSTAGE_VEL), ==, 0);
    assert_states(b, model, 20);
    assert_error(mjb_expand(b, "body_mass", NULL, NULL),
                 "mjb_expand: the batch runs on caller models");
    assert_error(mjb_setConst(b, NULL, 0), "mjb_setConst: the batch runs on caller models");
    mjModel* copy = mj_copyModel(NULL, m);
    mjb_getModel(b, 3, copy);
    assert_that(copy->dof_damping[6], ==, model[3]->dof_damping[6]);
    mj_deleteModel(copy);
    mjb_setModels(b, NULL);
    mjb_expand(b, "body_mass", NULL, NULL);
    assert_error(mjb_setModels(b, (const mjModel* const*)model),
                 "mjb_setModels: the batch has per-simulation model fields");
    mjb_deleteBatch(b);
  }
  for (int i = 0; i < N; i++) {
    mj_deleteModel(model[i]);
  }
}

TEST(models_of_another_layout_are_refused) {
  const mjModel *m = our_model(kHumanoid), *other = our_model(kChain);
  mjBatch* b = make_batch(m, 2, 0);
  const mjModel* wrong[] = {m, other};
  const mjModel* missing[] = {NULL, m};
  assert_error(mjb_setModels(b, wrong),
               "mjb_setModels: model 1 does not give mjData the batch model's layout");
  assert_error(mjb_setModels(b, missing), "mjb_setModels: model 0 is NULL");
  assert_error(mjb_getModel(b, 0, (mjModel*)(uintptr_t)other),
               "mjb_getModel: model sizes differ from the simulation's");
  assert_error(mjb_getModel(b, 2, (mjModel*)(uintptr_t)m),
               "mjb_getModel: sim must be in [0, 2), got 2");
  mjData* d = test_data(other);
  assert_error(mjb_getData(b, 0, d), "mjb_getData: data sizes differ from the batch's");
  assert_error(mjb_getData(b, -1, d), "mjb_getData: sim must be in [0, 2), got -1");
  test_release(d);
  mjb_deleteBatch(b);
}

TEST(data_of_a_simulation_have_what_was_written_since) {
  const mjModel* m = our_model(kHumanoid);
  for (int persistent = 0; persistent < 2; persistent++) {
    mjBatch* b = make_batch(m, 2, persistent);
    mjb_step(b, NULL, 0, 1, mjSTAGE_ACC);
    mjb_stateComponent(b, mjSTATE_QPOS, NULL)[mjb_nstate(b)] = 5;
    mjb_warning(b)[mjNWARNING].number = 3;
    mjData* d = test_data(m);
    mjb_getData(b, 1, d);
    assert_that(d->qpos[0], ==, 5);
    assert_that(d->time, ==, m->opt.timestep);
    assert_that(d->warning[0].number, ==, 3);
    assert_that(d->xpos[5] > 0, ==, persistent);
    test_release(d);
    mjb_deleteBatch(b);
  }
}
