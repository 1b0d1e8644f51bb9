// Materials: what is alike in the look of shapes that are drawn in one call.
//
// The reference's light is that of fixed-function OpenGL. three.js normalises its terms so that
// surfaces keep energy; the constants below take that back: a light of intensity pi has a diffuse
// term of dot(n, l), and the specular term is divided by the integral of the highlight.

import * as THREE from "three";
import type { Model } from "../model.ts";
import { MIRROR_ADD, MIRROR_HEAD, type Mirror } from "./mirror.ts";
import type { Textures } from "./textures.ts";

export interface Look {
  matid: number; // of the texture; -1: none
  texcoord: boolean; // the shape has texture coordinates of its own
  scaled: boolean; // the shape has absolute coordinates: texture scales go with its size
  size: [number, number, number];
  transparent: boolean;
  emission: number;
  specular: number;
  shininess: number;
  doubleSided: boolean;
  infinite: boolean;
  mirror: "" | "all" | "top"; // which side of the shape mirrors the others
}

// Highlights that don't grow where light grazes a surface: fixed-function OpenGL has no such term.
const PLAIN_HIGHLIGHT = THREE.ShaderChunk.bsdfs.replace("F_Schlick( specularColor, 1.0, dotVH )", "specularColor");

// Spots fade by a power of the cosine, up to a sharp edge. The exponent comes in place of three's penumbra.
const SPOT_FALLOFF = THREE.ShaderChunk.lights_pars_begin.replace("smoothstep( coneCosine, penumbraCosine, angleCosine )",
  "angleCosine < coneCosine ? 0.0 : pow(angleCosine, 1.0 / penumbraCosine - 1.0)");

// Texture role of plain colours, mjTEXROLE_RGB, and the number of roles.
const ROLE_RGB = 1, ROLES = 10;

export class Materials {
  private readonly made = new Map<string, THREE.MeshPhongMaterial>();
  wireframe = false;
  additive = false;

  constructor(private readonly m: Model, private readonly textures: Textures, private readonly mirror: Mirror) {}

  // Tells looks apart. The size of a shape matters only where it scales a texture.
  key(look: Look): string {
    const scales = look.matid >= 0 && !look.texcoord && (!this.isCube(look.matid) || this.m.at("mat_texuniform", look.matid));
    const size = scales ? look.size.map((x) => x.toPrecision(4)).join() : "";
    return [look.matid, +look.texcoord, +look.scaled, size, +look.transparent, look.emission.toFixed(2),
      look.specular.toFixed(2), look.shininess.toFixed(2), +look.doubleSided, +look.infinite, look.mirror].join(":");
  }

  private isCube(matid: number): boolean {
    const texture = this.m.at("mat_texid", ROLES * matid + ROLE_RGB);
    return texture < 0 || this.textures.isCube(texture);
  }

  get(look: Look): THREE.MeshPhongMaterial {
    const key = this.key(look);
    let material = this.made.get(key);
    if (!material) {
      material = this.make(look);
      this.made.set(key, material);
    }
    material.wireframe = this.wireframe;
    material.blending = this.additive && look.transparent ? THREE.AdditiveBlending : THREE.NormalBlending;
    return material;
  }

  private make(look: Look): THREE.MeshPhongMaterial {
    const exponent = Math.max(1, 128 * look.shininess);
    const specular = look.specular / (0.25 * (exponent / 2 + 1));
    const material = new THREE.MeshPhongMaterial({
      specular: new THREE.Color(specular, specular, specular),
      shininess: exponent,
      transparent: look.transparent,
      depthWrite: !look.transparent,
      side: look.doubleSided ? THREE.DoubleSide : THREE.FrontSide,
      shadowSide: THREE.DoubleSide,
      fog: look.infinite,
    });
    const texture = look.matid >= 0 ? this.m.at("mat_texid", ROLES * look.matid + ROLE_RGB) : -1;
    const cube = texture >= 0 && !look.texcoord && this.textures.isCube(texture);
    if (texture >= 0 && !cube && !this.textures.isCube(texture)) {
      material.map = this.flatMap(look, texture);
    }
    this.extend(material, look, cube ? (this.textures.get(texture) as THREE.CubeTexture) : null);
    return material;
  }

  // u = k_x x / 2 - 1/2, v = -k_y y / 2 - 1/2, k times repeated over the shape, or per unit length.
  private flatMap(look: Look, texture: number): THREE.Texture {
    const map = this.textures.get(texture).clone();
    if (!look.texcoord) {
      const uniform = this.m.at("mat_texuniform", look.matid) !== 0;
      const k = [0, 1].map((i) => {
        const repeat = this.m.at("mat_texrepeat", 2 * look.matid + i);
        const size = look.size[i]!;
        const absolute = look.scaled && size > 0 ? repeat / size : repeat;
        return uniform && size > 0 ? absolute * size : absolute;
      });
      map.repeat.set(0.5 * k[0]!, -0.5 * k[1]!);
      map.offset.set(-0.5, -0.5);
    }
    map.needsUpdate = true;
    return map;
  }

  // Emission in the colour of the instance, and textures that are looked up by direction.
  private extend(material: THREE.MeshPhongMaterial, look: Look, cube: THREE.CubeTexture | null) {
    const uniform = cube && this.m.at("mat_texuniform", look.matid) !== 0;
    const scale = new THREE.Vector3(...(uniform ? look.size : [1, 1, 1]));
    material.onBeforeCompile = (shader) => {
      shader.uniforms["glow"] = { value: look.emission };
      shader.uniforms["side"] = { value: scale };
      shader.uniforms["sides"] = { value: cube };
      if (look.mirror) {
        Object.assign(shader.uniforms, this.mirror.uniforms);
      }
      shader.vertexShader = shader.vertexShader
        .replace("#include <common>", "#include <common>\nattribute float opacity; varying float vOpacity; varying vec3 vLocal;")
        .replace("#include <begin_vertex>", "#include <begin_vertex>\nvLocal = position; vOpacity = opacity;");
      shader.fragmentShader = shader.fragmentShader
        .replace("#include <common>",
          "#include <common>\nuniform float glow; uniform vec3 side; uniform samplerCube sides; varying vec3 vLocal; varying float vOpacity;" +
          (look.mirror ? MIRROR_HEAD : ""))
        .replace("#include <bsdfs>", PLAIN_HIGHLIGHT)
        .replace("#include <lights_pars_begin>", SPOT_FALLOFF)
        .replace("#include <map_fragment>",
          cube ? "#include <map_fragment>\ndiffuseColor.rgb *= texture(sides, vLocal * side).rgb;" : "#include <map_fragment>")
        .replace("#include <alphamap_fragment>", "diffuseColor.a *= vOpacity;")
        .replace("#include <emissivemap_fragment>", "totalEmissiveRadiance += glow * diffuseColor.rgb;")
        .replace("#include <opaque_fragment>", MIRROR_ADD[look.mirror] + "#include <opaque_fragment>");
    };
    material.customProgramCacheKey = () => (cube ? "cube" : "plain") + look.mirror;
  }

  dispose() {
    this.made.forEach((material) => {
      material.map?.dispose();
      material.dispose();
    });
  }
}
