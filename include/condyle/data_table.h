// data_table.h: every scalar and array of mjData, written once, like model_table.h.
//
//   BYTES(name, meaning)                          a number of bytes (mjtSize)
//   SCALAR(type, name, meaning)                   a number
//   VECTOR(type, name, n1, n2, meaning)           n1*n2 values inside the struct
//   ARRAY, HEAVY(type, name, rows, columns, meaning)
//
// Arrays of the buffer live as long as the mjData: rows is a size of the model. Arrays of the arena
// live until the next position stage and are NULL before: rows is MJ_D(n), a count of the mjData,
// or MJ_M(n), a size of the model.
//
// Conventions of the meanings: 6D quantities are rotation first, then translation; "about the
// tree's center of mass" is subtree_com of the body's root; matrices are row-major and rotation
// matrices map local to world axes.

#ifndef CONDYLE_DATA_TABLE_H_
#define CONDYLE_DATA_TABLE_H_

// clang-format off

// sizes of the model on which the arrays below depend, in the order in which a mismatch is reported
#define CND_DATA_SIZES(SIZE) \
  SIZE(nq) SIZE(nv) SIZE(nu) SIZE(na) SIZE(nbody) SIZE(njnt) SIZE(ngeom) SIZE(nsite) SIZE(ncam) \
  SIZE(nlight) SIZE(nflexvert) SIZE(nflexedge) SIZE(nflexelem) SIZE(neq) SIZE(ntendon) SIZE(nwrap) \
  SIZE(nsensordata) SIZE(nmocap) SIZE(nplugin) SIZE(npluginstate) SIZE(nuserdata) SIZE(nM) SIZE(nC) \
  SIZE(nD) SIZE(nJmom) SIZE(nbvh) SIZE(nbvhdynamic) SIZE(cnd_nmemory)

#define CND_ONE_MORE(name) +1
enum { CND_NDATASIZE = 0 CND_DATA_SIZES(CND_ONE_MORE) };
#undef CND_ONE_MORE

// numbers inside the struct
#define CND_DATA_SCALARS(BYTES, SCALAR) \
  BYTES(narena, "bytes of the arena, stack included") \
  BYTES(nbuffer, "bytes of the buffer") \
  SCALAR(int, nplugin, "plugin instances") \
  SCALAR(size_t, pstack, "bytes of the arena in use by the stack") \
  SCALAR(size_t, pbase, "top of the stack when mj_markStack was last called") \
  SCALAR(size_t, parena, "bytes of the arena in use from its low end") \
  BYTES(maxuse_stack, "most bytes the stack has used") \
  BYTES(maxuse_arena, "most bytes that both ends of the arena have used together") \
  SCALAR(int, maxuse_con, "most contacts so far") \
  SCALAR(int, maxuse_efc, "most constraint rows so far") \
  SCALAR(int, ncon, "contacts") \
  SCALAR(int, ne, "rows of equality constraints; they come first") \
  SCALAR(int, nf, "rows of friction loss; they come second") \
  SCALAR(int, nl, "rows of limits; they come third") \
  SCALAR(int, nefc, "constraint rows") \
  SCALAR(int, nJ, "entries of efc_J") \
  SCALAR(int, nA, "entries of efc_AR") \
  SCALAR(int, nisland, "constraint islands: groups of trees that touch each other") \
  SCALAR(int, nidof, "dofs in all islands") \
  SCALAR(mjtNum, time, "simulated time, s") \
  SCALAR(uintptr_t, threadpool, "bound thread pool; 0 if none")

