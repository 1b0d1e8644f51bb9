// picture.c: draws models with the engine that it is linked with, so that pictures of two engines
// can be compared. Uses nothing but the common interface and a context of its own.
//
//   picture [OPTIONS] OUT MODEL.xml
//
// Writes OUT.rgb, OUT.dep (float), and with shapes in colors of their numbers OUT.seg and OUT.sdp,
// rows upwards; prints how long a picture takes. It ends with 77 where there is no EGL.
//
//   -s WxH   pixels                          -t SECONDS  simulates first
//   -a -e    azimuth and elevation           -n TIMES    draws more often, for the time
//   -d       factor of the distance          -q PIXELS   maps of shadows
//   -c NAME  camera of the model             -v -r FLAG  toggles one of mjvOption, of mjvScene
//   -l -g    label and frame (mjtLabel, mjtFrame)

#define _POSIX_C_SOURCE 200809L

#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "surfaceless.h"

static void fail(const char* text) {
  fprintf(stderr, "picture: %s\n", text);
  exit(1);
}

static void write_file(const char* out, const char* suffix, const void* data, size_t size) {
  char name[1000];
  snprintf(name, sizeof(name), "%s.%s", out, suffix);
  FILE* file = fopen(name, "wb");
  if (!file || fwrite(data, 1, size, file) != size || fclose(file)) {
    fail("can't write a file");
  }
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

int main(int argc, char** argv) {
  int width = 640, height = 480, repeats = 1, font = 150, shadow = -1;
  double seconds = 0, azimuth = 1000, elevation = 1000, distance = 1;
  const char* camera_name = NULL;
  mjvOption option;
  mjv_defaultOption(&option);
  unsigned int flip[mjNRNDFLAG] = {0};
  for (int c; (c = getopt(argc, argv, "s:a:e:d:c:t:v:r:n:l:g:q:")) != -1;) {
    switch (c) {
      case 's':
        sscanf(optarg, "%dx%d", &width, &height);
        break;
      case 'a':
        azimuth = atof(optarg);
        break;
      case 'e':
        elevation = atof(optarg);
        break;
      case 'd':
        distance = atof(optarg);
        break;
      case 'c':
        camera_name = optarg;
        break;
      case 't':
        seconds = atof(optarg);
        break;
      case 'v':
        option.flags[atoi(optarg) % mjNVISFLAG] ^= 1;
        break;
      case 'r':
        flip[atoi(optarg) % mjNRNDFLAG] = 1;
        break;
      case 'n':
        repeats = atoi(optarg);
        break;
      case 'l':
        option.label = atoi(optarg);
        break;
      case 'q':
        shadow = atoi(optarg);
        break;
      case 'g':
        option.frame = atoi(optarg);
        break;
      default:
        fail("unknown option");
    }
  }
  if (argc - optind != 2) {
    fail("usage: picture [options] OUT MODEL.xml");
  }
  const char* out = argv[optind];
  char error[1000] = "";
  mjModel* m = mj_loadXML(argv[optind + 1], NULL, error, sizeof(error));
  if (!m) {
    fail(error);
  }
  m->vis.global.offwidth = width;
  m->vis.global.offheight = height;
  m->vis.quality.shadowsize = shadow < 0 ? m->vis.quality.shadowsize : shadow;
  mjData* d = mj_makeData(m);
  if (m->nkey) {
    mj_resetDataKeyframe(m, d, 0);
  }
  while (d->time < seconds) {
    mj_step(m, d);
  }
  mj_forward(m, d);

  switch (surfaceless_context()) {
    case 0:
      printf("no EGL here\n");
      exit(77);
    case -1:
      fail("no context");
    default:
      break;
  }
  mjrContext con;
  mjr_defaultContext(&con);
  mjr_makeContext(m, &con, font);
  mjr_setBuffer(mjFB_OFFSCREEN, &con);
  mjvScene scn;
  mjv_defaultScene(&scn);
  mjv_makeScene(m, &scn, 20000);
  mjvCamera camera;
  mjv_defaultFreeCamera(m, &camera);
  if (camera_name) {
    camera.type = mjCAMERA_FIXED;
    camera.fixedcamid = mj_name2id(m, mjOBJ_CAMERA, camera_name);
  }
  camera.azimuth = azimuth < 1000 ? azimuth : camera.azimuth;
  camera.elevation = elevation < 1000 ? elevation : camera.elevation;
  camera.distance *= distance;
  for (int i = 0; i < 2; i++) {
    mjv_updateScene(m, d, &option, NULL, &camera, mjCAT_ALL, &scn);
  }
  for (int i = 0; i < mjNRNDFLAG; i++) {
    scn.flags[i] ^= (mjtByte)flip[i];
  }

  size_t n = (size_t)width * (size_t)height;
  unsigned char* rgb = malloc(3 * n);
  float* depth = malloc(4 * n);
  mjrRect all = {0, 0, width, height};
  double best = 1e9;
  for (int i = 0; i < repeats; i++) {
    double start = now();
    mjr_render(all, &scn, &con);
    mjr_readPixels(rgb, i ? NULL : depth, all, &con);
    double took = now() - start;
    best = took < best && (i || repeats == 1) ? took : best;
  }
  write_file(out, "rgb", rgb, 3 * n);
  write_file(out, "dep", depth, 4 * n);
  scn.flags[mjRND_SEGMENT] = scn.flags[mjRND_IDCOLOR] = 1;
  double seg_best = 1e9;
  for (int i = 0; i < repeats; i++) {
    double start = now();
    mjr_render(all, &scn, &con);
    mjr_readPixels(rgb, i ? NULL : depth, all, &con);
    double took = now() - start;
    seg_best = took < seg_best ? took : seg_best;
  }
  write_file(out, "seg", rgb, 3 * n);
  write_file(out, "sdp", depth, 4 * n);
  int gl_error = mjr_getError();
  printf("%d shapes, %.3f ms, segments %.3f ms, near %g far %g, error %d\n", scn.ngeom, best,
         seg_best, (double)scn.camera[0].frustum_near, (double)scn.camera[0].frustum_far, gl_error);
  free(rgb);
  free(depth);
  mjv_freeScene(&scn);
  mjr_freeContext(&con);
  mj_deleteData(d);
  mj_deleteModel(m);
  return gl_error != 0;
}
