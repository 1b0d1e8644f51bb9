// error.c and memory.c: who hears of an error, what the log holds, what memory is refused.

#include "base/memory/error.h"

#include <condyle/error.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory/memory.h"
#include "support/caught.h"
#include "support/load.h"
#include "support/starve.h"
#include "support/test.h"

static char heard[2000];

static void hear(const char* message) {
  snprintf(heard, sizeof(heard), "%s", message);
}

TEST(warning_reaches_the_programs_handler) {
  mju_user_warning = hear;
  mju_warning("joint %s at %d", "hip", 3);
  assert_string_equal(heard, "joint hip at 3");
  mju_warning_i("number %d", 7);
  assert_string_equal(heard, "number 7");
  mju_warning_s("name %s", "knee");
  assert_string_equal(heard, "name knee");
  mju_user_warning = NULL;
}

TEST(error_reaches_the_programs_handler) {
  assert_error(mju_error("%d bodies", 5), "5 bodies");
  assert_error(mju_error_i("%d joints", 6), "6 joints");
  assert_error(mju_error_s("no %s", "geom"), "no geom");
}

TEST(long_message_is_cut) {
  char text[3000];
  memset(text, 'x', sizeof(text) - 1);
  text[sizeof(text) - 1] = 0;
  mju_user_warning = hear;
  mju_warning("%s", text);
  mju_user_warning = NULL;
  assert_int_equal(strlen(heard), 1023);
}

TEST(thread_handler_comes_first) {
  mju_user_warning = caught_jump;
  ErrorHandler before = warning_handle(hear);
  mju_warning("to the thread");
  warning_handle(before);
  mju_user_warning = NULL;
  assert_string_equal(heard, "to the thread");
}

static void fail_with(void* text) {
  mju_error("%s", (const char*)text);
}

static void do_nothing(void* argument) {
  (void)argument;
}

TEST(catch_gives_the_text) {
  char text[20] = "";
  assert_int_equal(error_catch(text, sizeof(text), fail_with, "no such thing"), 1);
  assert_string_equal(text, "no such thing");
  assert_int_equal(error_catch(text, sizeof(text), do_nothing, NULL), 0);
  assert_int_equal(error_catch(text, 8, fail_with, "no such thing"), 1);
  assert_string_equal(text, "no such");
  assert_int_equal(error_catch(NULL, 0, fail_with, "unheard"), 1);
}

static void catch_then_fail(void* outer) {
  char text[20];
  assert_int_equal(error_catch(text, sizeof(text), fail_with, "inner"), 1);
  mju_error("%s after %s", (const char*)outer, text);
}

TEST(catches_nest) {
  char text[40];
  assert_int_equal(error_catch(text, sizeof(text), catch_then_fail, "outer"), 1);
  assert_string_equal(text, "outer after inner");
}

TEST(try_gives_the_text_of_the_program_too) {
  char text[20] = "";
  mju_user_error = hear;
  heard[0] = 0;
  assert_int_equal(cnd_try(fail_with, "no such thing", text, sizeof(text)), 1);
  assert_string_equal(text, "no such thing");
  assert_int_equal(cnd_try(fail_with, "no such thing", text, 8), 1);
  assert_string_equal(text, "no such");
  assert_int_equal(cnd_try(do_nothing, NULL, text, sizeof(text)), 0);
  assert_int_equal(cnd_try(fail_with, "unheard", NULL, 0), 1);
  assert_int_equal(cnd_try(fail_with, "unheard", text, -1), 1);
  mju_user_error = NULL;
  assert_string_equal(heard, "");
  assert_error(cnd_try(NULL, NULL, NULL, 0), "cnd_try: call is NULL");
}

static void try_then_fail(void* outer) {
  char text[20];
  assert_int_equal(cnd_try(fail_with, "inner", text, sizeof(text)), 1);
  assert_int_equal(cnd_try(do_nothing, NULL, text, sizeof(text)), 0);
  mju_error("%s after %s", (const char*)outer, text);
}

