// sensor.c: compiles sensors: their objects, their number of outputs and their stage.
//                                                          theory/time/sensors.md, Types of sensors
#include "compile/mechanism/sensor.h"
#include "base/actuator.h"

#include <mujoco/api/compile.h>
#include <mujoco/api/model.h>

#include "base/algebra/vec.h"
#include "base/joint.h"
#include "base/memory/check.h"
#include "model/behaviour.h"
#include "sensor/sensor.h"

#include <stdint.h>

#include "compile/asset_set.h"
#include "compile/mechanism/mechanism.h"
#include "compile/plugin.h"
#include "compile/tree/tree.h"

enum {
  MOST_DATA = 100000000,  // largest number of outputs of all sensors
};

// dimensions

// Three numbers per mesh vertex. Outside compilation (c NULL) the vertices come from the spec or,
// for a mesh from a file, from the last compiled model; 0 if there is none.
static double tactile_dim(const Compile* c, const mjsSensor* spec) {
  if (c) {
    const Mesh* made = assets_mesh(c, spec->objname);
    return made ? 3.0 * made->nvert : 0;
  }
  const SpecTree* tree = spec_object(spec->element)->tree;
  const SpecObject* mesh = spec_find(tree, mjOBJ_MESH, string_text(spec->objname));
  if (!mesh || mesh->as.mesh.uservert->num) {
    return mesh ? (double)mesh->as.mesh.uservert->num : 0;
  }
  const mjModel* last = tree->values;
  return last && mesh->id >= 0 && mesh->id < last->nmesh ? 3.0 * last->mesh_vertnum[mesh->id] : 0;
}

static int stage_of(const mjModel* m, const SensorType* type, mjtSensor kind,
                    const int intprm[mjNSENS]) {
  int feels_depth = kind == mjSENS_TACTILE && behaves(m, cndBEHAVIOUR_tactile);
  return kind == mjSENS_CONTACT ? sensor_contactstage(intprm[0], intprm[1])
         : feels_depth          ? mjSTAGE_VEL
                                : (int)type->stage;
}

static double contact_dim(const int intprm[mjNSENS]) {
  return (double)intprm[2] * sensor_slotsize(intprm[0]);
}

// One record for each ray: for each pixel of a camera.
static double ray_dim(const int intprm[mjNSENS], const int resolution[2]) {
  double size = intprm[0] ? sensor_raysize(intprm[0]) : 1;
  return resolution ? size * int_max(0, resolution[0]) * int_max(0, resolution[1]) : size;
}

// The camera may not be compiled yet, so its spec is asked.
static double rangefinder_dim(const mjsSensor* spec) {
  if (spec->objtype != mjOBJ_CAMERA) {
    return ray_dim(spec->intprm, NULL);
  }
  const SpecTree* tree = spec_object(spec->element)->tree;
  const SpecObject* camera = spec_find(tree, mjOBJ_CAMERA, string_text(spec->objname));
  int resolution[2] = {0, 0};
  for (int k = 0; camera && k < 2; k++) {
    resolution[k] = compile_pixels(camera->as.camera.resolution[k]);
  }
  return ray_dim(spec->intprm, resolution);
}

// An orientation has three lengths and forces. The actuator may not be compiled yet.
static double actuator_dim(const mjsSensor* spec) {
  const SpecTree* tree = spec_object(spec->element)->tree;
  const SpecObject* actuator = spec_find(tree, mjOBJ_ACTUATOR, string_text(spec->objname));
  return actuator ? output_count((int)actuator->as.actuator.gaintype) : 1;
}

// The dimension of a sensor. It is a double, because numbers from a file may overflow an int. c is
// NULL before compilation.
static double dim_of(const Compile* c, const mjsSensor* spec) {
  const SensorType* type = sensor_type(spec->type);
  switch (spec->type) {
    case mjSENS_CONTACT:
      return contact_dim(spec->intprm);
    case mjSENS_TACTILE:
      return tactile_dim(c, spec);
    case mjSENS_RANGEFINDER:
      return rangefinder_dim(spec);
    case mjSENS_ACTUATORPOS:
    case mjSENS_ACTUATORVEL:
    case mjSENS_ACTUATORFRC:
      return actuator_dim(spec);
    case mjSENS_USER:
      return spec->dim;
    default:
      return type ? type->dim : 0;
  }
}

static int as_int(double dim) {
  return dim < 2147483647 ? (int)dim : 2147483647;
}

