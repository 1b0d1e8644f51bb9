// model_table.h: every size, option and array of mjModel, written once.
//
// A field is one line here. From these tables come the declarations of mjOption and mjModel, the
// lists of mjxmacro.h, allocation, copying, comparing and the reflection API. A list takes the
// macros to apply to its lines:
//
//   SIZE(type, name, meaning)                     a count
//   SCALAR(type, name, meaning)                   a setting
//   VECTOR(name, length, meaning)                 a setting of several mjtNum
//   ARRAY(type, name, rows, columns, meaning)     an array in the model's buffer, row-major
//   HEAVY(type, name, rows, columns, meaning)     an ARRAY that drawing does not need
//
// rows is the name of a size, columns an expression in which MJ_M(n) stands for the size n (see
// mjxmacro.h). The private lists at the end hold the fields that only Condyle has. They are
// declared, allocated and copied like the rest, but are not in mjxmacro.h. A new private field is
// one line there; its name begins with cnd_.

#ifndef CONDYLE_MODEL_TABLE_H_
#define CONDYLE_MODEL_TABLE_H_

// clang-format off

// counts, in the order in which a binary model stores them; nbuffer is last
#define CND_MODEL_SIZES(SIZE) \
  SIZE(int, nq, "coordinates of the configuration, length of qpos (a quaternion counts four)") \
  SIZE(int, nv, "degrees of freedom, length of qvel and of every generalized force") \
  SIZE(int, nu, "actuators, length of ctrl") \
  SIZE(int, na, "activation states of all actuators with internal dynamics, length of act") \
  SIZE(int, nbody, "bodies, the world (body 0) included") \
  SIZE(int, nbvh, "nodes of all bounding volume trees: bodies, meshes and flexes together") \
  SIZE(int, nbvhstatic, \
        "tree nodes whose boxes never change in their own frame; they come first among nbvh") \
  SIZE(int, nbvhdynamic, \
        "tree nodes whose boxes follow deforming elements; their boxes are in mjData") \
  SIZE(int, noct, "cells of the octrees of all meshes used as signed distance fields") \
  SIZE(int, njnt, "joints") \
  SIZE(int, ntree, "kinematic trees: moving children of the world, each with its subtree") \
  SIZE(int, nM, "entries of qM, the inertia matrix with one entry per dof and ancestor dof") \
  SIZE(int, nB, \
        "entries of the body-to-dof pattern: for each body the dofs above and below it") \
  SIZE(int, nC, \
        "entries of M: lower triangle of the inertia matrix in compressed rows") \
  SIZE(int, nD, "entries of the full dof-to-dof pattern, both triangles") \
  SIZE(int, ngeom, "geoms") \
  SIZE(int, nsite, "sites") \
  SIZE(int, ncam, "cameras") \
  SIZE(int, nlight, "lights") \
  SIZE(int, nflex, "flexes (deformable objects)") \
  SIZE(int, nflexnode, "interpolation nodes of all flexes") \
  SIZE(int, nflexvert, "vertices of all flexes") \
  SIZE(int, nflexedge, "edges of all flexes") \
  SIZE(int, nflexelem, "elements (segments, triangles or tetrahedra) of all flexes") \
  SIZE(int, nflexelemdata, "vertex ids of all flex elements together") \
  SIZE(int, nflexelemedge, "edge ids of all flex elements together") \
  SIZE(int, nflexshelldata, "vertex ids of all boundary fragments of flexes") \
  SIZE(int, nflexevpair, "element and vertex pairs checked for flex self-collision") \
  SIZE(int, nflextexcoord, "texture coordinate pairs of all flexes") \
  SIZE(int, nmesh, "meshes") \
  SIZE(int, nmeshvert, "vertices of all meshes") \
  SIZE(int, nmeshnormal, "normals of all meshes") \
  SIZE(int, nmeshtexcoord, "texture coordinate pairs of all meshes") \
  SIZE(int, nmeshface, "triangles of all meshes") \
  SIZE(int, nmeshgraph, "integers of all convex hull descriptions") \
  SIZE(int, nmeshpoly, "flat polygons into which the hulls of all meshes are merged") \
  SIZE(int, nmeshpolyvert, "vertex ids of all hull polygons together") \
  SIZE(int, nmeshpolymap, "polygon ids of the vertex-to-polygon map of all meshes") \
  SIZE(int, nskin, "skins") \
  SIZE(int, nskinvert, "vertices of all skins") \
  SIZE(int, nskintexvert, "skin vertices with a texture coordinate") \
  SIZE(int, nskinface, "triangles of all skins") \
  SIZE(int, nskinbone, "bones of all skins") \
  SIZE(int, nskinbonevert, "weighted vertices of all bones together") \
  SIZE(int, nhfield, "height fields") \
  SIZE(int, nhfielddata, "samples of all height fields") \
  SIZE(int, ntex, "textures") \
  SIZE(int, ntexdata, "bytes of all texture images") \
  SIZE(int, nmat, "materials") \
  SIZE(int, npair, "geom pairs listed explicitly for collision") \
  SIZE(int, nexclude, "body pairs excluded from collision") \
  SIZE(int, neq, "equality constraints") \
  SIZE(int, ntendon, "tendons") \
  SIZE(int, nwrap, "path items (sites, geoms, joints, pulleys) of all tendons") \
  SIZE(int, nsensor, "sensors") \
  SIZE(int, nnumeric, "named custom number arrays") \
  SIZE(int, nnumericdata, "numbers in all custom arrays") \
  SIZE(int, ntext, "named custom texts") \
  SIZE(int, ntextdata, "bytes of all custom texts, terminators included") \
  SIZE(int, ntuple, "named custom tuples") \
  SIZE(int, ntupledata, "members of all custom tuples") \
  SIZE(int, nkey, "keyframes") \
  SIZE(int, nmocap, "mocap bodies, placed by mocap_pos and mocap_quat instead of joints") \
  SIZE(int, nplugin, "plugin instances") \
  SIZE(int, npluginattr, "bytes of all plugin configuration strings") \
  SIZE(int, nuser_body, "user numbers per body") \
  SIZE(int, nuser_jnt, "user numbers per joint") \
  SIZE(int, nuser_geom, "user numbers per geom") \
  SIZE(int, nuser_site, "user numbers per site") \
  SIZE(int, nuser_cam, "user numbers per camera") \
  SIZE(int, nuser_tendon, "user numbers per tendon") \
  SIZE(int, nuser_actuator, "user numbers per actuator") \
  SIZE(int, nuser_sensor, "user numbers per sensor") \
  SIZE(int, nnames, "bytes of all names, terminators included") \
  SIZE(int, npaths, "bytes of all asset paths, terminators included") \
  SIZE(int, nnames_map, "slots of the hash tables from names to ids") \
  SIZE(int, nJmom, "entries reserved for the sparse actuator moment matrix") \
  SIZE(int, ngravcomp, "bodies with gravity compensation") \
  SIZE(int, nemax, "rows that all equality constraints can produce at most") \
  SIZE(int, njmax, \
        "constraint rows asked for in the model, -1 if unspecified; only sizes the arena") \
  SIZE(int, nconmax, "contacts asked for in the model, -1 if unspecified; only sizes the arena") \
  SIZE(int, nuserdata, "user numbers in mjData.userdata") \
  SIZE(int, nsensordata, "numbers in mjData.sensordata, the outputs of all sensors") \
  SIZE(int, npluginstate, "state numbers of all plugin instances") \
  SIZE(mjtSize, narena, "bytes of the arena of each mjData, stack included") \
  SIZE(mjtSize, nbuffer, "bytes of the buffer that holds every array of the model")

