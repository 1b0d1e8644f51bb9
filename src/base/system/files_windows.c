// files_windows.c: files and folders of Windows. Its functions take UTF-16.

#ifdef _WIN32

#define WIN32_LEAN_AND_MEAN
#include <direct.h>
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <windows.h>

#include "base/system/files.h"
#include "base/system/wide.h"

// Seconds and nanoseconds since 1970 of a time in 100 ns since 1601.
static void take_time(int64_t out[2], const FILETIME* t) {
  uint64_t ticks = (uint64_t)t->dwHighDateTime << 32 | t->dwLowDateTime;
  out[0] = (int64_t)(ticks / 10000000) - 11644473600;
  out[1] = (int64_t)(ticks % 10000000) * 100;
}

static int state_of(FileState* out, HANDLE file) {
  BY_HANDLE_FILE_INFORMATION s;
  if (GetFileType(file) != FILE_TYPE_DISK) {
    *out = (FileState){.kind = FILE_OTHER, .own = 1};
    return 1;
  }
  if (!GetFileInformationByHandle(file, &s)) {
    errno = EIO;
    return 0;
  }
  *out = (FileState){
      .kind = s.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY ? FILE_FOLDER : FILE_REGULAR,
      .own = 1,
      .device = s.dwVolumeSerialNumber,
      .number = (uint64_t)s.nFileIndexHigh << 32 | s.nFileIndexLow,
      .size = (uint64_t)s.nFileSizeHigh << 32 | s.nFileSizeLow,
  };
  take_time(out->written, &s.ftLastWriteTime);
  memcpy(out->changed, out->written, sizeof(out->changed));
  return 1;
}

// Opens a file or folder for nothing but its state, which needs no right to read.
static int state_by_path(FileState* out, const char* path, DWORD flags) {
  WideText wide;
  const DWORD share = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  HANDLE file = wide_take(&wide, path) ? CreateFileW(wide.text, 0, share, NULL, OPEN_EXISTING,
                                                     FILE_FLAG_BACKUP_SEMANTICS | flags, NULL)
                                       : INVALID_HANDLE_VALUE;
  wide_drop(&wide);
  if (file == INVALID_HANDLE_VALUE) {
    errno = ENOENT;
    return 0;
  }
  int found = state_of(out, file);
  CloseHandle(file);
  return found;
}

int system_state(FileState* out, const char* path) {
  return state_by_path(out, path, 0);
}

int system_linkstate(FileState* out, const char* path) {
  return state_by_path(out, path, FILE_FLAG_OPEN_REPARSE_POINT);
}

int system_stateof(FileState* out, FILE* file) {
  return state_of(out, (HANDLE)_get_osfhandle(_fileno(file)));
}

FILE* system_open(const char* path, const char* mode) {
  wchar_t wide_mode[8] = {0};
  for (int i = 0; i < 7 && mode[i]; i++) {
    wide_mode[i] = (wchar_t)mode[i];
  }
  WideText wide;
  FILE* file = wide_take(&wide, path) ? _wfopen(wide.text, wide_mode) : NULL;
  wide_drop(&wide);
  return file;
}

// Pipes and devices have names of their own here, which opening doesn't wait for.
FILE* system_openregular(FileState* out, const char* path) {
  FileState s;
  FILE* file = system_open(path, "rb");
  if (!file) {
    // a folder can't be opened at all
    errno = system_state(&s, path) && s.kind != FILE_REGULAR ? 0 : errno;
    return NULL;
  }
  if (!system_stateof(&s, file) || s.kind != FILE_REGULAR) {
    fclose(file);
    errno = 0;
    return NULL;
  }
  if (out) {
    *out = s;
  }
  return file;
}

FILE* system_openown(FileState* out, const char* path) {
  return system_openregular(out, path);
}

FILE* system_create(const char* path, uint32_t rights) {
  (void)rights;
  WideText wide;
  const int flags = _O_WRONLY | _O_CREAT | _O_EXCL | _O_BINARY | _O_NOINHERIT;
  int descriptor = wide_take(&wide, path) ? _wopen(wide.text, flags, _S_IREAD | _S_IWRITE) : -1;
  wide_drop(&wide);
  FILE* file = descriptor >= 0 ? _fdopen(descriptor, "wb") : NULL;
  if (!file && descriptor >= 0) {
    _close(descriptor);
    system_remove(path);
  }
  return file;
}

int system_setrights(FILE* file, uint32_t rights) {
  (void)file;
  (void)rights;
  return 1;
}

void system_touch(FILE* file) {
  FILETIME now;
  GetSystemTimeAsFileTime(&now);
  SetFileTime((HANDLE)_get_osfhandle(_fileno(file)), NULL, NULL, &now);
}

static int may(const char* path, int what) {
  WideText wide;
  int allowed = wide_take(&wide, path) && _waccess(wide.text, what) == 0;
  wide_drop(&wide);
  return allowed;
}

int system_readable(const char* path) {
  return may(path, 4);
}

int system_writable(const char* path) {
  return may(path, 2);
}

int system_makefolder(const char* path, uint32_t rights) {
  (void)rights;
  WideText wide;
  int made = wide_take(&wide, path) && _wmkdir(wide.text) == 0;
  wide_drop(&wide);
  return made;
}

int system_link(const char* from, const char* to) {
  WideText a, b;
  int have_a = wide_take(&a, from), have_b = wide_take(&b, to);
  int linked = have_a && have_b && CreateHardLinkW(b.text, a.text, NULL);
  if (!linked) {
    errno = GetLastError() == ERROR_ALREADY_EXISTS ? EEXIST : EPERM;
  }
  wide_drop(&a);
  wide_drop(&b);
  return linked;
}

