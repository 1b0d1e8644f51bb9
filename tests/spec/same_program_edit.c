// Whole specs become part of others, and what hangs on their elements goes with them.

#include "spec/same_program_log.h"

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

const Scenario edit_scenarios[] = {
    SCENARIO(worlds_are_attached_to_frames),
    SCENARIO(worlds_are_attached_to_sites),
    SCENARIO(worlds_are_copied),
    SCENARIO(a_world_with_the_name_of_the_world_does_not_compile),
    SCENARIO(attached_worlds_become_frames),
    {NULL, NULL},
};