// small arrays inside the struct
#define CND_DATA_VECTORS(BYTES, VECTOR) \
  BYTES(maxuse_threadstack, mjMAXTHREAD, 1, "most bytes the stack of each thread has used") \
  VECTOR(mjSolverStat, solver, mjNISLAND, mjNSOLVER, "what each solver iteration did, per island") \
  VECTOR(int, solver_niter, mjNISLAND, 1, "iterations of the solver, per island") \
  VECTOR(int, solver_nnz, mjNISLAND, 1, "entries of the solver's Hessian or of AR, per island") \
  VECTOR(mjtNum, solver_fwdinv, 2, 1, \
        "disagreement of forward and inverse dynamics: generalized forces, constraint forces") \
  VECTOR(mjWarningStat, warning, mjNWARNING, 1, "how often each warning was raised (mjtWarning)") \
  VECTOR(mjTimerStat, timer, mjNTIMER, 1, "time spent in each stage (mjtTimer)") \
  VECTOR(mjtNum, energy, 2, 1, "potential and kinetic energy, J")

// buffer: state, inputs and outputs
#define CND_DATA_STATE(ARRAY, HEAVY) \
  ARRAY(mjtNum, qpos, nq, 1, "configuration: positions in m, angles in rad, unit quaternions") \
  ARRAY(mjtNum, qvel, nv, 1, "velocity of the dofs, m/s or rad/s") \
  ARRAY(mjtNum, act, na, 1, "activations of actuators with internal dynamics") \
  ARRAY(mjtNum, qacc_warmstart, nv, 1, "acceleration of the last step, where the solver starts") \
  ARRAY(mjtNum, plugin_state, npluginstate, 1, "state of the plugin instances") \
  ARRAY(mjtNum, ctrl, nu, 1, "controls, set by the user") \
  ARRAY(mjtNum, qfrc_applied, nv, 1, "generalized force applied by the user") \
  ARRAY(mjtNum, xfrc_applied, nbody, 6, \
        "force (N), then torque (N m) applied by the user at the body's center of mass, world " \
        "axes") \
  ARRAY(mjtByte, eq_active, neq, 1, "1 if the equality constraint is active") \
  ARRAY(mjtNum, mocap_pos, nmocap, 3, "position of the mocap body, m") \
  ARRAY(mjtNum, mocap_quat, nmocap, 4, "orientation of the mocap body") \
  ARRAY(mjtNum, qacc, nv, 1, "acceleration of the dofs; input of inverse dynamics") \
  ARRAY(mjtNum, act_dot, na, 1, "time derivative of act") \
  ARRAY(mjtNum, userdata, nuserdata, 1, "user numbers, never touched by the engine") \
  ARRAY(mjtNum, sensordata, nsensordata, 1, "outputs of all sensors") \
  ARRAY(int, plugin, nplugin, 1, "slot of each plugin instance, copied from the model") \
  ARRAY(uintptr_t, plugin_data, nplugin, 1, \
        "pointer to what the plugin instance keeps for itself")

