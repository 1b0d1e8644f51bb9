// copy_back.c: cnd_copyBack, which takes the numbers of a changed model over to the elements of its
// spec, so that compiling gives them again.
//
// Only what differs from the model that the spec was last compiled to is written: a number whose
// field has it as it is by a table; poses, masses, joints and keyframes by hand. What follows from
// other numbers is left alone.                                   theory/model/model.md, Recompiling

#include <condyle/spec.h>
#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/api/compile.h>
#include <mujoco/api/spec.h>
#include <string.h>

#include "base/algebra/pose.h"
#include "base/joint.h"
#include "base/memory/check.h"
#include "compile/context.h"
#include "compile/scale/scale.h"
#include "compile/stages.h"
#include "compile/tree/reduce.h"

typedef struct Copying_ {
  SpecTree* tree;
  const mjModel *old, *new;
} Copying;

// fields that have a number of the model as it is

typedef enum Store_ {
  STORE_DOUBLE,
  STORE_FLOAT,
} Store;

#define STORE_OF(expression) \
  _Generic((expression), float : STORE_FLOAT, float* : STORE_FLOAT, default : STORE_DOUBLE)

typedef struct Row_ {
  mjtObj type;
  size_t array;  // in mjModel: columns numbers for each object
  Store from;
  int columns;
  size_t field;  // in the public struct
  Store to;
} Row;

#define ROW(type, array, columns, struct, field)                             \
  {                                                                          \
    type, offsetof(mjModel, array), STORE_OF(((mjModel*)0)->array), columns, \
        offsetof(struct, field), STORE_OF(((struct*)0)->field)               \
  }

