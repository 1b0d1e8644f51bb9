// models.h: models whose parts the code in lanes knows, each with another mixture of them.

#pragma once

#include <mujoco/mujoco.h>

#include "support/load.h"
#include "support/random.h"
#include "support/test.h"

typedef struct LaneCase {
  const char *name, *xml;
} LaneCase;

// All kinds of joints in branches, springs, dampers, armature, kinds of actuators.
#define LANE_TREE                                                                                  \
  "<mujoco><option gravity='1 -2 -9'/>"                                                            \
  "<default><geom contype='0' conaffinity='0'/></default><worldbody>"                              \
  "<body name='a' pos='0 0 1' quat='1 .2 .3 -.1'><freejoint/>"                                     \
  "<geom type='box' size='.1 .2 .3' pos='.1 0 .05' euler='10 20 30'/>"                             \
  "<body name='b' pos='.2 .1 0'><joint name='b1' axis='1 2 3' pos='.1 0 .1' stiffness='3'"         \
  " damping='.2' armature='.05' springref='20'/>"                                                  \
  "<joint name='b2' axis='0 1 0' ref='30'/><geom size='.1' pos='.1 .1 0'/>"                        \
  "<body name='c' pos='0 .3 0' euler='0 40 0'><joint name='c1' type='ball' stiffness='2'"          \
  " damping='.1'/><geom type='capsule' size='.05 .2'/></body></body>"                              \
  "<body name='d' pos='0 0 .5'><joint name='d1' type='slide' axis='1 1 0' stiffness='40'"          \
  " damping='3'/><joint name='d2' axis='0 0 1'/><geom type='ellipsoid' size='.1 .2 .05'/>"         \
  "</body></body>"                                                                                 \
  "<body name='e' pos='2 0 0'><joint name='e1' axis='0 1 0' damping='.5'/>"                        \
  "<geom type='capsule' fromto='0 0 0 .5 0 0' size='.03'/><body pos='.5 0 0'>"                     \
  "<joint name='e2' axis='0 1 .2' actuatorfrcrange='-.5 .4'/>"                                     \
  "<geom type='capsule' fromto='0 0 0 .4 0 0' size='.03'/></body></body>"                          \
  "<body name='s' pos='-2 0 0'><freejoint/><geom type='box' size='.1 .2 .3'/></body>"              \
  "</worldbody><tendon><fixed name='t'><joint joint='e1' coef='.5'/><joint joint='d1' coef='-2'/>" \
  "</fixed></tendon><actuator>"                                                                    \
  "<motor joint='b1' gear='3' ctrlrange='-.5 .5' ctrllimited='true'/>"                             \
  "<position joint='b2' kp='20' kv='1'/><velocity joint='d2' kv='2'/>"                             \
  "<intvelocity joint='e1' kp='5' actrange='-1 1'/>"                                               \
  "<general joint='e2' dyntype='filter' dynprm='.1' gainprm='4' forcerange='-1 1'/>"               \
  "<general joint='d1' dyntype='filterexact' dynprm='.05' gaintype='affine' gainprm='1 2 3'"       \
  " biastype='affine' biasprm='.1 .2 .3' actearly='true'/>"                                        \
  "<motor tendon='t' gear='2'/></actuator></mujoco>"

