// data_table.h: every scalar and array of mjData, written once, like model_table.h.
//
//   BYTES(name, meaning)                          a number of bytes (mjtSize)
//   SCALAR(type, name, meaning)                   a number
//   VECTOR(type, name, n1, n2, meaning)           n1*n2 values inside the struct
//   ARRAY, HEAVY(type, name, rows, columns, meaning)
//
// Arrays of the buffer live as long as the mjData: rows is a size of the model. Arrays of the arena
// live until the next position stage and are NULL before: rows is MJ_D(n), a count of the mjData,
// or MJ_M(n), a size of the model. Lists ..._SINCE are as in model_table.h.
//
// Conventions of the meanings: 6D quantities are rotation first, then translation; "about the
// tree's center of mass" is subtree_com of the body's root; matrices are row-major and rotation
// matrices map local to world axes; quaternions are (w, x, y, z).

#ifndef CONDYLE_DATA_TABLE_H_
#define CONDYLE_DATA_TABLE_H_

// clang-format off

// sizes of the model on which the arrays below depend, in the order in which a mismatch is reported
#define CND_DATA_SIZES(SIZE) \
  SIZE(nq) SIZE(nv) SIZE(nu) SIZE(na) SIZE(nbody) SIZE(njnt) SIZE(ngeom) SIZE(nsite) SIZE(ncam) \
  SIZE(nlight) SIZE(nflexvert) SIZE(nflexedge) SIZE(nflexelem) SIZE(neq) SIZE(ntendon) SIZE(nwrap) \
  SIZE(nsensordata) SIZE(nmocap) SIZE(nplugin) SIZE(npluginstate) SIZE(nuserdata) SIZE(nM) SIZE(nC) \
  SIZE(nD) SIZE(nJmom) SIZE(nbvh) SIZE(nbvhdynamic) SIZE(ntree) SIZE(nflex) SIZE(nhistory) \
  SIZE(nplastic) SIZE(nactuator) SIZE(nout) SIZE(nJten) SIZE(nJfe) SIZE(nflexstiffness) \
  SIZE(cnd_nmemory)

#define CND_ONE_MORE(name) +1
enum { CND_NDATASIZE = 0 CND_DATA_SIZES(CND_ONE_MORE) };
#undef CND_ONE_MORE

// numbers inside the struct
#define CND_DATA_SCALARS(BYTES, SCALAR) \
  BYTES(narena, "size of the arena in bytes, including the stack") \
  BYTES(nbuffer, "size of the buffer in bytes") \
  SCALAR(int, nplugin, "number of plugin instances") \
  SCALAR(size_t, pstack, "number of bytes of the arena used by the stack") \
  SCALAR(size_t, pbase, "value of pstack at the last call of mj_markStack, bytes") \
  SCALAR(size_t, parena, "number of bytes of the arena used by arrays") \
  BYTES(maxuse_stack, "maximum number of bytes that the stack has used") \
  BYTES(maxuse_arena, \
        "maximum number of bytes of the arena that arrays and stack together have used") \
  SCALAR(int, maxuse_con, "maximum number of contacts so far") \
  SCALAR(int, maxuse_efc, "maximum number of constraint rows so far") \
  SCALAR(int, ncon, "number of contacts") \
  SCALAR(int, ne, "number of equality rows, the first of the constraint rows") \
  SCALAR(int, nf, "number of friction loss rows, after the equality rows") \
  SCALAR(int, nl, "number of limit rows, after the friction loss rows") \
  SCALAR(int, nefc, "number of constraint rows") \
  SCALAR(int, nJ, "number of entries of efc_J") \
  SCALAR(int, nA, "number of entries of efc_AR") \
  SCALAR(int, nisland, \
        "number of constraint islands: groups of kinematic trees that are coupled by " \
        "constraints") \
  SCALAR(int, nidof, "number of dofs in all islands") \
  SCALAR(mjtNum, time, "simulation time, s") \
  SCALAR(uintptr_t, threadpool, "address of the thread pool; 0 if none")

// counts and flags of later releases
#define CND_DATA_SCALARS_SINCE(SINCE_SIZE) \
  SINCE_SIZE("3.4", int, ntree_awake, "number of trees that are awake") \
  SINCE_SIZE("3.4", int, nbody_awake, "number of bodies that are awake or static") \
  SINCE_SIZE("3.4", int, nparent_awake, "number of bodies whose parent is awake or static") \
  SINCE_SIZE("3.4", int, nv_awake, "number of dofs that are awake") \
  SINCE_SIZE("4.0", CND_BOOL, flg_energypos, "1 if energy[0] belongs to the positions") \
  SINCE_SIZE("4.0", CND_BOOL, flg_energyvel, "1 if energy[1] belongs to the velocities") \
  SINCE_SIZE("4.0", CND_BOOL, flg_subtreevel, \
        "1 if subtree_linvel and subtree_angmom belong to the velocities") \
  SINCE_SIZE("4.0", CND_BOOL, flg_rnepost, \
        "1 if cacc, cfrc_int and cfrc_ext belong to the accelerations") \
  SINCE_SIZE("3.9", int, nY, "number of entries of efc_Y") \
  SINCE_SIZE("4.0", CND_BOOL, threadlock, "not used: threads have stacks of their own") \
  SINCE_SIZE("4.0", int, efm_active, \
        "1 if the effective metric of discrete integration is in use, 2 if its rows are cut; else 0") \
  SINCE_SIZE("4.0", int, nefmK, "number of entries of efm_K_val") \
  SINCE_SIZE("4.0", int, nefmcon, "number of entries of efm_con_val") \
  SINCE_SIZE("4.0", int, nefmT, "number of tendons in efm_tid") \
  SINCE_SIZE("4.0", int, nefmA, "number of actuators in efm_aid") \
  SINCE_SIZE("4.0", int, nefmdof, "number of vertices in efm_dofid") \
  SINCE_SIZE("4.0", int, nefmL, "number of entries of efm_L")

