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

// How decoders and encoders begin: what they are known by.
typedef struct CoderNames_ {
  const char* content_type;
  const char* extension;
} CoderNames;

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

// Does a coder serve this type, or the extension of a name?
static int serves(const char* type, const char* extensions, const char* name,
                  const char* content_type) {
  int typed = type && content_type && strcasecmp(type, content_type) == 0;
  return (typed && content_type[0]) || (name && coder_extends(extensions, name));
}

static int same_text(const char* a, const char* b) {
  return strcmp(a ? a : "", b ? b : "") == 0;
}

// Do two coders have the same name: a type, or else their extensions?
static int same_name(const CoderNames* a, const CoderNames* b) {
  return a->content_type && b->content_type
             ? strcasecmp(a->content_type, b->content_type) == 0
             : !a->content_type && !b->content_type && same_text(a->extension, b->extension);
}

// Copies the names of a coder, which stay. Returns 0 if memory runs out.
static int copy_names(CoderNames* names) {
  char* type = names->content_type ? strdup(names->content_type) : NULL;
  char* extension = names->extension ? strdup(names->extension) : NULL;
  if ((names->content_type && !type) || (names->extension && !extension)) {
    free(type);
    free(extension);
    return 0;
  }
  *names = (CoderNames){type, extension};
  return 1;
}

// The coders of one kind: structs of `size` bytes that begin with names.
typedef struct Registry_ {
  const char* kind;
  char* coders;
  size_t size;
  int* count;
  int (*same)(const void* a, const void* b);  // are their functions the same?
} Registry;

// Adds a coder, unless there is one of its name: the same one is fine, another an error.
static void add(const Registry* registry, const void* coder) {
  const CoderNames* names = coder;
  if (!names->content_type && !names->extension) {
    mju_warning("%s must have a content type or an extension.", registry->kind);
    return;
  }
  pthread_mutex_lock(&lock);
  int i = 0, conflict = 0, added = 1;
  while (i < *registry->count &&
         !same_name((void*)(registry->coders + (size_t)i * registry->size), names)) {
    i++;
  }
  void* place = registry->coders + (size_t)i * registry->size;
  if (i < *registry->count) {
    const CoderNames* known = place;
    conflict = !registry->same(place, coder) || !same_text(known->extension, names->extension);
  } else {
    CoderNames copy = *names;
    added = i < MAX_CODERS && copy_names(&copy);
    if (added) {
      memcpy(place, coder, registry->size);
      memcpy(place, &copy, sizeof(copy));
      ++*registry->count;
    }
  }
  pthread_mutex_unlock(&lock);

  // the lock is free here, because the error handler may jump out
  const char* name = names->content_type ? names->content_type : names->extension;
  if (conflict) {
    mju_error("%s '%s' is already registered", registry->kind, name);
  } else if (!added) {
    mju_warning("no room for %s '%s'", registry->kind, name);
  }
}

static int same_decoder(const void* a, const void* b) {
  const mjpDecoder *x = a, *y = b;
  return x->decode == y->decode && x->can_decode == y->can_decode;
}

void mjp_registerDecoder(const mjpDecoder* decoder) {
  static const Registry registry = {"decoder", (char*)decoders, sizeof(decoders[0]), &ndecoder,
                                    same_decoder};
  check_given(decoder);
  if (!decoder->decode || !decoder->can_decode) {
    mju_warning("decoder must provide decode and can_decode callbacks.");
    return;
  }
  add(&registry, decoder);
}

static int same_encoder(const void* a, const void* b) {
  const mjpEncoder *x = a, *y = b;
  return x->encode == y->encode && x->close_resource == y->close_resource;
}

void mjp_registerEncoder(const mjpEncoder* encoder) {
  static const Registry registry = {"encoder", (char*)encoders, sizeof(encoders[0]), &nencoder,
                                    same_encoder};
  check_given(encoder);
  if (!encoder->encode) {
    mju_warning("encoder must provide an encode callback.");
    return;
  }
  add(&registry, encoder);
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
