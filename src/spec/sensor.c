// How many numbers a sensor gives.                                    spec 02, sections 9.2 and 9.3

#include <mujoco/mujoco.h>

#include "spec/spec.h"

// Sizes of the fields of a contact sensor, by bit of intprm[0]: found force torque dist pos normal
// tangent.
static int contact_dim(const mjsSensor* sensor) {
  static const int field[] = {1, 3, 3, 1, 3, 3, 3};
  int size = 0;
  for (int i = 0; i < (int)(sizeof(field) / sizeof(field[0])); i++) {
    size += sensor->intprm[0] & (1 << i) ? field[i] : 0;
  }
  return sensor->intprm[2] * size;
}

// three per vertex of a mesh, known now only if its vertices were given as numbers
static int tactile_dim(const mjsSensor* sensor) {
  const SpecTree* tree = spec_object(sensor->element)->tree;
  const SpecObject* mesh = spec_find(tree, mjOBJ_MESH, string_text(sensor->objname));
  return mesh ? (int)mesh->as.mesh.uservert->num : 0;
}

int mjs_sensorDim(const mjsSensor* sensor) {
  switch (sensor->type) {
    case mjSENS_TOUCH:
    case mjSENS_RANGEFINDER:
    case mjSENS_JOINTPOS:
    case mjSENS_JOINTVEL:
    case mjSENS_TENDONPOS:
    case mjSENS_TENDONVEL:
    case mjSENS_ACTUATORPOS:
    case mjSENS_ACTUATORVEL:
    case mjSENS_ACTUATORFRC:
    case mjSENS_JOINTACTFRC:
    case mjSENS_TENDONACTFRC:
    case mjSENS_JOINTLIMITPOS:
    case mjSENS_JOINTLIMITVEL:
    case mjSENS_JOINTLIMITFRC:
    case mjSENS_TENDONLIMITPOS:
    case mjSENS_TENDONLIMITVEL:
    case mjSENS_TENDONLIMITFRC:
    case mjSENS_INSIDESITE:
    case mjSENS_GEOMDIST:
    case mjSENS_E_POTENTIAL:
    case mjSENS_E_KINETIC:
    case mjSENS_CLOCK:
      return 1;

    case mjSENS_CAMPROJECTION:
      return 2;

    case mjSENS_ACCELEROMETER:
    case mjSENS_VELOCIMETER:
    case mjSENS_GYRO:
    case mjSENS_FORCE:
    case mjSENS_TORQUE:
    case mjSENS_MAGNETOMETER:
    case mjSENS_BALLANGVEL:
    case mjSENS_FRAMEPOS:
    case mjSENS_FRAMEXAXIS:
    case mjSENS_FRAMEYAXIS:
    case mjSENS_FRAMEZAXIS:
    case mjSENS_FRAMELINVEL:
    case mjSENS_FRAMEANGVEL:
    case mjSENS_FRAMELINACC:
    case mjSENS_FRAMEANGACC:
    case mjSENS_SUBTREECOM:
    case mjSENS_SUBTREELINVEL:
    case mjSENS_SUBTREEANGMOM:
    case mjSENS_GEOMNORMAL:
      return 3;

    case mjSENS_BALLQUAT:
    case mjSENS_FRAMEQUAT:
      return 4;

    case mjSENS_GEOMFROMTO:
      return 6;

    case mjSENS_CONTACT:
      return contact_dim(sensor);

    case mjSENS_TACTILE:
      return tactile_dim(sensor);

    case mjSENS_USER:
      return sensor->dim;

    case mjSENS_PLUGIN:
      return 0;
  }
  return 0;
}
