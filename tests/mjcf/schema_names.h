// Names of the format's elements with their occurrence rule and attributes, as the reference's
// mj_printSchema prints them, and what later releases have added.

#pragma once

// clang-format off

typedef struct SchemaName_ {
  const char* path;        // from below the root
  char rule;
  const char* attributes;  // sorted
} SchemaName;

static const SchemaName schema_names[] = {
  {"", '!',
   "model"},
  {"compiler", '*',
   "alignfree angle assetdir autolimits balanceinertia boundinertia boundmass conflict"
   " coordinate dialect discardvisual eulerseq fitaabb fusestatic inertiafromgeom"
   " inertiagrouprange meshdir passthrough savecanonical savecompiled saveinertial settotalmass"
   " strippath texturedir usethread"},
  {"compiler/lengthrange", '?',
   "accel interval inttotal maxforce mode timeconst timestep tolrange useexisting uselimit"},
  {"option", '*',
   "actuatorgroupdisable ccd_iterations ccd_tolerance cone density gravity impratio integrator iterations"
   " jacobian ls_iterations ls_tolerance magnetic noslip_iterations noslip_tolerance o_friction o_margin"
   " o_solimp o_solref sdf_initpoints sdf_iterations sleep_tolerance solver timestep tolerance viscosity"
   " wind"},
  {"option/behaviour", '?',
   "actclamp actearly boxclip capsules compile dampratio fieldmargin flex gjkepa gyrofast insidecom jdotv"
   " marginband marginsum meshface meshsdf mocap multiccd pathdofs restacc rkmk servowrap shortcuts"
   " sidesite siteturn smalldrag solverexit tactile tendonload weldpose weldtorque"},
  {"option/flag", '?',
    "actuation autoreset clampctrl constraint contact damper diagexact energy equality eulerdamp"
    " filterparent frictionloss fwdinv gravity invdiscrete ipc island limit midphase multiccd"
    " nativeccd override refsafe sensor sleep speculative spring warmstart"},
  {"size", '*',
   "memory nconmax njmax nkey nstack nuser_actuator nuser_body nuser_cam nuser_geom nuser_jnt"
   " nuser_sensor nuser_site nuser_tendon nuserdata"},
  {"visual", '*',
   ""},
  {"visual/global", '?',
   "azimuth bvactive cameraid elevation ellipsoidinertia fovy glow ipd linewidth offheight offwidth"
   " orthographic realtime"},
  {"visual/quality", '?',
   "numquads numslices numstacks offsamples shadowsize"},
  {"visual/headlight", '?',
   "active ambient diffuse specular"},
  {"visual/map", '?',
   "actuatortendon alpha fogend fogstart force haze shadowclip shadowscale stiffness stiffnessrot torque"
   " zfar znear"},
  {"visual/scale", '?',
   "actuatorlength actuatorwidth camera com connect constraint contactheight contactwidth forcewidth"
   " framelength framewidth frustum jointlength jointwidth light selectpoint slidercrank"},
  {"visual/rgba", '?',
   "actuator actuatornegative actuatorpositive bv bvactive camera com connect constraint contactforce"
   " contactfriction contactgap contactpoint contacttorque crankbroken fog force frustum haze inertia"
   " joint light rangefinder selectpoint slidercrank"},
  {"statistic", '*',
   "center extent meaninertia meanmass meansize"},
  {"default", 'R',
   "class"},
  {"default/mesh", '?',
   "inertia maxhullvert scale"},
  {"default/texture", '?',
   "builtin colorspace embed gridlayout gridsize height hflip mark markrgb nchannel random rgb1"
   " rgb2 type vflip width"},
  {"default/material", '?',
   "emission metallic reflectance rgba roughness shininess specular texrepeat texture texuniform"},
  {"default/material/layer", '*',
   "role texture"},
  {"default/joint", '?',
   "actuatorfrclimited actuatorfrcrange actuatorgravcomp armature axis damping frictionloss group"
   " limited margin pos range ref solimpfriction solimplimit solreffriction solreflimit springdamper"
   " springref springyield stiffness type user"},
  {"default/geom", '?',
   "adhesion axisangle castshadow conaffinity condim contype density euler fitscale fluidcoef"
   " fluidshape friction fromto gap group hfield margin mass material mesh pos priority quat rgba"
   " shellinertia size solimp solmix solref surfacevel type user xyaxes zaxis"},
  {"default/site", '?',
   "axisangle euler fromto group material mesh pos quat rgba size type user xyaxes zaxis"},
  {"default/camera", '?',
   "axisangle euler focal focalpixel fovy ipd mode orthographic output pos principal principalpixel projection quat"
   " resolution sensorsize user xyaxes zaxis"},
  {"default/light", '?',
   "active ambient attenuation bulbradius castshadow cutoff diffuse dir directional exponent"
   " intensity mode pos range softness specular type"},
  {"default/pair", '?',
   "adhesion condim friction gap margin solimp solref solreffriction"},
  {"default/equality", '?',
   "active solimp solref"},
  {"default/tendon", '?',
   "actuatorfrclimited actuatorfrcrange armature damping frictionloss group limited margin material"
   " range rgba solimpfriction solimplimit solreffriction solreflimit springlength springyield"
   " stiffness user width"},
  {"default/general", '?',
   "actdim actearly actlimited actrange armature biasprm biastype cranklength ctrllimited"
   " ctrlrange damping delay dynprm dyntype ffrange forcelimited forcerange gainprm gaintype gear"
   " group inheritrange input interp nsample user velrange"},
  {"default/motor", '?',
   "armature cranklength ctrllimited ctrlrange damping delay forcelimited forcerange gear group interp"
   " nsample user"},
  {"default/position", '?',
   "armature cranklength ctrllimited ctrlrange damping dampratio delay forcelimited forcerange gear"
   " group inheritrange interp kp kv nsample timeconst user"},
  {"default/velocity", '?',
   "armature cranklength ctrllimited ctrlrange damping delay forcelimited forcerange gear group interp"
   " kv nsample user"},
  {"default/intvelocity", '?',
   "actlimited actrange armature cranklength ctrllimited ctrlrange damping dampratio delay forcelimited"
   " forcerange gear group inheritrange interp kp kv nsample user"},
  {"default/damper", '?',
   "armature cranklength ctrlrange damping delay forcelimited forcerange gear group interp kv nsample"
   " user"},
  {"default/cylinder", '?',
   "area armature bias cranklength ctrllimited ctrlrange damping delay diameter forcelimited forcerange"
   " gear group interp nsample timeconst user"},
  {"default/muscle", '?',
   "armature cranklength ctrllimited ctrlrange damping delay force forcelimited forcerange fpmax fvmax"
   " gear group interp lmax lmin nsample range scale timeconst user vmax"},
  {"default/adhesion", '?',
   "ctrlrange delay forcelimited forcerange gain group interp nsample user"},
  {"default/pid", '?',
   "armature cranklength ctrllimited ctrlrange damping dampratio delay ffrange forcelimited forcerange"
   " gear group imax inheritrange input interp ki kp kv nsample posrange slewmax user velrange"},
  {"default/orientation", '?',
   "ctrlrange dampratio delay forcelimited forcerange group input interp kp kv nsample user"},
  {"default/dcmotor", '?',
   "armature cogging controller cranklength ctrllimited ctrlrange damping delay gear group inductance"
   " input interp lugre motorconst nominal nsample resistance saturation thermal user"},
  {"extension", '*',
   ""},
  {"extension/plugin", '*',
   "plugin"},
  {"extension/plugin/instance", '*',
   "name"},
  {"extension/plugin/instance/config", '*',
   "key value"},
  {"custom", '*',
   ""},
  {"custom/numeric", '*',
   "data name size"},
  {"custom/text", '*',
   "data name"},
  {"custom/tuple", '*',
   "name"},
  {"custom/tuple/element", '*',
   "objname objtype prm"},
  {"asset", '*',
   ""},
  {"asset/mesh", '*',
   "builtin class content_type face file inertia material maxhullvert name normal params refpos refquat"
   " scale smoothnormal texcoord vertex"},
  {"asset/mesh/plugin", '*',
   "instance plugin"},
  {"asset/mesh/plugin/config", '*',
   "key value"},
  {"asset/hfield", '*',
   "content_type elevation file name ncol nrow size"},
  {"asset/skin", '*',
   "face file group inflate material name rgba texcoord vertex"},
  {"asset/skin/bone", '*',
   "bindpos bindquat body vertid vertweight"},
  {"asset/texture", '*',
   "builtin class colorspace content_type embed file fileback filedown filefront fileleft"
   " fileright fileup gridlayout gridsize height hflip mark markrgb name nchannel random rgb1"
   " rgb2 type vflip width"},
  {"asset/material", '*',
   "class emission metallic name reflectance rgba roughness shininess specular texrepeat texture"
   " texuniform"},
  {"asset/material/layer", '*',
   "role texture"},
  {"asset/model", '*',
   "content_type file name"},
  {"worldbody", 'R',
   "axisangle childclass euler fuse gravcomp mocap name pos quat simple sleep user xyaxes zaxis"},
  {"worldbody/inertial", '?',
   "axisangle diaginertia euler fullinertia mass pos quat xyaxes zaxis"},
  {"worldbody/joint", '*',
   "actuatorfrclimited actuatorfrcrange actuatorgravcomp armature axis class damping frictionloss"
   " group limited margin name pos range ref solimpfriction solimplimit solreffriction solreflimit"
   " springdamper springref springyield stiffness type user"},
  {"worldbody/freejoint", '*',
   "align group name"},
  {"worldbody/geom", '*',
   "adhesion axisangle castshadow class conaffinity condim contype density euler fitscale"
   " fluidcoef fluidshape friction fromto gap group hfield margin mass material mesh name pos"
   " priority quat rgba shellinertia size solimp solmix solref surfacevel type user xyaxes zaxis"},
  {"worldbody/geom/plugin", '*',
   "instance plugin"},
  {"worldbody/geom/plugin/config", '*',
   "key value"},
  {"worldbody/attach", '*',
   "body frame model prefix"},
  {"worldbody/site", '*',
   "axisangle class euler fromto group material mesh name pos quat rgba size type user xyaxes zaxis"},
  {"worldbody/camera", '*',
   "axisangle class euler focal focalpixel fovy ipd mode name orthographic output pos principal principalpixel"
   " projection quat resolution sensorsize target user xyaxes zaxis"},
  {"worldbody/light", '*',
   "active ambient attenuation bulbradius castshadow class cutoff diffuse dir directional"
   " exponent intensity mode name pos range softness specular target texture type"},
  {"worldbody/plugin", '*',
   "instance plugin"},
  {"worldbody/plugin/config", '*',
   "key value"},
  {"worldbody/composite", '*',
   "count curve initial offset prefix quat size type vertex"},
  {"worldbody/composite/joint", '*',
   "armature axis damping frictionloss group kind limited margin range solimpfix solimpfriction"
   " solimplimit solreffix solreffriction solreflimit stiffness type"},
  {"worldbody/composite/skin", '?',
   "group inflate material rgba subgrid texcoord"},
  {"worldbody/composite/geom", '?',
   "conaffinity condim contype density friction gap group margin mass material priority rgba size solimp"
   " solmix solref type"},
  {"worldbody/composite/site", '?',
   "group material rgba size"},
  {"worldbody/composite/plugin", '*',
   "instance plugin"},
  {"worldbody/composite/plugin/config", '*',
   "key value"},
  {"worldbody/flexcomp", '*',
   "axisangle cellcount count dim dof element euler file flatskin group inertiabox mass material mesh name origin point"
   " pos quat radius rgba rigid scale spacing texcoord type xyaxes zaxis"},
  {"worldbody/flexcomp/edge", '?',
   "damping equality solimp solref stiffness"},
  {"worldbody/flexcomp/elasticity", '?',
   "damping elastic2d poisson section sectionsize shear thickness yield young"},
  {"worldbody/flexcomp/contact", '?',
   "activelayers conaffinity condim contype friction gap internal margin passive priority selfcollide"
   " solimp solmix solref vertcollide"},
  {"worldbody/flexcomp/pin", '*',
   "grid gridrange id range"},
  {"worldbody/flexcomp/plugin", '*',
   "instance plugin"},
  {"worldbody/flexcomp/plugin/config", '*',
   "key value"},
  {"deformable", '*',
   ""},
  {"deformable/flex", '*',
   "body cellcount dim dof element elemtexcoord flatskin group material name node nodecoord radius rgba"
   " texcoord vertex"},
  {"deformable/flex/contact", '?',
   "activelayers conaffinity condim contype friction gap internal margin passive priority selfcollide"
   " solimp solmix solref vertcollide"},
  {"deformable/flex/edge", '?',
   "damping stiffness"},
  {"deformable/flex/elasticity", '?',
   "damping elastic2d poisson section sectionsize shear thickness yield young"},
  {"deformable/skin", '*',
   "face file group inflate material name rgba texcoord vertex"},
  {"deformable/skin/bone", '*',
   "bindpos bindquat body vertid vertweight"},
  {"contact", '*',
   ""},
  {"contact/pair", '*',
   "adhesion class condim friction gap geom1 geom2 margin name solimp solref solreffriction"},
  {"contact/exclude", '*',
   "body1 body2 name"},
  {"equality", '*',
   ""},
  {"equality/connect", '*',
   "active anchor body1 body2 class name site1 site2 solimp solref"},
  {"equality/weld", '*',
   "active anchor body1 body2 class name relpose site1 site2 solimp solref torquescale"},
  {"equality/joint", '*',
   "active class joint1 joint2 name polycoef solimp solref"},
  {"equality/tendon", '*',
   "active class name polycoef solimp solref tendon1 tendon2"},
  {"equality/flex", '*',
   "active class flex name solimp solref"},
  {"equality/flexstrain", '*',
   "active cell class flex name solimp solref"},
  {"tendon", '*',
   ""},
  {"tendon/spatial", '*',
   "actuatorfrclimited actuatorfrcrange armature class damping frictionloss group limited margin"
   " material name range rgba solimpfriction solimplimit solreffriction solreflimit springlength"
   " springyield stiffness user width"},
  {"tendon/spatial/site", '*',
   "site"},
  {"tendon/spatial/geom", '*',
   "geom sidesite"},
  {"tendon/spatial/pulley", '*',
   "divisor"},
  {"tendon/fixed", '*',
   "actuatorfrclimited actuatorfrcrange armature class damping frictionloss group limited margin"
   " name range solimpfriction solimplimit solreffriction solreflimit springlength springyield"
   " stiffness user"},
  {"tendon/fixed/joint", '*',
   "coef joint"},
  {"actuator", '*',
   ""},
  {"actuator/general", '*',
   "actdim actearly actlimited actrange armature biasprm biastype body class cranklength"
   " cranksite ctrllimited ctrlrange damping delay dynprm dyntype ffrange forcelimited forcerange"
   " gainprm gaintype gear group inheritrange input interp joint jointinparent lengthrange name"
   " nsample refsite site slidersite tendon user velrange"},
  {"actuator/motor", '*',
   "armature class cranklength cranksite ctrllimited ctrlrange damping delay forcelimited forcerange"
   " gear group interp joint jointinparent lengthrange name nsample refsite site slidersite tendon user"},
  {"actuator/position", '*',
   "armature class cranklength cranksite ctrllimited ctrlrange damping dampratio delay forcelimited"
   " forcerange gear group inheritrange interp joint jointinparent kp kv lengthrange name nsample"
   " refsite site slidersite tendon timeconst user"},
  {"actuator/velocity", '*',
   "armature class cranklength cranksite ctrllimited ctrlrange damping delay forcelimited forcerange"
   " gear group interp joint jointinparent kv lengthrange name nsample refsite site slidersite tendon"
   " user"},
  {"actuator/intvelocity", '*',
   "actlimited actrange armature class cranklength cranksite ctrllimited ctrlrange damping dampratio"
   " delay forcelimited forcerange gear group inheritrange interp joint jointinparent kp kv lengthrange"
   " name nsample refsite site slidersite tendon user"},
  {"actuator/damper", '*',
   "armature class cranklength cranksite ctrlrange damping delay forcelimited forcerange gear group"
   " interp joint jointinparent kv lengthrange name nsample refsite site slidersite tendon user"},
  {"actuator/cylinder", '*',
   "area armature bias class cranklength cranksite ctrllimited ctrlrange damping delay diameter"
   " forcelimited forcerange gear group interp joint jointinparent lengthrange name nsample refsite site"
   " slidersite tendon timeconst user"},
  {"actuator/muscle", '*',
   "armature class cranklength cranksite ctrllimited ctrlrange damping delay force forcelimited"
   " forcerange fpmax fvmax gear group interp joint jointinparent lengthrange lmax lmin name nsample"
   " range scale slidersite tausmooth tendon timeconst user vmax"},
  {"actuator/adhesion", '*',
   "body class ctrlrange delay forcelimited forcerange gain group interp name nsample user"},
  {"actuator/pid", '*',
   "armature class cranklength cranksite ctrllimited ctrlrange damping dampratio delay ffrange"
   " forcelimited forcerange gear group imax inheritrange input interp joint jointinparent ki kp kv"
   " lengthrange name nsample posrange refsite site slewmax slidersite tendon user velrange"},
  {"actuator/orientation", '*',
   "class ctrlrange dampratio delay forcelimited forcerange group input interp joint kp kv name nsample"
   " refsite site user"},
  {"actuator/dcmotor", '*',
   "armature class cogging controller cranklength cranksite ctrllimited ctrlrange damping delay gear"
   " group inductance input interp joint jointinparent lengthrange lugre motorconst name nominal nsample"
   " refsite resistance saturation site slidersite tendon thermal user"},
  {"actuator/plugin", '*',
   "actdim actearly actlimited actrange armature class cranklength cranksite ctrllimited ctrlrange"
   " damping delay dynprm dyntype forcelimited forcerange gear group instance interp joint jointinparent"
   " lengthrange name nsample plugin site slidersite tendon user"},
  {"actuator/plugin/config", '*',
   "key value"},
  {"sensor", '*',
   ""},
  {"sensor/touch", '*',
   "cutoff delay interp interval name noise nsample site user"},
  {"sensor/accelerometer", '*',
   "cutoff delay interp interval name noise nsample site user"},
  {"sensor/velocimeter", '*',
   "cutoff delay interp interval name noise nsample site user"},
  {"sensor/gyro", '*',
   "cutoff delay interp interval name noise nsample site user"},
  {"sensor/force", '*',
   "cutoff delay interp interval name noise nsample site user"},
  {"sensor/torque", '*',
   "cutoff delay interp interval name noise nsample site user"},
  {"sensor/magnetometer", '*',
   "cutoff delay interp interval name noise nsample site user"},
  {"sensor/camprojection", '*',
   "camera cutoff delay interp interval name noise nsample site user"},
  {"sensor/rangefinder", '*',
   "camera cutoff data delay interp interval name noise nsample site user"},
  {"sensor/jointpos", '*',
   "cutoff delay interp interval joint name noise nsample user"},
  {"sensor/jointvel", '*',
   "cutoff delay interp interval joint name noise nsample user"},
  {"sensor/tendonpos", '*',
   "cutoff delay interp interval name noise nsample tendon user"},
  {"sensor/tendonvel", '*',
   "cutoff delay interp interval name noise nsample tendon user"},
  {"sensor/actuatorpos", '*',
   "actuator cutoff delay interp interval name noise nsample user"},
  {"sensor/actuatorvel", '*',
   "actuator cutoff delay interp interval name noise nsample user"},
  {"sensor/actuatorfrc", '*',
   "actuator cutoff delay interp interval name noise nsample user"},
  {"sensor/jointactuatorfrc", '*',
   "cutoff delay interp interval joint name noise nsample user"},
  {"sensor/tendonactuatorfrc", '*',
   "cutoff delay interp interval name noise nsample tendon user"},
  {"sensor/ballquat", '*',
   "cutoff delay interp interval joint name noise nsample user"},
  {"sensor/ballangvel", '*',
   "cutoff delay interp interval joint name noise nsample user"},
  {"sensor/jointlimitpos", '*',
   "cutoff delay interp interval joint name noise nsample user"},
  {"sensor/jointlimitvel", '*',
   "cutoff delay interp interval joint name noise nsample user"},
  {"sensor/jointlimitfrc", '*',
   "cutoff delay interp interval joint name noise nsample user"},
  {"sensor/tendonlimitpos", '*',
   "cutoff delay interp interval name noise nsample tendon user"},
  {"sensor/tendonlimitvel", '*',
   "cutoff delay interp interval name noise nsample tendon user"},
  {"sensor/tendonlimitfrc", '*',
   "cutoff delay interp interval name noise nsample tendon user"},
  {"sensor/framepos", '*',
   "cutoff delay interp interval name noise nsample objname objtype refname reftype user"},
  {"sensor/framequat", '*',
   "cutoff delay interp interval name noise nsample objname objtype refname reftype user"},
  {"sensor/framexaxis", '*',
   "cutoff delay interp interval name noise nsample objname objtype refname reftype user"},
  {"sensor/frameyaxis", '*',
   "cutoff delay interp interval name noise nsample objname objtype refname reftype user"},
  {"sensor/framezaxis", '*',
   "cutoff delay interp interval name noise nsample objname objtype refname reftype user"},
  {"sensor/framelinvel", '*',
   "cutoff delay interp interval name noise nsample objname objtype refname reftype user"},
  {"sensor/frameangvel", '*',
   "cutoff delay interp interval name noise nsample objname objtype refname reftype user"},
  {"sensor/framelinacc", '*',
   "cutoff delay interp interval name noise nsample objname objtype user"},
  {"sensor/frameangacc", '*',
   "cutoff delay interp interval name noise nsample objname objtype user"},
  {"sensor/subtreecom", '*',
   "body cutoff delay interp interval name noise nsample user"},
  {"sensor/subtreelinvel", '*',
   "body cutoff delay interp interval name noise nsample user"},
  {"sensor/subtreeangmom", '*',
   "body cutoff delay interp interval name noise nsample user"},
  {"sensor/insidesite", '*',
   "cutoff delay enclosed interp interval name noise nsample objname objtype site user"},
  {"sensor/distance", '*',
   "body1 body2 cutoff delay geom1 geom2 interp interval name noise nsample user"},
  {"sensor/normal", '*',
   "body1 body2 cutoff delay geom1 geom2 interp interval name noise nsample user"},
  {"sensor/fromto", '*',
   "body1 body2 cutoff delay geom1 geom2 interp interval name noise nsample user"},
  {"sensor/contact", '*',
   "body1 body2 cutoff data delay geom1 geom2 interp interval name noise nsample num reduce site"
   " subtree1 subtree2 user"},
  {"sensor/e_potential", '*',
   "cutoff delay interp interval name noise nsample user"},
  {"sensor/e_kinetic", '*',
   "cutoff delay interp interval name noise nsample user"},
  {"sensor/clock", '*',
   "cutoff delay interp interval name noise nsample user"},
  {"sensor/user", '*',
   "cutoff datatype dim name needstage noise objname objtype user"},
  {"sensor/tactile", '*',
   "cutoff delay geom interp interval mesh name nsample user"},
  {"sensor/plugin", '*',
   "cutoff instance name objname objtype plugin refname reftype user"},
  {"sensor/plugin/config", '*',
   "key value"},
  {"keyframe", '*',
   ""},
  {"keyframe/key", '*',
   "act ctrl mpos mquat name plastic qpos qvel time"},
};

// clang-format on