// options: time step and tolerances
#define CND_OPTION_TOLERANCES(SCALAR) \
  SCALAR(mjtNum, timestep, "duration of one step, s") \
  SCALAR(mjtNum, impratio, \
        "how much harder friction is than the normal of a contact: ratio of their impedances " \
        "in elliptic cones") \
  SCALAR(mjtNum, tolerance, \
        "main solver stops when scaled improvement and gradient fall below it; 0 runs all " \
        "iterations") \
  SCALAR(mjtNum, ls_tolerance, \
        "line search of CG and Newton stops at this fraction of the initial slope") \
  SCALAR(mjtNum, noslip_tolerance, \
        "no-slip pass stops when its scaled improvement falls below it") \
  SCALAR(mjtNum, ccd_tolerance, "accuracy of the general convex collision, m")

// options: fields that fill the world
#define CND_OPTION_FIELDS(VECTOR) \
  VECTOR(gravity, 3, "gravitational acceleration, world frame, m/s^2") \
  VECTOR(wind, 3, "velocity of the medium, world frame, m/s") \
  VECTOR(magnetic, 3, "magnetic flux seen by magnetometers, world frame")

// options: medium, and the first of the contact overrides
#define CND_OPTION_MEDIUM(SCALAR) \
  SCALAR(mjtNum, density, \
        "density of the medium around the bodies, kg/m^3; 0 is vacuum for lift and drag") \
  SCALAR(mjtNum, viscosity, "dynamic viscosity of the medium, Pa s") \
  SCALAR(mjtNum, o_margin, "contact margin under mjENBL_OVERRIDE, m")

// options: the other contact overrides
#define CND_OPTION_OVERRIDES(VECTOR) \
  VECTOR(o_solref, mjNREF, "contact solref under mjENBL_OVERRIDE") \
  VECTOR(o_solimp, mjNIMP, "contact solimp under mjENBL_OVERRIDE") \
  VECTOR(o_friction, 5, "contact friction under mjENBL_OVERRIDE: two tangents, spin, two rolls")

// options: choices, iteration bounds and flags
#define CND_OPTION_INTS(SCALAR) \
  SCALAR(int, integrator, "how a step is integrated (mjtIntegrator)") \
  SCALAR(int, cone, "shape of the friction cones (mjtCone)") \
  SCALAR(int, jacobian, "dense or sparse constraint Jacobian (mjtJacobian)") \
  SCALAR(int, solver, "constraint solver (mjtSolver)") \
  SCALAR(int, iterations, "most iterations of the main solver") \
  SCALAR(int, ls_iterations, "most evaluations in one line search of CG or Newton") \
  SCALAR(int, noslip_iterations, \
        "iterations of the no-slip pass after the main solver; 0 leaves it out") \
  SCALAR(int, ccd_iterations, "most iterations of the general convex collision") \
  SCALAR(int, disableflags, "default features switched off, bits of mjtDisableBit") \
  SCALAR(int, enableflags, "optional features switched on, bits of mjtEnableBit") \
  SCALAR(int, disableactuator, "actuator groups switched off, one bit for each group 0 to 30") \
  SCALAR(int, sdf_initpoints, \
        "starting points per pair in the search for contacts of signed distance fields") \
  SCALAR(int, sdf_iterations, "descent steps from each starting point of a signed distance field")

// reference configurations
#define CND_MODEL_QPOS0(ARRAY, HEAVY) \
  ARRAY(mjtNum, qpos0, nq, 1, \
        "configuration in which the model was written, the start after a reset") \
  ARRAY(mjtNum, qpos_spring, nq, 1, "configuration at which joint springs are at rest")

// bodies
#define CND_MODEL_BODY(ARRAY, HEAVY) \
  ARRAY(int, body_parentid, nbody, 1, \
        "parent of the body, smaller than its own id; 0 for the world itself") \
  ARRAY(int, body_rootid, nbody, 1, \
        "ancestor that is a direct child of the world, or the body itself") \
  ARRAY(int, body_weldid, nbody, 1, \
        "nearest ancestor-or-self that has joints; 0 if the body is fixed to the world") \
  ARRAY(int, body_mocapid, nbody, 1, "row in mocap_pos and mocap_quat; -1 if not a mocap body") \
  ARRAY(int, body_jntnum, nbody, 1, "how many joints move the body relative to its parent") \
  ARRAY(int, body_jntadr, nbody, 1, "first joint of the body; -1 if none") \
  ARRAY(int, body_dofnum, nbody, 1, "how many degrees of freedom its joints have") \
  ARRAY(int, body_dofadr, nbody, 1, "first dof of the body; -1 if none") \
  ARRAY(int, body_treeid, nbody, 1, \
        "kinematic tree to which the body belongs; -1 if it can't move") \
  ARRAY(int, body_geomnum, nbody, 1, "how many geoms are attached") \
  ARRAY(int, body_geomadr, nbody, 1, "first geom of the body; -1 if none") \
  ARRAY(mjtByte, body_simple, nbody, 1, \
        "1 if its rows of the inertia matrix are diagonal, 2 if moreover all its joints are " \
        "slides, else 0") \
  ARRAY(mjtByte, body_sameframe, nbody, 1, \
        "where the inertial frame coincides with the body frame (mjtSameFrame)") \
  ARRAY(mjtNum, body_pos, nbody, 3, "origin of the body frame in the parent's frame at qpos0, m") \
  ARRAY(mjtNum, body_quat, nbody, 4, \
        "orientation of the body frame in the parent's frame at qpos0") \
  ARRAY(mjtNum, body_ipos, nbody, 3, "center of mass in the body frame, m") \
  ARRAY(mjtNum, body_iquat, nbody, 4, "principal axes of inertia in the body frame") \
  ARRAY(mjtNum, body_mass, nbody, 1, "mass, kg") \
  ARRAY(mjtNum, body_subtreemass, nbody, 1, "mass of the body and all its descendants, kg") \
  ARRAY(mjtNum, body_inertia, nbody, 3, \
        "principal moments of inertia about the center of mass, in the axes of body_iquat, kg " \
        "m^2") \
  ARRAY(mjtNum, body_invweight0, nbody, 2, \
        "mean inverse inertia felt at the center of mass at qpos0: translation 1/kg, rotation " \
        "1/(kg m^2)") \
  ARRAY(mjtNum, body_gravcomp, nbody, 1, \
        "share of its own weight that is compensated; 1 makes the body float") \
  ARRAY(mjtNum, body_margin, nbody, 1, "largest contact margin of its geoms, m") \
  ARRAY(mjtNum, body_user, nbody, MJ_M(nuser_body), "user numbers") \
  ARRAY(int, body_plugin, nbody, 1, "plugin instance acting on the body; -1 if none") \
  ARRAY(int, body_contype, nbody, 1, "union of the contype bits of its geoms") \
  ARRAY(int, body_conaffinity, nbody, 1, "union of the conaffinity bits of its geoms") \
  ARRAY(int, body_bvhadr, nbody, 1, "root of its bounding volume tree; -1 if it has no geoms") \
  ARRAY(int, body_bvhnum, nbody, 1, "nodes in its bounding volume tree")

// bounding volume trees and octrees
#define CND_MODEL_TREES(ARRAY, HEAVY) \
  ARRAY(int, bvh_depth, nbvh, 1, "distance of the node from the root of its tree") \
  ARRAY(int, bvh_child, nbvh, 2, \
        "the two children, counted from the root of the same tree; -1 if none") \
  ARRAY(int, bvh_nodeid, nbvh, 1, "geom, mesh face or flex element of a leaf; -1 for inner nodes") \
  ARRAY(mjtNum, bvh_aabb, nbvhstatic, 6, \
        "center and half sizes of the box in the frame of body, mesh or flex, m") \
  ARRAY(int, oct_depth, noct, 1, "distance of the cell from the root of its octree") \
  ARRAY(int, oct_child, noct, 8, "the eight subcells; -1 if none") \
  ARRAY(mjtNum, oct_aabb, noct, 6, "center and half sizes of the cell in the mesh frame, m") \
  ARRAY(mjtNum, oct_coeff, noct, 8, "signed distances at the eight corners of the cell, m")

