// A triangle over everything, and the direction in which each pixel looks.
uniform vec3 ray[3];  // through the middle, and from there to the right and upper edges

out vec3 direction;

void main() {
  vec2 corner = vec2(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1);
  gl_Position = vec4(corner, 0, 1);
  direction = ray[0] + corner.x * ray[1] + corner.y * ray[2];
}
