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
  BEHAVIOUR(marginsum, "3.5", \
        "margins of two geoms or flexes add, and so do their gaps, where before the larger one " \
        "counted") \
  BEHAVIOUR(meshsdf, "3.6", \
        "a mesh collides with a signed distance field triangle by triangle, not as another field") \
  BEHAVIOUR(pathdofs, "3.6", \
        "rows of spatial tendons have all dofs of their paths, also those of geoms that they don't " \
        "touch, which share an island then, and moments of actuators have no more room; " \
        "tendon_efcadr tells rows that there are, and contacts of bodies that move together have " \
        "none in dense J, too") \
  BEHAVIOUR(jdotv, "3.7", \
        "connects and welds follow the curvature of their paths: the reference acceleration of " \
        "their rows is less by (dJ/dt) qvel") \
  BEHAVIOUR(multiccd, "3.8", \
        "convex pairs that touch in faces or edges have several contacts, each with its own " \
        "depth, unless the flag multiccd is disabled") \
  BEHAVIOUR(tactile, "3.9", \
        "tactile sensors tell depths (m) in place of pressures, and how fast the skin slides " \
        "along its own tangents over all that it touches") \
  BEHAVIOUR(marginband, "3.9", \
        "contacts act within the margin and are found within margin and gap, where before they " \
        "were found within the margin and acted within margin less gap") \
  BEHAVIOUR(gyrofast, "3.11", \
        "implicitfast takes the gyroscopic forces of free bodies that nothing hangs on into its " \
        "matrix, as implicit does") \
  BEHAVIOUR(servowrap, "3.11", \
        "servos that turn a ball joint or a site in the frame of another take the nearest of the " \
        "targets that are whole turns apart") \
  BEHAVIOUR(mocap, "3.12", \
        "mocap bodies are welded to themselves (body_weldid), not to the world: rays see them as " \
        "moving, and what hangs on them doesn't collide with them") \
  BEHAVIOUR(boxclip, "3.12", \
        "two boxes touch in one point of two edges, or in the corners of one face clipped by " \
        "another, at their true depths") \
  BEHAVIOUR(meshface, "3.13", \
        "a mesh lies on a plane with up to four corners of its lowest face, where before it had " \
        "three vertices that are far apart") \
  BEHAVIOUR(weldtorque, "3.14", \
        "the torque of a weld on its bodies (cfrc_ext, cfrc_int, force and torque sensors) is that " \
        "of its rows, not the rows' forces themselves") \
  BEHAVIOUR(tendonload, "3.14", \
        "spatial tendons load the bodies along their paths in cfrc_ext, cfrc_int and the sensors " \
        "of force and torque") \
  BEHAVIOUR(insidecom, "3.15", \
        "an insidesite sensor of a body without mass of its own asks for the center of mass of " \
        "its subtree, not for the body's own") \
  BEHAVIOUR(shortcuts, "3.16", \
        "a shortcut of actuators takes parameters of its law from a class only if the class has " \
        "them of the same shortcut or of general, and intvelocity is not always clamped") \
  BEHAVIOUR(capsules, "3.16", \
        "two capsules are parallel if the sine of their angle is below 1e-4, whatever their " \
        "lengths, and then touch at both ends of where they lie beside each other") \
  BEHAVIOUR(solverexit, "3.17", \
        "solvers measure progress by the present inertia, begin at a solution with no iteration, " \
        "and visit constraints of PGS in a shuffled order with momentum, island by island") \
  BEHAVIOUR(dampratio, "3.17", \
        "damping ratios of servos are those of the mass that they feel through all dofs together, " \
        "and only the compiler resolves them, not mj_setConst") \
  BEHAVIOUR(weldpose, "3.17", \
        "mj_setConst finds the relative pose of a weld anew if the model doesn't give it, where " \
        "before it kept that of the compilation") \
  BEHAVIOUR(compile, "4.0", \
        "the compiler's later rules: principal axes to the last digit, meshes that are scaled, " \
        "polygons of hulls, ranges of tendons, each for what its own file has; rangefinders have a " \
        "mask of fields, and contact sensors without forces come after positions") \
  BEHAVIOUR(actclamp, "4.0", \
        "implicit integrators take no derivative of an actuator whose force a range clamps: its " \
        "own, its joint's or its tendon's; a control beyond its range counts as clamped") \
  BEHAVIOUR(fieldmargin, "4.0", \
        "contacts of height fields within a margin have the distance of the true surfaces") \
  BEHAVIOUR(gjkepa, "4.0", \
        "the searches for the distance and depth of convex shapes take the later path to the " \
        "tolerance, and begin with shapes without their margins; those of signed distance fields " \
        "keep what they have where a step only climbs, and poses are rounded in the later order; " \
        "mj_geomDistance and its sensors go from the first geom to the second") \
  BEHAVIOUR(restacc, "4.0", \
        "accelerations of what can't move (accelerometer, framelinacc, mj_objectAcceleration) are " \
        "minus gravity, not zero; sensors of net contact forces are all zero without a contact, and one of kinetic " \
        "energy is an evaluation late where energies are enabled") \
  BEHAVIOUR(smalldrag, "4.0", \
        "drag and lift of small or slow ellipsoids in a fluid scale with their size, without a floor") \
  BEHAVIOUR(siteturn, "4.0", \
        "the length of an actuator on a site in the frame of another is by the orientations of the " \
        "sites, also of those that are turned in their bodies") \
  BEHAVIOUR(sidesite, "4.0", \
        "a tendon stays on the side of its side site however far it winds around the geom, where " \
        "before the nearer of two tangents was taken") \
  BEHAVIOUR(rkmk, "4.0", \
        "Runge-Kutta steps of ball and free joints are of fourth order in the orientation too, " \
        "not of second") \
  BEHAVIOUR(flex, "4.0", \
        "flexes have the elastic constants of their material, contacts that interpolate their " \
        "corners, those of triangles with " \
        "the ends of capsules and the corners of boxes, at most 50 contacts with a geom if they are rigid or have nodes, and are never " \
        "implicit")
// clang-format on

#endif  // CONDYLE_BEHAVIOUR_TABLE_H_
