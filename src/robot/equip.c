// equip.c: what drives a robot and what measures, which of its links may not collide, and the
// ground it stands on.
//
// A servo of position is a spring and damper of stiffness kp and damping kv. In the zero pose it
// meets the inertia J = M_ii of its joint. With a natural frequency w and critical damping
//
//   kp = J w^2,   kv = 2 J w
//
// every joint answers in the same time, whatever it carries. A servo of velocity has kv = J w. With
// a gear g the motor turns g times as far as the joint: kp / g^2, and ranges of its own angle.

#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/api/collision.h>
#include <mujoco/api/compile.h>
#include <mujoco/api/model.h>
#include <mujoco/api/smooth.h>
#include <mujoco/api/spec.h>
#include <mujoco/api/step.h>
#include <stdio.h>
#include <string.h>

#include "base/algebra/elementary.h"
#include "base/memory/error.h"
#include "base/memory/memory.h"
#include "base/text/text.h"
#include "compile/tree/repair.h"
#include "robot/built.h"
#include "spec/spec.h"

// rad/s: it answers in a tenth of a second, and a step of 2 ms is short beside that
static const double servo_frequency = 30;

// actuators

static RobotDrive drive_of(const Builder* b, const RobotJoint* joint) {
  static const struct {
    const char* name;
    RobotDrive drive;
  } known[] = {{"position", ROBOT_DRIVE_POSITION},
               {"velocity", ROBOT_DRIVE_VELOCITY},
               {"motor", ROBOT_DRIVE_MOTOR},
               {"none", ROBOT_DRIVE_NONE}};
  int is_driven = joint->type == ROBOT_REVOLUTE || joint->type == ROBOT_PRISMATIC;
  if (!is_driven || joint->leader >= 0) {
    return ROBOT_DRIVE_NONE;
  }
  for (size_t i = 0; b->options->actuators && i < sizeof(known) / sizeof(known[0]); i++) {
    if (text_equal(b->options->actuators, known[i].name)) {
      return known[i].drive;
    }
  }
  return joint->drive;
}

static void set_range(int* limited, double out[2], double low, double high) {
  *limited = mjLIMITED_TRUE;
  out[0] = fmin(low, high);
  out[1] = fmax(low, high);
}

static void add_actuator(const Builder* b, const RobotJoint* joint, RobotDrive drive, double J) {
  mjsActuator* made = mjs_addActuator(b->spec, NULL);
  double g = joint->gear, kp = J * servo_frequency * servo_frequency / (g * g);
  double kv = J * servo_frequency / (g * g);
  built_place(b, made->element, joint->node);
  built_name(b, made->element, joint->name);
  made->trntype = mjTRN_JOINT;
  made->gear[0] = g;
  mjs_setString(made->target, joint->name);
  if (drive == ROBOT_DRIVE_POSITION) {
    double damping = 2 * kv;
    mjs_setToPosition(made, kp, &damping, NULL, NULL, 0);
    if (joint->has_aims) {
      set_range(&made->ctrllimited, made->ctrlrange, g * joint->aims[0], g * joint->aims[1]);
    }
  } else if (drive == ROBOT_DRIVE_VELOCITY) {
    mjs_setToVelocity(made, kv);
    if (joint->velocity > 0) {
      set_range(&made->ctrllimited, made->ctrlrange, -g * joint->velocity, g * joint->velocity);
    }
  } else {
    mjs_setToMotor(made);
    if (joint->effort > 0) {
      set_range(&made->ctrllimited, made->ctrlrange, -joint->effort / g, joint->effort / g);
    }
  }
  if (joint->effort > 0) {
    set_range(&made->forcelimited, made->forcerange, -joint->effort / g, joint->effort / g);
  }
}

static void add_actuators(const Builder* b, const mjModel* m) {
  const RobotDescription* robot = b->robot;
  for (int j = 0; j < robot->njoint; j++) {
    RobotDrive drive = drive_of(b, robot->joints + j);
    int id = drive ? mj_name2id(m, mjOBJ_JOINT, robot->joints[j].name) : -1;
    if (id >= 0) {
      double J = (double)m->dof_M0[m->jnt_dofadr[id]];
      add_actuator(b, robot->joints + j, drive, fmax(J, 1e-6));
    }
  }
}