// small arrays inside the struct
#define CND_DATA_VECTORS(BYTES, VECTOR) \
  BYTES(maxuse_threadstack, mjMAXTHREAD, 1, \
        "maximum number of bytes that the stack of each thread has used") \
  VECTOR(mjSolverStat, solver, mjNISLAND, mjNSOLVER, \
        "statistics of each solver iteration, for each island") \
  VECTOR(int, solver_niter, mjNISLAND, 1, "number of solver iterations, for each island") \
  VECTOR(int, solver_nnz, mjNISLAND, 1, \
        "number of entries of the solver's Hessian or of efc_AR, for each island") \
  VECTOR(mjtNum, solver_fwdinv, 2, 1, \
        "norm of the difference between forward and inverse dynamics: of qfrc_constraint, of " \
        "the applied generalized force") \
  VECTOR(mjWarningStat, warning, mjNWARNING, 1, \
        "number of times that each warning was raised, and its last information (mjtWarning)") \
  VECTOR(mjTimerStat, timer, mjNTIMER, 1, "duration and number of calls of each stage (mjtTimer)") \
  VECTOR(mjtNum, energy, 2, 1, "potential and kinetic energy, J")

// buffer: state, inputs and outputs
#define CND_DATA_STATE(ARRAY, HEAVY) \
  ARRAY(mjtNum, qpos, nq, 1, "joint positions (configuration): m, rad, unit quaternions") \
  ARRAY(mjtNum, qvel, nv, 1, "joint velocities (dofs), m/s or rad/s") \
  ARRAY(mjtNum, act, na, 1, "activation states of actuators with internal dynamics") \
  ARRAY(mjtNum, qacc_warmstart, nv, 1, \
        "acceleration of the previous step, from which the constraint solver starts, m/s^2 or " \
        "rad/s^2") \
  ARRAY(mjtNum, plugin_state, npluginstate, 1, "state variables of the plugin instances") \
  ARRAY(mjtNum, ctrl, nu, 1, "control inputs of the actuators, set by the user") \
  ARRAY(mjtNum, qfrc_applied, nv, 1, "generalized force applied by the user, N or N m") \
  ARRAY(mjtNum, xfrc_applied, nbody, 6, \
        "force (N), then torque (N m), applied by the user at the body's center of mass, world " \
        "axes") \
  ARRAY(CND_BOOL, eq_active, neq, 1, "1 if the equality constraint is enabled") \
  ARRAY(mjtNum, mocap_pos, nmocap, 3, "position of the mocap body, world frame, m") \
  ARRAY(mjtNum, mocap_quat, nmocap, 4, \
        "orientation of the mocap body, world frame, unit quaternion") \
  ARRAY(mjtNum, qacc, nv, 1, \
        "joint accelerations (dofs), m/s^2 or rad/s^2; input of inverse dynamics") \
  ARRAY(mjtNum, act_dot, na, 1, "time derivative of act") \
  ARRAY(mjtNum, userdata, nuserdata, 1, "user-defined values, not used by the engine") \
  ARRAY(mjtNum, sensordata, nsensordata, 1, "outputs of all sensors") \
  ARRAY(int, plugin, nplugin, 1, \
        "slot of each plugin instance in the global registry, copied from the model") \
  ARRAY(uintptr_t, plugin_data, nplugin, 1, "pointer to the private data of each plugin instance")

