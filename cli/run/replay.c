// replay.c: condyle replay RUN.cnd, which steps a recorded run again and compares the bits.

#include <condyle/output.h>
#include <condyle/replay.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "options.h"
#include "run/trajectory.h"
#include "stop.h"

typedef struct ReplayOptions_ {
  const char* run;
  const char* out;    // path of the trajectory, NULL for none
  const char* model;  // path of the binary model, NULL for none
  double steps;       // no more than these
} ReplayOptions;

static const double MAX_REPLAYED = 1e15;

// How it went.
typedef struct Outcome_ {
  int64_t steps;
  int64_t first;      // the first step that differs, -1 if none does
  double first_time;  // the time before it
} Outcome;

static int take_replayed(void* target, const char* option, const char* value) {
  ReplayOptions* options = target;
  return parse_whole(&options->steps, "replay", option, value, MAX_REPLAYED);
}

// Takes the steps and writes the state before each one. Returns 0, with errno set, if it can't be
// written.
static int replay_steps(Outcome* outcome, cndReplay* replay, mjData* d, int64_t steps, FILE* out,
                        mjtNum* state) {
  const mjModel* m = cnd_replayModel(replay);
  cnd_replayStart(replay, d);
  while (outcome->steps < steps && !stop_signal()) {
    cnd_replayInputs(replay, d);
    mj_getState(m, d, state, TRAJECTORY_STATE);
    if (cnd_replayStep(replay, d) == cndREPLAY_DIFFERS && outcome->first < 0) {
      outcome->first = outcome->steps;
      outcome->first_time = (double)state[0];
    }
    outcome->steps++;
    if (out && !trajectory_row(out, m, d, state)) {
      return 0;
    }
  }
  return 1;
}

// Writes the trajectory beside the steps, if one is asked for. Returns a status.
static int replay_to(Outcome* outcome, const ReplayOptions* options, cndReplay* replay, mjData* d,
                     mjtNum* state) {
  cndOutput output = {0};
  if (options->out && !cnd_openOutput(&output, options->out)) {
    return tell_unwritten(options->out, output.reason);
  }
  int64_t steps = cnd_replaySteps(replay);
  steps = options->steps < (double)steps ? (int64_t)options->steps : steps;
  int done = !output.file || trajectory_head(output.file, cnd_replayModel(replay));
  done = done && replay_steps(outcome, replay, d, steps, output.file, state);
  int reason = errno;
  if (options->out && (!cnd_closeOutput(&output, done) || !done)) {
    return tell_unwritten(options->out, done ? output.reason : reason);
  }
  if (stop_signal()) {
    fprintf(stderr, "stopped at time %.6g s by signal %d\n", (double)d->time, stop_signal());
    return STATUS_STOPPED + stop_signal();
  }
  return STATUS_OK;
}

static void print_outcome(const Outcome* outcome, const cndReplay* replay, const mjData* d) {
  char here[256], writer[256];
  snprintf(writer, sizeof(writer), "%s", cnd_replayWriter(replay));
  char* note = strchr(writer, '\n');
  if (note) {
    *note = 0;
  }
  cnd_replayHere(here, sizeof(here));
  printf("%-22s %s\n", "recorded by", writer);
  if (strcmp(here, writer) != 0) {
    printf("%-22s %s\n", "replayed by", here);
  }
  if (note) {
    printf("%-22s the model was changed during the run, which is not in the file\n", "warning");
  }
  printf("%-22s %lld of %lld, to time %.6g s\n", "steps", (long long)outcome->steps,
         (long long)cnd_replaySteps(replay), (double)d->time);
  if (outcome->first < 0) {
    printf("%-22s the same after every step\n", "bits");
    return;
  }
  printf("%-22s differ from step %lld on, at time %.6g s\n", "bits", (long long)outcome->first,
         outcome->first_time);
  if (outcome->steps == cnd_replaySteps(replay)) {
    mjtNum qpos, qvel;
    cnd_replayDistance(replay, d, &qpos, &qvel);
    printf("%-22s positions %.3g, velocities %.3g\n", "apart at the end", (double)qpos,
           (double)qvel);
  }
}

static int replay_run(const ReplayOptions* options, cndReplay* replay) {
  const mjModel* m = cnd_replayModel(replay);
  mjData* d = mj_makeData(m);
  mjtNum* state = malloc(sizeof(mjtNum) * (size_t)mj_stateSize(m, TRAJECTORY_STATE));
  Outcome outcome = {.first = -1};
  int status = STATUS_FAILED;
  if (d && state) {
    stop_gently();
    status = replay_to(&outcome, options, replay, d, state);
  } else {
    fprintf(stderr, "condyle replay: out of memory\n");
  }
  if (status == STATUS_OK) {
    print_outcome(&outcome, replay, d);
    status = outcome.first < 0 ? STATUS_OK : STATUS_FINDINGS;
  }
  free(state);
  mj_deleteData(d);
  return status;
}

// Writes the model alone. Returns a status, after a message if it failed.
static int write_model(const mjModel* m, const char* path) {
  cndOutput output;
  int64_t size = cnd_sizeModel(m);
  char* bytes = malloc((size_t)size);
  if (!bytes) {
    fprintf(stderr, "condyle replay: out of memory\n");
    return STATUS_FAILED;
  }
  cnd_saveModel(m, NULL, bytes, size);
  if (cnd_openOutput(&output, path)) {
    fwrite(bytes, 1, (size_t)size, output.file);
  }
  int done = cnd_closeOutput(&output, 1);
  free(bytes);
  return done ? STATUS_OK : tell_unwritten(path, output.reason);
}

int command_replay(int argc, char** argv) {
  ReplayOptions options = {.steps = MAX_REPLAYED};
  const Option known[] = {
      {"--steps", take_replayed, &options},
      {"--out", take_text, &options.out},
      {"--model", take_text, &options.model},
  };
  int count = sizeof known / sizeof *known;
  int status = parse_options(&options.run, NULL, "replay", known, count, argc, argv);
  if (status != STATUS_OK) {
    return status;
  }
  const char* written[] = {options.out, options.model};
  for (int i = 0; i < 2; i++) {
    if (written[i] && is_same_file(written[i], options.run)) {
      return usage_error("replay", "'%s' would overwrite the run", written[i]);
    }
  }
  char error[500];
  cndReplay* replay = cnd_openReplay(options.run, error, sizeof(error));
  if (!replay) {
    fprintf(stderr, "%s\n", error);
    return STATUS_INPUT;
  }
  if (options.model) {
    status = write_model(cnd_replayModel(replay), options.model);
  }
  if (status == STATUS_OK) {
    status = replay_run(&options, replay);
  }
  cnd_closeReplay(replay);
  return status;
}
