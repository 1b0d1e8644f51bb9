// base.h: the functions of the interface for numbers, vectors, rotations, matrices, memory and
// errors: those that src/base defines. Programs include mujoco.h; its conventions hold here.

#ifndef MUJOCO_API_BASE_H_
#define MUJOCO_API_BASE_H_

#include <math.h>
#include <mujoco/mjexport.h>
#include <mujoco/mjlog.h>
#include <mujoco/mjmacro.h>
#include <mujoco/mjmodel.h>
#include <mujoco/mjthread.h>
#include <mujoco/mjtnum.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

// hooks

// Called instead of the built-in reaction to an error or a warning, with the message. An error
// handler must not return.
MJAPI extern void (*mju_user_error)(const char*);
MJAPI extern void (*mju_user_warning)(const char*);

// Called instead of the built-in allocator; memory must be aligned to 64 bytes.
MJAPI extern void* (*mju_user_malloc)(size_t);
MJAPI extern void (*mju_user_free)(void*);

// errors and memory

// Reports a fatal error, formatted like printf, at most 1024 bytes: to the program's
// handler (mju_setLogHandler, mju_user_error), else to the log and the screen, after which the
// program ends.
MJAPI void mju_error(const char* msg, ...) mjPRINTFLIKE(1, 2);

// mju_error with one integer or one string as argument; mju_error is enough.
MJAPI void mju_error_i(const char* msg, int i);
MJAPI void mju_error_s(const char* msg, const char* text);

// Reports a warning, formatted like printf, to the program's handler, else to the log and the
// screen, and returns.
MJAPI void mju_warning(const char* msg, ...) mjPRINTFLIKE(1, 2);

// mju_warning with one integer or one string as argument; mju_warning is enough.
MJAPI void mju_warning_i(const char* msg, int i);
MJAPI void mju_warning_s(const char* msg, const char* text);

// Names of topics, from mjTOPIC_NONE + 1 on.
MJAPI extern const char* mjTOPICSTRING[mjNTOPIC];

// Makes a function the program's handler of errors, warnings and all other messages, in place of
// mju_user_error, mju_user_warning, the log and the screen; NULL takes it back. Returns the handler
// before, which is never NULL. A handler of errors must not return, or calls go on that can't.
MJAPI mjfLogHandler mju_setLogHandler(mjfLogHandler handler);

// Where messages are written that no handler takes: a copy of the settings in force; new settings.
MJAPI mjLogConfig mju_getLogConfig(void);
MJAPI void mju_setLogConfig(mjLogConfig config);

// Tells something, formatted like printf. Without a handler it is written if its topic
// (mjtLogTopic) is switched on.
MJAPI void mju_info(int topic, const char* msg, ...) mjPRINTFLIKE(2, 3);

// Tells a message of any level. An error ends the program if no handler takes it.
MJAPI void mju_message(const mjLogMessage* msg);

// Takes back all hooks for errors, warnings, messages and memory, and the settings of the log.
MJAPI void mju_clearHandlers(void);

// Memory aligned to 64 bytes; running out is an error.
MJAPI void* mju_malloc(size_t size);

// Frees memory of mju_malloc; NULL is fine.
MJAPI void mju_free(void* ptr);

// Appends date, type and message to the file MUJOCO_LOG.TXT in the working directory.
MJAPI void mju_writeLog(const char* type, const char* msg);

// elementary functions

#ifndef mjUSESINGLE
#define mju_sqrt sqrt
#define mju_exp exp
#define mju_sin sin
#define mju_cos cos
#define mju_tan tan
#define mju_asin asin
#define mju_acos acos
#define mju_atan2 atan2
#define mju_tanh tanh
#define mju_pow pow
#define mju_abs fabs
#define mju_log log
#define mju_log10 log10
#define mju_floor floor
#define mju_ceil ceil
#else
#define mju_sqrt sqrtf
#define mju_exp expf
#define mju_sin sinf
#define mju_cos cosf
#define mju_tan tanf
#define mju_asin asinf
#define mju_acos acosf
#define mju_atan2 atan2f
#define mju_tanh tanhf
#define mju_pow powf
#define mju_abs fabsf
#define mju_log logf
#define mju_log10 log10f
#define mju_floor floorf
#define mju_ceil ceilf
#endif

