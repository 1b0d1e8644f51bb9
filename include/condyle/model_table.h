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
// The meaning is the field's docstring: what one row is, its frame and unit, and the value that
// stands for none. Indices count from 0 over the whole array unless "relative to" says otherwise.
// solref and solimp are the parameters of a constraint's stiffness and damping
// (theory/contact/constraints.md).
//
// rows is the name of a size, columns an expression in which MJ_M(n) stands for the size n (see
// mjxmacro.h). The private lists at the end hold the fields that only Condyle has. They are
// declared, allocated and copied like the rest, but are not in mjxmacro.h. A new private field is
// one line there; its name begins with cnd_.
//
// What releases after 3.3.7 have added stands beside the list of its kind, in a list ..._SINCE:
//
//   SINCE(release, absent, type, name, rows, columns, meaning)    an array
//   SINCE_SIZE(release, type, name, meaning)                      a count, a flag
//
// absent is the value of all elements in a model that doesn't use the feature, and NAN for what is
// computed from other fields. These fields are members of every mjModel; in mjxmacro.h only if the
// program asks for that generation (mjVERSION_API, mujoco/mjversion.h). Lists ..._OWN hold what
// those features need here and no release has: release is "", the name begins with cnd_, and they
// are private but for binary models.

#ifndef CONDYLE_MODEL_TABLE_H_
#define CONDYLE_MODEL_TABLE_H_

// clang-format off

// counts, in the order in which a binary model stores them; nbuffer is last
#define CND_MODEL_SIZES(SIZE) \
  SIZE(int, nq, "number of coordinates of the configuration qpos (a quaternion counts four)") \
  SIZE(int, nv, \
        "number of degrees of freedom (dofs), length of qvel and of every generalized force") \
  SIZE(int, nu, "number of controls of all actuators, length of ctrl") \
  SIZE(int, na, \
        "number of activation states of all actuators with internal dynamics, length of act") \
  SIZE(int, nbody, "number of bodies, including the world (body 0)") \
  SIZE(int, nbvh, "number of nodes of all bounding volume trees of bodies, meshes and flexes") \
  SIZE(int, nbvhstatic, \
        "number of bounding volume nodes whose box is constant in the frame of its body or " \
        "mesh; they come first among all nbvh nodes") \
  SIZE(int, nbvhdynamic, \
        "number of bounding volume nodes whose box follows the elements of a flex; their boxes " \
        "are in mjData.bvh_aabb_dyn") \
  SIZE(int, noct, "number of octree cells of all meshes used as signed distance fields") \
  SIZE(int, njnt, "number of joints") \
  SIZE(int, ntree, \
        "number of kinematic trees, each of them a moving child of the world with its subtree") \
  SIZE(int, nM, \
        "number of entries of qM, the inertia matrix with one entry per dof and ancestor dof") \
  SIZE(int, nB, \
        "number of entries of the sparse body-dof pattern: for each body the dofs of its " \
        "ancestors, of itself and of its subtree") \
  SIZE(int, nC, \
        "number of entries of M, the lower triangle of the inertia matrix in compressed sparse " \
        "rows") \
  SIZE(int, nD, \
        "number of entries of the full sparse dof-dof pattern (both triangles), as in qDeriv") \
  SIZE(int, ngeom, "number of geoms") \
  SIZE(int, nsite, "number of sites") \
  SIZE(int, ncam, "number of cameras") \
  SIZE(int, nlight, "number of lights") \
  SIZE(int, nflex, "number of flexes (deformable objects)") \
  SIZE(int, nflexnode, "number of control nodes of all flexes whose vertices are interpolated") \
  SIZE(int, nflexvert, "number of vertices of all flexes") \
  SIZE(int, nflexedge, "number of edges of all flexes") \
  SIZE(int, nflexelem, "number of elements (segments, triangles or tetrahedra) of all flexes") \
  SIZE(int, nflexelemdata, "number of vertex ids in flex_elem, of all flex elements") \
  SIZE(int, nflexelemedge, "number of edge ids in flex_elemedge, of all flex elements") \
  SIZE(int, nflexshelldata, \
        "number of vertex ids in flex_shell, of the boundary facets of all flexes") \
  SIZE(int, nflexevpair, "number of element-vertex pairs tested for self-collision of flexes") \
  SIZE(int, nflextexcoord, "number of texture coordinate pairs of all flexes") \
  SIZE(int, nmesh, "number of meshes") \
  SIZE(int, nmeshvert, "number of vertices of all meshes") \
  SIZE(int, nmeshnormal, "number of normals of all meshes") \
  SIZE(int, nmeshtexcoord, "number of texture coordinate pairs of all meshes") \
  SIZE(int, nmeshface, "number of triangles of all meshes") \
  SIZE(int, nmeshgraph, "number of integers in mesh_graph, the convex hull data of all meshes") \
  SIZE(int, nmeshpoly, \
        "number of hull polygons of all meshes; coplanar hull triangles are merged into one " \
        "polygon") \
  SIZE(int, nmeshpolyvert, "number of vertex ids in mesh_polyvert, of all hull polygons") \
  SIZE(int, nmeshpolymap, "number of polygon ids in mesh_polymap, of all mesh vertices") \
  SIZE(int, nskin, "number of skins") \
  SIZE(int, nskinvert, "number of vertices of all skins") \
  SIZE(int, nskintexvert, "number of skin vertices with a texture coordinate") \
  SIZE(int, nskinface, "number of triangles of all skins") \
  SIZE(int, nskinbone, "number of bones of all skins") \
  SIZE(int, nskinbonevert, "number of vertex weights of all bones") \
  SIZE(int, nhfield, "number of height fields") \
  SIZE(int, nhfielddata, "number of height samples of all height fields") \
  SIZE(int, ntex, "number of textures") \
  SIZE(int, ntexdata, "number of bytes of all texture images") \
  SIZE(int, nmat, "number of materials") \
  SIZE(int, npair, "number of geom pairs listed explicitly for collision (<pair>)") \
  SIZE(int, nexclude, "number of body pairs excluded from collision (<exclude>)") \
  SIZE(int, neq, "number of equality constraints") \
  SIZE(int, ntendon, "number of tendons") \
  SIZE(int, nwrap, "number of path items (sites, geoms, joints, pulleys) of all tendons") \
  SIZE(int, nsensor, "number of sensors") \
  SIZE(int, nnumeric, "number of named custom numeric arrays") \
  SIZE(int, nnumericdata, "number of values in all custom numeric arrays") \
  SIZE(int, ntext, "number of named custom texts") \
  SIZE(int, ntextdata, "number of bytes of all custom texts, including terminators") \
  SIZE(int, ntuple, "number of named custom tuples") \
  SIZE(int, ntupledata, "number of members of all custom tuples") \
  SIZE(int, nkey, "number of keyframes") \
  SIZE(int, nmocap, \
        "number of mocap bodies, which are placed by mocap_pos and mocap_quat instead of " \
        "joints") \
  SIZE(int, nplugin, "number of plugin instances") \
  SIZE(int, npluginattr, "number of bytes of all plugin configuration strings") \
  SIZE(int, nuser_body, "number of user-defined values per body") \
  SIZE(int, nuser_jnt, "number of user-defined values per joint") \
  SIZE(int, nuser_geom, "number of user-defined values per geom") \
  SIZE(int, nuser_site, "number of user-defined values per site") \
  SIZE(int, nuser_cam, "number of user-defined values per camera") \
  SIZE(int, nuser_tendon, "number of user-defined values per tendon") \
  SIZE(int, nuser_actuator, "number of user-defined values per actuator") \
  SIZE(int, nuser_sensor, "number of user-defined values per sensor") \
  SIZE(int, nnames, "number of bytes of all names, including terminators") \
  SIZE(int, npaths, "number of bytes of all asset paths, including terminators") \
  SIZE(int, nnames_map, "number of slots of the hash tables from names to ids") \
  SIZE(int, nJmom, "number of entries reserved for the sparse matrix actuator_moment") \
  SIZE(int, ngravcomp, "number of bodies with gravity compensation") \
  SIZE(int, nemax, "largest possible number of constraint rows of all equality constraints") \
  SIZE(int, njmax, \
        "number of constraint rows requested in the model, -1 if unspecified; it only affects " \
        "the size of the arena") \
  SIZE(int, nconmax, \
        "number of contacts requested in the model, -1 if unspecified; it only affects the " \
        "size of the arena") \
  SIZE(int, nuserdata, "length of mjData.userdata") \
  SIZE(int, nsensordata, "length of mjData.sensordata, the outputs of all sensors") \
  SIZE(int, npluginstate, "number of state variables of all plugin instances") \
  SIZE(mjtSize, narena, "size of the arena of each mjData in bytes, including the stack") \
  SIZE(mjtSize, nbuffer, "size of the buffer that holds all arrays of the model in bytes")

// counts of later releases, and which of their features are used
#define CND_MODEL_SIZES_LATER(SINCE_SIZE) \
  SINCE_SIZE("3.11", mjtSize, nactuator, \
        "number of actuators; nu counts their controls, of which each has one unless it says so") \
  SINCE_SIZE("3.11", mjtSize, nout, "number of forces of all actuators") \
  SINCE_SIZE("4.0", mjtSize, nefm0dof, \
        "number of rows of the constant factor for flexes that bend") \
  SINCE_SIZE("4.0", mjtSize, nefm0L, \
        "number of entries of the constant factor for flexes that bend") \
  SINCE_SIZE("4.0", mjtSize, nefmCvert, "room for vertices in the sparse factor of flexes") \
  SINCE_SIZE("4.0", mjtSize, nplastic, "length of mjData.plastic, the plastic state of springs") \
  SINCE_SIZE("3.5", mjtSize, nhistory, "length of mjData.history, the buffers of past samples") \
  SINCE_SIZE("3.11", CND_BOOL, flg_surfacevel, "1 if the surface of a geom moves") \
  SINCE_SIZE("4.0", CND_BOOL, flg_adhesion, "1 if a geom or pair adheres") \
  SINCE_SIZE("3.11", CND_BOOL, flg_gravcomp, "1 if a body is relieved of gravity") \
  SINCE_SIZE("3.6", mjtSize, nJten, "number of entries of ten_J, the Jacobian of tendon lengths") \
  SINCE_SIZE("3.6", mjtSize, nJfe, \
        "number of entries reserved for flexedge_J, the Jacobian of the lengths of flex edges") \
  SINCE_SIZE("4.0", mjtSize, nflexstiffness, "number of values of flex_stiffness") \
  SINCE_SIZE("4.0", mjtSize, nflexbending, "number of values of flex_bending") \
  SINCE_SIZE("4.0", mjtSize, npolygonmax, "number of vertices of the largest polygon of a mesh") \
  SINCE_SIZE("4.0", mjtSize, nmeshdegmax, \
        "number of polygons that meet at one vertex of a mesh, at most")

