// simulate.c: condyle simulate MODEL, which runs a model and prints a summary of the run.

#include <condyle/output.h>
#include <condyle/replay.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/console.h"
#include "command.h"
#include "control.h"
#include "options.h"
#include "run/profile.h"
#include "run/trajectory.h"
#include "stop.h"

typedef struct Options_ {
  const char* model;
  const char* key;   // name or number of a keyframe, NULL for the reference configuration
  const char* out;   // path of the trajectory, NULL for none
  const char* save;  // path of the recorded run, NULL for none
  double time;       // simulated seconds, if steps < 0
  long steps;
  int durations;  // number of options --time or --steps that were given
  int profile;    // 1 to print a profile
  Controls controls;
  ContactChoice contact;  // contact options instead of the model's own
} Options;

// The largest values that options take.
static const double MAX_TIME = 1e9, MAX_STEPS = 1e15;

// The sums for the table at the end.
typedef struct Tally_ {
  long steps;
  double wall;
  double contacts, rows, iterations;  // sums over steps
  int most_contacts, most_rows;
  mjtNum energy_start[2], energy_end[2];
} Tally;

// readers of options whose value is not plain text; the target is the Options

static int take_time(void* target, const char* option, const char* value) {
  Options* options = target;
  options->durations++;
  return parse_real(&options->time, "simulate", option, value, 0, MAX_TIME);
}

static int take_steps(void* target, const char* option, const char* value) {
  Options* options = target;
  double number;
  int status = parse_whole(&number, "simulate", option, value, MAX_STEPS);
  if (status == STATUS_OK) {
    options->steps = (long)number;
    options->durations++;
  }
  return status;
}

static int take_restitution(void* target, const char* option, const char* value) {
  Options* options = target;
  return parse_real(&options->contact.restitution, "simulate", option, value, 0, 1);
}

static int read_options(Options* options, int argc, char** argv) {
  *options = (Options){.time = 10, .steps = -1, .controls.seed = 1, .contact = {-1, -1}};
  const Option known[] = {
      {"--time", take_time, options},
      {"--steps", take_steps, options},
      {"--key", take_text, &options->key},
      {"--ctrl", take_controls, &options->controls},
      {"--out", take_text, &options->out},
      {"--save", take_text, &options->save},
      {"--seed", take_seed, &options->controls},
      {"--profile", NULL, &options->profile},
      {"--contact", take_contact, &options->contact},
      {"--restitution", take_restitution, options},
  };
  int count = sizeof known / sizeof *known;
  int status = parse_options(&options->model, NULL, "simulate", known, count, argc, argv);
  if (status == STATUS_OK && options->durations > 1) {
    return usage_error("simulate", "give --time or --steps, once");
  }
  if (status == STATUS_OK && options->out && options->save &&
      !strcmp(options->out, options->save)) {
    return usage_error("simulate", "--out and --save are the same file");
  }
  return status;
}

// The warning about a state that is not finite, -1 if none was raised.
static int divergence(const mjData* d) {
  static const int bad[] = {mjWARN_BADQPOS, mjWARN_BADQVEL, mjWARN_BADQACC};
  for (int i = 0; i < 3; i++) {
    if (d->warning[bad[i]].number) {
      return bad[i];
    }
  }
  return -1;
}

// time is the time of the last finite state
static int report_divergence(const mjModel* m, const mjData* d, int warning, double time) {
  int index = d->warning[warning].lastinfo;
  int position = warning == mjWARN_BADQPOS;
  char name[100] = "?";
  if (index >= 0 && index < (position ? m->nq : m->nv)) {
    (position ? position_name : dof_name)(name, sizeof name, m, index);
  }
  fprintf(stderr, "the simulation diverged at time %.6g s in %s %d (%s)\n", time,
          position ? "position" : "dof", index, name);
  return STATUS_DIVERGED;
}

