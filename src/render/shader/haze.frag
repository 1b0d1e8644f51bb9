// A band along the horizon that fades out upwards.
uniform vec4 tint;
uniform float range;
in vec3 direction;
out vec4 pixel;

void main() {
  float up = direction.z / max(length(direction.xy), 1e-10);
  pixel = vec4(tint.rgb, tint.a * clamp(1.0 - up / range, 0.0, 1.0));
}
