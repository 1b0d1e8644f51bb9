// Whole specs become part of others, and what hangs on their elements goes with them.

#include "spec/same_program_log.h"

#include <stdio.h>
#include <string.h>

// A model all of which may hang below a body.
static const char limb_model[] =
    "<mujoco model='limb'><compiler angle='radian'/><default><geom rgba='1 0 0 1'/><joint "
    "armature='.1'/><default class='soft'><joint damping='3'/></default></default>"
    "<asset><texture name='tex' type='2d' builtin='flat' width='4' height='4'/><material "
    "name='mat' "
    "texture='tex'/></asset>"
    "<worldbody><geom name='floor' type='box' size='1 1 .1' material='mat'/><site name='mark' "
    "pos='1 0 0'/><camera name='eye' mode='targetbody' target='a'/><light name='sun'/>"
    "<body name='a' euler='0 1 0'><joint name='j' class='soft' range='-1 1'/><geom name='g' "
    "size='.1'/></body><body name='b' pos='1 2 3'><joint name='k' type='slide'/><geom size='.1'/>"
    "</body></worldbody><contact><exclude name='e' body1='a' body2='b'/></contact>"
    "<equality><connect name='c' body1='b' anchor='0 0 1'/></equality>"
    "<actuator><motor name='mo' joint='j'/></actuator><sensor><jointpos joint='k'/></sensor>"
    "<keyframe><key name='up' time='2' qpos='.1 .2' ctrl='3'/></keyframe></mujoco>";

static void say_element(Log* log, mjsElement* element) {
  mjsFrame* frame = element ? mjs_getFrame(element) : NULL;
  say(log, "'%s' in '%s', frame %d", name_of(element),
      element ? name_of(mjs_getParent(element)->element) : "", frame != NULL);
  if (frame) {
    const mjtNum pose[7] = {frame->pos[0],  frame->pos[1],  frame->pos[2], frame->quat[0],
                            frame->quat[1], frame->quat[2], frame->quat[3]};
    say_reals(log, "pose", pose, 7);
  }
}

// worlds

typedef struct WorldCase_ {
  int to_site, deep, before, to_frame;  // before: 1 the child is compiled, 2 the parent, 3 both
  const char *prefix, *suffix;
} WorldCase;

static void delete_keys(mjSpec* s) {
  while (mjs_firstElement(s, mjOBJ_KEY)) {
    mjs_delete(s, mjs_firstElement(s, mjOBJ_KEY));
  }
}

static void attach_world(Log* log, WorldCase c) {
  mjSpec *parent = parse(log, base_model), *child = parse(log, limb_model);
  if (c.to_frame) {  // what becomes of keyframes when a body goes differs
    delete_keys(parent);
    delete_keys(child);
  }
  mjs_setDeepCopy(parent, c.deep);
  mj_deleteModel(c.before & 1 ? mj_compile(child, NULL) : NULL);
  mj_deleteModel(c.before & 2 ? mj_compile(parent, NULL) : NULL);
  mjsElement* to = c.to_site ? mjs_findElement(parent, mjOBJ_SITE, "tip")
                             : mjs_findFrame(parent, "mount")->element;
  mjsElement* world = mjs_findBody(child, "world")->element;
  mjsElement* made = mjs_attach(to, world, c.prefix, c.suffix);
  say(log, "made %d, moved %d", made != NULL, made == world);
  say_error(log, parent);
  say_element(log, made);
  compile_only(log, child);
  if (c.to_frame) {
    mjsBody* body = mjs_asBody(made);
    mjsFrame* frame = mjs_bodyToFrame(&body);
    say(log, "frame %d, body %d", frame != NULL, body != NULL);
    say(log, "geom in it %d",
        mjs_getFrame(mjs_findElement(parent, mjOBJ_GEOM, "x_floor")) == frame);
  }
  compile_only(log, parent);
  mj_deleteSpec(child);
  mj_deleteSpec(parent);
}

