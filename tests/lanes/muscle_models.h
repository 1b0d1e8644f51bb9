// muscle_models.h: models of tendons in space, muscles and actuators of all transmissions.

#pragma once

// An arm on a free base beside a pendulum: strings around spheres and cylinders, outside and
// inside, over pulleys and from tree to tree, with springs, dampers, limits, friction and a tie;
// muscles and other actuators on them, on a ball and a free joint, on sites, and as cranks.
#define LANE_ARM(option)                                                                         \
  "<mujoco><option tolerance='0' " option                                                        \
  "/><default><geom contype='0' conaffinity='0'/></default>"                                     \
  "<worldbody><site name='w0' pos='.1 .1 1.4'/><site name='w1' pos='-.2 .3 1.2'/>"               \
  "<body name='base' pos='0 0 1'><freejoint name='free'/><geom type='box' size='.15 .1 .1'/>"    \
  "<site name='b0' pos='.15 0 .05'/><site name='b1' pos='.1 .08 .1'/><site name='b2'"            \
  " pos='-.1 0 .1' euler='10 20 30'/>"                                                           \
  "<body name='upper' pos='.2 0 0'><joint name='ball' type='ball' damping='.2' limited='true'"   \
  " range='0 70'/><geom name='shoulder' size='.06'/><geom type='capsule' size='.03'"             \
  " fromto='0 0 0 .3 0 0'/><site name='u0' pos='.1 .05 .02'/><site name='u1' pos='.2 0 .05'/>"   \
  "<site name='us' pos='0 .1 0'/><geom name='elbow' type='cylinder' size='.04 .05' pos='.3 0 0'" \
  " euler='90 0 10'/><site name='es' pos='.3 .01 .01'/><site name='eo' pos='.36 0 .03'/>"        \
  "<geom name='ring' type='cylinder' size='.05 .05' pos='.15 0 0' euler='0 90 0'/>"              \
  "<site name='rs' pos='.15 .01 0'/><geom name='bead' size='.03' pos='.22 .02 .02'/>"            \
  "<site name='bs' pos='.22 .03 .02'/>"                                                          \
  "<body name='lower' pos='.3 0 0'><joint name='hinge' axis='0 1 .1' damping='.1'/>"             \
  "<geom type='capsule' size='.025' fromto='0 0 0 .25 0 0'/><site name='l0' pos='.1 0 .05'/>"    \
  "<site name='l1' pos='.2 .03 0' euler='40 0 10'/><body name='hand' pos='.25 0 0'>"             \
  "<joint name='slide' type='slide' axis='1 0 .2' stiffness='200' damping='3'/>"                 \
  "<geom size='.05' mass='.3'/><site name='h0' pos='0 .05 .03' euler='0 30 0'/></body></body>"   \
  "</body></body>"                                                                               \
  "<body name='p' pos='-.3 .2 1.1'><joint name='p1' axis='1 0 0' damping='.1'/><geom"            \
  " type='capsule' size='.03' fromto='0 0 0 0 0 -.3'/><site name='p0' pos='.03 0 -.1'/>"         \
  "<site name='pe' pos='0 .04 -.3'/></body></worldbody><tendon>"                                 \
  "<spatial name='straight' stiffness='30' damping='2' springlength='.2 .25' armature='.3'>"     \
  "<site site='b0'/><site site='u0'/><site site='u1'/><site site='l0'/></spatial>"               \
  "<spatial name='sphere' range='.1 .3' limited='true' margin='.05' frictionloss='.2'>"          \
  "<site site='b1'/><geom geom='shoulder'/><site site='u0'/></spatial>"                          \
  "<spatial name='sided' stiffness='20'><site site='b2'/><geom geom='shoulder' sidesite='us'/>"  \
  "<site site='u1'/><geom geom='elbow' sidesite='eo'/><site site='l1'/></spatial>"               \
  "<spatial name='inside' damping='1'><site site='b1'/><geom geom='ring' sidesite='rs'/>"        \
  "<site site='l0'/><geom geom='bead' sidesite='bs'/><site site='h0'/></spatial>"                \
  "<spatial name='pulley'><site site='w0'/><site site='b0'/><pulley divisor='2'/><site "         \
  "site='b1'/>"                                                                                  \
  "<site site='u1'/><geom geom='elbow'/><site site='l1'/><pulley divisor='3'/><site site='w1'/>" \
  "<geom geom='elbow' sidesite='es'/><site site='pe'/></spatial>"                                \
  "<spatial name='across' range='0 .9' limited='true' damping='.5' armature='.1'><site "         \
  "site='p0'/>"                                                                                  \
  "<site site='w1'/><site site='b2'/></spatial>"                                                 \
  "<spatial name='rigid'><site site='b0'/><site site='b1'/><site site='b2'/></spatial>"          \
  "<fixed name='fixed' armature='.2'><joint joint='hinge' coef='.5'/><joint joint='slide'"       \
  " coef='2'/><joint joint='p1' coef='.3'/></fixed></tendon><equality>"                          \
  "<tendon tendon1='across' tendon2='straight' polycoef='.1 .5 .2 0 0'/>"                        \
  "<tendon tendon1='fixed' tendon2='pulley' polycoef='0 .3 0 .1 0'/>"                            \
  "<tendon tendon1='sided' polycoef='.05 0 0 0 0' active='false'/></equality><actuator>"         \
  "<muscle name='m0' tendon='sphere' lengthrange='.1 .3' force='40'/>"                           \
  "<muscle name='m1' tendon='sided' lengthrange='.3 .6' timeconst='.02 .06' tausmooth='.3'"      \
  " gear='-1.3' range='.6 1.2' ctrllimited='true' ctrlrange='-.2 .9'/>"                          \
  "<muscle name='m2' tendon='inside' lengthrange='.3 .8' scale='100' lmin='.4' lmax='1.7'/>"     \
  "<muscle name='m3' joint='hinge' lengthrange='-1 1' force='3' vmax='2' fpmax='1.5'/>"          \
  "<general name='g0' tendon='pulley' gear='2' gaintype='affine' gainprm='1 .5 -.4'"             \
  " biastype='affine' biasprm='0 -3 -.5' forcerange='-2 2' forcelimited='true'/>"                \
  "<general name='g1' tendon='straight' dyntype='muscle' dynprm='.03 .05 .1' gainprm='.75 1.05 " \
  "20 200 .5 1.6 1.5 1.3 1.2'"                                                                   \
  " actearly='true' gaintype='muscle' lengthrange='.2 .5'/>"                                     \
  "<general name='g2' tendon='straight' gear='-.5' dyntype='filterexact' dynprm='.1' "           \
  "gainprm='9'/>"                                                                                \
  "<position name='turn' joint='ball' gear='.3 1 .2' kp='4' kv='.2'/>"                           \
  "<general name='torn' jointinparent='ball' gear='1 -.5 .2' biastype='affine' gainprm='2'"      \
  " biasprm='0 -1 -.1'/><motor joint='free' gear='1 0 2 .1 .2 .3'/>"                             \
  "<motor jointinparent='free' gear='.3 .1 0 1 .2 -.3'/>"                                        \
  "<general site='h0' gear='1 .2 .3 .01 .02 .1' biastype='affine' gainprm='2' biasprm='.1 0 "    \
  "-.2'/>"                                                                                       \
  "<general site='l1' refsite='b2' gear='.5 .2 .3 .1 -.2 .4' biastype='affine' gainprm='3'"      \
  " biasprm='0 -4 -.3'/><general site='u1' refsite='w1' gear='0 0 0 1 0 0' biastype='affine'"    \
  " gainprm='3' biasprm='0 -2 -.3'/><general cranksite='p0' slidersite='b2' cranklength='.6'"    \
  " gear='1.5' biastype='affine' gainprm='3' biasprm='0 -5 -.4'/><general cranksite='h0'"        \
  " slidersite='u0' cranklength='.02' biastype='affine' gainprm='3' biasprm='0 -5 -.4'/>"        \
  "</actuator><sensor><tendonpos tendon='inside'/><tendonvel tendon='inside'/><tendonpos"        \
  " tendon='rigid'/><tendonvel tendon='pulley'/><tendonactuatorfrc tendon='straight'/>"          \
  "<actuatorpos actuator='m1'/><actuatorvel actuator='g0'/><actuatorfrc actuator='m2'/>"         \
  "<actuatorpos actuator='turn'/></sensor></mujoco>"

