// stored.c: packs parts and materials one after the other, each a head of numbers and then its
// texts and arrays. All begin at multiples of 8 bytes.

#include "meshfile/stored.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/memory/memory.h"

typedef struct FileHead_ {
  int32_t npart, nmaterial, up, zero;
} FileHead;

typedef struct PartHead_ {
  int32_t nvert, nface, material, has_normal, has_texcoord, name;  // name: bytes, with its 0
} PartHead;

typedef struct MaterialHead_ {
  float rgba[4];
  int32_t has_color, name, texture, zero;  // bytes of texts, with their 0; 0 for no texture
  uint64_t image;                          // bytes; UINT64_MAX for none
} MaterialHead;

// packing

typedef struct Packing_ {
  char* bytes;
  size_t size, room;
} Packing;

static void put(Packing* packing, const void* bytes, size_t count) {
  size_t end = packing->size + (count + 7) / 8 * 8;
  if (end > packing->room) {
    packing->room = 2 * end;
    packing->bytes = heap_resize(packing->bytes, packing->room);
  }
  if (count) {
    memcpy(packing->bytes + packing->size, bytes, count);
  }
  memset(packing->bytes + packing->size + count, 0, end - packing->size - count);
  packing->size = end;
}

static size_t text_bytes(const char* text) {
  return text ? strlen(text) + 1 : 0;
}

static void put_part(Packing* packing, const MeshPart* part) {
  size_t nvert = (size_t)part->nvert, nface = (size_t)part->nface;
  PartHead head = {.nvert = part->nvert,
                   .nface = part->nface,
                   .material = part->material,
                   .has_normal = part->normal != NULL,
                   .has_texcoord = part->texcoord != NULL,
                   .name = (int32_t)text_bytes(part->name)};
  put(packing, &head, sizeof(head));
  put(packing, part->name, text_bytes(part->name));
  put(packing, part->vert, 3 * nvert * sizeof(float));
  put(packing, part->normal, part->normal ? 3 * nvert * sizeof(float) : 0);
  put(packing, part->texcoord, part->texcoord ? 2 * nvert * sizeof(float) : 0);
  put(packing, part->face, 3 * nface * sizeof(int));
}

static void put_material(Packing* packing, const MeshMaterial* material) {
  MaterialHead head = {.has_color = material->has_color,
                       .name = (int32_t)text_bytes(material->name),
                       .texture = (int32_t)text_bytes(material->texture),
                       .image = material->image ? material->image_size : UINT64_MAX};
  memcpy(head.rgba, material->rgba, sizeof(head.rgba));
  put(packing, &head, sizeof(head));
  put(packing, material->name, text_bytes(material->name));
  put(packing, material->texture, text_bytes(material->texture));
  put(packing, material->image, material->image ? material->image_size : 0);
}

void* meshfile_pack(size_t* size, const MeshFile* file) {
  Packing packing = {0};
  FileHead head = {file->npart, file->nmaterial, file->up, 0};
  put(&packing, &head, sizeof(head));
  for (int i = 0; i < file->npart; i++) {
    put_part(&packing, &file->part[i]);
  }
  for (int i = 0; i < file->nmaterial; i++) {
    put_material(&packing, &file->material[i]);
  }
  *size = packing.size;
  return packing.bytes;
}

// unpacking

typedef struct Unpacking_ {
  char* at;
  size_t left;
} Unpacking;

// The next count * size bytes; NULL if there are fewer.
static void* take(Unpacking* unpacking, size_t count, size_t size) {
  if (count > unpacking->left / size) {
    return NULL;
  }
  size_t step = (count * size + 7) / 8 * 8;
  void* out = unpacking->at;
  step = step < unpacking->left ? step : unpacking->left;
  unpacking->at += step;
  unpacking->left -= step;
  return out;
}

// The next text of `bytes` with its 0.
static char* take_text(Unpacking* unpacking, int32_t bytes) {
  char* text = bytes > 0 ? take(unpacking, (size_t)bytes, 1) : NULL;
  return text && !text[bytes - 1] ? text : NULL;
}

// Are all finite? A sum is not if one of them isn't, and may not be if they are large.
static int are_finite(const float* number, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) {
    sum += (double)number[i];
  }
  return isfinite(sum);
}

static int are_vertices(const int* face, size_t n, int nvert) {
  unsigned most = 0;
  for (size_t i = 0; i < n; i++) {
    most = (unsigned)face[i] > most ? (unsigned)face[i] : most;
  }
  return !n || most < (unsigned)nvert;
}

static int take_part(MeshPart* part, Unpacking* unpacking, int nmaterial) {
  const PartHead* head = take(unpacking, 1, sizeof(PartHead));
  if (!head || head->nvert < 0 || head->nface < 0 || head->material < -1 ||
      head->material >= nmaterial) {
    return 0;
  }
  size_t nvert = (size_t)head->nvert, nface = (size_t)head->nface;
  *part = (MeshPart){.nvert = head->nvert, .nface = head->nface, .material = head->material};
  part->name = take_text(unpacking, head->name);
  part->vert = take(unpacking, 3 * nvert, sizeof(float));
  part->normal = head->has_normal ? take(unpacking, 3 * nvert, sizeof(float)) : NULL;
  part->texcoord = head->has_texcoord ? take(unpacking, 2 * nvert, sizeof(float)) : NULL;
  part->face = take(unpacking, 3 * nface, sizeof(int));
  return part->name && part->vert && part->face && (part->normal || !head->has_normal) &&
         (part->texcoord || !head->has_texcoord) && are_finite(part->vert, 3 * nvert) &&
         are_vertices(part->face, 3 * nface, part->nvert);
}

static int take_material(MeshMaterial* material, Unpacking* unpacking) {
  const MaterialHead* head = take(unpacking, 1, sizeof(MaterialHead));
  if (!head) {
    return 0;
  }
  int has_image = head->image != UINT64_MAX;
  memcpy(material->rgba, head->rgba, sizeof(material->rgba));
  material->has_color = head->has_color != 0;
  material->name = take_text(unpacking, head->name);
  material->texture = head->texture ? take_text(unpacking, head->texture) : NULL;
  material->image_size = has_image ? head->image : 0;
  material->image = has_image ? take(unpacking, head->image, 1) : NULL;
  return material->name && (material->texture || !head->texture) && (material->image || !has_image);
}

MeshFile* meshfile_unpack(void* bytes, size_t size) {
  Unpacking unpacking = {bytes, size};
  const FileHead* head = take(&unpacking, 1, sizeof(FileHead));
  size_t npart = head && head->npart >= 0 ? (size_t)head->npart : 0;
  size_t nmaterial = head && head->nmaterial >= 0 ? (size_t)head->nmaterial : 0;
  if (!head || npart > size / sizeof(PartHead) || nmaterial > size / sizeof(MaterialHead)) {
    return NULL;
  }
  MeshFile* file = heap_zero(1, sizeof(MeshFile));
  file->part = heap_zero(npart + 1, sizeof(MeshPart));
  file->material = heap_zero(nmaterial + 1, sizeof(MeshMaterial));
  file->npart = (int)npart;
  file->nmaterial = (int)nmaterial;
  file->up = (char)head->up;
  file->is_packed = 1;
  int good = 1;
  for (size_t i = 0; i < npart && good; i++) {
    good = take_part(&file->part[i], &unpacking, (int)nmaterial);
  }
  for (size_t i = 0; i < nmaterial && good; i++) {
    good = take_material(&file->material[i], &unpacking);
  }
  if (!good) {
    heap_free(file->part);
    heap_free(file->material);
    heap_free(file);
    return NULL;
  }
  return file;
}
