// A model as URDF: links with the frames of bodies, joints with the values of qpos.
//
// A URDF joint turns about the origin of its child link, and a link has one joint. So a joint whose
// anchor isn't the body's origin, or that isn't the last of its body, gets a link without mass at
// its anchor, and the body follows on a fixed joint. With anchors a_i, axes u_i and positions r_i
// in which the model is given (qpos0), the chain from the parent's frame is
//
//   T = T_body  trans(a_1) J_1(q_1 - r_1)  trans(a_2 - a_1) J_2(q_2 - r_2) ...  trans(-a_n)
//   J(q - r) = J(-r) J(q): the rotation or shift by -r stands in the joint's origin
//                                                   theory/model/format.md, Writing URDF

#include <condyle/output.h>
#include <condyle/robot.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <stdio.h>
#include <string.h>

#include "base/memory/error.h"
#include "base/memory/memory.h"
#include "mjcf/urdf/save/link.h"
#include "model/checks/pair.h"
#include "model/field.h"

// The effort and the velocity of a joint that has no bound for them: URDF demands numbers.
static const double UNBOUNDED = 1e6;
// The range of a slide without limits, m: URDF has no endless slides.
static const double LONGEST = 1e3;

static const mjtNum UNIT_QUAT[4] = {1, 0, 0, 0};

static void put_link_name(UrdfSave* s, const char* tag, const char* attribute, const char* name) {
  write_begin(&s->w, tag);
  write_text(&s->w, attribute, name);
  write_end(&s->w);
}

// The name of the link at the anchor of a joint that isn't the body's own.
static void anchor_name(char name[2 * LINK_NAME_BYTES], const mjModel* m, int joint) {
  char text[LINK_NAME_BYTES];
  snprintf(name, 2 * LINK_NAME_BYTES, "%s_anchor", urdf_name_of(text, m, mjOBJ_JOINT, joint));
}

// links

// Mass, centre of mass, and the inertia about it in axes parallel to the link's:
//
//   I = R diag(I1, I2, I3) R'
static void put_inertial(UrdfSave* s, int body) {
  const mjModel* m = s->m;
  if (m->body_mass[body] <= 0) {
    return;
  }
  static const char* const names[] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
  static const int entry[] = {0, 1, 2, 4, 5, 8};
  mjtNum R[9], I[9];
  mju_quat2Mat(R, m->body_iquat + 4 * (size_t)body);
  const mjtNum* principal = m->body_inertia + 3 * (size_t)body;
  for (int i = 0; i < 9; i++) {
    I[i] = 0;
    for (int k = 0; k < 3; k++) {
      I[i] += R[3 * (i / 3) + k] * principal[k] * R[3 * (i % 3) + k];
    }
  }
  write_begin(&s->w, "inertial");
  urdf_origin(&s->w, m->body_ipos + 3 * (size_t)body, UNIT_QUAT);
  write_begin(&s->w, "mass");
  write_numbers(&s->w, "value", m->body_mass + body, 1);
  write_end(&s->w);
  write_begin(&s->w, "inertia");
  for (int i = 0; i < 6; i++) {
    write_numbers(&s->w, names[i], I + entry[i], 1);
  }
  write_end(&s->w);
  write_end(&s->w);
}

static void put_link(UrdfSave* s, int body) {
  char name[LINK_NAME_BYTES];
  write_begin(&s->w, "link");
  write_text(&s->w, "name", urdf_name_of(name, s->m, mjOBJ_BODY, body));
  if (body) {
    put_inertial(s, body);
  }
  urdf_geoms(s, body);
  write_end(&s->w);
}

// joints

// The largest force of a joint: its own limit, else that of the motors on it.
static double effort_of(const mjModel* m, int joint) {
  if (m->jnt_actfrclimited[joint]) {
    return (double)m->jnt_actfrcrange[2 * joint + 1];
  }
  double effort = 0;
  for (int i = 0; i < (int)m->nactuator; i++) {
    if (m->actuator_trntype[i] == mjTRN_JOINT && m->actuator_trnid[2 * i] == joint &&
        m->actuator_forcelimited[i]) {
      effort += (double)mju_abs(m->actuator_gear[6 * m->actuator_outadr[i]] *
                                m->actuator_forcerange[2 * i + 1]);
    }
  }
  return effort > 0 ? effort : UNBOUNDED;
}