// counts of what later words of MJCF need here
#define CND_MODEL_SIZES_OWN(SINCE_SIZE) \
  SINCE_SIZE("", mjtSize, cnd_nflexcell, "length of cnd_flex_cell")

#define CND_MODEL_SIZES_SINCE(SINCE_SIZE) \
  CND_MODEL_SIZES_LATER(SINCE_SIZE) \
  CND_MODEL_SIZES_OWN(SINCE_SIZE)

// options: time step and tolerances
#define CND_OPTION_TOLERANCES(SCALAR) \
  SCALAR(mjtNum, timestep, "duration of one step, s") \
  SCALAR(mjtNum, impratio, \
        "ratio of frictional to normal constraint impedance of contacts with elliptic cones; " \
        "larger values reduce slip") \
  SCALAR(mjtNum, tolerance, \
        "the main solver stops when its scaled improvement or its scaled gradient is below " \
        "this; 0 runs all iterations") \
  SCALAR(mjtNum, ls_tolerance, \
        "the line search of CG and Newton stops when the slope is below this fraction of the " \
        "initial slope") \
  SCALAR(mjtNum, noslip_tolerance, \
        "the noslip solver stops when its scaled improvement is below this") \
  SCALAR(mjtNum, ccd_tolerance, "tolerance of the general convex collision algorithm, m")

// options: fields that fill the world
#define CND_OPTION_FIELDS(VECTOR) \
  VECTOR(gravity, 3, "gravitational acceleration, world frame, m/s^2") \
  VECTOR(wind, 3, "velocity of the surrounding medium, world frame, m/s") \
  VECTOR(magnetic, 3, \
        "magnetic flux density measured by magnetometers, world frame, in units of the user's " \
        "choice")

// options: medium, and the first of the contact overrides
#define CND_OPTION_MEDIUM(SCALAR) \
  SCALAR(mjtNum, density, \
        "density of the surrounding medium, kg/m^3; 0 disables lift, drag and added mass") \
  SCALAR(mjtNum, viscosity, "dynamic viscosity of the surrounding medium, Pa s") \
  SCALAR(mjtNum, o_margin, "margin of all contacts if mjENBL_OVERRIDE is set, m")

// options: the other contact overrides
#define CND_OPTION_OVERRIDES(VECTOR) \
  VECTOR(o_solref, mjNREF, \
        "solref of all contacts if mjENBL_OVERRIDE is set: time constant (s) and damping " \
        "ratio, or both negative: -stiffness and -damping") \
  VECTOR(o_solimp, mjNIMP, \
        "solimp of all contacts if mjENBL_OVERRIDE is set: dmin, dmax, width, midpoint, power") \
  VECTOR(o_friction, 5, \
        "friction coefficients of all contacts if mjENBL_OVERRIDE is set: two tangents, torsion " \
        "(m), two rolling axes (m)")

// options: choices, iteration bounds and flags
#define CND_OPTION_INTS(SCALAR) \
  SCALAR(int, integrator, "numerical integrator (mjtIntegrator)") \
  SCALAR(int, cone, "type of friction cone (mjtCone)") \
  SCALAR(int, jacobian, \
        "format of the constraint Jacobian: dense, sparse or automatic (mjtJacobian)") \
  SCALAR(int, solver, "algorithm of the constraint solver (mjtSolver)") \
  SCALAR(int, iterations, "maximum number of iterations of the main solver") \
  SCALAR(int, ls_iterations, "maximum number of iterations of the line search of CG and Newton") \
  SCALAR(int, noslip_iterations, \
        "maximum number of iterations of the noslip solver, which runs after the main solver; " \
        "0 disables it") \
  SCALAR(int, ccd_iterations, \
        "maximum number of iterations of the general convex collision algorithm") \
  SCALAR(int, disableflags, "disabled default features, a bit mask of mjtDisableBit") \
  SCALAR(int, enableflags, "enabled optional features, a bit mask of mjtEnableBit") \
  SCALAR(int, disableactuator, "disabled actuator groups, one bit for each group 0 to 30") \
  SCALAR(int, sdf_initpoints, \
        "number of starting points per geom pair in the contact search of signed distance " \
        "fields") \
  SCALAR(int, sdf_iterations, \
        "number of gradient descent iterations from each starting point of a signed distance " \
        "field")

// options of later releases, and which of their rules the model follows
#define CND_OPTION_SINCE(SINCE_SIZE) \
  SINCE_SIZE("3.4", mjtNum, sleep_tolerance, "velocity below which a tree may fall asleep, m/s") \
  SINCE_SIZE("", int, behaviour, \
        "rules of later releases, one bit for each behaviour (condyle/behaviour.h); 0: all of 3.3.7")

// reference configurations
#define CND_MODEL_QPOS0(ARRAY, HEAVY) \
  ARRAY(mjtNum, qpos0, nq, 1, \
        "default configuration: that of the model file, set by a reset; m, rad, unit " \
        "quaternions") \
  ARRAY(mjtNum, qpos_spring, nq, 1, \
        "configuration in which all joint springs are at rest; m, rad, unit quaternions")

// bodies
#define CND_MODEL_BODY(ARRAY, HEAVY) \
  ARRAY(int, body_parentid, nbody, 1, \
        "id of the parent body, smaller than the body's own id; 0 for the world") \
  ARRAY(int, body_rootid, nbody, 1, \
        "id of the root of the body's kinematic tree: the ancestor, or the body itself, that " \
        "is a child of the world") \
  ARRAY(int, body_weldid, nbody, 1, \
        "id of the nearest body with joints, going up from the body itself; 0 if the body is " \
        "fixed to the world") \
  ARRAY(int, body_mocapid, nbody, 1, \
        "index in mocap_pos and mocap_quat; -1 if the body is not a mocap body") \
  ARRAY(int, body_jntnum, nbody, 1, "number of joints between the body and its parent") \
  ARRAY(int, body_jntadr, nbody, 1, "id of the first joint of the body; -1 if none") \
  ARRAY(int, body_dofnum, nbody, 1, "number of degrees of freedom of the joints of the body") \
  ARRAY(int, body_dofadr, nbody, 1, "index of the first dof of the body; -1 if none") \
  ARRAY(int, body_treeid, nbody, 1, \
        "index of the kinematic tree of the body; -1 if the body can't move") \
  ARRAY(int, body_geomnum, nbody, 1, "number of geoms of the body") \
  ARRAY(int, body_geomadr, nbody, 1, "id of the first geom of the body; -1 if none") \
  ARRAY(mjtByte, body_simple, nbody, 1, \
        "1 if the inertia matrix is diagonal in the dofs of the body, 2 if moreover all its " \
        "joints are slides, else 0") \
  ARRAY(mjtByte, body_sameframe, nbody, 1, \
        "whether the inertial frame coincides with the body frame (mjtSameFrame)") \
  ARRAY(mjtNum, body_pos, nbody, 3, "origin of the body frame in the parent's frame at qpos0, m") \
  ARRAY(mjtNum, body_quat, nbody, 4, \
        "orientation of the body frame in the parent's frame at qpos0, unit quaternion") \
  ARRAY(mjtNum, body_ipos, nbody, 3, "center of mass in the body frame, m") \
  ARRAY(mjtNum, body_iquat, nbody, 4, \
        "orientation of the inertial frame (principal axes) in the body frame, unit quaternion") \
  ARRAY(mjtNum, body_mass, nbody, 1, "mass, kg") \
  ARRAY(mjtNum, body_subtreemass, nbody, 1, "mass of the body and all its descendants, kg") \
  ARRAY(mjtNum, body_inertia, nbody, 3, \
        "principal moments of inertia about the center of mass, along the axes of body_iquat, " \
        "kg m^2") \
  ARRAY(mjtNum, body_invweight0, nbody, 2, \
        "mean inverse inertia of the body at its center of mass at qpos0: translation (1/kg), " \
        "rotation (1/(kg m^2))") \
  ARRAY(mjtNum, body_gravcomp, nbody, 1, \
        "fraction of the body's weight that is compensated by an upward force; 1 cancels " \
        "gravity") \
  ARRAY(mjtNum, body_margin, nbody, 1, "largest contact margin of the geoms of the body, m") \
  ARRAY(mjtNum, body_user, nbody, MJ_M(nuser_body), "user-defined values") \
  ARRAY(int, body_plugin, nbody, 1, "id of the plugin instance that acts on the body; -1 if none") \
  ARRAY(int, body_contype, nbody, 1, "bitwise OR of the contype of the geoms of the body") \
  ARRAY(int, body_conaffinity, nbody, 1, "bitwise OR of the conaffinity of the geoms of the body") \
  ARRAY(int, body_bvhadr, nbody, 1, \
        "index of the root node of the body's bounding volume tree; -1 if the body has no " \
        "geoms") \
  ARRAY(int, body_bvhnum, nbody, 1, "number of nodes of the body's bounding volume tree")

// bounding volume trees and octrees
#define CND_MODEL_TREES(ARRAY, HEAVY) \
  ARRAY(int, bvh_depth, nbvh, 1, "depth of the node in its tree; 0 for the root") \
  ARRAY(int, bvh_child, nbvh, 2, \
        "left and right child of the node, as offsets from the root of its tree; -1 if none") \
  ARRAY(int, bvh_nodeid, nbvh, 1, \
        "id of the geom, mesh face or flex element of a leaf; -1 for inner nodes") \
  ARRAY(mjtNum, bvh_aabb, nbvhstatic, 6, \
        "bounding box of the node, center and half sizes, in the frame of its body or mesh, m") \
  ARRAY(int, oct_depth, noct, 1, "depth of the cell in its octree; 0 for the root") \
  ARRAY(int, oct_child, noct, 8, "the eight children of the cell; -1 if none") \
  ARRAY(mjtNum, oct_aabb, noct, 6, "box of the cell, center and half sizes, in the mesh frame, m") \
  ARRAY(mjtNum, oct_coeff, noct, 8, "signed distance at the eight corners of the cell, m")

