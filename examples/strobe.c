// strobe.c: simulates a model and draws what a stroboscope would show, as an SVG picture on the
// standard output.
//
//   strobe MODEL.xml SECONDS SNAPSHOTS [KEY] > picture.svg
//
// Spheres and capsules are drawn in a side view, later snapshots darker and further to the right;
// the floor is a line.

#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>

enum {
  SCALE = 220,
  MARGIN = 40
};  // pixels per metre, around the figure

typedef struct Stroke_ {
  mjtNum from[3], to[3], radius;
} Stroke;

// A sphere is a capsule of length zero.
static int make_stroke(Stroke* stroke, const mjModel* m, const mjData* d, int geom) {
  int type = m->geom_type[geom];
  if (type != mjGEOM_SPHERE && type != mjGEOM_CAPSULE) {
    return 0;
  }
  const mjtNum *size = m->geom_size + 3 * geom, *centre = d->geom_xpos + 3 * geom;
  const mjtNum* mat = d->geom_xmat + 9 * geom;
  mjtNum half = type == mjGEOM_CAPSULE ? size[1] : 0, axis[3] = {mat[2], mat[5], mat[8]};
  mju_addScl3(stroke->from, centre, axis, -half);
  mju_addScl3(stroke->to, centre, axis, half);
  stroke->radius = size[0];
  return 1;
}

// distant strokes first
static int by_depth(const void* a, const void* b) {
  const Stroke *p = a, *q = b;
  mjtNum gap = (q->from[1] + q->to[1]) - (p->from[1] + p->to[1]);
  return (gap > 0) - (gap < 0);
}

static void draw(const mjModel* m, const mjData* d, double shift, double height, double shade) {
  Stroke* strokes = malloc(sizeof(Stroke) * (size_t)(m->ngeom + 1));
  int count = 0;
  for (int i = 0; strokes && i < m->ngeom; i++) {
    count += make_stroke(strokes + count, m, d, i);
  }
  if (count) {
    qsort(strokes, (size_t)count, sizeof *strokes, by_depth);
  }
  for (int i = 0; i < count; i++) {
    const Stroke* s = strokes + i;
    for (int outline = 1; outline >= 0; outline--) {
      int blue = (int)(outline ? 90 + 110 * (1 - shade) : 160 + 80 * (1 - shade));
      printf(
          "<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke-width='%.1f' "
          "stroke='rgb(%d,%d,%d)'/>\n",
          shift + SCALE * s->from[0], height - SCALE * s->from[2], shift + SCALE * s->to[0] + 0.01,
          height - SCALE * s->to[2], 2 * SCALE * s->radius + (outline ? 2 : 0), blue * 6 / 10,
          blue * 8 / 10, blue);
    }
  }
  free(strokes);
}

int main(int argc, char** argv) {
  if (argc < 4) {
    fprintf(stderr, "usage: strobe MODEL.xml SECONDS SNAPSHOTS [KEY] > picture.svg\n");
    return 2;
  }
  char error[1000];
  mjModel* m = mj_loadXML(argv[1], NULL, error, sizeof error);
  if (!m) {
    fprintf(stderr, "%s\n", error);
    return 2;
  }
  mjData* d = mj_makeData(m);
  if (!d) {
    mj_deleteModel(m);
    return 2;
  }
  if (argc > 4) {
    mj_resetDataKeyframe(m, d, atoi(argv[4]));
  }
  int snapshots = atoi(argv[3]);
  double seconds = atof(argv[2]), pitch = 0.75 * SCALE, height = 1.75 * SCALE + MARGIN;
  printf(
      "<svg xmlns='http://www.w3.org/2000/svg' width='%.0f' height='%.0f' "
      "stroke-linecap='round'>\n",
      (snapshots + 1) * pitch + 2 * MARGIN, height + MARGIN);
  printf(
      "<rect width='100%%' height='100%%' fill='white'/>\n"
      "<line x1='0' y1='%.1f' x2='100%%' y2='%.1f' stroke='#999' stroke-width='2'/>\n",
      height, height);
  for (int i = 0; i < snapshots; i++) {
    while (d->time < seconds * i / (snapshots > 1 ? snapshots - 1 : 1)) {
      mj_step(m, d);
    }
    mj_forward(m, d);
    draw(m, d, MARGIN + (i + 0.5) * pitch, height, (double)(i + 1) / snapshots);
  }
  printf("</svg>\n");
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