static const Row rows[] = {
    ROW(mjOBJ_BODY, body_gravcomp, 1, mjsBody, gravcomp),
    ROW(mjOBJ_JOINT, jnt_stiffness, 1, mjsJoint, stiffness),
    ROW(mjOBJ_JOINT, jnt_margin, 1, mjsJoint, margin),
    ROW(mjOBJ_JOINT, jnt_solref, mjNREF, mjsJoint, solref_limit),
    ROW(mjOBJ_JOINT, jnt_solimp, mjNIMP, mjsJoint, solimp_limit),
    ROW(mjOBJ_JOINT, jnt_actfrcrange, 2, mjsJoint, actfrcrange),
    ROW(mjOBJ_GEOM, geom_size, 3, mjsGeom, size),
    ROW(mjOBJ_GEOM, geom_friction, 3, mjsGeom, friction),
    ROW(mjOBJ_GEOM, geom_solmix, 1, mjsGeom, solmix),
    ROW(mjOBJ_GEOM, geom_solref, mjNREF, mjsGeom, solref),
    ROW(mjOBJ_GEOM, geom_solimp, mjNIMP, mjsGeom, solimp),
    ROW(mjOBJ_GEOM, geom_margin, 1, mjsGeom, margin),
    ROW(mjOBJ_GEOM, geom_gap, 1, mjsGeom, gap),
    ROW(mjOBJ_GEOM, geom_adhesion, 1, mjsGeom, adhesion),
    ROW(mjOBJ_GEOM, geom_rgba, 4, mjsGeom, rgba),
    ROW(mjOBJ_SITE, site_size, 3, mjsSite, size),
    ROW(mjOBJ_SITE, site_rgba, 4, mjsSite, rgba),
    ROW(mjOBJ_CAMERA, cam_fovy, 1, mjsCamera, fovy),
    ROW(mjOBJ_CAMERA, cam_ipd, 1, mjsCamera, ipd),
    ROW(mjOBJ_LIGHT, light_attenuation, 3, mjsLight, attenuation),
    ROW(mjOBJ_LIGHT, light_cutoff, 1, mjsLight, cutoff),
    ROW(mjOBJ_LIGHT, light_exponent, 1, mjsLight, exponent),
    ROW(mjOBJ_LIGHT, light_ambient, 3, mjsLight, ambient),
    ROW(mjOBJ_LIGHT, light_diffuse, 3, mjsLight, diffuse),
    ROW(mjOBJ_LIGHT, light_specular, 3, mjsLight, specular),
    ROW(mjOBJ_MATERIAL, mat_emission, 1, mjsMaterial, emission),
    ROW(mjOBJ_MATERIAL, mat_specular, 1, mjsMaterial, specular),
    ROW(mjOBJ_MATERIAL, mat_shininess, 1, mjsMaterial, shininess),
    ROW(mjOBJ_MATERIAL, mat_reflectance, 1, mjsMaterial, reflectance),
    ROW(mjOBJ_MATERIAL, mat_texrepeat, 2, mjsMaterial, texrepeat),
    ROW(mjOBJ_MATERIAL, mat_rgba, 4, mjsMaterial, rgba),
    ROW(mjOBJ_EQUALITY, eq_data, mjNEQDATA, mjsEquality, data),
    ROW(mjOBJ_EQUALITY, eq_solref, mjNREF, mjsEquality, solref),
    ROW(mjOBJ_EQUALITY, eq_solimp, mjNIMP, mjsEquality, solimp),
    ROW(mjOBJ_TENDON, tendon_stiffness, 1, mjsTendon, stiffness),
    ROW(mjOBJ_TENDON, tendon_damping, 1, mjsTendon, damping),
    ROW(mjOBJ_TENDON, tendon_armature, 1, mjsTendon, armature),
    ROW(mjOBJ_TENDON, tendon_frictionloss, 1, mjsTendon, frictionloss),
    ROW(mjOBJ_TENDON, tendon_lengthspring, 2, mjsTendon, springlength),
    ROW(mjOBJ_TENDON, tendon_springyield, 1, mjsTendon, springyield),
    ROW(mjOBJ_TENDON, tendon_range, 2, mjsTendon, range),
    ROW(mjOBJ_TENDON, tendon_actfrcrange, 2, mjsTendon, actfrcrange),
    ROW(mjOBJ_TENDON, tendon_margin, 1, mjsTendon, margin),
    ROW(mjOBJ_TENDON, tendon_width, 1, mjsTendon, width),
    ROW(mjOBJ_TENDON, tendon_rgba, 4, mjsTendon, rgba),
    ROW(mjOBJ_TENDON, tendon_solref_lim, mjNREF, mjsTendon, solref_limit),
    ROW(mjOBJ_TENDON, tendon_solimp_lim, mjNIMP, mjsTendon, solimp_limit),
    ROW(mjOBJ_TENDON, tendon_solref_fri, mjNREF, mjsTendon, solref_friction),
    ROW(mjOBJ_TENDON, tendon_solimp_fri, mjNIMP, mjsTendon, solimp_friction),
    ROW(mjOBJ_ACTUATOR, actuator_gainprm, mjNGAIN, mjsActuator, gainprm),
    ROW(mjOBJ_ACTUATOR, actuator_biasprm, mjNBIAS, mjsActuator, biasprm),
    ROW(mjOBJ_ACTUATOR, actuator_dynprm, mjNDYN, mjsActuator, dynprm),
    ROW(mjOBJ_ACTUATOR, actuator_forcerange, 2, mjsActuator, forcerange),
    ROW(mjOBJ_ACTUATOR, actuator_actrange, 2, mjsActuator, actrange),
    ROW(mjOBJ_SENSOR, sensor_cutoff, 1, mjsSensor, cutoff),
    ROW(mjOBJ_SENSOR, sensor_noise, 1, mjsSensor, noise),
};

// The i-th number of an array of a model.
static double number(const mjModel* m, const Row* row, size_t i) {
  const void* array;
  memcpy(&array, (const char*)m + row->array, sizeof(array));
  return row->from == STORE_FLOAT ? (double)((const float*)array)[i] : ((const double*)array)[i];
}

static void copy_row(const Copying* c, const Row* row) {
  for (SPEC_EACH(object, c->tree, row->type)) {
    char* field = (char*)spec_public(object) + row->field;
    for (int k = 0; k < row->columns; k++) {
      size_t i = (size_t)object->id * (size_t)row->columns + (size_t)k;
      double value = number(c->new, row, i);
      if (value == number(c->old, row, i)) {
        continue;
      }
      if (row->to == STORE_FLOAT) {
        ((float*)(void*)field)[k] = (float)value;
      } else {
        ((double*)(void*)field)[k] = value;
      }
    }
  }
}

