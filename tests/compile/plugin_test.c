// Plugins in files and specs: what is refused with which words, and what becomes of instances when
// models are edited.

#include "support/test.h"

#define CABLE "mujoco.elasticity.cable"
#define EXTENSION(content) "<extension>" content "</extension>"
#define DECLARED                                \
  EXTENSION("<plugin plugin='" CABLE            \
            "'><instance name='rod'/></plugin>" \
            "<plugin plugin='mujoco.pid'/>")
#define BODY(content)                           \
  "<worldbody><body name='b'><joint name='j'/>" \
  "<geom type='capsule' size='.1 .2'/>" content "</body></worldbody>"
#define PID(content) \
  BODY("") "<actuator><plugin plugin='mujoco.pid' joint='j' " content "</plugin></actuator>"

static const struct {
  const char* xml;
  const char* error;
} refused[] = {
    {EXTENSION("<plugin plugin='mujoco.elastic.cable'/>"),
     "plugin mujoco.elastic.cable not found (did you mean '" CABLE "'?)"},
    {EXTENSION("<plugin plugin='x'/>"), "load its library before the model"},
    {EXTENSION("<plugin/>"), "required attribute missing: 'plugin'"},
    {EXTENSION("<plugin plugin='mujoco.pid'><instance/></plugin>"),
     "required attribute missing: 'name'"},
    {EXTENSION("<plugin plugin='mujoco.pid'><instance name='a'/><instance name='a'/></plugin>"),
     "repeated name 'a' in plugin"},
    {DECLARED BODY("<plugin/>"), "neither 'plugin' nor 'instance' is specified for body"},
    {BODY("<plugin plugin='" CABLE "'/>"), "unrecognized plugin '" CABLE "' (declare it in"},
    {DECLARED BODY("<plugin plugin='MUJOCO.elasticity.cable'/>"),
     "unrecognized plugin 'MUJOCO.elasticity.cable' (did you mean '" CABLE "'?)"},
    {DECLARED BODY("<plugin instance='rot'/>"),
     "unrecognized name 'rot' for plugin instance (did you mean 'rod'?)"},
    {DECLARED BODY("<plugin plugin='mujoco.pid' instance='rod'/>"),
     "instance 'rod' is of plugin '" CABLE "', not 'mujoco.pid'"},
    {DECLARED BODY("<plugin plugin='mujoco.pid'/>"),
     "plugin 'mujoco.pid' does not support passive forces"},
    {DECLARED BODY("<plugin instance='rod'/><plugin instance='rod'/>"),
     "a body can use one plugin only"},
    {DECLARED BODY("<plugin plugin='" CABLE "'><config key='twits' value='1'/></plugin>"),
     "unrecognized attribute 'plugin:twits' for plugin '" CABLE "' (did you mean 'twist'?)"},
    {DECLARED BODY("<plugin plugin='" CABLE "'><config key='bend' value='1'/><config key='bend' "
                   "value='2'/></plugin>"),
     "duplicate config key: bend"},
    {DECLARED BODY("<plugin plugin='" CABLE "'><config key='bend'/></plugin>"),
     "required attribute missing: 'value'"},
    {DECLARED BODY("<plugin plugin='" CABLE "'><config key='bend' value='soft'/></plugin>"),
     "init failed for plugin id 1"},
    {DECLARED BODY("<plugin plugin='" CABLE "'><config key='bend' value='nan'/></plugin>"),
     "init failed for plugin id 1"},
    {DECLARED PID("><config key='ki' value='1'/>"),
     "init failed for plugin id 1 (plugin 'mujoco.pid'): actuator 0 has actdim 0, expected 1"},
    {DECLARED PID("actdim='1'><config key='ki' value='1'/><config key='imax' value='-1'/>"),
     "init failed"},
    {DECLARED PID("actdim='1'><config key='slewmax' value='-1'/>"), "init failed"},
    {DECLARED PID("><config key='kp' value='1 2'/>"), "init failed"},
    {EXTENSION("<plugin plugin='mujoco.pid'><instance name='idle'/></plugin>"), "init failed"},
    {EXTENSION("<plugin plugin='mujoco.sensor.touch_grid'/>")
         BODY("") "<sensor><plugin plugin='mujoco.sensor.touch_grid' objtype='body' "
                  "objname='b'><config key="
                  "'size' value='2 2'/><config key='fov' value='9 9'/></plugin></sensor>",
     "must be attached to a site"},
    {EXTENSION("<plugin plugin='mujoco.sensor.touch_grid'/>")
         BODY("<site name='s'/>") "<sensor><plugin plugin='mujoco.sensor.touch_grid' "
                                  "objtype='site' objname='s'/></sensor>",
     "size must be two positive whole numbers"},
    {EXTENSION("<plugin plugin='mujoco.sdf.torus'/>") "<asset><mesh name='m' scale='2 2 2'><plugin "
                                                      "plugin='mujoco.sdf.torus'/></mesh></asset>",
     "attribute scale is not compatible with SDFs in mesh 'm'"},
    {EXTENSION("<plugin plugin='mujoco.sdf.gear'/>") "<asset><mesh name='m'><plugin "
                                                     "plugin='mujoco.sdf.gear'><config "
                                                     "key='thickness' value='0'/>"
                                                     "</plugin></mesh></asset>",
     "must have positive sizes"},
};