// joints
#define CND_MODEL_JOINT(ARRAY, HEAVY) \
  ARRAY(int, jnt_type, njnt, 1, "kind of joint (mjtJoint)") \
  ARRAY(int, jnt_qposadr, njnt, 1, "first coordinate of the joint in qpos") \
  ARRAY(int, jnt_dofadr, njnt, 1, "first dof of the joint in qvel") \
  ARRAY(int, jnt_bodyid, njnt, 1, "body that the joint moves") \
  ARRAY(int, jnt_group, njnt, 1, "group by which viewers show or hide it") \
  ARRAY(mjtByte, jnt_limited, njnt, 1, "1 if the range is enforced") \
  ARRAY(mjtByte, jnt_actfrclimited, njnt, 1, \
        "1 if the total actuator force on the joint is clamped") \
  ARRAY(mjtByte, jnt_actgravcomp, njnt, 1, \
        "1 if gravity compensation counts as actuator force here instead of passive force") \
  ARRAY(mjtNum, jnt_solref, njnt, mjNREF, \
        "solver reference of the limit: time constant and damping ratio, or negative stiffness " \
        "and damping") \
  ARRAY(mjtNum, jnt_solimp, njnt, mjNIMP, "solver impedance of the limit") \
  ARRAY(mjtNum, jnt_pos, njnt, 3, "anchor in the body frame, m") \
  ARRAY(mjtNum, jnt_axis, njnt, 3, "unit axis in the body frame; unused by free and ball joints") \
  ARRAY(mjtNum, jnt_stiffness, njnt, 1, "spring stiffness, N/m or N m/rad") \
  ARRAY(mjtNum, jnt_range, njnt, 2, \
        "lower and upper limit, m or rad; for a ball the second is the largest angle") \
  ARRAY(mjtNum, jnt_actfrcrange, njnt, 2, \
        "lower and upper bound of the total actuator force, N or N m") \
  ARRAY(mjtNum, jnt_margin, njnt, 1, \
        "distance to the limit at which its constraint appears, m or rad") \
  ARRAY(mjtNum, jnt_user, njnt, MJ_M(nuser_jnt), "user numbers")

// degrees of freedom
#define CND_MODEL_DOF(ARRAY, HEAVY) \
  ARRAY(int, dof_bodyid, nv, 1, "body that the dof moves") \
  ARRAY(int, dof_jntid, nv, 1, "joint to which the dof belongs") \
  ARRAY(int, dof_parentid, nv, 1, "previous dof on the way to the root; -1 if none") \
  ARRAY(int, dof_treeid, nv, 1, "kinematic tree of the dof") \
  ARRAY(int, dof_Madr, nv, 1, "where the diagonal entry of the dof stands in qM") \
  ARRAY(int, dof_simplenum, nv, 1, \
        "length of the run of simple dofs beginning here; 0 if the dof is not simple") \
  ARRAY(mjtNum, dof_solref, nv, mjNREF, "solver reference of its friction loss") \
  ARRAY(mjtNum, dof_solimp, nv, mjNIMP, "solver impedance of its friction loss") \
  ARRAY(mjtNum, dof_frictionloss, nv, 1, "dry friction, N or N m") \
  ARRAY(mjtNum, dof_armature, nv, 1, \
        "inertia added to the diagonal, from rotors for instance, kg or kg m^2") \
  ARRAY(mjtNum, dof_damping, nv, 1, "viscous damping, N s/m or N m s/rad") \
  ARRAY(mjtNum, dof_invweight0, nv, 1, \
        "diagonal entry of the inverse inertia matrix at qpos0, averaged over the dofs of ball " \
        "and free parts") \
  ARRAY(mjtNum, dof_M0, nv, 1, "diagonal entry of the inertia matrix at qpos0")

// geoms
#define CND_MODEL_GEOM(ARRAY, HEAVY) \
  ARRAY(int, geom_type, ngeom, 1, "shape (mjtGeom)") \
  ARRAY(int, geom_contype, ngeom, 1, \
        "bits that the partner's conaffinity must match for a collision") \
  ARRAY(int, geom_conaffinity, ngeom, 1, \
        "bits that the partner's contype must match for a collision") \
  ARRAY(int, geom_condim, ngeom, 1, \
        "dimension of its contacts: 1 normal only, 3 sliding, 4 spinning, 6 rolling friction") \
  ARRAY(int, geom_bodyid, ngeom, 1, "body that carries the geom") \
  ARRAY(int, geom_dataid, ngeom, 1, "mesh or height field that gives the shape; -1 if none") \
  ARRAY(int, geom_matid, ngeom, 1, "material; -1 if none") \
  ARRAY(int, geom_group, ngeom, 1, \
        "group by which viewers, rays and inertia inference select geoms") \
  ARRAY(int, geom_priority, ngeom, 1, \
        "of two touching geoms the one with higher priority decides the contact parameters") \
  ARRAY(int, geom_plugin, ngeom, 1, "plugin instance that defines the shape; -1 if none") \
  ARRAY(mjtByte, geom_sameframe, ngeom, 1, \
        "where its frame coincides with the body's (mjtSameFrame)") \
  ARRAY(mjtNum, geom_solmix, ngeom, 1, \
        "weight of its solref and solimp when mixed with the partner's") \
  ARRAY(mjtNum, geom_solref, ngeom, mjNREF, "solver reference of its contacts") \
  ARRAY(mjtNum, geom_solimp, ngeom, mjNIMP, "solver impedance of its contacts") \
  ARRAY(mjtNum, geom_size, ngeom, 3, \
        "size numbers of the shape: radius, half length or half sizes, m") \
  ARRAY(mjtNum, geom_aabb, ngeom, 6, "center and half sizes of its box in the geom frame, m") \
  ARRAY(mjtNum, geom_rbound, ngeom, 1, \
        "radius of the bounding sphere about the geom's center, m; 0 for planes") \
  ARRAY(mjtNum, geom_pos, ngeom, 3, "center in the body frame, m") \
  ARRAY(mjtNum, geom_quat, ngeom, 4, "orientation in the body frame") \
  ARRAY(mjtNum, geom_friction, ngeom, 3, \
        "friction coefficients: sliding, spinning (m), rolling (m)") \
  ARRAY(mjtNum, geom_margin, ngeom, 1, "distance below which a contact is detected, m") \
  ARRAY(mjtNum, geom_gap, ngeom, 1, \
        "a contact takes part in the dynamics below margin minus gap, m") \
  HEAVY(mjtNum, geom_fluid, ngeom, mjNFLUID, \
        "coefficients of the ellipsoid fluid model; the first is 0 if unused") \
  ARRAY(mjtNum, geom_user, ngeom, MJ_M(nuser_geom), "user numbers") \
  ARRAY(float, geom_rgba, ngeom, 4, "color and opacity when no material gives them")

// sites
#define CND_MODEL_SITE(ARRAY, HEAVY) \
  ARRAY(int, site_type, nsite, 1, "shape for drawing and for zones of touch sensors (mjtGeom)") \
  ARRAY(int, site_bodyid, nsite, 1, "body that carries the site") \
  ARRAY(int, site_matid, nsite, 1, "material; -1 if none") \
  ARRAY(int, site_group, nsite, 1, "group by which viewers show or hide it") \
  ARRAY(mjtByte, site_sameframe, nsite, 1, \
        "where its frame coincides with the body's (mjtSameFrame)") \
  ARRAY(mjtNum, site_size, nsite, 3, "size numbers of the shape, m") \
  ARRAY(mjtNum, site_pos, nsite, 3, "origin in the body frame, m") \
  ARRAY(mjtNum, site_quat, nsite, 4, "orientation in the body frame") \
  ARRAY(mjtNum, site_user, nsite, MJ_M(nuser_site), "user numbers") \
  ARRAY(float, site_rgba, nsite, 4, "color and opacity when no material gives them")

