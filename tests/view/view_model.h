// view_model.h: a model with every kind of camera and of body that may be pushed.

#pragma once

#define VIEW_MODEL(orthographic)                                                                 \
  "<mujoco><statistic extent='3' center='.1 .2 .3'/><visual><global fovy='40' ipd='.07' "        \
  "azimuth='30' elevation='-20' orthographic='" orthographic                                     \
  "'/><map znear='.02' zfar='30' stiffness='90' stiffnessrot='500'/></visual><worldbody><geom "  \
  "type='plane' size='1 1 1'/><camera name='plain' pos='1 2 3' euler='10 20 30' fovy='50' "      \
  "ipd='.1'/><camera name='chip' pos='1 -2 1' euler='60 0 10' sensorsize='.004 .003' "           \
  "focal='.006 .005' principal='.0003 -.0002' resolution='640 480'/><body name='free' pos='0 0 " \
  "1'><freejoint/><inertial pos='.1 .05 .02' quat='1 .1 .2 .3' mass='2' diaginertia='.1 .2 "     \
  ".25'/><geom size='.1'/><body name='arm' pos='.3 0 0'><joint/><geom type='capsule' size='.05 " \
  ".2'/><camera name='eye' mode='trackcom' pos='0 .2 .1'/></body></body><body name='fixed' "     \
  "pos='2 0 1'><joint axis='0 1 0'/><geom type='box' size='.1 .2 .3' pos='.1 .1 .1'/></body>"    \
  "<body name='mocap' mocap='true' pos='1 1 1' euler='30 0 0'><geom size='.1'/></body><body "    \
  "name='static' pos='-1 0 0'><geom size='.1'/></body></worldbody></mujoco>"