// A climber: feet that stick to a floor and to a ball, some within their gap, and a range of the
// force of a tendon that two actuators pull.
#define LANE_CLIMBER(option)                                                                       \
  "<mujoco><option tolerance='0' " option                                                          \
  "/><default><geom margin='.02' gap='.01'/></default>"                                            \
  "<worldbody><geom type='plane' size='2 2 1'/><geom size='.1' pos='.5 0 .1'/>"                    \
  "<body name='trunk' pos='0 0 .16'><freejoint/><geom type='capsule' size='.05 .1'"                \
  " euler='0 90 0' contype='0' conaffinity='0'/><site name='t' pos='.1 0 .05'/>"                   \
  "<body name='left' pos='.1 .05 0'><joint name='l' axis='0 1 0' damping='.1'/><geom"              \
  " type='capsule' size='.03' fromto='0 0 0 0 0 -.12'/><site name='a' pos='.03 0 -.05'/></body>"   \
  "<body name='right' pos='.1 -.05 0'><joint name='r' axis='0 1 .2' damping='.1'/><geom"           \
  " size='.04' pos='0 0 -.115'/><geom size='.03' pos='.05 0 -.12'/><site name='b' pos='.03 0 "     \
  "-.05'/>"                                                                                        \
  "</body></body>"                                                                                 \
  "<body name='ball' pos='.3 0 .1'><freejoint/><geom size='.1' mass='.2'/></body></worldbody>"     \
  "<tendon><spatial name='s' actuatorfrclimited='true' actuatorfrcrange='-.3 .2'><site site='t'/>" \
  "<site site='a'/></spatial><spatial name='u' actuatorfrclimited='true' actuatorfrcrange='0 9'>"  \
  "<site site='t'/><site site='b'/></spatial></tendon><actuator>"                                  \
  "<adhesion body='left' ctrlrange='0 1' gain='5'/><adhesion body='right' ctrlrange='0 1' "        \
  "gain='8'/>"                                                                                     \
  "<adhesion body='trunk' ctrlrange='0 1' gain='2'/><adhesion body='ball' ctrlrange='0 1' "        \
  "gain='1'/>"                                                                                     \
  "<motor tendon='s' gear='.5'/><position tendon='s' kp='20'/><motor "                             \
  "tendon='u'/></actuator></mujoco>"