// sensors

static mjsSite* add_site(const Builder* b, const RobotSensor* sensor, const BuiltLink* link,
                         const Pose* local) {
  mjsSite* site = mjs_addSite(link->body, NULL);
  Pose pose;
  pose_compose(&pose, &link->pose, local);
  built_place(b, site->element, sensor->node);
  memcpy(site->pos, pose.pos, sizeof(site->pos));
  memcpy(site->quat, pose.quat, sizeof(site->quat));
  site->group = ROBOT_GROUP_FRAME;
  return site;
}

static void add_sensor(const Builder* b, const RobotSensor* sensor, mjtSensor type,
                       const char* site, const char* suffix, double cutoff) {
  mjsSensor* made = mjs_addSensor(b->spec);
  char name[300];
  snprintf(name, sizeof(name), "%s%s", sensor->name[0] ? sensor->name : "sensor", suffix);
  built_place(b, made->element, sensor->node);
  built_name(b, made->element, name);
  made->type = type;
  made->objtype = mjOBJ_SITE;
  made->cutoff = cutoff;
  mjs_setString(made->objname, site);
}

// A camera of Gazebo looks along x, with z up; ours along -z, with y up.
static void add_camera(const Builder* b, const RobotSensor* sensor, const BuiltLink* link) {
  static const Pose turned = {{0, 0, 0}, {0.5, 0.5, -0.5, -0.5}};
  mjsCamera* camera = mjs_addCamera(link->body, NULL);
  Pose pose;
  pose_compose(&pose, &link->pose, &sensor->pose);
  pose_compose(&pose, &pose, &turned);
  built_place(b, camera->element, sensor->node);
  built_name(b, camera->element, sensor->name[0] ? sensor->name : "camera");
  memcpy(camera->pos, pose.pos, sizeof(camera->pos));
  memcpy(camera->quat, pose.quat, sizeof(camera->quat));
  double ratio = (double)sensor->height / sensor->width;
  double fovy = 2 * portable_atan(portable_tan(fmin(fmax(sensor->fov, 0.01), 3.1) / 2) * ratio);
  camera->fovy = fovy * 180 / mjPI;
  camera->resolution[0] = (float)sensor->width;
  camera->resolution[1] = (float)sensor->height;
}

// One range finder per ray; it measures along the z axis of its site.
static void add_rays(const Builder* b, const RobotSensor* sensor, const BuiltLink* link) {
  for (int i = 0; i < sensor->nray; i++) {
    double part = sensor->nray > 1 ? (double)i / (sensor->nray - 1) : 0.5;
    double angle = sensor->angle[0] + part * (sensor->angle[1] - sensor->angle[0]);
    Pose ray = POSE_IDENTITY, pose;
    pose_from_z(ray.quat, (const double[3]){portable_cos(angle), portable_sin(angle), 0});
    pose_compose(&pose, &sensor->pose, &ray);
    mjsSite* site = add_site(b, sensor, link, &pose);
    char suffix[32] = "";
    if (sensor->nray > 1) {
      snprintf(suffix, sizeof(suffix), "_%d", i);
    }
    char name[300];
    snprintf(name, sizeof(name), "%s%s", sensor->name[0] ? sensor->name : "ray", suffix);
    const char* made = built_name(b, site->element, name);
    add_sensor(b, sensor, mjSENS_RANGEFINDER, made, suffix, sensor->range);
  }
}

static void add_sensors(const Builder* b) {
  const RobotDescription* robot = b->robot;
  for (int i = 0; i < robot->nsensor; i++) {
    const RobotSensor* sensor = robot->sensors + i;
    int at = sensor->link >= 0 ? sensor->link : robot->joints[sensor->joint].child;
    const BuiltLink* link = b->links + at;
    const char* name = sensor->name[0] ? sensor->name : "sensor";
    if (sensor->type == ROBOT_CAMERA) {
      add_camera(b, sensor, link);
    } else if (sensor->type == ROBOT_RAY) {
      add_rays(b, sensor, link);
    } else {
      const char* site = built_name(b, add_site(b, sensor, link, &sensor->pose)->element, name);
      if (sensor->type == ROBOT_IMU) {
        add_sensor(b, sensor, mjSENS_ACCELEROMETER, site, "_acc", 0);
        add_sensor(b, sensor, mjSENS_GYRO, site, "_gyro", 0);
        add_sensor(b, sensor, mjSENS_FRAMEQUAT, site, "_quat", 0);
      } else {
        add_sensor(b, sensor, mjSENS_FORCE, site, "_force", 0);
        add_sensor(b, sensor, mjSENS_TORQUE, site, "_torque", 0);
      }
    }
  }
}

