// program_windows.c: programs of Windows, which take one text instead of words.

#ifdef _WIN32

#define WIN32_LEAN_AND_MEAN
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include <shellapi.h>  // needs the types of windows.h

#include "base/system/program.h"
#include "base/system/wide.h"

// Appends a word as programs take it apart again: in quotation marks, where backslashes before one
// count twice.
static char* append_word(char* at, const char* word) {
  *at++ = '"';
  for (size_t slashes = 0;; word++) {
    if (*word == '\\') {
      slashes++;
      continue;
    }
    size_t times = *word == '"' || !*word ? 2 * slashes : slashes;
    memset(at, '\\', times);
    at += times;
    slashes = 0;
    if (!*word) {
      break;
    }
    if (*word == '"') {
      *at++ = '\\';
    }
    *at++ = *word;
  }
  *at++ = '"';
  return at;
}

// All words as one text. NULL if memory runs out; the caller frees it.
static char* join_words(const char* const* words) {
  size_t size = 1;
  for (int i = 0; words[i]; i++) {
    size += 2 * strlen(words[i]) + 3;
  }
  char *text = malloc(size), *at = text;
  for (int i = 0; text && words[i]; i++) {
    if (i) {
      *at++ = ' ';
    }
    at = append_word(at, words[i]);
  }
  if (text) {
    *at = 0;
  }
  return text;
}

// Starts a program with these standard streams. Returns 0 with errno set if it can't be.
static int start(PROCESS_INFORMATION* process, const char* const* words, const HANDLE streams[3]) {
  STARTUPINFOW info = {.cb = sizeof(info), .dwFlags = STARTF_USESTDHANDLES};
  WideText wide = {0};
  char* line = join_words(words);
  info.hStdInput = streams[0];
  info.hStdOutput = streams[1];
  info.hStdError = streams[2];
  int started = line && wide_take(&wide, line) &&
                CreateProcessW(NULL, wide.text, NULL, NULL, TRUE, 0, NULL, NULL, &info, process);
  if (!started) {
    DWORD error = GetLastError();
    errno = error == ERROR_FILE_NOT_FOUND || error == ERROR_PATH_NOT_FOUND ? ENOENT : EACCES;
  }
  wide_drop(&wide);
  free(line);
  return started;
}

// Makes a pipe of which the program gets one end, 0 to read or 1 to write.
static int make_pipe(HANDLE ends[2], int given) {
  SECURITY_ATTRIBUTES inherited = {.nLength = sizeof(inherited), .bInheritHandle = TRUE};
  if (!CreatePipe(&ends[0], &ends[1], &inherited, 0)) {
    errno = EMFILE;
    return 0;
  }
  SetHandleInformation(ends[1 - given], HANDLE_FLAG_INHERIT, 0);
  return 1;
}

// A pipe from which a thread reads a text.
typedef struct Output_ {
  HANDLE pipe[2];
  ProgramText* out;
  size_t most;
} Output;

static DWORD WINAPI take_all(void* user) {
  Output* it = user;
  size_t room = 0;
  for (DWORD got = 1; got;) {
    if (room - it->out->size < 4096) {
      size_t larger = 2 * room + 65536;
      char* text = larger <= it->most ? realloc(it->out->text, larger) : NULL;
      if (!text) {
        break;
      }
      it->out->text = text;
      room = larger;
    }
    if (!ReadFile(it->pipe[0], it->out->text + it->out->size,
                  (DWORD)(room - it->out->size > 65536 ? 65536 : room - it->out->size - 1), &got,
                  NULL)) {
      got = 0;
    }
    it->out->size += got;
    it->out->text[it->out->size] = 0;
  }
  CloseHandle(it->pipe[0]);
  return 0;
}

static int wait_for(PROCESS_INFORMATION* process) {
  DWORD status = 1;
  WaitForSingleObject(process->hProcess, INFINITE);
  GetExitCodeProcess(process->hProcess, &status);
  CloseHandle(process->hProcess);
  CloseHandle(process->hThread);
  return (int)(status & 0xff);
}

int program_run(ProgramText out[2], const char* const* words, size_t most) {
  Output it[2] = {{.out = &out[0], .most = most}, {.out = &out[1], .most = most}};
  out[0] = out[1] = (ProgramText){NULL, 0};
  if (!make_pipe(it[0].pipe, 1)) {
    return -1;
  }
  if (!make_pipe(it[1].pipe, 1)) {
    CloseHandle(it[0].pipe[0]);
    CloseHandle(it[0].pipe[1]);
    return -1;
  }
  PROCESS_INFORMATION process;
  const HANDLE streams[3] = {GetStdHandle(STD_INPUT_HANDLE), it[0].pipe[1], it[1].pipe[1]};
  int started = start(&process, words, streams), reason = errno;
  CloseHandle(it[0].pipe[1]);
  CloseHandle(it[1].pipe[1]);
  if (!started) {
    CloseHandle(it[0].pipe[0]);
    CloseHandle(it[1].pipe[0]);
    errno = reason;
    return -1;
  }
  HANDLE reader = CreateThread(NULL, 0, take_all, &it[1], 0, NULL);
  take_all(&it[0]);
  if (reader) {
    WaitForSingleObject(reader, INFINITE);
    CloseHandle(reader);
  } else {
    take_all(&it[1]);
  }
  return wait_for(&process);
}

struct Program_ {
  PROCESS_INFORMATION process;
};

Program* program_start(FILE** input, const char* const* words) {
  Program* program = malloc(sizeof(Program));
  HANDLE ends[2];
  if (!program || !make_pipe(ends, 0)) {
    free(program);
    return NULL;
  }
  HANDLE errors = GetStdHandle(STD_ERROR_HANDLE);
  const HANDLE streams[3] = {ends[0], errors, errors};
  int started = start(&program->process, words, streams), reason = errno;
  CloseHandle(ends[0]);
  int descriptor = started ? _open_osfhandle((intptr_t)ends[1], _O_BINARY) : -1;
  *input = descriptor >= 0 ? _fdopen(descriptor, "wb") : NULL;
  if (!*input) {
    if (descriptor < 0) {
      CloseHandle(ends[1]);
    }
    if (started) {
      wait_for(&program->process);
    }
    free(program);
    errno = started ? EMFILE : reason;
    return NULL;
  }
  return program;
}

int program_end(Program* program, FILE* input) {
  int cut = fclose(input) != 0, status = wait_for(&program->process);
  free(program);
  return cut && !status ? 1 : status;
}

int program_path(char* out, size_t size) {
  wchar_t wide[4096];
  DWORD length = GetModuleFileNameW(NULL, wide, 4096);
  char* narrow = length > 0 && length < 4096 ? wide_narrow(wide) : NULL;
  int written = narrow ? snprintf(out, size, "%s", narrow) : -1;
  free(narrow);
  if (written < 0 || (size_t)written >= size) {
    return 0;
  }
  for (char* c = out; *c; c++) {
    *c = *c == '\\' ? '/' : *c;
  }
  return 1;
}

void program_show(const char* path) {
  WideText wide;
  if (wide_take(&wide, path)) {
    ShellExecuteW(NULL, L"open", wide.text, NULL, NULL, SW_SHOWNORMAL);
  }
  wide_drop(&wide);
}

#endif