int mjs_sensorDim(const mjsSensor* sensor) {
  check_given(sensor);
  return as_int(dim_of(NULL, sensor));
}

void compile_sensorsizes(Compile* c, mjModel* m) {
  double total = 0;
  for (SPEC_EACH(object, c->tree, mjOBJ_SENSOR)) {
    double dim = dim_of(c, &object->as.sensor);
    total += dim > 0 ? dim : 0;
    if (total > MOST_DATA) {
      compile_error(c, object, "sensors give more than %d numbers", MOST_DATA);
      return;
    }
  }
  m->nsensordata = (int)total;
}

// objects

static int is_frame(mjtObj type) {
  return type == mjOBJ_BODY || type == mjOBJ_XBODY || type == mjOBJ_GEOM || type == mjOBJ_SITE ||
         type == mjOBJ_CAMERA;
}

static int may_be_nothing(mjtSensor type) {
  return sensor_type(type)->object == SENSOR_ANYTHING || type == mjSENS_CONTACT;
}

// Id of an object that a sensor must name; -1, with an error, if it names none or an unknown one.
static int find(Compile* c, const SpecObject* object, mjtObj type, const mjString* name,
                const char* missing, const char* unknown) {
  if (string_empty(name)) {
    compile_error(c, object, "%s", missing);
    return -1;
  }
  return compile_named(c, object, type, name, unknown);
}

// Finds the ids of object and reference, -1 for none. Returns 0, with an error, if one is missing.
static int find_objects(Compile* c, const SpecObject* object, int id[2]) {
  const mjsSensor* spec = &object->as.sensor;
  id[0] = id[1] = -1;
  if (spec->objtype == mjOBJ_UNKNOWN && !may_be_nothing(spec->type)) {
    return compile_error(c, object, "invalid type in sensor");
  }
  if (spec->objtype != mjOBJ_UNKNOWN) {
    id[0] =
        find(c, object, spec->objtype, spec->objname, "missing name of sensorized object in sensor",
             "unrecognized name '%s' of sensorized object");
    if (id[0] < 0) {
      return 0;
    }
  }
  if (spec->reftype == mjOBJ_UNKNOWN) {
    return 1;
  }
  id[1] =
      find(c, object, spec->reftype, spec->refname,
           "missing name of reference frame object in sensor", "unrecognized name '%s' of object");
  if (id[1] >= 0 && !is_frame(spec->reftype)) {
    compile_error(c, object,
                  "reference frame object must be (x)body, geom, site or camera in sensor");
  }
  return id[1] >= 0 && is_frame(spec->reftype);
}

// messages about a sensor's objects, NULL if they are valid

static int is_geoms(mjtObj type) {
  return type == mjOBJ_BODY || type == mjOBJ_GEOM;
}

static int is_hfield(const mjModel* m, mjtObj type, int id) {
  return type == mjOBJ_GEOM && m->geom_type[id] == mjGEOM_HFIELD;
}

static const char* check_geoms(const mjModel* m, const mjsSensor* spec, const int id[2]) {
  if (!is_geoms(spec->objtype) || !is_geoms(spec->reftype)) {
    return "sensor must be attached to body or geom";
  }
  if (spec->objtype == spec->reftype && id[0] == id[1]) {
    return "1st body/geom must be different from 2nd body/geom";
  }
  if (is_hfield(m, spec->objtype, id[0]) || is_hfield(m, spec->reftype, id[1])) {
    return "height fields are not supported in geom distance sensors";
  }
  return NULL;
}

static const char* check_criteria(const mjsSensor* spec) {
  if (spec->objtype != mjOBJ_UNKNOWN &&
      (!is_frame(spec->objtype) || spec->objtype == mjOBJ_CAMERA)) {
    return "first matching criterion: if set, must be (x)body, geom or site";
  }
  if (spec->reftype != mjOBJ_UNKNOWN && spec->reftype != mjOBJ_XBODY && !is_geoms(spec->reftype)) {
    return "second matching criterion: if set, must be (x)body or geom";
  }
  return NULL;
}

