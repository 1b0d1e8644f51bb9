// table.h: one table with everything that is particular to a type of sensor.
//
// The compiler reads the facts (what a sensor is attached to, how many numbers it gives, when), a
// step reads the function. Adding a type is one row and one function, no more.
//
//     stage POS ----------> VEL ----------------------------> ACC
//     mj_sensorPos          mj_sensorVel                      mj_sensorAcc
//                           mj_subtreeVel, if one needs it    mj_rnePostConstraint, likewise
//
// Quantities that only sensors use are computed by the first sensor of a stage that needs them, so
// a model without such sensors doesn't compute them.                  theory/sensors.md, Evaluation

#ifndef CONDYLE_SENSOR_TABLE_H_
#define CONDYLE_SENSOR_TABLE_H_

#include "sensor/functions.h"

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

typedef struct SensorType_ {
  int dim;  // how many numbers; 0: it depends on the sensor
  mjtStage stage;
  mjtDataType datatype;
  SensorObject object;
  mjtObj reference;  // type that the reference must have; mjOBJ_UNKNOWN: no rule of its own
  int prepared;      // needs what is prepared for its stage: subtree velocities or body forces
  SensorFunction* compute;  // NULL: not computed here
} SensorType;

// Row of a type, NULL if there is no such type.
const SensorType* sensor_type(int type);

#endif  // CONDYLE_SENSOR_TABLE_H_