// buffer: functions of position
#define CND_DATA_POSITION(ARRAY, HEAVY) \
  ARRAY(mjtNum, xpos, nbody, 3, "position of the body frame, world frame, m") \
  ARRAY(mjtNum, xquat, nbody, 4, "orientation of the body frame, world frame, unit quaternion") \
  ARRAY(mjtNum, xmat, nbody, 9, "orientation of the body frame, rotation matrix, row-major") \
  ARRAY(mjtNum, xipos, nbody, 3, "position of the body's center of mass, world frame, m") \
  ARRAY(mjtNum, ximat, nbody, 9, \
        "orientation of the body's inertial frame (principal axes), rotation matrix, row-major") \
  ARRAY(mjtNum, xanchor, njnt, 3, "position of the joint anchor, world frame, m") \
  ARRAY(mjtNum, xaxis, njnt, 3, "axis of the joint, world frame, unit vector") \
  ARRAY(mjtNum, geom_xpos, ngeom, 3, "position of the geom, world frame, m") \
  ARRAY(mjtNum, geom_xmat, ngeom, 9, "orientation of the geom, rotation matrix, row-major") \
  ARRAY(mjtNum, site_xpos, nsite, 3, "position of the site, world frame, m") \
  ARRAY(mjtNum, site_xmat, nsite, 9, "orientation of the site, rotation matrix, row-major") \
  ARRAY(mjtNum, cam_xpos, ncam, 3, "position of the camera, world frame, m") \
  ARRAY(mjtNum, cam_xmat, ncam, 9, "orientation of the camera, rotation matrix, row-major") \
  ARRAY(mjtNum, light_xpos, nlight, 3, "position of the light, world frame, m") \
  ARRAY(mjtNum, light_xdir, nlight, 3, "direction of the light, world frame, unit vector") \
  ARRAY(mjtNum, subtree_com, nbody, 3, "center of mass of the body's subtree, world frame, m") \
  ARRAY(mjtNum, cdof, nv, 6, \
        "motion axis of the dof: rotation, then translation, about the tree's center of mass, " \
        "world axes") \
  ARRAY(mjtNum, cinert, nbody, 10, \
        "inertia of the body about the tree's center of mass, world axes: Ixx, Iyy, Izz, Ixy, " \
        "Ixz, Iyz (kg m^2), mass times offset (kg m), mass (kg)") \
  ARRAY(mjtNum, flexvert_xpos, nflexvert, 3, "position of the flex vertex, world frame, m") \
  ARRAY(mjtNum, flexelem_aabb, nflexelem, 6, \
        "bounding box of the flex element, center and half sizes, world frame, m") \
  ARRAY(int, flexedge_J_rownnz, nflexedge, 1, "number of entries in the edge's row of flexedge_J") \
  ARRAY(int, flexedge_J_rowadr, nflexedge, 1, \
        "index of the first entry of the edge's row in flexedge_J") \
  ARRAY(int, flexedge_J_colind, nflexedge, MJ_M(nv), "column indices (dofs) of flexedge_J") \
  ARRAY(mjtNum, CND_API(flexedge_J, cnd_flexedge_J), nflexedge, MJ_M(nv), \
        "Jacobian of the edge lengths: derivative of length by dof, sparse rows") \
  ARRAY(mjtNum, flexedge_length, nflexedge, 1, "length of the edge, m") \
  ARRAY(mjtNum, bvh_aabb_dyn, nbvhdynamic, 6, \
        "bounding box of the dynamic node, center and half sizes, world frame, m") \
  ARRAY(int, ten_wrapadr, ntendon, 1, "index of the tendon's first path point in wrap_xpos") \
  ARRAY(int, ten_wrapnum, ntendon, 1, "number of path points of the tendon") \
  ARRAY(int, ten_J_rownnz, ntendon, 1, "number of entries in the tendon's row of ten_J") \
  ARRAY(int, ten_J_rowadr, ntendon, 1, "index of the first entry of the tendon's row in ten_J") \
  ARRAY(int, ten_J_colind, ntendon, MJ_M(nv), "column indices (dofs) of ten_J") \
  ARRAY(mjtNum, CND_API(ten_J, cnd_ten_J), ntendon, MJ_M(nv), \
        "Jacobian of the tendon lengths (moment arms): derivative of length by dof") \
  ARRAY(mjtNum, ten_length, ntendon, 1, "length of the tendon, m") \
  ARRAY(int, wrap_obj, nwrap, 2, \
        "id of the geom around which the path wraps at each point; -1 for a site, -2 for a " \
        "pulley") \
  ARRAY(mjtNum, wrap_xpos, nwrap, 6, "path points of the tendons, two per row, world frame, m") \
  ARRAY(mjtNum, actuator_length, nout, 1, "length of the transmission, including gear; m or rad") \
  ARRAY(int, moment_rownnz, nout, 1, "number of entries in the actuator's row of actuator_moment") \
  ARRAY(int, moment_rowadr, nout, 1, \
        "index of the first entry of the actuator's row in actuator_moment") \
  ARRAY(int, moment_colind, nJmom, 1, "column indices (dofs) of actuator_moment") \
  ARRAY(mjtNum, actuator_moment, nJmom, 1, \
        "moment arms of the actuators, sparse rows: generalized force per unit of actuator " \
        "force, including gear") \
  HEAVY(mjtNum, crb, nbody, 10, \
        "composite inertia of the body's subtree, as one rigid body; layout of cinert") \
  HEAVY(mjtNum, qM, nM, 1, \
        "joint-space inertia matrix: for each dof its diagonal entry, then those of its " \
        "ancestors") \
  HEAVY(mjtNum, M, nC, 1, "joint-space inertia matrix, lower triangle in compressed sparse rows") \
  HEAVY(mjtNum, qLD, nC, 1, \
        "factors L and D of M = L'DL, with the sparsity of M; D on the diagonal") \
  ARRAY(mjtNum, qLDiagInv, nv, 1, "inverse of the diagonal D of qLD") \
  ARRAY(CND_BOOL, bvh_active, nbvh, 1, \
        "1 if a search for contacts opens the bounding volume node; written by mjv_updateScene " \
        "where boxes are shown")