// cameras
#define CND_MODEL_CAMERA(ARRAY, HEAVY) \
  ARRAY(int, cam_mode, ncam, 1, "how the camera follows bodies (mjtCamLight)") \
  ARRAY(int, cam_bodyid, ncam, 1, "body that carries the camera") \
  ARRAY(int, cam_targetbodyid, ncam, 1, "body at which it looks; -1 if none") \
  ARRAY(mjtNum, cam_pos, ncam, 3, "origin in the body frame, m") \
  ARRAY(mjtNum, cam_quat, ncam, 4, \
        "orientation in the body frame; it looks along its negative z-axis") \
  ARRAY(mjtNum, cam_poscom0, ncam, 3, \
        "offset from the center of mass of the body's subtree at qpos0, world axes, m") \
  ARRAY(mjtNum, cam_pos0, ncam, 3, "offset from the body origin at qpos0, world axes, m") \
  ARRAY(mjtNum, cam_mat0, ncam, 9, "rotation matrix at qpos0, world frame") \
  ARRAY(int, cam_orthographic, ncam, 1, "1 for parallel projection") \
  ARRAY(mjtNum, cam_fovy, ncam, 1, \
        "vertical field of view, degrees; a length in m if orthographic") \
  ARRAY(mjtNum, cam_ipd, ncam, 1, "distance between the two eyes of a stereo view, m") \
  ARRAY(int, cam_resolution, ncam, 2, "image width and height, pixels") \
  ARRAY(float, cam_sensorsize, ncam, 2, \
        "width and height of the sensor chip, m; 0 if the field of view rules") \
  ARRAY(float, cam_intrinsic, ncam, 4, "focal lengths and principal point, m") \
  ARRAY(mjtNum, cam_user, ncam, MJ_M(nuser_cam), "user numbers")

// lights
#define CND_MODEL_LIGHT(ARRAY, HEAVY) \
  ARRAY(int, light_mode, nlight, 1, "how the light follows bodies (mjtCamLight)") \
  ARRAY(int, light_bodyid, nlight, 1, "body that carries the light") \
  ARRAY(int, light_targetbodyid, nlight, 1, "body at which it points; -1 if none") \
  ARRAY(int, light_type, nlight, 1, "kind of light (mjtLightType)") \
  ARRAY(int, light_texid, nlight, 1, "texture of an image light; -1 if none") \
  ARRAY(mjtByte, light_castshadow, nlight, 1, "1 if it casts shadows") \
  ARRAY(float, light_bulbradius, nlight, 1, "radius of the bulb, softens shadows, m") \
  ARRAY(float, light_intensity, nlight, 1, "intensity, candela") \
  ARRAY(float, light_range, nlight, 1, "distance up to which it acts, m") \
  ARRAY(mjtByte, light_active, nlight, 1, "1 if switched on") \
  ARRAY(mjtNum, light_pos, nlight, 3, "origin in the body frame, m") \
  ARRAY(mjtNum, light_dir, nlight, 3, "unit direction in the body frame") \
  ARRAY(mjtNum, light_poscom0, nlight, 3, \
        "offset from the center of mass of the body's subtree at qpos0, world axes, m") \
  ARRAY(mjtNum, light_pos0, nlight, 3, "offset from the body origin at qpos0, world axes, m") \
  ARRAY(mjtNum, light_dir0, nlight, 3, "direction at qpos0, world frame") \
  ARRAY(float, light_attenuation, nlight, 3, \
        "constant, linear and quadratic attenuation with distance") \
  ARRAY(float, light_cutoff, nlight, 1, "half angle of a spot light, degrees") \
  ARRAY(float, light_exponent, nlight, 1, "how a spot light fades towards its edge") \
  ARRAY(float, light_ambient, nlight, 3, "ambient color") \
  ARRAY(float, light_diffuse, nlight, 3, "diffuse color") \
  ARRAY(float, light_specular, nlight, 3, "specular color")

// flexes
#define CND_MODEL_FLEX(ARRAY, HEAVY) \
  ARRAY(int, flex_contype, nflex, 1, \
        "bits that the partner's conaffinity must match for a collision") \
  ARRAY(int, flex_conaffinity, nflex, 1, \
        "bits that the partner's contype must match for a collision") \
  ARRAY(int, flex_condim, nflex, 1, "dimension of its contacts: 1, 3, 4 or 6") \
  ARRAY(int, flex_priority, nflex, 1, \
        "of two touching objects the one with higher priority decides the contact parameters") \
  ARRAY(mjtNum, flex_solmix, nflex, 1, \
        "weight of its solref and solimp when mixed with the partner's") \
  ARRAY(mjtNum, flex_solref, nflex, mjNREF, "solver reference of its contacts") \
  ARRAY(mjtNum, flex_solimp, nflex, mjNIMP, "solver impedance of its contacts") \
  ARRAY(mjtNum, flex_friction, nflex, 3, \
        "friction coefficients: sliding, spinning (m), rolling (m)") \
  ARRAY(mjtNum, flex_margin, nflex, 1, "distance below which a contact is detected, m") \
  ARRAY(mjtNum, flex_gap, nflex, 1, \
        "a contact takes part in the dynamics below margin minus gap, m") \
  ARRAY(mjtByte, flex_internal, nflex, 1, \
        "1 if elements collide with vertices of their neighbours, against inversion") \
  ARRAY(int, flex_selfcollide, nflex, 1, \
        "how elements of the same flex are tested against each other (mjtFlexSelf)") \
  ARRAY(int, flex_activelayers, nflex, 1, \
        "layers of tetrahedra below the surface that may collide; solids only") \
  ARRAY(int, flex_passive, nflex, 1, \
        "1 if its contacts act as passive forces instead of constraints") \
  ARRAY(int, flex_dim, nflex, 1, "1 cable, 2 cloth, 3 solid") \
  ARRAY(int, flex_matid, nflex, 1, "material; -1 if none") \
  ARRAY(int, flex_group, nflex, 1, "group by which viewers show or hide it") \
  ARRAY(int, flex_interp, nflex, 1, \
        "0 if vertices are bodies, 1 if vertices are interpolated from nodes") \
  ARRAY(int, flex_nodeadr, nflex, 1, "first node") \
  ARRAY(int, flex_nodenum, nflex, 1, "how many nodes") \
  ARRAY(int, flex_vertadr, nflex, 1, "first vertex") \
  ARRAY(int, flex_vertnum, nflex, 1, "how many vertices") \
  ARRAY(int, flex_edgeadr, nflex, 1, "first edge") \
  ARRAY(int, flex_edgenum, nflex, 1, "how many edges") \
  ARRAY(int, flex_elemadr, nflex, 1, "first element") \
  ARRAY(int, flex_elemnum, nflex, 1, "how many elements") \
  ARRAY(int, flex_elemdataadr, nflex, 1, "where its vertex ids begin in flex_elem") \
  ARRAY(int, flex_elemedgeadr, nflex, 1, "where its edge ids begin in flex_elemedge") \
  ARRAY(int, flex_shellnum, nflex, 1, "how many boundary fragments") \
  ARRAY(int, flex_shelldataadr, nflex, 1, "where its boundary fragments begin in flex_shell") \
  ARRAY(int, flex_evpairadr, nflex, 1, "first element-vertex pair") \
  ARRAY(int, flex_evpairnum, nflex, 1, "how many element-vertex pairs") \
  ARRAY(int, flex_texcoordadr, nflex, 1, "first texture coordinate; -1 if none") \
  ARRAY(int, flex_nodebodyid, nflexnode, 1, "body that carries the node") \
  ARRAY(int, flex_vertbodyid, nflexvert, 1, "body that carries the vertex") \
  ARRAY(int, flex_edge, nflexedge, 2, "the two vertices of the edge, counted within its flex") \
  ARRAY(int, flex_edgeflap, nflexedge, 2, \
        "the vertices opposite to the edge in its two triangles; -1 at a border; cloth only") \
  ARRAY(int, flex_elem, nflexelemdata, 1, \
        "vertices of each element, dim+1 numbers each, counted within their flex") \
  ARRAY(int, flex_elemtexcoord, nflexelemdata, 1, \
        "texture coordinates of each element, dim+1 numbers each") \
  ARRAY(int, flex_elemedge, nflexelemedge, 1, "edges of each element, counted within their flex") \
  ARRAY(int, flex_elemlayer, nflexelem, 1, \
        "how many layers the element lies below the surface; solids only") \
  ARRAY(int, flex_shell, nflexshelldata, 1, \
        "vertices of each boundary fragment, dim numbers each, counted within their flex") \
  ARRAY(int, flex_evpair, nflexevpair, 2, "element and vertex that are tested against each other") \
  ARRAY(mjtNum, flex_vert, nflexvert, 3, "vertex in the frame of its body, m") \
  ARRAY(mjtNum, flex_vert0, nflexvert, 3, \
        "vertex at qpos0 as a fraction of the bounding box, 0 to 1") \
  ARRAY(mjtNum, flex_node, nflexnode, 3, "node in the frame of its body, m") \
  ARRAY(mjtNum, flex_node0, nflexnode, 3, "node at qpos0, world frame, m") \
  ARRAY(mjtNum, flexedge_length0, nflexedge, 1, "length of the edge at qpos0, m") \
  ARRAY(mjtNum, flexedge_invweight0, nflexedge, 1, \
        "inverse inertia felt along the edge at qpos0, 1/kg") \
  ARRAY(mjtNum, flex_radius, nflex, 1, "thickness added around every element, m") \
  ARRAY(mjtNum, flex_stiffness, nflexelem, 21, "stiffness matrix of the element, upper triangle") \
  ARRAY(mjtNum, flex_bending, nflexedge, 17, \
        "bending stiffness of the edge between its two triangles") \
  ARRAY(mjtNum, flex_damping, nflex, 1, "damping as a share of stiffness (Rayleigh), s") \
  ARRAY(mjtNum, flex_edgestiffness, nflex, 1, "stiffness of every edge as a spring, N/m") \
  ARRAY(mjtNum, flex_edgedamping, nflex, 1, "damping of every edge, N s/m") \
  ARRAY(mjtByte, flex_edgeequality, nflex, 1, \
        "1 if an equality constraint holds its edge lengths") \
  ARRAY(mjtByte, flex_rigid, nflex, 1, "1 if all vertices belong to one body") \
  ARRAY(mjtByte, flexedge_rigid, nflexedge, 1, \
        "1 if both vertices of the edge belong to one body") \
  ARRAY(mjtByte, flex_centered, nflex, 1, "1 if every vertex is the origin of its body") \
  ARRAY(mjtByte, flex_flatskin, nflex, 1, "1 if drawn with flat shading") \
  ARRAY(int, flex_bvhadr, nflex, 1, "root of its bounding volume tree; -1 if none") \
  ARRAY(int, flex_bvhnum, nflex, 1, "nodes in its bounding volume tree") \
  ARRAY(float, flex_rgba, nflex, 4, "color and opacity when no material gives them") \
  ARRAY(float, flex_texcoord, nflextexcoord, 2, "texture coordinates of the vertices")

