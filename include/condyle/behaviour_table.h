// behaviour_table.h: the rules whose results differ between MuJoCo 3.3.7 and later releases,
// written once. A model has one bit for each (mjOption.behaviour): 0 is the rule of 3.3.7, 1 the
// later one.
//
//   BEHAVIOUR(name, release, meaning)
//
// release is the one that brought the rule; a dialect is the set of all rules up to its release.
// The meaning says what changes, and for which models.

#ifndef CONDYLE_BEHAVIOUR_TABLE_H_
#define CONDYLE_BEHAVIOUR_TABLE_H_

// clang-format off
#define CND_BEHAVIOURS(BEHAVIOUR) \
  BEHAVIOUR(actearly, "3.5", \
        "implicit integrators take the derivative of an actuator with actearly at its next " \
        "activation, not at the present one") \
  BEHAVIOUR(jdotv, "3.7", \
        "connects and welds follow the curvature of their paths: the reference acceleration of " \
        "their rows is less by (dJ/dt) qvel") \
  BEHAVIOUR(gyrofast, "3.11", \
        "implicitfast takes the gyroscopic forces of free bodies that nothing hangs on into its " \
        "matrix, as implicit does") \
  BEHAVIOUR(mocap, "3.12", \
        "mocap bodies are welded to themselves (body_weldid), not to the world: rays see them as " \
        "moving, and what hangs on them doesn't collide with them") \
  BEHAVIOUR(weldtorque, "3.14", \
        "the torque of a weld on its bodies (cfrc_ext, cfrc_int, force and torque sensors) is that " \
        "of its rows, not the rows' forces themselves") \
  BEHAVIOUR(tendonload, "3.14", \
        "spatial tendons load the bodies along their paths in cfrc_ext, cfrc_int and the sensors " \
        "of force and torque") \
  BEHAVIOUR(restacc, "4.0", \
        "accelerations of what can't move (accelerometer, framelinacc, mj_objectAcceleration) are " \
        "minus gravity, not zero") \
  BEHAVIOUR(sidesite, "4.0", \
        "a tendon stays on the side of its side site however far it winds around the geom, where " \
        "before the nearer of two tangents was taken") \
  BEHAVIOUR(rkmk, "4.0", \
        "Runge-Kutta steps of ball and free joints are of fourth order in the orientation too, " \
        "not of second") \
  BEHAVIOUR(flex, "4.0", \
        "flexes have the elastic constants of their material, contacts that interpolate their " \
        "corners, at most 50 contacts with a geom if they are rigid or have nodes, and are never " \
        "implicit")
// clang-format on

#endif  // CONDYLE_BEHAVIOUR_TABLE_H_
