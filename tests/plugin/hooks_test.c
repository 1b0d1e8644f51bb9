// A plugin of the test's own: when its hooks are called, with what, and what they leave.

#include <pthread.h>

#include "support/caught.h"
#include "support/models.h"

// what the hooks say, one letter each
static char heard[4000];
static int alive;     // instances that were made and not destroyed
static int failing;   // instance whose init fails, -1: none
static int state_of;  // what nstate says

static void say(char letter) {
  size_t n = strlen(heard);
  if (n + 1 < sizeof heard) {
    heard[n] = letter;
    heard[n + 1] = 0;
  }
}

static int nstate(const mjModel* m, int instance) {
  (void)m, (void)instance;
  return state_of;
}

static int nsensordata(const mjModel* m, int instance, int sensor) {
  (void)sensor;
  return atoi(mj_getPluginConfig(m, instance, "gain"));
}

static int init(const mjModel* m, mjData* d, int instance) {
  (void)m;
  if (instance == failing) {
    mju_warning("it does not like to");
    return -1;
  }
  say('i');
  d->plugin_data[instance] = (uintptr_t)malloc(8);
  *(int*)d->plugin_data[instance] = instance;
  alive++;
  return 0;
}

static void destroy(mjData* d, int instance) {
  say('d');
  free((void*)d->plugin_data[instance]);
  alive--;
}

static void copy(mjData* dest, const mjModel* m, const mjData* src, int instance) {
  (void)m;
  say('c');
  *(int*)dest->plugin_data[instance] = *(int*)src->plugin_data[instance];
}

static void reset(const mjModel* m, mjtNum* state, void* data, int instance) {
  (void)instance;
  say('r');
  assert_non_null(data);
  if (state) {
    state[0] = 7;
  }
  (void)m;
}

static void compute(const mjModel* m, mjData* d, int instance, int capability) {
  say(capability == mjPLUGIN_ACTUATOR ? 'A' : capability == mjPLUGIN_PASSIVE ? 'P' : 'S');
  for (int i = 0; i < m->nu && capability == mjPLUGIN_ACTUATOR; i++) {
    if (m->actuator_plugin[i] == instance) {
      d->actuator_force[i] = 3;
    }
  }
  for (int i = 0; i < m->nsensor && capability == mjPLUGIN_SENSOR; i++) {
    for (int k = 0; k < m->sensor_dim[i] && m->sensor_plugin[i] == instance; k++) {
      d->sensordata[m->sensor_adr[i] + k] = 10 * instance + k;
    }
  }
  if (capability == mjPLUGIN_PASSIVE) {
    d->qfrc_passive[0] += 2;
  }
}

static void advance(const mjModel* m, mjData* d, int instance) {
  say('a');
  if (m->plugin_statenum[instance]) {
    d->plugin_state[m->plugin_stateadr[instance]] += 1;
  }
}

static void act_dot(const mjModel* m, mjData* d, int instance) {
  say('t');
  for (int i = 0; i < m->nu; i++) {
    if (m->actuator_plugin[i] == instance && m->actuator_actadr[i] >= 0) {
      assert_that(d->act_dot[m->actuator_actadr[i]], ==, 0);
      d->act_dot[m->actuator_actadr[i]] = 5;
    }
  }
}

BEFORE_EACH() {
  static const char* attributes[] = {"gain", "bias"};
  mjpPlugin plugin;
  mjp_defaultPlugin(&plugin);
  plugin.name = "test.hooks";
  plugin.nattribute = 2;
  plugin.attributes = attributes;
  plugin.capabilityflags = mjPLUGIN_ACTUATOR | mjPLUGIN_SENSOR | mjPLUGIN_PASSIVE;
  plugin.needstage = mjSTAGE_VEL;
  plugin.nstate = nstate;
  plugin.nsensordata = nsensordata;
  plugin.init = init;
  plugin.destroy = destroy;
  plugin.copy = copy;
  plugin.reset = reset;
  plugin.compute = compute;
  plugin.advance = advance;
  plugin.actuator_act_dot = act_dot;
  mjp_registerPlugin(&plugin);
  failing = -1;
  state_of = 2;
  heard[0] = 0;
}

#define EXTENSION                                                          \
  "<extension><plugin plugin='test.hooks'><instance name='x'><config key=" \
  "'bias' value='b b'/></instance></plugin></extension>"
#define BODY(content)                                                                   \
  "<worldbody><body name='b'><joint name='j'/><geom size='1'/><site name='s'/>" content \
  "</body></worldbody>"
static const char kWhole[] =
    "<mujoco>" EXTENSION BODY("<plugin instance='x'/>")
    "<actuator><motor joint='j'/><plugin name='p' plugin='test.hooks' joint='j' actdim='2'><config "
    "key='gain' value='1'/></plugin></actuator><sensor><jointpos joint='j'/><plugin "
    "plugin='test.hooks' cutoff='12'><config key='gain' value='3'/></plugin><clock/></sensor>"
    "</mujoco>";

