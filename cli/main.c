// main.c: the condyle program, which runs the chosen subcommand.

#include <condyle/condyle.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/console.h"
#include "command.h"

typedef struct Command_ {
  const char* name;
  int (*run)(int argc, char** argv);
  const char* arguments;
  const char* meaning;
} Command;

static const Command commands[] = {
    {"simulate", command_simulate,
     "MODEL.xml|.urdf|.sdf|.mjz|.mjb [--time S | --steps N] [--key NAME|N] [--ctrl "
     "zero|noise:SCALE]\n"
     "                   [--out FILE.csv] [--save RUN.cnd] [--seed N] [--profile]\n"
     "                   [--contact soft|hard|stick] [--restitution E]",
     "simulates a model, ends with a table; --out writes time, qpos, qvel and energy of every "
     "step;\n      --save writes the model, its first state and the controls as one file, for "
     "replay;\n      --profile tells where the time goes, by stage and by pair of geoms;\n"
     "      --contact and --restitution rule over what the model says of its contacts"},
    {"replay", command_replay, "RUN.cnd [--steps N] [--out FILE.csv] [--model OUT.mjb]",
     "steps a recorded run again, and tells the first step whose bits differ; --out writes its\n"
     "      trajectory, --model the model alone"},
    {"compile", command_compile,
     "MODEL.xml|.urdf|.sdf|.mjz|.mjb [-o OUT.xml|OUT.urdf|OUT.mjz|OUT.mjb|OUT.txt|-]\n"
     "                 [--dialect RELEASE] | --report [FILE.html]",
     "checks a model: every problem with its place, or its sizes, masses and degrees of freedom;\n"
     "      -o converts it: to MJCF with every number exact (\"-\": to the standard output), to a "
     "binary\n"
     "      model, to text; --report tells of each body its mass, its shapes, what they cost in\n"
     "      collisions, and what was changed; FILE.html shows what collides beside what is seen;\n"
     "      --dialect tells what the rules of that release (3.3 to 4.0) would change, or writes "
     "the "
     "model so"},
    {"derive", command_derive,
     "MODEL.xml|.urdf|.sdf|.mjz|.mjb [--key NAME|N] [--out FILE.csv|FILE.npy] [--check]",
     "prints how the state after a step depends on the state and the controls, exactly: the "
     "matrices\n"
     "      A and B; --out writes them side by side; --check compares them with centered "
     "differences"},
    {"lint", command_lint,
     "MODEL.xml|.urdf|.sdf|.mjz|.mjb [--disable CHECK,...] [--dialect RELEASE] | --list",
     "reports what compiles but is probably wrong, each with its place and what would be right;\n"
     "      --list names the checks; --dialect reports what the rules of that release would "
     "change"},
    {"render", command_render,
     "MODEL.xml|.urdf|.sdf|.mjz|.mjb [--key NAME|N | --state FILE.csv [--row N]] [--camera "
     "NAME|N]\n"
     "                 [--depth | --segment] [--size WxH] [-o OUT.png|- | --terminal blocks|sixel]",
     "draws a state: the reference configuration, a keyframe, or the last row or row N of a\n"
     "      trajectory; --depth writes millimetres (16 bits), --segment a color for each shape"},
    {"record", command_record,
     "MODEL.xml|.urdf|.sdf|.mjz|.mjb [--time S] [-o OUT.mp4|OUT.gif|FOLDER/] [--fps N] [--speed "
     "X]\n"
     "                 [--key NAME|N] [--ctrl zero|noise:SCALE] [--seed N] [--camera NAME|N]\n"
     "                 [--size WxH] [--segment] [--contact soft|hard|stick]",
     "films a simulation by the program ffmpeg, or as PNG files"},
    {"plot", command_plot,
     "FILE.csv [-o OUT.svg|-] [--x COLUMN] [--columns PATTERN,...] [--title TEXT]",
     "draws columns of numbers over the first one or COLUMN; those whose names differ by their "
     "index\n      share a panel; --columns chooses, such as 'qpos[0-6],kinetic'"},
    {"view", command_view,
     "MODEL.xml|.urdf|.sdf|.mjz|.mjb [--port N] [--no-browser] [--page FILE.html]",
     "shows a model in the browser, at an address of this machine that nobody else can guess;\n"
     "      --no-browser only prints the address, --page is the viewer (make web)"},
    {"fields", command_fields, "[model|data] [NAME]",
     "lists the arrays of mjModel and mjData with type, shape and meaning"},
};
enum {
  COMMAND_COUNT = sizeof commands / sizeof *commands
};