// buffer: functions of position and velocity
#define CND_DATA_VELOCITY(ARRAY, HEAVY) \
  ARRAY(mjtNum, flexedge_velocity, nflexedge, 1, "time derivative of the edge length, m/s") \
  ARRAY(mjtNum, ten_velocity, ntendon, 1, "time derivative of the tendon length, m/s") \
  ARRAY(mjtNum, actuator_velocity, nout, 1, \
        "time derivative of the transmission length, m/s or rad/s") \
  ARRAY(mjtNum, cvel, nbody, 6, \
        "velocity of the body: angular (rad/s), then linear (m/s), at the tree's center of " \
        "mass, world axes") \
  ARRAY(mjtNum, cdof_dot, nv, 6, "time derivative of cdof") \
  ARRAY(mjtNum, qfrc_bias, nv, 1, \
        "bias force: generalized force needed for zero acceleration against Coriolis, " \
        "centrifugal and gravitational forces, N or N m") \
  ARRAY(mjtNum, qfrc_spring, nv, 1, "generalized force of springs, N or N m") \
  ARRAY(mjtNum, qfrc_damper, nv, 1, "generalized force of dampers, N or N m") \
  ARRAY(mjtNum, qfrc_gravcomp, nv, 1, "generalized force of gravity compensation, N or N m") \
  ARRAY(mjtNum, qfrc_fluid, nv, 1, "generalized force of the surrounding medium, N or N m") \
  ARRAY(mjtNum, qfrc_passive, nv, 1, "total generalized passive force, N or N m") \
  ARRAY(mjtNum, subtree_linvel, nbody, 3, \
        "velocity of the subtree's center of mass, world frame, m/s") \
  ARRAY(mjtNum, subtree_angmom, nbody, 3, \
        "angular momentum of the subtree about its center of mass, world frame, kg m^2/s") \
  HEAVY(mjtNum, qH, nC, 1, "factors of M + h diag(damping), with the sparsity of M") \
  ARRAY(mjtNum, qHDiagInv, nv, 1, "inverse of the diagonal factor of qH") \
  HEAVY(mjtNum, qDeriv, nD, 1, "derivative of all smooth forces by qvel, full sparse pattern") \
  HEAVY(mjtNum, qLU, nD, 1, \
        "LU factors of the matrix M - h qDeriv of implicit integration, full sparse pattern")

// buffer: functions of position, velocity and input
#define CND_DATA_ACCELERATION(ARRAY, HEAVY) \
  ARRAY(mjtNum, actuator_force, nout, 1, "scalar force of the actuator, N or N m (before gear)") \
  ARRAY(mjtNum, qfrc_actuator, nv, 1, "generalized force of all actuators, N or N m") \
  ARRAY(mjtNum, qfrc_smooth, nv, 1, "total generalized force without constraint forces, N or N m") \
  ARRAY(mjtNum, qacc_smooth, nv, 1, "acceleration without constraint forces, m/s^2 or rad/s^2") \
  ARRAY(mjtNum, qfrc_constraint, nv, 1, "generalized force of all constraints, N or N m") \
  ARRAY(mjtNum, qfrc_inverse, nv, 1, \
        "output of inverse dynamics: the external generalized force that produces qacc, N or N " \
        "m") \
  ARRAY(mjtNum, cacc, nbody, 6, \
        "acceleration of the body: angular (rad/s^2), then linear minus gravity (m/s^2), at " \
        "the tree's center of mass, world axes") \
  ARRAY(mjtNum, cfrc_int, nbody, 6, \
        "interaction force of the parent on the body: torque (N m), then force (N), about the " \
        "tree's center of mass, world axes") \
  ARRAY(mjtNum, cfrc_ext, nbody, 6, \
        "external force on the body: torque (N m), then force (N), about the tree's center of " \
        "mass, world axes")

// all public arrays of the buffer, in its order
#define CND_DATA_ARRAYS(ARRAY, HEAVY) \
  CND_DATA_STATE(ARRAY, HEAVY) \
  CND_DATA_POSITION(ARRAY, HEAVY) \
  CND_DATA_VELOCITY(ARRAY, HEAVY) \
  CND_DATA_ACCELERATION(ARRAY, HEAVY)