// Equalities of all kinds, fixed tendons with rows, springs and dampers, gravity compensation.
#define LANE_TIES                                                                                  \
  "<mujoco><option tolerance='0'/><default><geom contype='0' conaffinity='0'/></default>"          \
  "<worldbody><body name='w' pos='0 0 1'/>"                                                        \
  "<body name='a' pos='0 0 1' gravcomp='.5'><joint name='a1' axis='0 1 0'/>"                       \
  "<joint name='a2' axis='1 0 0' actuatorgravcomp='true'/><geom size='.1' pos='.2 0 .1'/>"         \
  "<site name='as' pos='.1 .05 0' euler='10 20 0'/>"                                               \
  "<body name='b' pos='.4 0 0' gravcomp='1.2'><joint name='b1' axis='0 1 0' ref='10'/>"            \
  "<geom type='box' size='.1 .05 .02' pos='.1 0 0'/>"                                              \
  "<body name='c' pos='.3 0 0' euler='0 0 30'><joint name='c1' type='ball' limited='true'"         \
  " range='0 20' margin='.05'/>"                                                                   \
  "<geom type='capsule' size='.03 .1'/></body></body>"                                             \
  "<body name='d' pos='-.3 0 0'><joint name='d1' type='slide' axis='1 0 1'/><geom size='.1'/>"     \
  "<site name='ds' pos='0 .1 0'/></body></body>"                                                   \
  "<body name='e' pos='.2 0 1.5' gravcomp='1'><freejoint/><geom type='box' size='.1 .2 .05'"       \
  " pos='.05 0 0'/></body><body name='f' pos='0 1 1'><joint name='f1'/><geom size='.1 .1 .1'"      \
  " type='box' pos='.1 0 0'/></body></worldbody><tendon>"                                          \
  "<fixed name='s' range='-.1 .2' limited='true' stiffness='20' damping='2'"                       \
  " springlength='-.1 .1' frictionloss='.3'><joint joint='a1' coef='.5'/>"                         \
  "<joint joint='d1' coef='-2'/></fixed><fixed name='t' range='0 .01' limited='true' margin='.1'>" \
  "<joint joint='b1' coef='1'/><joint joint='a2' coef='.3'/><joint joint='f1' coef='1'/></fixed>"  \
  "</tendon><equality><joint joint1='a1' joint2='b1' polycoef='.1 .5 .2 .1 .05'/>"                 \
  "<joint joint1='f1' polycoef='.2 0 0 0 0'/><tendon tendon1='s' tendon2='t'/>"                    \
  "<tendon tendon1='t' active='false'/><connect body1='c' body2='d' anchor='.1 0 0'/>"             \
  "<connect body1='b' anchor='.1 0 .1' solref='-500 -20'/><connect site1='as' site2='ds'/>"        \
  "<weld body1='e' body2='b' torquescale='.4'/><weld site1='ds' site2='as'/>"                      \
  "<weld body1='f' relpose='0 1 1 1 .1 0 0'/></equality><actuator><motor joint='a2'/>"             \
  "<position tendon='s' kp='20' kv='3'/></actuator></mujoco>"

// Shapes of all kinds that fall on a plane, on a fixed box and on each other.
#define LANE_SHAPES                                                                             \
  "<mujoco><option tolerance='0'/><asset><mesh name='m' vertex='.1 0 0 -.1 .1 0 -.1 -.1 0 0 0 " \
  ".2'/>"                                                                                       \
  "</asset>"                                                                                    \
  "<worldbody><geom type='plane' size='5 5 1'/><geom type='box' size='.2 .3 .1' pos='0 0 .1'/>" \
  "<body pos='0 0 .3'><freejoint/><geom type='box' size='.1 .15 .1'/></body>"                   \
  "<body pos='.05 .02 .52'><freejoint/><geom type='box' size='.12 .1 .1'/></body>"              \
  "<body pos='.5 0 .1'><freejoint/><geom type='cylinder' size='.1 .1'/></body>"                 \
  "<body pos='.5 .5 .1'><freejoint/><geom type='ellipsoid' size='.1 .15 .1'/></body>"           \
  "<body pos='-.5 0 .1'><freejoint/><geom type='mesh' mesh='m'/></body>"                        \
  "<body pos='-.4 .1 .25'><freejoint/><geom type='capsule' size='.05 .1'/></body>"              \
  "<body pos='2 0 .25'><freejoint/><geom size='.1'/><geom type='box' size='.1 .1 .05'"          \
  " pos='.2 0 0'/></body></worldbody></mujoco>"