// joints
#define CND_MODEL_JOINT(ARRAY, HEAVY) \
  ARRAY(int, jnt_type, njnt, 1, "type of joint (mjtJoint)") \
  ARRAY(int, jnt_qposadr, njnt, 1, "index of the first coordinate of the joint in qpos") \
  ARRAY(int, jnt_dofadr, njnt, 1, "index of the first dof of the joint in qvel") \
  ARRAY(int, jnt_bodyid, njnt, 1, "id of the body that the joint moves") \
  ARRAY(int, jnt_group, njnt, 1, "group by which viewers show or hide the object; 0 to 5") \
  ARRAY(CND_BOOL, jnt_limited, njnt, 1, "1 if the joint has limits (jnt_range)") \
  ARRAY(CND_BOOL, jnt_actfrclimited, njnt, 1, \
        "1 if the total actuator force on the joint is clamped to jnt_actfrcrange") \
  ARRAY(CND_BOOL, jnt_actgravcomp, njnt, 1, \
        "1 if gravity compensation of the joint is an actuator force, subject to " \
        "jnt_actfrcrange, instead of a passive force") \
  ARRAY(mjtNum, jnt_solref, njnt, mjNREF, \
        "solref of the limit: time constant (s) and damping ratio, or both negative: " \
        "-stiffness and -damping") \
  ARRAY(mjtNum, jnt_solimp, njnt, mjNIMP, \
        "solimp of the limit: dmin, dmax, width, midpoint, power") \
  ARRAY(mjtNum, jnt_pos, njnt, 3, "anchor of the joint in the body frame, m") \
  ARRAY(mjtNum, jnt_axis, njnt, 3, \
        "axis of the joint in the body frame, unit vector; unused by free and ball joints") \
  ARRAY(mjtNum, jnt_stiffness, njnt, 1, "stiffness of the joint spring, N/m or N m/rad") \
  ARRAY(mjtNum, jnt_range, njnt, 2, \
        "lower and upper limit, m or rad; a ball joint has the largest angle as upper limit") \
  ARRAY(mjtNum, jnt_actfrcrange, njnt, 2, \
        "lower and upper bound of the total actuator force on the joint, N or N m") \
  ARRAY(mjtNum, jnt_margin, njnt, 1, \
        "distance to the limit below which the limit constraint is active, m or rad") \
  ARRAY(mjtNum, jnt_user, njnt, MJ_M(nuser_jnt), "user-defined values")
#define CND_MODEL_JOINT_SINCE(SINCE) \
  SINCE("3.7", -1, int, jnt_actuatorid, njnt, 1, \
        "id of the only actuator that adds damping or armature to the joint; -1 if none " \
        "does, -2 if several do") \
  SINCE("3.7", 0, mjtNum, jnt_stiffnesspoly, njnt, mjNPOLY, \
        "quadratic and cubic stiffness of the joint spring, N/m^2 and N/m^3 or the same of " \
        "angles") \
  SINCE("4.0", -1, int, jnt_plasticadr, njnt, 1, \
        "index of the spring's rest position in mjData.plastic; -1 if it can't yield") \
  SINCE("4.0", 0, mjtNum, jnt_springyield, njnt, 1, \
        "elastic displacement at which the joint spring yields, m or rad; 0 if it doesn't")

// degrees of freedom
#define CND_MODEL_DOF(ARRAY, HEAVY) \
  ARRAY(int, dof_bodyid, nv, 1, "id of the body that the dof moves") \
  ARRAY(int, dof_jntid, nv, 1, "id of the joint of the dof") \
  ARRAY(int, dof_parentid, nv, 1, "index of the parent dof in the kinematic tree; -1 if none") \
  ARRAY(int, dof_treeid, nv, 1, "index of the kinematic tree of the dof") \
  ARRAY(int, dof_Madr, nv, 1, "index of the dof's diagonal entry in qM") \
  ARRAY(int, dof_simplenum, nv, 1, \
        "number of consecutive simple dofs (diagonal in the inertia matrix) from this one on; " \
        "0 if it is not simple") \
  ARRAY(mjtNum, dof_solref, nv, mjNREF, \
        "solref of the friction loss: time constant (s) and damping ratio, or both negative: " \
        "-stiffness and -damping") \
  ARRAY(mjtNum, dof_solimp, nv, mjNIMP, \
        "solimp of the friction loss: dmin, dmax, width, midpoint, power") \
  ARRAY(mjtNum, dof_frictionloss, nv, 1, \
        "maximum force of dry friction (friction loss), N or N m") \
  ARRAY(mjtNum, dof_armature, nv, 1, \
        "inertia added to the diagonal of the inertia matrix, such as that of a rotor, kg or " \
        "kg m^2") \
  ARRAY(mjtNum, dof_damping, nv, 1, "viscous damping coefficient, N s/m or N m s/rad") \
  ARRAY(mjtNum, dof_invweight0, nv, 1, \
        "diagonal entry of the inverse inertia matrix at qpos0, 1/kg or 1/(kg m^2); ball and " \
        "free joints have the mean over their three rotations or translations") \
  ARRAY(mjtNum, dof_M0, nv, 1, "diagonal entry of the inertia matrix at qpos0, kg or kg m^2")
#define CND_MODEL_DOF_SINCE(SINCE) \
  SINCE("3.7", 0, mjtNum, dof_dampingpoly, nv, mjNPOLY, \
        "quadratic and cubic damping coefficient, N s^2/m^2 and N s^3/m^3 or the same of " \
        "angles") \
  SINCE("3.4", NAN, mjtNum, dof_length, nv, 1, \
        "size of the body for rotations, m; 1 for translations: how fast a turn moves its parts")

// kinematic trees
#define CND_MODEL_KINEMATIC_SINCE(SINCE) \
  SINCE("3.4", NAN, int, tree_bodyadr, ntree, 1, "id of the first body of the tree") \
  SINCE("3.4", NAN, int, tree_bodynum, ntree, 1, "number of bodies of the tree") \
  SINCE("3.4", NAN, int, tree_dofadr, ntree, 1, "index of the first dof of the tree") \
  SINCE("3.4", NAN, int, tree_dofnum, ntree, 1, "number of dofs of the tree") \
  SINCE("3.4", NAN, int, tree_sleep_policy, ntree, 1, \
        "whether the tree may sleep (mjtSleepPolicy)")

// geoms
#define CND_MODEL_GEOM(ARRAY, HEAVY) \
  ARRAY(int, geom_type, ngeom, 1, "shape of the geom (mjtGeom)") \
  ARRAY(int, geom_contype, ngeom, 1, \
        "bit mask; a pair collides if contype of one and conaffinity of the other have a " \
        "common bit") \
  ARRAY(int, geom_conaffinity, ngeom, 1, \
        "bit mask; a pair collides if contype of one and conaffinity of the other have a " \
        "common bit") \
  ARRAY(int, geom_condim, ngeom, 1, \
        "dimension of the contacts: 1 frictionless, 3 tangential friction, 4 also torsional, 6 " \
        "also rolling") \
  ARRAY(int, geom_bodyid, ngeom, 1, "id of the body of the geom") \
  ARRAY(int, geom_dataid, ngeom, 1, "id of the mesh or height field of the geom; -1 if none") \
  ARRAY(int, geom_matid, ngeom, 1, "id of the material; -1 if none") \
  ARRAY(int, geom_group, ngeom, 1, \
        "group of the geom, 0 to 5; selects geoms for drawing, ray casting and inertia " \
        "inference") \
  ARRAY(int, geom_priority, ngeom, 1, \
        "the geom with the higher priority determines condim, friction, solref and solimp of a " \
        "contact; with equal priorities those of both geoms are combined") \
  ARRAY(int, geom_plugin, ngeom, 1, \
        "id of the plugin instance that defines the shape; -1 if none") \
  ARRAY(mjtByte, geom_sameframe, ngeom, 1, \
        "whether the geom frame coincides with the body frame or the inertial frame " \
        "(mjtSameFrame)") \
  ARRAY(mjtNum, geom_solmix, ngeom, 1, \
        "weight of the geom's solref and solimp when mixed with those of the other geom") \
  ARRAY(mjtNum, geom_solref, ngeom, mjNREF, \
        "solref of the contacts: time constant (s) and damping ratio, or both negative: " \
        "-stiffness and -damping") \
  ARRAY(mjtNum, geom_solimp, ngeom, mjNIMP, \
        "solimp of the contacts: dmin, dmax, width, midpoint, power") \
  ARRAY(mjtNum, geom_size, ngeom, 3, \
        "size parameters of the shape: radius, half length or half sizes, m") \
  ARRAY(mjtNum, geom_aabb, ngeom, 6, "bounding box, center and half sizes, in the geom frame, m") \
  ARRAY(mjtNum, geom_rbound, ngeom, 1, \
        "radius of the bounding sphere about the geom's center, m; 0 for planes") \
  ARRAY(mjtNum, geom_pos, ngeom, 3, "position of the geom in the body frame, m") \
  ARRAY(mjtNum, geom_quat, ngeom, 4, "orientation of the geom in the body frame, unit quaternion") \
  ARRAY(mjtNum, geom_friction, ngeom, 3, \
        "friction coefficients: tangential, torsional (m), rolling (m)") \
  ARRAY(mjtNum, geom_margin, ngeom, 1, "distance below which a contact is generated, m") \
  ARRAY(mjtNum, geom_gap, ngeom, 1, \
        "a contact exerts force only at distances below margin - gap, m") \
  HEAVY(mjtNum, geom_fluid, ngeom, mjNFLUID, \
        "parameters of the ellipsoid fluid model; the first is 0 if the model is not used") \
  ARRAY(mjtNum, geom_user, ngeom, MJ_M(nuser_geom), "user-defined values") \
  ARRAY(float, geom_rgba, ngeom, 4, \
        "color and opacity (RGBA, 0 to 1), used if there is no material")
#define CND_MODEL_GEOM_SINCE(SINCE) \
  SINCE("3.11", 0, mjtNum, geom_surfacevel, ngeom, 6, \
        "velocity of the surface in the geom frame: linear (m/s), angular (rad/s)") \
  SINCE("3.11", 0, mjtNum, geom_adhesion, ngeom, 1, \
        "force by which the geom adheres to what it touches, N") \
  SINCE("4.0", 1, CND_BOOL, geom_castshadow, ngeom, 1, "1 if the geom casts shadows")

// sites
#define CND_MODEL_SITE(ARRAY, HEAVY) \
  ARRAY(int, site_type, nsite, 1, \
        "shape of the site, for drawing and for the zone of touch sensors (mjtGeom)") \
  ARRAY(int, site_bodyid, nsite, 1, "id of the body of the site") \
  ARRAY(int, site_matid, nsite, 1, "id of the material; -1 if none") \
  ARRAY(int, site_group, nsite, 1, "group by which viewers show or hide the object; 0 to 5") \
  ARRAY(mjtByte, site_sameframe, nsite, 1, \
        "whether the site frame coincides with the body frame or the inertial frame " \
        "(mjtSameFrame)") \
  ARRAY(mjtNum, site_size, nsite, 3, \
        "size parameters of the shape: radius, half length or half sizes, m") \
  ARRAY(mjtNum, site_pos, nsite, 3, "position of the site in the body frame, m") \
  ARRAY(mjtNum, site_quat, nsite, 4, "orientation of the site in the body frame, unit quaternion") \
  ARRAY(mjtNum, site_user, nsite, MJ_M(nuser_site), "user-defined values") \
  ARRAY(float, site_rgba, nsite, 4, \
        "color and opacity (RGBA, 0 to 1), used if there is no material")
