// checks.h: the table of all lint checks.

#pragma once

#include "lint/context.h"

// All checks by file: X(function, name, stage, meaning).
#define LINT_CHECKS(X)                                                                             \
  /* mass.c */                                                                                     \
  X(light_body, "light-body", MODEL, "a moving leaf has almost no mass or inertia")                \
  X(mass_ratio, "mass-ratio", MODEL, "a light body carries one that is 1000 times heavier")        \
  X(balanced_inertia, "balanced-inertia", SOURCE, "balanceinertia replaces an impossible inertia") \
  X(inertia_size, "inertia-size", MODEL, "an inertia doesn't fit the size of the body's geoms")    \
  X(com_outside, "com-outside", MODEL, "a center of mass is far outside of the body's geoms")      \
  X(static_mass, "static-mass", SOURCE, "a geom that can't move is given a mass")                  \
  /* joint.c */                                                                                    \
  X(parallel_joints, "parallel-joints", MODEL, "two joints of a body move it in the same way")     \
  X(negative_loss, "negative-loss", MODEL, "a stiffness, damping or armature is negative")         \
  X(inherited_free, "inherited-free", SOURCE,                                                      \
    "a free joint takes springs or losses from its class")                                         \
  X(narrow_range, "narrow-range", MODEL, "a range has almost no width")                            \
  X(angle_units, "angle-units", SOURCE, "a joint range looks like the other unit of angle")        \
  X(initial_limit, "initial-limit", MODEL, "the initial state violates a limit")                   \
  /* range.c */                                                                                    \
  X(reversed_range, "reversed-range", MODEL,                                                       \
    "a range is written the other way round and limits nothing")                                   \
  X(tendon_forcerange, "tendon-forcerange", MODEL, "a range of forces on a tendon limits nothing") \
  /* stiffness.c */                                                                                \
  X(stiff_spring, "stiff-spring", MODEL, "a spring is too stiff for the timestep")                 \
  X(stiff_actuator, "stiff-actuator", MODEL,                                                       \
    "feedback of an actuator is too stiff for the timestep")                                       \
  X(saturated_damping, "saturated-damping", MODEL, "an actuator at its limit keeps its damping")   \
  X(undamped_gain, "undamped-gain", MODEL, "a position gain without any damping")                  \
  X(short_solref, "short-solref", MODEL,                                                           \
    "a constraint's time constant is too short for the timestep")                                  \
  /* actuator.c */                                                                                 \
  X(no_ctrlrange, "no-ctrlrange", MODEL, "nothing bounds an actuator's control or force")          \
  X(ctrlrange_units, "ctrlrange-units", MODEL, "targets of a position actuator look like degrees") \
  X(dead_actuator, "dead-actuator", MODEL, "an actuator whose force is always zero")               \
  /* contact.c */                                                                                  \
  X(initial_contact, "initial-contact", MODEL,                                                     \
    "geoms are deep inside each other at the start or in a key")                                   \
  X(duplicate_geom, "duplicate-geom", MODEL, "two colliding geoms of a body are the same")         \
  X(visual_collides, "visual-collides", MODEL, "a geom made to be seen collides too")              \
  X(gap_over_margin, "gap-over-margin", MODEL, "a gap larger than the margin lets geoms sink in")  \
  X(wide_margin, "wide-margin", MODEL, "a margin is larger than the geom itself")                  \
  X(large_hull, "large-hull", MODEL, "a convex hull that collides has very many vertices")         \
  X(constant_overlap, "constant-overlap", MODEL, "geoms of one mechanism touch in every pose")     \
  /* resting.c */                                                                                  \
  X(thin_on_hfield, "thin-on-hfield", MODEL, "a geom is so thin that a height field swallows it")  \
  X(single_contact, "single-contact", MODEL, "a face lies on a face by one contact, and rattles")  \
  X(flush_boxes, "flush-boxes", MODEL, "boxes lie flush against each other, edge at edge")         \
  /* spin.c */                                                                                     \
  X(spinning_key, "spinning-key", MODEL, "a body spins too fast for an explicit integrator")       \
  X(thin_spin, "thin-spin", MODEL,                                                                 \
    "a thin body that rolls spins too fast for an explicit integrator")                            \
  X(rough_turns, "rough-turns", MODEL, "RK4 turns balls and free bodies to second order alone")    \
  /* fluid.c */                                                                                    \
  X(small_wing, "small-wing", MODEL, "a geom is too small for the formula of its lift")            \
  /* camera.c */                                                                                   \
  X(principal_point, "principal-point", MODEL, "a principal point is drawn the other way round")   \
  X(near_plane, "near-plane", MODEL, "a camera cuts open what is before its near plane")           \
  /* dialect.c */                                                                                  \
  X(no_dialect, "no-dialect", SOURCE, "a model uses later words and names no dialect")             \
  /* unused.c */                                                                                   \
  X(unused_class, "unused-class", SOURCE, "no element uses a default class")                       \
  X(unused_asset, "unused-asset", SOURCE, "no element uses an asset")                              \
  /* mesh.c */                                                                                     \
  X(open_mesh, "open-mesh", MODEL, "a mesh that gives a mass has holes")                           \
  X(mesh_volume, "mesh-volume", MODEL, "the mass of a mesh is not that of its volume")             \
  X(flipped_faces, "flipped-faces", MODEL, "neighbouring faces of a mesh look to different sides") \
  X(inverted_mesh, "inverted-mesh", MODEL, "the faces of a mesh look inside")                      \
  X(mesh_units, "mesh-units", MODEL, "a moving mesh is so large that its unit must be wrong")      \
  /* flex.c */                                                                                     \
  X(inverted_element, "inverted-element", MODEL, "a keyframe turns a tetrahedron inside out")      \
  X(sliver_element, "sliver-element", MODEL, "an element of a flex is almost flat")                \
  X(loose_vertex, "loose-vertex", MODEL, "a vertex of a flex is in no element")                    \
  X(loose_flex, "loose-flex", MODEL, "nothing holds the vertices of a flex together")              \
  X(stiff_flex, "stiff-flex", MODEL, "a flex is too stiff for the timestep")                       \
  X(flex_self_contact, "flex-self-contact", MODEL, "a flex touches itself at the start")           \
  /* sensor.c */                                                                                   \
  X(fused_sensor, "fused-sensor", SOURCE, "fusestatic moves a force sensor to another joint")      \
  X(static_sensor, "static-sensor", MODEL, "a motion sensor on a body that can't move")            \
  X(unfelt_force, "unfelt-force", MODEL, "a force sensor misses a tendon or an actuator")          \
  X(idle_equality, "idle-equality", MODEL, "a constraint between bodies that can't move")          \
  /* keyframe.c */                                                                                 \
  X(key_length, "key-length", SOURCE, "a keyframe gives fewer numbers than the model has")         \
  X(key_limit, "key-limit", MODEL, "a keyframe violates a limit")                                  \
  X(key_quaternion, "key-quaternion", MODEL, "a quaternion in a keyframe is not of unit length")

#define LINT_DECLARE(function, name, stage, what) void check_##function(Lint* l);
LINT_CHECKS(LINT_DECLARE)
#undef LINT_DECLARE
