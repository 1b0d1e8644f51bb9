// element.c: reads attributes that need more than the rows of the schema, for elements that may
// also be in classes.

#include "mjcf/read/element.h"

#include <mujoco/api/spec.h>
#include <string.h>

#include "mjcf/read/context.h"

static void read_texture(const Reader* reader, const Node* node, mjsTexture* texture) {
  values_read(reader, node, texture);
  const char* layout = values_text(node, "gridlayout");
  size_t length = layout ? strlen(layout) : 0;
  if (!layout) {
    return;
  }
  if (length >= sizeof(texture->gridlayout)) {
    values_error(reader, node, "gridlayout", NULL, "gridlayout length cannot exceed %d characters",
                 (int)sizeof(texture->gridlayout) - 1);
  } else if ((double)length != (double)texture->gridsize[0] * texture->gridsize[1]) {
    values_error(reader, node, "gridlayout", NULL,
                 "gridlayout length must match gridsize: %zu letters are given for %d x %d", length,
                 texture->gridsize[0], texture->gridsize[1]);
  } else {
    memcpy(texture->gridlayout, layout, length + 1);
  }
}

static void read_material(const Reader* reader, const Node* node, mjsMaterial* material) {
  values_read(reader, node, material);

  // one name for each role
  while (material->textures->num < mjNTEXROLE) {
    mjs_appendString(material->textures, "");
  }
  const char* texture = values_text(node, "texture");
  if (texture) {
    mjs_setInStringVec(material->textures, mjTEXROLE_RGB, texture);
  }
  for (const Node* layer = node->first; layer; layer = layer->next) {
    int role;
    if (!read_is(layer, "layer")) {
      continue;
    }
    if (texture) {
      values_error(reader, layer, NULL, NULL,
                   "A material with a texture attribute cannot have layer sub-elements");
      continue;
    }
    values_read(reader, layer, material);
    const char* name = values_text(layer, "texture");
    if (values_key(&role, reader, layer, "role") && name) {
      mjs_setInStringVec(material->textures, role, name);
    }
  }
}

static void read_camera(const Reader* reader, const Node* node, mjsCamera* camera) {
  // a camera's user data is its own, not its class's
  if (!values_has(node, "user")) {
    mjs_setDouble(camera->userdata, NULL, 0);
  }
  values_read(reader, node, camera);

  int output = values_mask(reader, node, "output", schema_cameraoutputs());
  camera->output = output ? output : values_has(node, "output") ? mjCAMOUT_RGB : camera->output;

  // values in pixels override values in length units
  int focalpixel = values_has(node, "focalpixel"), focal = values_has(node, "focal");
  int principalpixel = values_has(node, "principalpixel"),
      principal = values_has(node, "principal");
  double length[2];
  if (focal && !focalpixel && values_reals(length, reader, node, "focal")) {
    camera->focal_length[0] = (float)length[0];
    camera->focal_length[1] = (float)length[1];
  }
  if (principal && !principalpixel && values_reals(length, reader, node, "principal")) {
    camera->principal_length[0] = (float)length[0];
    camera->principal_length[1] = (float)length[1];
  }

  if (camera->resolution[0] < 0 || camera->resolution[1] < 0) {
    values_error(reader, node, "resolution", NULL, "camera resolution cannot be negative");
  }
  int sensorsize = values_has(node, "sensorsize"), focals = focal || focalpixel;
  if ((focals || principal || principalpixel) && !sensorsize) {
    values_error(reader, node, NULL, NULL, "required attribute missing: 'sensorsize'");
  }
  if ((focals || sensorsize) && !values_has(node, "resolution")) {
    values_error(reader, node, NULL, NULL, "required attribute missing: 'resolution'");
  }
  if (values_has(node, "fovy") && sensorsize) {
    values_error(reader, node, "fovy", NULL,
                 "either 'fovy' or 'sensorsize' attribute can be specified, not both");
  }
}

static void read_light(const Reader* reader, const Node* node, mjsLight* light) {
  values_read(reader, node, light);
  int directional;
  if (!values_key(&directional, reader, node, "directional")) {
    return;
  }
  if (values_text(node, "type")) {
    values_error(reader, node, "directional", NULL, "type and directional cannot both be defined");
  } else {
    light->type = directional ? mjLIGHT_DIRECTIONAL : mjLIGHT_SPOT;
  }
}

// A single springlength is both ends of the dead band.
static void read_tendon(const Reader* reader, const Node* node, mjsTendon* tendon) {
  values_read(reader, node, tendon);
  double length[2];
  int count = values_reals(length, reader, node, "springlength");
  if (count) {
    tendon->springlength[0] = length[0];
    tendon->springlength[1] = length[count - 1];
  }
}

