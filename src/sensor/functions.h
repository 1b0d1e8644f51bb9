// functions.h: what computes the numbers of sensors, by file; what their derivatives ask, too.

#ifndef CONDYLE_SENSOR_FUNCTIONS_H_
#define CONDYLE_SENSOR_FUNCTIONS_H_

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

// Is a point strictly inside the volume of a site?                                     frame.c
int site_contains(const mjModel* m, const mjData* d, int site, const mjtNum point[3]);

// Focal lengths of a camera in pixels.                                                  site.c
void sensor_focal_lengths(mjtNum out[2], const mjModel* m, int camera);

// Of a distance sensor: the nearest pair of geoms below its cutoff, the segment from the first to
// the second and its length; else -1, zeros and the cutoff.                              distance.c
mjtNum sensor_nearest(mjtNum fromto[6], int geom[2], const mjModel* m, const mjData* d, int id);

// Does a touch sensor feel a contact with this normal force?                           touch.c
int sensor_touches(const mjModel* m, const mjData* d, int id, int contact, mjtNum normal);

// A contact that a contact sensor tells of, in the order of its slots: ascending key, then order of
// contacts.
typedef struct ContactMatch_ {
  mjtNum key;
  int contact;
  int direction;  // 1 as it is, -1 turned around
} ContactMatch;

// Direction in which a contact matches a contact sensor, 0 if it doesn't.             contact.c
int sensor_matches_contact(const mjModel* m, const mjData* d, int contact, int id);

// Does a contact sensor tell of all its matches as one?
int sensor_reduces_contacts(const mjModel* m, int id);

// The at most max (> 0) matches that a contact sensor tells of; returns how many. found: of so
// many.
int sensor_choose_contacts(ContactMatch* list, int* found, int max, const mjModel* m,
                           const mjData* d, int id);

// First row of the limit of the sensor's joint or tendon, -1 if no limit is near. With both limits
// near that is the lower one's.                                                            scalar.c
int sensor_limit_row(const mjModel* m, const mjData* d, int id);

// Numbers in one slot of a contact sensor; dataspec has one bit per mjtConDataField.
int sensor_slotsize(int dataspec);

#endif  // CONDYLE_SENSOR_FUNCTIONS_H_