// buffer: functions of position
#define CND_DATA_POSITION(ARRAY, HEAVY) \
  ARRAY(mjtNum, xpos, nbody, 3, "origin of the body frame, world frame, m") \
  ARRAY(mjtNum, xquat, nbody, 4, "orientation of the body frame, world frame") \
  ARRAY(mjtNum, xmat, nbody, 9, "rotation matrix of the body frame, columns are its axes") \
  ARRAY(mjtNum, xipos, nbody, 3, "center of mass of the body, world frame, m") \
  ARRAY(mjtNum, ximat, nbody, 9, "rotation matrix of the principal axes of inertia") \
  ARRAY(mjtNum, xanchor, njnt, 3, "anchor of the joint, world frame, m") \
  ARRAY(mjtNum, xaxis, njnt, 3, "axis of the joint, world frame") \
  ARRAY(mjtNum, geom_xpos, ngeom, 3, "center of the geom, world frame, m") \
  ARRAY(mjtNum, geom_xmat, ngeom, 9, "rotation matrix of the geom") \
  ARRAY(mjtNum, site_xpos, nsite, 3, "origin of the site, world frame, m") \
  ARRAY(mjtNum, site_xmat, nsite, 9, "rotation matrix of the site") \
  ARRAY(mjtNum, cam_xpos, ncam, 3, "origin of the camera, world frame, m") \
  ARRAY(mjtNum, cam_xmat, ncam, 9, "rotation matrix of the camera") \
  ARRAY(mjtNum, light_xpos, nlight, 3, "origin of the light, world frame, m") \
  ARRAY(mjtNum, light_xdir, nlight, 3, "direction of the light, world frame") \
  ARRAY(mjtNum, subtree_com, nbody, 3, "center of mass of the body's subtree, world frame, m") \
  ARRAY(mjtNum, cdof, nv, 6, \
        "motion axis of the dof, rotation then translation, about the tree's center of mass, " \
        "world axes") \
  ARRAY(mjtNum, cinert, nbody, 10, \
        "inertia of the body about the tree's center of mass, world axes: 6 moments, 3 mass " \
        "times offset, mass") \
  ARRAY(mjtNum, flexvert_xpos, nflexvert, 3, "vertex of a flex, world frame, m") \
  ARRAY(mjtNum, flexelem_aabb, nflexelem, 6, \
        "center and half sizes of the element's box, world frame, m") \
  ARRAY(int, flexedge_J_rownnz, nflexedge, 1, "entries in the row of the edge") \
  ARRAY(int, flexedge_J_rowadr, nflexedge, 1, "where the row of the edge begins") \
  ARRAY(int, flexedge_J_colind, nflexedge, MJ_M(nv), "dofs that change the length of the edge") \
  ARRAY(mjtNum, flexedge_J, nflexedge, MJ_M(nv), \
        "how the length of the edge changes with the dofs") \
  ARRAY(mjtNum, flexedge_length, nflexedge, 1, "length of the edge, m") \
  ARRAY(mjtNum, bvh_aabb_dyn, nbvhdynamic, 6, \
        "center and half sizes of a moving tree node, world frame, m") \
  ARRAY(int, ten_wrapadr, ntendon, 1, "first path point of the tendon in wrap_xpos") \
  ARRAY(int, ten_wrapnum, ntendon, 1, "how many path points the tendon has now") \
  ARRAY(int, ten_J_rownnz, ntendon, 1, "entries in the row of the tendon") \
  ARRAY(int, ten_J_rowadr, ntendon, 1, "where the row of the tendon begins") \
  ARRAY(int, ten_J_colind, ntendon, MJ_M(nv), "dofs that change the length of the tendon") \
  ARRAY(mjtNum, ten_J, ntendon, MJ_M(nv), \
        "how the length of the tendon changes with the dofs: its moment arms") \
  ARRAY(mjtNum, ten_length, ntendon, 1, "length of the tendon, m") \
  ARRAY(int, wrap_obj, nwrap, 2, \
        "geom around which the path bends here; -1 for a site, -2 for a pulley") \
  ARRAY(mjtNum, wrap_xpos, nwrap, 6, "path points, two of 3 numbers in each row, world frame, m") \
  ARRAY(mjtNum, actuator_length, nu, 1, "length of the transmission, gear included") \
  ARRAY(int, moment_rownnz, nu, 1, "entries in the row of the actuator") \
  ARRAY(int, moment_rowadr, nu, 1, "where the row of the actuator begins in actuator_moment") \
  ARRAY(int, moment_colind, nJmom, 1, "dofs that the actuator drives") \
  ARRAY(mjtNum, actuator_moment, nJmom, 1, \
        "generalized force of each actuator per unit of force, gear included") \
  HEAVY(mjtNum, crb, nbody, 10, \
        "inertia of the body's subtree taken as one rigid body, shaped like cinert") \
  HEAVY(mjtNum, qM, nM, 1, "inertia matrix, one entry per dof and ancestor, from the dof up") \
  HEAVY(mjtNum, M, nC, 1, "inertia matrix, lower triangle in compressed rows") \
  HEAVY(mjtNum, qLD, nC, 1, "factors of M = L'DL in the places of M; D on the diagonal") \
  ARRAY(mjtNum, qLDiagInv, nv, 1, "inverse of D") \
  ARRAY(mjtByte, bvh_active, nbvh, 1, "1 if the tree node was reached by the midphase")

