// provider.c: the registry of providers of files with names of the form "scheme:...", one for the
// whole program.
//
// A scheme is a letter followed by letters, digits, '+', '-', '.', without regard to case. Slots
// are never freed, so a pointer to a registered provider stays valid for the life of the program.
//                                                                theory/data.md, Resource providers

#include <ctype.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory/check.h"

enum {
  MAX_PROVIDERS = 256,
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static mjpResourceProvider* registered[MAX_PROVIDERS];
static int count;

void mjp_defaultResourceProvider(mjpResourceProvider* provider) {
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
         a->getdir == b->getdir && a->modified == b->modified && a->data == b->data;
}

// Index of the provider of a scheme, which has `length` characters; -1 if there is none.
static int find(const char* scheme, size_t length) {
  for (int i = 0; i < count; i++) {
    const char* prefix = registered[i]->prefix;
    if (strlen(prefix) == length && strncasecmp(prefix, scheme, length) == 0) {
      return i;
    }
  }
  return -1;
}

// Copies the struct and its prefix into one block. NULL if memory runs out.
static mjpResourceProvider* copy_provider(const mjpResourceProvider* provider) {
  size_t bytes = strlen(provider->prefix) + 1;
  mjpResourceProvider* copy = malloc(sizeof(mjpResourceProvider) + bytes);
  if (copy) {
    *copy = *provider;
    copy->prefix = memcpy(copy + 1, provider->prefix, bytes);
  }
  return copy;
}

int mjp_registerResourceProvider(const mjpResourceProvider* provider) {
  check_given(provider);
  if (!is_scheme(provider->prefix)) {
    mju_warning("provider->prefix is '%s' which is not a valid URI scheme",
                provider->prefix ? provider->prefix : "");
    return -1;
  }
  if (!provider->open || !provider->read || !provider->close) {
    mju_warning("provider '%s' must have the open, read, and close callbacks defined",
                provider->prefix);
    return -1;
  }
  pthread_mutex_lock(&lock);
  int slot = find(provider->prefix, strlen(provider->prefix));
  int conflict = slot >= 0 && !identical(provider, registered[slot]);
  if (slot < 0 && count < MAX_PROVIDERS && (registered[count] = copy_provider(provider))) {
    slot = count++;
  }
  pthread_mutex_unlock(&lock);

  // the lock is free here, because the error handler may jump out
  if (conflict) {
    mju_error("resource provider '%s' is already registered", provider->prefix);
    return -1;
  }
  if (slot < 0) {
    mju_warning("no room for resource provider '%s'", provider->prefix);
    return -1;
  }
  return slot + 1;
}

int mjp_resourceProviderCount(void) {
  pthread_mutex_lock(&lock);
  int result = count;
  pthread_mutex_unlock(&lock);
  return result;
}

const mjpResourceProvider* mjp_getResourceProvider(const char* resource_name) {
  const char* colon = resource_name ? strchr(resource_name, ':') : NULL;
  if (!colon) {
    return NULL;
  }
  pthread_mutex_lock(&lock);
  int i = find(resource_name, (size_t)(colon - resource_name));
  const mjpResourceProvider* provider = i >= 0 ? registered[i] : NULL;
  pthread_mutex_unlock(&lock);
  return provider;
}

const mjpResourceProvider* mjp_getResourceProviderAtSlot(int slot) {
  pthread_mutex_lock(&lock);
  const mjpResourceProvider* provider = slot >= 1 && slot <= count ? registered[slot - 1] : NULL;
  pthread_mutex_unlock(&lock);
  return provider;
}