static const char* check_rays(const mjModel* m, const mjsSensor* spec, int id) {
  int of_camera = spec->objtype == mjOBJ_CAMERA, fields = spec->intprm[0];
  const int* resolution = m->cam_resolution + (of_camera ? 2 * id : 0);
  if (!of_camera && spec->objtype != mjOBJ_SITE) {
    return "sensor must be attached to site or camera";
  }
  if (fields < 0 || fields >= 1 << NRAYDATA || (of_camera && !fields)) {
    return "data spec (intprm[0]) of a rangefinder must be a mask of its fields";
  }
  return of_camera && (resolution[0] <= 0 || resolution[1] <= 0)
             ? "rangefinder camera sensor requires positive camera resolution"
             : NULL;
}

// What an insidesite sensor with `enclosed` may be about: shapes that are compact and convex.

static int is_compact(int type) {
  return type == mjGEOM_SPHERE || type == mjGEOM_CAPSULE || type == mjGEOM_ELLIPSOID ||
         type == mjGEOM_CYLINDER || type == mjGEOM_BOX || type == mjGEOM_MESH;
}

// Counts the geoms of a body, of its subtree if `below`. *wrong: one that is not compact, or -1.
static int count_compact(int* wrong, const mjModel* m, int body, int below) {
  int count = 0;
  *wrong = -1;
  for (int i = 0; i < m->ngeom; i++) {
    int of = m->geom_bodyid[i];
    while (below && of > body) {
      of = m->body_parentid[of];
    }
    if (of == body) {
      count++;
      *wrong = *wrong < 0 && !is_compact(m->geom_type[i]) ? i : *wrong;
    }
  }
  return count;
}

// What is wrong about the object of such a sensor, NULL if nothing is. *type, *named: which object
// is wrong, itself or a geom of it.
static const char* check_enclosed(mjtObj* type, int* named, const mjModel* m, const mjsSensor* spec,
                                  int id) {
  static const char shape[] = "must be a compact convex shape";
  *type = spec->objtype;
  *named = id;
  if (spec->objtype == mjOBJ_GEOM) {
    return is_compact(m->geom_type[id]) ? NULL : shape;
  }
  if (spec->objtype == mjOBJ_SITE) {
    return is_compact(m->site_type[id]) ? NULL : shape;
  }
  if (spec->objtype != mjOBJ_BODY && spec->objtype != mjOBJ_XBODY) {
    return "is not supported";
  }
  int wrong, count = count_compact(&wrong, m, id, spec->objtype == mjOBJ_XBODY);
  *type = wrong < 0 ? mjOBJ_BODY : mjOBJ_GEOM;
  *named = wrong < 0 ? id : wrong;
  return wrong >= 0 ? shape : count ? NULL : "must have at least one geom";
}

static int is_enclosed(mjtSensor type, const int intprm[mjNSENS]) {
  return type == mjSENS_INSIDESITE && intprm[0];
}

// Required types for kinds of attachment with one type. SENSOR_FRAME accepts several.
static const struct {
  mjtObj type;
  const char* otherwise;
} attachment[] = {
    [SENSOR_SITE] = {mjOBJ_SITE, "sensor must be attached to site"},
    [SENSOR_SCALARJOINT] = {mjOBJ_JOINT, "sensor must be attached to joint"},
    [SENSOR_BALLJOINT] = {mjOBJ_JOINT, "sensor must be attached to joint"},
    [SENSOR_LIMITEDJOINT] = {mjOBJ_JOINT, "sensor must be attached to joint"},
    [SENSOR_TENDON] = {mjOBJ_TENDON, "sensor must be attached to tendon"},
    [SENSOR_LIMITEDTENDON] = {mjOBJ_TENDON, "sensor must be attached to tendon"},
    [SENSOR_ACTUATOR] = {mjOBJ_ACTUATOR, "sensor must be attached to actuator"},
    [SENSOR_BODY] = {mjOBJ_BODY, "sensor must be attached to body"},
    [SENSOR_MESH] = {mjOBJ_MESH, "sensor must be associated with a mesh"},
};