// buffer: functions of position and velocity
#define CND_DATA_VELOCITY(ARRAY, HEAVY) \
  ARRAY(mjtNum, flexedge_velocity, nflexedge, 1, "rate of the edge's length, m/s") \
  ARRAY(mjtNum, ten_velocity, ntendon, 1, "rate of the tendon's length, m/s") \
  ARRAY(mjtNum, actuator_velocity, nu, 1, "rate of the transmission's length") \
  ARRAY(mjtNum, cvel, nbody, 6, \
        "velocity of the body at the tree's center of mass: angular, then linear, world axes") \
  ARRAY(mjtNum, cdof_dot, nv, 6, "time derivative of cdof") \
  ARRAY(mjtNum, qfrc_bias, nv, 1, \
        "Coriolis, centrifugal and gravity terms: force needed for zero acceleration") \
  ARRAY(mjtNum, qfrc_spring, nv, 1, "force of springs") \
  ARRAY(mjtNum, qfrc_damper, nv, 1, "force of dampers") \
  ARRAY(mjtNum, qfrc_gravcomp, nv, 1, "force of gravity compensation, passive part") \
  ARRAY(mjtNum, qfrc_fluid, nv, 1, "force of the medium") \
  ARRAY(mjtNum, qfrc_passive, nv, 1, "sum of the passive forces") \
  ARRAY(mjtNum, subtree_linvel, nbody, 3, \
        "velocity of the subtree's center of mass, world frame, m/s") \
  ARRAY(mjtNum, subtree_angmom, nbody, 3, \
        "angular momentum of the subtree about its center of mass, world frame, kg m^2/s") \
  HEAVY(mjtNum, qH, nC, 1, "factors of M with implicit damping added, in the places of M") \
  ARRAY(mjtNum, qHDiagInv, nv, 1, "inverse of the diagonal factor of qH") \
  HEAVY(mjtNum, qDeriv, nD, 1, "derivative of all smooth forces by velocity, full pattern") \
  HEAVY(mjtNum, qLU, nD, 1, "LU factors of the matrix of implicit integration, full pattern")

// buffer: functions of position, velocity and input
#define CND_DATA_ACCELERATION(ARRAY, HEAVY) \
  ARRAY(mjtNum, actuator_force, nu, 1, "force of the actuator, before gear") \
  ARRAY(mjtNum, qfrc_actuator, nv, 1, "generalized force of all actuators") \
  ARRAY(mjtNum, qfrc_smooth, nv, 1, "sum of all forces except those of constraints") \
  ARRAY(mjtNum, qacc_smooth, nv, 1, "acceleration without constraints") \
  ARRAY(mjtNum, qfrc_constraint, nv, 1, "generalized force of all constraints") \
  ARRAY(mjtNum, qfrc_inverse, nv, 1, \
        "what inverse dynamics finds: force to be applied from outside to get qacc") \
  ARRAY(mjtNum, cacc, nbody, 6, \
        "acceleration of the body at the tree's center of mass minus gravity: angular, linear") \
  ARRAY(mjtNum, cfrc_int, nbody, 6, \
        "torque and force from the parent on the body, about the tree's center of mass") \
  ARRAY(mjtNum, cfrc_ext, nbody, 6, \
        "external torque and force on the body, about the tree's center of mass")

// all public arrays of the buffer, in its order
#define CND_DATA_ARRAYS(ARRAY, HEAVY) \
  CND_DATA_STATE(ARRAY, HEAVY) \
  CND_DATA_POSITION(ARRAY, HEAVY) \
  CND_DATA_VELOCITY(ARRAY, HEAVY) \
  CND_DATA_ACCELERATION(ARRAY, HEAVY)

// arena: contacts, at its start
#define CND_DATA_ARENA_CONTACT(ARRAY, HEAVY) \
  ARRAY(mjContact, contact, MJ_D(ncon), 1, "contacts found by the collision stage")

