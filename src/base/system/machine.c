// machine.c: processors, memory, and random numbers of POSIX and Windows.

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#define _CRT_RAND_S
#else
#define _DEFAULT_SOURCE
#ifdef __APPLE__
#define _DARWIN_C_SOURCE
#endif
#endif

#include "base/system/machine.h"

#include <stdlib.h>
#include <string.h>

#ifdef _WIN32

#include <malloc.h>
#include <windows.h>

int system_processors(void) {
  DWORD count = GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
  return count > 0 ? (int)count : 1;
}

uint64_t system_memory(void) {
  MEMORYSTATUSEX status = {.dwLength = sizeof(status)};
  return GlobalMemoryStatusEx(&status) ? status.ullTotalPhys : 0;
}

long system_process(void) {
  return (long)GetCurrentProcessId();
}

int system_random(void* out, size_t size) {
  for (size_t done = 0; done < size;) {
    unsigned int number;
    if (rand_s(&number)) {
      return 0;
    }
    size_t part = size - done < sizeof(number) ? size - done : sizeof(number);
    memcpy((char*)out + done, &number, part);
    done += part;
  }
  return 1;
}

void* system_takealigned(size_t align, size_t size) {
  return _aligned_malloc(size, align);
}

void system_freealigned(void* block) {
  _aligned_free(block);
}

#else

#include <unistd.h>
#ifdef __APPLE__
#include <sys/random.h>
#endif

int system_processors(void) {
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? (int)count : 1;
}

uint64_t system_memory(void) {
#ifdef _SC_PHYS_PAGES
  long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : 0;
#else
  return 0;
#endif
}

long system_process(void) {
  return (long)getpid();
}

int system_random(void* out, size_t size) {
  return getentropy(out, size) == 0;
}

void* system_takealigned(size_t align, size_t size) {
  return aligned_alloc(align, size);
}

void system_freealigned(void* block) {
  free(block);
}

#endif