// buffer: arrays of later releases
#define CND_DATA_ARRAYS_SINCE(SINCE) \
  SINCE("3.5", 0, mjtNum, history, nhistory, 1, \
        "past controls of actuators, then past values of sensors: one buffer each") \
  SINCE("4.0", 0, mjtNum, plastic, nplastic, 1, "rest positions of springs that yield") \
  SINCE("4.0", 0, mjtNum, xiquat, nbody, 4, \
        "orientation of the body's inertial frame, world frame, unit quaternion") \
  SINCE("4.0", 0, mjtNum, geom_xquat, ngeom, 4, \
        "orientation of the geom, world frame, unit quaternion") \
  SINCE("4.0", 0, mjtNum, site_xquat, nsite, 4, \
        "orientation of the site, world frame, unit quaternion") \
  SINCE("3.11", 0, mjtNum, qfrc_adhesion, nv, 1, \
        "generalized force of adhesive contacts, a part of qfrc_passive") \
  SINCE("3.4", -11, int, tree_asleep, ntree, 1, \
        "negative: the tree is awake; else the next one in its cycle of sleeping trees") \
  SINCE("3.4", 1, int, tree_awake, ntree, 1, "1 if the tree is awake, 0 if it sleeps") \
  SINCE("3.4", NAN, int, body_awake, nbody, 1, \
        "whether the body sleeps: -1 static, 0 asleep, 1 awake (mjtSleepState)") \
  SINCE("3.4", NAN, int, body_awake_ind, nbody, 1, \
        "ids of the bodies that are awake or static, ascending; nbody_awake of them") \
  SINCE("3.4", NAN, int, parent_awake_ind, nbody, 1, \
        "ids of the bodies whose parent is awake or static, ascending; nparent_awake of them") \
  SINCE("3.4", NAN, int, dof_awake_ind, nv, 1, \
        "indices of the dofs that are awake, ascending; nv_awake of them") \
  SINCE("4.0", NAN, mjtNum, flexelem_krot, nflexstiffness, 1, \
        "stiffness of the elements as they have turned, for implicit steps") \
  SINCE("4.0", 0, CND_BOOL, flex_hessian_valid, nflex, 1, \
        "1 if the two arrays below are up to date") \
  SINCE("4.0", 0, mjtNum, flexvert_hessian, nflexvert, 6, \
        "second derivatives of a flex's energy by the position of a vertex") \
  SINCE("4.0", 0, mjtNum, flexedge_hessian, nflexedge, 9, \
        "second derivatives of a flex's energy by the two ends of an edge") \
  SINCE("4.0", 0, mjtNum, flexvert_lambda, nflexvert, 1, \
        "multiplier of the contacts of the vertex") \
  SINCE("4.0", 0, int, flexvert_conage, nflexvert, 1, "age of the contacts of the vertex, steps")

// buffer: arrays of later releases whose names mean others in 3.3.7
#define CND_DATA_ARRAYS_RESHAPED(SINCE) \
  SINCE("3.6", 0, mjtNum, CND_API(cnd_ten_J, ten_J), nJten, 1, \
        "Jacobian of the tendon lengths, at the dofs in ten_J_colind of the model") \
  SINCE("3.6", 0, mjtNum, CND_API(cnd_flexedge_J, flexedge_J), nJfe, 1, \
        "Jacobian of the edge lengths, at the dofs in flexedge_J_colind of the model")

// arena: contacts, at its start
#define CND_DATA_ARENA_CONTACT(ARRAY, HEAVY) \
  ARRAY(mjContact, contact, MJ_D(ncon), 1, "contacts found by collision detection")

// arena: constraint rows
#define CND_DATA_ARENA_SOLVER(ARRAY, HEAVY) \
  ARRAY(int, efc_type, MJ_D(nefc), 1, "type of the constraint row (mjtConstraint)") \
  ARRAY(int, efc_id, MJ_D(nefc), 1, \
        "id of the equality, dof, tendon, joint or contact of the row") \
  HEAVY(int, efc_J_rownnz, MJ_D(nefc), 1, "number of entries in the row of efc_J") \
  HEAVY(int, efc_J_rowadr, MJ_D(nefc), 1, "index of the first entry of the row in efc_J") \
  HEAVY(int, efc_J_rowsuper, MJ_D(nefc), 1, \
        "number of following rows of efc_J with the same columns") \
  HEAVY(int, efc_J_colind, MJ_D(nJ), 1, "column indices (dofs) of efc_J; unused if it is dense") \
  HEAVY(mjtNum, efc_J, MJ_D(nJ), 1, "constraint Jacobian, dense (nefc x nv) or sparse rows") \
  ARRAY(mjtNum, efc_pos, MJ_D(nefc), 1, \
        "constraint residual: distance of a contact or limit, error of an equality, m or rad") \
  ARRAY(mjtNum, efc_margin, MJ_D(nefc), 1, \
        "value of efc_pos below which the constraint is active, m or rad") \
  ARRAY(mjtNum, efc_frictionloss, MJ_D(nefc), 1, "maximum force of a friction loss row, N or N m") \
  ARRAY(mjtNum, CND_API(efc_diagApprox, efc_diagA), MJ_D(nefc), 1, \
        "approximate diagonal of J M^-1 J', 1/kg or 1/(kg m^2)") \
  ARRAY(mjtNum, efc_KBIP, MJ_D(nefc), 4, \
        "stiffness K, damping B, impedance I and derivative P of the impedance by the residual") \
  ARRAY(mjtNum, efc_D, MJ_D(nefc), 1, \
        "constraint mass: weight of the row in the solver's cost, 1 / efc_R") \
  ARRAY(mjtNum, efc_R, MJ_D(nefc), 1, "regularizer (inverse constraint mass)") \
  ARRAY(int, tendon_efcadr, MJ_M(ntendon), 1, \
        "index of the tendon's first equality row; -1 if none") \
  ARRAY(mjtNum, efc_vel, MJ_D(nefc), 1, "constraint velocity J qvel, m/s or rad/s") \
  ARRAY(mjtNum, efc_aref, MJ_D(nefc), 1, "reference acceleration, m/s^2 or rad/s^2") \
  ARRAY(mjtNum, efc_b, MJ_D(nefc), 1, \
        "J qacc_smooth - efc_aref, the linear term of the solver's cost in the forces") \
  ARRAY(int, efc_state, MJ_D(nefc), 1, \
        "state of the row: active piece of its cost (mjtConstraintState)") \
  ARRAY(mjtNum, efc_force, MJ_D(nefc), 1, "constraint force of the row, N or N m")

