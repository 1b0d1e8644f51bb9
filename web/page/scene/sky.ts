// What is behind everything: the model's sky, or a quiet gradient in the colours of the page.

import * as THREE from "three";

const VERTEX = `
varying vec3 vDirection;
void main() {
  vDirection = position;
  gl_Position = projectionMatrix * mat4(mat3(viewMatrix)) * vec4(position, 1.0);
  gl_Position.z = gl_Position.w * 0.99999;
}`;

// the sky of a model is stored with +y up
const FRAGMENT = `
varying vec3 vDirection;
uniform samplerCube sky; uniform bool textured; uniform vec3 low; uniform vec3 high;
void main() {
  vec3 d = normalize(vDirection);
  gl_FragColor = vec4(textured ? texture(sky, vec3(d.x, d.z, -d.y)).rgb
    : mix(low, high, smoothstep(-0.05, 0.7, d.z)), 1.0);
}`;

// after what is opaque, so that only what is seen of it is drawn
const SKY_LAST = 1;

export class Sky {
  readonly mesh: THREE.Mesh<THREE.BufferGeometry, THREE.ShaderMaterial>;
  readonly low = new THREE.Color();
  readonly high = new THREE.Color();

  constructor() {
    const material = new THREE.ShaderMaterial({
      uniforms: {
        sky: { value: null }, textured: { value: false }, low: { value: this.low }, high: { value: this.high },
      },
      vertexShader: VERTEX, fragmentShader: FRAGMENT, side: THREE.BackSide, depthWrite: false, fog: false,
    });
    this.mesh = new THREE.Mesh(new THREE.BoxGeometry(2, 2, 2), material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = SKY_LAST;
  }

  use(texture: THREE.CubeTexture | null) {
    this.mesh.material.uniforms["sky"]!.value = texture;
    this.mesh.material.uniforms["textured"]!.value = texture !== null;
  }
}