static void save_limit(UrdfSave* s, int joint) {
  const mjModel* m = s->m;
  int is_slide = m->jnt_type[joint] == mjJNT_SLIDE;
  double effort = effort_of(m, joint);
  double endless[2] = {-LONGEST, LONGEST};
  write_begin(&s->w, "limit");
  if (m->jnt_limited[joint]) {
    write_numbers(&s->w, "lower", m->jnt_range + 2 * (size_t)joint, 1);
    write_numbers(&s->w, "upper", m->jnt_range + 2 * (size_t)joint + 1, 1);
  } else if (is_slide) {
    write_reals(&s->w, "lower", endless, 1);
    write_reals(&s->w, "upper", endless + 1, 1);
  }
  write_reals(&s->w, "effort", &effort, 1);
  write_reals(&s->w, "velocity", &UNBOUNDED, 1);
  write_end(&s->w);
}

static void put_dynamics(UrdfSave* s, int joint) {
  const mjModel* m = s->m;
  int dof = m->jnt_dofadr[joint];
  if (m->dof_damping[dof] != 0 || m->dof_frictionloss[dof] != 0) {
    write_begin(&s->w, "dynamics");
    write_numbers(&s->w, "damping", m->dof_damping + dof, 1);
    write_numbers(&s->w, "friction", m->dof_frictionloss + dof, 1);
    write_end(&s->w);
  }
}

// An equality that gives a joint a multiple of another one:
//
//   q - r = c0 + c1 (q' - r')
static void put_mimic(UrdfSave* s, int joint) {
  const mjModel* m = s->m;
  for (int e = 0; e < m->neq; e++) {
    const mjtNum* c = m->eq_data + mjNEQDATA * (size_t)e;
    int leader = m->eq_obj2id[e];
    if (m->eq_type[e] != mjEQ_JOINT || m->eq_obj1id[e] != joint || leader < 0 || c[2] != 0 ||
        c[3] != 0 || c[4] != 0 || !m->eq_active0[e]) {
      continue;
    }
    char name[LINK_NAME_BYTES];
    mjtNum own = m->qpos0[m->jnt_qposadr[joint]], other = m->qpos0[m->jnt_qposadr[leader]];
    mjtNum offset = own + c[0] - c[1] * other;
    write_begin(&s->w, "mimic");
    write_text(&s->w, "joint", urdf_name_of(name, m, mjOBJ_JOINT, leader));
    write_numbers(&s->w, "multiplier", c + 1, 1);
    write_numbers(&s->w, "offset", &offset, 1);
    write_end(&s->w);
    return;
  }
}

static void begin_joint(UrdfSave* s, const char* name, const char* type, const char* parent,
                        const char* child, const mjtNum pos[3], const mjtNum quat[4]) {
  write_begin(&s->w, "joint");
  write_text(&s->w, "name", name);
  write_text(&s->w, "type", type);
  put_link_name(s, "parent", "link", parent);
  put_link_name(s, "child", "link", child);
  urdf_origin(&s->w, pos, quat);
}

// A fixed joint.
static void put_fixed(UrdfSave* s, const char* parent, const char* child, const mjtNum pos[3],
                      const mjtNum quat[4]) {
  char name[2 * LINK_NAME_BYTES + 8];
  snprintf(name, sizeof name, "%s_fixed", child);
  begin_joint(s, name, "fixed", parent, child, pos, quat);
  write_end(&s->w);
}

// A hinge or slide, with the frame of its child in the frame of its parent at qpos0.
static void save_joint(UrdfSave* s, int joint, const char* parent, const char* child,
                       const mjtNum pos[3], const mjtNum quat[4]) {
  const mjModel* m = s->m;
  int is_slide = m->jnt_type[joint] == mjJNT_SLIDE;
  const mjtNum* axis = m->jnt_axis + 3 * (size_t)joint;
  mjtNum ref = m->qpos0[m->jnt_qposadr[joint]], origin[3], turned[4], back[4];
  mju_copy3(origin, pos);
  mju_copy4(turned, quat);
  if (is_slide && ref != 0) {
    mjtNum along[3];
    mju_rotVecQuat(along, axis, quat);
    mju_addToScl3(origin, along, -ref);
  } else if (ref != 0) {
    mju_axisAngle2Quat(back, axis, -ref);
    mju_mulQuat(turned, quat, back);
  }
  char name[LINK_NAME_BYTES];
  urdf_name_of(name, m, mjOBJ_JOINT, joint);
  const char* type = is_slide ? "prismatic" : m->jnt_limited[joint] ? "revolute" : "continuous";
  begin_joint(s, name, type, parent, child, origin, turned);
  write_begin(&s->w, "axis");
  write_numbers(&s->w, "xyz", axis, 3);
  write_end(&s->w);
  save_limit(s, joint);
  put_dynamics(s, joint);
  put_mimic(s, joint);
  write_end(&s->w);
}