static void print_command(const Command* command) {
  printf("  condyle %s %s\n      %s\n", command->name, command->arguments, command->meaning);
}

static void print_help(void) {
  printf("condyle %s: physics of articulated bodies in contact\n\n", cnd_version());
  for (int i = 0; i < COMMAND_COUNT; i++) {
    print_command(commands + i);
  }
  printf(
      "  condyle --help | COMMAND --help | --version\n\n"
      "A robot (.urdf, .xacro) is a MODEL too, and takes these options with any command:\n"
      "  [--package NAME=DIR|DIR] [--xacro-arg NAME:=VALUE] [--floating | --fixed] [--simplify]\n"
      "  [--actuators position|velocity|motor|none] [--exclude initial|all|none]\n\n"
      "Exit status: 0 done, 1 the system failed or lint has findings, 2 bad arguments or model, "
      "3 the simulation diverged,\n128 + N stopped by signal N.\n");
}

int usage_error(const char* command, const char* message, ...) {
  fprintf(stderr, "condyle%s%s: ", command ? " " : "", command ? command : "");
  va_list args;
  va_start(args, message);
  vfprintf(stderr, message, args);
  va_end(args);
  fprintf(stderr, " (see condyle --help)\n");
  return STATUS_INPUT;
}

int tell_unwritten(const char* path, int reason) {
  int to_output = !strcmp(path, "-");
  fprintf(stderr, "%s: %s\n", to_output ? "standard output" : path, strerror(reason));
  if (to_output) {
    clearerr(stdout);  // it is told, and not again at the end
  }
  return STATUS_FAILED;
}

int ends_with(const char* name, const char* ending) {
  size_t length = strlen(name), n = strlen(ending);
  return length > n && !strcmp(name + length - n, ending);
}

// Prints warnings of the engine only on the screen, without the library's log file.
static void show_warning(const char* message) {
  fprintf(stderr, "warning: %s\n", message);
}

// Prints errors from which the engine can't return, such as no memory, and exits.
static void show_error(const char* message) {
  fprintf(stderr, "condyle: %s\n", message);
  exit(STATUS_FAILED);
}

// Flushes the output: a full disk is a failure.
static int finish(int status) {
  if (fflush(stdout) || ferror(stdout)) {
    fprintf(stderr, "standard output: %s\n", strerror(errno));
    return STATUS_FAILED;
  }
  return status;
}

static int is_help(const char* word) {
  return !strcmp(word, "--help") || !strcmp(word, "-h");
}

static const Command* find_command(const char* name) {
  for (int i = 0; i < COMMAND_COUNT; i++) {
    if (!strcmp(name, commands[i].name)) {
      return commands + i;
    }
  }
  return NULL;
}

// Runs the subcommand, or an option that needs none. Returns the exit status.
static int run(int argc, char** argv) {
  if (argc < 2) {
    return usage_error(NULL, "a command is missing");
  }
  int asks = !strcmp(argv[1], "help");
  if (is_help(argv[1]) || (asks && argc == 2)) {
    print_help();
    return STATUS_OK;
  }
  if (!strcmp(argv[1], "--version")) {
    printf("condyle %s (MuJoCo API %s)\n", cnd_version(), mj_versionString());
    return STATUS_OK;
  }
  const char* name = argv[asks ? 2 : 1];
  const Command* command = find_command(name);
  if (!command) {
    return usage_error(NULL, "unknown command '%s'", name);
  }
  if (asks || (argc > 2 && (is_help(argv[2]) || is_help(argv[argc - 1])))) {
    print_command(command);
    return STATUS_OK;
  }
  return command->run(argc - 2, argv + 2);
}

int main(int argc, char** argv) {
  if (!console_begin(&argc, &argv)) {
    return STATUS_FAILED;
  }
  mju_user_warning = show_warning;
  mju_user_error = show_error;
  return finish(run(argc, argv));
}