// arena: constraint rows
#define CND_DATA_ARENA_SOLVER(ARRAY, HEAVY) \
  ARRAY(int, efc_type, MJ_D(nefc), 1, "what the row comes from (mjtConstraint)") \
  ARRAY(int, efc_id, MJ_D(nefc), 1, \
        "equality, dof, tendon, joint or contact from which the row comes") \
  HEAVY(int, efc_J_rownnz, MJ_D(nefc), 1, "entries in the row of the Jacobian") \
  HEAVY(int, efc_J_rowadr, MJ_D(nefc), 1, "where the row of the Jacobian begins") \
  HEAVY(int, efc_J_rowsuper, MJ_D(nefc), 1, "how many following rows have the same columns") \
  HEAVY(int, efc_J_colind, MJ_D(nJ), 1, "columns of the Jacobian, if sparse") \
  HEAVY(mjtNum, efc_J, MJ_D(nJ), 1, \
        "constraint Jacobian: rate of the row's position by qvel; dense rows or sparse ones") \
  ARRAY(mjtNum, efc_pos, MJ_D(nefc), 1, \
        "violation of the row: distance of a contact or limit, error of an equality") \
  ARRAY(mjtNum, efc_margin, MJ_D(nefc), 1, "violation at which the row begins to act") \
  ARRAY(mjtNum, efc_frictionloss, MJ_D(nefc), 1, "largest force of a friction loss row") \
  ARRAY(mjtNum, efc_diagApprox, MJ_D(nefc), 1, "estimate of the diagonal of J inv(M) J'") \
  ARRAY(mjtNum, efc_KBIP, MJ_D(nefc), 4, "stiffness, damping, impedance and slope of impedance") \
  ARRAY(mjtNum, efc_D, MJ_D(nefc), 1, "weight of the row in the cost, 1/R") \
  ARRAY(mjtNum, efc_R, MJ_D(nefc), 1, "regularizer: softness of the row") \
  ARRAY(int, tendon_efcadr, MJ_M(ntendon), 1, "first equality row of the tendon; -1 if none") \
  ARRAY(mjtNum, efc_vel, MJ_D(nefc), 1, "velocity of the row, J qvel") \
  ARRAY(mjtNum, efc_aref, MJ_D(nefc), 1, "acceleration that the row asks for") \
  ARRAY(mjtNum, efc_b, MJ_D(nefc), 1, "J qacc_smooth minus efc_aref") \
  ARRAY(int, efc_state, MJ_D(nefc), 1, \
        "which piece of the row's cost is active (mjtConstraintState)") \
  ARRAY(mjtNum, efc_force, MJ_D(nefc), 1, "force of the row")

// arena: constraint rows in force space
#define CND_DATA_ARENA_DUAL(ARRAY, HEAVY) \
  HEAVY(int, efc_AR_rownnz, MJ_D(nefc), 1, "entries in the row of AR") \
  HEAVY(int, efc_AR_rowadr, MJ_D(nefc), 1, "where the row of AR begins") \
  HEAVY(int, efc_AR_colind, MJ_D(nA), 1, "columns of AR, if sparse") \
  HEAVY(mjtNum, efc_AR, MJ_D(nA), 1, "J inv(M) J' + R, for solvers in force space")