// The joints from the parent of a body to it, with the links between them.
static void put_joints(UrdfSave* s, int body) {
  const mjModel* m = s->m;
  char parent[2 * LINK_NAME_BYTES], own[LINK_NAME_BYTES], between[2 * LINK_NAME_BYTES];
  urdf_name_of(parent, m, mjOBJ_BODY, m->body_parentid[body]);
  urdf_name_of(own, m, mjOBJ_BODY, body);
  mjtNum quat[4], from[3] = {0};
  mju_copy4(quat, m->body_quat + 4 * (size_t)body);
  int first = m->body_jntadr[body], n = m->body_jntnum[body];
  if (n && m->jnt_type[first] == mjJNT_FREE) {
    char name[LINK_NAME_BYTES];
    begin_joint(s, urdf_name_of(name, m, mjOBJ_JOINT, first), "floating", parent, own, from,
                UNIT_QUAT);
    write_end(&s->w);
    return;
  }
  // the place of the next frame in the last one
  mjtNum pos[3];
  mju_copy3(pos, m->body_pos + 3 * (size_t)body);
  for (int i = first; i < first + n; i++) {
    const mjtNum* anchor = m->jnt_pos + 3 * (size_t)i;
    mjtNum step[3];
    mju_sub3(step, anchor, from);
    mju_rotVecQuat(step, step, quat);
    mju_addTo3(pos, step);
    int is_last = i == first + n - 1 && anchor[0] == 0 && anchor[1] == 0 && anchor[2] == 0;
    anchor_name(between, m, i);
    if (!is_last) {
      put_link_name(s, "link", "name", between);
    }
    save_joint(s, i, parent, is_last ? own : between, pos, quat);
    if (is_last) {
      return;
    }
    snprintf(parent, sizeof parent, "%s", between);
    mju_copy3(from, anchor);
    mju_copy4(quat, UNIT_QUAT);
    mju_zero3(pos);
  }
  mju_subFrom3(pos, from);
  put_fixed(s, parent, own, pos, quat);
}

// A motor on a joint, with its gear.
static void put_transmission(UrdfSave* s, int actuator) {
  const mjModel* m = s->m;
  char name[LINK_NAME_BYTES], joint[LINK_NAME_BYTES];
  urdf_name_of(name, m, mjOBJ_ACTUATOR, actuator);
  if (m->actuator_trntype[actuator] != mjTRN_JOINT) {
    diagnostic_add(s->notes, cndSEVERITY_WARNING, s->place, name, NULL,
                   "left out: it doesn't drive a joint");
    return;
  }
  urdf_name_of(joint, m, mjOBJ_JOINT, m->actuator_trnid[2 * actuator]);
  write_begin(&s->w, "transmission");
  write_text(&s->w, "name", name);
  put_link_name(s, "joint", "name", joint);
  write_begin(&s->w, "actuator");
  write_text(&s->w, "name", name);
  char number[40];
  snprintf(number, sizeof number, "%.17g",
           (double)m->actuator_gear[6 * m->actuator_outadr[actuator]]);
  write_text(&s->w, "mechanicalReduction", number);
  write_end(&s->w);
  write_end(&s->w);
}

// the whole

// The body whose link is the root: the only child of the world if it floats, else the world.
static int find_root(const mjModel* m) {
  int root = 0;
  for (int b = 1; b < m->nbody; b++) {
    if (m->body_parentid[b] == 0) {
      if (root || !m->body_jntnum[b] || m->jnt_type[m->body_jntadr[b]] != mjJNT_FREE) {
        return 0;
      }
      root = b;
    }
  }
  return root;
}

// Whether URDF has all joints. Notes those that it doesn't have.
static int has_joints(UrdfSave* s) {
  const mjModel* m = s->m;
  int known = 1;
  for (int i = 0; i < m->njnt; i++) {
    char name[LINK_NAME_BYTES];
    if (m->jnt_type[i] == mjJNT_BALL) {
      diagnostic_add(s->notes, cndSEVERITY_ERROR, s->place, urdf_name_of(name, m, mjOBJ_JOINT, i),
                     NULL, "URDF has no ball joints: write it as three hinges");
      known = 0;
    }
  }
  return known;
}