// meshes
#define CND_MODEL_MESH(ARRAY, HEAVY) \
  ARRAY(int, mesh_vertadr, nmesh, 1, "first vertex") \
  ARRAY(int, mesh_vertnum, nmesh, 1, "how many vertices") \
  ARRAY(int, mesh_faceadr, nmesh, 1, "first triangle") \
  ARRAY(int, mesh_facenum, nmesh, 1, "how many triangles") \
  ARRAY(int, mesh_bvhadr, nmesh, 1, "root of its bounding volume tree") \
  ARRAY(int, mesh_bvhnum, nmesh, 1, "nodes in its bounding volume tree") \
  ARRAY(int, mesh_octadr, nmesh, 1, "root of its octree; -1 if none") \
  ARRAY(int, mesh_octnum, nmesh, 1, "cells of its octree") \
  ARRAY(int, mesh_normaladr, nmesh, 1, "first normal") \
  ARRAY(int, mesh_normalnum, nmesh, 1, "how many normals") \
  ARRAY(int, mesh_texcoordadr, nmesh, 1, "first texture coordinate; -1 if none") \
  ARRAY(int, mesh_texcoordnum, nmesh, 1, "how many texture coordinates") \
  ARRAY(int, mesh_graphadr, nmesh, 1, "where its convex hull begins in mesh_graph; -1 if none") \
  HEAVY(float, mesh_vert, nmeshvert, 3, \
        "vertices in the mesh frame (center of mass, principal axes), m") \
  HEAVY(float, mesh_normal, nmeshnormal, 3, "unit normals in the mesh frame") \
  HEAVY(float, mesh_texcoord, nmeshtexcoord, 2, "texture coordinates") \
  HEAVY(int, mesh_face, nmeshface, 3, \
        "the three vertices of the triangle, counted within its mesh") \
  HEAVY(int, mesh_facenormal, nmeshface, 3, \
        "the three normals of the triangle, counted within its mesh") \
  HEAVY(int, mesh_facetexcoord, nmeshface, 3, \
        "the three texture coordinates of the triangle, counted within its mesh") \
  HEAVY(int, mesh_graph, nmeshgraph, 1, \
        "convex hulls: counts, edge addresses, vertex ids, neighbours ended by -1, triangles") \
  ARRAY(mjtNum, mesh_scale, nmesh, 3, "factors applied to the file's vertices") \
  ARRAY(mjtNum, mesh_pos, nmesh, 3, "where the mesh frame lies in the file's frame, m") \
  ARRAY(mjtNum, mesh_quat, nmesh, 4, "how the mesh frame is turned in the file's frame") \
  ARRAY(int, mesh_pathadr, nmesh, 1, "where the file name begins in paths; -1 if none") \
  HEAVY(int, mesh_polynum, nmesh, 1, "how many hull polygons") \
  HEAVY(int, mesh_polyadr, nmesh, 1, "first hull polygon") \
  HEAVY(mjtNum, mesh_polynormal, nmeshpoly, 3, "unit normal of the polygon in the mesh frame") \
  HEAVY(int, mesh_polyvertadr, nmeshpoly, 1, \
        "where the vertices of the polygon begin in mesh_polyvert") \
  HEAVY(int, mesh_polyvertnum, nmeshpoly, 1, "how many vertices the polygon has") \
  HEAVY(int, mesh_polyvert, nmeshpolyvert, 1, \
        "vertices of each polygon in turn, counted within its mesh") \
  HEAVY(int, mesh_polymapadr, nmeshvert, 1, \
        "where the polygons around the vertex begin in mesh_polymap") \
  HEAVY(int, mesh_polymapnum, nmeshvert, 1, "how many polygons meet at the vertex") \
  HEAVY(int, mesh_polymap, nmeshpolymap, 1, \
        "polygons around each vertex, counted within its mesh")

