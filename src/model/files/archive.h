// archive.h: files in archives, named by a path that goes through one: "dir/x.mjz/meshes/a.stl".
//
// An archive is a virtual file or a file on disk whose name ends with a registered extension. Those
// of ".mjz" and ".zip" have providers like any other's (mjp_registerArchiveProvider): mounting
// reads the directory of the archive, opening unpacks one file.    theory/model/format.md, Archives

#pragma once

#include <mujoco/mjplugin.h>

extern const mjpResourceProvider archive_mjz, archive_zip;

// Why the last call of this thread that opened something in an archive failed.
const char* archive_reason(void);