#define CND_MODEL_SITE_SINCE(SINCE) \
  SINCE("3.13", -1, int, site_dataid, nsite, 1, "id of the mesh of the site; -1 if none")

// cameras
#define CND_MODEL_CAMERA(ARRAY, HEAVY) \
  ARRAY(int, cam_mode, ncam, 1, "tracking mode of the camera (mjtCamLight)") \
  ARRAY(int, cam_bodyid, ncam, 1, "id of the body of the camera") \
  ARRAY(int, cam_targetbodyid, ncam, 1, "id of the body at which the camera is aimed; -1 if none") \
  ARRAY(mjtNum, cam_pos, ncam, 3, "position of the camera in the body frame, m") \
  ARRAY(mjtNum, cam_quat, ncam, 4, \
        "orientation of the camera in the body frame, unit quaternion; the camera looks along " \
        "its negative z axis") \
  ARRAY(mjtNum, cam_poscom0, ncam, 3, \
        "position relative to the center of mass of the body's subtree at qpos0, world axes, m") \
  ARRAY(mjtNum, cam_pos0, ncam, 3, \
        "position relative to the origin of the body at qpos0, world axes, m") \
  ARRAY(mjtNum, cam_mat0, ncam, 9, \
        "orientation of the camera at qpos0, rotation matrix, world frame") \
  ARRAY(int, CND_API(cam_orthographic, cam_projection), ncam, 1, \
        "1 for an orthographic, 0 for a perspective projection") \
  ARRAY(mjtNum, cam_fovy, ncam, 1, \
        "vertical field of view, degrees; for an orthographic camera its height in m") \
  ARRAY(mjtNum, cam_ipd, ncam, 1, \
        "distance between the eyes of a stereo view (inter-pupillary distance), m") \
  ARRAY(int, cam_resolution, ncam, 2, "image width and height, pixels") \
  ARRAY(float, cam_sensorsize, ncam, 2, \
        "width and height of the image sensor, m; 0 if cam_fovy is used instead") \
  ARRAY(float, cam_intrinsic, ncam, 4, "focal lengths along x and y, then principal point, m") \
  ARRAY(mjtNum, cam_user, ncam, MJ_M(nuser_cam), "user-defined values")
#define CND_MODEL_CAMERA_SINCE(SINCE) \
  SINCE("3.5", 1, int, cam_output, ncam, 1, \
        "what pictures the camera makes, a bit mask of mjtCamOutBit")

// lights
#define CND_MODEL_LIGHT(ARRAY, HEAVY) \
  ARRAY(int, light_mode, nlight, 1, "tracking mode of the light (mjtCamLight)") \
  ARRAY(int, light_bodyid, nlight, 1, "id of the body of the light") \
  ARRAY(int, light_targetbodyid, nlight, 1, \
        "id of the body at which the light is aimed; -1 if none") \
  ARRAY(int, light_type, nlight, 1, "type of light (mjtLightType)") \
  ARRAY(int, light_texid, nlight, 1, "id of the texture of an image light; -1 if none") \
  ARRAY(CND_BOOL, light_castshadow, nlight, 1, "1 if the light casts shadows") \
  ARRAY(float, light_bulbradius, nlight, 1, "radius of the bulb for soft shadows, m") \
  ARRAY(float, light_intensity, nlight, 1, "intensity, candela") \
  ARRAY(float, light_range, nlight, 1, "effective range of the light, m") \
  ARRAY(CND_BOOL, light_active, nlight, 1, "1 if the light is on") \
  ARRAY(mjtNum, light_pos, nlight, 3, "position of the light in the body frame, m") \
  ARRAY(mjtNum, light_dir, nlight, 3, "direction of the light in the body frame, unit vector") \
  ARRAY(mjtNum, light_poscom0, nlight, 3, \
        "position relative to the center of mass of the body's subtree at qpos0, world axes, m") \
  ARRAY(mjtNum, light_pos0, nlight, 3, \
        "position relative to the origin of the body at qpos0, world axes, m") \
  ARRAY(mjtNum, light_dir0, nlight, 3, \
        "direction of the light at qpos0, world frame, unit vector") \
  ARRAY(float, light_attenuation, nlight, 3, \
        "constant, linear and quadratic attenuation coefficients") \
  ARRAY(float, light_cutoff, nlight, 1, "half angle of the cone of a spot light, degrees") \
  ARRAY(float, light_exponent, nlight, 1, \
        "exponent of the falloff of a spot light towards the edge of its cone") \
  ARRAY(float, light_ambient, nlight, 3, "ambient color, RGB") \
  ARRAY(float, light_diffuse, nlight, 3, "diffuse color, RGB") \
  ARRAY(float, light_specular, nlight, 3, "specular color, RGB")
#define CND_MODEL_LIGHT_SINCE(SINCE) \
  SINCE("3.16", 0.2f, float, light_softness, nlight, 1, \
        "softness of the edge of a spot light's cone, 0 to 1")

// flexes
#define CND_MODEL_FLEX(ARRAY, HEAVY) \
  ARRAY(int, flex_contype, nflex, 1, \
        "bit mask; a pair collides if contype of one and conaffinity of the other have a " \
        "common bit") \
  ARRAY(int, flex_conaffinity, nflex, 1, \
        "bit mask; a pair collides if contype of one and conaffinity of the other have a " \
        "common bit") \
  ARRAY(int, flex_condim, nflex, 1, \
        "dimension of the contacts: 1 frictionless, 3 tangential friction, 4 also torsional, 6 " \
        "also rolling") \
  ARRAY(int, flex_priority, nflex, 1, \
        "the object with the higher priority determines condim, friction, solref and solimp of " \
        "a contact; with equal priorities those of both objects are combined") \
  ARRAY(mjtNum, flex_solmix, nflex, 1, \
        "weight of the flex's solref and solimp when mixed with those of the other object") \
  ARRAY(mjtNum, flex_solref, nflex, mjNREF, \
        "solref of the contacts: time constant (s) and damping ratio, or both negative: " \
        "-stiffness and -damping") \
  ARRAY(mjtNum, flex_solimp, nflex, mjNIMP, \
        "solimp of the contacts: dmin, dmax, width, midpoint, power") \
  ARRAY(mjtNum, flex_friction, nflex, 3, \
        "friction coefficients: tangential, torsional (m), rolling (m)") \
  ARRAY(mjtNum, flex_margin, nflex, 1, "distance below which a contact is generated, m") \
  ARRAY(mjtNum, flex_gap, nflex, 1, \
        "a contact exerts force only at distances below margin - gap, m") \
  ARRAY(mjtByte, flex_internal, nflex, 1, \
        "1 if elements collide with the vertices of neighbouring elements, to prevent " \
        "inversion") \
  ARRAY(int, flex_selfcollide, nflex, 1, \
        "how collisions between elements of the flex are found (mjtFlexSelf)") \
  ARRAY(int, flex_activelayers, nflex, 1, \
        "number of layers of elements, from the surface inwards, that can collide with other " \
        "elements of the flex; 3D only") \
  ARRAY(int, flex_passive, nflex, 1, \
        "1 if contacts of the flex are passive forces instead of constraints") \
  ARRAY(int, flex_dim, nflex, 1, \
        "dimension of the elements: 1 segments (cable), 2 triangles (cloth), 3 tetrahedra " \
        "(solid)") \
  ARRAY(int, flex_matid, nflex, 1, "id of the material; -1 if none") \
  ARRAY(int, flex_group, nflex, 1, "group by which viewers show or hide the object; 0 to 5") \
  ARRAY(int, flex_interp, nflex, 1, \
        "0 if every vertex has a body of its own, 1 if vertices are interpolated between nodes") \
  ARRAY(int, flex_nodeadr, nflex, 1, "index of the first node of the flex") \
  ARRAY(int, flex_nodenum, nflex, 1, "number of nodes of the flex") \
  ARRAY(int, flex_vertadr, nflex, 1, "index of the first vertex of the flex") \
  ARRAY(int, flex_vertnum, nflex, 1, "number of vertices of the flex") \
  ARRAY(int, flex_edgeadr, nflex, 1, "index of the first edge of the flex") \
  ARRAY(int, flex_edgenum, nflex, 1, "number of edges of the flex") \
  ARRAY(int, flex_elemadr, nflex, 1, "index of the first element of the flex") \
  ARRAY(int, flex_elemnum, nflex, 1, "number of elements of the flex") \
  ARRAY(int, flex_elemdataadr, nflex, 1, "index of the flex's first vertex id in flex_elem") \
  ARRAY(int, flex_elemedgeadr, nflex, 1, "index of the flex's first edge id in flex_elemedge") \
  ARRAY(int, flex_shellnum, nflex, 1, "number of boundary facets (shell) of the flex") \
  ARRAY(int, flex_shelldataadr, nflex, 1, "index of the flex's first vertex id in flex_shell") \
  ARRAY(int, flex_evpairadr, nflex, 1, \
        "index of the first element-vertex pair of the flex in flex_evpair") \
  ARRAY(int, flex_evpairnum, nflex, 1, "number of element-vertex pairs of the flex") \
  ARRAY(int, flex_texcoordadr, nflex, 1, \
        "index of the first texture coordinate of the flex; -1 if none") \
  ARRAY(int, flex_nodebodyid, nflexnode, 1, "id of the body of the node") \
  ARRAY(int, flex_vertbodyid, nflexvert, 1, \
        "id of the body of the vertex; -1 if it is interpolated") \
  ARRAY(int, flex_edge, nflexedge, 2, \
        "the two vertices of the edge, relative to the first vertex of the flex") \
  ARRAY(int, flex_edgeflap, nflexedge, 2, \
        "the vertices opposite to the edge in its two triangles, relative to the first vertex " \
        "of the flex; -1 for the second at a border; 2D only") \
  ARRAY(int, flex_elem, nflexelemdata, 1, \
        "vertices of the elements, dim + 1 for each, relative to the first vertex of the flex") \
  ARRAY(int, flex_elemtexcoord, nflexelemdata, 1, \
        "texture coordinates of the elements, dim + 1 for each, relative to the first one of " \
        "the flex") \
  ARRAY(int, flex_elemedge, nflexelemedge, 1, \
        "edges of the elements, relative to the first edge of the flex") \
  ARRAY(int, flex_elemlayer, nflexelem, 1, \
        "number of layers of elements between the element and the surface; 3D only") \
  ARRAY(int, flex_shell, nflexshelldata, 1, \
        "vertices of the boundary facets, dim for each, relative to the first vertex of the " \
        "flex") \
  ARRAY(int, flex_evpair, nflexevpair, 2, "element and vertex that are tested for self-collision") \
  ARRAY(mjtNum, flex_vert, nflexvert, 3, "position of the vertex in the frame of its body, m") \
  ARRAY(mjtNum, flex_vert0, nflexvert, 3, \
        "position of the vertex at qpos0, as a fraction (0 to 1) of the bounding box along " \
        "each axis") \
  ARRAY(mjtNum, flex_node, nflexnode, 3, "position of the node in the frame of its body, m") \
  ARRAY(mjtNum, flex_node0, nflexnode, 3, "position of the node at qpos0, world frame; with the behaviour flex in the axes of the " \
        "body of the first node, m") \
  ARRAY(mjtNum, flexedge_length0, nflexedge, 1, "length of the edge at qpos0, m") \
  ARRAY(mjtNum, flexedge_invweight0, nflexedge, 1, \
        "inverse inertia of the edge length at qpos0, 1/kg") \
  ARRAY(mjtNum, flex_radius, nflex, 1, "radius around the elements, m") \
  ARRAY(mjtNum, flex_stiffness, CND_API(nflexelem, nflexstiffness), CND_API(21, 1), \
        "stiffness matrix of the element between the squared elongations of its edges, upper " \
        "triangle, N/m^3; for an interpolated flex, the matrix of its box of nodes, N/m") \
  ARRAY(mjtNum, flex_bending, CND_API(nflexedge, nflexbending), CND_API(17, 1), \
        "bending stiffness of the edge between its two triangles: 4 x 4 matrix (N/m), then a " \
        "coefficient for curved reference shapes (N/m^2)") \
  ARRAY(mjtNum, flex_damping, nflex, 1, "Rayleigh damping: ratio of damping to stiffness, s") \
  ARRAY(mjtNum, flex_edgestiffness, nflex, 1, "stiffness of the springs along the edges, N/m") \
  ARRAY(mjtNum, flex_edgedamping, nflex, 1, "damping coefficient along the edges, N s/m") \
  ARRAY(mjtByte, flex_edgeequality, nflex, 1, \
        "1 if an equality constraint keeps the edge lengths") \
  ARRAY(CND_BOOL, flex_rigid, nflex, 1, "1 if all vertices belong to the same body") \
  ARRAY(CND_BOOL, flexedge_rigid, nflexedge, 1, \
        "1 if both vertices of the edge belong to the same body") \
  ARRAY(CND_BOOL, flex_centered, nflex, 1, "1 if every vertex is at the origin of its body") \
  ARRAY(CND_BOOL, flex_flatskin, nflex, 1, "1 if the flex is drawn with flat shading") \
  ARRAY(int, flex_bvhadr, nflex, 1, \
        "index of the root node of the flex's bounding volume tree; -1 if none") \
  ARRAY(int, flex_bvhnum, nflex, 1, "number of nodes of the flex's bounding volume tree") \
  ARRAY(float, flex_rgba, nflex, 4, \
        "color and opacity (RGBA, 0 to 1), used if there is no material") \
  ARRAY(float, flex_texcoord, nflextexcoord, 2, "texture coordinates of the vertices")