// arena: efc- and dof-arrays sorted by island, whose names begin with i
#define CND_DATA_ARENA_ISLAND(ARRAY, HEAVY) \
  ARRAY(int, dof_island, MJ_M(nv), 1, "island of the dof; -1 if unconstrained") \
  ARRAY(int, island_nv, MJ_D(nisland), 1, "dofs of the island") \
  ARRAY(int, island_idofadr, MJ_D(nisland), 1, "first dof of the island in island order") \
  ARRAY(int, island_dofadr, MJ_D(nisland), 1, "smallest dof of the island in model order") \
  ARRAY(int, map_dof2idof, MJ_M(nv), 1, "place of the dof in island order") \
  ARRAY(int, map_idof2dof, MJ_M(nv), 1, \
        "dof at this place of island order; unconstrained dofs come last") \
  ARRAY(mjtNum, ifrc_smooth, MJ_D(nidof), 1, "qfrc_smooth in island order") \
  ARRAY(mjtNum, iacc_smooth, MJ_D(nidof), 1, "qacc_smooth in island order") \
  HEAVY(int, iM_rownnz, MJ_D(nidof), 1, "entries in the row of iM") \
  HEAVY(int, iM_rowadr, MJ_D(nidof), 1, "where the row of iM begins") \
  HEAVY(int, iM_colind, MJ_M(nC), 1, "columns of iM in island order") \
  HEAVY(mjtNum, iM, MJ_M(nC), 1, "inertia matrix in island order") \
  HEAVY(mjtNum, iLD, MJ_M(nC), 1, "factors of iM") \
  ARRAY(mjtNum, iLDiagInv, MJ_D(nidof), 1, "inverse of the diagonal factor of iLD") \
  ARRAY(mjtNum, iacc, MJ_D(nidof), 1, "qacc in island order") \
  ARRAY(int, efc_island, MJ_D(nefc), 1, "island of the row") \
  ARRAY(int, island_ne, MJ_D(nisland), 1, "equality rows of the island") \
  ARRAY(int, island_nf, MJ_D(nisland), 1, "friction loss rows of the island") \
  ARRAY(int, island_nefc, MJ_D(nisland), 1, "rows of the island") \
  ARRAY(int, island_iefcadr, MJ_D(nisland), 1, "first row of the island in island order") \
  ARRAY(int, map_efc2iefc, MJ_D(nefc), 1, "place of the row in island order") \
  ARRAY(int, map_iefc2efc, MJ_D(nefc), 1, "row at this place of island order") \
  ARRAY(int, iefc_type, MJ_D(nefc), 1, "efc_type in island order") \
  ARRAY(int, iefc_id, MJ_D(nefc), 1, "efc_id in island order") \
  HEAVY(int, iefc_J_rownnz, MJ_D(nefc), 1, "efc_J_rownnz in island order") \
  HEAVY(int, iefc_J_rowadr, MJ_D(nefc), 1, "where the row begins in iefc_J") \
  HEAVY(int, iefc_J_rowsuper, MJ_D(nefc), 1, "efc_J_rowsuper in island order") \
  HEAVY(int, iefc_J_colind, MJ_D(nJ), 1, "columns of iefc_J in island order") \
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

// private numbers inside the struct
#define CND_DATA_PRIVATE_SCALARS(SCALAR) \
  SCALAR(int, cnd_stage, "stage of Runge-Kutta that is evaluated; 0 is the beginning of a step") \
  SCALAR(mjtSize, cnd_arena, "bytes of the arena with the reserve for temporaries of every stage") \
  SCALAR(mjtSize, cnd_copies, "stack place of the meshes copied for the collision stage; 0: none") \
  SCALAR(mjtSize, cnd_pairs, "stack place of the contacts of pairs kept for the next stage; 0: none") \
  SCALAR(mjtSize, cnd_solverCache, "stack place of what the solver keeps for the next call; 0: none") \
  SCALAR(uintptr_t, cnd_shard, "stacks of the workers of the bound thread pool; 0 if none") \
  SCALAR(uint64_t, cnd_shape, "hash of cnd_size, as the model has it")

#define CND_DATA_PRIVATE_VECTORS(VECTOR) \
  VECTOR(int, cnd_size, CND_NDATASIZE, 1, \
        "sizes of the model for which the data was made, in the order of CND_DATA_SIZES") \
  VECTOR(mjWarningStat, cnd_warning, cndWARN_END - cndWARN_FIRST, 1, \
        "how often each warning of Condyle's own was raised (cndtWarning, from cndWARN_FIRST on)")

// private arrays of the buffer
#define CND_DATA_PRIVATE_ARRAYS(ARRAY) \
  ARRAY(mjtNum, cnd_memory, cnd_nmemory, CND_NMEMORY, \
        "per constraint: kind, ids, place, what is kept from step to step; kind 0 ends the list") \
  ARRAY(mjtNum, cnd_correction, nv, 1, \
        "velocity that moves the configuration once, to correct positions, and is then forgotten")

// private arrays of the arena
#define CND_DATA_PRIVATE_ARENA_ARRAYS(ARRAY)

// clang-format on

#endif  // CONDYLE_DATA_TABLE_H_
