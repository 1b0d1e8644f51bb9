// The containers against the reference's: sizes, layout, defaults, names, copies of live data.

#include "support/bridge.h"

#include "model/model.h"
#include "model/names.h"
#include "support/test.h"

static const char text[] =
    "<mujoco><size nuser_body='2' nuserdata='3'/>"
    "<asset><texture name='t' type='2d' builtin='checker' width='8' height='8'/>"
    "<material name='mat' texture='t'/></asset>"
    "<worldbody><geom name='floor' type='plane' size='1 1 1' material='mat'/><light name='sun'/>"
    "<body name='ball' pos='0 0 .09'><freejoint name='free'/><geom size='.1'/><site name='s'/>"
    "<body name='arm' pos='.1 0 0'><joint name='hinge' range='-30 30' limited='true'/>"
    "<geom name='rod' type='capsule' size='.02 .1'/><camera name='eye'/></body></body>"
    "<body name='hand' mocap='true' pos='1 2 3'/></worldbody>"
    "<tendon><fixed name='ten'><joint joint='hinge' coef='2'/></fixed></tendon>"
    "<actuator><motor name='m1' joint='hinge'/><position joint='hinge' kp='3' timeconst='.1'/>"
    "</actuator><sensor><gyro name='g' site='s'/></sensor>"
    "<keyframe><key name='k0' time='2'/></keyframe>"
    "<custom><numeric name='n' data='1 2'/><text name='words' data='abc'/></custom></mujoco>";

static Bridge* b;

BEFORE_EACH() {
  b = bridge_load_text(text);
}

AFTER_EACH() {
  bridge_free(b);
}

TEST(sizes_and_arrays_are_the_references) {
  BRIDGE_OR_SKIP();
  assert_int_equal(bridge_compare_model(b, NULL, 0), 0);
  assert_null(model_validate(b->m));
  int (*size)(const void*);
  void* symbol = bridge_function("mj_sizeModel");
  memcpy(&size, &symbol, sizeof(size));
  assert_int_equal(mj_sizeModel(b->m), size(b->ref_m));
}

TEST(new_data_is_the_references) {
  BRIDGE_OR_SKIP();
  assert_int_equal(bridge_compare(b, NULL, 0), 0);
  assert_int_equal(bridge_compare(b, "narena nbuffer pstack parena nplugin", 0), 0);
}

TEST(live_data_survives_a_copy) {
  BRIDGE_OR_SKIP();
  bridge_random(b, 3, 0.4);
  assert_int_equal(bridge_compare(b, NULL, 0), 0);
  b->d->qpos[2] = (mjtNum)0.05;
  bridge_push(b, "qpos");
  bridge_run(b, "mj_forward");
  bridge_pull(b, NULL);
  assert_that(b->d->ncon, >, 0);
  assert_that(b->d->nefc, >, 0);
  assert_int_equal(bridge_compare(b, NULL, 0), 0);

  mjData* copy = mj_copyData(NULL, b->m, b->d);
  assert_int_equal(bridge_compare_datas(b->m, copy, b->d, NULL, 0), 0);
  mj_deleteData(copy);
}

TEST(differences_are_noticed) {
  BRIDGE_OR_SKIP();
  bridge_random(b, 5, 0.4);
  bridge_run(b, "mj_forward");
  bridge_pull(b, NULL);
  b->d->xpos[4] += (mjtNum)1e-6;
  b->d->ncon++;
  assert_int_equal(bridge_compare(b, "xpos", 1e-9), 1);
  assert_int_equal(bridge_compare(b, "xpos", 1e-3), 0);
  assert_int_equal(bridge_compare(b, "ncon", 1e9), 1);
  b->d->ncon--;
  b->m->body_mass[1] += 1;
  assert_int_equal(bridge_compare_model(b, "body_mass", 1e-9), 1);
}

TEST(names_are_hashed_alike) {
  BRIDGE_OR_SKIP();
  names_index(b->m);
  assert_int_equal(bridge_compare_model(b, "names_map", 0), 0);
  assert_int_equal(mj_name2id(b->m, mjOBJ_GEOM, "rod"), 2);
  assert_int_equal(mj_name2id(b->m, mjOBJ_TEXT, "words"), 0);
  assert_string_equal(mj_id2name(b->m, mjOBJ_MATERIAL, 0), "mat");
}

static void call(const char* function, void* out) {
  void (*fill)(void*);
  void* symbol = bridge_function(function);
  memcpy(&fill, &symbol, sizeof(fill));
  fill(out);
}

TEST(default_settings_are_the_references) {
  BRIDGE_OR_SKIP();
  mjOption opt, ref_opt;
  memset(&opt, 0, sizeof(opt));
  memset(&ref_opt, 0, sizeof(opt));
  mj_defaultOption(&opt);
  call("mj_defaultOption", &ref_opt);
  assert_memory_equal(&opt, &ref_opt, offsetof(mjOption, sleep_tolerance));

  mjVisual vis, ref_vis;
  mj_defaultVisual(&vis);
  call("mj_defaultVisual", &ref_vis);
  assert_memory_equal(&vis, &ref_vis, sizeof(vis));

  mjLROpt lr, ref_lr;
  memset(&lr, 0, sizeof(lr));
  memset(&ref_lr, 0, sizeof(lr));
  mj_defaultLROpt(&lr);
  call("mj_defaultLROpt", &ref_lr);
  assert_int_equal(lr.mode, ref_lr.mode);
  assert_memory_equal(&lr.accel, &ref_lr.accel, sizeof(lr) - offsetof(mjLROpt, accel));
}

TEST(states_are_gathered_alike) {
  BRIDGE_OR_SKIP();
  bridge_random(b, 7, 0.4);
  int (*size)(const void*, unsigned int);
  void (*get)(const void*, const void*, mjtNum*, unsigned int);
  void* symbol = bridge_function("mj_stateSize");
  memcpy(&size, &symbol, sizeof(size));
  symbol = bridge_function("mj_getState");
  memcpy(&get, &symbol, sizeof(get));

  mjtNum ours[500], theirs[500];
  for (unsigned int sig = 1; sig < 1u << mjNSTATE; sig = 3 * sig + 1) {
    int n = mj_stateSize(b->m, sig);
    assert_int_equal(n, size(b->ref_m, sig));
    mj_getState(b->m, b->d, ours, sig);
    get(b->ref_m, b->ref_d, theirs, sig);
    assert_memory_equal(ours, theirs, (size_t)n * sizeof(mjtNum));
  }
}

TEST(warnings_read_alike) {
  BRIDGE_OR_SKIP();
  const char* (*ref_text)(int, size_t);
  void* symbol = bridge_function("mju_warningText");
  memcpy(&ref_text, &symbol, sizeof(ref_text));
  for (int i = 0; i <= mjNWARNING; i++) {
    assert_string_equal(mju_warningText(i, 1 << 20), ref_text(i, 1 << 20));
  }
}
