// parse.c: mj_parse, which reads a model of any known format, and what decoders have to do with it.

#include <mujoco/api/base.h>
#include <mujoco/api/mjcf.h>
#include <mujoco/api/model.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/memory/check.h"
#include "model/files/coder.h"

static void set_error(char* error, int error_sz, const char* message, const char* name) {
  char shown[PATH_SHOWN];
  if (error && error_sz > 0) {
    snprintf(error, (size_t)error_sz, "%s '%s'", message, path_show(shown, name));
  }
}

// The engine's own decoder of archives.

static int is_archive(const mjResource* resource) {
  return mjp_findArchiveProvider(resource->name) != NULL;
}

static mjSpec* decode_archive(mjResource* resource, const mjVFS* vfs, char* error, int error_sz) {
  return mj_parseXML(resource->name, vfs ? vfs : resource->vfs, error, error_sz);
}

const mjpDecoder* mjp_findDecoder(const mjResource* resource, const char* content_type) {
  check_given(resource);
  static const mjpDecoder archive = {.content_type = "application/zip",
                                     .extension = ".mjz|.zip",
                                     .can_decode = is_archive,
                                     .decode = decode_archive};
  int typed = content_type && strcasecmp(content_type, archive.content_type) == 0;
  int serves = resource->name && (typed || coder_extends(archive.extension, resource->name));
  return serves && is_archive(resource) ? &archive : coder_finddecoder(resource, content_type);
}

mjSpec* mju_decodeResource(mjResource* resource, const char* content_type, const mjVFS* vfs,
                           char* error, int error_sz) {
  check_given(resource);
  const char* name = resource->name ? resource->name : "";
  const mjpDecoder* decoder = resource->name ? mjp_findDecoder(resource, content_type) : NULL;
  if (error && error_sz > 0) {
    error[0] = 0;
  }
  if (!decoder) {
    set_error(error, error_sz, "could not find decoder for resource", name);
    return NULL;
  }
  mjSpec* spec = decoder->decode(resource, vfs, error, error_sz);
  if (!spec && error && error_sz > 0 && !error[0]) {
    set_error(error, error_sz, "could not decode resource", name);
  }
  return spec;
}

static mjSpec* decode_file(const char* filename, const char* content_type, const mjVFS* vfs,
                           char* error, int error_sz) {
  mjResource* resource =
      mju_openResource(NULL, filename, vfs, error, error_sz > 0 ? (size_t)error_sz : 0);
  mjSpec* spec = resource ? mju_decodeResource(resource, content_type, vfs, error, error_sz) : NULL;
  mju_closeResource(resource);
  return spec;
}

mjSpec* mj_parse(const char* filename, const char* content_type, const mjVFS* vfs, char* error,
                 int error_sz) {
  check_given(filename);
  int is_text = content_type && (strcasecmp(content_type, "text/xml") == 0 ||
                                 strcasecmp(content_type, "application/xml") == 0);
  if (is_text || coder_extends(".xml|.urdf|.sdf|.mjz|.zip", filename)) {
    return mj_parseXML(filename, vfs, error, error_sz);
  }
  return decode_file(filename, content_type, vfs, error, error_sz);
}