static mjSpec* parse(const char* content, char* error, int size) {
  char xml[3000];
  snprintf(xml, sizeof xml, "<mujoco>%s</mujoco>", content);
  return mj_parseXMLString(xml, NULL, error, size);
}

TEST(wrong_plugins_are_refused_with_words_that_help) {
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
    char error[1000] = "";
    mjSpec* spec = parse(refused[i].xml, error, sizeof error);
    mjModel* m = spec ? mj_compile(spec, NULL) : NULL;
    const char* said = spec ? mjs_getError(spec) : error;
    if (m || !strstr(said, refused[i].error)) {
      fail_msg("%s\n  expected: %s\n  said: %s", refused[i].xml, refused[i].error, said);
    }
    mj_deleteModel(m);
    mj_deleteSpec(spec);
  }
}

// An error of a plugin stands where the plugin is asked for, whichever of its hooks it ends in.
TEST(errors_of_plugins_stand_at_their_element) {
  static const struct {
    const char *xml, *place;
  } cases[] = {
      {DECLARED "\n" PID("actdim='1'><config key='slewmax' value='-1'/>"), "2:"},
      {DECLARED "\n" PID("actdim='2147483647'>"), "2:"},
      {EXTENSION("<plugin plugin='mujoco.pid'>\n<instance name='idle'/></plugin>"), "2:1: "},
      {EXTENSION("<plugin plugin='mujoco.sensor.touch_grid'/>")
           BODY("<site name='s'/>") "<sensor>\n<plugin plugin='mujoco.sensor.touch_grid' "
                                    "objtype='site' objname='s'/></sensor>",
       "2:1: "},
      {EXTENSION("<plugin plugin='mujoco.sdf.gear'/>") "<asset>\n<mesh name='m'><plugin "
                                                       "plugin='mujoco.sdf.gear'><config "
                                                       "key='thickness' value='0'/>"
                                                       "</plugin></mesh></asset>",
       "2:"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char error[1000] = "", xml[3000];
    mjVFS vfs;
    mj_defaultVFS(&vfs);
    snprintf(xml, sizeof xml, "<mujoco>%s</mujoco>", cases[i].xml);
    mj_addBufferVFS(&vfs, "m.xml", xml, (int)strlen(xml));
    mjModel* m = mj_loadXML("m.xml", &vfs, error, sizeof error);
    size_t n = strlen(cases[i].place);
    if (m || strncmp(error, "m.xml:", 6) != 0 || strncmp(error + 6, cases[i].place, n) != 0) {
      fail_msg("%s\n  expected at %s\n  said: %s", cases[i].xml, cases[i].place, error);
    }
    mj_deleteVFS(&vfs);
  }
}

static mjModel* compiled(mjSpec* spec) {
  mjModel* m = mj_compile(spec, NULL);
  if (!m) {
    fail_msg("%s", mjs_getError(spec));
  }
  return m;
}

static mjSpec* parsed(const char* content) {
  char error[1000] = "";
  mjSpec* spec = parse(content, error, sizeof error);
  if (!spec) {
    fail_msg("%s", error);
  }
  return spec;
}

// The same model put together by calls.
TEST(programs_add_instances) {
  mjSpec* spec = mj_makeSpec();
  assert_int_equal(mjs_activatePlugin(spec, "no.such.plugin"), -1);
  assert_int_equal(mjs_activatePlugin(spec, CABLE), 0);
  assert_int_equal(mjs_activatePlugin(spec, CABLE), 0);
  mjsBody* body = mjs_addBody(mjs_findBody(spec, "world"), NULL);
  mjs_addJoint(body, NULL);
  mjsGeom* geom = mjs_addGeom(body, NULL);
  geom->size[0] = 1;
  mjsPlugin* instance = mjs_addPlugin(spec);
  mjs_setString(instance->plugin_name, CABLE);
  mjs_setName(instance->element, "rod");
  mjString text[4] = {0};
  mjStringVec config = {text, 4, 4};
  const char* words[] = {"bend", "1e5", "twist", "2"};
  for (int i = 0; i < 4; i++) {
    mjs_setString(&text[i], words[i]);
  }
  mjs_setPluginAttributes(instance, &config);
  body->plugin.active = 1;
  body->plugin.element = instance->element;
  const mjStringVec* back = mjs_getPluginAttributes(&body->plugin);
  assert_int_equal(back->num, 4);
  assert_string_equal(mjs_getString(&back->ptr[1]), "1e5");

  mjModel* m = compiled(spec);
  assert_int_equal(m->body_plugin[1], 0);
  assert_string_equal(mj_getPluginConfig(m, 0, "twist"), "2");
  mj_deleteModel(m);

  // by name, and under a name that nobody has
  body->plugin.element = NULL;
  mjs_setString(body->plugin.name, "rod");
  m = compiled(spec);
  assert_int_equal(m->body_plugin[1], 0);
  mj_deleteModel(m);
  mjs_setString(body->plugin.name, "rot");
  assert_null(mj_compile(spec, NULL));
  mjs_setString(body->plugin.name, "rod");
  mjs_setString(&text[2], "twits");
  mjs_setPluginAttributes(instance, &config);
  assert_null(mj_compile(spec, NULL));
  assert_non_null(strstr(mjs_getError(spec), "unrecognized attribute 'plugin:twits'"));
  mjs_setPluginAttributes(instance, NULL);
  m = compiled(spec);
  assert_string_equal(mj_getPluginConfig(m, 0, "bend"), "");
  mj_deleteModel(m);
  for (int i = 0; i < 4; i++) {
    mjs_setString(&text[i], "");
    cnd_resizeBuffer(text[i].ptr, 0);
  }
  mj_deleteSpec(spec);
}

static const char kChild[] = DECLARED
    "<worldbody><body name='b'><joint name='j'/><geom type='capsule' size='.1 .2'/><plugin "
    "instance='rod'/></body><body name='c'><joint name='k'/><geom type='capsule' size='.1 "
    ".2'/><plugin plugin='" CABLE
    "'><config key='twist' value='7'/></plugin></body>"
    "</worldbody><actuator><plugin plugin='mujoco.pid' joint='j'><config key='kp' "
    "value='2'/></plugin></actuator>";

static mjModel* attached(const char* body) {
  mjSpec *parent = mj_makeSpec(), *child = parsed(kChild);
  mjsFrame* frame = mjs_addFrame(mjs_findBody(parent, "world"), NULL);
  if (!mjs_attach(frame->element, mjs_findBody(child, body)->element, "x-", "")) {
    fail_msg("%s", mjs_getError(parent));
  }
  mjModel* m = compiled(parent);
  mj_deleteSpec(parent);
  mj_deleteSpec(child);
  return m;
}

TEST(attached_parts_bring_their_instances) {
  mjModel* m = attached("b");
  assert_int_equal(m->nplugin, 2);
  assert_int_equal(m->body_plugin[1], mj_name2id(m, mjOBJ_PLUGIN, "x-rod"));
  assert_int_equal(m->nu, 1);
  assert_string_equal(mj_getPluginConfig(m, m->actuator_plugin[0], "kp"), "2");
  mj_deleteModel(m);

  // what was made for elements that stayed behind stays there, too
  m = attached("c");
  assert_int_equal(m->nplugin, 1);
  assert_string_equal(mj_getPluginConfig(m, m->body_plugin[1], "twist"), "7");
  mj_deleteModel(m);
}

TEST(deleted_elements_take_their_instances) {
  mjSpec* spec = parsed(kChild);
  mjs_delete(spec, mjs_findBody(spec, "b")->element);
  mjModel* m = compiled(spec);
  assert_int_equal(m->nplugin, 1);
  assert_int_equal(m->body_plugin[1], 0);
  mj_deleteModel(m);
  mj_deleteSpec(spec);

  spec = parsed(kChild);
  mjs_delete(spec, mjs_firstElement(spec, mjOBJ_ACTUATOR));
  m = compiled(spec);
  assert_int_equal(m->nplugin, 2);
  mj_deleteModel(m);
  mjSpec* copy = mj_copySpec(spec);
  m = compiled(copy);
  assert_int_equal(m->body_plugin[2], 1);
  mj_deleteModel(m);
  mj_deleteSpec(copy);
  mjs_delete(spec, mjs_firstElement(spec, mjOBJ_PLUGIN));
  assert_null(mj_compile(spec, NULL));
  assert_non_null(strstr(mjs_getError(spec), "unrecognized name 'rod'"));
  mj_deleteSpec(spec);
}

TEST(replicas_have_instances_of_their_own) {
  mjSpec* spec =
      parsed(DECLARED
             "<worldbody><replicate count='3' offset='1 0 0'><body name='b'><joint name='j'/><geom "
             "type='capsule' size='.1 .2'/><plugin plugin='" CABLE
             "'><config key='bend' value='3'/>"
             "</plugin><body pos='1 0 0'><joint/><geom size='.1'/><plugin instance='rod'/></body>"
             "</body></replicate></worldbody><actuator><plugin plugin='mujoco.pid' joint='j'/>"
             "</actuator>");
  assert_null(mj_compile(spec, NULL));  // bodies of `rod` don't follow one another
  for (mjsElement* it = mjs_firstElement(spec, mjOBJ_BODY); it; it = mjs_nextElement(spec, it)) {
    mjsBody* body = mjs_asBody(it);
    body->plugin.active = mjs_getString(body->plugin.name)[0] ? 0 : body->plugin.active;
  }
  mjModel* m = compiled(spec);
  assert_int_equal(m->nplugin, 7);
  for (int i = 0; i < 3; i++) {
    assert_string_equal(mj_getPluginConfig(m, m->body_plugin[1 + 2 * i], "bend"), "3");
    for (int k = 0; k < i; k++) {
      assert_that(m->body_plugin[1 + 2 * i], !=, m->body_plugin[1 + 2 * k]);
      assert_that(m->actuator_plugin[i], !=, m->actuator_plugin[k]);
    }
  }
  mj_deleteModel(m);
  mj_deleteSpec(spec);
}