// poses

static int differ(const mjtNum* a, const mjtNum* b, int n) {
  return memcmp(a, b, (size_t)n * sizeof(mjtNum)) != 0;
}

// The pose of the frames around an element.
static Pose frames_around(const SpecObject* object) {
  Pose pose = POSE_IDENTITY;
  if (object->frame) {
    spec_framepose(&pose, object->frame);
  }
  return pose;
}

// Writes a pose in the body as one inside the element's frames; quat and alt may be NULL.
static void write_pose(const SpecObject* object, double pos[3], double quat[4], mjsOrientation* alt,
                       const mjtNum newpos[3], const mjtNum* newquat) {
  Pose around = frames_around(object), inverse, pose = POSE_IDENTITY;
  for (int k = 0; k < 3; k++) {
    pose.pos[k] = newpos[k];
  }
  for (int k = 0; k < 4 && newquat; k++) {
    pose.quat[k] = newquat[k];
  }
  pose_inverse(&inverse, &around);
  if (object->frame) {
    pose_compose(&pose, &inverse, &pose);
  }
  memcpy(pos, pose.pos, sizeof(pose.pos));
  if (quat) {
    memcpy(quat, pose.quat, sizeof(pose.quat));
    mjs_defaultOrientation(alt);
  }
}

// Turns a direction in the body into one inside the element's frames.
static void write_direction(const SpecObject* object, double out[3], const mjtNum in[3]) {
  Pose around = frames_around(object);
  double v[3] = {in[0], in[1], in[2]};
  if (object->frame) {
    for (int k = 1; k < 4; k++) {
      around.quat[k] = -around.quat[k];
    }
    pose_rotate(v, v, around.quat);
  }
  memcpy(out, v, sizeof(v));
}