static void worlds_are_attached_to_frames(Log* log) {
  attach_world(log, (WorldCase){.prefix = "x_", .suffix = ""});
  attach_world(log, (WorldCase){.prefix = "x_", .suffix = "_y", .before = 1});
  attach_world(log, (WorldCase){.prefix = "", .suffix = "_y", .before = 2});
  attach_world(log, (WorldCase){.prefix = "x_", .suffix = "", .before = 3});
}
static void worlds_are_attached_to_sites(Log* log) {
  attach_world(log, (WorldCase){.to_site = 1, .prefix = "x_", .suffix = ""});
  attach_world(log, (WorldCase){.to_site = 1, .prefix = "x_", .suffix = "_y", .before = 3});
}
static void worlds_are_copied(Log* log) {
  attach_world(log, (WorldCase){.deep = 1, .prefix = "x_", .suffix = "_y"});
  attach_world(log, (WorldCase){.deep = 1, .to_site = 1, .prefix = "x_", .suffix = ""});
}
static void a_world_with_the_name_of_the_world_does_not_compile(Log* log) {
  attach_world(log, (WorldCase){.prefix = "", .suffix = ""});
  attach_world(log, (WorldCase){.deep = 1, .prefix = "", .suffix = ""});
}
static void attached_worlds_become_frames(Log* log) {
  attach_world(log, (WorldCase){.to_frame = 1, .prefix = "x_", .suffix = ""});
  attach_world(log, (WorldCase){.to_frame = 1, .to_site = 1, .prefix = "x_", .suffix = ""});
  attach_world(log, (WorldCase){.to_frame = 1, .deep = 1, .prefix = "x_", .suffix = ""});
}

// keyframes

// A body with a joint, a motor and two keys, with a frame to attach to.
static mjSpec* part(Log* log, int i) {
  char xml[1000];
  snprintf(xml, sizeof(xml),
           "<mujoco model='m%d'><worldbody><body name='b%d' pos='%d 0 0'><joint name='j%d'/><geom "
           "size='.1'/><frame name='f'/></body></worldbody><actuator><motor name='a%d' "
           "joint='j%d'/></actuator><keyframe><key name='k%d' time='%d' qpos='.%d' ctrl='%d'/>"
           "<key name='q%d' qvel='%d'/></keyframe></mujoco>",
           i, i, i, i, i, i, i, i, i + 1, i + 1, i, i + 5);
  return parse(log, xml);
}

static void say_sizes(Log* log, mjSpec* s) {
  for (mjsElement* it = mjs_firstElement(s, mjOBJ_KEY); it; it = mjs_nextElement(s, it)) {
    const mjsKey* key = mjs_asKey(it);
    int nq, nv, nu;
    mjs_getDouble(key->qpos, &nq);
    mjs_getDouble(key->qvel, &nv);
    mjs_getDouble(key->ctrl, &nu);
    say(log, "key '%s' has %d %d %d", name_of(it), nq, nv, nu);
  }
}

// Writes a spec, and compiles what was written.
static void save(Log* log, mjSpec* s) {
  static char xml[1 << 14];
  char error[300] = "";
  say(log, "saved %d", mj_saveXMLString(s, xml, sizeof(xml), error, sizeof(error)));
  say_message(log, error);
  mjSpec* again = error[0] ? NULL : parse(log, xml);
  if (again) {
    compile_only(log, again);
    mj_deleteSpec(again);
  }
}

static const mjsElement* part_of(mjSpec* s, int i, int whole) {
  char name[16];
  snprintf(name, sizeof(name), "b%d", i);
  return whole ? s->element : mjs_findBody(s, name)->element;
}

// The third part goes into the second, that into the first. Without compiling in between the names
// of keys differ.
static void attach_chain(Log* log, int deep, int whole, int compile_first) {
  mjSpec* s[3];
  for (int i = 0; i < 3; i++) {
    s[i] = part(log, i);
    mjs_setDeepCopy(s[i], deep);
  }
  for (int i = 1; i >= 0; i--) {
    mjsElement* frame = mjs_findFrame(s[i], "f")->element;
    mjs_setName(frame, "taken");
    mjsElement* made = mjs_attach(frame, part_of(s[i + 1], i + 1, whole), i ? "y_" : "x_", "_z");
    say(log, "attached %d", made != NULL);
    say_error(log, s[i]);
    say_sizes(log, s[i]);
    if (i || compile_first) {
      compile_only(log, s[i]);
      say_sizes(log, s[i]);
    }
  }
  compile_only(log, s[0]);
  save(log, s[0]);
  for (int i = 0; i < 3; i++) {
    mj_deleteSpec(s[i]);
  }
}
static void keys_are_filled_up_at_each_level(Log* log) {
  attach_chain(log, 0, 0, 0);
  attach_chain(log, 0, 0, 1);
  attach_chain(log, 0, 1, 0);
  attach_chain(log, 1, 0, 0);
  attach_chain(log, 1, 1, 1);
}

