// steps.h: the steps of scaling, in order.                     theory/model/scaling.md

#pragma once

#include "compile/scale/factor.h"

// Bodies, frames, joints, geoms, sites, cameras and lights. Notes the factors of joints.
void scale_tree(Scaling* scaling);

// Lets a geom or site whose mesh or height field is stretched by a map, in its own axes, use an
// instance of that asset: the asset itself for its first user, and copies named name@1, ... for
// others.
void scale_use(Scaling* scaling, SpecObject* user, const Stretch* stretch, const double map[9]);

// Stretches the instances.
void scale_assets(Scaling* scaling);

// Skins and flexes, by the bodies that they follow.
void scale_skins(Scaling* scaling);
void scale_flexes(Scaling* scaling);

// Pairs, equalities, tendons and sensors.
void scale_mechanism(Scaling* scaling);

// Actuators, which need the tendons as they are written. Notes the factors of their controls.
void scale_actuators(Scaling* scaling);

// Coordinates, velocities and controls of keyframes.
void scale_keys(Scaling* scaling);

// Turns an alternative orientation into a quaternion.
void scale_orientation(const SpecObject* object, double quat[4], mjsOrientation* alt);

// The factors of an actuator or a tendon, and 1 if its length is one: that of a slide, or of sites.
Scale scale_ofactuator(const Scaling* scaling, const SpecObject* actuator, int linear[1]);
Scale scale_oftendon(const Scaling* scaling, const SpecObject* tendon, int linear[1]);
