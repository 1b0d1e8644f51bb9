// A wall of haze that stands on an infinite plane around the eye, at distance wall, and fades out
// upwards to the horizon and downwards over the plane. With t the slope at which a pixel looks down
// and h the height of the eye, the wall's foot is at t = h / wall:
//
//   t (1 + haze) / (h / wall + haze t)      above the foot
//   1 - (t wall / h - 1) (1 - haze) / haze  below it
//
// It hides only what is behind it.
uniform vec3 tint;
uniform vec4 plane;   // normal, height of the eye
uniform vec4 range;   // wall, haze, near, far
uniform vec3 forward;
in vec3 direction;
out vec4 pixel;

void main() {
  float down = -dot(direction, plane.xyz);
  float along = length(direction + down * plane.xyz);
  float foot = plane.w / range.x, haze = range.y;
  float t = down / max(along, 1e-10);
  float above = t * (1.0 + haze) / (foot + haze * t);
  float below = 1.0 - (t / foot - 1.0) * (1.0 - haze) / max(haze, 1e-6);
  float opacity = t <= 0.0 ? 0.0 : t < foot ? above : below;
  if (opacity <= 0.0) discard;
  pixel = vec4(tint, min(opacity, 1.0));

  // a little nearer than the plane
  float z = 0.99 * min(range.x, plane.w / t) * dot(direction, forward) / along;
  float depth = range.z * (range.w - z) / (z * (range.w - range.z));
  gl_FragDepth = clamp(depth, 0.0, 1.0);
}