// arena: constraint rows in force space
#define CND_DATA_ARENA_DUAL(ARRAY, HEAVY) \
  HEAVY(int, efc_AR_rownnz, MJ_D(nefc), 1, "number of entries in the row of efc_AR") \
  HEAVY(int, efc_AR_rowadr, MJ_D(nefc), 1, "index of the first entry of the row in efc_AR") \
  HEAVY(int, efc_AR_colind, MJ_D(nA), 1, "column indices (constraint rows) of efc_AR") \
  HEAVY(mjtNum, efc_AR, MJ_D(nA), 1, "matrix J M^-1 J' + diag(R) of dual solvers")

// arena: efc- and dof-arrays sorted by island, whose names begin with i
#define CND_DATA_ARENA_ISLAND(ARRAY, HEAVY) \
  ARRAY(int, dof_island, MJ_M(nv), 1, "island of the dof; -1 if none") \
  ARRAY(int, island_nv, MJ_D(nisland), 1, "number of dofs of the island") \
  ARRAY(int, island_idofadr, MJ_D(nisland), 1, "index of the island's first dof in island order") \
  ARRAY(int, island_dofadr, MJ_D(nisland), 1, "smallest dof index of the island") \
  ARRAY(int, map_dof2idof, MJ_M(nv), 1, "index of the dof in island order") \
  ARRAY(int, map_idof2dof, MJ_M(nv), 1, \
        "dof at this index of island order; dofs without island come last") \
  ARRAY(mjtNum, ifrc_smooth, MJ_D(nidof), 1, "qfrc_smooth in island order") \
  ARRAY(mjtNum, iacc_smooth, MJ_D(nidof), 1, "qacc_smooth in island order") \
  HEAVY(int, iM_rownnz, MJ_D(nidof), 1, "number of entries in the row of iM") \
  HEAVY(int, iM_rowadr, MJ_D(nidof), 1, "index of the first entry of the row in iM") \
  HEAVY(int, iM_colind, MJ_M(nC), 1, "column indices of iM, in island order") \
  HEAVY(mjtNum, iM, MJ_M(nC), 1, \
        "inertia matrix in island order, lower triangle in compressed sparse rows") \
  HEAVY(mjtNum, iLD, MJ_M(nC), 1, "factors L and D of iM, with its sparsity; D on the diagonal") \
  ARRAY(mjtNum, iLDiagInv, MJ_D(nidof), 1, "inverse of the diagonal D of iLD") \
  ARRAY(mjtNum, iacc, MJ_D(nidof), 1, "qacc in island order") \
  ARRAY(int, efc_island, MJ_D(nefc), 1, "island of the constraint row") \
  ARRAY(int, island_ne, MJ_D(nisland), 1, "number of equality rows of the island") \
  ARRAY(int, island_nf, MJ_D(nisland), 1, "number of friction loss rows of the island") \
  ARRAY(int, island_nefc, MJ_D(nisland), 1, "number of constraint rows of the island") \
  ARRAY(int, island_iefcadr, MJ_D(nisland), 1, \
        "index of the island's first constraint row in island order") \
  ARRAY(int, map_efc2iefc, MJ_D(nefc), 1, "index of the constraint row in island order") \
  ARRAY(int, map_iefc2efc, MJ_D(nefc), 1, "constraint row at this index of island order") \
  ARRAY(int, iefc_type, MJ_D(nefc), 1, "efc_type in island order") \
  ARRAY(int, iefc_id, MJ_D(nefc), 1, "efc_id in island order") \
  HEAVY(int, iefc_J_rownnz, MJ_D(nefc), 1, "efc_J_rownnz in island order") \
  HEAVY(int, iefc_J_rowadr, MJ_D(nefc), 1, "index of the first entry of the row in iefc_J") \
  HEAVY(int, iefc_J_rowsuper, MJ_D(nefc), 1, "efc_J_rowsuper in island order") \
  HEAVY(int, iefc_J_colind, MJ_D(nJ), 1, "column indices of iefc_J, in island order") \
  HEAVY(mjtNum, iefc_J, MJ_D(nJ), 1, "constraint Jacobian, rows and columns in island order") \
  ARRAY(mjtNum, iefc_frictionloss, MJ_D(nefc), 1, "efc_frictionloss in island order") \
  ARRAY(mjtNum, iefc_D, MJ_D(nefc), 1, "efc_D in island order") \
  ARRAY(mjtNum, iefc_R, MJ_D(nefc), 1, "efc_R in island order") \
  ARRAY(mjtNum, iefc_aref, MJ_D(nefc), 1, "efc_aref in island order") \
  ARRAY(int, iefc_state, MJ_D(nefc), 1, "efc_state in island order") \
  ARRAY(mjtNum, iefc_force, MJ_D(nefc), 1, "efc_force in island order") \
  ARRAY(mjtNum, ifrc_constraint, MJ_D(nidof), 1, "qfrc_constraint in island order")