#define CND_MODEL_FLEX_SINCE(SINCE) \
  SINCE("4.0", NAN, int, flex_stiffnessadr, nflex, 1, \
        "index of the flex's first value in flex_stiffness; -1 if all are 0") \
  SINCE("4.0", NAN, int, flex_bendingadr, nflex, 1, \
        "index of the flex's first value in flex_bending; -1 if all are 0") \
  SINCE("4.0", NAN, int, flex_vertcell, nflexvert, 1, \
        "cell of the cage of nodes that the vertex is in; -1 without a cage") \
  SINCE("4.0", NAN, mjtNum, flex_size, nflex, 3, \
        "half sides of the box around the vertices at qpos0, m") \
  SINCE("3.6", NAN, int, flexedge_J_rownnz, nflexedge, 1, \
        "number of dofs that may change the length of the edge; 0 if nothing acts on it") \
  SINCE("3.6", NAN, int, flexedge_J_rowadr, nflexedge, 1, "index of the first of them") \
  SINCE("3.6", NAN, int, flexedge_J_colind, nJfe, 1, "these dofs, ascending in each row") \
  SINCE("3.7", 1, int, flex_cellnum, nflex, 3, "cells of the cage of nodes along each axis") \
  SINCE("4.0", 0, mjtNum, flex_yield, nflex, 2, \
        "strain at which stretch and bending yield; 0 if they don't") \
  SINCE("4.0", -1, int, flex_plasticadr, nflex, 1, \
        "index of the flex's plastic state in mjData.plastic; -1 if it has none") \
  SINCE("4.0", 0, int, flex_plasticmode, nflex, 1, \
        "what yields, a bit mask: bending 1, stretch 2") \
  SINCE("4.0", NAN, int, efm0_dofid, nefm0dof, 1, \
        "dof of each row of the constant factor for flexes that bend") \
  SINCE("4.0", NAN, int, efm0_L_rownnz, nefm0dof, 1, \
        "number of entries in the row of the constant factor") \
  SINCE("4.0", NAN, int, efm0_L_rowadr, nefm0dof, 1, "index of the row's first entry") \
  SINCE("4.0", NAN, int, efm0_L_colind, nefm0L, 1, "column of each entry") \
  SINCE("4.0", NAN, mjtNum, efm0_L, nefm0L, 1, "entries of the constant factor") \
  SINCE("4.0", NAN, int, efmC_perm, nefmCvert, 1, \
        "first dofs of the vertices in the order of the sparse factor of flexes; -1 for none")
#define CND_MODEL_FLEX_OWN(SINCE) \
  SINCE("", -1, int, cnd_flex_celladr, nflex, 1, \
        "index of the first number of the flex in cnd_flex_cell; -1 if its cells are not elastic") \
  SINCE("", 0, mjtNum, cnd_flex_cell, cnd_nflexcell, 1, \
        "elasticity of the cells of a cage: for each a matrix of 3 rows and columns per node, " \
        "N/m; of a shell, one for each outer face, the number of its hinges, and 10 numbers each") \
  SINCE("", 0, int, cnd_flex_shell, nflex, 1, \
        "1 if a cage is a shell, whose elasticity is that of its outer faces") \
  SINCE("", -1, int, cnd_flex_elemmatid, nflexelem, 1, \
        "id of the material of the element; -1: that of the flex") \
  SINCE("", 0, mjtNum, cnd_flex_thickness, nflex, 1, "thickness of a sheet that yields, m")

// meshes
#define CND_MODEL_MESH(ARRAY, HEAVY) \
  ARRAY(int, mesh_vertadr, nmesh, 1, "index of the first vertex of the mesh") \
  ARRAY(int, mesh_vertnum, nmesh, 1, "number of vertices of the mesh") \
  ARRAY(int, mesh_faceadr, nmesh, 1, "index of the first triangle of the mesh") \
  ARRAY(int, mesh_facenum, nmesh, 1, "number of triangles of the mesh") \
  ARRAY(int, mesh_bvhadr, nmesh, 1, "index of the root node of the mesh's bounding volume tree") \
  ARRAY(int, mesh_bvhnum, nmesh, 1, "number of nodes of the mesh's bounding volume tree") \
  ARRAY(int, mesh_octadr, nmesh, 1, "index of the root cell of the mesh's octree; -1 if none") \
  ARRAY(int, mesh_octnum, nmesh, 1, "number of cells of the mesh's octree") \
  ARRAY(int, mesh_normaladr, nmesh, 1, "index of the first normal of the mesh") \
  ARRAY(int, mesh_normalnum, nmesh, 1, "number of normals of the mesh") \
  ARRAY(int, mesh_texcoordadr, nmesh, 1, \
        "index of the first texture coordinate of the mesh; -1 if none") \
  ARRAY(int, mesh_texcoordnum, nmesh, 1, "number of texture coordinates of the mesh") \
  ARRAY(int, mesh_graphadr, nmesh, 1, "index of the mesh's convex hull in mesh_graph; -1 if none") \
  HEAVY(float, mesh_vert, nmeshvert, 3, \
        "vertex positions in the mesh frame (center of mass, principal axes), m") \
  HEAVY(float, mesh_normal, nmeshnormal, 3, "normals in the mesh frame, unit vectors") \
  HEAVY(float, mesh_texcoord, nmeshtexcoord, 2, "texture coordinates") \
  HEAVY(int, mesh_face, nmeshface, 3, \
        "vertices of the triangle, relative to the first vertex of the mesh") \
  HEAVY(int, mesh_facenormal, nmeshface, 3, \
        "normals of the triangle's corners, relative to the first normal of the mesh") \
  HEAVY(int, mesh_facetexcoord, nmeshface, 3, \
        "texture coordinates of the triangle's corners, relative to the first one of the mesh") \
  HEAVY(int, mesh_graph, nmeshgraph, 1, \
        "convex hulls, each as: number of vertices, number of faces, edge address of each " \
        "vertex, vertex ids, neighbours of each vertex ended by -1, vertices of the faces") \
  ARRAY(mjtNum, mesh_scale, nmesh, 3, "scale factors applied to the vertices of the file") \
  ARRAY(mjtNum, mesh_pos, nmesh, 3, "position of the mesh frame in the frame of the file, m") \
  ARRAY(mjtNum, mesh_quat, nmesh, 4, \
        "orientation of the mesh frame in the frame of the file, unit quaternion") \
  ARRAY(int, mesh_pathadr, nmesh, 1, "index of the file path in paths; -1 if none") \
  HEAVY(int, mesh_polynum, nmesh, 1, "number of hull polygons of the mesh") \
  HEAVY(int, mesh_polyadr, nmesh, 1, "index of the first hull polygon of the mesh") \
  HEAVY(mjtNum, mesh_polynormal, nmeshpoly, 3, \
        "normal of the polygon in the mesh frame, unit vector") \
  HEAVY(int, mesh_polyvertadr, nmeshpoly, 1, \
        "index of the polygon's first vertex in mesh_polyvert") \
  HEAVY(int, mesh_polyvertnum, nmeshpoly, 1, "number of vertices of the polygon") \
  HEAVY(int, mesh_polyvert, nmeshpolyvert, 1, \
        "vertices of the polygons, relative to the first vertex of the mesh") \
  HEAVY(int, mesh_polymapadr, nmeshvert, 1, "index of the vertex's first polygon in mesh_polymap") \
  HEAVY(int, mesh_polymapnum, nmeshvert, 1, "number of polygons that meet at the vertex") \
  HEAVY(int, mesh_polymap, nmeshpolymap, 1, \
        "polygons that meet at each vertex, relative to the first polygon of the mesh")
#define CND_MODEL_MESH_SINCE(SINCE) \
  SINCE("4.0", NAN, int, mesh_extrema, nmesh, 27, \
        "hull vertex that is farthest along (x, y, z), each of them -1, 0, 1; 0 without a hull")