// Links of meshes that reach into each other for good, others that fall on each other.
#define LANE_LINKAGE                                                                     \
  "<mujoco><option tolerance='0'/><asset><mesh name='link' vertex='0.0143 0 0.115 "      \
  "-0.0178 0.0131 0.105 0.00267 -0.0243 0.095 0.0215 0.0224 0.085 -0.0384 -0.00544 "     \
  "0.075 0.0355 -0.018 0.065 -0.0115 0.0343 0.055 -0.0214 -0.0329 0.045 0.0449 0.0131 "  \
  "0.035 -0.0452 0.0149 0.025 0.021 -0.0359 0.015 0.015 0.0381 0.005 -0.0432 -0.02 "     \
  "-0.005 0.0485 -0.00852 -0.015 -0.0281 0.032 -0.025 -0.00615 -0.0379 -0.035 0.0354 "   \
  "0.0239 -0.045 -0.0444 0.00147 -0.055 0.0298 -0.0237 -0.065 -0.0018 0.0312 -0.075 "    \
  "-0.0226 -0.0217 -0.085 0.0303 0.00326 -0.095 -0.0199 0.0111 -0.105 0.00313 -0.0111 "  \
  "-0.115'/><mesh name='block' vertex='.06 .05 .1 .06 .05 -.1 .06 -.05 .1 .06 -.05 -.1 " \
  "-.06 .05 .1 -.06 .05 -.1 -.06 -.05 .1 -.06 -.05 -.1'/></asset><default><joint "       \
  "damping='.5' armature='.01' axis='0 1 0'/><geom "                                     \
  "type='mesh'/></default><worldbody><geom type='plane' size='5 5 1' pos='0 0 "          \
  "-.4'/><geom mesh='block'/><body pos='.02 .01 .15'><joint pos='-.15 0 .05'/><geom "    \
  "mesh='link'/><body pos='.02 0 .06'><joint axis='1 .2 0'/><geom mesh='link' pos='0 0 " \
  ".08'/><body pos='0 .01 .05'><joint pos='.1 0 0'/><geom mesh='block' euler='10 20 "    \
  "30'/></body></body></body><body pos='.07 0 -.1'><joint/><joint type='slide' axis='1 " \
  "0 0' stiffness='50'/><geom mesh='link' euler='5 0 20'/></body><body pos='.3 0 "       \
  "0'><freejoint/><geom mesh='link'/></body><body pos='.32 .03 .12'><freejoint/><geom "  \
  "mesh='block'/></body></worldbody></mujoco>"

// A walker on a plane: limits of both sides, friction of dofs, spheres and capsules on the plane.
#define LANE_WALKER(option, geom)                                                                \
  "<mujoco><option " option "/><default><joint damping='.3' armature='.02'/><geom " geom         \
  "/></default><worldbody>"                                                                      \
  "<geom type='plane' size='5 5 1' pos='0 0 .02' euler='3 2 0' friction='.6 .02 .001'/>"         \
  "<body name='torso' pos='0 0 .5'><freejoint/><geom type='capsule' size='.07 .15'"              \
  " euler='0 90 0'/><geom size='.09' pos='.2 0 .05'/>"                                           \
  "<body pos='.1 .1 0'><joint name='h1' axis='0 1 0' range='-40 40' limited='true'"              \
  " frictionloss='.2'/><joint name='h2' axis='1 0 0' range='-10 5' limited='true' margin='.3'/>" \
  "<geom type='capsule' fromto='0 0 0 0 .02 -.25' size='.04' mass='.4'/>"                        \
  "<body pos='0 .02 -.25'><joint name='k1' axis='0 1 0' range='-90 -2' limited='true'/>"         \
  "<geom type='capsule' fromto='0 0 0 0 0 -.2' size='.03'/><geom size='.05' pos='0 0 -.2'/>"     \
  "</body></body>"                                                                               \
  "<body pos='-.1 -.1 0'><joint name='h3' axis='0 1 0' range='-40 40' limited='true'/>"          \
  "<geom type='capsule' fromto='0 0 0 0 -.02 -.25' size='.04'/>"                                 \
  "<body pos='0 -.02 -.25'><joint name='k2' type='slide' axis='0 0 1' range='-.05 .02'"          \
  " limited='true' frictionloss='1'/><geom type='capsule' fromto='0 0 0 0 0 -.2' size='.03'/>"   \
  "</body></body></body></worldbody><actuator><motor joint='h1' gear='5'/>"                      \
  "<motor joint='k1' gear='5'/><position joint='h3' kp='30'/></actuator></mujoco>"

// A long chain on a plane, where contacts have no Jacobians.
#define LANE_LINK                                                               \
  "<body pos='.1 0 0'><joint axis='0 0 1'/><joint axis='0 1 .1' damping='.1'/>" \
  "<geom type='capsule' fromto='0 0 0 .1 0 0' size='.03'/>"
#define LANE_LINKS LANE_LINK LANE_LINK LANE_LINK LANE_LINK
#define LANE_SNAKE(option, geom)                                                           \
  "<mujoco><option " option                                                                \
  "/><default><joint armature='.1'/><geom contype='1'"                                     \
  " conaffinity='0' " geom                                                                 \
  "/></default><worldbody><geom type='plane' size='5 5 1' conaffinity='1' euler='2 1 0'/>" \
  "<body pos='0 0 .03'><freejoint/><geom size='.05'/>" LANE_LINKS LANE_LINKS LANE_LINKS    \
  "</body></body></body></body></body></body></body></body></body></body></body></body>"   \
  "</body></worldbody></mujoco>"