// all public arrays of the arena
#define CND_DATA_ARENA_ARRAYS(ARRAY, HEAVY) \
  CND_DATA_ARENA_CONTACT(ARRAY, HEAVY) \
  CND_DATA_ARENA_SOLVER(ARRAY, HEAVY) \
  CND_DATA_ARENA_DUAL(ARRAY, HEAVY) \
  CND_DATA_ARENA_ISLAND(ARRAY, HEAVY)

// arena: arrays of later releases
#define CND_DATA_ARENA_DUAL_SINCE(SINCE) \
  SINCE("3.9", 0, int, efc_Y_rownnz, MJ_D(nefc), 1, \
        "number of entries in the row of efc_Y; 0 if it is dense") \
  SINCE("3.9", 0, int, efc_Y_rowadr, MJ_D(nefc), 1, "index of the first entry of the row") \
  SINCE("3.9", 0, int, efc_Y_colind, MJ_D(nY), 1, "column indices of efc_Y; 0 if it is dense") \
  SINCE("3.9", 0, mjtNum, efc_Y, MJ_D(nY), 1, \
        "constraint Jacobian times the square root of the inverse inertia, J M^(-1/2)")
#define CND_DATA_ARENA_ISLAND_SINCE(SINCE) \
  SINCE("4.0", -1, int, tree_island, MJ_M(ntree), 1, "island of the tree; -1 if none") \
  SINCE("4.0", 0, int, island_ntree, MJ_D(nisland), 1, "number of trees of the island") \
  SINCE("4.0", 0, int, island_itreeadr, MJ_D(nisland), 1, \
        "index of the island's first tree in island order") \
  SINCE("4.0", 0, int, map_itree2tree, MJ_M(ntree), 1, \
        "tree at this index of island order; trees without island come last")
#define CND_DATA_ARENA_EFM_SINCE(SINCE) \
  SINCE("4.0", 0, mjtNum, efm_c, MJ_M(nv), 1, "shift of smooth forces by velocity, N or N m") \
  SINCE("4.0", 0, mjtNum, efm_diag, MJ_M(nv), 1, "diagonal of the effective metric") \
  SINCE("4.0", 0, mjtNum, efm_ck, MJ_M(nv), 1, "stiffness times the time step, by dof") \
  SINCE("4.0", 0, mjtNum, efm_sdiag, MJ_M(nv), 1, "what is added to the diagonal of M") \
  SINCE("4.0", 0, mjtNum, efm_fluid, MJ_M(nC), 1, "drag, with the sparsity of M") \
  SINCE("4.0", 0, int, efm_tid, MJ_M(ntendon), 1, "ids of tendons in the metric") \
  SINCE("4.0", 0, mjtNum, efm_ts, MJ_M(ntendon), 1, "weight of each of them") \
  SINCE("4.0", 0, mjtNum, efm_tk, MJ_M(ntendon), 1, "stiffness of each, times the time step") \
  SINCE("4.0", 0, int, efm_aid, MJ_M(nactuator), 1, "ids of actuators in the metric") \
  SINCE("4.0", 0, mjtNum, efm_as, MJ_M(nactuator), 1, "weight of each of them") \
  SINCE("4.0", 0, mjtNum, efm_ak, MJ_M(nactuator), 1, "stiffness of each, times the time step") \
  SINCE("4.0", 0, mjtNum, efm_ca, MJ_M(nv), 1, "shift of smooth forces by actuators") \
  SINCE("4.0", 0, int, efm_K_rownnz, MJ_M(nv), 1, "number of entries in the row of efm_K_val") \
  SINCE("4.0", 0, int, efm_K_rowadr, MJ_M(nv), 1, "index of the first entry of the row") \
  SINCE("4.0", 0, int, efm_K_colind, MJ_D(nefmK), 1, "column indices of efm_K_val") \
  SINCE("4.0", 0, mjtNum, efm_K_val, MJ_D(nefmK), 1, "what the effective metric adds to M: lower triangle, sparse rows") \
  SINCE("4.0", 0, int, efm_dofid, MJ_D(nefmdof), 1, "first dof of each vertex in the metric") \
  SINCE("4.0", 0, int, efm_con_ind, MJ_D(nefmcon), 1, "rows of contacts: number, id, dofs") \
  SINCE("4.0", 0, mjtNum, efm_con_val, MJ_D(nefmcon), 1, \
        "rows of contacts: weight, force, entries") \
  SINCE("4.0", 0, mjtNum, efm_L, MJ_D(nefmL), 1, "factor that preconditions flexes: none, cnd_efm_L is whole")