// skins
#define CND_MODEL_SKIN(ARRAY, HEAVY) \
  ARRAY(int, skin_matid, nskin, 1, "id of the material; -1 if none") \
  ARRAY(int, skin_group, nskin, 1, "group by which viewers show or hide the object; 0 to 5") \
  ARRAY(float, skin_rgba, nskin, 4, \
        "color and opacity (RGBA, 0 to 1), used if there is no material") \
  ARRAY(float, skin_inflate, nskin, 1, \
        "distance by which vertices are moved outwards along their normals, m") \
  ARRAY(int, skin_vertadr, nskin, 1, "index of the first vertex of the skin") \
  ARRAY(int, skin_vertnum, nskin, 1, "number of vertices of the skin") \
  ARRAY(int, skin_texcoordadr, nskin, 1, \
        "index of the first texture coordinate of the skin; -1 if none") \
  ARRAY(int, skin_faceadr, nskin, 1, "index of the first triangle of the skin") \
  ARRAY(int, skin_facenum, nskin, 1, "number of triangles of the skin") \
  ARRAY(int, skin_boneadr, nskin, 1, "index of the first bone of the skin") \
  ARRAY(int, skin_bonenum, nskin, 1, "number of bones of the skin") \
  ARRAY(float, skin_vert, nskinvert, 3, "vertex positions in the bind pose, m") \
  ARRAY(float, skin_texcoord, nskintexvert, 2, "texture coordinates") \
  ARRAY(int, skin_face, nskinface, 3, \
        "vertices of the triangle, relative to the first vertex of the skin") \
  ARRAY(int, skin_bonevertadr, nskinbone, 1, "index of the bone's first vertex weight") \
  ARRAY(int, skin_bonevertnum, nskinbone, 1, "number of vertices that the bone moves") \
  ARRAY(float, skin_bonebindpos, nskinbone, 3, "position of the bone in the bind pose, m") \
  ARRAY(float, skin_bonebindquat, nskinbone, 4, \
        "orientation of the bone in the bind pose, unit quaternion") \
  ARRAY(int, skin_bonebodyid, nskinbone, 1, "id of the body that moves the bone") \
  ARRAY(int, skin_bonevertid, nskinbonevert, 1, \
        "vertex that the bone moves, relative to the first vertex of the skin") \
  ARRAY(float, skin_bonevertweight, nskinbonevert, 1, "weight of the bone on the vertex") \
  ARRAY(int, skin_pathadr, nskin, 1, "index of the file path in paths; -1 if none")

// height fields
#define CND_MODEL_HFIELD(ARRAY, HEAVY) \
  ARRAY(mjtNum, hfield_size, nhfield, 4, \
        "half sizes along x and y, height of a sample of 1, thickness of the base below height " \
        "0, m") \
  ARRAY(int, hfield_nrow, nhfield, 1, "number of rows of samples, along y") \
  ARRAY(int, hfield_ncol, nhfield, 1, "number of columns of samples, along x") \
  ARRAY(int, hfield_adr, nhfield, 1, "index of the first sample in hfield_data") \
  HEAVY(float, hfield_data, nhfielddata, 1, \
        "normalized heights of the samples, 0 to 1, row by row") \
  ARRAY(int, hfield_pathadr, nhfield, 1, "index of the file path in paths; -1 if none")

// textures
#define CND_MODEL_TEXTURE(ARRAY, HEAVY) \
  ARRAY(int, tex_type, ntex, 1, "type of texture: 2D, cube or skybox (mjtTexture)") \
  ARRAY(int, tex_colorspace, ntex, 1, "color space of the image (mjtColorSpace)") \
  ARRAY(int, tex_height, ntex, 1, \
        "image height, pixels; a cube texture has six square images one below the other") \
  ARRAY(int, tex_width, ntex, 1, "image width, pixels") \
  ARRAY(int, tex_nchannel, ntex, 1, "number of channels, bytes per pixel") \
  ARRAY(int, tex_adr, ntex, 1, "index of the first byte in tex_data") \
  HEAVY(mjtByte, tex_data, ntexdata, 1, "pixels of all images, row by row") \
  ARRAY(int, tex_pathadr, ntex, 1, "index of the file path in paths; -1 if none")
#define CND_MODEL_TEXTURE_SINCE(SINCE) \
  SINCE("3.17", -1, int, tex_contenttypeadr, ntex, 1, \
        "index in paths of the content type of a texture left by reference; -1 if none")

// materials
#define CND_MODEL_MATERIAL(ARRAY, HEAVY) \
  ARRAY(int, mat_texid, nmat, mjNTEXROLE, \
        "id of the texture for each role (mjtTextureRole); -1 if none") \
  ARRAY(CND_BOOL, mat_texuniform, nmat, 1, \
        "1 if the size of the texture does not depend on the size of the object") \
  ARRAY(float, mat_texrepeat, nmat, 2, "number of repetitions of a 2D texture along x and y") \
  ARRAY(float, mat_emission, nmat, 1, "emission, as a factor of the color") \
  ARRAY(float, mat_specular, nmat, 1, "intensity of specular reflection, 0 to 1") \
  ARRAY(float, mat_shininess, nmat, 1, "sharpness of specular highlights, 0 to 1") \
  ARRAY(float, mat_reflectance, nmat, 1, \
        "strength of mirror reflections, 0 to 1; 0 disables them") \
  ARRAY(float, mat_metallic, nmat, 1, "metallic factor, 0 to 1; negative if unspecified") \
  ARRAY(float, mat_roughness, nmat, 1, "roughness, 0 to 1; negative if unspecified") \
  ARRAY(float, mat_rgba, nmat, 4, "color and opacity, RGBA, 0 to 1")

// explicit collision pairs
#define CND_MODEL_PAIR(ARRAY, HEAVY) \
  ARRAY(int, pair_dim, npair, 1, \
        "dimension of the contacts: 1 frictionless, 3 tangential friction, 4 also torsional, 6 " \
        "also rolling") \
  ARRAY(int, pair_geom1, npair, 1, "id of the first geom") \
  ARRAY(int, pair_geom2, npair, 1, "id of the second geom") \
  ARRAY(int, pair_signature, npair, 1, \
        "ids of the bodies of the two geoms in one integer: (body1 << 16) + body2") \
  ARRAY(mjtNum, pair_solref, npair, mjNREF, \
        "solref of the contact normal: time constant (s) and damping ratio, or both negative: " \
        "-stiffness and -damping") \
  ARRAY(mjtNum, pair_solreffriction, npair, mjNREF, \
        "solref of the friction directions: time constant (s) and damping ratio, or both " \
        "negative: -stiffness and -damping; zeros: as for the normal") \
  ARRAY(mjtNum, pair_solimp, npair, mjNIMP, \
        "solimp of the contacts: dmin, dmax, width, midpoint, power") \
  ARRAY(mjtNum, pair_margin, npair, 1, "distance below which a contact is generated, m") \
  ARRAY(mjtNum, pair_gap, npair, 1, \
        "a contact exerts force only at distances below margin - gap, m") \
  ARRAY(mjtNum, pair_friction, npair, 5, \
        "friction coefficients: two tangents, torsion (m), two rolling axes (m)")
#define CND_MODEL_PAIR_SINCE(SINCE) \
  SINCE("3.11", 0, mjtNum, pair_adhesion, npair, 1, \
        "force by which the geoms adhere to each other, N")

// excluded body pairs
#define CND_MODEL_EXCLUDE(ARRAY, HEAVY) \
  ARRAY(int, exclude_signature, nexclude, 1, \
        "ids of the two bodies in one integer: (body1 << 16) + body2")

// equality constraints
#define CND_MODEL_EQUALITY(ARRAY, HEAVY) \
  ARRAY(int, eq_type, neq, 1, "type of equality constraint (mjtEq)") \
  ARRAY(int, eq_obj1id, neq, 1, "id of the first object") \
  ARRAY(int, eq_obj2id, neq, 1, "id of the second object; -1 if none") \
  ARRAY(int, eq_objtype, neq, 1, "type of both objects (mjtObj)") \
  ARRAY(CND_BOOL, eq_active0, neq, 1, "1 if the constraint is active after a reset") \
  ARRAY(mjtNum, eq_solref, neq, mjNREF, \
        "solref of the constraint: time constant (s) and damping ratio, or both negative: " \
        "-stiffness and -damping") \
  ARRAY(mjtNum, eq_solimp, neq, mjNIMP, \
        "solimp of the constraint: dmin, dmax, width, midpoint, power") \
  ARRAY(mjtNum, eq_data, neq, mjNEQDATA, \
        "parameters of the constraint: anchors, relative pose or polynomial coefficients, " \
        "depending on eq_type")
#define CND_MODEL_EQUALITY_OWN(SINCE) \
  SINCE("", 0, int, cnd_eq_unposed, neq, 1, \
        "1 if the relative pose of a weld is not given: mj_setConst finds it (eq_data 11 in 4.0)")

// tendons
#define CND_MODEL_TENDON(ARRAY, HEAVY) \
  ARRAY(int, tendon_adr, ntendon, 1, "index of the first path item of the tendon") \
  ARRAY(int, tendon_num, ntendon, 1, "number of path items of the tendon") \
  ARRAY(int, tendon_matid, ntendon, 1, "id of the material; -1 if none") \
  ARRAY(int, tendon_group, ntendon, 1, "group by which viewers show or hide the object; 0 to 5") \
  ARRAY(CND_BOOL, tendon_limited, ntendon, 1, "1 if the length is limited (tendon_range)") \
  ARRAY(CND_BOOL, tendon_actfrclimited, ntendon, 1, \
        "1 if the total actuator force on the tendon is clamped to tendon_actfrcrange") \
  ARRAY(mjtNum, tendon_width, ntendon, 1, "width of the tendon in drawings, m") \
  ARRAY(mjtNum, tendon_solref_lim, ntendon, mjNREF, \
        "solref of the limit: time constant (s) and damping ratio, or both negative: " \
        "-stiffness and -damping") \
  ARRAY(mjtNum, tendon_solimp_lim, ntendon, mjNIMP, \
        "solimp of the limit: dmin, dmax, width, midpoint, power") \
  ARRAY(mjtNum, tendon_solref_fri, ntendon, mjNREF, \
        "solref of the friction loss: time constant (s) and damping ratio, or both negative: " \
        "-stiffness and -damping") \
  ARRAY(mjtNum, tendon_solimp_fri, ntendon, mjNIMP, \
        "solimp of the friction loss: dmin, dmax, width, midpoint, power") \
  ARRAY(mjtNum, tendon_range, ntendon, 2, "minimum and maximum length, m") \
  ARRAY(mjtNum, tendon_actfrcrange, ntendon, 2, \
        "lower and upper bound of the total actuator force on the tendon, N") \
  ARRAY(mjtNum, tendon_margin, ntendon, 1, \
        "distance to the limit below which the limit constraint is active, m") \
  ARRAY(mjtNum, tendon_stiffness, ntendon, 1, "stiffness of the tendon's spring, N/m") \
  ARRAY(mjtNum, tendon_damping, ntendon, 1, "viscous damping coefficient, N s/m") \
  ARRAY(mjtNum, tendon_armature, ntendon, 1, \
        "inertia associated with changes of the tendon length, kg") \
  ARRAY(mjtNum, tendon_frictionloss, ntendon, 1, \
        "maximum force of dry friction (friction loss), N") \
  ARRAY(mjtNum, tendon_lengthspring, ntendon, 2, \
        "interval of lengths in which the spring exerts no force, m") \
  ARRAY(mjtNum, tendon_length0, ntendon, 1, "length of the tendon at qpos0, m") \
  ARRAY(mjtNum, tendon_invweight0, ntendon, 1, \
        "inverse inertia of the tendon length at qpos0, 1/kg") \
  ARRAY(mjtNum, tendon_user, ntendon, MJ_M(nuser_tendon), "user-defined values") \
  ARRAY(float, tendon_rgba, ntendon, 4, \
        "color and opacity (RGBA, 0 to 1), used if there is no material")
