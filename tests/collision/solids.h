// solids.h: one geom of every convex kind, as text; of meshes two, one that is searched and one
// that is climbed.

#pragma once

#define SOLID_MESHES                                                                         \
  "<mesh name='small' vertex='.2 0 0 -.2 0 0 0 .25 0 0 -.25 0 0 0 .15 0 0 -.15'/>"           \
  "<mesh name='large' vertex='.2 .1 0 .2 -.1 0 -.2 .1 0 -.2 -.1 0 0 .2 .1 0 .2 -.1 0 -.2 .1" \
  " 0 -.2 -.1 .1 0 .2 -.1 0 .2 .1 0 -.2 -.1 0 -.2'/>"

static const char* const solids[] = {
    "type='sphere' size='.2'",          "type='capsule' size='.1 .2'",
    "type='ellipsoid' size='.1 .2 .3'", "type='cylinder' size='.2 .1'",
    "type='box' size='.1 .2 .3'",       "type='mesh' mesh='small'",
    "type='mesh' mesh='large'",
};
enum {
  NSOLID = sizeof(solids) / sizeof(solids[0])
};