static const char* check_object(const mjModel* m, const mjsSensor* spec, const int id[2]) {
  SensorObject kind = sensor_type(spec->type)->object;
  const char* otherwise = attachment[kind].otherwise;
  if (otherwise && spec->objtype != attachment[kind].type) {
    return otherwise;
  }
  switch (kind) {
    case SENSOR_SCALARJOINT:
      return joint_has_quat(m->jnt_type[id[0]]) ? "joint must be slide or hinge in sensor" : NULL;
    case SENSOR_BALLJOINT:
      return m->jnt_type[id[0]] == mjJNT_BALL ? NULL : "joint must be ball in sensor";
    case SENSOR_LIMITEDJOINT:
      return m->jnt_limited[id[0]] ? NULL : "joint must be limited in sensor";
    case SENSOR_LIMITEDTENDON:
      return m->tendon_limited[id[0]] ? NULL : "tendon must be limited in sensor";
    case SENSOR_FRAME:
      return is_frame(spec->objtype) ? NULL
                                     : "sensor must be attached to (x)body, geom, site or camera";
    case SENSOR_RAYS:
      return check_rays(m, spec, id[0]);
    case SENSOR_GEOMS:
      return check_geoms(m, spec, id);
    case SENSOR_CONTACT:
      return check_criteria(spec);
    default:
      return NULL;
  }
}

static const char* check_reference(const mjModel* m, const mjsSensor* spec, int refid) {
  mjtObj wanted = sensor_type(spec->type)->reference;
  int right = spec->reftype == wanted;
  if (wanted == mjOBJ_SITE && !right) {
    return "sensor must be associated with a site";
  }
  if (wanted == mjOBJ_GEOM && !right) {
    return "sensor must be associated with a geom";
  }
  if (wanted == mjOBJ_CAMERA &&
      !(right && m->cam_resolution[2 * refid] > 0 && m->cam_resolution[2 * refid + 1] > 0)) {
    return "camera projection sensor requires camera resolution";
  }
  return NULL;
}

// parameters

static void check_contact(Compile* c, const SpecObject* object) {
  const int* prm = object->as.sensor.intprm;
  int all = (1 << NCONDATA) - 1;
  if (prm[0] <= 0) {
    compile_error(c, object, "data spec (intprm[0]) must be positive, got %d", prm[0]);
  } else if (!(prm[0] & all)) {
    compile_error(
        c, object,
        "data spec intprm[0]=%d must have at least one bit set of the first mjNCONDATA bits",
        prm[0]);
  } else if (prm[0] & ~all) {
    compile_error(c, object, "data spec intprm[0]=%d has bits set beyond the first mjNCONDATA bits",
                  prm[0]);
  }
  if (prm[1] < 0 || prm[1] > 3) {
    compile_error(c, object, "unknown reduction criterion. got %d, expected one of {0, 1, 2, 3}",
                  prm[1]);
  }
  if (sensor_isresultant(prm[1]) && sensor_hasvelocities(prm[0])) {
    compile_error(c, object, "netforce reduction is incompatible with linvel or angvel");
  }
  if (prm[2] <= 0) {
    compile_error(c, object, "num (intprm[2]) must be positive in sensor, got %d", prm[2]);
  }
}

static const char* check_user(const mjsSensor* spec) {
  if (spec->dim < 0) {
    return "sensor dim must be non-negative in sensor";
  }
  if (spec->datatype == mjDATATYPE_AXIS && spec->dim != 3) {
    return "datatype AXIS requires dim=3 in sensor";
  }
  if (spec->datatype == mjDATATYPE_QUATERNION && spec->dim != 4) {
    return "datatype QUATERNION requires dim=4 in sensor";
  }
  return NULL;
}

// Checks the mesh of a tactile sensor. By a rule of the format the geom with the same id as the
// mesh must be on a body that can touch something.
static void check_skin(Compile* c, const SpecObject* object, int mesh) {
  const mjModel* m = c->m;
  const char* name = string_text(object->as.sensor.objname);
  if (m->mesh_normalnum[mesh] < 3 * m->mesh_vertnum[mesh]) {
    compile_warning(c, object,
                    "mesh '%s' hasn't three normals per vertex (normal and two tangents), as "
                    "builtin plates and wedges have: the sensor feels pressure alone",
                    name);
  }
  if (mesh >= m->ngeom) {
    return;
  }
  int body = m->geom_bodyid[mesh], adr = m->body_geomadr[body], collides = 0;
  for (int i = adr; i < adr + m->body_geomnum[body]; i++) {
    collides |= m->geom_contype[i] | m->geom_conaffinity[i];
  }
  if (!collides) {
    compile_error(c, object,
                  "Touch sensor requires a body with at least one collision geom (that of geom %d, "
                  "because '%s' is mesh %d)",
                  mesh, name, mesh);
  }
}