#define CND_MODEL_TENDON_SINCE(SINCE) \
  SINCE("3.4", NAN, int, tendon_treenum, ntendon, 1, \
        "number of kinematic trees that the path of the tendon touches") \
  SINCE("3.4", NAN, int, tendon_treeid, ntendon, 2, \
        "first two of these trees, in the order of the path; -1 if none") \
  SINCE("4.0", NAN, int, tendon_type, ntendon, 1, "0 fixed, 1 spatial (mjtTendon)") \
  SINCE("3.6", NAN, int, ten_J_rownnz, ntendon, 1, \
        "number of dofs that may change the length of the tendon") \
  SINCE("3.6", NAN, int, ten_J_rowadr, ntendon, 1, "index of the first of them") \
  SINCE("3.6", NAN, int, ten_J_colind, nJten, 1, "these dofs, ascending in each row") \
  SINCE("3.7", -1, int, tendon_actuatorid, ntendon, 1, \
        "id of the only actuator that adds damping or armature to the tendon; -1 if none " \
        "does, -2 if several do") \
  SINCE("3.7", 0, mjtNum, tendon_stiffnesspoly, ntendon, mjNPOLY, \
        "quadratic and cubic stiffness of the tendon spring, N/m^2 and N/m^3") \
  SINCE("3.7", 0, mjtNum, tendon_dampingpoly, ntendon, mjNPOLY, \
        "quadratic and cubic damping coefficient, N s^2/m^2 and N s^3/m^3") \
  SINCE("4.0", -1, int, tendon_plasticadr, ntendon, 1, \
        "index of the spring's rest lengths in mjData.plastic; -1 if it can't yield") \
  SINCE("4.0", 0, mjtNum, tendon_springyield, ntendon, 1, \
        "elastic stretch at which the tendon spring yields, m; 0 if it doesn't")

// path items of tendons
#define CND_MODEL_WRAP(ARRAY, HEAVY) \
  ARRAY(int, wrap_type, nwrap, 1, "type of path item (mjtWrap)") \
  ARRAY(int, wrap_objid, nwrap, 1, \
        "id of the joint, site or geom of the path item; -1 for a pulley") \
  ARRAY(mjtNum, wrap_prm, nwrap, 1, \
        "coefficient of a joint, divisor of a pulley, or id of the side site of a geom (-1 if " \
        "none)")

// actuators
#define CND_MODEL_ACTUATOR(ARRAY, HEAVY) \
  ARRAY(int, actuator_trntype, nactuator, 1, "type of transmission (mjtTrn)") \
  ARRAY(int, actuator_dyntype, nactuator, 1, "type of activation dynamics (mjtDyn)") \
  ARRAY(int, actuator_gaintype, nactuator, 1, \
        "type of gain: how force depends on control or activation (mjtGain)") \
  ARRAY(int, actuator_biastype, nactuator, 1, "type of bias: the force at zero control (mjtBias)") \
  ARRAY(int, actuator_trnid, nactuator, 2, \
        "ids of the transmission target (joint, tendon, site or body) and of a second site if " \
        "the type has one; -1 if none") \
  ARRAY(int, actuator_actadr, nactuator, 1, "index of the first activation state in act; -1 if none") \
  ARRAY(int, actuator_actnum, nactuator, 1, "number of activation states of the actuator") \
  ARRAY(int, actuator_group, nactuator, 1, \
        "group of the actuator; groups 0 to 30 can be disabled by opt.disableactuator") \
  ARRAY(CND_BOOL, actuator_ctrllimited, nu, 1, "1 if the control is clamped to actuator_ctrlrange") \
  ARRAY(CND_BOOL, actuator_forcelimited, nactuator, 1, "1 if the force is clamped to actuator_forcerange") \
  ARRAY(CND_BOOL, actuator_actlimited, nactuator, 1, \
        "1 if the activation is clamped to actuator_actrange") \
  ARRAY(mjtNum, actuator_dynprm, nactuator, mjNDYN, "parameters of the activation dynamics") \
  ARRAY(mjtNum, actuator_gainprm, nactuator, mjNGAIN, "parameters of the gain") \
  ARRAY(mjtNum, actuator_biasprm, nactuator, mjNBIAS, "parameters of the bias") \
  ARRAY(CND_BOOL, actuator_actearly, nactuator, 1, \
        "1 if the force uses the activation at the end of the step instead of the beginning") \
  ARRAY(mjtNum, actuator_ctrlrange, nu, 2, "lower and upper bound of the control") \
  ARRAY(mjtNum, actuator_forcerange, nactuator, 2, "lower and upper bound of the force, N or N m") \
  ARRAY(mjtNum, actuator_actrange, nactuator, 2, "lower and upper bound of the activation") \
  ARRAY(mjtNum, actuator_gear, nout, 6, \
        "gear ratio: scales the length and moment of the transmission; six components for " \
        "site, ball and free-joint transmissions") \
  ARRAY(mjtNum, actuator_cranklength, nactuator, 1, "length of the connecting rod of a slider-crank, m") \
  ARRAY(mjtNum, actuator_acc0, nout, 1, \
        "norm of the joint acceleration caused by unit actuator force at qpos0") \
  ARRAY(mjtNum, actuator_length0, nout, 1, \
        "length of the transmission at qpos0, including gear; m or rad") \
  ARRAY(mjtNum, actuator_lengthrange, nout, 2, \
        "range of transmission lengths that the mechanism can reach; m or rad") \
  ARRAY(mjtNum, actuator_user, nactuator, MJ_M(nuser_actuator), "user-defined values") \
  ARRAY(int, actuator_plugin, nactuator, 1, \
        "id of the plugin instance that computes the force; -1 if none")
#define CND_MODEL_ACTUATOR_SINCE(SINCE) \
  SINCE("3.11", NAN, int, actuator_ctrladr, nactuator, 1, \
        "index of the first control of the actuator in ctrl") \
  SINCE("3.11", NAN, int, actuator_ctrlspec, nactuator, 1, \
        "what its controls are: bits of mjtCtrlInput or mjtCtrlChart; 0: a plain command") \
  SINCE("3.11", NAN, int, actuator_outadr, nactuator, 1, \
        "index of the first force of the actuator in actuator_force, actuator_length, ...") \
  SINCE("3.11", 1, int, actuator_ctrlnum, nactuator, 1, "number of controls of the actuator") \
  SINCE("3.11", 1, int, actuator_outnum, nactuator, 1, "number of forces of the actuator") \
  SINCE("3.5", 0, int, actuator_history, nactuator, 2, \
        "number of past controls kept, and how they are interpolated: 0 held, 1 linear, 2 " \
        "cubic") \
  SINCE("3.5", -1, int, actuator_historyadr, nactuator, 1, \
        "index of the actuator's buffer in mjData.history; -1 if none") \
  SINCE("3.5", 0, mjtNum, actuator_delay, nactuator, 1, "time by which the control acts late, s") \
  SINCE("3.7", 0, mjtNum, actuator_damping, nactuator, 1, \
        "damping of what the actuator drives, before its gear, N s/m or N m s/rad") \
  SINCE("3.7", 0, mjtNum, actuator_dampingpoly, nactuator, mjNPOLY, \
        "quadratic and cubic damping, before its gear") \
  SINCE("3.7", 0, mjtNum, actuator_armature, nactuator, 1, \
        "inertia of the rotor, before its gear, kg or kg m^2")

// sensors
#define CND_MODEL_SENSOR(ARRAY, HEAVY) \
  ARRAY(int, sensor_type, nsensor, 1, "type of sensor (mjtSensor)") \
  ARRAY(int, sensor_datatype, nsensor, 1, "data type of the output (mjtDataType)") \
  ARRAY(int, sensor_needstage, nsensor, 1, \
        "computation stage after which the sensor can be evaluated (mjtStage)") \
  ARRAY(int, sensor_objtype, nsensor, 1, "type of the measured object (mjtObj)") \
  ARRAY(int, sensor_objid, nsensor, 1, "id of the measured object; -1 if none") \
  ARRAY(int, sensor_reftype, nsensor, 1, "type of the reference object (mjtObj)") \
  ARRAY(int, sensor_refid, nsensor, 1, \
        "id of the object in whose frame the output is expressed; -1 for the world frame") \
  ARRAY(int, sensor_intprm, nsensor, mjNSENS, "integer parameters, depending on sensor_type") \
  ARRAY(int, sensor_dim, nsensor, 1, "number of outputs") \
  ARRAY(int, sensor_adr, nsensor, 1, "index of the first output in sensordata") \
  ARRAY(mjtNum, sensor_cutoff, nsensor, 1, \
        "outputs are clipped to this absolute value; 0 disables clipping") \
  ARRAY(mjtNum, sensor_noise, nsensor, 1, \
        "standard deviation of noise, for use by the user; the engine adds no noise") \
  ARRAY(mjtNum, sensor_user, nsensor, MJ_M(nuser_sensor), "user-defined values") \
  ARRAY(int, sensor_plugin, nsensor, 1, \
        "id of the plugin instance that computes the sensor; -1 if none")
#define CND_MODEL_SENSOR_SINCE(SINCE) \
  SINCE("3.5", 0, int, sensor_history, nsensor, 2, \
        "number of past values kept, and how they are interpolated: 0 held, 1 linear, 2 " \
        "cubic") \
  SINCE("3.5", -1, int, sensor_historyadr, nsensor, 1, \
        "index of the sensor's buffer in mjData.history; -1 if none") \
  SINCE("3.5", 0, mjtNum, sensor_delay, nsensor, 1, \
        "time by which the sensor tells its value late, s") \
  SINCE("3.5", 0, mjtNum, sensor_interval, nsensor, 2, \
        "time between two measurements and time of the first one (at most 0), s")