// skins
#define CND_MODEL_SKIN(ARRAY, HEAVY) \
  ARRAY(int, skin_matid, nskin, 1, "material; -1 if none") \
  ARRAY(int, skin_group, nskin, 1, "group by which viewers show or hide it") \
  ARRAY(float, skin_rgba, nskin, 4, "color and opacity when no material gives them") \
  ARRAY(float, skin_inflate, nskin, 1, \
        "distance by which vertices are moved out along their normals, m") \
  ARRAY(int, skin_vertadr, nskin, 1, "first vertex") \
  ARRAY(int, skin_vertnum, nskin, 1, "how many vertices") \
  ARRAY(int, skin_texcoordadr, nskin, 1, "first texture coordinate; -1 if none") \
  ARRAY(int, skin_faceadr, nskin, 1, "first triangle") \
  ARRAY(int, skin_facenum, nskin, 1, "how many triangles") \
  ARRAY(int, skin_boneadr, nskin, 1, "first bone") \
  ARRAY(int, skin_bonenum, nskin, 1, "how many bones") \
  ARRAY(float, skin_vert, nskinvert, 3, "vertices when bound, m") \
  ARRAY(float, skin_texcoord, nskintexvert, 2, "texture coordinates") \
  ARRAY(int, skin_face, nskinface, 3, \
        "the three vertices of the triangle, counted within its skin") \
  ARRAY(int, skin_bonevertadr, nskinbone, 1, "first weighted vertex of the bone") \
  ARRAY(int, skin_bonevertnum, nskinbone, 1, "how many vertices the bone moves") \
  ARRAY(float, skin_bonebindpos, nskinbone, 3, "position of the bone when bound, m") \
  ARRAY(float, skin_bonebindquat, nskinbone, 4, "orientation of the bone when bound") \
  ARRAY(int, skin_bonebodyid, nskinbone, 1, "body that moves the bone") \
  ARRAY(int, skin_bonevertid, nskinbonevert, 1, \
        "vertex that the bone moves, counted within its skin") \
  ARRAY(float, skin_bonevertweight, nskinbonevert, 1, "weight of the bone on the vertex") \
  ARRAY(int, skin_pathadr, nskin, 1, "where the file name begins in paths; -1 if none")

// height fields
#define CND_MODEL_HFIELD(ARRAY, HEAVY) \
  ARRAY(mjtNum, hfield_size, nhfield, 4, \
        "half width along x, half width along y, height of the top sample, thickness below " \
        "zero, m") \
  ARRAY(int, hfield_nrow, nhfield, 1, "samples along y") \
  ARRAY(int, hfield_ncol, nhfield, 1, "samples along x") \
  ARRAY(int, hfield_adr, nhfield, 1, "first sample in hfield_data") \
  HEAVY(float, hfield_data, nhfielddata, 1, "heights of the samples, 0 to 1, row by row") \
  ARRAY(int, hfield_pathadr, nhfield, 1, "where the file name begins in paths; -1 if none")

// textures
#define CND_MODEL_TEXTURE(ARRAY, HEAVY) \
  ARRAY(int, tex_type, ntex, 1, "how the texture is laid on a surface (mjtTexture)") \
  ARRAY(int, tex_colorspace, ntex, 1, "encoding of its colors (mjtColorSpace)") \
  ARRAY(int, tex_height, ntex, 1, "image rows; six squares below each other for a cube") \
  ARRAY(int, tex_width, ntex, 1, "image columns") \
  ARRAY(int, tex_nchannel, ntex, 1, "bytes per pixel") \
  ARRAY(int, tex_adr, ntex, 1, "first byte in tex_data") \
  HEAVY(mjtByte, tex_data, ntexdata, 1, "pixels of all images, row by row") \
  ARRAY(int, tex_pathadr, ntex, 1, "where the file name begins in paths; -1 if none")

// materials
#define CND_MODEL_MATERIAL(ARRAY, HEAVY) \
  ARRAY(int, mat_texid, nmat, mjNTEXROLE, "texture for each role (mjtTextureRole); -1 if none") \
  ARRAY(mjtByte, mat_texuniform, nmat, 1, "1 if a cube texture keeps its scale on every object") \
  ARRAY(float, mat_texrepeat, nmat, 2, "repetitions of a 2d texture along x and y") \
  ARRAY(float, mat_emission, nmat, 1, "share of the color that is emitted") \
  ARRAY(float, mat_specular, nmat, 1, "strength of highlights") \
  ARRAY(float, mat_shininess, nmat, 1, "sharpness of highlights") \
  ARRAY(float, mat_reflectance, nmat, 1, "strength of mirror images; 0 switches them off") \
  ARRAY(float, mat_metallic, nmat, 1, \
        "how metallic the surface is, 0 to 1; negative if unspecified") \
  ARRAY(float, mat_roughness, nmat, 1, \
        "how rough the surface is, 0 to 1; negative if unspecified") \
  ARRAY(float, mat_rgba, nmat, 4, "color and opacity")

// explicit collision pairs
#define CND_MODEL_PAIR(ARRAY, HEAVY) \
  ARRAY(int, pair_dim, npair, 1, "dimension of the contacts: 1, 3, 4 or 6") \
  ARRAY(int, pair_geom1, npair, 1, "first geom") \
  ARRAY(int, pair_geom2, npair, 1, "second geom") \
  ARRAY(int, pair_signature, npair, 1, \
        "bodies of the two geoms in one number, body1 in the upper 16 bits") \
  ARRAY(mjtNum, pair_solref, npair, mjNREF, "solver reference of the normal") \
  ARRAY(mjtNum, pair_solreffriction, npair, mjNREF, \
        "solver reference of the friction directions; zeros mean like the normal") \
  ARRAY(mjtNum, pair_solimp, npair, mjNIMP, "solver impedance of the contacts") \
  ARRAY(mjtNum, pair_margin, npair, 1, "distance below which a contact is detected, m") \
  ARRAY(mjtNum, pair_gap, npair, 1, \
        "a contact takes part in the dynamics below margin minus gap, m") \
  ARRAY(mjtNum, pair_friction, npair, 5, \
        "friction coefficients: two tangents, spinning (m), two rolls (m)")

// excluded body pairs
#define CND_MODEL_EXCLUDE(ARRAY, HEAVY) \
  ARRAY(int, exclude_signature, nexclude, 1, \
        "the two bodies in one number, body1 in the upper 16 bits")

// equality constraints
#define CND_MODEL_EQUALITY(ARRAY, HEAVY) \
  ARRAY(int, eq_type, neq, 1, "what is held equal (mjtEq)") \
  ARRAY(int, eq_obj1id, neq, 1, "first object") \
  ARRAY(int, eq_obj2id, neq, 1, "second object; -1 if there is none") \
  ARRAY(int, eq_objtype, neq, 1, "what both objects are (mjtObj)") \
  ARRAY(mjtByte, eq_active0, neq, 1, "1 if active after a reset") \
  ARRAY(mjtNum, eq_solref, neq, mjNREF, "solver reference") \
  ARRAY(mjtNum, eq_solimp, neq, mjNIMP, "solver impedance") \
  ARRAY(mjtNum, eq_data, neq, mjNEQDATA, \
        "anchors, relative pose or polynomial coefficients, depending on the type")