static void report_enclosed(Compile* c, const SpecObject* object, int id) {
  mjtObj type;
  int named;
  const char* problem = check_enclosed(&type, &named, c->m, &object->as.sensor, id);
  if (problem) {
    compile_error(c, object, "%s '%s' in enclosed insidesite sensor %s", spec_typename(type),
                  spec_name(c->list[type][named]), problem);
  }
}

static void check_bounds(Compile* c, const SpecObject* object, mjtDataType datatype) {
  const mjsSensor* spec = &object->as.sensor;
  if (spec->noise < 0) {
    compile_error(c, object, "negative noise in sensor: %g", spec->noise);
  }
  if (spec->cutoff < 0) {
    compile_error(c, object, "negative cutoff in sensor: %g", spec->cutoff);
  }
  int unit = datatype == mjDATATYPE_AXIS || datatype == mjDATATYPE_QUATERNION;
  if (spec->cutoff > 0 && unit && spec->type != mjSENS_GEOMNORMAL) {
    compile_error(c, object, "cutoff applied to axis or quaternion datatype in sensor");
  }
}

static void check_history(Compile* c, const SpecObject* object) {
  const mjsSensor* spec = &object->as.sensor;
  double period = spec->interval[0], phase = spec->interval[1];
  compile_history(c, object, spec->nsample, spec->delay);
  if (period < 0) {
    compile_error(c, object, "negative interval in sensor: %g", period);
  }
  if (phase > 0) {
    compile_error(c, object, "positive phase in sensor: %g", phase);
  }
  if (period > 0 && phase <= -period) {
    compile_error(c, object, "phase must be greater than -period in sensor: %g, the period is %g",
                  phase, period);
  }
  if (spec->type == mjSENS_PLUGIN && spec->nsample > 0) {
    compile_error(c, object, "the sensor of a plugin can't keep past values");
  }
}

static void compile_sensor(Compile* c, const SpecObject* object, int adr) {
  mjModel* m = c->m;
  const mjsSensor* spec = &object->as.sensor;
  const SensorType* type = sensor_type(spec->type);
  int i = object->id, id[2], is_user = spec->type == mjSENS_USER, plugin;
  const char* problem = NULL;
  if (!type) {
    compile_error(c, object, "invalid type in sensor");
    return;
  }
  int is_signed = (spec->type == mjSENS_RANGEFINDER && spec->intprm[0]) ||
                  is_enclosed(spec->type, spec->intprm);
  mjtDataType datatype = is_user ? spec->datatype : is_signed ? mjDATATYPE_REAL : type->datatype;
  check_bounds(c, object, datatype);
  if (find_objects(c, object, id)) {
    problem = check_object(m, spec, id);
    problem = problem ? problem : check_reference(m, spec, id[1]);
    if (!problem && spec->type == mjSENS_TACTILE) {
      check_skin(c, object, id[0]);
    }
    if (!problem && is_enclosed(spec->type, spec->intprm)) {
      report_enclosed(c, object, id[0]);
    }
  }
  if (!problem && is_user) {
    problem = check_user(spec);
  }
  plugin = spec->type == mjSENS_PLUGIN ? compile_plugin(c, object) : -1;
  if (!problem && plugin < 0 && spec->type == mjSENS_PLUGIN) {
    problem = "sensor of type plugin uses no plugin";
  }
  if (problem) {
    compile_error(c, object, "%s", problem);
  }
  if (spec->type == mjSENS_CONTACT) {
    check_contact(c, object);
  }

  m->sensor_type[i] = spec->type;
  m->sensor_datatype[i] = datatype;
  m->sensor_needstage[i] = is_user       ? (int)spec->needstage
                           : plugin >= 0 ? mjp_getPluginAtSlot(c->slot[plugin])->needstage
                                         : stage_of(m, type, spec->type, spec->intprm);
  m->sensor_objtype[i] = spec->objtype;
  m->sensor_objid[i] = id[0];
  m->sensor_reftype[i] = spec->reftype;
  m->sensor_refid[i] = id[1];
  for (int k = 0; k < mjNSENS; k++) {
    m->sensor_intprm[mjNSENS * i + k] = spec->intprm[k];
  }
  m->sensor_dim[i] = as_int(dim_of(c, spec));
  m->sensor_adr[i] = adr;
  m->sensor_cutoff[i] = (mjtNum)spec->cutoff;
  m->sensor_noise[i] = (mjtNum)spec->noise;
  m->sensor_plugin[i] = plugin;
  check_history(c, object);
  m->sensor_history[2 * i] = spec->nsample;
  m->sensor_history[2 * i + 1] = spec->interp;
  m->sensor_delay[i] = (mjtNum)spec->delay;
  compile_store(m->sensor_interval + 2 * i, spec->interval, 2);
}