// 3-vectors

MJAPI void mju_zero3(mjtNum res[3]);                                             // res = 0
MJAPI void mju_copy3(mjtNum res[3], const mjtNum data[3]);                       // res = data
MJAPI void mju_scl3(mjtNum res[3], const mjtNum vec[3], mjtNum scl);             // res = vec scl
MJAPI void mju_add3(mjtNum res[3], const mjtNum vec1[3], const mjtNum vec2[3]);  // vec1 + vec2
MJAPI void mju_sub3(mjtNum res[3], const mjtNum vec1[3], const mjtNum vec2[3]);  // vec1 - vec2
MJAPI void mju_addTo3(mjtNum res[3], const mjtNum vec[3]);                       // res += vec
MJAPI void mju_subFrom3(mjtNum res[3], const mjtNum vec[3]);                     // res -= vec
MJAPI void mju_addToScl3(mjtNum res[3], const mjtNum vec[3], mjtNum scl);        // res += vec scl

// res = vec1 + vec2 scl.
MJAPI void mju_addScl3(mjtNum res[3], const mjtNum vec1[3], const mjtNum vec2[3], mjtNum scl);

// Makes vec a unit vector and returns its length before; (1, 0, 0) if that is below mjMINVAL.
MJAPI mjtNum mju_normalize3(mjtNum vec[3]);

// Length of vec.
MJAPI mjtNum mju_norm3(const mjtNum vec[3]);

// vec1' vec2.
MJAPI mjtNum mju_dot3(const mjtNum vec1[3], const mjtNum vec2[3]);

// Distance of two points.
MJAPI mjtNum mju_dist3(const mjtNum pos1[3], const mjtNum pos2[3]);

// res = mat vec.
MJAPI void mju_mulMatVec3(mjtNum res[3], const mjtNum mat[9], const mjtNum vec[3]);

// res = mat' vec.
MJAPI void mju_mulMatTVec3(mjtNum res[3], const mjtNum mat[9], const mjtNum vec[3]);

// res = a x b.
MJAPI void mju_cross(mjtNum res[3], const mjtNum a[3], const mjtNum b[3]);

// 4-vectors

MJAPI void mju_zero4(mjtNum res[4]);                        // res = 0
MJAPI void mju_unit4(mjtNum res[4]);                        // res = (1, 0, 0, 0)
MJAPI void mju_copy4(mjtNum res[4], const mjtNum data[4]);  // res = data

// Makes vec a unit vector and returns its length before; (1, 0, 0, 0) if that is below mjMINVAL. A
// unit vector is left as it is, to the bit.
MJAPI mjtNum mju_normalize4(mjtNum vec[4]);

// vectors of any length

MJAPI void mju_zero(mjtNum* res, int n);                                // res = 0
MJAPI void mju_fill(mjtNum* res, mjtNum val, int n);                    // res = val everywhere
MJAPI void mju_copy(mjtNum* res, const mjtNum* vec, int n);             // res = vec
MJAPI mjtNum mju_sum(const mjtNum* vec, int n);                         // sum of entries
MJAPI mjtNum mju_L1(const mjtNum* vec, int n);                          // sum of magnitudes
MJAPI void mju_scl(mjtNum* res, const mjtNum* vec, mjtNum scl, int n);  // res = vec scl
MJAPI void mju_add(mjtNum* res, const mjtNum* vec1, const mjtNum* vec2, int n);  // vec1 + vec2
MJAPI void mju_sub(mjtNum* res, const mjtNum* vec1, const mjtNum* vec2, int n);  // vec1 - vec2
MJAPI void mju_addTo(mjtNum* res, const mjtNum* vec, int n);                     // res += vec
MJAPI void mju_subFrom(mjtNum* res, const mjtNum* vec, int n);                   // res -= vec
MJAPI void mju_addToScl(mjtNum* res, const mjtNum* vec, mjtNum scl, int n);      // res += vec scl

// res = vec1 + vec2 scl.
MJAPI void mju_addScl(mjtNum* res, const mjtNum* vec1, const mjtNum* vec2, mjtNum scl, int n);

// Makes res a unit vector and returns its length before; (1, 0, ...) if that is below mjMINVAL.
MJAPI mjtNum mju_normalize(mjtNum* res, int n);

