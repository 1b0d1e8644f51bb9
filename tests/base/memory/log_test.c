// Messages: which handler gets them, and how they are written without one.

#include "base/memory/log.h"

#include <condyle/error.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/caught.h"
#include "support/test.h"

static mjLogMessage last;
static int count;

static void take(const mjLogMessage* message) {
  last = *message;
  count++;
}

static char legacy[2048];

static void take_legacy(const char* text) {
  snprintf(legacy, sizeof(legacy), "%s", text);
}

AFTER_EACH() {
  mju_clearHandlers();
}

TEST(a_handler_gets_messages_of_all_levels_whatever_their_topic) {
  mju_setLogHandler(take);
  mju_warning("w %d", 3);
  assert_int_equal(last.level, mjLOG_WARNING);
  assert_string_equal(last.subject, "w 3");
  mju_info(mjTOPIC_TIME_STP, "i");
  assert_int_equal(last.level, mjLOG_INFO);
  assert_int_equal(last.topic, mjTOPIC_TIME_STP);
  mju_info(77, "i");
  mju_message(&(mjLogMessage){.level = mjLOG_DEBUG, .subject = "d", .body = "more", .func = "f"});
  assert_string_equal(last.body, "more");
  assert_string_equal(last.func, "f");
  mju_error("e");
  assert_int_equal(last.level, mjLOG_ERROR);
  assert_int_equal(count, 5);
}

TEST(a_handler_of_messages_comes_before_legacy_ones) {
  mju_user_warning = take_legacy;
  legacy[0] = 0;
  mju_setLogHandler(take);
  mju_warning("to the handler");
  assert_string_equal(legacy, "");
  assert_string_equal(last.subject, "to the handler");
  assert_ptr_equal(mju_setLogHandler(NULL), take);
  mju_warning("to the legacy one");
  assert_string_equal(legacy, "to the legacy one");
  mju_message(&(mjLogMessage){.level = mjLOG_WARNING, .subject = "s", .body = "b", .func = "f"});
  assert_string_equal(legacy, "f: s");
}

TEST(the_handler_before_is_never_null_and_can_be_called) {
  mju_user_warning = take_legacy;
  mjfLogHandler usual = mju_setLogHandler(take);
  assert_non_null(usual);
  usual(&(mjLogMessage){.level = mjLOG_WARNING, .subject = "chained"});
  assert_string_equal(legacy, "chained");
  assert_ptr_equal(mju_setLogHandler(usual), take);
  assert_ptr_equal(mju_setLogHandler(NULL), usual);
}

static void fail_inside(void* argument) {
  (void)argument;
  mju_error("inside");
}

TEST(the_library_catches_its_errors_before_a_handler_sees_them) {
  mju_setLogHandler(take);
  count = 0;
  char text[100] = "";
  assert_int_equal(cnd_try(fail_inside, NULL, text, sizeof(text)), 1);
  assert_string_equal(text, "inside");
  assert_int_equal(count, 0);
}

TEST(clearing_handlers_takes_back_the_configuration) {
  mjLogConfig config = mju_getLogConfig();
  assert_int_equal(config.logto_console, 1);
  assert_int_equal(config.logto_file, 1);
  assert_string_equal(config.logfile, "MUJOCO_LOG.TXT");
  assert_int_equal(config.topics, 0);
  config.logto_file = 0;
  config.topics = 3;
  memset(config.logfile, 'x', sizeof(config.logfile));
  mju_setLogConfig(config);
  config = mju_getLogConfig();
  assert_int_equal(config.topics, 3);
  assert_int_equal(strlen(config.logfile), sizeof(config.logfile) - 1);
  mju_clearHandlers();
  assert_int_equal(mju_getLogConfig().topics, 0);
  assert_int_equal(mju_getLogConfig().logto_file, 1);
}

// What is printed and written to files

static char out[1 << 14], err[1 << 14], file[1 << 14];

static void slurp(char* text, size_t size, const char* path) {
  FILE* open = fopen(path, "r");
  size_t n = open ? fread(text, 1, size - 1, open) : 0;
  text[n] = 0;
  if (open) {
    fclose(open);
  }
}

