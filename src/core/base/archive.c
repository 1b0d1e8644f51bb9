// archive.c: zip archives are not opened, as unpacking needs zlib.

#include <mujoco/api/base.h>
#include <stdio.h>

#include "base/archive/zip.h"

static const char kWhy[] = "libcondyle_core reads no archives: it has no zlib";

int zip_open(Zip* out, const ZipBytes* bytes, char* error, int error_size) {
  (void)bytes;
  *out = (Zip){0};
  snprintf(error, (size_t)error_size, "%s", kWhy);
  return 0;
}

void zip_close(Zip* zip) {
  *zip = (Zip){0};
}

int zip_find(const Zip* zip, const char* name) {
  (void)zip, (void)name;
  return -1;
}

char* zip_read(size_t* size, const Zip* zip, const ZipBytes* bytes, int i, char* error,
               int error_size) {
  (void)size, (void)zip, (void)bytes, (void)i;
  snprintf(error, (size_t)error_size, "%s", kWhy);
  return NULL;
}

size_t zip_filesize(FILE* file) {
  (void)file;
  return 0;
}