TEST(tries_nest) {
  char text[40];
  assert_int_equal(cnd_try(try_then_fail, "outer", text, sizeof(text)), 1);
  assert_string_equal(text, "outer after inner");
  assert_int_equal(error_catch(text, sizeof(text), try_then_fail, "caught"), 1);
  assert_string_equal(text, "caught after inner");
}

static void control_fails(const mjModel* m, mjData* d) {
  (void)m;
  mju_error("control at %g", (double)d->time);
}

typedef struct Stepped_ {
  mjModel* m;
  mjData* d;
} Stepped;

static void step(void* argument) {
  const Stepped* s = argument;
  mj_step(s->m, s->d);
}

// The callback's error ends the step. After a reset the data is as good as new.
TEST(try_ends_a_step_at_the_error_of_a_callback) {
  mjModel* model = test_model(
      "<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>");
  Stepped s = {model, test_data(model)}, other = {model, test_data(model)};
  char text[40] = "";
  mjcb_control = control_fails;
  assert_int_equal(cnd_try(step, &s, text, sizeof(text)), 1);
  mjcb_control = NULL;
  assert_string_equal(text, "control at 0");
  mj_resetData(s.m, s.d);
  assert_int_equal(cnd_try(step, &s, text, sizeof(text)), 0);
  mj_step(other.m, other.d);
  assert_memory_equal(s.d->qpos, other.d->qpos, 7 * sizeof(mjtNum));
}

enum {
  NTHREAD = 4,
  NTRIES = 500
};

static void* try_often(void* argument) {
  int number = *(int*)argument, wrong = 0;
  for (int i = 0; i < NTRIES; i++) {
    char own[40], text[40];
    snprintf(own, sizeof(own), "thread %d", number);
    wrong += !cnd_try(fail_with, own, text, sizeof(text)) || strcmp(text, own) != 0;
    wrong += !cnd_try(try_then_fail, own, text, sizeof(text)) || strncmp(text, own, strlen(own));
  }
  *(int*)argument = wrong;
  return NULL;
}

TEST(threads_hear_their_own_errors) {
  pthread_t thread[NTHREAD];
  int number[NTHREAD];
  for (int i = 0; i < NTHREAD; i++) {
    number[i] = i + 1;
    assert_int_equal(pthread_create(&thread[i], NULL, try_often, &number[i]), 0);
  }
  for (int i = 0; i < NTHREAD; i++) {
    pthread_join(thread[i], NULL);
    assert_int_equal(number[i], 0);
  }
}

static mjSpec* made;

static void make_and_fail(void* name) {
  made = mj_makeSpec();
  mjs_setName(mjs_addBody(mjs_findBody(made, "world"), NULL)->element, name);
  mju_error("made");
}

// What the program makes is the program's.
TEST(spec_made_in_a_try_outlives_its_error) {
  char text[40];
  assert_int_equal(cnd_try(make_and_fail, "hip", text, sizeof(text)), 1);
  assert_string_equal(text, "made");
  assert_non_null(mjs_findBody(made, "hip"));
  mj_deleteSpec(made);
}

TEST(clearing_takes_all_hooks_back) {
  mju_user_error = mju_user_warning = hear;
  mju_user_malloc = malloc;
  mju_user_free = free;
  mju_clearHandlers();
  assert_null(mju_user_error);
  assert_null(mju_user_warning);
  assert_null(mju_user_malloc);
  assert_null(mju_user_free);
}

// runs in a new folder, so that the log of nobody else is touched
TEST(error_without_handler_logs_and_exits) {
  char directory[] = "error_test_XXXXXX";
  assert_non_null(mkdtemp(directory));

  pid_t child = fork();
  assert_that(child, >=, 0);
  if (!child) {
    if (chdir(directory) || !freopen("/dev/null", "w", stdout)) {
      _exit(2);
    }
    mju_warning("first %d", 1);
    mju_writeLog("NOTE", "between");
    mju_error("second %d", 2);
    _exit(3);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), EXIT_FAILURE);

  char path[100], text[1000];
  snprintf(path, sizeof(path), "%s/MUJOCO_LOG.TXT", directory);
  FILE* file = fopen(path, "r");
  assert_non_null(file);
  size_t length = fread(text, 1, sizeof(text) - 1, file);
  text[length] = 0;
  fclose(file);
  remove(path);
  rmdir(directory);

  // date, newline, type and message, blank line; then the same again
  const char* warning = strstr(text, "\nWARNING: first 1\n\n");
  const char* note = strstr(text, "\nNOTE: between\n\n");
  const char* error = strstr(text, "\nERROR: second 2\n\n");
  assert_non_null(warning);
  assert_non_null(error);
  assert_non_null(note);
  assert_that(warning, <, note);
  assert_that(note, <, error);
}