// Shapes on a height field.
#define LANE_TERRAIN                                                                             \
  "<mujoco><option tolerance='0'/><asset><hfield name='h' nrow='4' ncol='5' size='1 1 .3 .1'"    \
  " elevation='0 .2 .1 0 .3  .1 .5 .4 .2 0  0 .3 .6 .1 .2  .2 .1 0 .4 .1'/></asset>"             \
  "<default><geom condim='3'/></default><worldbody>"                                             \
  "<geom type='hfield' hfield='h' pos='.1 0 0' euler='2 3 0'/>"                                  \
  "<body pos='0 0 .3'><freejoint/><geom size='.1'/></body>"                                      \
  "<body pos='.5 .3 .3'><freejoint/><geom type='capsule' size='.06 .1' euler='80 0 0'/></body>"  \
  "<body pos='-.5 -.3 .3'><freejoint/><geom type='box' size='.1 .12 .08'/></body><body pos='.5 " \
  "-.3 .3'><freejoint/><geom type='cylinder' size='.1 .08'/></body><body pos='-.5 .3 "           \
  ".3'><freejoint/><geom type='ellipsoid' size='.1 .12 .08'/></body>"                            \
  "</worldbody></mujoco>"

#define LANE_BOX_ON_TERRAIN                                                                      \
  "<mujoco><option tolerance='0'/><asset><hfield name='h' nrow='3' ncol='3' size='1 1 .3 .1'"    \
  " elevation='0 .2 .1  .3 .1 .5  0 .3 .6'/></asset><worldbody><geom type='hfield' hfield='h'/>" \
  "<body pos='0 0 .3'><freejoint/><geom type='box' size='.3 .3 .1'/></body></worldbody></mujoco>"

// Two legs that touch each other and are tied at their ends.
#define LANE_TIED_LEGS                                                                  \
  "<mujoco><option tolerance='0'/><worldbody><body pos='0 0 1'><freejoint/>"            \
  "<geom size='.1' contype='0' conaffinity='0'/>"                                       \
  "<body name='l' pos='.1 .1 0'><joint axis='0 1 0'/><joint axis='0 0 1'/>"             \
  "<geom type='capsule' size='.05' fromto='0 0 0 .3 -.06 0'/></body>"                   \
  "<body name='r' pos='.1 -.1 0'><joint axis='0 1 0'/>"                                 \
  "<geom type='capsule' size='.05' fromto='0 0 0 .3 .06 0'/></body></body></worldbody>" \
  "<equality><connect body1='l' body2='r' anchor='.3 0 0'/></equality></mujoco>"

// A mocap body that carries a plane and a ball, and pulls at a chain.
#define LANE_MOCAP                                                                               \
  "<mujoco><option tolerance='0'/><worldbody><body name='hand' mocap='true' pos='0 0 .2'>"       \
  "<geom type='plane' size='1 1 .1' pos='0 0 -.2' euler='2 0 0'/><geom size='.1' pos='.4 0 0'/>" \
  "<site name='h' pos='.1 0 0'/><body pos='0 .4 0' euler='0 20 0'><geom type='capsule'"          \
  " size='.08 .1'/></body></body><body pos='.4 .02 .27'><freejoint/><geom size='.1'/></body>"    \
  "<body pos='.05 .4 .3'><freejoint/><geom type='capsule' size='.06 .1'/></body>"                \
  "<body name='a' pos='0 0 .5'><joint axis='0 1 0'/><geom size='.05' pos='.1 0 0'/>"             \
  "<body name='b' pos='.2 0 0'><joint axis='1 0 1'/><geom size='.05' pos='.1 0 0'/></body>"      \
  "</body></worldbody><equality><weld body1='hand' body2='b'/></equality><sensor>"               \
  "<framepos objtype='site' objname='h'/><framelinvel objtype='body' objname='b' reftype='site'" \
  " refname='h'/></sensor></mujoco>"