// Two joints, two controls, and room for one joint before the second.
static const char grown_model[] =
    "<mujoco model='grown'><worldbody><body name='b'><joint name='j'/><geom size='.1'/><frame "
    "name='f'/></body><body name='c' pos='0 0 1' quat='0 1 0 0'><freejoint/><geom "
    "size='.1'/></body>"
    "<body name='d'><joint name='k' ref='30'/><geom size='.1'/></body><body name='m' mocap='true' "
    "pos='1 2 3'/><body name='n' mocap='true' pos='4 5 6'/></worldbody><actuator><motor name='n1' "
    "joint='j'/><motor name='n2' joint='k'/></actuator><keyframe><key name='short' qpos='.7 2 3' "
    "ctrl='.8' mpos='9 8 7 6'/></keyframe></mujoco>";

static void short_keys_are_filled_up(Log* log, int before) {
  mjSpec *s = parse(log, grown_model), *other = part(log, 0);
  if (before) {
    compile_only(log, s);
    say_sizes(log, s);
  }
  mjs_attach(mjs_findFrame(s, "f")->element, mjs_findBody(other, "b0")->element, "x_", "");
  say_sizes(log, s);
  compile_only(log, s);
  mj_deleteSpec(other);
  mj_deleteSpec(s);
}
static void keys_are_filled_up_where_something_is_attached(Log* log) {
  short_keys_are_filled_up(log, 0);
  short_keys_are_filled_up(log, 1);
}

static void short_keys_are_attached_once_compiled(Log* log) {
  for (int before = 0; before < 2; before++) {
    mjSpec *s = part(log, 0), *child = parse(log, grown_model);
    mj_deleteModel(before ? mj_compile(child, NULL) : NULL);
    mjsElement* body = mjs_findBody(child, "d")->element;
    say(log, "%d", mjs_attach(mjs_findFrame(s, "f")->element, body, "x_", "") != NULL);
    say_error(log, s);
    if (before) {
      compile_only(log, s);
    }
    mj_deleteSpec(child);
    mj_deleteSpec(s);
  }
}

static Log* warned;
static void warn(const char* text) {
  say(warned, "pending %d", strstr(text, "model has pending keyframes") != NULL);
}

static void attaching_what_has_pending_keys_warns(Log* log) {
  void (*before)(const char*) = mju_user_warning;
  warned = log;
  mju_user_warning = warn;
  for (int compiled = 0; compiled < 2; compiled++) {
    mjSpec *top = part(log, 0), *middle = part(log, 1), *last = part(log, 2);
    mjsElement* frame = mjs_findFrame(middle, "f")->element;
    mjs_attach(frame, mjs_findBody(last, "b2")->element, "y_", "");
    mj_deleteModel(compiled ? mj_compile(middle, NULL) : NULL);
    say(log, "compiled %d", compiled);
    frame = mjs_findFrame(top, "f")->element;
    mjs_attach(frame, mjs_findBody(middle, "b1")->element, "x_", "");
    say(log, "and once more, to what has them");
    mjSpec* other = part(log, 3);
    mjs_attach(frame, mjs_findBody(other, "b3")->element, "z_", "");
    mj_deleteSpec(other);
    mj_deleteSpec(last);
    mj_deleteSpec(middle);
    mj_deleteSpec(top);
  }
  mju_user_warning = before;
}

static void files_attach_what_attaches(Log* log) {
  static const char* const files[3] = {
      ("<mujoco model='m'><asset><model name='a' file='1.xml'/></asset><worldbody><body><joint/>"
       "<geom size='.1'/><attach model='a' body='b' prefix='x_'/></body></worldbody><keyframe><key "
       "qpos='1'/></keyframe></mujoco>"),
      ("<mujoco model='n'><asset><model name='a' file='2.xml'/></asset><worldbody><body name='b'>"
       "<joint/><geom size='.1'/><attach model='a' body='b' prefix='y_'/></body></worldbody>"
       "<keyframe><key name='k' qpos='2'/></keyframe></mujoco>"),
      ("<mujoco model='o'><worldbody><body name='b'><joint/><geom size='.1'/></body></worldbody>"
       "<keyframe><key name='k' qpos='3'/></keyframe></mujoco>")};
  static const char* const names[3] = {"0.xml", "1.xml", "2.xml"};
  char error[300] = "";
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  for (int i = 0; i < 3; i++) {
    mj_addBufferVFS(&vfs, names[i], files[i], (int)strlen(files[i]));
  }
  void (*before)(const char*) = mju_user_warning;
  static Log unused;
  warned = &unused;
  mju_user_warning = warn;
  mjModel* m = mj_loadXML("0.xml", &vfs, error, sizeof(error));
  mju_user_warning = before;
  say_message(log, error);
  if (m) {
    say_reals(log, "key_qpos", m->key_qpos, m->nkey * m->nq);
  }
  mj_deleteModel(m);
  mj_deleteVFS(&vfs);
}

