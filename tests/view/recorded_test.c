// Cameras without a scene against numbers recorded from the newest reference
// (tests/reference/view), and what must hold without it.

#include <condyle/view.h>

#include "support/caught.h"
#include "support/load.h"
#include "support/near.h"
#include "support/test.h"
#include "view/view_model.h"

static const char perspective[] = VIEW_MODEL("false"), parallel[] = VIEW_MODEL("true");

// Numbers of a line, after its word and `skipped` others.
static int read_numbers(double* x, int room, const char* line, int skipped) {
  int n = 0;
  char* end;
  for (const char* at = strchr(line, ' '); at && n < room + skipped; at = end) {
    double value = strtod(at, &end);
    if (end == at) {
      break;
    }
    if (n++ >= skipped) {
      x[n - 1 - skipped] = value;
    }
  }
  return n - skipped;
}

static mjvCamera camera_of(const double x[12]) {
  mjvCamera cam;
  mjv_defaultCamera(&cam);
  cam.type = (int)x[0];
  cam.fixedcamid = (int)x[1];
  cam.trackbodyid = (int)x[2];
  cam.orthographic = (int)x[3];
  for (int k = 0; k < 3; k++) {
    cam.lookat[k] = (mjtNum)x[4 + k];
  }
  cam.distance = (mjtNum)x[7];
  cam.azimuth = (mjtNum)x[8];
  cam.elevation = (mjtNum)x[9];
  return cam;
}

static int eye_differs(const mjModel* m, const mjData* d, const mjvCamera* cam, const double* x) {
  mjvGLCamera eye = mjv_camera2GLCamera(m, d, cam);
  return numbers_differ("eye", eye.pos, x, 15, 3e-7, 1) + (eye.orthographic != (int)x[15]);
}

// One line beside what we get from the same camera; 1 if it differs.
static int line_differs(const char* line, const mjModel* m, const mjData* d, const double* given) {
  double x[16];
  mjvCamera cam = camera_of(given);
  if (!strncmp(line, "frame ", 6)) {
    mjtNum frame[12];
    mjv_cameraFrame(frame, frame + 3, frame + 6, frame + 9, d, &cam);
    assert_int_equal(read_numbers(x, 12, line, 0), 12);
    return numbers_differ("frame", frame, x, 12, 1e-9, 1);
  }
  if (!strncmp(line, "frustum ", 8)) {
    float side[6];
    mjv_cameraFrustum(side, side + 2, side + 4, m, &cam);
    assert_int_equal(read_numbers(x, 6, line, 0), 6);
    return numbers_differ("frustum", side, x, 6, 1e-7, 1e-3);
  }
  if (!strncmp(line, "eye ", 4)) {
    assert_int_equal(read_numbers(x, 16, line, 0), 16);
    return eye_differs(m, d, &cam, x);
  }
  int action = atoi(line + 5);
  assert_int_equal(read_numbers(x, 6, line, 1), 6);
  cnd_moveCamera(m, action, (mjtNum)given[10], (mjtNum)given[11], &cam);
  char label[40];
  snprintf(label, sizeof label, "action %d", action);
  return numbers_differ(label, cam.lookat, x, 6, 1e-9, 1);  // lookat, distance, angles in a row
}

TEST(cameras_without_a_scene_have_the_recorded_numbers) {
  DOUBLE_ONLY();
  FILE* file = fopen(CONDYLE_SOURCE_DIR "/tests/reference/view/cameras.txt", "r");
  assert_non_null(file);
  char line[1000];
  double given[12];
  mjModel* m = NULL;
  mjData* d = NULL;
  int differ = 0, lines = 0;
  while (fgets(line, sizeof line, file)) {
    if (!strncmp(line, "model ", 6)) {
      m = test_model(strstr(line, "true") ? parallel : perspective);
      d = test_data(m);
      mj_forward(m, d);
    } else if (!strncmp(line, "camera ", 7)) {
      assert_int_equal(read_numbers(given, 12, line, 0), 12);
    } else {
      int bad = line_differs(line, m, d, given);
      if (bad) {
        print_error("  type %d, camera %d, body %d, orthographic %d\n", (int)given[0],
                    (int)given[1], (int)given[2], (int)given[3]);
      }
      differ += bad;
      lines++;
    }
  }
  fclose(file);
  assert_that(lines, >, 400);
  assert_int_equal(differ, 0);
}