// Adds the counts of the last step.
static void tally_step(Tally* tally, const mjData* d) {
  tally->contacts += d->ncon;
  tally->rows += d->nefc;
  for (int k = 0; k < mjNISLAND; k++) {
    tally->iterations += k < d->nisland || k == 0 ? d->solver_niter[k] : 0;
  }
  tally->most_contacts = mjMAX(tally->most_contacts, d->ncon);
  tally->most_rows = mjMAX(tally->most_rows, d->nefc);
}

// Runs the steps and writes the state before each one. Returns an exit status, after a message if
// it failed.
static int take_all_steps(Tally* tally, const Options* options, const mjModel* m, mjData* d,
                          FILE* out, cndRecorder* recorder, long steps, mjtNum* state) {
  Controls controls = options->controls;
  controls_start(&controls);
  int terminal = console_is(stderr), bad = -1, failed = 0;
  double shown = now();
  for (long i = 0; i < steps && bad < 0 && !failed && !stop_signal(); i++) {
    controls_set(&controls, m, d);
    // mj_step leaves the energy of the state it started from
    mj_getState(m, d, state, TRAJECTORY_STATE);
    if (recorder) {
      cnd_recordStep(recorder, m, d);
    } else {
      mj_step(m, d);
    }
    tally->steps++;
    tally_step(tally, d);
    bad = divergence(d);
    failed = bad < 0 && out && !trajectory_row(out, m, d, state);
    if (terminal && (i & 63) == 63 && now() - shown > 0.1) {
      shown = now();
      show_progress((double)(i + 1) / (double)steps);
    }
  }

  if (terminal) {
    show_progress(1);
  }
  if (bad >= 0) {
    return report_divergence(m, d, bad, (double)state[0]);
  }
  if (failed) {
    return tell_unwritten(options->out, errno);
  }
  if (stop_signal()) {
    fprintf(stderr, "stopped at time %.6g s by signal %d\n", (double)d->time, stop_signal());
    return STATUS_STOPPED + stop_signal();
  }
  return STATUS_OK;
}

// Writes the state after the last step, and checks it as a next step would.
static int end(Tally* tally, const Options* options, const mjModel* m, mjData* d, FILE* out,
               mjtNum* state) {
  mj_getState(m, d, state, TRAJECTORY_STATE);
  mj_checkPos(m, d);
  mj_checkVel(m, d);
  mj_forward(m, d);
  mj_checkAcc(m, d);
  memcpy(tally->energy_end, d->energy, sizeof d->energy);
  int bad = divergence(d);
  if (bad >= 0) {
    return report_divergence(m, d, bad, (double)state[0]);
  }
  return out && !trajectory_row(out, m, d, state) ? tell_unwritten(options->out, errno) : STATUS_OK;
}

// Begins the file of a run, and ends it with the steps that were taken, however they ended. They
// return a status, after a message if it failed.

static int start_recorder(cndRecorder** recorder, const Options* options, const mjModel* m,
                          const mjData* d) {
  char error[400];
  *recorder = options->save ? cnd_openRecorder(options->save, m, d, error, sizeof(error)) : NULL;
  if (options->save && !*recorder) {
    fprintf(stderr, "%s\n", error);
    return STATUS_FAILED;
  }
  return STATUS_OK;
}

static int end_recorder(cndRecorder* recorder, int status) {
  char error[400];
  if (recorder && !cnd_closeRecorder(recorder, error, sizeof(error))) {
    fprintf(stderr, "%s\n", error);
    return STATUS_FAILED;
  }
  return status;
}

