// Copies of models and data for drawing: what they take, and that scenes from them are the same.

#include "support/bridge.h"
#include "support/bridge_ref.h"
#include "support/caught.h"
#include "support/models.h"
#include "support/test.h"
#include "view/same_scene.h"

// something of every large array
static const char everything[] = TEST_MODELS "sensor_tactile.xml";

// Is every byte of an array the mark?
static int is_marked(const void* data, size_t bytes, int mark) {
  const unsigned char* byte = data;
  for (size_t i = 0; i < bytes; i++) {
    if (byte[i] != mark) {
      return 0;
    }
  }
  return bytes > 0;
}

static void* ref_array(const char* finder, Bridge* b, void* d, const char* name, size_t* bytes) {
  RefField field = {0};
  void* symbol = bridge_function(finder);
  if (d) {
    RefDataField* find;
    memcpy(&find, &symbol, sizeof symbol);
    assert_true(find(&field, b->ref_m, d, name));
  } else {
    RefModelField* find;
    memcpy(&find, &symbol, sizeof symbol);
    assert_true(find(&field, b->ref_m, name));
  }
  *bytes = field.count * field.element;
  return field.data;
}

// Every array of a second model is marked, then it gets a copy: the same arrays keep their marks.
TEST(copies_of_models_leave_out_what_the_reference_does) {
  BRIDGE_OR_SKIP();
  typedef void Copy(void*, const void*);
  Copy* copy = (Copy*)bridge_function("mjv_copyModel");
  Bridge *b = test_own_bridge(bridge_load(everything)),
         *to = test_own_bridge(bridge_load(everything));
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < cnd_modelFieldCount(); i++) {
      const cndField* field = cnd_modelField(i);
      if (field->hidden || field->since) {
        continue;
      }
      size_t bytes;
      void* theirs = ref_array("bridge_ref_model_field", to, NULL, field->name, &bytes);
      cndArray ours;
      cnd_modelArray(&ours, to->m, field->name);
      if (!bytes) {
        continue;
      }
      if (!pass) {
        memset(theirs, 0x11, bytes);
        memset(ours.data, 0x11, bytes);
      } else if (is_marked(theirs, bytes, 0x11) != is_marked(ours.data, bytes, 0x11)) {
        fail_msg("%s is copied %s", field->name,
                 is_marked(theirs, bytes, 0x11) ? "here alone" : "by the reference alone");
      }
    }
    if (!pass) {
      mjv_copyModel(to->m, b->m);
      copy(to->ref_m, b->ref_m);
    }
  }
  bridge_pull_model(to);  // a whole model again
}

static Bridge* moved(const char* path) {
  Bridge* b = test_own_bridge(bridge_load(path));
  bridge_random(b, 1, 0.1);
  for (int i = 0; i < 30; i++) {
    bridge_run(b, "mj_step");
  }
  bridge_run(b, "mj_forward");
  bridge_pull(b, NULL);
  return b;
}

TEST(copies_of_data_leave_out_what_the_reference_does) {
  BRIDGE_OR_SKIP();
  typedef void* Copy(void*, const void*, const void*);
  Copy* copy = (Copy*)bridge_function("mjv_copyData");
  const char* const models[] = {MODELS "humanoid.xml", MODELS "chain.xml"};
  for (int k = 0; k < 2; k++) {
    Bridge *b = moved(models[k]), *to = moved(models[k]);
    for (int pass = 0; pass < 2; pass++) {
      for (int i = 0; i < cnd_dataFieldCount(); i++) {
        const cndField* field = cnd_dataField(i);
        cndArray ours;
        cnd_dataArray(&ours, to->m, to->d, field->name);
        if (field->hidden || field->since || !field->pointer || field->arena || !ours.data) {
          continue;
        }
        size_t bytes;
        void* theirs = ref_array("bridge_ref_data_field", to, to->ref_d, field->name, &bytes);
        if (!pass) {
          memset(theirs, 0x11, bytes);
          memset(ours.data, 0x11, bytes);
        } else if (is_marked(theirs, bytes, 0x11) != is_marked(ours.data, bytes, 0x11)) {
          fail_msg("%s is copied %s", field->name,
                   is_marked(theirs, bytes, 0x11) ? "here alone" : "by the reference alone");
        }
      }
      if (!pass) {
        mjv_copyData(to->d, b->m, b->d);
        copy(to->ref_d, b->ref_m, b->ref_d);
      }
    }
  }
}

// The picture of a copy is that of the original.
static void draws_alike(const char* path) {
  char error[1000];
  mjModel* m = mj_loadXML(path, NULL, error, sizeof error);
  if (!m) {
    return;
  }
  mjData* d = mj_makeData(m);
  for (int i = 0; i < 20; i++) {
    mj_step(m, d);
  }
  mj_forward(m, d);
  mjModel* m2 = mj_copyModel(NULL, m);
  mjv_copyModel(m2, m);
  mjData* d2 = mjv_copyData(NULL, m, d);
  assert_non_null(d2);
  mjv_copyData(d2, m, d);
  mjvScene scn, same;
  mjvOption opt;
  mjvCamera cam;
  mjv_defaultScene(&scn);
  mjv_defaultScene(&same);
  mjv_makeScene(m, &scn, 2000);
  mjv_makeScene(m2, &same, 2000);
  mjv_defaultOption(&opt);
  memset(opt.flags, 1, sizeof opt.flags);
  opt.flags[mjVIS_SDFITER] = 0;
  mjv_defaultFreeCamera(m, &cam);
  if (!m->nplugin) {
    mjv_updateScene(m, d, &opt, NULL, &cam, mjCAT_ALL, &scn);
    mjv_updateScene(m2, d2, &opt, NULL, &cam, mjCAT_ALL, &same);
    if (scenes_differ(m, &same, &scn, 1) || later_members_differ(&same, &scn)) {
      fail_msg("%s: a copy is drawn otherwise", path);
    }
  }
  mjv_freeScene(&scn);
  mjv_freeScene(&same);
  mj_deleteData(d2);
  mj_deleteData(d);
  mj_deleteModel(m2);
  mj_deleteModel(m);
}

TEST(copies_are_drawn_as_their_originals) {
  mju_user_warning = silent;
  models_each("s", draws_alike);
  models_each("t", draws_alike);
  models_each("flex", draws_alike);
}

TEST(copies_of_other_sizes_are_errors) {
  mjModel* m = test_model("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>");
  mjModel* other =
      test_model("<mujoco><worldbody><geom size='1'/><geom size='1'/></worldbody></mujoco>");
  mjData* d = test_data(m);
  assert_error(mjv_copyModel(other, m), "mjv_copyModel: dest and src have different sizes");
  assert_error(mjv_copyModel(NULL, m), "mjv_copyModel: dest is NULL");
  assert_error(mjv_copyData(d, other, d), "mjv_copyData: src was made for another model");
  mj_markStack(d);
  assert_error(mjv_copyData(NULL, m, d), "mjv_copyData: attempting to copy");
  mj_freeStack(d);
}