// Length of the vector.
MJAPI mjtNum mju_norm(const mjtNum* res, int n);

// vec1' vec2.
MJAPI mjtNum mju_dot(const mjtNum* vec1, const mjtNum* vec2, int n);

// dense matrices

// res[nr] = mat (nr x nc) vec[nc].
MJAPI void mju_mulMatVec(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int nr, int nc);

// res[nc] = mat' vec[nr], mat is nr x nc.
MJAPI void mju_mulMatTVec(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int nr, int nc);

// vec1' mat vec2, mat is n x n.
MJAPI mjtNum mju_mulVecMatVec(const mjtNum* vec1, const mjtNum* mat, const mjtNum* vec2, int n);

// res (nc x nr) = mat', mat is nr x nc.
MJAPI void mju_transpose(mjtNum* res, const mjtNum* mat, int nr, int nc);

// res = (mat + mat') / 2, n x n.
MJAPI void mju_symmetrize(mjtNum* res, const mjtNum* mat, int n);

// mat = identity, n x n.
MJAPI void mju_eye(mjtNum* mat, int n);

// res (r1 x c2) = mat1 (r1 x c1) mat2 (c1 x c2).
MJAPI void mju_mulMatMat(mjtNum* res, const mjtNum* mat1, const mjtNum* mat2, int r1, int c1,
                         int c2);

// res (r1 x r2) = mat1 (r1 x c1) mat2', mat2 is r2 x c1.
MJAPI void mju_mulMatMatT(mjtNum* res, const mjtNum* mat1, const mjtNum* mat2, int r1, int c1,
                          int r2);

// res (c1 x c2) = mat1' mat2, mat1 is r1 x c1, mat2 is r1 x c2.
MJAPI void mju_mulMatTMat(mjtNum* res, const mjtNum* mat1, const mjtNum* mat2, int r1, int c1,
                          int c2);

// res (nc x nc) = mat' diag mat, mat is nr x nc; NULL stands for diag = 1.
MJAPI void mju_sqrMatTD(mjtNum* res, const mjtNum* mat, const mjtNum* diag, int nr, int nc);

// Transforms a 6D motion (flg_force 0) or force (1) from the point oldpos to newpos and, unless
// rotnew2old is NULL, into the axes that rotnew2old maps to the old ones.
MJAPI void mju_transformSpatial(mjtNum res[6], const mjtNum vec[6], int flg_force,
                                const mjtNum newpos[3], const mjtNum oldpos[3],
                                const mjtNum rotnew2old[9]);

// sparse matrices

// Compressed rows of a dense matrix (nr x nc): row r holds rownnz[r] numbers and their columns,
// ascending, from rowadr[r] on. res and colind have room for nnz. Returns 0, or 1 if more is needed
// or nnz is not positive.
MJAPI int mju_dense2sparse(mjtNum* res, const mjtNum* mat, int nr, int nc, int* rownnz, int* rowadr,
                           int* colind, int nnz);

// The dense matrix (nr x nc) of compressed rows.
MJAPI void mju_sparse2dense(mjtNum* res, const mjtNum* mat, int nr, int nc, const int* rownnz,
                            const int* rowadr, const int* colind);

// The dense symmetric matrix (n x n) whose lower triangle has these compressed rows, as mjData.M
// does. Of 3.8.1.
MJAPI void mju_sym2dense(mjtNum* res, const mjtNum* mat, int n, const int* rownnz,
                         const int* rowadr, const int* colind);

// quaternions

// res = vec rotated by the unit quaternion quat.
MJAPI void mju_rotVecQuat(mjtNum res[3], const mjtNum vec[3], const mjtNum quat[4]);

// res = conjugate: the inverse rotation.
MJAPI void mju_negQuat(mjtNum res[4], const mjtNum quat[4]);

// res = quat1 quat2: first quat2, then quat1.
MJAPI void mju_mulQuat(mjtNum res[4], const mjtNum quat1[4], const mjtNum quat2[4]);

// res = quat (0, axis).
MJAPI void mju_mulQuatAxis(mjtNum res[4], const mjtNum quat[4], const mjtNum axis[3]);

// Rotation by an angle (rad) about a unit axis.
MJAPI void mju_axisAngle2Quat(mjtNum res[4], const mjtNum axis[3], mjtNum angle);

