// provider.c: the registries of those who provide files, for the whole program: by the scheme of a
// name, "scheme:...", and by the extension of an archive, "x.ext/...".
//
// A scheme is a letter followed by letters, digits, '+', '-', '.'; an extension a '.' and letters
// or digits. Both are without regard to case. Slots are never freed, so a pointer to a registered
// provider stays valid for the life of the program.
//                                                                theory/data.md, Resource providers

#include "model/files/provider.h"

#include <ctype.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory/check.h"
#include "model/files/archive.h"

enum {
  MAX_PROVIDERS = 256,
};

typedef struct Registry_ {
  const mjpResourceProvider* registered[MAX_PROVIDERS];
  int count;
} Registry;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Registry schemes;
static Registry archives = {{&archive_mjz, &archive_zip}, 2};

void mjp_defaultProvider(mjpResourceProvider* provider) {
  check_given(provider);
  memset(provider, 0, sizeof(mjpResourceProvider));
}

static int is_scheme(const char* prefix) {
  if (!prefix || !isalpha((unsigned char)prefix[0])) {
    return 0;
  }
  for (const char* c = prefix; *c; c++) {
    if (!isalnum((unsigned char)*c) && *c != '+' && *c != '-' && *c != '.') {
      return 0;
    }
  }
  return 1;
}

static int identical(const mjpResourceProvider* a, const mjpResourceProvider* b) {
  return a->open == b->open && a->read == b->read && a->close == b->close &&
         a->getdir == b->getdir && a->modified == b->modified && a->data == b->data &&
         a->mount == b->mount && a->unmount == b->unmount && a->write == b->write;
}

// Index of the provider of a prefix, which has `length` characters; -1 if there is none.
static int find(const Registry* registry, const char* prefix, size_t length) {
  for (int i = 0; i < registry->count; i++) {
    const char* known = registry->registered[i]->prefix;
    if (strlen(known) == length && strncasecmp(known, prefix, length) == 0) {
      return i;
    }
  }
  return -1;
}

// Copies the struct and its prefix into one block. NULL if memory runs out.
static mjpResourceProvider* copy_provider(const mjpResourceProvider* provider, const char* prefix,
                                          size_t length) {
  mjpResourceProvider* copy = malloc(sizeof(mjpResourceProvider) + length + 1);
  if (copy) {
    char* own = (char*)(copy + 1);
    memcpy(own, prefix, length);
    own[length] = 0;
    *copy = *provider;
    copy->prefix = own;
  }
  return copy;
}

static int is_complete(const mjpResourceProvider* provider) {
  if (!provider->open || !provider->read || !provider->close) {
    mju_warning("provider '%s' must have the open, read, and close callbacks defined",
                provider->prefix ? provider->prefix : "");
    return 0;
  }
  return 1;
}

// Registers a provider of a prefix. Returns its slot, -1 with a warning or an error.
static int add(Registry* registry, const char* kind, const mjpResourceProvider* provider,
               const char* prefix, size_t length) {
  pthread_mutex_lock(&lock);
  int slot = find(registry, prefix, length);
  int conflict = slot >= 0 && !identical(provider, registry->registered[slot]);
  if (slot < 0 && registry->count < MAX_PROVIDERS &&
      (registry->registered[registry->count] = copy_provider(provider, prefix, length))) {
    slot = registry->count++;
  }
  pthread_mutex_unlock(&lock);

  // the lock is free here, because the error handler may jump out
  if (conflict) {
    mju_error("%s '%.*s' is already registered", kind, (int)length, prefix);
    return -1;
  }
  if (slot < 0) {
    mju_warning("no room for %s '%.*s'", kind, (int)length, prefix);
    return -1;
  }
  return slot + 1;
}

int mjp_registerProvider(const mjpResourceProvider* provider) {
  check_given(provider);
  if (!is_scheme(provider->prefix)) {
    mju_warning("provider->prefix is '%s' which is not a valid URI scheme format",
                provider->prefix ? provider->prefix : "");
    return -1;
  }
  return is_complete(provider) ? add(&schemes, "resource provider", provider, provider->prefix,
                                     strlen(provider->prefix))
                               : -1;
}

int mjp_providerCount(void) {
  pthread_mutex_lock(&lock);
  int result = schemes.count;
  pthread_mutex_unlock(&lock);
  return result;
}

static const mjpResourceProvider* find_locked(const Registry* registry, const char* prefix,
                                              size_t length) {
  pthread_mutex_lock(&lock);
  int i = find(registry, prefix, length);
  const mjpResourceProvider* provider = i >= 0 ? registry->registered[i] : NULL;
  pthread_mutex_unlock(&lock);
  return provider;
}

const mjpResourceProvider* mjp_findProvider(const char* resource_name) {
  const char* colon = resource_name ? strchr(resource_name, ':') : NULL;
  return colon ? find_locked(&schemes, resource_name, (size_t)(colon - resource_name)) : NULL;
}

const mjpResourceProvider* mjp_getProviderAtSlot(int slot) {
  pthread_mutex_lock(&lock);
  const mjpResourceProvider* provider =
      slot >= 1 && slot <= schemes.count ? schemes.registered[slot - 1] : NULL;
  pthread_mutex_unlock(&lock);
  return provider;
}

void mjp_registerArchiveProvider(const mjpResourceProvider* provider) {
  check_given(provider);
  const char* at = provider->prefix ? provider->prefix : "";
  if (!is_complete(provider)) {
    return;
  }
  do {
    size_t length = strcspn(at, "|");
    if (length < 2 || at[0] != '.' || memchr(at, '/', length)) {
      mju_warning("provider->prefix is '%.*s' which is not an extension like '.mjz'", (int)length,
                  at);
    } else {
      add(&archives, "archive resource provider", provider, at, length);
    }
    at += length;
  } while (*at++);
}

const mjpResourceProvider* archive_provider(const char* name, size_t length) {
  size_t dot = length;
  while (dot > 0 && name[dot - 1] != '.' && name[dot - 1] != '/') {
    dot--;
  }
  return dot > 0 && name[dot - 1] == '.' ? find_locked(&archives, name + dot - 1, length - dot + 1)
                                         : NULL;
}

const mjpResourceProvider* mjp_findArchiveProvider(const char* resource_name) {
  return resource_name ? archive_provider(resource_name, strlen(resource_name)) : NULL;
}

int mjp_archiveProviderCount(void) {
  pthread_mutex_lock(&lock);
  int result = archives.count;
  pthread_mutex_unlock(&lock);
  return result;
}

// names of earlier releases

void mjp_defaultResourceProvider(mjpResourceProvider* provider) {
  check_given(provider);
  mjp_defaultProvider(provider);
}

int mjp_registerResourceProvider(const mjpResourceProvider* provider) {
  check_given(provider);
  return mjp_registerProvider(provider);
}

int mjp_resourceProviderCount(void) {
  return mjp_providerCount();
}

const mjpResourceProvider* mjp_getResourceProvider(const char* resource_name) {
  return mjp_findProvider(resource_name);
}

const mjpResourceProvider* mjp_getResourceProviderAtSlot(int slot) {
  return mjp_getProviderAtSlot(slot);
}