static void keys_of_deleted_bodies_are_saved_once_compiled(Log* log) {
  static const char* const names[] = {"b", "d", "m"};
  for (int i = 0; i < 3; i++) {
    mjSpec* s = parse(log, grown_model);
    compile_only(log, s);
    say(log, "delete %s: %d", names[i], mjs_delete(s, mjs_findBody(s, names[i])->element));
    save(log, s);
    compile_only(log, s);
    save(log, s);
    mj_deleteSpec(s);
  }
}

// plugins

#define COUNTED "condyle.test.counted"

static int ninit, ndestroy, nreset;

static int plugin_nstate(const mjModel* m, int instance) {
  (void)m;
  (void)instance;
  return 1;
}
static int plugin_init(const mjModel* m, mjData* d, int instance) {
  (void)m;
  ninit++;
  d->plugin_data[instance] = 1;
  return 0;
}
static void plugin_destroy(mjData* d, int instance) {
  (void)d;
  (void)instance;
  ndestroy++;
}
static void plugin_reset(const mjModel* m, mjtNum* state, void* data, int instance) {
  (void)m;
  (void)state;
  (void)data;
  (void)instance;
  nreset++;
}
static void plugin_compute(const mjModel* m, mjData* d, int instance, int capability) {
  (void)m;
  (void)d;
  (void)instance;
  (void)capability;
}

static void register_plugin(void) {
  static const char* attributes[] = {"key"};
  mjpPlugin plugin;
  mjp_defaultPlugin(&plugin);
  plugin.name = COUNTED;
  plugin.nattribute = 1;
  plugin.attributes = attributes;
  plugin.capabilityflags = mjPLUGIN_PASSIVE | mjPLUGIN_ACTUATOR;
  plugin.nstate = plugin_nstate;
  plugin.init = plugin_init;
  plugin.destroy = plugin_destroy;
  plugin.reset = plugin_reset;
  plugin.compute = plugin_compute;
  mjp_registerPlugin(&plugin);
  ninit = ndestroy = nreset = 0;
}

static void say_counts(Log* log) {
  say(log, "init %d, destroy %d, reset %d", ninit, ndestroy, nreset);
}

static const char counted_model[] =
    "<mujoco><extension><plugin plugin='" COUNTED
    "'><instance name='i1'/><instance name='i2'/><instance name='i3'/><instance name='i4'/>"
    "<instance name='i5'/><instance name='i6'/><instance name='i7'/></plugin></extension>"
    "<compiler><lengthrange mode='all'/></compiler><worldbody><body name='a'><geom size='.1'/>"
    "<joint name='ja' range='-1 1'/><plugin instance='i6'/><body name='aa'><joint name='jb' "
    "range='-1 1'/><geom size='.1'/><plugin instance='i5'/></body><body name='ab'><geom "
    "size='.1'/><plugin instance='i1'/></body></body></worldbody><actuator><plugin instance='i4' "
    "joint='ja' actdim='1'/><plugin plugin='" COUNTED
    "' joint='ja' actdim='1'/><plugin instance='i2' joint='jb' actdim='1'/><plugin instance='i6' "
    "joint='jb' actdim='1'/></actuator></mujoco>";

static void compiling_makes_each_instance_once(Log* log) {
  register_plugin();
  mjSpec* s = parse(log, counted_model);
  mjModel* m = mj_compile(s, NULL);
  say_counts(log);
  mjData* d = mj_makeData(m);
  say_counts(log);
  say(log, "recompiled %d", mj_recompile(s, NULL, m, d));
  say_counts(log);
  say(log, "recompiled %d", mj_recompile(s, NULL, m, NULL));
  say_counts(log);
  mj_deleteData(d);
  mj_deleteModel(m);
  mj_deleteSpec(s);
  say_counts(log);
}

