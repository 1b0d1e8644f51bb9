// Text and rectangles, in pixels from the lower left corner.
layout(location = 0) in vec2 position;
layout(location = 1) in vec2 corner;
layout(location = 2) in vec4 rgba;

uniform vec2 pixels;

out vec2 coord;
out vec4 color;

void main() {
  gl_Position = vec4(2.0 * position / pixels - 1.0, 0, 1);
  coord = corner;
  color = rgba;
}
