// functions.h: the functions that compute the numbers of sensors, by file, and what derivatives of
// sensors need of them.

#pragma once

#include <mujoco/mjdata.h>

// Writes the numbers of sensor `id`.
typedef void SensorFunction(mjtNum* out, const mjModel* m, mjData* d, int id);

// The functions of the table.
SensorFunction sensor_magnetometer, sensor_rangefinder, sensor_camprojection, sensor_sitevel,
    sensor_accelerometer, sensor_force, sensor_torque;
SensorFunction sensor_copy, sensor_tendonactfrc, sensor_ballquat, sensor_limit, sensor_potential,
    sensor_kinetic;
SensorFunction sensor_framepos, sensor_framequat, sensor_frameaxis, sensor_framevel,
    sensor_frameacc, sensor_insidesite;
SensorFunction sensor_distance, sensor_touch, sensor_contact, sensor_tactile;

// Whether a point is strictly inside the volume of a site.                                  frame.c
int site_contains(const mjModel* m, const mjData* d, int site, const mjtNum point[3]);

// Orientation of an object, from its body and its mounting. A camera in a tracking mode turns its
// matrix only, not this quaternion.
void sensor_object_quat(mjtNum out[4], const mjModel* m, const mjData* d, int type, int id,
                        int body);

// Focal lengths of a camera in pixels.                                                  site.c
void sensor_focal_lengths(mjtNum out[2], const mjModel* m, int camera);

// The nearest pair of geoms of a distance sensor and the segment from the first to the second, if
// its length is below the cutoff; returns the length. Otherwise the ids are -1, the segment is
// zero, and the cutoff is returned.
//                                                                                        distance.c
mjtNum sensor_nearest(mjtNum fromto[6], int geom[2], const mjModel* m, const mjData* d, int id);

// Whether a touch sensor senses a contact with this normal force.                           touch.c
int sensor_touches(const mjModel* m, const mjData* d, int id, int contact, mjtNum normal);

// A contact that matches a contact sensor. Slots are in ascending order of key, then of contacts.
typedef struct ContactMatch_ {
  mjtNum key;
  int contact;
  int direction;  // 1: as in the contact, -1: turned around
} ContactMatch;

// Whether a body is the root or below it.                                             contact.c
int sensor_in_subtree(const mjModel* m, int body, int root);

// Direction in which a contact matches a contact sensor, 0 if it doesn't.             contact.c
int sensor_matches_contact(const mjModel* m, const mjData* d, int contact, int id);

// Whether a contact sensor merges all its matches into one.
int sensor_reduces_contacts(const mjModel* m, int id);

// Lists the first matches of a contact sensor, at most max (> 0), and returns their number. found:
// the number of all matches.
int sensor_choose_contacts(ContactMatch* list, int* found, int max, const mjModel* m,
                           const mjData* d, int id);

// First constraint row of the limit of the sensor's joint or tendon; -1 if no limit is near. If
// both limits are near, it is the row of the lower one.
//                                                                                          scalar.c
int sensor_limit_row(const mjModel* m, const mjData* d, int id);

// Numbers in one slot of a contact sensor; dataspec has one bit per mjtConDataField.
int sensor_slotsize(int dataspec);

// Fields of contact sensors that came after those of 3.3.7, and how many there are in all.
enum {
  CONDATA_LINVEL = mjCONDATA_TANGENT + 1,
  CONDATA_ANGVEL,
  NCONDATA
};

// Fields of a rangefinder: bits of the first parameter of one that came after 3.3.7.
enum {
  RAYDATA_DIST,
  RAYDATA_DIR,
  RAYDATA_ORIGIN,
  RAYDATA_POINT,
  RAYDATA_NORMAL,
  RAYDATA_DEPTH,
  NRAYDATA
};

// How many numbers a rangefinder has for each ray; 0: it is one of 3.3.7, with a distance alone.
int sensor_raysize(int dataspec);

// The stage (mjtStage) after which a contact sensor of given fields and reduction is computed: that
// of acceleration if it tells forces or is sorted by them; else that of velocity if it tells
// velocities; else that of acceleration too in 3.3.7, `later` that of position.
int sensor_contactstage(int dataspec, int reduce, int later);

// Whether velocities are among the fields.
int sensor_hasvelocities(int dataspec);

// Whether a reduction is the resultant of all matches, which has no velocity.
int sensor_isresultant(int reduce);