// The angular velocity (rad/s) that reaches rotation quat, of any length, in time dt (s) by the
// shorter way: the angle is in (-pi, pi].
MJAPI void mju_quat2Vel(mjtNum res[3], const mjtNum quat[4], mjtNum dt);

// The rotation vector from qb to qa, in the axes of qb: qb exp(res) = qa.
MJAPI void mju_subQuat(mjtNum res[3], const mjtNum qa[4], const mjtNum qb[4]);

// Rotation matrix of a quaternion; for one of length s it is s^2 times a rotation.
MJAPI void mju_quat2Mat(mjtNum res[9], const mjtNum quat[4]);

// Unit quaternion of a rotation matrix. Of its two signs it has the one with a positive w (if the
// trace is positive) or else a positive largest number of x, y and z.
MJAPI void mju_mat2Quat(mjtNum quat[4], const mjtNum mat[9]);

// Rate (1/s) of a quaternion turning with vel (rad/s), in world axes.
MJAPI void mju_derivQuat(mjtNum res[4], const mjtNum quat[4], const mjtNum vel[3]);

// Makes quat a unit quaternion and turns it with vel (rad/s), in its own axes, for the time scale
// (s).
MJAPI void mju_quatIntegrate(mjtNum quat[4], const mjtNum vel[3], mjtNum scale);

// Derivatives (3 x 3) of mju_subQuat by small rotations of qa and of qb, each in its own axes;
// either may be NULL. Db = -Da'.
MJAPI void mjd_subQuat(const mjtNum qa[4], const mjtNum qb[4], mjtNum Da[9], mjtNum Db[9]);

// Derivatives of the quaternion that mju_quatIntegrate makes, as a small rotation in its own axes:
// by a small rotation of quat in its own axes (Dquat, 3 x 3), by scale*vel (Dvel, 3 x 3), by scale
// (Dscale). Each may be NULL.
MJAPI void mjd_quatIntegrate(const mjtNum vel[3], mjtNum scale, mjtNum Dquat[9], mjtNum Dvel[9],
                             mjtNum Dscale[3]);

// The smallest rotation that takes the z-axis to the direction of vec: none for a zero vector, the
// half turn about x for the opposite direction.
MJAPI void mju_quatZ2Vec(mjtNum quat[4], const mjtNum vec[3]);

// Turns the unit quaternion quat to the rotation nearest to mat = rotation * symmetric positive, to
// 1e-9 rad, in at most 500 iterations. Returns their number.
MJAPI int mju_mat2Rot(mjtNum quat[4], const mjtNum mat[9]);

// Three rotations (rad) about the axes of seq: three letters of xyz (moving axes) and XYZ (fixed
// axes); any other text is an error.
MJAPI void mju_euler2Quat(mjtNum quat[4], const mjtNum euler[3], const char* seq);

// poses

// (posres, quatres) = pose 1 after pose 2: a point x goes to pose1(pose2(x)). quatres has unit
// length.
MJAPI void mju_mulPose(mjtNum posres[3], mjtNum quatres[4], const mjtNum pos1[3],
                       const mjtNum quat1[4], const mjtNum pos2[3], const mjtNum quat2[4]);

// The inverse of a pose.
MJAPI void mju_negPose(mjtNum posres[3], mjtNum quatres[4], const mjtNum pos[3],
                       const mjtNum quat[4]);

// res = pos + quat applied to vec.
MJAPI void mju_trnVecPose(mjtNum res[3], const mjtNum pos[3], const mjtNum quat[4],
                          const mjtNum vec[3]);

// factorizations

// mat = L L' in place, lower triangle, n x n. Pivots below mindiag become mindiag; returns n minus
// their number.
MJAPI int mju_cholFactor(mjtNum* mat, int n, mjtNum mindiag);

// res[n] = inv(L L') vec[n]; mat (n x n) holds L. res may be vec.
MJAPI void mju_cholSolve(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int n);

// Updates the factor L in mat (n x n) to that of L L' + x x' (flg_plus) or L L' - x x'; destroys
// x[n]. Squared pivots below mjMINVAL become mjMINVAL; returns n minus their number.
MJAPI int mju_cholUpdate(mjtNum* mat, mjtNum* x, int n, int flg_plus);

