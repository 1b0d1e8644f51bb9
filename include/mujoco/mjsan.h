// mjsan.h: marks for the address sanitizer; empty unless ADDRESS_SANITIZER is defined.

#ifndef MUJOCO_MJSAN_H_
#define MUJOCO_MJSAN_H_

#if defined(ADDRESS_SANITIZER)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(addr, size) ((void)(addr), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(addr, size) ((void)(addr), (void)(size))
#endif

#endif  // MUJOCO_MJSAN_H_