// Sensors of all kinds that lanes read, on a body that falls on its feet.
#define LANE_SENSES(option)                                                                  \
  "<mujoco><option tolerance='0' magnetic='.1 -.5 .2' " option                               \
  "/><worldbody>"                                                                            \
  "<geom type='plane' size='5 5 1'/><site name='fixed' pos='1 0 .2' euler='10 0 0'/>"        \
  "<body name='a' pos='0 0 .5' euler='5 10 0'><freejoint/>"                                  \
  "<geom name='ga' type='box' size='.2 .1 .06' pos='.02 0 .01' euler='0 0 20'/>"             \
  "<camera name='c' pos='.1 .2 .3' euler='30 20 10'/><site name='s' pos='.1 0 .05'"          \
  " euler='20 30 40'/><body name='b' pos='.15 .1 0'><joint name='h' axis='0 1 .2' ref='10'"  \
  " range='-30 30' limited='true' damping='.2'/><geom name='gb' type='capsule'"              \
  " fromto='0 0 0 0 0 -.4' size='.04'/><body name='f' pos='0 0 -.43'><geom size='.05'/>"     \
  "<site name='sole' type='box' size='.06 .06 .06' pos='0 0 -.02' euler='0 5 0'/>"           \
  "<site name='heel' size='.04' pos='-.03 0 -.02'/></body></body>"                           \
  "<body name='d' pos='-.15 -.1 0'><joint name='t' type='slide' axis='0 0 1' range='-.1 .1'" \
  " limited='true'/><geom type='capsule' fromto='0 0 0 0 0 -.4' size='.04' mass='.5'/>"      \
  "<site name='foot' type='capsule' size='.05 .1' pos='0 0 -.4'/>"                           \
  "<site name='toe' type='ellipsoid' size='.05 .05 .1' pos='0 0 -.4'/>"                      \
  "<site name='shin' type='cylinder' size='.06 .1' pos='0 0 -.38'/></body>"                  \
  "<body name='e' pos='0 0 .1'><joint name='ball' type='ball' damping='.1'/>"                \
  "<geom type='capsule' size='.03 .1' pos='0 0 .12'/></body></body></worldbody>"             \
  "<tendon><fixed name='n'><joint joint='h' coef='.5'/><joint joint='t' coef='2'/></fixed>"  \
  "<fixed name='o' stiffness='3'><joint joint='h' coef='1'/></fixed></tendon><actuator>"     \
  "<motor name='m' joint='h' gear='3'/><position name='p' tendon='n' kp='20'/></actuator>"   \
  "<sensor><touch site='sole'/><touch site='heel'/><touch site='foot'/><touch site='toe'/>"  \
  "<touch site='shin' cutoff='5'/><accelerometer site='s'/><accelerometer site='fixed'/>"    \
  "<velocimeter site='s'/><gyro site='sole' cutoff='.3'/><force site='sole'/>"               \
  "<torque site='sole'/><force site='s'/><torque site='s'/><magnetometer site='s'/>"         \
  "<jointpos joint='h'/><jointvel joint='t'/><tendonpos tendon='n'/><tendonvel tendon='n'/>" \
  "<tendonpos tendon='o'/><actuatorpos actuator='p'/><actuatorvel actuator='m'/>"            \
  "<actuatorfrc actuator='p'/><jointactuatorfrc joint='h'/><tendonactuatorfrc tendon='n'/>"  \
  "<ballquat joint='ball'/><ballangvel joint='ball'/>"                                       \
  "<framepos objtype='geom' objname='ga'/><framequat objtype='body' objname='a'/>"           \
  "<framexaxis objtype='camera' objname='c'/><frameyaxis objtype='xbody' objname='b'/>"      \
  "<framezaxis objtype='geom' objname='gb' reftype='site' refname='s'/>"                     \
  "<framepos objtype='site' objname='sole' reftype='body' refname='a'/>"                     \
  "<framequat objtype='geom' objname='gb' reftype='camera' refname='c'/>"                    \
  "<framelinvel objtype='body' objname='b'/><frameangvel objtype='geom' objname='ga'/>"      \
  "<framelinvel objtype='site' objname='sole' reftype='geom' refname='ga'/>"                 \
  "<frameangvel objtype='xbody' objname='e' reftype='site' refname='s'/>"                    \
  "<framelinacc objtype='geom' objname='gb'/><frameangacc objtype='body' objname='d'/>"      \
  "<subtreecom body='b'/><subtreecom body='world'/><subtreelinvel body='a'/>"                \
  "<subtreelinvel body='world'/><subtreeangmom body='b'/><subtreeangmom body='world'/>"      \
  "<clock/></sensor></mujoco>"

