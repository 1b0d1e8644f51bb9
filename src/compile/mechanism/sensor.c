// sensor.c: compiles sensors: their objects, their number of outputs and their stage.
//                                                          theory/time/sensors.md, Types of sensors
#include "compile/mechanism/sensor.h"
#include "base/actuator.h"

#include <mujoco/api/compile.h>
#include <mujoco/api/model.h>

#include "base/algebra/vec.h"
#include "base/memory/check.h"
#include "sensor/sensor.h"

#include <stdint.h>

#include "compile/asset_set.h"
#include "compile/derive/sensor_fit.h"
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

// The camera may not be compiled yet, so its spec is asked.
static double rangefinder_dim(const mjsSensor* spec) {
  if (spec->objtype != mjOBJ_CAMERA) {
    return fit_raydim(spec->intprm, NULL);
  }
  const SpecTree* tree = spec_object(spec->element)->tree;
  const SpecObject* camera = spec_find(tree, mjOBJ_CAMERA, string_text(spec->objname));
  int resolution[2] = {0, 0};
  for (int k = 0; camera && k < 2; k++) {
    resolution[k] = compile_pixels(camera->as.camera.resolution[k]);
  }
  return fit_raydim(spec->intprm, resolution);
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
      return fit_contactdim(spec->intprm);
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
  if (spec->objtype == mjOBJ_UNKNOWN && !fit_maybenothing(spec->type)) {
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
  if (id[1] >= 0 && !fit_isframe(spec->reftype)) {
    compile_error(c, object,
                  "reference frame object must be (x)body, geom, site or camera in sensor");
  }
  return id[1] >= 0 && fit_isframe(spec->reftype);
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
  const char* problem = fit_enclosed(&type, &named, c->m, &object->as.sensor, id);
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
  int is_rays = spec->type == mjSENS_RANGEFINDER, fields = spec->intprm[0];
  if (is_rays && !fields && compile_behaves(object, cndBEHAVIOUR_compile)) {
    fields = 1;  // a distance alone
  }
  int is_signed = (is_rays && fields) || fit_isenclosed(spec->type, spec->intprm);
  mjtDataType datatype = is_user ? spec->datatype : is_signed ? mjDATATYPE_REAL : type->datatype;
  check_bounds(c, object, datatype);
  if (find_objects(c, object, id)) {
    problem = fit_object(m, spec, id);
    problem = problem ? problem : fit_reference(m, spec, id[1]);
    if (!problem && spec->type == mjSENS_TACTILE) {
      check_skin(c, object, id[0]);
    }
    if (!problem && fit_isenclosed(spec->type, spec->intprm)) {
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
                                         : fit_stage(m, type, spec->type, spec->intprm);
  m->sensor_objtype[i] = spec->objtype;
  m->sensor_objid[i] = id[0];
  m->sensor_reftype[i] = spec->reftype;
  m->sensor_refid[i] = id[1];
  for (int k = 0; k < mjNSENS; k++) {
    m->sensor_intprm[mjNSENS * i + k] = spec->intprm[k];
  }
  m->sensor_intprm[mjNSENS * i] = fields;
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
