// contact_scenes.h: a few rigid contacts whose geometry has a closed form.

#pragma once

#include "derivative/constraint/rows.h"

// A ball on a plane, a ball on that ball, a capsule on the plane.
#define CONTACTS(CONE, CONDIM)                                                             \
  "<mujoco><option cone='" CONE "'/><default><geom condim='" CONDIM                        \
  "' friction='.8 .2 .1' solref='.04 .7' solimp='.5 .9 .2 .5 3'/></default><worldbody>"    \
  "<geom type='plane' size='3 3 1' euler='3 2 0'/>"                                        \
  "<body name='a' pos='.1 .2 .29'><freejoint/><geom size='.3'/></body>"                    \
  "<body name='b' pos='.2 .3 1.02'><joint axis='0 1 0' pos='.3 0 0'/><joint type='slide' " \
  "axis='1 0 2'/><geom size='.45'/></body><body name='c' pos='1 0 .07' euler='0 88 20'>"   \
  "<freejoint/><geom type='capsule' size='.1 .3'/></body></worldbody></mujoco>"

static const char* const contact_scenes[] = {CONTACTS("pyramidal", "1"), CONTACTS("pyramidal", "3"),
                                             CONTACTS("pyramidal", "6"), CONTACTS("elliptic", "3"),
                                             CONTACTS("elliptic", "4"),  CONTACTS("elliptic", "6")};

enum {
  NCONTACT_SCENE = sizeof(contact_scenes) / sizeof(contact_scenes[0])
};

static inline Scene contact_scene(int i) {
  Scene s = scene_make(contact_scenes[i], 0.01);
  assert_in_range(s.d->ncon, 3, 4);
  return s;
}