// Runs a function in a process of its own, in an empty folder. Returns its exit status; what it
// wrote is in out, err and file.
static int run_alone(void (*run)(void)) {
  char folder[] = "/tmp/condyle-log-XXXXXX", path[100];
  assert_non_null(mkdtemp(folder));
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    if (chdir(folder) || !freopen("out", "w", stdout) || !freopen("err", "w", stderr)) {
      _exit(99);
    }
    run();
    fflush(NULL);
    _exit(0);
  }
  int status = 0;
  assert_that(waitpid(child, &status, 0), ==, child);
  static const char* const names[] = {"out", "err", "MUJOCO_LOG.TXT"};
  char* const texts[] = {out, err, file};
  for (int i = 0; i < 3; i++) {
    snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
    slurp(texts[i], sizeof(out), path);
    unlink(path);
  }
  rmdir(folder);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void warn_plainly(void) {
  mju_warning("w");
}

// These words are older than handlers of messages, and so is what scripts read of them.
TEST(a_warning_is_printed_on_stdout_and_logged_under_its_date) {
  assert_int_equal(run_alone(warn_plainly), 0);
  assert_string_equal(out, "WARNING: w\n\n");
  assert_string_equal(err, "");
  assert_has(file, "\nWARNING: w\n\n");
}

static void tell_all(void) {
  mju_info(0, "none");
  mju_info(1, "masked");
  mjLogConfig config = mju_getLogConfig();
  config.topics = 2;
  mju_setLogConfig(config);
  mju_info(1, "masked");
  mju_info(2, "two");
  mjLogMessage message = {.level = mjLOG_INFO, .subject = "s", .func = "f", .file = "x.c"};
  mju_message(&message);
  message.line = 7;
  message.body = "  a\n  b";
  mju_message(&message);
  message.level = mjLOG_DEBUG;
  mju_message(&message);
  message.level = mjLOG_WARNING;
  message.topic = mjTOPIC_SLEEP;
  mju_message(&message);
}

TEST(messages_are_written_with_what_they_say_of_themselves) {
  assert_int_equal(run_alone(tell_all), 0);
  assert_string_equal(out,
                      "INFO: none\n\nINFO: two\n\nINFO f: s\n\nINFO f (x.c:7): s\n  a\n  b\n\n"
                      "DEBUG f (x.c:7): s\n  a\n  b\n");
  assert_string_equal(err, "WARNING f (x.c:7): s\n  a\n  b\n\n");
  assert_has(file, "INFO f (x.c:7) ");
  assert_null(strstr(file, "masked"));
}

static void tell_dated(void) {
  mju_message(&(mjLogMessage){.level = mjLOG_INFO, .subject = "s", .timestamp = 1});
}

TEST(the_time_is_printed_where_a_message_asks_for_it) {
  run_alone(tell_dated);
  char day[4], month[4], rest[20];
  int date, hour, minute, second, year;
  assert_int_equal(sscanf(out, "INFO %3s %3s %d %d:%d:%d %d: %19s", day, month, &date, &hour,
                          &minute, &second, &year, rest),
                   8);
  assert_string_equal(rest, "s");
  assert_string_equal(out, file);
}

static void warn_nowhere(void) {
  mjLogConfig config = mju_getLogConfig();
  config.logto_console = 0;
  mju_setLogConfig(config);
  mju_warning("in the file");
  config.logto_console = 1;
  config.logto_file = 0;
  mju_setLogConfig(config);
  mju_warning("on the screen");
}

TEST(messages_go_only_where_the_configuration_says) {
  run_alone(warn_nowhere);
  assert_string_equal(out, "WARNING: on the screen\n\n");
  assert_has(file, "in the file");
  assert_null(strstr(file, "on the screen"));
}

static void end_by_error(void) {
  mju_message(&(mjLogMessage){.level = mjLOG_ERROR, .subject = "the end"});
  _exit(7);
}

static void end_by_plain_error(void) {
  mju_error("the end");
  _exit(7);
}

TEST(an_error_that_no_handler_takes_ends_the_program) {
  assert_int_equal(run_alone(end_by_error), EXIT_FAILURE);
  assert_string_equal(err, "ERROR: the end\n\n");
  assert_int_equal(run_alone(end_by_plain_error), EXIT_FAILURE);
  assert_string_equal(out, "ERROR: the end\n\n");
}
