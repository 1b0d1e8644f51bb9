// The texture says how much of a pixel is covered.
uniform sampler2D image;
in vec2 coord;
in vec4 color;
out vec4 pixel;

void main() {
  pixel = vec4(color.rgb, color.a * texture(image, coord).r);
}
