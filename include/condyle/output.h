// output.h: writing files so that one which can't be written to its end destroys nothing.
//
//   cndOutput out;
//   if (cnd_openOutput(&out, "model.csv")) {
//     fprintf(out.file, ...);
//   }
//   if (!cnd_closeOutput(&out, 1)) {
//     fprintf(stderr, "%s: %s\n", out.path, strerror(out.reason));
//   }
//
// The text goes to a new file in the same folder, which takes the place of the old one when it is
// complete. Pipes and devices, and whatever lies in /dev or /proc, are written directly, and so are
// files in a folder in which no file can be made.

#ifndef CONDYLE_OUTPUT_H_
#define CONDYLE_OUTPUT_H_

#include <mujoco/mjexport.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cndOutput_ {
  FILE* file;         // what to write to; NULL if it could not be opened
  const char* path;   // as given to cnd_openOutput, which must last as long
  int reason;         // errno of the first failure, else 0
  int renames;        // 1 if `beside` becomes `target` at the end
  char target[4096];  // the file itself, behind symbolic links
  char beside[4128];  // the new file
} cndOutput;

// Opens a file for writing; "-" is standard output. Returns 0, with out->reason, if it can't be.
MJAPI int cnd_openOutput(cndOutput* out, const char* path);

// Closes the file. If complete is 1 and all was written, it takes the place of the old one; else
// the old one stays as it was. Returns 0, with out->reason, if the file could not be opened or
// written.
MJAPI int cnd_closeOutput(cndOutput* out, int complete);

#ifdef __cplusplus
}
#endif

#endif  // CONDYLE_OUTPUT_H_
