// sensor_fit.c: which objects and dimensions fit the types of sensors.
//                                                          theory/time/sensors.md, Types of sensors

#include "compile/derive/sensor_fit.h"

#include <stdint.h>

#include "base/actuator.h"
#include "base/algebra/vec.h"
#include "base/joint.h"
#include "model/behaviour.h"

int fit_stage(const mjModel* m, const SensorType* type, mjtSensor kind, const int intprm[mjNSENS]) {
  int feels_depth = kind == mjSENS_TACTILE && behaves(m, cndBEHAVIOUR_tactile);
  return kind == mjSENS_CONTACT
             ? sensor_contactstage(intprm[0], intprm[1], behaves(m, cndBEHAVIOUR_compile))
         : feels_depth ? mjSTAGE_VEL
                       : (int)type->stage;
}

double fit_contactdim(const int intprm[mjNSENS]) {
  return (double)intprm[2] * sensor_slotsize(intprm[0]);
}

double fit_raydim(const int intprm[mjNSENS], const int resolution[2]) {
  double size = intprm[0] ? sensor_raysize(intprm[0]) : 1;
  return resolution ? size * int_max(0, resolution[0]) * int_max(0, resolution[1]) : size;
}

int fit_isframe(mjtObj type) {
  return type == mjOBJ_BODY || type == mjOBJ_XBODY || type == mjOBJ_GEOM || type == mjOBJ_SITE ||
         type == mjOBJ_CAMERA;
}

int fit_maybenothing(mjtSensor type) {
  return sensor_type(type)->object == SENSOR_ANYTHING || type == mjSENS_CONTACT;
}

// messages about objects

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
      (!fit_isframe(spec->objtype) || spec->objtype == mjOBJ_CAMERA)) {
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

const char* fit_enclosed(mjtObj* type, int* named, const mjModel* m, const mjsSensor* spec,
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

int fit_isenclosed(mjtSensor type, const int intprm[mjNSENS]) {
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

const char* fit_object(const mjModel* m, const mjsSensor* spec, const int id[2]) {
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
      return fit_isframe(spec->objtype)
                 ? NULL
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

const char* fit_reference(const mjModel* m, const mjsSensor* spec, int refid) {
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
      (spec.objtype == mjOBJ_UNKNOWN && !fit_maybenothing(spec.type)) ||
      (reftype != mjOBJ_UNKNOWN && !fit_isframe(spec.reftype)) ||
      (reftype != mjOBJ_UNKNOWN) != (id[1] >= 0) || fit_object(m, &spec, id) ||
      fit_reference(m, &spec, id[1])) {
    return 0;
  }
  double need =
      spec.type == mjSENS_CONTACT ? fit_contactdim(m->sensor_intprm + mjNSENS * i)
      : spec.type == mjSENS_RANGEFINDER
          ? fit_raydim(spec.intprm,
                       spec.objtype == mjOBJ_CAMERA ? m->cam_resolution + 2 * id[0] : NULL)
      : spec.objtype == mjOBJ_ACTUATOR && type->compute ? m->actuator_outnum[id[0]]
      : spec.type == mjSENS_TACTILE                     ? 3.0 * m->mesh_vertnum[id[0]]
      : type->compute                                   ? type->dim
                                                        : dim;
  mjtObj wrong;
  int named;
  if (fit_isenclosed(spec.type, spec.intprm) && fit_enclosed(&wrong, &named, m, &spec, id[0])) {
    return 0;
  }
  int is_plugin = spec.type == mjSENS_PLUGIN;
  return dim == need &&
         (is_user || is_plugin ||
          m->sensor_needstage[i] == fit_stage(m, type, spec.type, m->sensor_intprm + mjNSENS * i) ||
          (spec.type == mjSENS_TACTILE && m->sensor_needstage[i] == (int)type->stage));
}

int derive_validsensors(const mjModel* m) {
  int64_t adr = 0;
  for (int i = 0; i < m->nsensor; i++) {
    if (adr > m->nsensordata || !is_valid(m, i, (int)adr)) {
      return 0;
    }
    adr += m->sensor_dim[i];
  }
  return adr == m->nsensordata;
}