#define POSE_DIFFERS(c, array, i)                                                 \
  (differ((c)->old->array##_pos + 3 * (i), (c)->new->array##_pos + 3 * (i), 3) || \
   differ((c)->old->array##_quat + 4 * (i), (c)->new->array##_quat + 4 * (i), 4))

// The pose of a mesh geom is that of the mesh frame, which the spec doesn't know.
static void write_geompose(const mjModel* m, SpecObject* it) {
  mjsGeom* geom = &it->as.geom;
  int i = it->id, mesh = geom->type == mjGEOM_MESH ? m->geom_dataid[i] : -1;
  mjtNum pos[3], quat[4], meshpos[3], meshquat[4];
  mju_copy3(pos, m->geom_pos + 3 * i);
  mju_copy4(quat, m->geom_quat + 4 * i);
  if (mesh >= 0) {
    mju_negPose(meshpos, meshquat, m->mesh_pos + 3 * mesh, m->mesh_quat + 4 * mesh);
    mju_mulPose(pos, quat, m->geom_pos + 3 * i, m->geom_quat + 4 * i, meshpos, meshquat);
  }
  write_pose(it, geom->pos, geom->quat, &geom->alt, pos, quat);
}

static void copy_pose(const Copying* c, SpecObject* it) {
  int i = it->id;
  const mjModel* m = c->new;
  switch (it->element.elemtype) {
    case mjOBJ_BODY:
      if (i && POSE_DIFFERS(c, body, i)) {
        mjsBody* body = &it->as.body;
        write_pose(it, body->pos, body->quat, &body->alt, m->body_pos + 3 * i,
                   m->body_quat + 4 * i);
      }
      break;
    case mjOBJ_GEOM:
      if (POSE_DIFFERS(c, geom, i)) {
        write_geompose(m, it);
      }
      break;
    case mjOBJ_SITE:
      if (POSE_DIFFERS(c, site, i)) {
        mjsSite* site = &it->as.site;
        write_pose(it, site->pos, site->quat, &site->alt, m->site_pos + 3 * i,
                   m->site_quat + 4 * i);
      }
      break;
    case mjOBJ_CAMERA:
      if (POSE_DIFFERS(c, cam, i)) {
        mjsCamera* camera = &it->as.camera;
        write_pose(it, camera->pos, camera->quat, &camera->alt, m->cam_pos + 3 * i,
                   m->cam_quat + 4 * i);
      }
      break;
    case mjOBJ_LIGHT:
      if (differ(c->old->light_pos + 3 * i, m->light_pos + 3 * i, 3)) {
        write_pose(it, it->as.light.pos, NULL, NULL, m->light_pos + 3 * i, NULL);
      }
      if (differ(c->old->light_dir + 3 * i, m->light_dir + 3 * i, 3)) {
        write_direction(it, it->as.light.dir, m->light_dir + 3 * i);
      }
      break;
    default:
      break;
  }
}

// A geom or site given by its ends has a length and a pose of its own once these have changed.
static void forget_ends(const Copying* c, SpecObject* it) {
  int i = it->id, is_geom = it->element.elemtype == mjOBJ_GEOM;
  double* fromto = is_geom ? it->as.geom.fromto : it->as.site.fromto;
  double* size = is_geom ? it->as.geom.size : it->as.site.size;
  const mjtNum* now = (is_geom ? c->new->geom_size : c->new->site_size) + 3 * i;
  const mjtNum* before = (is_geom ? c->old->geom_size : c->old->site_size) + 3 * i;
  int moved = is_geom ? POSE_DIFFERS(c, geom, i) : POSE_DIFFERS(c, site, i);
  if (isnan(fromto[0]) || (!moved && !differ(before + 1, now + 1, 2))) {
    return;
  }
  fromto[0] = NAN;
  for (int k = 1; k < 3; k++) {
    size[k] = now[k];
  }
  if (is_geom) {
    write_geompose(c->new, it);
  } else {
    write_pose(it, it->as.site.pos, it->as.site.quat, &it->as.site.alt, c->new->site_pos + 3 * i,
               c->new->site_quat + 4 * i);
  }
}

// actuators: what each control and force has, by the field that it comes from

// The field of the range of an actuator's k-th control.
static double* range_field(mjsActuator* spec, int ctrlspec, int k) {
  if (spec->gaintype != mjGAIN_PID) {
    return spec->ctrlrange;
  }
  int bit = mjINPUT_POS;
  while (!(ctrlspec & bit) || k-- > 0) {
    bit *= 2;
  }
  return bit == mjINPUT_POS ? spec->ctrlrange : bit == mjINPUT_VEL ? spec->velrange : spec->ffrange;
}

static void copy_differences(double* field, const mjtNum* old, const mjtNum* new, int n) {
  for (int k = 0; k < n; k++) {
    if (old[k] != new[k]) {
      field[k] = new[k];
    }
  }
}

static void copy_actuator(const Copying* c, SpecObject* object) {
  const mjModel *old = c->old, *m = c->new;
  mjsActuator* spec = &object->as.actuator;
  int i = object->id, control = m->actuator_ctrladr[i], out = m->actuator_outadr[i];
  for (int k = 0; k < m->actuator_ctrlnum[i]; k++) {
    int row = 2 * (control + k);
    copy_differences(range_field(spec, m->actuator_ctrlspec[i], k), old->actuator_ctrlrange + row,
                     m->actuator_ctrlrange + row, 2);
  }
  copy_differences(spec->gear, old->actuator_gear + 6 * out, m->actuator_gear + 6 * out, 6);
  copy_differences(spec->lengthrange, old->actuator_lengthrange + 2 * out,
                   m->actuator_lengthrange + 2 * out, 2);
}

// Controls and forces of an actuator share one range, gear and range of lengths, but for the
// controls of a pid.
static const char* find_rows(const Copying* c) {
  const mjModel* m = c->new;
  for (int i = 0; i < (int)m->nactuator; i++) {
    int control = m->actuator_ctrladr[i], out = m->actuator_outadr[i];
    for (int k = 1; k < m->actuator_ctrlnum[i] && m->actuator_gaintype[i] != mjGAIN_PID; k++) {
      if (differ(m->actuator_ctrlrange + 2 * control, m->actuator_ctrlrange + 2 * (control + k),
                 2)) {
        return "the controls of an actuator have one range";
      }
    }
    for (int k = 1; k < m->actuator_outnum[i]; k++) {
      if (differ(m->actuator_gear + 6 * out, m->actuator_gear + 6 * (out + k), 6) ||
          differ(m->actuator_lengthrange + 2 * out, m->actuator_lengthrange + 2 * (out + k), 2)) {
        return "the forces of an actuator have one gear and one range of lengths";
      }
    }
  }
  return NULL;
}

// masses

static int mass_differs(const Copying* c, int i) {
  return c->old->body_mass[i] != c->new->body_mass[i] ||
         differ(c->old->body_inertia + 3 * i, c->new->body_inertia + 3 * i, 3) ||
         differ(c->old->body_ipos + 3 * i, c->new->body_ipos + 3 * i, 3) ||
         differ(c->old->body_iquat + 4 * i, c->new->body_iquat + 4 * i, 4);
}

static void copy_mass(const Copying* c, SpecObject* body) {
  int i = body->id;
  const mjModel* m = c->new;
  BodyWork work = {.mass = m->body_mass[i]};
  if (!i || !mass_differs(c, i)) {
    return;
  }
  for (int k = 0; k < 3; k++) {
    work.inertial.pos[k] = m->body_ipos[3 * i + k];
    work.inertia[k] = m->body_inertia[3 * i + k];
  }
  for (int k = 0; k < 4; k++) {
    work.inertial.quat[k] = m->body_iquat[4 * i + k];
  }
  reduce_freeze(&body->as.body, &work);
}

// joints

// The number of degrees, or other units, in one of the model's.
static double unit(const SpecObject* joint) {
  mjtJoint type = joint->as.joint.type;
  int turns = type == mjJNT_HINGE || type == mjJNT_BALL;
  return turns && compile_options(joint)->degree ? 180 / mjPI : 1;
}

static void copy_joint(const Copying* c, SpecObject* it) {
  int i = it->id, dof = c->new->jnt_dofadr[i], q = c->new->jnt_qposadr[i];
  const mjModel *old = c->old, *m = c->new;
  mjsJoint* joint = &it->as.joint;
  int scalar = joint->type == mjJNT_HINGE || joint->type == mjJNT_SLIDE;
  if (differ(old->jnt_pos + 3 * i, m->jnt_pos + 3 * i, 3)) {
    write_pose(it, joint->pos, NULL, NULL, m->jnt_pos + 3 * i, NULL);
  }
  if (scalar && differ(old->jnt_axis + 3 * i, m->jnt_axis + 3 * i, 3)) {
    write_direction(it, joint->axis, m->jnt_axis + 3 * i);
  }
  for (int k = 0; k < 2; k++) {
    if (old->jnt_range[2 * i + k] != m->jnt_range[2 * i + k]) {
      joint->range[k] = m->jnt_range[2 * i + k] * unit(it);
    }
  }
  if (scalar && old->qpos0[q] != m->qpos0[q]) {
    joint->ref = m->qpos0[q] * unit(it);
  }
  if (scalar && old->qpos_spring[q] != m->qpos_spring[q]) {
    joint->springref = m->qpos_spring[q] * unit(it);
  }
  if (old->jnt_springyield[i] != m->jnt_springyield[i]) {
    joint->springyield = m->jnt_springyield[i] * unit(it);
  }
#define DOF(array, field)                 \
  if (old->array[dof] != m->array[dof]) { \
    joint->field = m->array[dof];         \
  }
  DOF(dof_damping, damping)
  DOF(dof_armature, armature)
  DOF(dof_frictionloss, frictionloss)
#undef DOF
  if (old->jnt_stiffness[i] != m->jnt_stiffness[i] ||
      old->dof_damping[dof] != m->dof_damping[dof]) {
    joint->springdamper[0] = joint->springdamper[1] = 0;
  }
}

// Is a body's frame moved to its inertial frame, so that all in it has other poses than in the
// spec?
static int is_aligned(const SpecObject* body) {
  const SpecObject* joint = spec_firstchild(body, mjOBJ_JOINT);
  if (!joint || joint->as.joint.type != mjJNT_FREE || spec_firstchild(body, mjOBJ_BODY)) {
    return 0;
  }
  int align = joint->as.joint.align;
  return align == mjALIGNFREE_TRUE ||
         (align == mjALIGNFREE_AUTO && compile_options(joint)->alignfree);
}

// The same for poses and sizes.
static const char* find_geometry(const Copying* c) {
  const mjModel *old = c->old, *m = c->new;
  static const char aligned[] = "the frame of a body is aligned with its inertial frame";
  for (SPEC_EACH(body, c->tree, mjOBJ_BODY)) {
    if (is_aligned(body) && (POSE_DIFFERS(c, body, body->id) || mass_differs(c, body->id))) {
      return aligned;
    }
  }
  for (SPEC_EACH(it, c->tree, mjOBJ_GEOM)) {
    int i = it->id, moved = POSE_DIFFERS(c, geom, i);
    int sized = differ(old->geom_size + 3 * i, m->geom_size + 3 * i, 3);
    if ((moved || sized) && !string_empty(it->as.geom.meshname) &&
        (sized || it->as.geom.type != mjGEOM_MESH)) {
      return "the size of a geom follows from its mesh";
    }
    if (moved && is_aligned(it->parent)) {
      return aligned;
    }
  }
  for (SPEC_EACH(it, c->tree, mjOBJ_SITE)) {
    if (is_aligned(it->parent) && POSE_DIFFERS(c, site, it->id)) {
      return aligned;
    }
    if (it->as.site.type == mjGEOM_MESH &&
        differ(old->site_size + 3 * it->id, m->site_size + 3 * it->id, 3)) {
      return "the size of a site follows from its mesh";
    }
  }
  return NULL;
}

// What the fields of a spec can't say, NULL if they can say all.
static const char* find_obstacle(const Copying* c) {
  const mjModel *old = c->old, *m = c->new;
  if (scale_isneeded(c->tree)) {
    return "a frame scales what is inside";
  }
  const char* shared = find_rows(c);
  if (shared) {
    return shared;
  }
  for (SPEC_EACH(body, c->tree, mjOBJ_BODY)) {
    int follows = compile_options(body)->inertiafromgeom == mjINERTIAFROMGEOM_TRUE;
    if (body->id && mass_differs(c, body->id) &&
        (follows || c->tree->spec.compiler.settotalmass > 0)) {
      return "a mass follows from inertiafromgeom or settotalmass";
    }
  }
  if (differ(old->body_pos, m->body_pos, 3) || differ(old->body_quat, m->body_quat, 4)) {
    return "the world has no pose";
  }
  for (SPEC_EACH(it, c->tree, mjOBJ_JOINT)) {
    int dof = m->jnt_dofadr[it->id], n = joint_nv(it->as.joint.type), q = m->jnt_qposadr[it->id];
    if (n > 1 && differ(old->qpos0 + q, m->qpos0 + q, joint_nq(it->as.joint.type))) {
      return "the reference position of a free or ball joint follows from its body";
    }
    for (int k = dof + 1; k < dof + n; k++) {
      if (m->dof_damping[k] != m->dof_damping[dof] || m->dof_armature[k] != m->dof_armature[dof] ||
          m->dof_frictionloss[k] != m->dof_frictionloss[dof]) {
        return "the degrees of freedom of a joint have the same damping, armature and friction "
               "loss";
      }
    }
  }
  return find_geometry(c);
}

// custom numbers, keyframes

static void copy_list(mjDoubleVec* list, const mjtNum* old, const mjtNum* new, int n) {
  for (int k = 0; k < n && (size_t)k < list->num; k++) {
    if (old[k] != new[k]) {
      list->ptr[k] = new[k];
    }
  }
}

static void copy_lists(const Copying* c) {
  const mjModel *old = c->old, *m = c->new;
  for (SPEC_EACH(it, c->tree, mjOBJ_NUMERIC)) {
    int adr = m->numeric_adr[it->id];
    copy_list(it->as.numeric.data, old->numeric_data + adr, m->numeric_data + adr,
              m->numeric_size[it->id]);
  }
  for (SPEC_EACH(it, c->tree, mjOBJ_KEY)) {
    mjsKey* key = &it->as.key;
    int i = it->id;
    if (old->key_time[i] != m->key_time[i]) {
      key->time = m->key_time[i];
    }
    copy_list(key->qpos, old->key_qpos + i * m->nq, m->key_qpos + i * m->nq, m->nq);
    copy_list(key->qvel, old->key_qvel + i * m->nv, m->key_qvel + i * m->nv, m->nv);
    copy_list(key->act, old->key_act + i * m->na, m->key_act + i * m->na, m->na);
    copy_list(key->ctrl, old->key_ctrl + i * m->nu, m->key_ctrl + i * m->nu, m->nu);
    copy_list(key->plastic, old->key_plastic + i * m->nplastic, m->key_plastic + i * m->nplastic,
              (int)m->nplastic);
    copy_list(key->mpos, old->key_mpos + 3 * i * m->nmocap, m->key_mpos + 3 * i * m->nmocap,
              3 * m->nmocap);
    copy_list(key->mquat, old->key_mquat + 4 * i * m->nmocap, m->key_mquat + 4 * i * m->nmocap,
              4 * m->nmocap);
  }
}

static void copy_settings(const Copying* c) {
  mjSpec* spec = &c->tree->spec;
  const mjModel *old = c->old, *m = c->new;
  if (memcmp(&old->opt, &m->opt, sizeof(m->opt)) != 0) {
    spec->option = m->opt;
  }
  if (memcmp(&old->vis, &m->vis, sizeof(m->vis)) != 0) {
    spec->visual = m->vis;
  }
#define STAT(name)                      \
  if (old->stat.name != m->stat.name) { \
    spec->stat.name = m->stat.name;     \
  }
  STAT(meaninertia)
  STAT(meanmass)
  STAT(meansize)
  STAT(extent)
#undef STAT
  if (differ(old->stat.center, m->stat.center, 3)) {
    memcpy(spec->stat.center, m->stat.center, sizeof(m->stat.center));
  }
}

static void copy_all(const Copying* c) {
  static const mjtObj placed[] = {mjOBJ_BODY, mjOBJ_GEOM, mjOBJ_SITE, mjOBJ_CAMERA, mjOBJ_LIGHT};
  for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
    copy_row(c, &rows[i]);
  }
  for (size_t i = 0; i < sizeof(placed) / sizeof(placed[0]); i++) {
    for (SPEC_EACH(it, c->tree, placed[i])) {
      copy_pose(c, it);
      if (placed[i] == mjOBJ_BODY) {
        copy_mass(c, it);
      } else if (placed[i] == mjOBJ_GEOM || placed[i] == mjOBJ_SITE) {
        forget_ends(c, it);
      }
    }
  }
  for (SPEC_EACH(it, c->tree, mjOBJ_JOINT)) {
    copy_joint(c, it);
  }
  for (SPEC_EACH(it, c->tree, mjOBJ_ACTUATOR)) {
    copy_actuator(c, it);
  }
  copy_lists(c);
  copy_settings(c);
}

int cnd_copyBack(mjSpec* s, const mjModel* m) {
  check_given(s, m);
  Copying copying = {spec_tree(s), spec_tree(s)->values, m};
  if (!copying.old) {
    spec_error(copying.tree, "mjCModel has not been compiled in CopyBack");
    return 0;
  }
  if (!compile_fits(copying.tree, m)) {
    return mj_copyBack(s, m);  // says why
  }
  const char* obstacle = find_obstacle(&copying);
  if (obstacle) {
    spec_error(copying.tree, "a change of the model can't be written to its spec: %s", obstacle);
    return 0;
  }
  copy_all(&copying);
  return mj_copyBack(s, m);
}