// links that touch

static void exclude(const Builder* b, const mjModel* m, int body1, int body2) {
  mjsExclude* made = mjs_addExclude(b->spec);
  built_place(b, made->element, b->robot->links[0].node);
  mjs_setString(made->bodyname1, mj_id2name(m, mjOBJ_BODY, body1));
  mjs_setString(made->bodyname2, mj_id2name(m, mjOBJ_BODY, body2));
}

// Excludes the pairs of bodies that touch in the zero pose, and lists them in a warning.
static void exclude_touching(const Builder* b, const mjModel* m, mjData* d) {
  char* seen = heap_zero((size_t)m->nbody * (size_t)m->nbody, 1);
  char list[1200] = "";
  int count = 0, shown = 0;
  size_t length = 0;
  for (int i = 0; i < d->ncon; i++) {
    const mjContact* contact = d->contact + i;
    int one = m->geom_bodyid[contact->geom[0]], two = m->geom_bodyid[contact->geom[1]];
    int low = one < two ? one : two, high = one < two ? two : one;
    char* pair = seen + (size_t)low * (size_t)m->nbody + high;
    if (low == high || low == 0 || contact->dist > 0 || *pair) {
      continue;
    }
    *pair = 1;
    exclude(b, m, low, high);
    const char *a = mj_id2name(m, mjOBJ_BODY, low), *z = mj_id2name(m, mjOBJ_BODY, high);
    if (length + strlen(a) + strlen(z) + 6 < sizeof(list)) {
      length += (size_t)snprintf(list + length, sizeof(list) - length, "%s%s and %s",
                                 count ? ", " : "", a, z);
      shown++;
    }
    count++;
  }
  if (count) {
    char more[40] = "";
    if (count > shown) {
      snprintf(more, sizeof(more), ", and %d more", count - shown);
    }
    robot_warn(b->robot, b->robot->links[0].node->parent, NULL,
               "%d pair%s of links touch in the zero pose and never collide: %s%s", count,
               count > 1 ? "s" : "", list, more);
  }
  heap_free(seen);
}

// Marks a model whose inertias a reader of MJCF would refuse, so that it can be written and read.
static void mark_inertias(const Builder* b, const mjModel* m) {
  int odd = 0;
  for (int i = 1; i < m->nbody; i++) {
    const mjtNum *I = m->body_inertia + 3 * i, mass = m->body_mass[i];
    int is_small = mass < mjMINVAL || I[0] < mjMINVAL || I[1] < mjMINVAL || I[2] < mjMINVAL;
    odd |= is_small || I[0] + I[1] < I[2] || I[0] + I[2] < I[1] || I[1] + I[2] < I[0];
  }
  if (odd) {
    mjsText* text = mjs_addText(b->spec);
    mjs_setName(text->element, REPAIR_TEXT);
    mjs_setString(text->data, "as it is");
  }
}

// the scene

// The corners of a box around the boxes of all geoms; the origin if there are none.
static void bounds(double low[3], double high[3], const mjModel* m, const mjData* d) {
  for (int i = 0; i < 3; i++) {
    low[i] = m->ngeom ? HUGE_VAL : 0;
    high[i] = -low[i];
  }
  for (int g = 0; g < m->ngeom; g++) {
    const mjtNum *box = m->geom_aabb + 6 * g, *R = d->geom_xmat + 9 * g;
    for (int i = 0; i < 3; i++) {
      double center = (double)d->geom_xpos[3 * g + i], half = 0;
      for (int k = 0; k < 3; k++) {
        center += (double)(R[3 * i + k] * box[k]);
        half += fabs((double)(R[3 * i + k] * box[3 + k]));
      }
      low[i] = fmin(low[i], center - half);
      high[i] = fmax(high[i], center + half);
    }
  }
}