// plugin instances
#define CND_MODEL_PLUGIN(ARRAY, HEAVY) \
  ARRAY(int, plugin, nplugin, 1, "slot of the plugin in the global plugin registry") \
  ARRAY(int, plugin_stateadr, nplugin, 1, \
        "index of the instance's first state variable in mjData.plugin_state") \
  ARRAY(int, plugin_statenum, nplugin, 1, "number of state variables of the instance") \
  ARRAY(char, plugin_attr, npluginattr, 1, \
        "configuration values of all instances, each terminated by 0") \
  ARRAY(int, plugin_attradr, nplugin, 1, \
        "index of the instance's first configuration value in plugin_attr")

// custom numbers, texts and tuples
#define CND_MODEL_CUSTOM(ARRAY, HEAVY) \
  ARRAY(int, numeric_adr, nnumeric, 1, "index of the array's first value in numeric_data") \
  ARRAY(int, numeric_size, nnumeric, 1, "number of values of the array") \
  ARRAY(mjtNum, numeric_data, nnumericdata, 1, "values of all custom numeric arrays") \
  ARRAY(int, text_adr, ntext, 1, "index of the first byte of the text in text_data") \
  ARRAY(int, text_size, ntext, 1, "number of bytes of the text, including its terminator") \
  ARRAY(char, text_data, ntextdata, 1, "all custom texts, each terminated by 0") \
  ARRAY(int, tuple_adr, ntuple, 1, "index of the first member of the tuple") \
  ARRAY(int, tuple_size, ntuple, 1, "number of members of the tuple") \
  ARRAY(int, tuple_objtype, ntupledata, 1, "type of the member (mjtObj)") \
  ARRAY(int, tuple_objid, ntupledata, 1, "id of the member") \
  ARRAY(mjtNum, tuple_objprm, ntupledata, 1, "custom number of the member")

// keyframes
#define CND_MODEL_KEY(ARRAY, HEAVY) \
  ARRAY(mjtNum, key_time, nkey, 1, "simulation time of the keyframe, s") \
  ARRAY(mjtNum, key_qpos, nkey, MJ_M(nq), "qpos of the keyframe; m, rad, unit quaternions") \
  ARRAY(mjtNum, key_qvel, nkey, MJ_M(nv), "qvel of the keyframe, m/s or rad/s") \
  ARRAY(mjtNum, key_act, nkey, MJ_M(na), "act of the keyframe") \
  ARRAY(mjtNum, key_mpos, nkey, MJ_M(nmocap)*3, "mocap_pos of the keyframe, m") \
  ARRAY(mjtNum, key_mquat, nkey, MJ_M(nmocap)*4, "mocap_quat of the keyframe, unit quaternions") \
  ARRAY(mjtNum, key_ctrl, nkey, MJ_M(nu), "ctrl of the keyframe")
#define CND_MODEL_KEY_SINCE(SINCE) \
  SINCE("4.0", 0, mjtNum, key_plastic, nkey, MJ_M(nplastic), "plastic state of the keyframe")

// names and paths
#define CND_MODEL_NAME(ARRAY, HEAVY) \
  ARRAY(int, name_bodyadr, nbody, 1, "index of the body's name in names") \
  ARRAY(int, name_jntadr, njnt, 1, "index of the joint's name in names") \
  ARRAY(int, name_geomadr, ngeom, 1, "index of the geom's name in names") \
  ARRAY(int, name_siteadr, nsite, 1, "index of the site's name in names") \
  ARRAY(int, name_camadr, ncam, 1, "index of the camera's name in names") \
  ARRAY(int, name_lightadr, nlight, 1, "index of the light's name in names") \
  ARRAY(int, name_flexadr, nflex, 1, "index of the flex's name in names") \
  ARRAY(int, name_meshadr, nmesh, 1, "index of the mesh's name in names") \
  ARRAY(int, name_skinadr, nskin, 1, "index of the skin's name in names") \
  ARRAY(int, name_hfieldadr, nhfield, 1, "index of the height field's name in names") \
  ARRAY(int, name_texadr, ntex, 1, "index of the texture's name in names") \
  ARRAY(int, name_matadr, nmat, 1, "index of the material's name in names") \
  ARRAY(int, name_pairadr, npair, 1, "index of the pair's name in names") \
  ARRAY(int, name_excludeadr, nexclude, 1, "index of the exclusion's name in names") \
  ARRAY(int, name_eqadr, neq, 1, "index of the equality's name in names") \
  ARRAY(int, name_tendonadr, ntendon, 1, "index of the tendon's name in names") \
  ARRAY(int, name_actuatoradr, nactuator, 1, "index of the actuator's name in names") \
  ARRAY(int, name_sensoradr, nsensor, 1, "index of the sensor's name in names") \
  ARRAY(int, name_numericadr, nnumeric, 1, "index of the custom array's name in names") \
  ARRAY(int, name_textadr, ntext, 1, "index of the custom text's name in names") \
  ARRAY(int, name_tupleadr, ntuple, 1, "index of the custom tuple's name in names") \
  ARRAY(int, name_keyadr, nkey, 1, "index of the keyframe's name in names") \
  ARRAY(int, name_pluginadr, nplugin, 1, "index of the plugin instance's name in names") \
  ARRAY(char, names, nnames, 1, \
        "name of the model, then names of all objects, each terminated by 0") \
  ARRAY(int, names_map, nnames_map, 1, \
        "hash tables from names to ids, one per object type; -1 in empty slots") \
  ARRAY(char, paths, npaths, 1, "paths of asset files, each terminated by 0")

// sparsity patterns of dof matrices; an address counts from the start of its array
#define CND_MODEL_PATTERN(ARRAY, HEAVY) \
  ARRAY(int, B_rownnz, nbody, 1, \
        "number of dofs of the body's ancestors, of the body and of its subtree") \
  ARRAY(int, B_rowadr, nbody, 1, "index of the body's first entry in B_colind") \
  ARRAY(int, B_colind, nB, 1, \
        "dofs of the body's ancestors, of the body and of its subtree, ascending") \
  ARRAY(int, M_rownnz, nv, 1, \
        "number of entries in the dof's row of M: its ancestors and itself; 1 for a simple dof") \
  ARRAY(int, M_rowadr, nv, 1, "index of the first entry of the dof's row in M") \
  ARRAY(int, M_colind, nC, 1, \
        "column indices of M, ascending; the last one of each row is the diagonal") \
  ARRAY(int, mapM2M, nC, 1, "index in qM of each entry of M") \
  ARRAY(int, D_rownnz, nv, 1, \
        "number of entries in the dof's row of the full pattern: ancestors, itself and " \
        "descendants") \
  ARRAY(int, D_rowadr, nv, 1, "index of the first entry of the dof's row in the full pattern") \
  ARRAY(int, D_diag, nv, 1, "position of the diagonal entry within the dof's row") \
  ARRAY(int, D_colind, nD, 1, "column indices of the full pattern, ascending") \
  ARRAY(int, mapM2D, nD, 1, "index in M of each entry of the full pattern; -1 if M has none") \
  ARRAY(int, mapD2M, nC, 1, "index in the full pattern of each entry of M")

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

// all arrays of later releases; in the buffer they follow those of 3.3.7
#define CND_MODEL_ARRAYS_LATER(SINCE) \
  CND_MODEL_JOINT_SINCE(SINCE) \
  CND_MODEL_DOF_SINCE(SINCE) \
  CND_MODEL_KINEMATIC_SINCE(SINCE) \
  CND_MODEL_GEOM_SINCE(SINCE) \
  CND_MODEL_SITE_SINCE(SINCE) \
  CND_MODEL_CAMERA_SINCE(SINCE) \
  CND_MODEL_LIGHT_SINCE(SINCE) \
  CND_MODEL_FLEX_SINCE(SINCE) \
  CND_MODEL_MESH_SINCE(SINCE) \
  CND_MODEL_TEXTURE_SINCE(SINCE) \
  CND_MODEL_PAIR_SINCE(SINCE) \
  CND_MODEL_TENDON_SINCE(SINCE) \
  CND_MODEL_ACTUATOR_SINCE(SINCE) \
  CND_MODEL_SENSOR_SINCE(SINCE) \
  CND_MODEL_KEY_SINCE(SINCE)
#define CND_MODEL_ARRAYS_SINCE(SINCE) \
  CND_MODEL_ARRAYS_LATER(SINCE) \
  CND_MODEL_FLEX_OWN(SINCE) \
  CND_MODEL_EQUALITY_OWN(SINCE)

// private counts
#define CND_MODEL_PRIVATE_SIZES(SIZE) \
  SIZE(int, cnd_nmemory, \
        "number of constraints whose values are kept from step to step; 0 with soft contacts")

// groups of trees of the same shape, in the model and, while something sleeps, in the data
#define CND_NRUN 10  // numbers of a run
#define CND_GROUP_ARRAYS(ARRAY) \
  ARRAY(int, cnd_group_tree, ntree, 1, "trees of the groups, one group after the other") \
  ARRAY(int, cnd_group, ntree, 2, \
        "place of the first tree of each group in cnd_group_tree, and number of its trees") \
  ARRAY(int, cnd_plain, nbody, CND_NRUN, \
        "runs of bodies that are in no group and don't sleep, as in cnd_run")

// private arrays: programs and patterns that the compiler works out once
#define CND_MODEL_PRIVATE_ARRAYS(ARRAY) \
  ARRAY(mjtNum, cnd_geom_restitution, ngeom, 1, \
        "coefficient of restitution of the geom, 0 to 1; if negative, that of cnd_contact") \
  ARRAY(mjtSize, cnd_geom_meet, ngeom, 1, \
        "set of geoms of a higher id, or of all if it is a plane, that the geom may touch") \
  ARRAY(int, cnd_geom_contype, ngeom, 1, "geom_contype from which cnd_geom_meet was made") \
  ARRAY(int, cnd_geom_conaffinity, ngeom, 1, \
        "geom_conaffinity from which cnd_geom_meet was made") \
  ARRAY(int, cnd_body_contype, nbody, 1, "body_contype from which cnd_geom_meet was made") \
  ARRAY(int, cnd_body_conaffinity, nbody, 1, "body_conaffinity from which cnd_geom_meet was made") \
  ARRAY(int, cnd_alike, ntree, 1, \
        "first of the trees of the same shape as the tree, with which it shares vectors; -1 if " \
        "there are too few") \
  ARRAY(int, cnd_alike_tree, ntree, 1, \
        "trees that share vectors, those of one shape after the other; -1 ends the list") \
  CND_GROUP_ARRAYS(ARRAY)

// clang-format on

#endif  // CONDYLE_MODEL_TABLE_H_