// Sets the parameters of a position or velocity servo. A missing gain keeps the class's value.
static const char* set_servo(const Reader* reader, const Node* node, mjsActuator* actuator,
                             int is_position) {
  double kp = actuator->gainprm[0], kv, dampratio, timeconst;
  values_reals(&kp, reader, node, "kp");
  double* has_kv = values_reals(&kv, reader, node, "kv") ? &kv : NULL;
  double* has_dampratio = values_reals(&dampratio, reader, node, "dampratio") ? &dampratio : NULL;
  double* has_timeconst = values_reals(&timeconst, reader, node, "timeconst") ? &timeconst : NULL;
  if (is_position) {
    return mjs_setToPosition(actuator, kp, has_kv, has_dampratio, has_timeconst,
                             actuator->inheritrange);
  }
  return mjs_setToIntVelocity(actuator, kp, has_kv, has_dampratio, has_timeconst,
                              actuator->inheritrange);
}

// Sets the parameters of a cylinder. A diameter gives the area. The bias must have three numbers,
// of which the first counts.
static const char* set_cylinder(const Reader* reader, const Node* node, mjsActuator* actuator) {
  double timeconst = actuator->dynprm[0], area = actuator->gainprm[0], diameter = -1;
  double bias[3] = {actuator->biasprm[0]};
  values_reals(&timeconst, reader, node, "timeconst");
  values_reals(&area, reader, node, "area");
  values_reals(&diameter, reader, node, "diameter");
  values_reals(bias, reader, node, "bias");
  return mjs_setToCylinder(actuator, timeconst, bias[0], area, diameter);
}

// Sets the parameters of a muscle. Negative numbers stand for the value of the class or the kind.
static const char* set_muscle(const Reader* reader, const Node* node, mjsActuator* actuator) {
  static const char* const names[] = {"force", "scale", "lmin", "lmax", "vmax", "fpmax", "fvmax"};
  double timeconst[2] = {-1, -1}, range[2] = {-1, -1}, tausmooth = actuator->dynprm[2], prm[7];
  values_reals(timeconst, reader, node, "timeconst");
  values_reals(range, reader, node, "range");
  values_reals(&tausmooth, reader, node, "tausmooth");
  for (int i = 0; i < 7; i++) {
    prm[i] = -1;
    values_reals(&prm[i], reader, node, names[i]);
  }
  return mjs_setToMuscle(actuator, timeconst, tausmooth, range, prm[0], prm[1], prm[2], prm[3],
                         prm[4], prm[5], prm[6]);
}

// Applies the parameters of one actuator shortcut to the class's values.
// [theory/smooth/actuation.md, Actuator shortcuts]
void read_actuator(const Reader* reader, const Node* node, mjsActuator* actuator) {
  values_read(reader, node, actuator);
  const char* wrong = NULL;
  if (read_is(node, "motor")) {
    wrong = mjs_setToMotor(actuator);
  } else if (read_is(node, "position")) {
    wrong = set_servo(reader, node, actuator, 1);
  } else if (read_is(node, "intvelocity")) {
    wrong = set_servo(reader, node, actuator, 0);
  } else if (read_is(node, "velocity")) {
    double kv = actuator->gainprm[0];
    values_reals(&kv, reader, node, "kv");
    wrong = mjs_setToVelocity(actuator, kv);
  } else if (read_is(node, "damper")) {
    double kv = 0;
    values_reals(&kv, reader, node, "kv");
    wrong = mjs_setToDamper(actuator, kv);
  } else if (read_is(node, "cylinder")) {
    wrong = set_cylinder(reader, node, actuator);
  } else if (read_is(node, "muscle")) {
    wrong = set_muscle(reader, node, actuator);
  } else if (read_is(node, "adhesion")) {
    double gain = actuator->gainprm[0];
    values_reals(&gain, reader, node, "gain");
    wrong = mjs_setToAdhesion(actuator, gain);
  }
  if (wrong && wrong[0]) {
    values_error(reader, node, NULL, NULL, "%s", wrong);
  }
}

void read_values(const Reader* reader, const Node* node, SpecObject* object) {
  switch (object->element.elemtype) {
    case mjOBJ_TEXTURE:
      read_texture(reader, node, &object->as.texture);
      break;
    case mjOBJ_MATERIAL:
      read_material(reader, node, &object->as.material);
      break;
    case mjOBJ_CAMERA:
      read_camera(reader, node, &object->as.camera);
      break;
    case mjOBJ_LIGHT:
      read_light(reader, node, &object->as.light);
      break;
    case mjOBJ_TENDON:
      read_tendon(reader, node, &object->as.tendon);
      break;
    case mjOBJ_ACTUATOR:
      read_actuator(reader, node, &object->as.actuator);
      break;
    default:
      values_read(reader, node, spec_public(object));
  }
}

void* read_element(const Reader* reader, const Node* node, mjtObj type) {
  void* element = read_add(reader, node, type);
  read_values(reader, node, spec_object(*(mjsElement**)element));
  return element;
}
