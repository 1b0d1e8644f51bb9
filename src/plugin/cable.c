// cable.c: mujoco.elasticity.cable, a row of bodies that resist bending and twisting against each
// other.
//
//        body i-1            body i                K_i = (J G, I_y E, I_z E)
//    o===============o======================o      omega_i  rotation of body i against body i-1
//                     \  joint of body i            L_i     distance between the two
//
//   stress of the link        s_i = -K_i (omega_i - omega0_i) / L_i     in the frame of body i-1
//   torque on body i          tau_i = R(q_i)' s_i - s_(i+1)             in its own frame
//
// omega0 is the rest shape: that of the model or, with the flag flat, a straight line. The first
// body has no link before it, and the last has none behind it.     theory/plugins/cables.md, Forces

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <mujoco/api/smooth.h>
#include <string.h>

#include "base/algebra/elementary.h"
#include "base/algebra/vec.h"
#include "base/joint.h"
#include "base/memory/memory.h"
#include "plugin/config.h"
#include "plugin/list.h"
#include "smooth/jacobian.h"

// A body and its link to the previous body.
typedef struct Link_ {
  mjtNum stiffness[3];  // torsion, bending about y and z: N m^2
  mjtNum rest[3];       // rotation against the previous body at rest
  mjtNum length;        // distance to the previous body
  int soft;             // 1 if all stiffness is 0
  mjtNum stress[3];     // in the frame of the body, when forces were computed last
} CableLink;

typedef struct Cable_ {
  int first;         // id of the first body
  int count;         // number of bodies
  mjtNum most;       // stress that is drawn in the last color; 0: none is drawn
  CableLink link[];  // one for each body
} CablePlugin;

// Second moments of area of a section: polar (torsion constant) and about y and z.
//   circle     J = pi r^4 / 2,  I = pi r^4 / 4
//   rectangle  of half sides h (y) and w (z), a the longer, b the shorter:
//              J = a b^3 (16/3 - 3.36 b/a (1 - b^4 / (12 a^4))),
//              I_y = (2w)^3 2h / 12,  I_z = (2h)^3 2w / 12
static void section_moments(mjtNum out[3], const mjModel* m, int geom) {
  const mjtNum* size = m->geom_size + 3 * geom;
  out[0] = out[1] = out[2] = 0;
  switch (m->geom_type[geom]) {
    case mjGEOM_CAPSULE:
    case mjGEOM_CYLINDER:
      out[0] = (mjtNum)mjPI * num_pow(size[0], 4) / 2;
      out[1] = out[2] = (mjtNum)mjPI * num_pow(size[0], 4) / 4;
      break;
    case mjGEOM_BOX: {
      mjtNum h = size[1], w = size[2], a = num_max(h, w), b = num_min(h, w);
      out[0] = a * num_pow(b, 3) *
               ((mjtNum)16 / 3 - (mjtNum)3.36 * b / a * (1 - num_pow(b, 4) / num_pow(a, 4) / 12));
      out[1] = num_pow(2 * w, 3) * 2 * h / 12;
      out[2] = num_pow(2 * h, 3) * 2 * w / 12;
      break;
    }
    default:
      break;
  }
}

// Rotation of a body by its joint: the quaternion of a ball or free joint, or the turn about the
// axis of a hinge.
static void joint_turn(mjtNum quat[4], const mjModel* m, const mjtNum* qpos, int body) {
  int joint = m->body_jntadr[body];
  if (m->body_jntnum[body] && joint_has_quat(m->jnt_type[joint])) {
    q_unit(quat, qpos + m->jnt_qposadr[joint] + joint_scalars(m->jnt_type[joint]));
  } else if (m->body_jntnum[body] && m->jnt_type[joint] == mjJNT_HINGE) {
    int adr = m->jnt_qposadr[joint];
    mju_axisAngle2Quat(quat, m->jnt_axis + 3 * joint, qpos[adr] - m->qpos0[adr]);
  } else {
    quat[0] = 1;
    quat[1] = quat[2] = quat[3] = 0;
  }
}

// Finds the bodies that use an instance, which must be consecutive. Returns their number, or -1 if
// there is another body between them.
static int find_bodies(int* first, const mjModel* m, int instance) {
  int count = 0;
  *first = 0;
  for (int i = 0; i < m->nbody; i++) {
    if (m->body_plugin[i] != instance) {
      continue;
    }
    *first = count ? *first : i;
    if (i != *first + count++) {
      return -1;
    }
  }
  return count;
}

// Measures the lengths of links in the reference pose and, unless the cable is flat, their
// curvatures.
static void measure(CablePlugin* cable, const mjModel* m, mjData* d, int flat,
                    const mjtNum modulus[2]) {
  memcpy(d->qpos, m->qpos0, (size_t)m->nq * sizeof(mjtNum));
  mj_kinematics(m, d);
  for (int k = 0; k < cable->count; k++) {
    CableLink* link = cable->link + k;
    int body = cable->first + k;
    mjtNum moment[3] = {0}, quat[4];
    if (m->body_geomnum[body]) {
      section_moments(moment, m, m->body_geomadr[body]);
    }
    link->stiffness[0] = moment[0] * modulus[0];
    link->stiffness[1] = moment[1] * modulus[1];
    link->stiffness[2] = moment[2] * modulus[1];
    link->soft = link->stiffness[0] == 0 && link->stiffness[1] == 0 && link->stiffness[2] == 0;
    if (!k) {
      continue;
    }
    link->length = v3_dist(d->xpos + 3 * body, d->xpos + 3 * (body - 1));
    if (!flat) {
      joint_turn(quat, m, m->qpos0, body);
      mju_subQuat(link->rest, m->body_quat + 4 * body, quat);
    }
  }
}

