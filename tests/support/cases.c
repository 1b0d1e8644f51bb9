// cases.c: reading tables of models with what is said about each.

#include "support/cases.h"

#include "base/file.h"
#include "support/test.h"

char* cases_read(const char* name) {
  char path[1000], error[160];
  size_t size;
  snprintf(path, sizeof(path), CONDYLE_SOURCE_DIR "/tests/refused/%s", name);
  char* table = file_read(&size, path, error, sizeof(error));
  assert_non_null(table);
  return table;
}

// Ends the line at text; what follows it.
static char* end_line(char* text) {
  char* end = strchr(text, '\n');
  assert_non_null(end);
  *end = 0;
  return end + 1;
}

// Takes "[FILE:]LINE: PHRASE" off a text; what follows it.
static char* take_head(Case* out, char* head) {
  char* rest = end_line(head);
  char* colon = strstr(head, ": ");
  assert_non_null(colon);
  *colon = 0;
  out->phrase = colon + 2;
  char* line = strrchr(head, ':');
  if (line) {
    *line = 0;
  }
  out->file = line ? head : "";
  out->line = atoi(line ? line + 1 : head);
  return rest;
}

static void put(CaseFile* file, const void* bytes, size_t size) {
  assert_that((size_t)file->size + size, <=, sizeof(file->bytes));
  memcpy(file->bytes + file->size, bytes, size);
  file->size += (int)size;
}

static void put_word(CaseFile* file, const char* word) {
  size_t length = strlen(word);
  if (word[0] == 'x') {
    for (const char* digit = word + 1; digit[0] && digit[1]; digit += 2) {
      unsigned byte;
      assert_int_equal(sscanf(digit, "%2x", &byte), 1);
      put(file, &(unsigned char){(unsigned char)byte}, 1);
    }
  } else if (word[0] == '\'') {
    put(file, word + 1, length - 2);
  } else if (strspn(word, "-0123456789") == length) {
    put(file, &(int32_t){(int32_t)strtoll(word, NULL, 10)}, 4);
  } else {
    put(file, &(float){strtof(word, NULL)}, 4);
  }
}

// The words of a file that is not text, "9*x00" as often as it says.
static void put_words(CaseFile* file, char* words) {
  for (char* word = strtok(words, " \n"); word; word = strtok(NULL, " \n")) {
    char* star = strchr(word, '*');
    for (int count = star ? atoi(word) : 1; count > 0; count--) {
      put_word(file, star ? star + 1 : word);
    }
  }
}

// A file "NAME[ bytes]\n content" of a case.
static void take_file(Case* out, char* head) {
  assert_that(out->nfile, <, CASE_MAX_FILES);
  CaseFile* file = &out->files[out->nfile++];
  char* end = strchr(head, '\n');
  char* content = end ? end_line(head) : head + strlen(head);
  char* kind = strchr(head, ' ');
  *file = (CaseFile){.name = head, .text = kind ? NULL : content};
  if (kind) {
    *kind = 0;
    put_words(file, content);
  } else {
    put(file, content, strlen(content));
  }
}

int cases_next(Case* out, char** cursor) {
  char* head = strstr(*cursor, "\n== ");
  if (!head) {
    return 0;
  }
  out->number++;
  out->nfile = 0;
  out->text = take_head(out, head + 4);
  if (strncmp(out->text, "=> ", 3) == 0) {
    out->text = take_head(out, out->text + 3);
  }
  char* end = strstr(out->text, "\n\n");
  assert_non_null(end);
  *end = 0;
  *cursor = end + 1;

  char* file = strstr(out->text, "\n--- ");
  while (file) {
    char* next = strstr(file + 1, "\n--- ");
    *file = 0;
    if (next) {
      *next = 0;
    }
    take_file(out, file + 5);
    file = next;
  }
  return 1;
}

void cases_mount(mjVFS* vfs, const Case* one) {
  mj_defaultVFS(vfs);
  for (int i = 0; i < one->nfile; i++) {
    const CaseFile* file = &one->files[i];
    assert_int_equal(mj_addBufferVFS(vfs, file->name, file->bytes, file->size), 0);
  }
  assert_int_equal(mj_addBufferVFS(vfs, "main.xml", one->text, (int)strlen(one->text)), 0);
}

const char* cases_source(const Case* one) {
  for (int i = 0; i < one->nfile; i++) {
    if (strcmp(one->files[i].name, one->file) == 0) {
      return one->files[i].text;
    }
  }
  return one->text;
}
