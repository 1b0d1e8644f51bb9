// cases.h: for each check a model with the mistake, the expected finding, and a similar model
// without any finding.

#pragma once

// The beginning of a body that collides with nothing.
#define LINK "<body><geom size='.01' contype='0' conaffinity='0'/>"

// A model: its content begins in line 2.
#define M(x) "<mujoco>\n" x "\n</mujoco>"

// A body of ordinary numbers on a hinge or slide.
#define BODY(joint) M("<worldbody>\n<body>\n" joint "\n<geom size='.1'/>\n</body>\n</worldbody>")
// The same with an actuator in line 8.
#define ACTUATED(joint, actuator)                \
  M("<worldbody>\n<body>\n" joint                \
    "\n<geom size='.1'/>\n</body>\n</worldbody>" \
    "<actuator>\n" actuator "\n</actuator>")
// Two bodies, the second in the first.
#define CHAIN(first, second)                          \
  M("<worldbody>\n<body>\n" first "\n<body>\n" second \
    "\n</body></body>\n"                              \
    "</worldbody>")
// A mass on a slide that an actuator in line 4 drives.
#define SERVO(integrator, mass, type, attributes)                                   \
  M("<option timestep='.01' integrator='" integrator                                \
    "'/><worldbody><body><joint name='j' type='slide'/><geom size='.1' mass='" mass \
    "'/></body></worldbody><actuator>\n\n<" type " joint='j' " attributes "/></actuator>")
// A height field with a geom above it in line 3.
#define ON_HFIELD(geom)                                                                     \
  M("<asset><hfield name='h' nrow='4' ncol='4' size='1 1 .1 .1'/></asset><worldbody><geom " \
    "type='hfield' hfield='h'/><body pos='0 0 1'><freejoint/>\n<geom " geom                 \
    "/></body></worldbody>")
// A geom on the ground, and one in line 3 on a free body.
#define ON_GROUND(option, ground, geom)                                                    \
  M(option                                                                                 \
    "<asset><mesh name='c' vertex='-1 -1 -1 1 -1 -1 -1 1 -1 1 1 -1 -1 -1 1 1 -1 1 -1 1 1 " \
    "1 1 1' scale='.1 .1 .1'/></asset><worldbody><geom name='g' " ground                   \
    "/><body pos='0 0 1'><freejoint/>\n<geom " geom "/></body></worldbody>")
// A cube of 0.1 m in the world's middle, and another one in line 3.
#define BESIDE(pos, size)                                                      \
  M("<worldbody><geom name='a' type='box' size='.05 .05 .05'/><body pos='" pos \
    "'><freejoint/>\n<geom type='box' size='" size "'/></body></worldbody>")
// A free box and a key in line 3.
#define SPINNING(integrator, qvel)                                                      \
  M("<option integrator='" integrator                                                   \
    "'/><worldbody><body name='b'><freejoint/><geom "                                   \
    "type='box' size='.1 .2 .3'/></body></worldbody><keyframe>\n<key qvel='0 0 0 " qvel \
    "'/></keyframe>")
// A free capsule on a body in line 3.
#define ROD(integrator, size)                                 \
  M("<option integrator='" integrator                         \
    "'/><worldbody>\n<body><freejoint/><geom type='capsule' " \
    "size='" size "'/></body></worldbody>")
// A geom in air, in line 3.
#define WING(body, density, geom)                           \
  M("<option density='" density "'/><worldbody><body>" body \
    "\n<geom fluidshape='ellipsoid' "                       \
    "type='ellipsoid' " geom "/></body></worldbody>")
// A camera in line 3 before a wall that begins at x = 1, in a model of extent 10.
#define BEFORE_WALL(camera, wall)                                                              \
  M("<statistic extent='10' center='0 0 0'/><worldbody>\n<camera name='c' xyaxes='0 -1 0 0 0 " \
    "1' " camera "/><geom name='wall' type='box' size='.1 3 3' pos='1.1 0 0' " wall            \
    "/></worldbody>")
// A weight on a tendon that hangs from a hook, with a force sensor in line 3.
#define HOOK(tendon, site, more)                                                                \
  M("<worldbody><body name='hook' pos='0 0 2'><geom size='.02'/><site name='h'/></body><body "  \
    "name='w' pos='0 0 1'><joint type='slide' axis='0 0 1'/><geom size='.05'/><site name='s'/>" \
    "<site name='r' pos='.1 0 0'/></body></worldbody><tendon><spatial name='t' " tendon         \
    "><site site='h'/><site site='s'/></spatial></tendon>" more "<sensor>\n<force site='" site  \
    "'/></sensor>")
// A mesh of an L, in line 3.
#define L_SHAPE(mesh, geom)                                                                        \
  M("<asset>\n<mesh name='l' " mesh                                                                \
    " vertex='0 0 0 6 0 0 6 1 0 1 1 0 1 6 0 0 6 0 0 0 1 6 0 1 6 "                                  \
    "1 1 1 1 1 1 6 1 0 6 1' face='2 1 0 3 2 0 4 3 0 5 4 0 6 7 8 6 8 9 6 9 10 6 10 11 0 1 7 0 7 6 " \
    "1 2 8 1 8 7 2 3 9 2 9 8 3 4 10 3 10 9 4 5 11 4 11 10 5 0 6 5 6 "                              \
    "11'/></asset><worldbody><body>"                                                               \
    "<freejoint/><geom type='mesh' mesh='l' " geom "/></body></worldbody>")
// A flexcomp in line 4 of a body that stands still.
#define FLEXCOMP(option, attributes, parts)                                                  \
  M("<option " option                                                                        \
    "/>\n<worldbody><body name='b'>\n<flexcomp name='f' radius='.001' " attributes ">" parts \
    "</flexcomp></body></worldbody>")
// A tetrahedron whose last corner a key puts at a height.
#define TETRAHEDRON(z)                                                                   \
  M("<worldbody><body name='b'><flexcomp name='f' type='direct' dim='3' radius='.001' "  \
    "point='0 0 0 1 0 0 0 1 0 0 0 1' element='0 1 2 3'/></body></worldbody><keyframe>\n" \
    "<key qpos='0 0 0 0 0 0 0 0 0 0 0 " z "'/></keyframe>")