int system_rename(const char* from, const char* to) {
  WideText a, b;
  int have_a = wide_take(&a, from), have_b = wide_take(&b, to);
  int moved = have_a && have_b && MoveFileExW(a.text, b.text, MOVEFILE_REPLACE_EXISTING);
  if (!moved) {
    errno = GetLastError() == ERROR_FILE_NOT_FOUND ? ENOENT : EACCES;
  }
  wide_drop(&a);
  wide_drop(&b);
  return moved;
}

int system_remove(const char* path) {
  WideText wide;
  int removed = wide_take(&wide, path) && _wunlink(wide.text) == 0;
  wide_drop(&wide);
  return removed;
}

int system_removefolder(const char* path) {
  WideText wide;
  int removed = wide_take(&wide, path) && _wrmdir(wide.text) == 0;
  wide_drop(&wide);
  return removed;
}

static int temporary_folder(char* out, size_t size) {
  wchar_t wide[MAX_PATH + 1];
  DWORD found = GetTempPathW(MAX_PATH + 1, wide);
  char* narrow = found && found <= MAX_PATH ? wide_narrow(wide) : NULL;
  int length = narrow ? snprintf(out, size, "%s", narrow) : -1;
  free(narrow);
  for (char* c = out; length > 0 && (size_t)length < size && *c; c++) {
    *c = *c == '\\' ? '/' : *c;
  }
  if (length > 1 && (size_t)length < size && out[length - 1] == '/') {
    out[length - 1] = 0;
  }
  return length >= 0 && (size_t)length < size;
}

int system_maketemporary(char* out, size_t size, int brief) {
  enum {
    TRIES = 1000,
  };
  (void)brief;
  static const char name[] = "/condyle-";
  if (size < sizeof(name) + 6 || !temporary_folder(out, size - sizeof(name) - 6)) {
    errno = ENAMETOOLONG;
    return 0;
  }
  strcat(out, name);
  char* end = out + strlen(out);
  for (int i = 0; i < TRIES; i++) {
    snprintf(end, 7, "%06x", (unsigned)(GetCurrentProcessId() * 1000003u + (unsigned)i) & 0xffffff);
    if (system_makefolder(out, 0700)) {
      return 1;
    }
    if (errno != EEXIST) {
      return 0;
    }
  }
  return 0;
}

char* system_realpath(const char* path) {
  WideText wide;
  FileState s;
  int exists = system_state(&s, path);
  wchar_t* full = wide_take(&wide, path) && exists ? _wfullpath(NULL, wide.text, 0) : NULL;
  char* result = full ? wide_narrow(full) : NULL;
  wide_drop(&wide);
  free(full);
  return result;
}

char* system_here(void) {
  wchar_t* here = _wgetcwd(NULL, 0);
  char* result = here ? wide_narrow(here) : NULL;
  free(here);
  for (char* c = result; c && *c; c++) {
    *c = *c == '\\' ? '/' : *c;
  }
  return result;
}

struct Folder_ {
  HANDLE search;
  WIN32_FIND_DATAW found;
  int waits;  // is an entry found that was not given?
  char* name;
};

Folder* folder_open(const char* path) {
  Folder* folder = calloc(1, sizeof(Folder));
  size_t size = strlen(path) + 3;
  char* pattern = malloc(size);
  WideText wide = {0};
  if (folder && pattern) {
    snprintf(pattern, size, "%s/*", path);
    folder->search = wide_take(&wide, pattern) ? FindFirstFileW(wide.text, &folder->found)
                                               : INVALID_HANDLE_VALUE;
    folder->waits = 1;
  }
  wide_drop(&wide);
  free(pattern);
  if (folder && (!pattern || folder->search == INVALID_HANDLE_VALUE)) {
    free(folder);
    errno = ENOENT;
    return NULL;
  }
  return folder;
}

const char* folder_next(Folder* folder) {
  while (folder->waits || FindNextFileW(folder->search, &folder->found)) {
    folder->waits = 0;
    free(folder->name);
    folder->name = wide_narrow(folder->found.cFileName);
    if (!folder->name || (strcmp(folder->name, ".") && strcmp(folder->name, ".."))) {
      return folder->name;
    }
  }
  return NULL;
}

void folder_close(Folder* folder) {
  FindClose(folder->search);
  free(folder->name);
  free(folder);
}

int system_cachefolder(char* out, size_t size) {
  const wchar_t* local = _wgetenv(L"LOCALAPPDATA");
  char* narrow = local && *local ? wide_narrow(local) : NULL;
  int length = snprintf(out, size, "%s%s", narrow ? narrow : "", narrow ? "/condyle" : "");
  free(narrow);
  return length >= 0 && (size_t)length < size;
}

// A file among the temporary ones that goes away when it is closed.
int system_opentext(TextFile* out) {
  wchar_t folder[MAX_PATH + 1], path[MAX_PATH + 1];
  *out = (TextFile){NULL, NULL, 0};
  if (GetTempPathW(MAX_PATH + 1, folder) && GetTempFileNameW(folder, L"cnd", 0, path)) {
    out->file = _wfopen(path, L"w+bTD");
  }
  return out->file != NULL;
}

void system_closetext(TextFile* it) {
  long size = ftell(it->file);
  it->text = size >= 0 ? malloc((size_t)size + 1) : NULL;
  rewind(it->file);
  if (it->text) {
    it->size = fread(it->text, 1, (size_t)size, it->file);
    it->text[it->size] = 0;
  }
  fclose(it->file);
}

#endif
