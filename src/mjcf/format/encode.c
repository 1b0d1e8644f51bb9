// encode.c: mj_encode, which writes a model in the format that the name of the file asks for.

#include <errno.h>
#include <limits.h>
#include <mujoco/api/base.h>
#include <mujoco/api/compile.h>
#include <mujoco/api/mjcf.h>
#include <mujoco/api/model.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/memory/check.h"
#include "base/memory/memory.h"
#include "mjcf/format/pack.h"
#include "mjcf/write/write.h"
#include "model/files/coder.h"
#include "print/print.h"

// What is encoded.
typedef struct Encoding_ {
  const mjSpec* spec;
  const mjModel* m;
  const char* filename;
  const mjVFS* vfs;
  char* error;
  int error_sz;
} Encoding;

static int64_t fail(const Encoding* e, const char* reason) {
  if (e->error && e->error_sz > 0) {
    snprintf(e->error, (size_t)e->error_sz, "%s", reason);
  }
  return -1;
}

static int64_t write_bytes(const Encoding* e, const void* bytes, size_t size) {
  return mju_writeResource(e->filename, bytes, size, e->vfs, e->error,
                           e->error_sz > 0 ? (size_t)e->error_sz : 0);
}

// Takes over into the spec what was changed in the model. Returns 0, with an error, if it can't be.
static int copy_back(const Encoding* e) {
  if (!e->m || !e->spec) {
    return 1;
  }
  if (!mj_copyBack((mjSpec*)(size_t)e->spec, e->m)) {
    fail(e, "the model can't be copied back: it was not compiled from this spec");
    return 0;
  }
  return 1;
}

static int64_t encode_xml(const Encoding* e) {
  char* text = copy_back(e) ? write_spec(e->spec, NULL, e->error, e->error_sz) : NULL;
  int64_t written = text ? write_bytes(e, text, strlen(text)) : -1;
  heap_free(text);
  return written;
}

static int64_t encode_archive(const Encoding* e) {
  size_t size = 0;
  char reason[700] = "";
  if (!copy_back(e)) {
    return -1;
  }
  char* bytes = e->spec ? pack_spec(&size, e->spec, e->vfs, reason, (int)sizeof(reason)) : NULL;
  if (!bytes) {
    return fail(e, e->spec ? reason : "Cannot write empty model");
  }
  int64_t written = write_bytes(e, bytes, size);
  heap_free(bytes);
  return written;
}

static int64_t encode_binary(const Encoding* e) {
  if (!e->m) {
    return fail(e, "model is required for MJB encoding");
  }
  mjtSize size = (mjtSize)mj_sizeModel(e->m);
  void* bytes = size <= INT_MAX ? heap_try(NULL, (size_t)size) : NULL;
  if (!bytes) {
    return fail(e, size <= INT_MAX ? MEMORY_OUT : "the model has more than 2 GB");
  }
  mj_saveModel(e->m, NULL, bytes, (int)size);
  int64_t written = write_bytes(e, bytes, (size_t)size);
  heap_free(bytes);
  return written;
}

// The model is printed to a file without a name, since how long its text is shows only then.
static int64_t encode_text(const Encoding* e) {
  if (!e->m) {
    return fail(e, "model is required for TXT encoding");
  }
  FILE* file = tmpfile();
  if (!file) {
    return fail(e, strerror(errno));
  }
  print_modelto(file, e->m);
  long size = ferror(file) ? -1 : ftell(file);
  char* text = size >= 0 ? heap_try(NULL, (size_t)size + 1) : NULL;
  rewind(file);
  int whole = text && fread(text, 1, (size_t)size, file) == (size_t)size;
  fclose(file);
  int64_t written =
      whole ? write_bytes(e, text, (size_t)size) : fail(e, "the text could not be kept");
  heap_free(text);
  return written;
}

// The formats that come with the engine, by extension or type.
static const struct {
  const char *extension, *type;
  int64_t (*encode)(const Encoding* e);
} formats[] = {
    {".xml", "text/xml", encode_xml},
    {".mjz|.zip", "application/zip", encode_archive},
    {".mjb", "application/x-mjb", encode_binary},
    {".txt", "text/plain", encode_text},
};
enum {
  NFORMAT = sizeof(formats) / sizeof(formats[0]),
};

// An archive as registered encoders make it: bytes in the resource.
static mjtSize make_archive(const mjSpec* s, const mjModel* m, const mjVFS* vfs,
                            mjResource* resource) {
  char reason[700] = "";
  size_t size = 0;
  const Encoding e = {.spec = s, .m = m, .vfs = vfs, .error = reason, .error_sz = sizeof(reason)};
  resource->data = copy_back(&e) ? pack_spec(&size, s, vfs, reason, (int)sizeof(reason)) : NULL;
  if (!resource->data) {
    mju_warning("%s", reason);
  }
  return resource->data ? size : (mjtSize)-1;
}

static void free_archive(mjResource* resource) {
  heap_free(resource->data);
  resource->data = NULL;
}

const mjpEncoder* mjp_findEncoder(const char* filename, const char* content_type) {
  static const mjpEncoder archive = {.content_type = "application/zip",
                                     .extension = ".mjz|.zip",
                                     .encode = make_archive,
                                     .close_resource = free_archive};
  int typed = content_type && strcasecmp(content_type, archive.content_type) == 0;
  int is_archive = typed || (filename && coder_extends(archive.extension, filename));
  return is_archive ? &archive : coder_findencoder(filename, content_type);
}

static int64_t encode_other(const Encoding* e, const mjpEncoder* encoder) {
  mjResource made = {.name = (char*)(size_t)e->filename, .vfs = (mjVFS*)(size_t)e->vfs};
  int64_t size = (int64_t)encoder->encode(e->spec, e->m, e->vfs, &made);
  int64_t written = size < 0 || (size && !made.data) ? fail(e, "encoder failed")
                                                     : write_bytes(e, made.data, (size_t)size);
  if (encoder->close_resource) {
    encoder->close_resource(&made);
  }
  return written;
}

int64_t mj_encode(const mjSpec* s, const mjModel* m, const char* filename, const char* content_type,
                  const mjVFS* vfs, char* error, int error_sz) {
  check_given(filename);
  const Encoding e = {s, m, filename, vfs, error, error_sz};
  if (error && error_sz > 0) {
    error[0] = 0;
  }
  for (int i = 0; i < NFORMAT; i++) {
    if (coder_extends(formats[i].extension, filename)) {
      return formats[i].encode(&e);
    }
  }
  const mjpEncoder* encoder = coder_findencoder(filename, NULL);
  for (int i = 0; !encoder && content_type && i < NFORMAT; i++) {
    if (strcasecmp(formats[i].type, content_type) == 0) {
      return formats[i].encode(&e);
    }
  }
  encoder = encoder || !content_type ? encoder : coder_findencoder(filename, content_type);
  return encoder ? encode_other(&e, encoder) : fail(&e, "no encoder found");
}
