// sensor.c: checks of sensors and constraints where nothing moves, on bodies that the compiler has
// merged, or that miss forces.

#include "base/transmission.h"
#include "lint/checks.h"
#include "model/behaviour.h"
#include "model/terms.h"
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

// Is body `i` the root or below it?
static int is_below(const mjModel* m, int i, int root) {
  while (i > root) {
    i = m->body_parentid[i];
  }
  return i == root;
}

// Can a tendon pull: has it a spring, a damper, friction, a limit, an actuator or an equality?
static int tendon_pulls(const mjModel* m, int tendon) {
  int pulls = terms_any(terms_tendon_spring(m, tendon)) ||
              terms_any(terms_tendon_damper(m, tendon)) || m->tendon_frictionloss[tendon] > 0 ||
              m->tendon_limited[tendon];
  for (int i = 0; i < (int)m->nactuator; i++) {
    pulls |= actuator_tendon(m, i) == tendon;
  }
  for (int i = 0; i < m->neq; i++) {
    pulls |=
        m->eq_type[i] == mjEQ_TENDON && (m->eq_obj1id[i] == tendon || m->eq_obj2id[i] == tendon);
  }
  return pulls;
}

// The body on which a point of a tendon's path acts; -1 if it is none.
static int wrap_body(const mjModel* m, int wrap) {
  switch (m->wrap_type[wrap]) {
    case mjWRAP_SITE:
      return m->site_bodyid[m->wrap_objid[wrap]];
    case mjWRAP_SPHERE:
    case mjWRAP_CYLINDER:
      return m->geom_bodyid[m->wrap_objid[wrap]];
    default:
      return -1;
  }
}

// Does a tendon run from a body, or from what hangs on it, to the rest of the model?
static int tendon_leaves(const mjModel* m, int tendon, int root) {
  int inside = 0, outside = 0;
  for (int i = 0; i < m->tendon_num[tendon]; i++) {
    int body = wrap_body(m, m->tendon_adr[tendon] + i);
    inside |= body >= 0 && is_below(m, body, root);
    outside |= body >= 0 && !is_below(m, body, root);
  }
  return inside && outside;
}

// Does an actuator push at a site from outside of a subtree? A slider-crank and one with a
// reference site push between two sites.
static int actuator_pushes(const mjModel* m, int actuator, int root) {
  int first = m->actuator_trnid[2 * actuator], second = m->actuator_trnid[2 * actuator + 1];
  if (!transmission_on_site(m->actuator_trntype[actuator])) {
    return 0;
  }
  int one = is_below(m, m->site_bodyid[first], root);
  return one != (second >= 0 && is_below(m, m->site_bodyid[second], root));
}

// A force sensor sums up the forces that move the subtree of its body, less gravity and contacts.
// It knows no forces through tendons and sites, so its reading lacks them. With the behaviour
// tendonload it knows those of spatial tendons.
void check_unfelt_force(Lint* l) {
  const char* hint =
      "add its force to the reading, or hold the body by a connect or weld: those are felt";
  const mjModel* m = l->m;
  int knows_tendons = behaves(m, cndBEHAVIOUR_tendonload);
  for (int i = 0; i < m->nsensor; i++) {
    if (m->sensor_type[i] != mjSENS_FORCE && m->sensor_type[i] != mjSENS_TORQUE) {
      continue;
    }
    int body = m->site_bodyid[m->sensor_objid[i]], found = 0;
    LintName name = lint_name(l, mjOBJ_BODY, body);
    for (int t = 0; t < m->ntendon && !found && !knows_tendons; t++) {
      if (tendon_leaves(m, t, body) && tendon_pulls(m, t)) {
        found = 1;
        lint_warn(l, lint_id(l, mjOBJ_SENSOR, i),
                  lint_hint(l, "<option><behaviour tendonload=\"enable\"/></option>, or %s", hint),
                  "%s pulls at %s or at what hangs on it from outside: the reading leaves out its "
                  "force",
                  lint_name(l, mjOBJ_TENDON, t).text, name.text);
      }
    }
    for (int a = 0; a < (int)m->nactuator && !found; a++) {
      if (actuator_pushes(m, a, body)) {
        found = 1;
        lint_warn(l, lint_id(l, mjOBJ_SENSOR, i), hint,
                  "%s pushes a site of %s or of what hangs on it: the reading leaves out its force",
                  lint_name(l, mjOBJ_ACTUATOR, a).text, name.text);
      }
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