static int run(Tally* tally, const Options* options, mjModel* m, mjData* d, FILE* out) {
  mjtNum* state = malloc(sizeof(mjtNum) * (size_t)mj_stateSize(m, TRAJECTORY_STATE));
  if (!state) {
    fprintf(stderr, "condyle simulate: out of memory\n");
    return STATUS_FAILED;
  }
  m->opt.enableflags |= mjENBL_ENERGY;
  mj_forward(m, d);
  memcpy(tally->energy_start, d->energy, sizeof d->energy);

  double to_time = fmin(options->time / (double)m->opt.timestep + 0.5, MAX_STEPS);
  long steps = options->steps >= 0 ? options->steps : (long)to_time;
  cndRecorder* recorder;
  int status = start_recorder(&recorder, options, m, d);
  if (status != STATUS_OK) {
    free(state);
    return status;
  }
  stop_gently();
  if (options->profile) {
    profile_start(d);
  }
  double start = now();
  status = take_all_steps(tally, options, m, d, out, recorder, steps, state);
  tally->wall = now() - start;
  profile_stop();
  status = end_recorder(recorder, status);
  if (status == STATUS_OK) {
    status = end(tally, options, m, d, out, state);
  }
  free(state);
  return status;
}

// Prints the warnings of kinds [first, end) that were raised, and returns their number.
static int print_warnings(const mjWarningStat* warning, int first, int end) {
  int number = 0;
  for (int kind = first; kind < end; kind++) {
    const mjWarningStat* w = warning + kind - first;
    number += w->number;
    if (w->number) {
      printf("%-22s %d x %s\n", "warnings", w->number, mju_warningText(kind, (size_t)w->lastinfo));
    }
  }
  return number;
}

static void print_table(const Tally* t, const mjModel* m, const mjData* d) {
  double steps = t->steps ? (double)t->steps : 1, simulated = (double)t->steps * m->opt.timestep;
  double wall = t->wall > 0 ? t->wall : 1e-9;
  printf("%-22s %.6g s in %ld steps\n", "simulated time", simulated, t->steps);
  printf("%-22s %.4g s\n", "wall time", t->wall);
  printf("%-22s %.0f\n", "steps per second", (double)t->steps / wall);
  printf("%-22s %.1f x\n", "real-time factor", simulated / wall);
  printf("%-22s mean %.2f, max %d\n", "contacts", t->contacts / steps, t->most_contacts);
  printf("%-22s mean %.2f, max %d\n", "constraint rows", t->rows / steps, t->most_rows);
  printf("%-22s mean %.2f\n", "solver iterations", t->iterations / steps);
  printf("%-22s potential %.6g J, kinetic %.6g J\n", "energy at start", (double)t->energy_start[0],
         (double)t->energy_start[1]);
  printf("%-22s potential %.6g J, kinetic %.6g J\n", "energy at end", (double)t->energy_end[0],
         (double)t->energy_end[1]);
  int warnings = print_warnings(d->warning, 0, mjNWARNING);
  warnings += print_warnings(d->cnd_warning, cndWARN_FIRST, cndWARN_END);
  if (!warnings) {
    printf("%-22s none\n", "warnings");
  }
}

// Runs from the present state of d, and writes the trajectory to a file if asked to.
static int simulate(const void* given, mjModel* m, mjData* d) {
  const Options* options = given;
  cndOutput output = {0};
  if (options->out && !cnd_openOutput(&output, options->out)) {
    return tell_unwritten(options->out, output.reason);
  }
  FILE* out = output.file;
  if (out && !trajectory_head(out, m)) {
    int status = tell_unwritten(options->out, errno);
    cnd_closeOutput(&output, 0);
    return status;
  }
  Tally tally = {0};
  int status = run(&tally, options, m, d, out);
  // flush what is still in the buffer
  if (out && !cnd_closeOutput(&output, 1) && status != STATUS_FAILED) {
    status = tell_unwritten(options->out, output.reason);
  }
  if (status == STATUS_OK) {
    print_table(&tally, m, d);
    if (options->profile) {
      profile_print(m, d);
    }
  }
  return status;
}

int command_simulate(int argc, char** argv) {
  Options options;
  int status = read_options(&options, argc, argv);
  if (status != STATUS_OK) {
    return status;
  }
  const Work work = {.command = "simulate",
                     .model = options.model,
                     .contact = &options.contact,
                     .out = options.out,
                     .save = options.save,
                     .key = options.key,
                     .timeless = options.steps < 0 ? ": give --steps" : NULL};
  return work_on_model(&work, simulate, &options);
}
