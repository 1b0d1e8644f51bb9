// The sky: a cube of pictures around the eye, whose +y is up. It stands where a cylinder as high as
// wide does, and hides what is beyond.
uniform samplerCube image;
uniform vec4 range;    // radius of the cylinder, -, near, far
uniform vec3 forward;
uniform vec4 fog;
uniform vec2 fog_range;
in vec3 direction;
out vec4 pixel;

void main() {
  pixel = texture(image, vec3(direction.x, direction.z, -direction.y));
  float side = max(length(direction.xy), abs(direction.z));
  float z = range.x / side * dot(direction, forward);
  float clear = clamp((fog_range.y - z) / (fog_range.y - fog_range.x), 0.0, 1.0);
  pixel.rgb = mix(fog.rgb, pixel.rgb, clear);
  gl_FragDepth = clamp(range.z * (range.w - z) / (z * (range.w - range.z)), 0.0, 1.0);
}
