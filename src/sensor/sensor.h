// sensor.h: one table with everything that is particular to a type of sensor.
//
// The compiler reads the facts (what a sensor is attached to, how many numbers it gives, when), a
// step reads the function. Adding a type is one row and one function, no more.
//
//     stage POS ----------> VEL ----------------------------> ACC
//     mj_sensorPos          mj_sensorVel                      mj_sensorAcc
//                           mj_subtreeVel, if one needs it    mj_rnePostConstraint, likewise
//
// Quantities that only sensors use are computed by the first sensor of a stage that needs them, so
// a model without such sensors doesn't compute them.                     spec 07, sections 1.1, 1.2

#ifndef CONDYLE_SENSOR_SENSOR_H_
#define CONDYLE_SENSOR_SENSOR_H_

#include <mujoco/mjdata.h>

// What a sensor may be attached to.
typedef enum SensorObject_ {
  SENSOR_ANYTHING,  // something, or nothing
  SENSOR_SITE,
  SENSOR_SCALARJOINT,  // slide or hinge
  SENSOR_BALLJOINT,
  SENSOR_LIMITEDJOINT,
  SENSOR_TENDON,
  SENSOR_LIMITEDTENDON,
  SENSOR_ACTUATOR,
  SENSOR_FRAME,    // body, xbody, geom, site or camera
  SENSOR_BODY,     // in the sense of the whole subtree
  SENSOR_GEOMS,    // body or geom; so is the reference
  SENSOR_CONTACT,  // criteria for contacts; so is the reference
  SENSOR_MESH,
} SensorObject;

typedef void (*SensorFunction)(mjtNum* out, const mjModel* m, mjData* d, int id);

typedef struct SensorType_ {
  int dim;  // how many numbers; 0: it depends on the sensor
  mjtStage stage;
  mjtDataType datatype;
  SensorObject object;
  mjtObj reference;  // type that the reference must have; mjOBJ_UNKNOWN: no rule of its own
  int prepared;      // needs what is prepared for its stage: subtree velocities or body forces
  SensorFunction compute;  // NULL: not computed here
} SensorType;

// Row of a type, NULL if there is no such type.
const SensorType* sensor_type(int type);

// Numbers in one slot of a contact sensor; dataspec has one bit per mjtConDataField.
int sensor_slotsize(int dataspec);

// Does the model have a sensor of this type?
int sensor_exists(const mjModel* m, mjtSensor type);

// the functions of the table; each writes the numbers of sensor `id`

// site.c
void sensor_magnetometer(mjtNum* out, const mjModel* m, mjData* d, int id);
void sensor_rangefinder(mjtNum* out, const mjModel* m, mjData* d, int id);
void sensor_camprojection(mjtNum* out, const mjModel* m, mjData* d, int id);
void sensor_velocimeter(mjtNum* out, const mjModel* m, mjData* d, int id);
void sensor_gyro(mjtNum* out, const mjModel* m, mjData* d, int id);
void sensor_accelerometer(mjtNum* out, const mjModel* m, mjData* d, int id);
void sensor_force(mjtNum* out, const mjModel* m, mjData* d, int id);
void sensor_torque(mjtNum* out, const mjModel* m, mjData* d, int id);

// scalar.c
void sensor_jointpos(mjtNum* out, const mjModel* m, mjData* d, int id);
void sensor_jointvel(mjtNum* out, const mjModel* m, mjData* d, int id);
void sensor_jointactfrc(mjtNum* out, const mjModel* m, mjData* d, int id);
void sensor_tendonpos(mjtNum* out, const mjModel* m, mjData* d, int id);
void sensor_tendonvel(mjtNum* out, const mjModel* m, mjData* d, int id);
void sensor_tendonactfrc(mjtNum* out, const mjModel* m, mjData* d, int id);
void sensor_actuatorpos(mjtNum* out, const mjModel* m, mjData* d, int id);
void sensor_actuatorvel(mjtNum* out, const mjModel* m, mjData* d, int id);
void sensor_actuatorfrc(mjtNum* out, const mjModel* m, mjData* d, int id);
void sensor_ballquat(mjtNum* out, const mjModel* m, mjData* d, int id);
void sensor_ballangvel(mjtNum* out, const mjModel* m, mjData* d, int id);
void sensor_limitpos(mjtNum* out, const mjModel* m, mjData* d, int id);
void sensor_limitvel(mjtNum* out, const mjModel* m, mjData* d, int id);
void sensor_limitfrc(mjtNum* out, const mjModel* m, mjData* d, int id);
void sensor_potential(mjtNum* out, const mjModel* m, mjData* d, int id);
void sensor_kinetic(mjtNum* out, const mjModel* m, mjData* d, int id);
void sensor_clock(mjtNum* out, const mjModel* m, mjData* d, int id);

// frame.c
void sensor_framepos(mjtNum* out, const mjModel* m, mjData* d, int id);
void sensor_framequat(mjtNum* out, const mjModel* m, mjData* d, int id);
void sensor_frameaxis(mjtNum* out, const mjModel* m, mjData* d, int id);
void sensor_framelinvel(mjtNum* out, const mjModel* m, mjData* d, int id);
void sensor_frameangvel(mjtNum* out, const mjModel* m, mjData* d, int id);
void sensor_framelinacc(mjtNum* out, const mjModel* m, mjData* d, int id);
void sensor_frameangacc(mjtNum* out, const mjModel* m, mjData* d, int id);
void sensor_subtreecom(mjtNum* out, const mjModel* m, mjData* d, int id);
void sensor_subtreelinvel(mjtNum* out, const mjModel* m, mjData* d, int id);
void sensor_subtreeangmom(mjtNum* out, const mjModel* m, mjData* d, int id);
void sensor_insidesite(mjtNum* out, const mjModel* m, mjData* d, int id);

// distance.c
void sensor_distance(mjtNum* out, const mjModel* m, mjData* d, int id);

// touch.c, contact.c
void sensor_touch(mjtNum* out, const mjModel* m, mjData* d, int id);
void sensor_contact(mjtNum* out, const mjModel* m, mjData* d, int id);

// Is a point strictly inside the volume of a site?                                     frame.c
int site_contains(const mjModel* m, const mjData* d, int site, const mjtNum point[3]);

#endif  // CONDYLE_SENSOR_SENSOR_H_
