// package.c: finds the files that a robot names by its package, place after place.

#include "model/files/package.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/memory/memory.h"
#include "base/system/files.h"
#include "model/files/resource.h"
#include "model/files/vfs.h"

// A search for one file.
typedef struct Search_ {
  const PackagePlaces* places;
  char* package;     // NULL for a name without one
  const char* rest;  // the path in the package
  char* above;       // directory of the robot's file, on the disk as a full path
  int ondisk;        // 1 if files of the disk count
  int anycase;       // 1 if names may be written in another case
  char* looked;
  size_t size;
} Search;

static int has_prefix(const char* text, const char* prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

int package_isnamed(const char* name) {
  return has_prefix(name, "package://") || has_prefix(name, "model://") ||
         has_prefix(name, "file://");
}

static char* copy_text(const char* text, size_t length) {
  char* copy = heap_take(length + 1);
  snprintf(copy, length + 1, "%.*s", (int)length, text);
  return copy;
}

// Adds a path that was tried to the list, once.
static void note(Search* search, const char* path) {
  size_t length = search->size ? strlen(search->looked) : 0;
  if (!search->anycase && search->size && length + strlen(path) + 3 < search->size &&
      !strstr(search->looked, path)) {
    snprintf(search->looked + length, search->size - length, "%s%s", length ? ", " : "", path);
  }
}

// The entry of a folder whose name is `name` but for case; NULL if there is none. The caller frees
// it.
static char* entry_likecase(const char* folder, const char* name, size_t length) {
  Folder* open = folder_open(folder[0] ? folder : ".");
  char* found = NULL;
  for (const char* entry; open && !found && (entry = folder_next(open));) {
    if (strlen(entry) == length && strncasecmp(entry, name, length) == 0) {
      found = copy_text(entry, length);
    }
  }
  if (open) {
    folder_close(open);
  }
  return found;
}

// The file on disk whose path in a folder is `rest` but for case. NULL if there is none.
static char* find_likecase(const char* folder, const char* rest) {
  char* path = copy_text(folder, strlen(folder));
  while (path && *rest) {
    size_t length = strcspn(rest, "/");
    if (length) {
      char* entry = length <= 2 && rest[0] == '.' ? copy_text(rest, length)
                                                  : entry_likecase(path, rest, length);
      char* next = NULL;
      if (entry) {
        size_t bytes = strlen(path) + strlen(entry) + 2;
        next = heap_take(bytes);
        snprintf(next, bytes, "%s%s%s", path, path[0] && path[strlen(path) - 1] != '/' ? "/" : "",
                 entry);
      }
      heap_free(entry);
      heap_free(path);
      path = next;
    }
    rest += length + (rest[length] == '/');
  }
  if (path && !file_exists(path)) {
    heap_free(path);
    path = NULL;
  }
  return path;
}

// The file `rest` in a folder; NULL if there is none.
static char* try_folder(Search* search, const char* folder) {
  const mjVFS* vfs = search->places->vfs;
  const char* rest = search->rest + (folder[0] ? strspn(search->rest, "/") : 0);
  size_t length = strlen(folder), bytes = length + strlen(rest) + 2;
  char* joined = heap_take(bytes);
  snprintf(joined, bytes, "%s%s%s", folder, length && folder[length - 1] != '/' ? "/" : "", rest);
  char* path = path_join("", joined);
  heap_free(joined);
  size_t size;
  int exists = search->ondisk ? file_exists(path) : vfs_find(&size, vfs, path) != NULL;
  if (!search->anycase && exists) {
    return path;
  }
  note(search, path);
  heap_free(path);
  const char* begin = !folder[0] && path_isabsolute(rest) ? "/" : folder;
  return search->anycase && search->ondisk ? find_likecase(begin, rest) : NULL;
}

// The same in a folder that bears the package's name, below another one.
static char* try_below(Search* search, const char* folder, const char* between) {
  size_t bytes = strlen(folder) + strlen(between) + strlen(search->package) + 3;
  char* below = heap_take(bytes);
  snprintf(below, bytes, "%s%s%s%s", folder, folder[0] ? "/" : "", between, search->package);
  char* path = try_folder(search, below);
  heap_free(below);
  return path;
}

// Is it the last part of a path?
static int bears_name(const char* folder, size_t length, const char* name) {
  while (length && folder[length - 1] == '/') {
    length--;
  }
  size_t n = strlen(name);
  return length >= n && memcmp(folder + length - n, name, n) == 0 &&
         (length == n || folder[length - n - 1] == '/');
}

// Does the package.xml of a folder give its package this name?
static int declares_name(const Search* search, const char* folder) {
  char reason[200];
  size_t size, n = strlen(search->package);
  char* text =
      resource_read(&size, search->places->vfs, folder, "package.xml", reason, sizeof(reason));
  const char* name = text ? strstr(text, "<name>") : NULL;
  int declares = 0;
  if (name) {
    name += strlen("<name>");
    name += strspn(name, " \t\r\n");
    declares =
        strncmp(name, search->package, n) == 0 && name[n + strspn(name + n, " \t\r\n")] == '<';
  }
  heap_free(text);
  return declares;
}

// The places that the user gives: NAME=DIR, or a folder.
static char* try_given(Search* search) {
  char* path = NULL;
  for (int i = 0; i < search->places->npackage && !path; i++) {
    const char* given = search->places->packages[i];
    const char* equal = strchr(given, '=');
    if (equal) {
      size_t n = strlen(search->package);
      if ((size_t)(equal - given) == n && memcmp(given, search->package, n) == 0) {
        path = try_folder(search, equal + 1);
      }
    } else {
      int is_package =
          bears_name(given, strlen(given), search->package) || declares_name(search, given);
      path = is_package ? try_folder(search, given) : NULL;
      path = path ? path : try_below(search, given, "");
    }
  }
  return path;
}

// Goes through the folders above the robot's file. With `anyname` a folder needs not be the
// package.
static char* try_above(Search* search, int anyname) {
  char *folder = copy_text(search->above, strlen(search->above)), *path = NULL;
  size_t length = strlen(folder);
  while (!path) {
    while (length > 1 && folder[length - 1] == '/') {
      length--;
    }
    folder[length] = 0;
    if (anyname || bears_name(folder, length, search->package) || declares_name(search, folder)) {
      path = try_folder(search, folder);
    }
    path = path || anyname ? path : try_below(search, folder, "");
    if (length == 0 || (length == 1 && folder[0] == '/')) {
      break;
    }
    size_t parent = length;
    while (parent && folder[parent - 1] != '/') {
      parent--;
    }
    length = parent;
  }
  heap_free(folder);
  return path;
}

// Goes through the folders of an environment variable, separated by colons.
static char* try_variable(Search* search, const char* variable, const char* between) {
  const char* text = search->ondisk ? getenv(variable) : NULL;
  char* path = NULL;
  while (text && *text && !path) {
    size_t length = strcspn(text, ":");
    char* folder = copy_text(text, length);
    if (length && !between[0] && bears_name(folder, length, search->package)) {
      path = try_folder(search, folder);
    }
    if (length && !path) {
      path = try_below(search, folder, between);
    }
    heap_free(folder);
    text += length + (text[length] == ':');
  }
  return path;
}

// All places, from the surest to a guess.
static char* try_package(Search* search) {
  char* path = try_given(search);
  path = path ? path : try_above(search, 0);
  path = path ? path : try_variable(search, "ROS_PACKAGE_PATH", "");
  path = path ? path : try_variable(search, "AMENT_PREFIX_PATH", "share/");
  path = path ? path : try_variable(search, "GZ_SIM_RESOURCE_PATH", "");
  path = path ? path : try_variable(search, "GAZEBO_MODEL_PATH", "");
  return path ? path : try_above(search, 1);
}

// The directory of the robot's file as a full path, so that it has folders above.
static char* full_directory(const char* directory) {
  char *here = path_isabsolute(directory) ? NULL : system_here(), *full = NULL;
  if (!here) {
    return copy_text(directory, strlen(directory));
  }
  size_t bytes = strlen(here) + 2;
  char* below = heap_take(bytes);
  snprintf(below, bytes, "%s/", here);
  full = path_join(below, directory);
  heap_free(below);
  free(here);
  return full;
}

// Splits a name into package and rest.
static void split_name(Search* search, const char* name) {
  search->rest = name;
  if (has_prefix(name, "file://")) {
    search->rest = name + strlen("file://");
  } else if (has_prefix(name, "package://") || has_prefix(name, "model://")) {
    const char* package = strstr(name, "://") + 3;
    size_t length = strcspn(package, "/");
    search->package = copy_text(package, length);
    search->rest = package + length + (package[length] == '/');
  }
}

// Looks in all places, given the folders above.
static char* try_all(Search* search) {
  char* path = NULL;
  for (search->anycase = 0; search->anycase < 2 && !path; search->anycase++) {
    if (search->package) {
      path = try_package(search);
    } else {
      path = path_isabsolute(search->rest) ? try_folder(search, "") : NULL;
      path = path ? path : try_above(search, 1);
    }
  }
  return path;
}

char* package_find(char* looked, size_t size, const PackagePlaces* places, const char* name) {
  Search search = {.places = places, .looked = looked, .size = size};
  const char* directory = places->directory ? places->directory : "";
  char* path = NULL;
  if (size) {
    looked[0] = 0;
  }
  split_name(&search, name);

  // names of virtual files may begin anywhere; then comes the disk, unless these are all there are
  if (places->vfs) {
    search.above = copy_text(directory, strlen(directory));
    path = try_all(&search);
    heap_free(search.above);
  }
  if (!path && !vfs_issealed(places->vfs)) {
    search.ondisk = 1;
    search.above = full_directory(directory);
    path = try_all(&search);
    heap_free(search.above);
  }
  heap_free(search.package);
  return path;
}