#define MESH(attributes)                                                    \
  "<asset>\n<mesh name='t' vertex='0 0 0  1 0 0  0 1 0  0 0 1' " attributes \
  "/>\n</asset>\n"                                                          \
  "<worldbody>\n<body><freejoint/><geom type='mesh' mesh='t'/></body></worldbody>"

static const struct {
  const char* check;
  const char* wrong;
  int line, column;  // of the finding
  const char* says;  // part of its message
  const char* hint;  // part of its hint
  const char* right;
} cases[] = {
    // mass
    {"light-body",
     M("<worldbody>\n<body>\n<joint/><geom size='.1' mass='1e-9'/></body></worldbody>"), 3, 1,
     "weighs only 1e-09 kg", "armature",
     M("<worldbody>\n<body>\n<joint armature='.1'/><geom size='.1' "
       "mass='1e-9'/></body></worldbody>")},
    {"light-body",
     M("<worldbody>\n<body>\n<joint/><inertial pos='0 0 0' mass='1' diaginertia='1e-12 1e-12 "
       "1e-12'/></body></worldbody>"),
     3, 1, "an inertia of only 1e-12 kg m2", "larger inertia",
     M("<worldbody>\n<body>\n<joint type='slide'/><inertial pos='0 0 0' mass='1' "
       "diaginertia='1e-12 "
       "1e-12 1e-12'/></body></worldbody>")},
    {"mass-ratio",
     CHAIN("<joint axis='1 0 0'/><geom size='.1' mass='.001'/>",
           "<joint/><geom size='.1' mass='2'/>"),
     3, 1, "weighs 0.001 kg and carries 2 kg from body 2 on, 2000 times as much", "one body",
     CHAIN("<joint axis='1 0 0'/><geom size='.1' mass='.01'/>",
           "<joint/><geom size='.1' mass='2'/>")},
    {"balanced-inertia",
     M("<compiler balanceinertia='true'/><worldbody>\n<body><joint/><inertial pos='0 0 0' mass='1' "
       "diaginertia='1 2 4'/></body></worldbody>"),
     3, 1, "1, 2, 4 break the triangle inequality, so balanceinertia makes all three 2.333",
     "A + B",
     M("<compiler balanceinertia='true'/><worldbody>\n<body><joint/><inertial pos='0 0 0' mass='1' "
       "diaginertia='1 3 4'/></body></worldbody>")},
    {"balanced-inertia",
     M("<compiler balanceinertia='true'/><worldbody>\n<body><joint/><inertial pos='0 0 0' mass='1' "
       "fullinertia='4 2 1 0 0 0'/></body></worldbody>"),
     3, 1, "1, 2, 4 break", "A + B",
     M("<compiler balanceinertia='true' "
       "inertiafromgeom='true'/><worldbody>\n<body><joint/><inertial "
       "pos='0 0 0' mass='1' fullinertia='4 2 1 0 0 0'/><geom size='1'/></body></worldbody>")},
    {"inertia-size",
     M("<worldbody>\n<body><joint/><inertial pos='0 0 0' mass='1' diaginertia='5 5 5'/><geom "
       "size='.1'/></body></worldbody>"),
     3, 1, "5 kg m2 at 1 kg, puts the mass 2.24 m from its center", "kg m2",
     M("<worldbody>\n<body><joint/><inertial pos='0 0 0' mass='1' diaginertia='.02 .02 .02'/><geom "
       "size='.1'/></body></worldbody>")},
    {"com-outside",
     M("<worldbody>\n<body><joint/><inertial pos='3 0 0' mass='1' diaginertia='1 1 1'/><geom "
       "size='.1'/></body></worldbody>"),
     3, 1, "center of mass (3 0 0) is 3 m from the middle", "unit",
     M("<worldbody>\n<body><joint/><inertial pos='.3 0 0' mass='1' diaginertia='1 1 1'/><geom "
       "size='.1'/></body></worldbody>")},
    {"static-mass", M("<worldbody>\n<geom size='.1' mass='3'/></worldbody>"), 3, 1,
     "a mass of 3 kg has no effect", "<freejoint/>",
     M("<worldbody>\n<body><freejoint/><geom size='.1' mass='3'/></body></worldbody>")},
    {"static-mass", M("<worldbody>\n<body>\n<geom size='.1' mass='3'/></body></worldbody>"), 4, 1,
     "a mass of 3 kg has no effect", "give its body a <freejoint/>",
     M("<worldbody>\n<body>\n<geom size='.1' mass='3'/><body><joint/><geom "
       "size='.1'/></body></body></worldbody>")},

    // joint
    {"parallel-joints", BODY("<joint name='a' axis='0 0 1'/>\n<joint axis='0 0 -2'/>"), 5, 1,
     "the axis (0 0 -1) of joint 'a'", "remove one",
     BODY("<joint name='a' axis='0 0 1'/>\n<joint axis='0 0 -2' pos='.1 0 0'/>")},
    {"negative-loss", BODY("<joint damping='-2'/>"), 4, 1, "damping -2 is negative",
     "damping=\"2\"", BODY("<joint damping='2'/>")},
    {"negative-loss", BODY("<joint stiffness='-2'/>"), 4, 1, "stiffness -2", "stiffness=\"2\"",
     BODY("<joint stiffness='2'/>")},
    {"inherited-free",
     M("<default><joint damping='2'/></default><worldbody><body>\n<joint "
       "type='free'/><geom size='.1'/></body></worldbody>"),
     3, 1, "takes damping 2 from class 'main'", "<freejoint/>",
     M("<default><joint damping='2'/></default><worldbody><body>\n<joint type='free' "
       "damping='1'/><geom size='.1'/></body></worldbody>")},
    {"narrow-range", BODY("<joint range='0 1e-6'/>"), 4, 1, "has no width", "widen",
     BODY("<joint range='0 1'/>")},
    {"angle-units", BODY("<joint range='-1.57 1.57'/>"), 4, 1,
     "range -1.57 .. 1.57 is in degrees here", "range=\"-89.95 89.95\"",
     BODY("<joint range='-1.5 1.5'/>")},
    {"angle-units",
     M("<compiler angle='radian'/><worldbody><body>\n<joint range='-90 90'/><geom "
       "size='.1'/></body></worldbody>"),
     3, 1, "in radians here, 28.6 turns", "range=\"-1.571 1.571\"",
     M("<compiler angle='radian'/><worldbody><body>\n<joint range='-9 9'/><geom "
       "size='.1'/></body></worldbody>")},
    {"initial-limit", BODY("<joint range='10 90'/>"), 4, 1,
     "starts at 0, outside of its range 0.1745 .. 1.571 rad", "ref",
     M("<worldbody>\n<body>\n<joint range='10 90'/>\n<geom size='.1'/>\n</body>\n</worldbody>"
       "<keyframe><key qpos='1'/></keyframe>")},

    // range
    {"reversed-range", BODY("<joint range='10 -10'/>"), 4, 1,
     "range 10 .. -10 is reversed: it limits nothing", "range=\"-10 10\"",
     BODY("<joint range='-10 10'/>")},
    {"reversed-range", BODY("<joint actuatorfrcrange='10 -10'/>"), 4, 1,
     "actuatorfrcrange 10 .. -10", "actuatorfrcrange=\"-10 10\"", BODY("<joint range='0 0'/>")},
    {"reversed-range", ACTUATED("<joint name='j'/>", "<motor joint='j' ctrlrange='1 -1'/>"), 8, 1,
     "ctrlrange 1 .. -1", "ctrlrange=\"-1 1\"",
     ACTUATED("<joint name='j'/>", "<motor joint='j' ctrlrange='1 1'/>")},
    {"reversed-range", ACTUATED("<joint name='j'/>", "<motor joint='j' forcerange='2 -1'/>"), 8, 1,
     "forcerange 2 .. -1", "forcerange=\"-1 2\"",
     ACTUATED("<joint name='j'/>", "<motor joint='j' forcerange='-1 2'/>")},
    {"reversed-range",
     ACTUATED("<joint name='j'/>", "<general joint='j' dyntype='integrator' actrange='1 0'/>"), 8,
     1, "actrange 1 .. 0", "actrange=\"0 1\"",
     ACTUATED("<joint name='j'/>", "<general joint='j' dyntype='integrator' actrange='0 1'/>")},
    {"reversed-range", ACTUATED("<joint name='j'/>", "<motor joint='j' lengthrange='1 0'/>"), 8, 1,
     "lengthrange 1 .. 0", "lengthrange=\"0 1\"",
     ACTUATED("<joint name='j'/>", "<motor joint='j' lengthrange='0 1'/>")},
    // a servo that inherits such a range has none either: each is told
    {"reversed-range",
     ACTUATED("<joint name='j' range='-10 10'/>", "<position joint='j' ctrlrange='1 -1' kp='1'/>"),
     8, 1, "ctrlrange 1 .. -1", "-1 1",
     ACTUATED("<joint name='j' range='-10 10'/>", "<position joint='j' inheritrange='1'/>")},
    {"reversed-range",
     M("<worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody><tendon>\n<fixed "
       "range='1 -1'><joint joint='j' coef='1'/></fixed></tendon>"),
     3, 1, "range 1 .. -1", "range=\"-1 1\"",
     M("<worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody><tendon>\n<fixed "
       "range='-1 1'><joint joint='j' coef='1'/></fixed></tendon>")},
    {"tendon-forcerange",
     M("<worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody><tendon>\n<fixed "
       "actuatorfrcrange='-5 5'><joint joint='j' coef='1'/></fixed></tendon>"),
     3, 1, "actuatorfrcrange -5 .. 5 limits nothing", "actuatorfrclimited=\"true\"",
     M("<worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody><tendon>\n<fixed "
       "actuatorfrclimited='auto' actuatorfrcrange='-5 5'><joint joint='j' "
       "coef='1'/></fixed></tendon>")},

    // stiffness
    {"stiff-spring", BODY("<joint type='slide' stiffness='1e7'/>"), 4, 1,
     "stiffness 1e+07 on an effective inertia of 4.19 kg oscillates at 1.55e+03 rad/s, 3.1 rad in",
     "timestep=\"0.00065\"", BODY("<joint type='slide' stiffness='1e6'/>")},
    {"stiff-spring",
     M("<option timestep='.01'/><worldbody>\n<body>\n<joint type='slide'/><geom size='.1'/><site "
       "name='b'/></body><site name='a' pos='0 0 1'/></worldbody><tendon>\n<spatial "
       "stiffness='1e6'><site site='a'/><site site='b'/></spatial></tendon>"),
     5, 1, "stiffness 1e+06", "armature",
     M("<option timestep='.01'/><worldbody>\n<body>\n<joint type='slide'/><geom size='.1'/><site "
       "name='b'/></body><site name='a' pos='0 0 1'/></worldbody><tendon>\n<spatial "
       "stiffness='1e4'><site site='a'/><site site='b'/></spatial></tendon>")},
    {"stiff-spring",
     M("<option integrator='RK4'/><worldbody><body>\n<joint type='slide' "
       "damping='1e4'/><geom size='.1'/></body></worldbody>"),
     3, 1, "time constant of 0.00042 s", "implicitfast",
     BODY("<joint type='slide' damping='1e4'/>")},
    {"stiff-actuator",
     ACTUATED("<joint name='j' type='slide'/>", "<position joint='j' kp='1e7' kv='10'/>"), 8, 1,
     "kp 1e+07 on an effective inertia of 4.19", "timestep=\"0.00065\"",
     ACTUATED("<joint name='j' type='slide' armature='100'/>",
              "<position joint='j' kp='1e7' kv='10'/>")},
    {"stiff-actuator", ACTUATED("<joint name='j' type='slide'/>", "<velocity joint='j' kv='1e4'/>"),
     8, 1, "damping 1e+04", "implicitfast",
     M("<option integrator='implicitfast'/><worldbody><body><joint name='j' type='slide'/><geom "
       "size='.1'/></body></worldbody><actuator><velocity joint='j' kv='1e4'/></actuator>")},
    {"undamped-gain", ACTUATED("<joint name='j' type='slide'/>", "<position joint='j' kp='1e3'/>"),
     8, 1,
     "kp 1000 on an effective inertia of 4.19 has no damping at all: it oscillates at 15.5 rad/s",
     "kv=\"129\"",
     ACTUATED("<joint name='j' type='slide' damping='1'/>", "<position joint='j' kp='1e3'/>")},
    // damping of the actuator, and such that grows with velocity
    {"undamped-gain", ACTUATED("<joint name='j' type='slide'/>", "<position joint='j' kp='1e3'/>"),
     8, 1, "has no damping at all", "kv=\"129\"",
     ACTUATED("<joint name='j' type='slide'/>", "<position joint='j' kp='1e3' damping='1'/>")},
    {"undamped-gain", ACTUATED("<joint name='j' type='slide'/>", "<position joint='j' kp='1e3'/>"),
     8, 1, "has no damping at all", "kv=\"129\"",
     ACTUATED("<joint name='j' type='slide' damping='0 1 0'/>", "<position joint='j' kp='1e3'/>")},
    {"stiff-spring",
     M("<option integrator='RK4'/><worldbody><body>\n<joint name='j' type='slide'/><geom "
       "size='.1'/></body></worldbody><actuator><motor joint='j' gear='10' damping='1e2'/>"
       "</actuator>"),
     3, 1, "time constant of 0.00042 s", "implicitfast",
     M("<option integrator='RK4'/><worldbody><body><joint name='j' type='slide'/><geom "
       "size='.1'/></body></worldbody><actuator><motor joint='j' damping='1e2'/></actuator>")},
    // with a mass of 1 kg it accelerates (1 + h kv) times too slowly
    {"saturated-damping", SERVO("implicitfast", "1", "velocity", "kv='1000' forcerange='-5 5'"), 4,
     1, "accelerates 11 times too slowly", "timestep=\"0.0001\"",
     SERVO("Euler", "1", "velocity", "kv='1000' forcerange='-5 5'")},
    {"saturated-damping",
     SERVO("implicit", "1", "position", "kp='1' kv='110' forcerange='-5 5' ctrlrange='-3 3'"), 4, 1,
     "accelerates 2.1 times too slowly", "its damping 110 into the joint",
     SERVO("implicit", "1", "position", "kp='1' kv='90' forcerange='-5 5' ctrlrange='-3 3'")},
    // a control that can't reach the limit
    {"saturated-damping",
     SERVO("implicit", "1", "position", "kp='1' kv='1000' forcerange='-5 5' ctrlrange='-3 3'"), 4,
     1, "accelerates 11 times", "damping",
     SERVO("implicit", "1", "position", "kp='1' kv='1000' forcerange='-5 5' ctrlrange='-2 2'")},
    {"saturated-damping", SERVO("implicitfast", "1", "velocity", "kv='1000' forcerange='-5 5'"), 4,
     1, "accelerates 11 times too slowly", "<behaviour actclamp=\"enable\"/>",
     SERVO("implicitfast'><behaviour actclamp='enable'/></option><option integrator='implicitfast",
           "1", "velocity", "kv='1000' forcerange='-5 5'")},
    {"short-solref", M("<worldbody>\n<geom size='.1' solref='.001 1'/></worldbody>"), 3, 1,
     "the time constant 0.001 s of solref is below two timesteps, 0.004 s", "solref=\"0.004 1\"",
     M("<worldbody>\n<geom size='.1' solref='.004 1'/></worldbody>")},
    {"short-solref", M("<worldbody>\n<geom size='.1' solref='-2e6 -10'/></worldbody>"), 3, 1,
     "solref -2e+06 -10 is too stiff", "shorter timestep",
     M("<worldbody>\n<geom size='.1' solref='-9e5 -10'/></worldbody>")},
    {"short-solref", BODY("<joint range='-1 1' solreflimit='.001 1'/>"), 4, 1, "solreflimit",
     "solreflimit=", BODY("<joint solreflimit='.001 1'/>")},

    // actuator
    {"no-ctrlrange", ACTUATED("<joint name='j'/>", "<motor joint='j' gear='50'/>"), 8, 1,
     "nothing bounds its control or its force", "ctrlrange",
     ACTUATED("<joint name='j' actuatorfrcrange='-1 1'/>", "<motor joint='j' gear='50'/>")},
    {"ctrlrange-units",
     ACTUATED("<joint name='j' range='-90 90'/>",
              "<position joint='j' dampratio='1' ctrlrange='-90 90'/>"),
     8, 1, "its targets -90 .. 90 rad go far beyond the range -1.571 .. 1.571 rad of joint 'j'",
     "ctrlrange=\"-1.571 1.571\"",
     ACTUATED("<joint name='j' range='-90 90'/>",
              "<position joint='j' dampratio='1' ctrlrange='-9 9'/>")},
    {"dead-actuator", ACTUATED("<joint name='j'/>", "<motor joint='j' gear='0'/>"), 8, 1,
     "its gear is 0", "gear=\"1\"", ACTUATED("<joint name='j'/>", "<motor joint='j' gear='.1'/>")},
    {"dead-actuator", ACTUATED("<joint name='j'/>", "<general joint='j' gainprm='0'/>"), 8, 1,
     "its gain and its bias are 0", "gain",
     ACTUATED("<joint name='j'/>",
              "<general joint='j' gainprm='0' biastype='affine' biasprm='1'/>")},

    // contact
    {"initial-contact",
     M("<worldbody>\n<geom type='plane' size='1 1 1'/>\n<body pos='0 0 .06'><freejoint/>\n<geom "
       "name='ball' size='.1'/></body></worldbody>"),
     5, 1, "starts 0.04 m deep in geom 0, 40%", "(0 0 0.04)",
     M("<worldbody>\n<geom type='plane' size='1 1 1'/>\n<body pos='0 0 .09'><freejoint/>\n<geom "
       "name='ball' size='.1'/></body></worldbody>")},
    {"initial-contact",
     M("<worldbody>\n<geom type='plane' size='1 1 1'/>\n<body pos='0 0 1'><freejoint/>\n<geom "
       "name='ball' size='.1'/></body></worldbody><keyframe>\n<key qpos='0 0 .06 1 0 0 "
       "0'/></keyframe>"),
     6, 1, "geom 'ball' is 0.04 m deep in geom 0", "(0 0 0.04)",
     M("<worldbody>\n<geom type='plane' size='1 1 1'/>\n<body pos='0 0 1'><freejoint/>\n<geom "
       "name='ball' size='.1'/></body></worldbody><keyframe>\n<key qpos='0 0 .09 1 0 0 "
       "0'/></keyframe>")},
    {"initial-contact",
     CHAIN("<joint name='a'/><geom size='.1'/><body pos='.1 0 0'><joint/><geom size='.01'/></body>",
           "<joint/><geom size='.1' pos='.12 0 0'/>"),
     6, 9, "deep in geom", "<exclude>",
     CHAIN("<joint name='a'/><geom size='.1'/>", "<joint/><geom size='.1' pos='.01 0 0'/>")},
    {"initial-contact",
     M("<worldbody>\n<geom name='plate' type='box' size='.65 .48 .04' pos='.5 0 .74' euler='0 0 "
       "40'/>\n<body pos='0 0 .5'><freejoint/>\n<geom type='box' size='.3 .25 "
       ".5'/></body></worldbody>"),
     5, 1, "0.3 m deep in geom 'plate', 750% of the thinner geom's half thickness, and no contact",
     "(0 0 -0.3)",
     M("<worldbody>\n<geom name='plate' type='box' size='.65 .48 .04' pos='.5 0 .74' euler='0 0 "
       "40'/>\n<body pos='0 0 .19'><freejoint/>\n<geom type='box' size='.3 .25 "
       ".5'/></body></worldbody>")},
    {"duplicate-geom",
     M("<worldbody>\n<body><freejoint/><geom name='a' size='.1'/>\n<geom "
       "size='.1'/></body></worldbody>"),
     4, 1, "the same as geom 'a'", "contype=\"0\"",
     M("<worldbody>\n<body><freejoint/><geom name='a' size='.1'/>\n<geom size='.1' contype='0' "
       "conaffinity='0'/></body></worldbody>")},
    {"visual-collides",
     M("<default><default class='Visual'><geom group='2'/></default></default><worldbody>\n<geom "
       "class='Visual' size='.1'/></worldbody>"),
     3, 1, "of class 'Visual', but collides (contype 1, conaffinity 1)", "contype=\"0\"",
     M("<default><default class='Visual'><geom group='2' contype='0' "
       "conaffinity='0'/></default></default><worldbody>\n<geom class='Visual' "
       "size='.1'/></worldbody>")},
    {"visual-collides",
     M("<asset><mesh name='t' vertex='0 0 0  1 0 0  0 1 0  0 0 1'/></asset><worldbody>\n<geom "
       "type='mesh' mesh='t' group='2'/><geom size='1' group='3'/></worldbody>"),
     3, 1, "a mesh in group 2, but it collides", "contype=\"0\"",
     M("<asset><mesh name='t' vertex='0 0 0  1 0 0  0 1 0  0 0 1'/></asset><worldbody>\n<geom "
       "type='mesh' mesh='t' group='2'/><geom size='1' group='1'/></worldbody>")},
    {"gap-over-margin", M("<worldbody>\n<geom size='.1' margin='.01' gap='.02'/></worldbody>"), 3,
     1, "gap 0.02 is larger than margin 0.01: geoms sink in 0.01 m", "margin=\"0.02\"",
     M("<worldbody>\n<geom size='.1' margin='.02' gap='.02'/></worldbody>")},
    {"wide-margin", M("<worldbody>\n<geom size='.1' margin='.2'/></worldbody>"), 3, 1,
     "margin 0.2 is larger than the geom's own half thickness, 0.1", "margin=\"0.01\"",
     M("<worldbody><geom size='.1' margin='.09'/><geom size='.1' margin='.2' contype='0' "
       "conaffinity='0'/></worldbody>")},
    {"large-hull",
     M("<asset>\n<mesh name='ball' builtin='sphere' params='3'/></asset><worldbody><geom "
       "type='mesh' "
       "mesh='ball'/></worldbody>"),
     3, 1, "which collides, has 642 vertices, more than 200", "maxhullvert=\"64\"",
     M("<asset><mesh name='ball' builtin='sphere' params='3' maxhullvert='100'/></asset><worldbody>"
       "<geom type='mesh' mesh='ball'/></worldbody>")},
    {"constant-overlap",
     M("<worldbody><body><joint/><geom name='a' size='.1'/>" LINK
       "<joint/><body pos='.19 0 0'><joint axis='1 0 0' range='-5 5'/>\n<geom size='.1'/></body>"
       "</body></body></worldbody>"),
     3, 1, "it is inside geom 'a' at the start and in each of 64 poses", "<exclude> their bodies",
     M("<worldbody><body><joint/><geom name='a' size='.1'/>" LINK
       "<joint type='slide' axis='1 0 0' range='-.1 .2'/><body pos='.19 0 0'><joint/><geom "
       "size='.1'/></body></body></body></worldbody>")},

    // resting
    {"thin-on-hfield", ON_HFIELD("size='.02'"), 3, 1,
     "half its thickness is 0.02 m, but a fall of 0.5 m presses it 0.022 m into geom 0",
     "solref=\"0.018 1\"", ON_HFIELD("size='.025'")},
    {"thin-on-hfield", ON_HFIELD("type='box' size='.1 .1 .01'"), 3, 1,
     "half its thickness is 0.01 m", "solref", ON_HFIELD("size='.02' contype='0' conaffinity='0'")},
    {"single-contact", ON_GROUND("", "type='box' size='1 1 .1'", "type='mesh' mesh='c'"), 3, 1,
     "where a face of it lies on one of geom 'g' there is one contact", "multiccd",
     ON_GROUND("<option><flag multiccd='enable'/></option>", "type='box' size='1 1 .1'",
               "type='mesh' mesh='c'")},
    {"single-contact", ON_GROUND("", "type='cylinder' size='1 .1'", "type='box' size='.1 .1 .1'"),
     3, 1, "geom 'g'", "multiccd",
     ON_GROUND("", "type='box' size='1 1 .1'", "type='box' size='.1 .1 .1'")},
    {"single-contact", ON_GROUND("", "type='box' size='1 1 .1'", "type='mesh' mesh='c'"), 3, 1,
     "geom 'g'", "multiccd",
     ON_GROUND("<option><flag contact='disable'/></option>", "type='box' size='1 1 .1'",
               "type='mesh' mesh='c'")},
    {"single-contact", ON_GROUND("", "type='mesh' mesh='c'", "type='cylinder' size='.1 .1'"), 3, 1,
     "geom 'g'", "multiccd", ON_GROUND("", "type='plane' size='1 1 .1'", "type='mesh' mesh='c'")},
    // on what moves, if it lies there at the start
    {"single-contact",
     M("<worldbody><body><freejoint/><geom type='cylinder' size='.1 .1'/></body><body "
       "pos='0 0 .199'><freejoint/>\n<geom type='cylinder' size='.05 .1'/></body></worldbody>"),
     2, 30, "one of geom 1", "multiccd",
     M("<worldbody><body><freejoint/><geom type='cylinder' size='.1 .1'/></body><body "
       "pos='0 0 .21'><freejoint/>\n<geom type='cylinder' size='.05 .1'/></body></worldbody>")},
    {"flush-boxes", BESIDE(".1 0 0", ".05 .05 .05"), 3, 1, "lies flush against geom 'a'", "0.1 mm",
     BESIDE(".1 0 0", ".0499 .0499 .0499")},
    // one edge is enough, on the same ground
    {"flush-boxes", BESIDE(".1 .02 -.03", ".05 .03 .02"), 3, 1, "geom 'a'", "1 mm",
     BESIDE(".1 .01 -.03", ".05 .03 .02")},
    {"flush-boxes", BESIDE("0 0 -.1", ".05 .05 .05"), 3, 1, "geom 'a'", "1 mm",
     BESIDE("0 0 -.101", ".05 .05 .05")},

    // spin
    {"spinning-key", SPINNING("Euler", "30 30 30"), 3, 1, "body 'b' spins with 52 rad/s", "RK4",
     SPINNING("RK4", "30 30 30")},
    {"spinning-key", SPINNING("implicitfast", "30 30 30"), 3, 1, "body 'b'", "implicit",
     SPINNING("implicitfast", "3 3 3")},
    {"thin-spin", ROD("Euler", ".002 .1"), 3, 1, "as thin as 0.004 m", "implicit",
     ROD("implicit", ".002 .1")},
    {"rough-turns",
     M("<option integrator='RK4'/><worldbody><body>\n<joint type='ball'/><geom size='.1'/></body>"
       "</worldbody>"),
     3, 1, "to second order alone", "<behaviour rkmk=\"enable\"/>",
     M("<option integrator='RK4'><behaviour rkmk='enable'/></option><worldbody><body>\n<joint "
       "type='ball'/><geom size='.1'/></body></worldbody>")},
    {"thin-spin", ROD("implicitfast", ".001 .1"), 3, 1, "it spins with 500 rad/s", "implicit",
     ROD("implicitfast", ".003 .1")},

    // fluid
    {"small-wing", WING("<freejoint/>", "1.2", "size='.01 .003 .0005'"), 3, 1,
     "right only above 10.7 m/s broadside on, and 0.00081 of what it should be at 1 m/s",
     "centimetres and grams", WING("<freejoint/>", "1.2", "size='.02 .01 .0005'")},
    {"small-wing", WING("<freejoint/>", "1.2", "size='.01 .01 .0005'"), 3, 1, "2.15 m/s", "grams",
     WING("", "1.2", "size='.01 .003 .0005'")},

    // camera
    {"principal-point",
     M("<worldbody>\n<camera sensorsize='.02 .02' resolution='200 200' focal='.02 .02' "
       "principalpixel='20 30'/></worldbody>"),
     3, 1, "of (20 30) pixels is drawn 20 to the left of the picture's middle and 30 below",
     "principalpixel=\"-20 -30\"",
     M("<worldbody>\n<camera sensorsize='.02 .02' resolution='200 200' focal='.02 "
       ".02'/></worldbody>")},
    {"near-plane", BEFORE_WALL("pos='.95 0 0'", ""), 3, 1,
     "it cuts geom 'wall' open, which begins 0.05 m before it: its near plane is at 0.1 m",
     "znear=\"0.0025\"", BEFORE_WALL("pos='.89 0 0'", "")},
    // the free camera looks at the center from 1.5 times the extent
    {"near-plane",
     M("<statistic extent='1' center='0 0 0'/><visual><map znear='1.45'/></visual><worldbody><geom "
       "name='g' size='.1'/></worldbody>"),
     1, 1, "the free camera, as it starts, cuts geom 'g' open, which begins 1.4 m before it",
     "znear=\"0.7\"",
     M("<statistic extent='1' center='0 0 0'/><visual><map znear='1.35'/></visual><worldbody><geom "
       "name='g' size='.1'/></worldbody>")},
    // a camera in its housing, and a wall that isn't drawn
    {"near-plane", BEFORE_WALL("pos='.95 0 0'", "rgba='1 1 1 .1'"), 3, 1, "geom 'wall'", "znear",
     BEFORE_WALL("pos='1.15 0 0'", "")},
    {"near-plane", BEFORE_WALL("pos='.95 0 0'", "group='2'"), 3, 1, "geom 'wall'", "znear",
     BEFORE_WALL("pos='.95 0 0'", "group='3'")},

    // unused
    {"unused-class", M("<default>\n<default class='a'/></default>"), 3, 1,
     "no element uses class 'a'", "childclass",
     M("<default>\n<default class='a'/></default><worldbody><body childclass='a'/></worldbody>")},
    {"unused-class", M("<default>\n<default class='a'><default class='b'/></default></default>"), 3,
     1, "class 'a' or a class inside it", "remove",
     M("<default>\n<default class='a'><default class='b'/></default></default><worldbody><site "
       "class='b'/></worldbody>")},
    {"no-dialect", M("<worldbody>\n<light softness='.3'/></worldbody>"), 3, 8,
     "'softness' is a word of release 3.16, but the model names no dialect: words of 3.3.7 have "
     "the "
     "rules of 3.3.7",
     "dialect=\"3.16\"",
     M("<compiler dialect='3.16'/><worldbody>\n<light softness='.3'/></worldbody>")},
    {"no-dialect",
     M("<worldbody>\n<frame scale='2'/><geom size='1' castshadow='false'/></worldbody>"), 3, 34,
     "'castshadow' is a word of release 4.0", "dialect=\"4.0\"",
     M("<custom><text name='dialect' data='3.3'/></custom><worldbody>\n<frame scale='2'/>"
       "</worldbody>")},
    {"no-dialect", M("\n<option timestep='.01' integrator='discrete'/>"), 3, 24,
     "'integrator' is a word of release 3.13", "dialect=\"3.13\"",
     M("\n<option timestep='.01' integrator='implicit'/>")},
    {"unused-asset", M("<asset>\n<material name='a'/></asset>"), 3, 1, "nothing uses this material",
     "geom, site or tendon",
     M("<asset>\n<material name='a'/></asset><worldbody><site material='a'/></worldbody>")},
    {"unused-asset", M("<asset>\n<texture name='a' builtin='flat' width='8' height='48'/></asset>"),
     3, 1, "nothing uses this texture", "material",
     M("<asset>\n<texture type='skybox' builtin='flat' width='8' height='48'/></asset>")},
    {"unused-asset", M("<asset>\n<mesh name='t' vertex='0 0 0  1 0 0  0 1 0  0 0 1'/></asset>"), 3,
     1, "nothing uses this mesh", "geom", M(MESH(""))},
    {"unused-asset", M("<asset>\n<hfield name='h' nrow='2' ncol='2' size='1 1 1 1'/></asset>"), 3,
     1, "nothing uses this hfield", "geom",
     M("<asset>\n<hfield name='h' nrow='2' ncol='2' size='1 1 1 1'/></asset><worldbody><geom "
       "type='hfield' hfield='h'/></worldbody>")},

    // mesh: a tetrahedron of four faces
    {"open-mesh", M(MESH("face='0 2 1  0 1 3  0 3 2'")), 3, 1,
     "3 of its edges have a face on one side only", "inertia=\"convex\"",
     M(MESH("face='0 2 1  0 1 3  0 3 2' inertia='shell'"))},
    {"flipped-faces", M(MESH("face='0 2 1  0 1 3  0 3 2  1 3 2'")), 3, 1, "across 3 edges",
     "consistent", M(MESH("face='0 2 1  0 1 3  0 3 2  1 2 3'"))},
    {"inverted-mesh", M(MESH("face='0 1 2  0 3 1  0 2 3  1 3 2'")), 3, 1,
     "encloses a volume of -0.167 m3", "flip", M(MESH("face='0 2 1  0 1 3  0 3 2  1 2 3'"))},
    // deformables
    {"inverted-element", TETRAHEDRON("-1.5"), 3, 1, "1 of the 1 tetrahedra of flex 'f'", "settle",
     TETRAHEDRON("-.5")},
    {"sliver-element",
     FLEXCOMP("", "type='direct' dim='2' point='0 0 0 1 0 0 .5 .01 0' element='0 1 2'", ""), 4, 1,
     "worst is element 0 with a quality of 0.023", "mesh anew",
     FLEXCOMP("", "type='direct' dim='2' point='0 0 0 1 0 0 .5 .1 0' element='0 1 2'", "")},
    {"loose-vertex",
     M("<worldbody/><deformable>\n<flex name='f' dim='2' body='world' vertex='0 0 0 1 0 0 0 1 0 2 "
       "2 2' element='0 1 2'/></deformable>"),
     3, 1, "1 of its 4 vertices are in no element, first vertex 3", "leave them out",
     M("<worldbody/><deformable>\n<flex name='f' dim='2' body='world' vertex='0 0 0 1 0 0 0 1 0' "
       "element='0 1 2'/></deformable>")},
    {"loose-flex", FLEXCOMP("", "count='3 3 1' dim='2' spacing='.1 .1 .1' mass='1'", ""), 4, 1,
     "nothing holds its vertices together", "young",
     FLEXCOMP("", "count='3 3 1' dim='2' spacing='.1 .1 .1' mass='1'", "<edge equality='true'/>")},
    {"stiff-flex",
     FLEXCOMP("timestep='.01'", "count='4 1 1' dim='1' spacing='.1 .1 .1' mass='1'",
              "<edge stiffness='1e4'/>"),
     4, 1, "its fastest motion has 370 rad/s, 3.7 rad in each timestep of 0.01 s: the simulation",
     "timestep=\"0.0027\"",
     FLEXCOMP("timestep='.01'", "count='4 1 1' dim='1' spacing='.1 .1 .1' mass='1'",
              "<edge stiffness='1e2'/>")},
    {"flex-self-contact",
     FLEXCOMP("", "type='direct' dim='1' point='0 0 0 1 0 0 .5 -.5 0 .5 .5 0' element='0 1 2 3'",
              ""),
     4, 1, "touches itself at the start in 1 places, up to 0.002 m deep", "a smaller radius",
     FLEXCOMP("", "type='direct' dim='1' point='0 0 0 1 0 0 .5 -.5 .1 .5 .5 .1' element='0 1 2 3'",
              "")},
    {"mesh-volume", L_SHAPE("", ""), 3, 1, "it encloses 11 m3, but inertia=\"legacy\"",
     "inertia=\"exact\"", L_SHAPE("inertia='exact'", "")},
    {"mesh-volume", L_SHAPE("", "mass='1'"), 3, 1, "turned by an inertia of another shape", "exact",
     M("<asset><mesh name='t' vertex='0 0 0  1 0 0  0 1 0  0 0 1'/></asset><worldbody><body>"
       "<freejoint/><geom type='mesh' mesh='t'/></body></worldbody>")},
    {"mesh-units", M(MESH("scale='300 300 300'")), 6, 19, "and it moves", "0.001",
     M(MESH("scale='30 30 30'"))},

    // sensor
    {"fused-sensor",
     M("<compiler fusestatic='true'/><worldbody><body><joint/><geom size='.1'/>\n<body><geom "
       "size='.1'/><site name='s'/></body></body></worldbody><sensor>\n<force "
       "site='s'/></sensor>"),
     4, 1, "merges the body of site 's' (line 3)", "name",
     M("<compiler fusestatic='true'/><worldbody><body><joint/><geom size='.1'/>\n<body "
       "name='hand'><geom size='.1'/><site name='s'/></body></body></worldbody><sensor>\n<force "
       "site='s'/></sensor>")},
    {"unfelt-force", HOOK("stiffness='10'", "h", ""), 3, 1,
     "tendon 't' pulls at body 'hook' or at what hangs on it", "add its force", HOOK("", "h", "")},
    {"unfelt-force", HOOK("limited='true' range='0 1'", "s", ""), 3, 1,
     "tendon 't' pulls at body 'w'", "add its force", HOOK("limited='false' range='0 1'", "s", "")},
    {"unfelt-force", HOOK("", "h", "<actuator><motor tendon='t'/></actuator>"), 3, 1, "tendon 't'",
     "connect", HOOK("", "h", "<equality><connect site1='s' site2='h'/></equality>")},
    {"unfelt-force", HOOK("", "h", "<equality><tendon tendon1='t'/></equality>"), 3, 1,
     "tendon 't'", "connect", HOOK("", "h", "<equality><weld body1='w' body2='hook'/></equality>")},
    {"unfelt-force",
     HOOK("", "s", "<actuator><motor name='m' site='s' gear='0 0 1 0 0 0'/></actuator>"), 3, 1,
     "actuator 'm' pushes a site of body 'w'", "add its force",
     HOOK("", "h", "<actuator><motor name='m' site='s' gear='0 0 1 0 0 0'/></actuator>")},
    {"unfelt-force", HOOK("", "s", "<actuator><motor name='m' site='s' refsite='h'/></actuator>"),
     3, 1, "actuator 'm'", "add its force",
     HOOK("", "s", "<actuator><motor name='m' site='s' refsite='r'/></actuator>")},
    {"static-sensor",
     M("<worldbody><body name='base'><site name='s'/></body></worldbody><sensor>\n<gyro "
       "site='s'/></sensor>"),
     3, 1, "body 'base' and the bodies above it have no joint", "joint",
     M("<worldbody><body name='base'><joint/><geom size='.1'/><site "
       "name='s'/></body></worldbody><sensor>\n<gyro site='s'/></sensor>")},
    {"static-sensor",
     M("<worldbody><body mocap='true'><site name='s'/></body></worldbody><sensor>\n<velocimeter "
       "site='s'/></sensor>"),
     3, 1, "the reading never changes", "joint",
     M("<worldbody><body mocap='true'><site name='s'/></body></worldbody><sensor>\n<accelerometer "
       "site='s'/></sensor>")},
    {"idle-equality",
     M("<worldbody><body name='a'/><body name='b'/></worldbody><equality>\n<weld body1='a' "
       "body2='b'/></equality>"),
     3, 1, "body 'a' and body 'b' can't move against each other", "joint",
     M("<worldbody><body name='a'/><body name='b'><freejoint/><geom "
       "size='.1'/></body></worldbody><equality>\n<weld body1='a' body2='b'/></equality>")},

    // keyframe
    {"key-length",
     M("<worldbody><body><freejoint/><geom size='.1'/></body></worldbody><keyframe>\n<key qpos='0 "
       "0 "
       "1'/></keyframe>"),
     3, 1, "qpos has 3 numbers, the model has 7", "all 7",
     M("<worldbody><body><freejoint/><geom size='.1'/></body></worldbody><keyframe>\n<key "
       "time='1'/></keyframe>")},
    {"key-limit",
     M("<worldbody><body><joint name='j' range='-10 10'/><geom "
       "size='.1'/></body></worldbody><keyframe>\n<key qpos='.2'/></keyframe>"),
     3, 1, "the angle 0.2 of joint 'j' is outside of its range -0.1745 .. 0.1745",
     "from -0.1745 to 0.1745",
     M("<worldbody><body><joint name='j' range='-10 10'/><geom "
       "size='.1'/></body></worldbody><keyframe>\n<key qpos='.175'/></keyframe>")},
    {"key-limit",
     M("<worldbody><body><joint name='j' type='ball' range='0 10'/><geom "
       "size='.1'/></body></worldbody><keyframe>\n<key qpos='.8 .6 0 0'/></keyframe>"),
     3, 1, "the angle 1.287 of joint 'j'", "from 0",
     M("<worldbody><body><joint name='j' type='ball' range='0 80'/><geom "
       "size='.1'/></body></worldbody><keyframe>\n<key qpos='-.8 .6 0 0'/></keyframe>")},
    {"key-limit",
     M("<worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody><actuator><motor "
       "name='m' joint='j' ctrlrange='-1 1'/></actuator><keyframe>\n<key ctrl='3'/></keyframe>"),
     3, 1, "the control 3 of actuator 'm'", "from -1 to 1",
     M("<worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody><actuator><motor "
       "name='m' joint='j' ctrlrange='-1 1'/></actuator><keyframe>\n<key ctrl='1'/></keyframe>")},
    // a key that gives controls alone leaves activations where a reset puts them
    {"key-limit",
     M("<worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody><actuator><general "
       "name='m' joint='j' dyntype='integrator' actrange='1 2' "
       "ctrlrange='-1 1'/></actuator><keyframe>\n<key act='3'/></keyframe>"),
     3, 1, "the activation 3 of actuator 'm'", "from 1 to 2",
     M("<worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody><actuator><general "
       "name='m' joint='j' dyntype='integrator' actrange='1 2' "
       "ctrlrange='-1 1'/></actuator><keyframe>\n<key ctrl='.5'/></keyframe>")},
    {"key-quaternion",
     M("<worldbody><body><freejoint name='f'/><geom size='.1'/></body></worldbody><keyframe>\n<key "
       "qpos='0 0 1 1 1 0 0'/></keyframe>"),
     3, 1, "the quaternion 1 1 0 0 of joint 'f' has length 1.414", "0.70711 0.70711 0 0",
     M("<worldbody><body><freejoint name='f'/><geom size='.1'/></body></worldbody><keyframe>\n<key "
       "qpos='0 0 1 .707 .707 0 0'/></keyframe>")},
    {"key-quaternion",
     M("<worldbody><body name='b' mocap='true'/></worldbody><keyframe>\n<key mquat='0 0 0 "
       "0'/></keyframe>"),
     3, 1, "the quaternion of body 'b' is zero", "1 0 0 0",
     M("<worldbody><body name='b' mocap='true'/></worldbody><keyframe>\n<key mquat='0 0 0 "
       "1'/></keyframe>")},
};