TEST(memory_is_aligned) {
  for (size_t size = 0; size < 300; size += 37) {
    void* block = mju_malloc(size);
    assert_int_equal((uintptr_t)block % 64, 0);
    mju_free(block);
  }
  mju_free(NULL);
}

TEST(zeroed_memory_is_zero) {
  char* block = memory_take_zero(1000);
  for (int i = 0; i < 1000; i++) {
    assert_int_equal(block[i], 0);
  }
  mju_free(block);
}

TEST(refused_memory_is_an_error) {
  STARVE_OR_SKIP();
  starve_after(0, 0);
  assert_error(mju_malloc(10), "Could not allocate memory");
  assert_null(memory_take(10));
  assert_null(memory_take_zero(10));
  starve_end();
  assert_error(mju_malloc(SIZE_MAX - 3), "Could not allocate memory");
}

static void* outlives;

static void take_and_fail(void* unused) {
  (void)unused;
  char* list = heap_take(10);
  list[9] = 'x';
  heap_take(20);
  list = heap_resize(list, 1000000);
  assert_int_equal(list[9], 'x');
  heap_free(heap_zero(3, 5));
  outlives = heap_resize(outlives, 2000000);
  Heap* heap = heap_pause();
  heap_free(outlives);
  outlives = heap_take(5);
  heap_resume(heap);
  heap_take(SIZE_MAX - 3);
}

static void catch_inside(void* unused) {
  (void)unused;
  heap_take(1);
  assert_int_equal(error_catch(NULL, 0, take_and_fail, NULL), 1);
  heap_take(2);
  mju_error("after it");
}

static void keep_some(void* unused) {
  (void)unused;
  heap_free(heap_take(1));
  outlives = heap_resize(heap_take(1), 100000);
}

TEST(what_a_caught_call_took_is_freed) {
  STARVE_OR_SKIP();
  char message[100];
  starve_after(1000, 0);
  outlives = heap_take(7);
  assert_int_equal(error_catch(message, sizeof(message), take_and_fail, NULL), 1);
  assert_string_equal(message, MEMORY_OUT);
  assert_int_equal(starve_blocks(), 1);
  assert_int_equal(error_catch(message, sizeof(message), catch_inside, NULL), 1);
  assert_string_equal(message, "after it");
  assert_int_equal(starve_blocks(), 1);
  heap_free(outlives);
  assert_int_equal(error_catch(message, sizeof(message), keep_some, NULL), 0);
  assert_int_equal(starve_blocks(), 1);
  heap_free(outlives);
  assert_int_equal(starve_blocks(), 0);
  starve_end();
}

TEST(outside_of_a_catch_refused_memory_is_null) {
  STARVE_OR_SKIP();
  starve_after(0, 0);
  assert_null(heap_take(1));
  assert_null(heap_zero(1, 1));
  starve_end();
  char* block = heap_take(1);
  assert_null(heap_resize(block, SIZE_MAX - 3));
  assert_null(heap_zero(SIZE_MAX / 2, 3));
  heap_free(block);
  heap_free(NULL);
}

TEST(sizes_do_not_overflow) {
  size_t out = 5;
  assert_int_equal(size_multiply(&out, SIZE_MAX / 2, 3), 0);
  assert_int_equal(size_add(&out, SIZE_MAX, 1), 0);
  assert_int_equal(size_align(&out, SIZE_MAX - 5, 64), 0);
  assert_int_equal(out, 5);
  assert_int_equal(size_multiply(&out, 6, 7), 1);
  assert_int_equal(out, 42);
  assert_int_equal(size_align(&out, 65, 64), 1);
  assert_int_equal(out, 128);
}
