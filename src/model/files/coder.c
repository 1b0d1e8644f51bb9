// coder.c: registering and finding decoders and encoders.

#include "model/files/coder.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory/check.h"

enum {
  MAX_CODERS = 256,
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static mjpDecoder decoders[MAX_CODERS];
static mjpEncoder encoders[MAX_CODERS];
static int ndecoder, nencoder;

void mjp_defaultDecoder(mjpDecoder* decoder) {
  check_given(decoder);
  memset(decoder, 0, sizeof(*decoder));
}

void mjp_defaultEncoder(mjpEncoder* encoder) {
  check_given(encoder);
  memset(encoder, 0, sizeof(*encoder));
}

int coder_extends(const char* extensions, const char* name) {
  size_t length = strlen(name);
  for (const char* at = extensions; at && *at;) {
    size_t n = strcspn(at, "|");
    if (n && n <= length && strncasecmp(name + length - n, at, n) == 0) {
      return 1;
    }
    at += n + (at[n] != 0);
  }
  return 0;
}

// Does a coder serve this type, or a name without one?
static int serves(const char* type, const char* extensions, const char* name,
                  const char* content_type) {
  if (content_type && content_type[0]) {
    return type && strcasecmp(type, content_type) == 0;
  }
  return name && coder_extends(extensions, name);
}

static int same_text(const char* a, const char* b) {
  return strcmp(a ? a : "", b ? b : "") == 0;
}

// Do two coders have the same name: a type, or else their extensions?
static int same_name(const char* type1, const char* extension1, const char* type2,
                     const char* extension2) {
  return type1 && type2 ? strcasecmp(type1, type2) == 0
                        : !type1 && !type2 && same_text(extension1, extension2);
}

// Copies the names of a coder, which stay. Returns 0 if memory runs out.
static int copy_names(const char** type, const char** extension) {
  char* types = *type ? strdup(*type) : NULL;
  char* extensions = *extension ? strdup(*extension) : NULL;
  if ((*type && !types) || (*extension && !extensions)) {
    free(types);
    free(extensions);
    return 0;
  }
  *type = types;
  *extension = extensions;
  return 1;
}

// What became of a coder that was to be registered.
typedef enum Outcome_ {
  REGISTERED,
  CONFLICT,
  NO_ROOM,
} Outcome;

static void tell(Outcome outcome, const char* kind, const char* type, const char* extension) {
  if (outcome == CONFLICT) {
    mju_error("%s '%s' is already registered", kind, type ? type : extension);
  } else if (outcome == NO_ROOM) {
    mju_warning("no room for %s '%s'", kind, type ? type : extension);
  }
}

void mjp_registerDecoder(const mjpDecoder* decoder) {
  check_given(decoder);
  if (!decoder->decode || !decoder->can_decode) {
    mju_warning("decoder must provide decode and can_decode callbacks.");
    return;
  }
  if (!decoder->content_type && !decoder->extension) {
    mju_warning("decoder must have a content type or an extension.");
    return;
  }
  pthread_mutex_lock(&lock);
  Outcome outcome = NO_ROOM;
  int i = 0;
  while (i < ndecoder && !same_name(decoders[i].content_type, decoders[i].extension,
                                    decoder->content_type, decoder->extension)) {
    i++;
  }
  if (i < ndecoder) {
    int same = decoders[i].decode == decoder->decode &&
               decoders[i].can_decode == decoder->can_decode &&
               same_text(decoders[i].extension, decoder->extension);
    outcome = same ? REGISTERED : CONFLICT;
  } else if (ndecoder < MAX_CODERS) {
    mjpDecoder copy = *decoder;
    if (copy_names(&copy.content_type, &copy.extension)) {
      decoders[ndecoder++] = copy;
      outcome = REGISTERED;
    }
  }
  pthread_mutex_unlock(&lock);
  tell(outcome, "decoder", decoder->content_type, decoder->extension);
}

void mjp_registerEncoder(const mjpEncoder* encoder) {
  check_given(encoder);
  if (!encoder->encode) {
    mju_warning("encoder must provide an encode callback.");
    return;
  }
  if (!encoder->content_type && !encoder->extension) {
    mju_warning("encoder must have a content type or an extension.");
    return;
  }
  pthread_mutex_lock(&lock);
  Outcome outcome = NO_ROOM;
  int i = 0;
  while (i < nencoder && !same_name(encoders[i].content_type, encoders[i].extension,
                                    encoder->content_type, encoder->extension)) {
    i++;
  }
  if (i < nencoder) {
    int same = encoders[i].encode == encoder->encode &&
               encoders[i].close_resource == encoder->close_resource &&
               same_text(encoders[i].extension, encoder->extension);
    outcome = same ? REGISTERED : CONFLICT;
  } else if (nencoder < MAX_CODERS) {
    mjpEncoder copy = *encoder;
    if (copy_names(&copy.content_type, &copy.extension)) {
      encoders[nencoder++] = copy;
      outcome = REGISTERED;
    }
  }
  pthread_mutex_unlock(&lock);
  tell(outcome, "encoder", encoder->content_type, encoder->extension);
}

// Entries are never changed, so one can be looked at without the lock once it is counted.
static int count_of(const int* count) {
  pthread_mutex_lock(&lock);
  int n = *count;
  pthread_mutex_unlock(&lock);
  return n;
}

int coder_knows(const char* name, const char* content_type) {
  int n = count_of(&ndecoder), knows = 0;
  for (int i = 0; i < n && !knows; i++) {
    knows = serves(decoders[i].content_type, decoders[i].extension, name, content_type);
  }
  return knows;
}

const mjpDecoder* coder_finddecoder(const mjResource* resource, const char* content_type) {
  int n = count_of(&ndecoder);
  for (int i = 0; i < n; i++) {
    const mjpDecoder* it = decoders + i;
    if (serves(it->content_type, it->extension, resource->name, content_type) &&
        it->can_decode(resource)) {
      return it;
    }
  }
  return NULL;
}

const mjpEncoder* coder_findencoder(const char* name, const char* content_type) {
  int n = count_of(&nencoder);
  for (int i = 0; i < n; i++) {
    const mjpEncoder* it = encoders + i;
    if (serves(it->content_type, it->extension, name, content_type)) {
      return it;
    }
  }
  return NULL;
}