void compile_sensors(Compile* c) {
  int adr = 0;
  for (int i = 0; i < c->count[mjOBJ_SENSOR]; i++) {
    compile_sensor(c, c->list[mjOBJ_SENSOR][i], adr);
    adr += c->m->sensor_dim[i] > 0 ? c->m->sensor_dim[i] : 0;
  }
}

// Sets the dimensions of plugin sensors, as their plugins tell, and the addresses of all sensors.
void compile_pluginsensors(Compile* c) {
  mjModel* m = c->m;
  double total = 0;
  for (int i = 0; i < m->nsensor; i++) {
    const SpecObject* object = c->list[mjOBJ_SENSOR][i];
    if (m->sensor_plugin[i] >= 0) {
      const mjpPlugin* plugin = mjp_getPluginAtSlot(m->plugin[m->sensor_plugin[i]]);
      c->running = object;
      int dim = plugin->nsensordata ? plugin->nsensordata(m, m->sensor_plugin[i], i) : -1;
      c->running = NULL;
      if (dim < 0) {
        compile_error(c, object, "plugin '%s' gives no number of sensor data", plugin->name);
      }
      m->sensor_dim[i] = dim > 0 ? dim : 0;
    }
    m->sensor_adr[i] = (int)total;
    total += m->sensor_dim[i];
    if (total > MOST_DATA) {
      compile_error(c, object, "sensors give more than %d numbers", MOST_DATA);
      return;
    }
  }
  m->nsensordata = (int)total;
}

// Does a sensor of a model have objects and a dimension that fit its type? Ids must be in bounds.
static int is_valid(const mjModel* m, int i, int adr) {
  const SensorType* type = sensor_type(m->sensor_type[i]);
  int id[2] = {m->sensor_objid[i], m->sensor_refid[i]}, dim = m->sensor_dim[i];
  int is_user = m->sensor_type[i] == mjSENS_USER, reftype = m->sensor_reftype[i];
  mjsSensor spec = {.type = (mjtSensor)m->sensor_type[i],
                    .objtype = (mjtObj)m->sensor_objtype[i],
                    .reftype = (mjtObj)reftype,
                    .intprm[0] = m->sensor_intprm[mjNSENS * i]};
  if (!type || m->sensor_adr[i] != adr || dim < 0 ||
      (spec.objtype == mjOBJ_UNKNOWN && !may_be_nothing(spec.type)) ||
      (reftype != mjOBJ_UNKNOWN && !is_frame(spec.reftype)) ||
      (reftype != mjOBJ_UNKNOWN) != (id[1] >= 0) || check_object(m, &spec, id) ||
      check_reference(m, &spec, id[1])) {
    return 0;
  }
  double need = spec.type == mjSENS_CONTACT ? contact_dim(m->sensor_intprm + mjNSENS * i)
                : spec.type == mjSENS_RANGEFINDER
                    ? ray_dim(spec.intprm,
                              spec.objtype == mjOBJ_CAMERA ? m->cam_resolution + 2 * id[0] : NULL)
                : spec.objtype == mjOBJ_ACTUATOR && type->compute ? m->actuator_outnum[id[0]]
                : spec.type == mjSENS_TACTILE                     ? 3.0 * m->mesh_vertnum[id[0]]
                : type->compute                                   ? type->dim
                                                                  : dim;
  mjtObj wrong;
  int named;
  if (is_enclosed(spec.type, spec.intprm) && check_enclosed(&wrong, &named, m, &spec, id[0])) {
    return 0;
  }
  int is_plugin = spec.type == mjSENS_PLUGIN;
  return dim == need &&
         (is_user || is_plugin ||
          m->sensor_needstage[i] == stage_of(m, type, spec.type, m->sensor_intprm + mjNSENS * i) ||
          (spec.type == mjSENS_TACTILE && m->sensor_needstage[i] == (int)type->stage));
}

int compile_validsensors(const mjModel* m) {
  int64_t adr = 0;
  for (int i = 0; i < m->nsensor; i++) {
    if (adr > m->nsensordata || !is_valid(m, i, (int)adr)) {
      return 0;
    }
    adr += m->sensor_dim[i];
  }
  return adr == m->nsensordata;
}
