// replay.h: a run in one file: the model, the state it began with, and what the program set before
// each step. Stepped again anywhere, it makes the same bits, so a bug report is one file.
//
//   cndRecorder* recorder = cnd_openRecorder("run.cnd", m, d, error, sizeof(error));
//   for (int i = 0; i < 1000; i++) {
//     d->ctrl[0] = control(d);
//     cnd_recordStep(recorder, m, d);  // mj_step
//   }
//   if (!cnd_closeRecorder(recorder, error, sizeof(error))) ...
//
//   cndReplay* replay = cnd_openReplay("run.cnd", error, sizeof(error));
//   mjData* d = mj_makeData(cnd_replayModel(replay));
//   cnd_replayStart(replay, d);
//   while ((same = cnd_replayStep(replay, d)) == cndREPLAY_SAME) {
//   }
//
// Everything in the state vector (condyle/state.h) that differs from what the last step left is
// recorded: controls, applied forces, mocap poses, active equalities, but also positions that the
// program has set itself. The program's callbacks and passive forces are not: what they add, a
// replay lacks. Nor are changes of the model; the file tells that there were some.
//
// Where no product is fused into a sum, the bits are the same on every machine (docs/core.md); the
// file has a line about its writer, which tells.                   docs/program.md, Runs as files

#ifndef CONDYLE_REPLAY_H_
#define CONDYLE_REPLAY_H_

#include <mujoco/mjdata.h>
#include <mujoco/mjexport.h>
#include <mujoco/mjmodel.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// A run that is written, and one that was read.
typedef struct cndRecorder_ cndRecorder;
typedef struct cndReplay_ cndReplay;

// How a replayed step went.
typedef enum cndtReplay_ {
  cndREPLAY_END = -1,  // there are no more steps
  cndREPLAY_DIFFERS,   // the state after it has other bits than the recorded one
  cndREPLAY_SAME       // the same bits
} cndtReplay;

// Begins a file with the model and the state of d. The file takes its place, or that of an old one,
// when it is closed. Returns NULL if it can't be written, with the reason in error (error_sz bytes,
// may be 0).
MJAPI cndRecorder* cnd_openRecorder(const char* path, const mjModel* m, const mjData* d,
                                    char* error, int error_sz);

// mj_step, recorded: first what was set in d since the last one, then how it ended. Takes no
// memory. A file that can't be written is told when it is closed. m and d are those of
// cnd_openRecorder, or have its sizes. A step that ends in mju_error is the last one, and ends so
// in a replay, too.
MJAPI void cnd_recordStep(cndRecorder* recorder, const mjModel* m, mjData* d);

// Ends the file and frees the recorder; NULL is fine, and an error. Returns 1, or 0 with the reason
// in error if the file could not be written; then an old one is still there.
MJAPI int cnd_closeRecorder(cndRecorder* recorder, char* error, int error_sz);

// Frees the recorder without a file.
MJAPI void cnd_dropRecorder(cndRecorder* recorder);

// Reads a run and checks all of it. Returns NULL if it can't, with the reason in error. From
// memory: the bytes are copied.
MJAPI cndReplay* cnd_openReplay(const char* path, char* error, int error_sz);
MJAPI cndReplay* cnd_openReplayBuffer(const void* bytes, int64_t size, char* error, int error_sz);
MJAPI void cnd_closeReplay(cndReplay* replay);

// The model, which lasts as long as the replay; the number of steps; what wrote the file: release,
// processor, compiler, and whether products are fused there. A second line tells if the model was
// changed while it was recorded.
MJAPI const mjModel* cnd_replayModel(const cndReplay* replay);
MJAPI int64_t cnd_replaySteps(const cndReplay* replay);
MJAPI const char* cnd_replayWriter(const cndReplay* replay);

// Writes the same line about this library on this machine, cut to size bytes.
MJAPI void cnd_replayHere(char* text, int size);

// Resets d, which was made of the model, to the state at the beginning.
MJAPI void cnd_replayStart(cndReplay* replay, mjData* d);

// Sets what was set before the next step, calls mj_step, and compares the state with the recorded
// one by a hash. The first step is number 0. After one that differs, the following ones go on with
// the state as it is here.
MJAPI cndtReplay cnd_replayStep(cndReplay* replay, mjData* d);

// Sets what was set before the next step, and takes none: for those who look at controls.
// cnd_replayStep takes the step then.
MJAPI void cnd_replayInputs(cndReplay* replay, mjData* d);

// The largest differences of qpos and of qvel between d and the last state of the file.
MJAPI void cnd_replayDistance(const cndReplay* replay, const mjData* d, mjtNum* qpos, mjtNum* qvel);

// A hash of n numbers by their bits, the same on machines of either byte order; all NaN are one.
MJAPI uint64_t cnd_hashNumbers(const mjtNum* numbers, int n);

#ifdef __cplusplus
}
#endif

#endif  // CONDYLE_REPLAY_H_
