// table.h: the table of sensor types.
//
// The compiler reads object, dimension and stage of a type; a step calls its function. A new type
// is one row and one function.
//
//     stage POS ----------> VEL ----------------------------> ACC
//     mj_sensorPos          mj_sensorVel                      mj_sensorAcc
//                           mj_subtreeVel, if one needs it    mj_rnePostConstraint, likewise
//
// Quantities that only sensors use are computed once per stage, if one of its sensors needs them.
//                                                                theory/time/sensors.md, Evaluation

#pragma once

#include "sensor/functions.h"

// The objects that a sensor may be attached to.
typedef enum SensorObject_ {
  SENSOR_ANYTHING,  // any object, or none
  SENSOR_SITE,
  SENSOR_RAYS,         // a site, or a camera with pixels
  SENSOR_SCALARJOINT,  // slide or hinge
  SENSOR_BALLJOINT,
  SENSOR_LIMITEDJOINT,
  SENSOR_TENDON,
  SENSOR_LIMITEDTENDON,
  SENSOR_ACTUATOR,
  SENSOR_FRAME,    // body, xbody, geom, site or camera
  SENSOR_BODY,     // a body, which stands for its subtree
  SENSOR_GEOMS,    // body or geom, as the reference
  SENSOR_CONTACT,  // a criterion for contacts, as the reference
  SENSOR_MESH,
} SensorObject;

typedef struct SensorType_ {
  int dim;  // number of outputs; 0: it depends on the sensor
  mjtStage stage;
  mjtDataType datatype;
  SensorObject object;
  mjtObj reference;         // required type of the reference; mjOBJ_UNKNOWN: none
  int prepared;             // needs the stage's subtree velocities or body forces
  SensorFunction* compute;  // NULL: not computed here
} SensorType;

// Row of a type, NULL if there is no such type.
const SensorType* sensor_type(int type);
