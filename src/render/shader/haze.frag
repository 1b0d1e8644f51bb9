// Haze that rises from an infinite plane to the horizon: a funnel around the eye, from the plane at
// distance (1 - haze) wall to the eye's height at distance wall. It fades out to both rims; with w
// the part of the eye's height by which a point of it lies below the eye, the opacity is
//
//   min((1 + haze) w, (1 - w) (1 + haze) / haze)
//
// A ray that falls by t for each unit of way along the plane meets it at w = t / (h / wall + haze t),
// h being the eye's height.
uniform vec3 tint;
uniform vec4 plane;   // normal, height of the eye
uniform vec4 range;   // wall, haze, near, far
uniform vec3 forward;
uniform vec4 fog;
uniform vec2 fog_range;
in vec3 direction;
out vec4 pixel;

void main() {
  float down = -dot(direction, plane.xyz);
  float along = length(direction + down * plane.xyz);
  float haze = range.y, t = down / max(along, 1e-10);
  float w = t / (plane.w / range.x + haze * t);
  float opacity = t <= 0.0 ? 0.0 : min(w, (1.0 - w) / max(haze, 1e-6)) * (1.0 + haze);
  if (opacity <= 0.0) discard;
  pixel = vec4(tint, min(opacity, 1.0));
  float z = range.x * (1.0 - haze * w) * dot(direction, forward) / along;
  float clear = clamp((fog_range.y - z) / (fog_range.y - fog_range.x), 0.0, 1.0);
  pixel.rgb = mix(fog.rgb, pixel.rgb, clear);
  gl_FragDepth = clamp(range.z * (range.w - z) / (z * (range.w - range.z)), 0.0, 1.0);
}
