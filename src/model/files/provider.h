// provider.h: who opens what is in an archive.

#pragma once

#include <mujoco/mjplugin.h>
#include <stddef.h>

// The provider for a name of this length that ends with the extension of archives, else NULL.
const mjpResourceProvider* archive_provider(const char* name, size_t length);