// Factors a symmetric matrix in banded form, in place: ntotal - ndense rows within a band (nband
// entries each, up to the diagonal), then ndense full rows (ntotal entries each). Before that, the
// diagonal becomes diag (1 + diagmul) + diagadd. Returns the smallest squared pivot; 0, with the
// matrix half done, if one is below mjMINVAL.
MJAPI mjtNum mju_cholFactorBand(mjtNum* mat, int ntotal, int nband, int ndense, mjtNum diagadd,
                                mjtNum diagmul);

// res[ntotal] = inv(L L') vec[ntotal] for a factor of mju_cholFactorBand. res may be vec.
MJAPI void mju_cholSolveBand(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int ntotal,
                             int nband, int ndense);

// Converts a matrix in banded form (mju_cholFactorBand) to a dense one (ntotal x ntotal); flg_sym
// mirrors it to the upper triangle, which is zero else.
MJAPI void mju_band2Dense(mjtNum* res, const mjtNum* mat, int ntotal, int nband, int ndense,
                          CND_BOOL flg_sym);

// Converts the lower triangle of a dense matrix to banded form (mju_cholFactorBand).
MJAPI void mju_dense2Band(mjtNum* res, const mjtNum* mat, int ntotal, int nband, int ndense);

// res = mat vec with mat in banded form, for nvec vectors of ntotal numbers one after the other;
// flg_sym counts the upper triangle too.
MJAPI void mju_bandMulMatVec(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int ntotal,
                             int nband, int ndense, int nvec, CND_BOOL flg_sym);

// Index of diagonal entry i in banded form.
MJAPI int mju_bandDiag(int i, int ntotal, int nband, int ndense);

// Eigenvalues (falling) and eigenvectors (columns, right-handed) of a symmetric matrix, and the
// eigenvectors as a rotation. Returns the number of Jacobi steps, at most 500.
MJAPI int mju_eig3(mjtNum eigval[3], mjtNum eigvec[9], mjtNum quat[4], const mjtNum mat[9]);

// Minimizes x'Hx/2 + x'g within bounds, starting at res. Returns the number of free variables at
// the solution, -1 if H restricted to free variables is not positive definite. A size below 1 or a
// lower bound that is not below the upper one is an error.
//   in:  H (n x n, positive definite), g[n], lower[n], upper[n] (either may be NULL)
//   out: res[n]; R, lower Cholesky factor of the free part, room for n*(n+7);
//        index[n], the free variables (may be NULL)
MJAPI int mju_boxQP(mjtNum* res, mjtNum* R, int* index, const mjtNum* H, const mjtNum* g, int n,
                    const mjtNum* lower, const mjtNum* upper);

// Allocates the arrays of mju_boxQP by mju_malloc, to be freed by mju_free; index, lower, upper:
// may be NULL.
MJAPI void mju_boxQPmalloc(mjtNum** res, mjtNum** R, int** index, mjtNum** H, mjtNum** g, int n,
                           mjtNum** lower, mjtNum** upper);

// miscellaneous

// Active force (N, negative: it pulls) of a muscle at full activation, at a length (m) and a
// velocity (m/s) of its actuator whose lengths have the range lengthrange. acc0: acceleration by
// unit force.
// prm = (range[2], force, scale, lmin, lmax, vmax, fpmax, fvmax).
MJAPI mjtNum mju_muscleGain(mjtNum len, mjtNum vel, const mjtNum lengthrange[2], mjtNum acc0,
                            const mjtNum prm[9]);

// Passive force (N, negative: it pulls) of a muscle, with the arguments of mju_muscleGain.
MJAPI mjtNum mju_muscleBias(mjtNum len, const mjtNum lengthrange[2], mjtNum acc0,
                            const mjtNum prm[9]);

// Activation rate (1/s) of a muscle with activation act. Its control ctrl is clipped to [0, 1].
// prm = (time constant up, time constant down, width in ctrl - act in which they blend).
MJAPI mjtNum mju_muscleDynamics(mjtNum ctrl, mjtNum act, const mjtNum prm[3]);

// Converts a contact force (dim >= 2 numbers, normal first) to forces on the 2*(dim-1) edges of its
// pyramid with friction coefficients mu[dim-1]. Positive tangential forces are cut to what the
// pyramid holds.
MJAPI void mju_encodePyramid(mjtNum* pyramid, const mjtNum* force, const mjtNum* mu, int dim);

