// sensor_table.h: the sensors that lanes read. A model with others gets all its readings from the
// scalar engine.

#pragma once

// What has to be computed before a sensor can be read.
typedef enum LaneNeed {
  NEEDS_NOTHING,
  NEEDS_FORCES,    // accelerations of bodies and forces between them
  NEEDS_SUBTREES,  // coms and momenta
  NEEDS_POSES,     // it is read by the scalar engine from a lane's poses
  NEEDS_CONTACTS,  // the same, from its contacts, too
  NEEDS_LANES      // it has none: it isn't read
} LaneNeed;

// (kind, need, how it is read into out): w is the Work, m the model, id the sensor's object, f its
// frame and ref that of its reference; the functions stand in sensors.h.
//                                                                          theory/time/sensors.md
// clang-format off
#define LANE_SENSORS(X)                                                                   \
  X(TOUCH, NEEDS_NOTHING, *out = frame_touch(w, f, id))                                   \
  X(ACCELEROMETER, NEEDS_FORCES, put_local(out, w, f, frame_acceleration(w, f).u))        \
  X(VELOCIMETER, NEEDS_NOTHING, put_local(out, w, f, frame_velocity(w, f).u))             \
  X(GYRO, NEEDS_NOTHING, put_local(out, w, f, frame_velocity(w, f).w))                    \
  X(FORCE, NEEDS_FORCES, put_local(out, w, f, w->internal[f.body].u))                     \
  X(TORQUE, NEEDS_FORCES, put_local(out, w, f, frame_torque(w, f)))                       \
  X(MAGNETOMETER, NEEDS_NOTHING, put_local(out, w, f, r3_of(w->constants.option->magnetic))) \
  X(FRAMEPOS, NEEDS_NOTHING, put3_reals(out, relative_position(w, f, ref)))               \
  X(FRAMEQUAT, NEEDS_NOTHING, put4_reals(out, relative_quat(w, f, ref)))                  \
  X(FRAMEXAXIS, NEEDS_NOTHING, put3_reals(out, relative_axis(w, f, ref, 0)))              \
  X(FRAMEYAXIS, NEEDS_NOTHING, put3_reals(out, relative_axis(w, f, ref, 1)))              \
  X(FRAMEZAXIS, NEEDS_NOTHING, put3_reals(out, relative_axis(w, f, ref, 2)))              \
  X(FRAMELINVEL, NEEDS_NOTHING, put3_reals(out, lane_relative_velocity(w, f, ref).u))          \
  X(FRAMEANGVEL, NEEDS_NOTHING, put3_reals(out, lane_relative_velocity(w, f, ref).w))          \
  X(FRAMELINACC, NEEDS_FORCES, put3_reals(out, frame_acceleration(w, f).u))               \
  X(FRAMEANGACC, NEEDS_FORCES, put3_reals(out, frame_acceleration(w, f).w))               \
  X(SUBTREECOM, NEEDS_SUBTREES, put3_reals(out, w->subtree_com[id]))                      \
  X(SUBTREELINVEL, NEEDS_SUBTREES, put3_reals(out, subtree_velocity(w, id)))              \
  X(SUBTREEANGMOM, NEEDS_SUBTREES, put3_reals(out, subtree_spin(w, id)))                  \
  X(JOINTPOS, NEEDS_NOTHING, *out = w->qpos[m->jnt_qposadr[id]])                          \
  X(JOINTVEL, NEEDS_NOTHING, *out = w->qvel[m->jnt_dofadr[id]])                           \
  X(JOINTACTFRC, NEEDS_NOTHING, *out = w->actuator[m->jnt_dofadr[id]])                    \
  X(BALLQUAT, NEEDS_NOTHING, put4_reals(out, r4_unit(w->qpos + m->jnt_qposadr[id])))      \
  X(BALLANGVEL, NEEDS_NOTHING, copy_reals(out, w->qvel + m->jnt_dofadr[id], 3))           \
  X(TENDONPOS, NEEDS_NOTHING, *out = w->tendon_length[w->s->spring_of[id]])               \
  X(TENDONVEL, NEEDS_NOTHING, *out = w->tendon_velocity[w->s->spring_of[id]])             \
  X(TENDONACTFRC, NEEDS_NOTHING, *out = tendon_total(w, id))                          \
  X(ACTUATORPOS, NEEDS_NOTHING, *out = w->length[id])                                     \
  X(ACTUATORVEL, NEEDS_NOTHING, *out = w->velocity[id])                                   \
  X(ACTUATORFRC, NEEDS_NOTHING, *out = w->force[id])                                      \
  X(CLOCK, NEEDS_NOTHING, *out = clock(w))                                                \
  X(RANGEFINDER, NEEDS_POSES, (void)out)                                                  \
  X(CAMPROJECTION, NEEDS_POSES, (void)out)                                                \
  X(INSIDESITE, NEEDS_POSES, (void)out)                                                   \
  X(GEOMDIST, NEEDS_POSES, (void)out)                                                     \
  X(GEOMNORMAL, NEEDS_POSES, (void)out)                                                   \
  X(GEOMFROMTO, NEEDS_POSES, (void)out)                                                   \
  X(CONTACT, NEEDS_CONTACTS, (void)out)
// clang-format on
