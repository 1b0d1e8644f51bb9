// The sky: a cube around the eye, whose +y is up.
uniform samplerCube image;
in vec3 direction;
out vec4 pixel;

void main() {
  pixel = texture(image, vec3(direction.x, direction.z, -direction.y));
}