// Converts forces on the edges of a pyramid to the contact force; without friction (dim 1) both are
// one number.
MJAPI void mju_decodePyramid(mjtNum* force, const mjtNum* pyramid, const mjtNum* mu, int dim);

// Position after the time dt of a unit mass on a spring Kp and a damper Kv, from pos0 and vel0.
MJAPI mjtNum mju_springDamper(mjtNum pos0, mjtNum vel0, mjtNum Kp, mjtNum Kv, mjtNum dt);

MJAPI mjtNum mju_min(mjtNum a, mjtNum b);                 // the smaller one
MJAPI mjtNum mju_max(mjtNum a, mjtNum b);                 // the larger one
MJAPI mjtNum mju_clip(mjtNum x, mjtNum min, mjtNum max);  // x moved into [min, max]
MJAPI mjtNum mju_sign(mjtNum x);                          // 1, 0 or -1
MJAPI int mju_round(mjtNum x);                            // nearest integer, halves up
MJAPI int mju_isBad(mjtNum x);                            // 1 if nan or beyond mjMAXVAL
MJAPI int mju_isZero(const mjtNum* vec, int n);           // 1 if all entries are 0

// Name of a kind of object (mjtObj) and back; NULL and mjOBJ_UNKNOWN if there is none.
MJAPI const char* mju_type2Str(int type);
MJAPI int mju_str2Type(const char* str);

// A number of bytes as text in the largest of the units K, M, G, T, P, E of which it is a whole
// multiple; valid until the next call in the same thread.
MJAPI const char* mju_writeNumBytes(size_t nbytes);

// Two independent standard normal random numbers; num2 may be NULL. Uses rand().
MJAPI mjtNum mju_standardNormal(mjtNum* num2);

// Copies between number types.
MJAPI void mju_f2n(mjtNum* res, const float* vec, int n);
MJAPI void mju_n2f(float* res, const mjtNum* vec, int n);
MJAPI void mju_d2n(mjtNum* res, const double* vec, int n);
MJAPI void mju_n2d(double* res, const mjtNum* vec, int n);

// Sort upwards; fast for short or nearly sorted lists.
MJAPI void mju_insertionSort(mjtNum* list, int n);
MJAPI void mju_insertionSortInt(int* list, int n);

// Element of the Halton sequence with a prime base: in (0, 1), 0 for index <= 0.
MJAPI mjtNum mju_Halton(int index, int base);

// Copies at most n - 1 bytes and fills up with 0. Returns dst; nothing happens if a pointer is NULL
// or n is not positive.
MJAPI char* mju_strncpy(char* dst, const char* src, int n);

// 6x^5 - 15x^4 + 10x^3 between 0 and 1, constant beyond.
MJAPI mjtNum mju_sigmoid(mjtNum x);

// Prints a matrix (nr x nc) to the screen.
MJAPI void mju_printMat(const mjtNum* mat, int nr, int nc);

// Prints the entries of a sparse matrix to the screen.
MJAPI void mju_printMatSparse(const mjtNum* mat, int nr, const int* rownnz, const int* rowadr,
                              const int* colind);

// threads

// Makes a pool of at most that many threads (and mjMAXTHREAD); NULL, with a warning, if memory
// runs out.
MJAPI mjThreadPool* mju_threadPoolCreate(size_t number_of_threads);

// Ends the threads of a pool, when they have done what was given to it, and frees it; NULL is fine.
// No mjData may be bound to it any more while it steps.
MJAPI void mju_threadPoolDestroy(mjThreadPool* thread_pool);

// Sets a task to its initial state: new, and doing nothing.
MJAPI void mju_defaultTask(mjTask* task);

// Gives a new task to a pool, one of whose threads will run task->args = task->func(task->args).
// The task must stay where it is until it is completed. A task that isn't new is an error.
MJAPI void mju_threadPoolEnqueue(mjThreadPool* thread_pool, mjTask* task);

// Waits until a task that was given to a pool is completed.
MJAPI void mju_taskJoin(mjTask* task);

#ifdef __cplusplus
}
#endif

#endif  // MUJOCO_API_BASE_H_