TEST(axes_of_free_cameras_have_sines_of_all_angles) {
  const double near = sizeof(mjtNum) == 8 ? 1e-15 : 1e-6;
  static const double angles[] = {0,     90,  -90,  45,   -180, 179.9, 30,
                                  720.5, 1e4, -3e4, 57e3, 1e7,  -1e12, NAN};
  enum {
    N = sizeof(angles) / sizeof(angles[0])
  };
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) {
      mjvCamera cam;
      mjv_defaultCamera(&cam);
      cam.azimuth = (mjtNum)angles[i];
      cam.elevation = (mjtNum)angles[j];
      mjtNum forward[3], up[3], right[3];
      mjv_cameraFrame(NULL, forward, up, right, NULL, &cam);
      double a = (double)cam.azimuth * (mjPI / 180), e = (double)cam.elevation * (mjPI / 180);
      const double wanted[] = {cos(e) * cos(a),  cos(e) * sin(a),  sin(e),
                               -sin(e) * cos(a), -sin(e) * sin(a), cos(e),
                               sin(a),           -cos(a),          0};
      const mjtNum* axes[] = {forward, up, right};
      for (int k = 0; k < 9; k++) {
        double got = (double)axes[k / 3][k % 3];
        if (isnan(wanted[k]) ? !isnan(got) : !(fabs(got - wanted[k]) <= near)) {
          fail_msg("azimuth %g, elevation %g: number %d is %.17g, not %.17g", angles[i], angles[j],
                   k, got, wanted[k]);
        }
      }
    }
  }
}

TEST(turning_keeps_the_camera_where_it_stands) {
  mjModel* m = test_model(perspective);
  mjvCamera cam;
  mjv_defaultFreeCamera(m, &cam);
  mjtNum before[3], after[3];
  mjv_cameraFrame(before, NULL, NULL, NULL, NULL, &cam);
  // also where the elevation is at its limit
  for (int i = 0; i < 20; i++) {
    cnd_moveCamera(m, i % 2 ? mjMOUSE_TURN_H : mjMOUSE_TURN_V, (mjtNum)0.3, (mjtNum)-0.2, &cam);
    mjv_cameraFrame(after, NULL, NULL, NULL, NULL, &cam);
    assert_close(after, before, 3, 1e-12);
  }
  assert_that(cam.elevation, ==, 89);
}

TEST(cameras_that_can_not_be_are_errors) {
  mjModel* m = test_model(perspective);
  mjData* d = test_data(m);
  mjvCamera cam;
  mjvScene* scn = calloc(1, sizeof *scn);
  mjtNum head[3];
  mjv_defaultCamera(&cam);
  assert_error(cnd_moveCamera(m, mjMOUSE_NONE, 0, 0, &cam), "cnd_moveCamera: unexpected action 0");
  assert_error(mjv_moveCamera(m, mjMOUSE_TURN_V, 0, 0, scn, &cam), "unexpected action 8");
  assert_error(mjv_moveCamera(m, mjMOUSE_MOVE_V, 0, 0, scn, &cam), "frustum_near");
  cam.type = mjCAMERA_TRACKING;
  cam.trackbodyid = m->nbody;
  assert_error(mjv_cameraFrame(head, NULL, NULL, NULL, d, &cam), "which does not exist");
  cam.trackbodyid = 1;
  assert_error(mjv_cameraFrame(head, NULL, NULL, NULL, NULL, &cam), "d is NULL");
  cam.type = mjCAMERA_FIXED;
  cam.fixedcamid = m->ncam;
  assert_error(mjv_cameraFrame(head, NULL, NULL, NULL, d, &cam), "mjv_cameraFrame: camera 3");
  assert_error(mjv_camera2GLCamera(m, d, &cam), "mjv_camera2GLCamera: camera 3");
  cnd_moveCamera(m, mjMOUSE_NONE, 0, 0, &cam);  // nothing moves it
  cam.type = mjCAMERA_USER;
  assert_error(mjv_cameraFrustum(NULL, NULL, NULL, m, &cam), "unknown type 3");
  mjv_updateCamera(m, d, &cam, scn);  // nor sets a scene by the user's
  assert_that(scn->camera[0].frustum_near, ==, 0);
  free(scn);
}

// The picture of the scene is that of the two eyes around the camera.
TEST(eyes_of_a_scene_are_beside_the_camera_without_one) {
  mjModel* m = test_model(perspective);
  mjData* d = test_data(m);
  mj_forward(m, d);
  mjvScene* scn = calloc(1, sizeof *scn);
  scn->scale = scn->rotate[0] = 1;
  mjvCamera cam;
  mjv_defaultFreeCamera(m, &cam);
  mjv_updateCamera(m, d, &cam, scn);
  mjvGLCamera mean = mjv_averageCamera(scn->camera, scn->camera + 1);
  mjvGLCamera alone = mjv_camera2GLCamera(m, d, &cam);
  const float *x = (const float*)(const void*)&mean, *y = (const float*)(const void*)&alone;
  assert_numbers(x, y, sizeof(mean) / sizeof(float), 1e-6, 1);
  free(scn);
}
