// table.c: one row per sensor type; its columns are the members of SensorType (table.h). reference:
// type that the reference must have, 0 for none. prepared: 1 if the stage has to compute velocities
// of subtrees or forces on bodies first.

#include <mujoco/mjmodel.h>

#include "sensor/table.h"

#define REAL mjDATATYPE_REAL
#define POSITIVE mjDATATYPE_POSITIVE
#define AXIS mjDATATYPE_AXIS
#define QUATERNION mjDATATYPE_QUATERNION
#define POS mjSTAGE_POS
#define VEL mjSTAGE_VEL
#define ACC mjSTAGE_ACC

// clang-format off
//   type                     dim stage kind        attached to        reference  prepared  function
static const SensorType table[] = {
  [mjSENS_TOUCH]          = {1, ACC, POSITIVE,   SENSOR_SITE,          0, 0, sensor_touch},
  [mjSENS_ACCELEROMETER]  = {3, ACC, REAL,       SENSOR_SITE,          0, 1, sensor_accelerometer},
  [mjSENS_VELOCIMETER]    = {3, VEL, REAL,       SENSOR_SITE,          0, 0, sensor_sitevel},
  [mjSENS_GYRO]           = {3, VEL, REAL,       SENSOR_SITE,          0, 0, sensor_sitevel},
  [mjSENS_FORCE]          = {3, ACC, REAL,       SENSOR_SITE,          0, 1, sensor_force},
  [mjSENS_TORQUE]         = {3, ACC, REAL,       SENSOR_SITE,          0, 1, sensor_torque},
  [mjSENS_MAGNETOMETER]   = {3, POS, REAL,       SENSOR_SITE,          0, 0, sensor_magnetometer},
  [mjSENS_RANGEFINDER]    = {1, POS, POSITIVE,   SENSOR_RAYS,          0, 0, sensor_rangefinder},
  [mjSENS_CAMPROJECTION]  = {2, POS, REAL,       SENSOR_SITE,          mjOBJ_CAMERA, 0,
                             sensor_camprojection},
  [mjSENS_JOINTPOS]       = {1, POS, REAL,       SENSOR_SCALARJOINT,   0, 0, sensor_copy},
  [mjSENS_JOINTVEL]       = {1, VEL, REAL,       SENSOR_SCALARJOINT,   0, 0, sensor_copy},
  [mjSENS_TENDONPOS]      = {1, POS, REAL,       SENSOR_TENDON,        0, 0, sensor_copy},
  [mjSENS_TENDONVEL]      = {1, VEL, REAL,       SENSOR_TENDON,        0, 0, sensor_copy},
  [mjSENS_ACTUATORPOS]    = {1, POS, REAL,       SENSOR_ACTUATOR,      0, 0, sensor_copy},
  [mjSENS_ACTUATORVEL]    = {1, VEL, REAL,       SENSOR_ACTUATOR,      0, 0, sensor_copy},
  [mjSENS_ACTUATORFRC]    = {1, ACC, REAL,       SENSOR_ACTUATOR,      0, 0, sensor_copy},
  [mjSENS_JOINTACTFRC]    = {1, ACC, REAL,       SENSOR_SCALARJOINT,   0, 0, sensor_copy},
  [mjSENS_TENDONACTFRC]   = {1, ACC, REAL,       SENSOR_TENDON,        0, 0, sensor_tendonactfrc},
  [mjSENS_BALLQUAT]       = {4, POS, QUATERNION, SENSOR_BALLJOINT,     0, 0, sensor_ballquat},
  [mjSENS_BALLANGVEL]     = {3, VEL, REAL,       SENSOR_BALLJOINT,     0, 0, sensor_copy},
  [mjSENS_JOINTLIMITPOS]  = {1, POS, REAL,       SENSOR_LIMITEDJOINT,  0, 0, sensor_limit},
  [mjSENS_JOINTLIMITVEL]  = {1, VEL, REAL,       SENSOR_LIMITEDJOINT,  0, 0, sensor_limit},
  [mjSENS_JOINTLIMITFRC]  = {1, ACC, REAL,       SENSOR_LIMITEDJOINT,  0, 0, sensor_limit},
  [mjSENS_TENDONLIMITPOS] = {1, POS, REAL,       SENSOR_LIMITEDTENDON, 0, 0, sensor_limit},
  [mjSENS_TENDONLIMITVEL] = {1, VEL, REAL,       SENSOR_LIMITEDTENDON, 0, 0, sensor_limit},
  [mjSENS_TENDONLIMITFRC] = {1, ACC, REAL,       SENSOR_LIMITEDTENDON, 0, 0, sensor_limit},
  [mjSENS_FRAMEPOS]       = {3, POS, REAL,       SENSOR_FRAME,         0, 0, sensor_framepos},
  [mjSENS_FRAMEQUAT]      = {4, POS, QUATERNION, SENSOR_FRAME,         0, 0, sensor_framequat},
  [mjSENS_FRAMEXAXIS]     = {3, POS, AXIS,       SENSOR_FRAME,         0, 0, sensor_frameaxis},
  [mjSENS_FRAMEYAXIS]     = {3, POS, AXIS,       SENSOR_FRAME,         0, 0, sensor_frameaxis},
  [mjSENS_FRAMEZAXIS]     = {3, POS, AXIS,       SENSOR_FRAME,         0, 0, sensor_frameaxis},
  [mjSENS_FRAMELINVEL]    = {3, VEL, REAL,       SENSOR_FRAME,         0, 0, sensor_framevel},
  [mjSENS_FRAMEANGVEL]    = {3, VEL, REAL,       SENSOR_FRAME,         0, 0, sensor_framevel},
  [mjSENS_FRAMELINACC]    = {3, ACC, REAL,       SENSOR_FRAME,         0, 1, sensor_frameacc},
  [mjSENS_FRAMEANGACC]    = {3, ACC, REAL,       SENSOR_FRAME,         0, 1, sensor_frameacc},
  [mjSENS_SUBTREECOM]     = {3, POS, REAL,       SENSOR_BODY,          0, 0, sensor_copy},
  [mjSENS_SUBTREELINVEL]  = {3, VEL, REAL,       SENSOR_BODY,          0, 1, sensor_copy},
  [mjSENS_SUBTREEANGMOM]  = {3, VEL, REAL,       SENSOR_BODY,          0, 1, sensor_copy},
  [mjSENS_INSIDESITE]     = {1, POS, POSITIVE,   SENSOR_FRAME,         mjOBJ_SITE, 0,
                             sensor_insidesite},
  [mjSENS_GEOMDIST]       = {1, POS, REAL,       SENSOR_GEOMS,         0, 0, sensor_distance},
  [mjSENS_GEOMNORMAL]     = {3, POS, AXIS,       SENSOR_GEOMS,         0, 0, sensor_distance},
  [mjSENS_GEOMFROMTO]     = {6, POS, REAL,       SENSOR_GEOMS,         0, 0, sensor_distance},
  [mjSENS_CONTACT]        = {0, ACC, REAL,       SENSOR_CONTACT,       0, 0, sensor_contact},
  [mjSENS_E_POTENTIAL]    = {1, POS, REAL,       SENSOR_ANYTHING,      0, 0, sensor_potential},
  [mjSENS_E_KINETIC]      = {1, POS, REAL,       SENSOR_ANYTHING,      0, 0, sensor_kinetic},
  [mjSENS_CLOCK]          = {1, POS, REAL,       SENSOR_ANYTHING,      0, 0, sensor_copy},
  [mjSENS_TACTILE]        = {0, ACC, REAL,       SENSOR_MESH,          mjOBJ_GEOM, 0,
                             sensor_tactile},
  [mjSENS_PLUGIN]         = {0, ACC, REAL,       SENSOR_ANYTHING,      0, 1, NULL},
  [mjSENS_USER]           = {0, ACC, REAL,       SENSOR_ANYTHING,      0, 1, NULL},
};
// clang-format on

const SensorType* sensor_type(int type) {
  return type >= 0 && type < (int)(sizeof(table) / sizeof(table[0])) ? table + type : NULL;
}