TEST(arrays_of_the_model_say_who_uses_what) {
  mjModel* m = test_model(kWhole);
  assert_int_equal(m->nplugin, 3);
  assert_int_equal(m->body_plugin[0], -1);
  assert_int_equal(m->body_plugin[1], 0);
  assert_int_equal(m->actuator_plugin[0], -1);
  assert_int_equal(m->actuator_plugin[1], 1);
  assert_int_equal(m->sensor_plugin[1], 2);
  assert_int_equal(m->sensor_dim[1], 3);
  assert_int_equal(m->sensor_adr[2], 4);
  assert_int_equal(m->sensor_needstage[1], mjSTAGE_VEL);
  assert_int_equal(m->nsensordata, 5);
  assert_int_equal(m->npluginstate, 6);
  assert_int_equal(m->plugin_stateadr[2], 4);
  assert_int_equal(m->npluginattr, 5 + 3 + 3);
  assert_memory_equal(m->plugin_attr,
                      "\0b b\0"
                      "1\0\0"
                      "3\0",
                      11);
  assert_string_equal(mj_getPluginConfig(m, 0, "bias"), "b b");
  assert_string_equal(mj_getPluginConfig(m, 0, "gain"), "");
  assert_null(mj_getPluginConfig(m, 0, "other"));
  assert_null(mj_getPluginConfig(m, 3, "gain"));
  assert_null(mj_getPluginConfig(m, -1, "gain"));
  assert_int_equal(mj_name2id(m, mjOBJ_PLUGIN, "x"), 0);
}

TEST(hooks_are_called_in_the_order_of_a_step) {
  mjModel* m = test_model(kWhole);
  heard[0] = 0;
  mjData* d = test_data(m);
  assert_string_equal(heard, "iiirrr");
  heard[0] = 0;
  mj_step(m, d);
  assert_string_equal(heard, "PPPSSStttAAAaaa");
  assert_that(d->actuator_force[1], ==, 3);
  assert_that(d->qfrc_actuator[0], ==, 3);
  assert_that(d->qfrc_passive[0], ==, 6);
  assert_that(d->act[0], ==, 5 * m->opt.timestep);
  assert_that(d->act[1], ==, 0);
  assert_that(d->plugin_state[0], ==, 8);
  assert_that(d->plugin_state[1], ==, 0);

  // cut off at 12
  assert_that(d->sensordata[1], ==, 12);
  assert_that(d->sensordata[3], ==, 12);
  m->opt.integrator = mjINT_RK4;
  heard[0] = 0;
  mj_step(m, d);
  assert_string_equal(heard, "PPPSSStttAAAPPPtttAAAPPPtttAAAPPPtttAAAaaa");
  heard[0] = 0;
  test_release(d);
  assert_string_equal(heard, "ddd");
  assert_int_equal(alive, 0);
}

TEST(flags_switch_hooks_off) {
  mjModel* m = test_model(kWhole);
  mjData* d = test_data(m);
  m->opt.disableflags = mjDSBL_SPRING | mjDSBL_DAMPER;
  heard[0] = 0;
  mj_forward(m, d);
  assert_string_equal(heard, "SSStttAAA");
  m->opt.disableflags = mjDSBL_SENSOR | mjDSBL_ACTUATION;
  heard[0] = 0;
  mj_forward(m, d);
  assert_string_equal(heard, "PPP");
}

TEST(a_reset_keeps_what_plugins_keep) {
  mjModel* m = test_model(kWhole);
  mjData* d = test_data(m);
  for (int i = 0; i < m->npluginstate; i++) {
    d->plugin_state[i] = 100 + i;
  }
  uintptr_t kept = d->plugin_data[1];
  heard[0] = 0;
  mj_resetDataDebug(m, d, 0xab);
  assert_string_equal(heard, "rrr");
  assert_that(d->plugin_data[1], ==, kept);
  assert_that(d->plugin[1], ==, m->plugin[1]);
  assert_that(d->plugin_state[0], ==, 7);
  assert_that(d->plugin_state[1], ==, 101);
  assert_int_equal(d->nplugin, 3);
}

TEST(copies_have_memory_of_their_own) {
  mjModel* m = test_model(kWhole);
  mjData *d = mj_makeData(m), *fresh, *other = mj_makeData(m);
  *(int*)d->plugin_data[2] = 99;
  d->plugin_state[3] = 42;
  heard[0] = 0;
  fresh = mj_copyData(NULL, m, d);
  assert_string_equal(heard, "iiiccc");
  heard[0] = 0;
  mj_copyData(other, m, d);
  assert_string_equal(heard, "ccc");
  assert_that(fresh->plugin_data[2], !=, d->plugin_data[2]);
  assert_int_equal(*(int*)fresh->plugin_data[2], 99);
  assert_int_equal(*(int*)other->plugin_data[2], 99);
  assert_that(fresh->plugin_state[3], ==, 42);
  assert_that(other->plugin_state[3], ==, 42);
  mjtNum saved[6];
  mj_getState(m, d, saved, mjSTATE_PLUGIN);
  assert_that(saved[3], ==, 42);
  mj_deleteData(d);
  mj_deleteData(fresh);
  mj_deleteData(other);
  assert_int_equal(alive, 0);
}

