// sensor.c: checks of sensors and constraints where nothing moves, or on bodies that the compiler
// has merged.

#include "lint/checks.h"
#include "smooth/support.h"

// With fusestatic a nameless body without joints is merged into its parent, even with a force
// sensor in it. The sensor then measures the force on the parent.
void check_fused_sensor(Lint* l) {
  if (!l->tree->spec.compiler.fusestatic) {
    return;
  }
  for (SPEC_EACH(sensor, l->tree, mjOBJ_SENSOR)) {
    mjtSensor type = sensor->as.sensor.type;
    const SpecObject* site = spec_find(l->tree, mjOBJ_SITE, string_text(sensor->as.sensor.objname));
    if ((type != mjSENS_FORCE && type != mjSENS_TORQUE) || !site) {
      continue;
    }
    const SpecObject* body = site->parent;
    if (body->parent && spec_name(body)[0] == 0 && !spec_firstchild(body, mjOBJ_JOINT)) {
      lint_warn(l, lint_object(sensor), "give the body of its site a name, which keeps it",
                "fusestatic merges the body of site '%s' (line %d) into its parent: it measures "
                "what holds that one",
                spec_name(site), body->place.line);
    }
  }
}

// The body whose motion a sensor measures; -1 if it measures something else.
static int moved_body(const Lint* l, int sensor) {
  const mjModel* m = l->m;
  switch (m->sensor_type[sensor]) {
    case mjSENS_ACCELEROMETER:
    case mjSENS_VELOCIMETER:
    case mjSENS_GYRO:
    case mjSENS_FRAMELINVEL:
    case mjSENS_FRAMEANGVEL:
    case mjSENS_FRAMELINACC:
    case mjSENS_FRAMEANGACC:
      return object_frame(m, l->d, m->sensor_objtype[sensor], m->sensor_objid[sensor]).body;
    default:
      return -1;
  }
}

static int is_mocap(const mjModel* m, int body) {
  return m->body_mocapid[m->body_rootid[body]] >= 0;
}

// Accelerometers on mocap bodies are fine: they measure how gravity turns against the body.
void check_static_sensor(Lint* l) {
  const mjModel* m = l->m;
  for (int i = 0; i < m->nsensor; i++) {
    int body = moved_body(l, i);
    if (body < 0 || m->body_weldid[body] != 0 || m->sensor_refid[i] >= 0) {
      continue;
    }
    if (m->sensor_type[i] != mjSENS_ACCELEROMETER || !is_mocap(m, body)) {
      lint_warn(l, lint_id(l, mjOBJ_SENSOR, i),
                "put what it measures into a body with a joint, or remove it",
                "%s and the bodies above it have no joint: the reading never changes",
                lint_name(l, mjOBJ_BODY, body).text);
    }
  }
}

// The body that belongs to an object of a connect or weld constraint.
static int held_body(const mjModel* m, int equality, int id) {
  return m->eq_objtype[equality] == mjOBJ_SITE ? m->site_bodyid[id] : id;
}

void check_idle_equality(Lint* l) {
  const mjModel* m = l->m;
  for (int i = 0; i < m->neq; i++) {
    if (m->eq_type[i] != mjEQ_CONNECT && m->eq_type[i] != mjEQ_WELD) {
      continue;
    }
    int body1 = held_body(m, i, m->eq_obj1id[i]), body2 = held_body(m, i, m->eq_obj2id[i]);
    if (m->body_weldid[body1] == m->body_weldid[body2] && !is_mocap(m, body1) &&
        !is_mocap(m, body2)) {
      lint_warn(l, lint_id(l, mjOBJ_EQUALITY, i), "remove it, or give one of them a joint",
                "%s and %s can't move against each other: it constrains nothing",
                lint_name(l, mjOBJ_BODY, body1).text, lint_name(l, mjOBJ_BODY, body2).text);
    }
  }
}
