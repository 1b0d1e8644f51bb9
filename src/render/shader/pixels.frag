// Pixels of a texture at their places, as colors and as depths.
uniform sampler2D image;
uniform vec4 range;  // left, bottom
out vec4 pixel;

void main() {
  pixel = texelFetch(image, ivec2(gl_FragCoord.xy) - ivec2(range.xy), 0);
  gl_FragDepth = pixel.r;
}