static int init(const mjModel* m, mjData* d, int instance) {
  mjtNum modulus[2] = {0, 0}, vmax = 0;
  int first, count = find_bodies(&first, m, instance);
  if (count < 0) {
    mju_warning(
        "plugin '%s', instance %d: its bodies must follow one another, but body %d (%s) "
        "uses it and others between do not",
        plugin_cable.name, instance, first,
        mj_id2name(m, mjOBJ_BODY, first) ? mj_id2name(m, mjOBJ_BODY, first) : "");
    return -1;
  }
  if (config_numbers(&modulus[0], 1, m, instance, "twist") == CONFIG_WRONG ||
      config_numbers(&modulus[1], 1, m, instance, "bend") == CONFIG_WRONG ||
      config_numbers(&vmax, 1, m, instance, "vmax") == CONFIG_WRONG) {
    return -1;
  }
  CablePlugin* cable = memory_take_zero(sizeof(CablePlugin) + (size_t)count * sizeof(CableLink));
  if (!cable) {
    mju_error(MEMORY_OUT);
    return -1;
  }
  const char* flat = mj_getPluginConfig(m, instance, "flat");
  cable->first = first;
  cable->count = count;
  cable->most = vmax;
  d->plugin_data[instance] = (uintptr_t)cable;
  measure(cable, m, d, flat && !strcmp(flat, "true"), modulus);
  for (int k = 1; k < count; k++) {
    if (!(cable->link[k].length > mjMINVAL) && !cable->link[k].soft) {
      mju_warning("plugin '%s', instance %d: bodies %d and %d are at the same place",
                  plugin_cable.name, instance, first + k - 1, first + k);
      mju_free(cable);
      d->plugin_data[instance] = 0;
      return -1;
    }
  }
  return 0;
}

// Rotation of body k of a cable against the previous body, and the stress from it.
static void link_stress(mjtNum stress[3], mjtNum quat[4], const mjModel* m, const mjData* d,
                        const CablePlugin* cable, int k) {
  const CableLink* link = cable->link + k;
  int body = cable->first + k;
  mjtNum turn[4], omega[3];
  joint_turn(turn, m, d->qpos, body);
  mju_mulQuat(quat, m->body_quat + 4 * body, turn);
  mju_quat2Vel(omega, quat, 1);
  for (int i = 0; i < 3; i++) {
    stress[i] = -link->stiffness[i] * (omega[i] - link->rest[i]) / link->length;
  }
}

static void compute(const mjModel* m, mjData* d, int instance, int capability) {
  CablePlugin* cable = (CablePlugin*)d->plugin_data[instance];
  const mjtNum none[3] = {0, 0, 0};
  (void)capability;
  mjtNum before[3] = {0}, behind[3], turn[4] = {1, 0, 0, 0}, next[4] = {1, 0, 0, 0};
  for (int k = 0; k < cable->count; k++) {
    int body = cable->first + k;
    memset(behind, 0, sizeof(behind));
    if (k + 1 < cable->count && !cable->link[k + 1].soft) {
      link_stress(behind, next, m, d, cable, k + 1);
    }
    if (!cable->link[k].soft) {
      mjtNum local[3], torque[3], inverse[4];
      mju_negQuat(inverse, turn);
      mju_rotVecQuat(local, before, inverse);
      v3_copy(cable->link[k].stress, local);
      v3_sub(local, local, behind);
      mju_rotVecQuat(torque, local, d->xquat + 4 * body);
      jac_add_force(d->qfrc_passive, m, d, none, torque, d->xpos + 3 * body, body);
    }
    memcpy(before, behind, sizeof(before));
    memcpy(turn, next, sizeof(turn));
  }
}

// Blue, cyan, green, yellow, red.
static void stress_color(float rgb[3], float x) {
  const float level = 4 * x;
  const float red = level - 2, green = level < 2 ? level : 4 - level, blue = 2 - level;
  rgb[0] = red < 0 ? 0 : red > 1 ? 1 : red;
  rgb[1] = green > 1 ? 1 : green;
  rgb[2] = blue < 0 ? 0 : blue > 1 ? 1 : blue;
}

// Colors the first geom of each body by the mean stress of its links, in the model: shapes of the
// model are drawn after those of plugins.
static void visualize(const mjModel* m, mjData* d, const mjvOption* opt, mjvScene* scn,
                      int instance) {
  const CablePlugin* cable = (const CablePlugin*)d->plugin_data[instance];
  (void)opt;
  (void)scn;
  for (int k = 0; cable->most != 0 && cable->count > 1 && k < cable->count; k++) {
    const CableLink* link = cable->link;
    mjtNum mean[3];
    v3_add(mean, link[k ? k : 1].stress, link[k + 1 < cable->count ? k + 1 : k].stress);
    mjtNum size = v3_norm(mean) / 2;
    if (m->body_geomnum[cable->first + k]) {
      stress_color(m->geom_rgba + 4 * m->body_geomadr[cable->first + k],
                   (float)(num_min(size, cable->most) / cable->most));
    }
  }
}

static const char* const attributes[] = {"twist", "bend", "flat", "vmax"};

const mjpPlugin plugin_cable = {
    .name = "mujoco.elasticity.cable",
    .nattribute = 4,
    .attributes = attributes,
    .capabilityflags = mjPLUGIN_PASSIVE,
    .nstate = config_nstate,
    .init = init,
    .destroy = config_destroy,
    .compute = compute,
    .visualize = visualize,
};
