// gazebo.c: reads what simulators and controllers add to a URDF.
//
//   <gazebo reference="LINK"> <sensor type="imu"> ...          sensors of links, and of joints
//   <transmission> <joint name="J"> <hardwareInterface> ...    what drives a joint, and its gear
//   <ros2_control> <joint name="J"> <command_interface> ...    the same, today
//
// What has a twin in the engine becomes that; the rest is told as having no effect.

#include <math.h>
#include <string.h>

#include "base/memory/memory.h"
#include "base/text/text.h"
#include "mjcf/urdf/sdf_element.h"
#include "robot/read.h"

// The node at the end of a path of names, NULL if there is none.
static const Node* below(const Node* node, const char* a, const char* b, const char* c) {
  node = node && a ? node_child(node, a) : node;
  node = node && b ? node_child(node, b) : node;
  return node && c ? node_child(node, c) : node;
}

// sensors

static const struct {
  const char* name;
  RobotSensorType type;
} sensor_types[] = {
    {"imu", ROBOT_IMU},
    {"camera", ROBOT_CAMERA},
    {"depth", ROBOT_CAMERA},
    {"depth_camera", ROBOT_CAMERA},
    {"rgbd_camera", ROBOT_CAMERA},
    {"wideanglecamera", ROBOT_CAMERA},
    {"force_torque", ROBOT_FORCETORQUE},
    {"ray", ROBOT_RAY},
    {"gpu_ray", ROBOT_RAY},
    {"lidar", ROBOT_RAY},
    {"gpu_lidar", ROBOT_RAY},
};

static void read_camera(RobotSensor* sensor, const RobotDescription* robot, const Node* camera) {
  double number;
  sensor->fov = 1.047;
  sensor->width = 320;
  sensor->height = 240;
  robot_content(&sensor->fov, robot, below(camera, "horizontal_fov", NULL, NULL), 1);
  if (robot_content(&number, robot, below(camera, "image", "width", NULL), 1) && number >= 1 &&
      number < 65536) {
    sensor->width = (int)number;
  }
  if (robot_content(&number, robot, below(camera, "image", "height", NULL), 1) && number >= 1 &&
      number < 65536) {
    sensor->height = (int)number;
  }
  Pose pose;
  robot_pose(&pose, robot, below(camera, "pose", NULL, NULL));
  pose_compose(&sensor->pose, &sensor->pose, &pose);
}

static void read_ray(RobotSensor* sensor, const RobotDescription* robot, const Node* ray) {
  enum {
    MOST = 360,
  };
  const Node* plane = below(ray, "scan", "horizontal", NULL);
  double samples = 1;
  robot_content(&samples, robot, below(plane, "samples", NULL, NULL), 1);
  robot_content(&sensor->angle[0], robot, below(plane, "min_angle", NULL, NULL), 1);
  robot_content(&sensor->angle[1], robot, below(plane, "max_angle", NULL, NULL), 1);
  robot_content(&sensor->range, robot, below(ray, "range", "max", NULL), 1);
  sensor->nray = samples >= 1 ? samples < MOST ? (int)samples : MOST : 1;
  if (samples > MOST) {
    robot_warn(robot, sensor->node, NULL, "has %.0f rays: %d of them are made, evenly spread",
               samples, MOST);
  }
  if (below(ray, "scan", "vertical", NULL)) {
    robot_warn(robot, below(ray, "scan", "vertical", NULL), NULL,
               "has no effect: the rays are in one plane");
  }
}

