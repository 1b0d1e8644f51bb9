// print_schema.c: the grammar as text and HTML.

#include <condyle/behaviour_table.h>

#include "support/bridge.h"
#include "support/test.h"

enum {
  ROOM = 1 << 20,
};

TEST(elements_stand_with_rule_and_sorted_attributes) {
  char* text = malloc(ROOM);
  int length = mj_printSchema(NULL, text, ROOM, 0, 0);
  assert_int_equal(length, (int)strlen(text));
  assert_non_null(strstr(text, "mujoco (!)                    model \n   compiler (*)"));
  assert_non_null(
      strstr(text, "   keyframe (*)               \n      key (*)                 act "));
  free(text);
}

TEST(a_short_buffer_gets_the_beginning) {
  char text[20];
  assert_that(mj_printSchema(NULL, text, sizeof(text), 0, 0), >, 10000);
  assert_string_equal(text, "mujoco (!)         ");
}

// Words that later releases have added, and our own (dialects and behaviours), by name; which
// element has which is tested in schema_test.c.
#define NAME(name, release, meaning) #name " "
static const char additions[] =
    " * ? " CND_BEHAVIOURS(NAME)
    "active actlimited actuatorfrclimited actuatorfrcrange adhesion armature behaviour "
    "builtin camera castshadow cell cellcount class cogging colorspace conflict controller "
    "cranklength cranksite ctrllimited ctrlrange cutoff damping data dcmotor delay diagexact "
    "dialect dof embed enclosed ffrange flex flexstrain forcelimited forcerange frame fuse "
    "gear gridlayout gridsize group height hflip imax inductance inheritrange input interp "
    "interval ipc joint jointinparent ki kp kv layer lengthrange lugre mark markrgb massscale "
    "mesh motorconst name nchannel nodecoord noise nominal nsample orientation output "
    "passthrough pid plastic posrange projection random refsite resistance rgb1 rgb2 role "
    "saturation savecanonical savecompiled scale scaling section sectionsize shear simple "
    "site sleep sleep_tolerance slewmax slidersite softness solimp solref speculative "
    "springyield surfacevel tendon texture thermal type user velrange vflip width yield ";

// Leaves only the words: tags, hard spaces and brackets become spaces.
static void leave_words(char* text) {
  int tag = 0;
  for (char* at = text; *at; at++) {
    int hard = !strncmp(at, "&nbsp;", 6);
    tag |= *at == '<' || hard;
    int end = *at == '>' || (*at == ';' && tag);
    *at = tag || *at == '(' || *at == ')' ? ' ' : *at;
    tag &= !end;
  }
}

// Takes the next word of a text; NULL at its end.
static const char* next_word(char** text) {
  char* word;
  while ((word = strsep(text, " \n\t")) && !*word) {
  }
  return word;
}

static void assert_same_but_additions(char* ours, char* theirs) {
  const char *mine, *other = next_word(&theirs);
  while ((mine = next_word(&ours))) {
    if (other && !strcmp(mine, other)) {
      other = next_word(&theirs);
    } else {
      char word[100];
      snprintf(word, sizeof(word), " %s ", mine);
      if (!strstr(additions, word)) {
        fail_msg("'%s' stands where '%s' is expected", mine, other ? other : "the end");
      }
    }
  }
  assert_null(other);
}

typedef int PrintSchema(const char* filename, char* buffer, int size, int html, int pad);

TEST(the_reference_prints_the_same_schema_but_for_what_is_newer) {
  BRIDGE_OR_SKIP();
  PrintSchema* print = (PrintSchema*)(uintptr_t)bridge_function("mj_printSchema");
  char *ours = malloc(ROOM), *theirs = malloc(ROOM);
  for (int form = 0; form < 4; form++) {
    assert_that(print(NULL, theirs, ROOM, form / 2, form % 2), <, ROOM);
    assert_that(mj_printSchema(NULL, ours, ROOM, form / 2, form % 2), <, ROOM);
    leave_words(ours);
    leave_words(theirs);
    assert_same_but_additions(ours, theirs);
  }
  free(theirs);
  free(ours);
}
