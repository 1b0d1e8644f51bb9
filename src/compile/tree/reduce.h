// reduce.h: what the settings fusestatic and discardvisual share with the functions that do the
// same to a spec (edit.c).

#pragma once

#include "compile/context.h"
#include "compile/derive/inertia.h"

// Marks the elements of a type that elements of `count` other types refer to, by pointing their
// scratch pointer `copy` to themselves.
void reduce_mark(SpecTree* tree, mjtObj type, const mjtObj* by, int count);

#define REDUCE_MARK(tree, type, ...)                                \
  do {                                                              \
    const mjtObj by[] = {__VA_ARGS__};                              \
    reduce_mark(tree, type, by, (int)(sizeof(by) / sizeof(by[0]))); \
  } while (0)

// Marks the bodies whose names are needed. Bodies with the site of a force or torque sensor, which
// measures what holds them, point to the site.
void reduce_markbodies(SpecTree* tree);

// Adds the mass and inertia of a body to those of its parent. If it is not right, the center and
// the axes are rotated by the inertial frame alone, instead of the frame of the body.
void reduce_addmass(BodyWork* parent, const BodyWork* body, int isright, InertiaAxes exact);

// Would forces on a body of this mass differ if it were part of its parent? Drag follows from the
// inertia of each body, and gravity may be compensated in one of them only.
int reduce_feels_other(const SpecObject* body, const SpecObject* parent, double mass);

// Makes a mass and its frame the explicit inertial of a body.
void reduce_freeze(mjsBody* body, const BodyWork* work);