// The usual camera shows the robot whole: it stands at 1.5 extents, and sees a ball of the box's
// diagonal from 1.3 on.
static void frame_robot(mjSpec* spec, const double low[3], const double high[3], double lift) {
  double square = 0;
  for (int i = 0; i < 3; i++) {
    spec->stat.center[i] = (low[i] + high[i]) / 2 + (i == 2 ? lift : 0);
    square += (high[i] - low[i]) * (high[i] - low[i]);
  }
  if (square > 0) {
    spec->stat.extent = sqrt(square);
  }
}

// A floor below the robot, and a light above. A free base is put onto the floor.
static void add_scene(const Builder* b, const mjModel* m, const mjData* d) {
  mjsBody* world = mjs_findBody(b->spec, "world");
  double low[3], high[3];
  bounds(low, high, m, d);
  int is_free = m->njnt && m->jnt_type[0] == mjJNT_FREE;
  if (is_free) {
    mjsBody* base = mjs_findBody(b->spec, mj_id2name(m, mjOBJ_BODY, m->jnt_bodyid[0]));
    base->pos[2] -= low[2];
  }
  frame_robot(b->spec, low, high, is_free ? -low[2] : 0);
  mjsTexture* texture = mjs_addTexture(b->spec);
  const char* look = built_name(b, texture->element, "floor");
  texture->type = mjTEXTURE_2D;
  texture->builtin = mjBUILTIN_CHECKER;
  texture->width = texture->height = 300;
  memcpy(texture->rgb1, (double[3]){0.55, 0.6, 0.65}, sizeof(texture->rgb1));
  memcpy(texture->rgb2, (double[3]){0.45, 0.5, 0.55}, sizeof(texture->rgb2));
  mjsMaterial* material = mjs_addMaterial(b->spec, NULL);
  mjs_setName(material->element, look);
  mjs_setInStringVec(material->textures, mjTEXROLE_RGB, look);
  material->texuniform = 1;
  material->texrepeat[0] = material->texrepeat[1] = 2;
  mjsGeom* floor = mjs_addGeom(world, NULL);
  built_name(b, floor->element, "floor");
  floor->type = mjGEOM_PLANE;
  floor->size[2] = 0.05;
  floor->pos[2] = is_free ? 0 : fmin(low[2], 0);
  mjs_setString(floor->material, look);
  mjsLight* light = mjs_addLight(world, NULL);
  light->type = mjLIGHT_DIRECTIONAL;
  memcpy(light->pos, (double[3]){0, 0, 4}, sizeof(light->pos));
  memcpy(light->dir, (double[3]){0.3, 0.3, -1}, sizeof(light->dir));
}

// The compiled sketch of a robot.
typedef struct Sketch_ {
  const Builder* b;
  mjModel* m;
  mjData* d;
} Sketch;

static void add_rest(void* argument) {
  const Sketch* sketch = argument;
  const Builder* b = sketch->b;
  mj_kinematics(sketch->m, sketch->d);
  mj_comPos(sketch->m, sketch->d);
  if (text_equal(b->options->exclude, "initial")) {
    mj_collision(sketch->m, sketch->d);
    exclude_touching(b, sketch->m, sketch->d);
  }
  mark_inertias(b, sketch->m);
  add_actuators(b, sketch->m);
  if (b->options->scene) {
    add_scene(b, sketch->m, sketch->d);
  }
}

// A sketch belongs to no heap, so it is freed here after an error too.
int robot_equip(Builder* b) {
  char message[400] = "";
  add_sensors(b);
  Heap* heap = heap_pause();
  mjSpec* copy = mj_copySpec(b->spec);
  if (copy) {
    spec_tree(copy)->sketch = 1;
  }
  Sketch sketch = {.b = b};
  sketch.m = copy ? mj_compile(copy, b->options->vfs) : NULL;
  sketch.d = sketch.m ? mj_makeData(sketch.m) : NULL;
  heap_resume(heap);
  int failed = sketch.d && error_catch(message, sizeof(message), add_rest, &sketch);
  mj_deleteData(sketch.d);
  mj_deleteModel(sketch.m);
  mj_deleteSpec(copy);
  if (failed) {
    mju_error("%s", message);
  }
  return 1;
}