static void say_instances(Log* log, mjSpec* s) {
  for (mjsElement* it = mjs_firstElement(s, mjOBJ_PLUGIN); it; it = mjs_nextElement(s, it)) {
    say(log, "instance '%s'", name_of(it));
  }
  mjModel* m = mj_compile(s, NULL);
  say_message(log, m ? "good" : mjs_getError(s));
  for (int i = 0; m && i < m->nbody; i++) {
    say(log, "body %d: plugin %d", i, m->body_plugin[i]);
  }
  for (int i = 0; m && i < m->nu; i++) {
    say(log, "actuator %d: plugin %d", i, m->actuator_plugin[i]);
  }
  mj_deleteModel(m);
}

static void attached_parts_bring_the_instances_that_they_use(Log* log) {
  static const char* const parts[][2] = {{"a", ""}, {"ab", "aa"}, {"aa", ""}, {"ab", ""}};
  register_plugin();
  for (int i = 0; i < 16; i++) {
    int deep = i & 1, before = i & 2;
    const char* const* names = parts[i / 4];
    say(log, "deep %d, before %d: '%s' and '%s'", deep, before, names[0], names[1]);
    mjSpec *p = parse(log, base_model), *c = parse(log, counted_model);
    mjs_setDeepCopy(p, deep);
    mj_deleteModel(before ? mj_compile(c, NULL) : NULL);
    for (int k = 0; k < 2 && names[k][0]; k++) {
      mjsElement* part = mjs_findBody(c, names[k])->element;
      mjs_attach(mjs_findFrame(p, "mount")->element, part, "x_", "");
      say_instances(log, p);
    }
    mj_deleteSpec(c);
    mj_deleteSpec(p);
  }
}

// An instance that an actuator uses by its name, or just points to.
static void delete_user(Log* log, const char* instance, const char* by_name) {
  mjSpec* s = parse(log, base_model);
  say(log, "instance '%s', named '%s'", instance, by_name);
  mjs_activatePlugin(s, COUNTED);
  mjsPlugin* plugin = mjs_addPlugin(s);
  mjs_setString(plugin->plugin_name, COUNTED);
  mjs_setName(plugin->element, instance);
  mjs_setString(plugin->name, instance);
  plugin->active = 1;
  mjsJoint* joint = mjs_addJoint(mjs_addBody(mjs_findBody(s, "world"), NULL), NULL);
  mjs_setName(joint->element, "j");
  mjs_addGeom(mjs_getParent(joint->element), NULL)->size[0] = .1;
  mjsActuator* actuator = mjs_addActuator(s, NULL);
  actuator->trntype = mjTRN_JOINT;
  mjs_setString(actuator->target, "j");
  actuator->dyntype = mjDYN_USER;
  actuator->actdim = 1;
  actuator->plugin.active = 1;
  actuator->plugin.element = plugin->element;
  mjs_setString(actuator->plugin.plugin_name, COUNTED);
  mjs_setString(actuator->plugin.name, by_name);
  say_instances(log, s);
  say(log, "deleted %d", mjs_delete(s, actuator->element));
  say_instances(log, s);
  mj_deleteSpec(s);
}

static void instances_made_for_one_element_go_with_it(Log* log) {
  register_plugin();
  delete_user(log, "", "");
  delete_user(log, "inst", "");
  delete_user(log, "", "inst");
  delete_user(log, "inst", "inst");
}

// specs

static void find_all(Log* log, mjSpec* s) {
  static const char* const names[] = {"top",  "given1", "own1",  "given2", "own2",
                                      "own3", "again",  "3.xml", "",       "nothing"};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    mjSpec* found = mjs_findSpec(s, names[i]);
    say(log, "'%s': %s", names[i], found ? mjs_getString(found->modelname) : "none");
  }
}

static void assets_are_found_by_their_name(Log* log) {
  static const char* const files[4] = {
      "<mujoco model='top'><asset><model name='given1' file='1.xml'/><model file='3.xml'/><model "
      "name='again' file='3.xml'/></asset><worldbody><body name='b'><joint/><geom size='.1'/>"
      "<attach model='given1' body='b' prefix='x_'/></body></worldbody></mujoco>",
      "<mujoco model='own1'><asset><model name='given2' file='2.xml'/></asset><worldbody><body "
      "name='b'><joint/><geom size='.1'/><attach model='given2' body='b' prefix='y_'/></body>"
      "</worldbody></mujoco>",
      "<mujoco model='own2'><worldbody><body name='b'><geom size='.1'/></body></worldbody>"
      "</mujoco>",
      "<mujoco model='own3'><worldbody><body name='b'><geom size='.1'/></body></worldbody>"
      "</mujoco>"};
  static const char* const names[4] = {"0.xml", "1.xml", "2.xml", "3.xml"};
  char error[300] = "";
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  for (int i = 0; i < 4; i++) {
    mj_addBufferVFS(&vfs, names[i], files[i], (int)strlen(files[i]));
  }
  mjSpec* s = mj_parseXML("0.xml", &vfs, error, sizeof(error));
  say_message(log, error);
  find_all(log, s);
  find_all(log, mjs_findSpec(s, "given1"));
  mjSpec* copy = mj_copySpec(s);
  mj_deleteSpec(s);
  find_all(log, copy);
  mj_deleteModel(mj_compile(copy, &vfs));
  find_all(log, copy);
  mj_deleteSpec(copy);
  mj_deleteVFS(&vfs);
}