// tendons
#define CND_MODEL_TENDON(ARRAY, HEAVY) \
  ARRAY(int, tendon_adr, ntendon, 1, "first path item") \
  ARRAY(int, tendon_num, ntendon, 1, "how many path items") \
  ARRAY(int, tendon_matid, ntendon, 1, "material; -1 if none") \
  ARRAY(int, tendon_group, ntendon, 1, "group by which viewers show or hide it") \
  ARRAY(mjtByte, tendon_limited, ntendon, 1, "1 if the range is enforced") \
  ARRAY(mjtByte, tendon_actfrclimited, ntendon, 1, \
        "1 if the total actuator force on the tendon is clamped") \
  ARRAY(mjtNum, tendon_width, ntendon, 1, "width for drawing, m") \
  ARRAY(mjtNum, tendon_solref_lim, ntendon, mjNREF, "solver reference of the limit") \
  ARRAY(mjtNum, tendon_solimp_lim, ntendon, mjNIMP, "solver impedance of the limit") \
  ARRAY(mjtNum, tendon_solref_fri, ntendon, mjNREF, "solver reference of the friction loss") \
  ARRAY(mjtNum, tendon_solimp_fri, ntendon, mjNIMP, "solver impedance of the friction loss") \
  ARRAY(mjtNum, tendon_range, ntendon, 2, "shortest and longest length, m") \
  ARRAY(mjtNum, tendon_actfrcrange, ntendon, 2, \
        "lower and upper bound of the total actuator force, N") \
  ARRAY(mjtNum, tendon_margin, ntendon, 1, \
        "distance to the limit at which its constraint appears, m") \
  ARRAY(mjtNum, tendon_stiffness, ntendon, 1, "spring stiffness, N/m") \
  ARRAY(mjtNum, tendon_damping, ntendon, 1, "viscous damping, N s/m") \
  ARRAY(mjtNum, tendon_armature, ntendon, 1, "inertia of the tendon's own motion, kg") \
  ARRAY(mjtNum, tendon_frictionloss, ntendon, 1, "dry friction, N") \
  ARRAY(mjtNum, tendon_lengthspring, ntendon, 2, "interval of lengths without spring force, m") \
  ARRAY(mjtNum, tendon_length0, ntendon, 1, "length at qpos0, m") \
  ARRAY(mjtNum, tendon_invweight0, ntendon, 1, \
        "inverse inertia felt along the tendon at qpos0, 1/kg") \
  ARRAY(mjtNum, tendon_user, ntendon, MJ_M(nuser_tendon), "user numbers") \
  ARRAY(float, tendon_rgba, ntendon, 4, "color and opacity when no material gives them")

// path items of tendons
#define CND_MODEL_WRAP(ARRAY, HEAVY) \
  ARRAY(int, wrap_type, nwrap, 1, "kind of path item (mjtWrap)") \
  ARRAY(int, wrap_objid, nwrap, 1, "joint, site or geom of the item; -1 for a pulley") \
  ARRAY(mjtNum, wrap_prm, nwrap, 1, \
        "joint coefficient, pulley divisor or side site of a geom (-1 if none)")

// actuators
#define CND_MODEL_ACTUATOR(ARRAY, HEAVY) \
  ARRAY(int, actuator_trntype, nu, 1, "how force reaches the mechanism (mjtTrn)") \
  ARRAY(int, actuator_dyntype, nu, 1, "how ctrl becomes activation (mjtDyn)") \
  ARRAY(int, actuator_gaintype, nu, 1, "how force depends on input (mjtGain)") \
  ARRAY(int, actuator_biastype, nu, 1, "force without input (mjtBias)") \
  ARRAY(int, actuator_trnid, nu, 2, \
        "joint, tendon, site or body that is driven, and a second site where the type has one; " \
        "-1 if none") \
  ARRAY(int, actuator_actadr, nu, 1, "first activation in act; -1 if it has none") \
  ARRAY(int, actuator_actnum, nu, 1, "how many activations") \
  ARRAY(int, actuator_group, nu, 1, "group by which viewers and disableactuator select it") \
  ARRAY(mjtByte, actuator_ctrllimited, nu, 1, "1 if ctrl is clamped") \
  ARRAY(mjtByte, actuator_forcelimited, nu, 1, "1 if force is clamped") \
  ARRAY(mjtByte, actuator_actlimited, nu, 1, "1 if activation is clamped") \
  ARRAY(mjtNum, actuator_dynprm, nu, mjNDYN, "parameters of the activation dynamics") \
  ARRAY(mjtNum, actuator_gainprm, nu, mjNGAIN, "parameters of the gain") \
  ARRAY(mjtNum, actuator_biasprm, nu, mjNBIAS, "parameters of the bias") \
  ARRAY(mjtByte, actuator_actearly, nu, 1, \
        "1 if force uses the activation at the end of the step") \
  ARRAY(mjtNum, actuator_ctrlrange, nu, 2, "lower and upper bound of ctrl") \
  ARRAY(mjtNum, actuator_forcerange, nu, 2, "lower and upper bound of force") \
  ARRAY(mjtNum, actuator_actrange, nu, 2, "lower and upper bound of activation") \
  ARRAY(mjtNum, actuator_gear, nu, 6, \
        "scale of length and moment; the axis for site, ball and free transmissions") \
  ARRAY(mjtNum, actuator_cranklength, nu, 1, "length of the rod of a slider-crank, m") \
  ARRAY(mjtNum, actuator_acc0, nu, 1, "norm of the acceleration caused by unit force at qpos0") \
  ARRAY(mjtNum, actuator_length0, nu, 1, "length at qpos0, gear included") \
  ARRAY(mjtNum, actuator_lengthrange, nu, 2, "lengths the mechanism can reach, for muscles") \
  ARRAY(mjtNum, actuator_user, nu, MJ_M(nuser_actuator), "user numbers") \
  ARRAY(int, actuator_plugin, nu, 1, "plugin instance that computes it; -1 if none")

// sensors
#define CND_MODEL_SENSOR(ARRAY, HEAVY) \
  ARRAY(int, sensor_type, nsensor, 1, "what is measured (mjtSensor)") \
  ARRAY(int, sensor_datatype, nsensor, 1, "what kind of numbers come out (mjtDataType)") \
  ARRAY(int, sensor_needstage, nsensor, 1, "after which stage it can be computed (mjtStage)") \
  ARRAY(int, sensor_objtype, nsensor, 1, "what the measured object is (mjtObj)") \
  ARRAY(int, sensor_objid, nsensor, 1, "measured object; -1 if none") \
  ARRAY(int, sensor_reftype, nsensor, 1, "what the reference object is (mjtObj)") \
  ARRAY(int, sensor_refid, nsensor, 1, \
        "object in whose frame the output is given; -1 for the world") \
  ARRAY(int, sensor_intprm, nsensor, mjNSENS, "integer parameters of the type") \
  ARRAY(int, sensor_dim, nsensor, 1, "how many numbers come out") \
  ARRAY(int, sensor_adr, nsensor, 1, "first number in sensordata") \
  ARRAY(mjtNum, sensor_cutoff, nsensor, 1, \
        "outputs are clipped to this magnitude; 0 for no clipping") \
  ARRAY(mjtNum, sensor_noise, nsensor, 1, \
        "standard deviation, for the user's own noise; none is added") \
  ARRAY(mjtNum, sensor_user, nsensor, MJ_M(nuser_sensor), "user numbers") \
  ARRAY(int, sensor_plugin, nsensor, 1, "plugin instance that computes it; -1 if none")

// plugin instances
#define CND_MODEL_PLUGIN(ARRAY, HEAVY) \
  ARRAY(int, plugin, nplugin, 1, "slot of the plugin in the process-wide register") \
  ARRAY(int, plugin_stateadr, nplugin, 1, "first state number in plugin_state") \
  ARRAY(int, plugin_statenum, nplugin, 1, "how many state numbers") \
  ARRAY(char, plugin_attr, npluginattr, 1, \
        "configuration values of all instances, each ended by 0") \
  ARRAY(int, plugin_attradr, nplugin, 1, "where the values of the instance begin")

// custom numbers, texts and tuples
#define CND_MODEL_CUSTOM(ARRAY, HEAVY) \
  ARRAY(int, numeric_adr, nnumeric, 1, "first number in numeric_data") \
  ARRAY(int, numeric_size, nnumeric, 1, "how many numbers") \
  ARRAY(mjtNum, numeric_data, nnumericdata, 1, "numbers of all custom arrays") \
  ARRAY(int, text_adr, ntext, 1, "first byte in text_data") \
  ARRAY(int, text_size, ntext, 1, "bytes of the text, its terminator included") \
  ARRAY(char, text_data, ntextdata, 1, "all custom texts, each ended by 0") \
  ARRAY(int, tuple_adr, ntuple, 1, "first member") \
  ARRAY(int, tuple_size, ntuple, 1, "how many members") \
  ARRAY(int, tuple_objtype, ntupledata, 1, "what the member is (mjtObj)") \
  ARRAY(int, tuple_objid, ntupledata, 1, "id of the member") \
  ARRAY(mjtNum, tuple_objprm, ntupledata, 1, "number attached to the member")