TEST(a_failing_init_destroys_those_before) {
  mjModel* m = test_model(kWhole);
  failing = 2;
  heard[0] = 0;
  mju_user_warning = silent;
  assert_error(mj_makeData(m), "init failed for plugin id 2");
  mju_user_warning = NULL;
  assert_string_equal(heard, "iidd");
  assert_int_equal(alive, 0);

  // the compiler tells it as a problem of the model
  mjSpec* spec = mj_parseXMLString(kWhole, NULL, NULL, 0);
  assert_null(mj_compile(spec, NULL));
  assert_non_null(strstr(mjs_getError(spec), "init failed for plugin id 2"));
  assert_int_equal(alive, 0);
  mj_deleteSpec(spec);
}

TEST(sizes_that_differ_from_the_models_are_an_error) {
  mjModel* m = test_model(kWhole);
  state_of = 3;
  assert_error(mj_makeData(m), "has 3 state numbers in instance 0, the model has 2");
  state_of = 2;
  m->sensor_dim[1] = 2;
  assert_error(mj_makeData(m), "gives 3 numbers for sensor 1, the model has 2");
  m->sensor_dim[1] = 3;
  m->plugin[1] = 3999;
  assert_error(mj_makeData(m), "invalid plugin slot: 3999");
  assert_int_equal(alive, 0);
}

// Saves a model and loads what was saved: is that refused, with this text?
static void assert_not_loaded(const mjModel* m, const char* text) {
  mjVFS vfs;
  int size = mj_sizeModel(m);
  char* bytes = malloc((size_t)size);
  mj_saveModel(m, NULL, bytes, size);
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "m.mjb", bytes, size);
  warning_text[0] = 0;
  mju_user_warning = keep_warning;
  mjModel* loaded = mj_loadModel("m.mjb", &vfs);
  mju_user_warning = NULL;
  if (loaded || !strstr(warning_text, text)) {
    fail_msg("%s, warned \"%s\", not \"%s\"", loaded ? "loaded" : "refused", warning_text, text);
  }
  mj_deleteModel(loaded);
  mj_deleteVFS(&vfs);
  free(bytes);
}

// No data could be made of them.
TEST(binary_models_with_broken_plugins_are_refused) {
  mjModel* m = test_model(kWhole);
  state_of = 3;
  assert_not_loaded(m, "Invalid model: plugin 'test.hooks' has 3 state numbers in instance 0");
  state_of = 2;
  failing = 1;
  assert_not_loaded(m, "Invalid model: plugin->init failed for plugin id 1 (plugin 'test.hooks')");
  failing = -1;
  m->plugin[1] = -1;
  assert_not_loaded(m, "Invalid model: invalid plugin slot: -1");
  m->plugin[1] = 3999;
  assert_not_loaded(m, "Invalid model: invalid plugin slot: 3999");
  assert_int_equal(alive, 0);
}

TEST(states_that_no_plugin_can_want_are_refused) {
  static const int sizes[] = {-1, INT32_MAX, 90000000};
  for (int i = 0; i < 3; i++) {
    state_of = sizes[i];
    mjSpec* spec = mj_parseXMLString(kWhole, NULL, NULL, 0);
    assert_null(mj_compile(spec, NULL));
    assert_non_null(strstr(mjs_getError(spec), "state numbers"));
    mj_deleteSpec(spec);
  }
}

static void* run(void* model) {
  mjData* d = mj_makeData(model);
  for (int i = 0; i < 50; i++) {
    mj_step(model, d);
  }
  mjtNum* qpos = malloc(sizeof(mjtNum));
  *qpos = d->qpos[0];
  mj_deleteData(d);
  return qpos;
}

// hooks without memory of their own, so that only the engine's could race
TEST(threads_share_a_model_with_plugins) {
  mjModel* m = test_model("<mujoco><extension><plugin plugin='mujoco.pid'/></extension>" BODY(
      "") "<actuator><plugin plugin='mujoco.pid' joint='j' actdim='1'><config key='kp' "
          "value='2'/><config key='ki' value='1'/></plugin></actuator></mujoco>");
  pthread_t thread[4];
  void* end[4];
  for (int i = 0; i < 4; i++) {
    pthread_create(&thread[i], NULL, run, m);
  }
  for (int i = 0; i < 4; i++) {
    pthread_join(thread[i], &end[i]);
    assert_that(*(mjtNum*)end[i], ==, *(mjtNum*)end[0]);
  }
  for (int i = 0; i < 4; i++) {
    free(end[i]);
  }
}