static void attached_specs_are_found_by_their_present_name(Log* log) {
  for (int deep = 0; deep < 2; deep++) {
    mjSpec *p = parse(log, base_model), *c = parse(log, arm_model);
    mjs_setDeepCopy(p, deep);
    say(log, "%d", mjs_findSpec(p, "arm") != NULL);
    mjs_attach(mjs_findFrame(p, "mount")->element, mjs_findBody(c, "a")->element, "x_", "");
    say(log, "%d %d", mjs_findSpec(p, "base") != NULL, mjs_findSpec(p, "arm") == c);
    say(log, "%d %d", mjs_findSpec(c, "base") != NULL, mjs_findSpec(c, "arm") != NULL);
    mjs_setString(c->modelname, "base");
    say(log, "%d %d", mjs_findSpec(p, "base") == c, mjs_findSpec(p, "arm") != NULL);
    mj_deleteSpec(c);
    say(log, "%d", mjs_findSpec(p, "base") == c);
    mj_deleteSpec(p);
  }
}

// textures

static void pixels_are_turned_over(Log* log) {
  static const struct {
    mjtTexture type;
    int width, height, nchannel;
  } sizes[] = {{mjTEXTURE_2D, 3, 2, 3},
               {mjTEXTURE_2D, 3, 3, 1},
               {mjTEXTURE_2D, 2, 2, 4},
               {mjTEXTURE_CUBE, 2, 12, 3},
               {mjTEXTURE_SKYBOX, 2, 12, 3}};
  unsigned char pixels[72];
  for (int i = 0; i < 72; i++) {
    pixels[i] = (unsigned char)i;
  }
  for (int i = 0; i < 20; i++) {
    mjSpec* s = mj_makeSpec();
    mjsTexture* texture = mjs_addTexture(s);
    mjs_setName(texture->element, "t");
    texture->type = sizes[i / 4].type;
    texture->width = sizes[i / 4].width;
    texture->height = sizes[i / 4].height;
    texture->nchannel = sizes[i / 4].nchannel;
    texture->hflip = i & 1;
    texture->vflip = (i & 2) != 0;
    int n = texture->width * texture->height * texture->nchannel;
    mjs_setBuffer(texture->data, pixels, n);
    mjModel* m = mj_compile(s, NULL);
    mjtNum turned[72];
    for (int k = 0; k < n; k++) {
      turned[k] = m->tex_data[k];
    }
    say_reals(log, "pixels", turned, n);
    mj_deleteModel(m);
    mj_deleteSpec(s);
  }
}

const Scenario edit_scenarios[] = {
    SCENARIO(worlds_are_attached_to_frames),
    SCENARIO(worlds_are_attached_to_sites),
    SCENARIO(worlds_are_copied),
    SCENARIO(a_world_with_the_name_of_the_world_does_not_compile),
    SCENARIO(attached_worlds_become_frames),
    SCENARIO(keys_are_filled_up_at_each_level),
    SCENARIO(keys_are_filled_up_where_something_is_attached),
    SCENARIO(short_keys_are_attached_once_compiled),
    SCENARIO(attaching_what_has_pending_keys_warns),
    SCENARIO(files_attach_what_attaches),
    SCENARIO(keys_of_deleted_bodies_are_saved_once_compiled),
    SCENARIO(compiling_makes_each_instance_once),
    SCENARIO(attached_parts_bring_the_instances_that_they_use),
    SCENARIO(instances_made_for_one_element_go_with_it),
    SCENARIO(assets_are_found_by_their_name),
    SCENARIO(attached_specs_are_found_by_their_present_name),
    SCENARIO(pixels_are_turned_over),
    {NULL, NULL},
};