// keyframes
#define CND_MODEL_KEY(ARRAY, HEAVY) \
  ARRAY(mjtNum, key_time, nkey, 1, "time, s") \
  ARRAY(mjtNum, key_qpos, nkey, MJ_M(nq), "configuration") \
  ARRAY(mjtNum, key_qvel, nkey, MJ_M(nv), "velocity") \
  ARRAY(mjtNum, key_act, nkey, MJ_M(na), "activations") \
  ARRAY(mjtNum, key_mpos, nkey, MJ_M(nmocap)*3, "positions of the mocap bodies, m") \
  ARRAY(mjtNum, key_mquat, nkey, MJ_M(nmocap)*4, "orientations of the mocap bodies") \
  ARRAY(mjtNum, key_ctrl, nkey, MJ_M(nu), "controls")

// names and paths
#define CND_MODEL_NAME(ARRAY, HEAVY) \
  ARRAY(int, name_bodyadr, nbody, 1, "where the body's name begins in names") \
  ARRAY(int, name_jntadr, njnt, 1, "where the joint's name begins in names") \
  ARRAY(int, name_geomadr, ngeom, 1, "where the geom's name begins in names") \
  ARRAY(int, name_siteadr, nsite, 1, "where the site's name begins in names") \
  ARRAY(int, name_camadr, ncam, 1, "where the camera's name begins in names") \
  ARRAY(int, name_lightadr, nlight, 1, "where the light's name begins in names") \
  ARRAY(int, name_flexadr, nflex, 1, "where the flex's name begins in names") \
  ARRAY(int, name_meshadr, nmesh, 1, "where the mesh's name begins in names") \
  ARRAY(int, name_skinadr, nskin, 1, "where the skin's name begins in names") \
  ARRAY(int, name_hfieldadr, nhfield, 1, "where the height field's name begins in names") \
  ARRAY(int, name_texadr, ntex, 1, "where the texture's name begins in names") \
  ARRAY(int, name_matadr, nmat, 1, "where the material's name begins in names") \
  ARRAY(int, name_pairadr, npair, 1, "where the pair's name begins in names") \
  ARRAY(int, name_excludeadr, nexclude, 1, "where the exclusion's name begins in names") \
  ARRAY(int, name_eqadr, neq, 1, "where the equality's name begins in names") \
  ARRAY(int, name_tendonadr, ntendon, 1, "where the tendon's name begins in names") \
  ARRAY(int, name_actuatoradr, nu, 1, "where the actuator's name begins in names") \
  ARRAY(int, name_sensoradr, nsensor, 1, "where the sensor's name begins in names") \
  ARRAY(int, name_numericadr, nnumeric, 1, "where the custom array's name begins in names") \
  ARRAY(int, name_textadr, ntext, 1, "where the custom text's name begins in names") \
  ARRAY(int, name_tupleadr, ntuple, 1, "where the custom tuple's name begins in names") \
  ARRAY(int, name_keyadr, nkey, 1, "where the keyframe's name begins in names") \
  ARRAY(int, name_pluginadr, nplugin, 1, "where the plugin instance's name begins in names") \
  ARRAY(char, names, nnames, 1, "the model's name, then every object's, each ended by 0") \
  ARRAY(int, names_map, nnames_map, 1, \
        "hash tables from name to id, one per kind of object; -1 in empty slots") \
  ARRAY(char, paths, npaths, 1, "file names of assets, each ended by 0")

// sparsity patterns of dof matrices; an address counts from the start of its array
#define CND_MODEL_PATTERN(ARRAY, HEAVY) \
  ARRAY(int, B_rownnz, nbody, 1, "how many dofs the ancestors and the subtree of the body have") \
  ARRAY(int, B_rowadr, nbody, 1, "where the row of the body begins in B_colind") \
  ARRAY(int, B_colind, nB, 1, "dofs of the ancestors and the subtree of the body, ascending") \
  ARRAY(int, M_rownnz, nv, 1, \
        "entries in the row of the dof: its ancestors and itself, or itself if simple") \
  ARRAY(int, M_rowadr, nv, 1, "where the row of the dof begins in M") \
  ARRAY(int, M_colind, nC, 1, "columns of M, ascending; the last of a row is the diagonal") \
  ARRAY(int, mapM2M, nC, 1, "entry of qM that belongs at this place of M") \
  ARRAY(int, D_rownnz, nv, 1, "entries in the row of the dof: ancestors, itself, descendants") \
  ARRAY(int, D_rowadr, nv, 1, "where the row of the dof begins in the full pattern") \
  ARRAY(int, D_diag, nv, 1, "place of the diagonal within the row") \
  ARRAY(int, D_colind, nD, 1, "columns of the full pattern, ascending") \
  ARRAY(int, mapM2D, nD, 1, \
        "entry of M that belongs at this place of the full pattern; -1 if M has none") \
  ARRAY(int, mapD2M, nC, 1, "entry of the full pattern that belongs at this place of M")

// all public arrays, in the order of the buffer
#define CND_MODEL_ARRAYS(ARRAY, HEAVY) \
  CND_MODEL_QPOS0(ARRAY, HEAVY) \
  CND_MODEL_BODY(ARRAY, HEAVY) \
  CND_MODEL_TREES(ARRAY, HEAVY) \
  CND_MODEL_JOINT(ARRAY, HEAVY) \
  CND_MODEL_DOF(ARRAY, HEAVY) \
  CND_MODEL_GEOM(ARRAY, HEAVY) \
  CND_MODEL_SITE(ARRAY, HEAVY) \
  CND_MODEL_CAMERA(ARRAY, HEAVY) \
  CND_MODEL_LIGHT(ARRAY, HEAVY) \
  CND_MODEL_FLEX(ARRAY, HEAVY) \
  CND_MODEL_MESH(ARRAY, HEAVY) \
  CND_MODEL_SKIN(ARRAY, HEAVY) \
  CND_MODEL_HFIELD(ARRAY, HEAVY) \
  CND_MODEL_TEXTURE(ARRAY, HEAVY) \
  CND_MODEL_MATERIAL(ARRAY, HEAVY) \
  CND_MODEL_PAIR(ARRAY, HEAVY) \
  CND_MODEL_EXCLUDE(ARRAY, HEAVY) \
  CND_MODEL_EQUALITY(ARRAY, HEAVY) \
  CND_MODEL_TENDON(ARRAY, HEAVY) \
  CND_MODEL_WRAP(ARRAY, HEAVY) \
  CND_MODEL_ACTUATOR(ARRAY, HEAVY) \
  CND_MODEL_SENSOR(ARRAY, HEAVY) \
  CND_MODEL_PLUGIN(ARRAY, HEAVY) \
  CND_MODEL_CUSTOM(ARRAY, HEAVY) \
  CND_MODEL_KEY(ARRAY, HEAVY) \
  CND_MODEL_NAME(ARRAY, HEAVY) \
  CND_MODEL_PATTERN(ARRAY, HEAVY)

// private counts
#define CND_MODEL_PRIVATE_SIZES(SIZE) \
  SIZE(int, cnd_nmemory, "constraints with numbers kept from step to step; 0 if contacts are soft")

// private arrays: programs and patterns that the compiler works out once
#define CND_MODEL_PRIVATE_ARRAYS(ARRAY) \
  ARRAY(mjtNum, cnd_geom_restitution, ngeom, 1, \
        "coefficient of restitution of the geom; negative: that of cnd_contact")

// clang-format on

#endif  // CONDYLE_MODEL_TABLE_H_