static void read_sensor(RobotDescription* robot, const Node* node, const char* reference) {
  const char* type = robot_text(node, "type");
  int link = robot_link(robot, reference), joint = robot_joint(robot, reference);
  for (size_t i = 0; i < sizeof(sensor_types) / sizeof(sensor_types[0]); i++) {
    if (!text_equal(type, sensor_types[i].name)) {
      continue;
    }
    RobotSensor sensor = {.node = node,
                          .name = robot_text(node, "name"),
                          .type = sensor_types[i].type,
                          .link = link,
                          .joint = link < 0 ? joint : -1};
    robot_pose(&sensor.pose, robot, node_child(node, "pose"));
    if (sensor.type == ROBOT_CAMERA) {
      read_camera(&sensor, robot, node_child(node, "camera"));
    } else if (sensor.type == ROBOT_RAY) {
      const Node* ray = node_child(node, "ray");
      read_ray(&sensor, robot, ray ? ray : node_child(node, "lidar"));
    }
    *(RobotSensor*)robot_push((void**)&robot->sensors, &robot->nsensor, sizeof(RobotSensor)) =
        sensor;
    return;
  }
  robot_warn(robot, node, "type", "sensor of type '%s' has no twin here: it has no effect", type);
}

static void read_gazebo(RobotDescription* robot, const Node* gazebo) {
  const char* reference = robot_text(gazebo, "reference");
  int known = robot_link(robot, reference) >= 0 || robot_joint(robot, reference) >= 0;
  for (const Node* node = gazebo->first; node; node = node->next) {
    if (!text_equal(node->name, "sensor")) {
      robot_unused(robot, node);
    } else if (known) {
      read_sensor(robot, node, reference);
    } else {
      robot_warn(robot, gazebo, "reference", "no link or joint '%s' for the sensor", reference);
    }
  }
}

// drives

static RobotDrive drive_of(const char* interface) {
  return strstr(interface, "osition")   ? ROBOT_DRIVE_POSITION
         : strstr(interface, "elocity") ? ROBOT_DRIVE_VELOCITY
                                        : ROBOT_DRIVE_MOTOR;
}

static void read_transmission(RobotDescription* robot, const Node* node) {
  double reduction = 1;
  const Node* actuator = node_child(node, "actuator");
  robot_content(&reduction, robot, below(node, "mechanicalReduction", NULL, NULL), 1);
  robot_content(&reduction, robot, below(actuator, "mechanicalReduction", NULL, NULL), 1);
  if (reduction == 0) {
    robot_warn(robot, node, NULL, "a reduction of 0 drives nothing: 1 is taken");
    reduction = 1;
  }
  for (const Node* child = node->first; child; child = child->next) {
    if (!text_equal(child->name, "joint")) {
      continue;
    }
    int joint = robot_joint(robot, robot_text(child, "name"));
    if (joint < 0) {
      robot_warn(robot, child, "name", "no joint '%s' to drive", robot_text(child, "name"));
      continue;
    }
    const Node* interface = node_child(child, "hardwareInterface");
    interface = interface ? interface : below(actuator, "hardwareInterface", NULL, NULL);
    robot->joints[joint].drive = drive_of(interface ? interface->content : "");
    robot->joints[joint].gear = reduction;
  }
}

static void read_control(RobotDescription* robot, const Node* node) {
  for (const Node* child = node->first; child; child = child->next) {
    int joint =
        text_equal(child->name, "joint") ? robot_joint(robot, robot_text(child, "name")) : -1;
    const Node* interface = node_child(child, "command_interface");
    if (joint >= 0 && interface) {
      robot->joints[joint].drive = drive_of(robot_text(interface, "name"));
    }
  }
}

void gazebo_fill(RobotDescription* robot, const Node* root) {
  static const char* const elsewhere[] = {"link", "joint", "material", SDF_LIGHT};
  for (const Node* node = root->first; node; node = node->next) {
    int known = 0;
    for (size_t i = 0; i < sizeof(elsewhere) / sizeof(elsewhere[0]); i++) {
      known |= text_equal(node->name, elsewhere[i]);
    }
    if (text_equal(node->name, "gazebo")) {
      read_gazebo(robot, node);
    } else if (text_equal(node->name, "transmission")) {
      read_transmission(robot, node);
    } else if (text_equal(node->name, "ros2_control")) {
      read_control(robot, node);
    } else if (!known) {
      robot_unused(robot, node);
    }
  }
}