// Things that rest on what can't move: a plane, a box and a ball of fixed bodies, one without mass,
// and of mocap bodies and their children, with sensors of the forces between these and the world.
#define LANE_RESTS(option)                                                                         \
  "<mujoco><option tolerance='0' " option                                                          \
  "/><worldbody><body name='ground' pos='0 0 -.1' euler='3 0 0'><geom type='plane' size='1 1 1'"   \
  " pos='0 0 .1'/><site name='g' pos='.1 0 .05' euler='0 20 0'/></body>"                           \
  "<body name='shelf' pos='2 0 .2'><geom type='box' size='.3 .3 .1'/>"                             \
  "<site name='s' pos='0 .1 0'/><body name='knob' pos='0 0 .1' euler='0 10 0'><geom size='.1'"     \
  " pos='.05 0 .1'/><site name='k'/></body></body>"                                                \
  "<body name='hand' mocap='true' pos='4 0 0' euler='0 2 0'><geom type='plane' size='1 1 1'/>"     \
  "<site name='h' pos='0 0 .1'/><body name='finger' pos='0 .5 0'><geom type='capsule'"             \
  " size='.08 .1'/><site name='f'/></body></body>"                                                 \
  "<body pos='0 0 .09'><freejoint/><geom size='.1' mass='1'/></body>"                              \
  "<body pos='.5 0 .08'><freejoint/><geom type='capsule' size='.1 .1' euler='90 0 0'/></body>"     \
  "<body pos='2.05 .02 .58'><freejoint/><geom size='.1'/></body>"                                  \
  "<body pos='2.2 -.2 .39'><freejoint/><geom size='.1'/></body>"                                   \
  "<body pos='4 0 .09'><freejoint/><geom size='.1'/></body>"                                       \
  "<body pos='4.02 .5 .22'><freejoint/><geom type='capsule' size='.05 .1' euler='0 80 0'/></body>" \
  "</worldbody><sensor><force site='g'/><torque site='g'/><force site='s'/><torque site='s'/>"     \
  "<force site='k'/><torque site='k'/><force site='h'/><torque site='h'/><force site='f'/>"        \
  "<torque site='f'/><touch site='k'/><framelinacc objtype='site' objname='k'/><framelinacc"       \
  " objtype='site' objname='h'/><subtreecom body='ground'/><subtreecom body='hand'/>"              \
  "<subtreelinvel body='hand'/><subtreeangmom body='shelf'/><accelerometer site='h'/>"             \
  "</sensor></mujoco>"

#define LANE_FLOOR "conaffinity='0' contype='1'"

static const LaneCase kLaneCases[] = {
    {"tree", LANE_TREE},
};

enum {
  NLANECASE = sizeof(kLaneCases) / sizeof(kLaneCases[0])
};

// A random state: positions about the start, with speeds of that size.
static inline void lane_state(mjData* d, const mjModel* m, uint64_t* seed, double reach,
                              double speed) {
  mj_resetData(m, d);
  for (int i = 0; i < m->nv; i++) {
    d->qvel[i] = (mjtNum)(reach * uniform_random(seed));
  }
  mj_integratePos(m, d->qpos, d->qvel, 1);
  for (int i = 0; i < m->nv; i++) {
    d->qvel[i] = (mjtNum)(speed * uniform_random(seed));
    d->qfrc_applied[i] = (mjtNum)uniform_random(seed);
    d->qacc_warmstart[i] = (mjtNum)uniform_random(seed);
  }
  for (int i = 0; i < m->na; i++) {
    d->act[i] = (mjtNum)uniform_random(seed);
  }
  for (int i = 0; i < m->nu; i++) {
    d->ctrl[i] = (mjtNum)uniform_random(seed);
  }
  for (int i = 0; i < 3 * m->nmocap; i++) {
    d->mocap_pos[i] += (mjtNum)(0.1 * reach * uniform_random(seed));
  }
  for (int i = 0; i < 4 * m->nmocap; i++) {
    d->mocap_quat[i] += (mjtNum)(0.1 * reach * uniform_random(seed));
  }
  for (int i = 6; i < 6 * m->nbody; i++) {
    d->xfrc_applied[i] = (mjtNum)uniform_random(seed);
  }
}