#define CND_DATA_ARENA_EFM_OWN(SINCE) \
  SINCE("", 0, mjtNum, cnd_efm_L, MJ_D(cnd_nefmL), 1, \
        "factor of the effective metric: its rows, then nv inverse pivots")
#define CND_DATA_ARENA_SINCE(SINCE) \
  CND_DATA_ARENA_DUAL_SINCE(SINCE) \
  CND_DATA_ARENA_ISLAND_SINCE(SINCE) \
  CND_DATA_ARENA_EFM_SINCE(SINCE) \
  CND_DATA_ARENA_EFM_OWN(SINCE)

// private numbers inside the struct
#define CND_DATA_PRIVATE_SCALARS(SCALAR) \
  SCALAR(int, cnd_stage, \
        "stage of Runge-Kutta that is evaluated; 0 or less: the beginning of the step") \
  SCALAR(mjtSize, cnd_arena, \
        "size of the arena in bytes, including the reserve for temporaries of every stage") \
  SCALAR(mjtSize, cnd_copies, \
        "stack offset of the meshes copied for collision detection; 0 if none") \
  SCALAR(mjtSize, cnd_pairs, \
        "stack offset of the contacts of each geom pair, kept for the next evaluation; 0 if " \
        "none") \
  SCALAR(mjtSize, cnd_solverCache, \
        "stack offset of what the solver keeps for its next call; 0 if none") \
  SCALAR(uintptr_t, cnd_shard, \
        "address of the stacks of the threads of the thread pool; 0 if none") \
  SCALAR(uintptr_t, cnd_apart, \
        "address of the directions along which pairs of geoms were last apart; 0 if none") \
  SCALAR(int, cnd_nrun, "number of runs in cnd_run") \
  SCALAR(int, cnd_ngroup, "number of groups in cnd_group") \
  SCALAR(int, cnd_nplain, "number of runs in cnd_plain") \
  SCALAR(int, cnd_nefmL, "number of entries of cnd_efm_L") \
  SCALAR(mjtNum, cnd_margin_asleep, "margin of all contacts with which cnd_box_asleep was made, m") \
  SCALAR(int, cnd_ownsPool, "1 if the thread pool is destroyed together with the data") \
  SCALAR(uint64_t, cnd_shape, "hash of cnd_size for a check that model and data match")

#define CND_DATA_PRIVATE_VECTORS(VECTOR) \
  VECTOR(int, cnd_size, CND_NDATASIZE, 1, \
        "sizes of the model for which the data was made, in the order of CND_DATA_SIZES") \
  VECTOR(mjWarningStat, cnd_warning, cndWARN_END - cndWARN_FIRST, 1, \
        "number of times that each of Condyle's own warnings was raised (cndtWarning, from " \
        "cndWARN_FIRST on)")

// private arrays of the buffer
#define CND_DATA_PRIVATE_ARRAYS(ARRAY) \
  ARRAY(mjtNum, cnd_memory, cnd_nmemory, CND_NMEMORY, \
        "for each constraint: kind, ids, position and values kept from step to step; kind 0 " \
        "ends the list") \
  ARRAY(mjtNum, cnd_correction, nv, 1, \
        "velocity that corrects positions in the integration of this step only, m/s or rad/s") \
  ARRAY(int, cnd_run, nbody, CND_NRUN, \
        "runs of consecutive bodies that don't sleep: bodies, joints, dofs, geoms, sites, each from " \
        "the first to the one behind the last") \
  CND_GROUP_ARRAYS(ARRAY) \
  ARRAY(int, cnd_cycle, ntree, 1, "first tree of the cycle in which the tree sleeps") \
  ARRAY(mjtNum, cnd_qpos_asleep, nq, 1, "qpos of trees that sleep, as they fell asleep") \
  ARRAY(mjtNum, cnd_mocap_asleep, nmocap, 7, \
        "poses of mocap bodies as trees that they carry fell asleep: position, quaternion") \
  ARRAY(float, cnd_box_asleep, ntree, 8, \
        "bounds of the geoms of trees that sleep: lower corner, 0 if it is computed, upper, 0; m")

// private arrays of the arena
#define CND_DATA_PRIVATE_ARENA_ARRAYS(ARRAY)

// clang-format on

#endif  // CONDYLE_DATA_TABLE_H_