static void note_armature(UrdfSave* s) {
  const mjModel* m = s->m;
  int count = 0, most = -1;
  for (int i = 0; i < m->nv; i++) {
    if (m->dof_armature[i] != 0) {
      count++;
      most = most < 0 || m->dof_armature[i] > m->dof_armature[most] ? i : most;
    }
  }
  if (count) {
    char name[LINK_NAME_BYTES];
    diagnostic_add(s->notes, cndSEVERITY_WARNING, s->place,
                   urdf_name_of(name, m, mjOBJ_JOINT, m->dof_jntid[most]), NULL,
                   "the armature of %d joints is left out, this one's %g the largest: URDF has no "
                   "inertia of rotors",
                   count, (double)m->dof_armature[most]);
  }
}

static void note_others(UrdfSave* s) {
  const mjModel* m = s->m;
  const struct {
    const char* what;
    int64_t n;
  } others[] = {{"sensors", m->nsensor}, {"tendons", m->ntendon},        {"cameras", m->ncam},
                {"sites", m->nsite},     {"flexes", m->nflex},           {"skins", m->nskin},
                {"keyframes", m->nkey},  {"pairs of contacts", m->npair}};
  if (s->root && m->body_geomnum[0]) {
    diagnostic_add(s->notes, cndSEVERITY_WARNING, s->place, NULL, NULL,
                   "geoms of the world left out: the floating base is the root");
  }
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    if (others[i].n) {
      diagnostic_add(s->notes, cndSEVERITY_WARNING, s->place, NULL, NULL,
                     "%d %s left out: URDF has none", (int)others[i].n, others[i].what);
    }
  }
}

// Springs, and arrays that belong to words of later releases.
static void note_words(UrdfSave* s) {
  enum {
    MOST_WORDS = 40
  };
  const mjModel* m = s->m;
  const char *known[MOST_WORDS], *name;
  char list[1000] = "";
  int n = 0, springs = 0;
  for (int i = 0; i < m->njnt; i++) {
    springs += m->jnt_stiffness[i] != 0;
  }
  if (springs) {
    diagnostic_add(s->notes, cndSEVERITY_WARNING, s->place, NULL, NULL,
                   "springs of %d joints left out: URDF has none", springs);
  }
  while (n < MOST_WORDS && (name = field_later_but(m, known, n))) {
    size_t length = strlen(list);
    snprintf(list + length, sizeof list - length, "%s%s", n ? ", " : "", name);
    known[n++] = name;
  }
  if (n) {
    diagnostic_add(s->notes, cndSEVERITY_WARNING, s->place, NULL, NULL,
                   "what the model says by these arrays is left out, URDF has nothing like it: %s",
                   list);
  }
}

static void write_robot(void* argument) {
  UrdfSave* s = argument;
  const mjModel* m = s->m;
  write_begin(&s->w, "robot");
  write_text(&s->w, "name", m->names[0] ? m->names : "robot");
  for (int b = s->root; b < m->nbody; b++) {
    put_link(s, b);
    if (b != s->root) {
      put_joints(s, b);
    }
  }
  for (int i = 0; i < (int)m->nactuator; i++) {
    put_transmission(s, i);
  }
  write_end(&s->w);
}

static int save_text(UrdfSave* s) {
  cndOutput out;
  if (cnd_openOutput(&out, s->filename)) {
    fputs("<?xml version=\"1.0\"?>\n", out.file);
    fwrite(s->w.text, 1, s->w.size, out.file);
  }
  if (!cnd_closeOutput(&out, 1)) {
    diagnostic_add(s->notes, cndSEVERITY_ERROR, s->place, NULL, NULL, "can't be written: %s",
                   strerror(out.reason));
    return 0;
  }
  return 1;
}

int cnd_saveURDF(const mjModel* m, const char* filename, cndDiagnostics* notes) {
  check_given(m, filename);
  UrdfSave s = {.w = {.m = m},
                .m = m,
                .filename = filename,
                .place = {filename, 0, 0},
                .notes = notes,
                .root = find_root(m)};
  if (!has_joints(&s)) {
    return 0;
  }
  char reason[300];
  s.made = heap_zero((size_t)m->nmesh + 1, 1);
  if (!s.made) {
    diagnostic_add(notes, cndSEVERITY_ERROR, s.place, NULL, NULL, "out of memory");
    return 0;
  }
  int failed = error_catch(reason, sizeof reason, write_robot, &s) != 0;
  if (failed) {
    diagnostic_add(notes, cndSEVERITY_ERROR, s.place, NULL, NULL, "%s", reason);
  } else {
    note_armature(&s);
    note_others(&s);
    note_words(&s);
  }
  int saved = !failed && !s.failed && save_text(&s);
  if (!failed) {
    // else they went with the error
    heap_free(s.w.text);
    heap_free(s.w.open);
  }
  heap_free(s.made);
  return saved;
}
