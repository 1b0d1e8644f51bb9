// render.c: times pictures of a model; compiled against Condyle and against the reference.
//
//   render MODEL SECONDS
//
// 640x480 pixels with four samples and shadows, drawn without a screen and read back. A small
// picture comes first, since it compiles the programs of the device. Prints one line of JSON: the
// number of shapes, and the milliseconds of the fastest picture within SECONDS, of one at least.

#include "../tests/render/surfaceless.h"
#include "common.h"

enum {
  WIDTH = 640,
  HEIGHT = 480,
  SAMPLES = 4
};

static void draw(mjvScene* scn, const mjrContext* con, int width, int height) {
  static unsigned char rgb[3 * WIDTH * HEIGHT];
  mjrRect all = {0, 0, width, height};
  mjr_render(all, scn, con);
  mjr_readPixels(rgb, NULL, all, con);
}

int main(int argc, char** argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: render MODEL SECONDS\n");
    return 2;
  }
  mjData* d;
  mjModel* m = load(&d, argv[1]);
  mj_forward(m, d);
  m->vis.global.offwidth = WIDTH;
  m->vis.global.offheight = HEIGHT;
  m->vis.quality.offsamples = SAMPLES;
  if (surfaceless_context() != 1) {
    fprintf(stderr, "render: there is no OpenGL by EGL without a screen\n");
    return 1;
  }
  mjrContext con;
  mjr_defaultContext(&con);
  mjr_makeContext(m, &con, mjFONTSCALE_100);
  mjr_setBuffer(mjFB_OFFSCREEN, &con);
  mjvOption opt;
  mjv_defaultOption(&opt);
  mjvCamera cam;
  mjv_defaultFreeCamera(m, &cam);
  mjvScene scn;
  mjv_defaultScene(&scn);
  mjv_makeScene(m, &scn, 20000);
  mjv_updateScene(m, d, &opt, NULL, &cam, mjCAT_ALL, &scn);

  draw(&scn, &con, WIDTH / 16, HEIGHT / 16);
  double begin = now(), best = 1e9;
  do {
    double start = now();
    draw(&scn, &con, WIDTH, HEIGHT);
    double took = now() - start;
    best = took < best ? took : best;
  } while (now() - begin < atof(argv[2]));
  printf("{\"shapes\": %d, \"ms\": %.2f}\n", scn.ngeom, 1e3 * best);

  int failed = mjr_getError();
  mjv_freeScene(&scn);
  mjr_freeContext(&con);
  mj_deleteData(d);
  mj_deleteModel(m);
  return failed != 0;
}
