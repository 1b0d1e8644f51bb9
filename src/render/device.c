// device.c: finding the device of an mjrContext, or of the OpenGL context that is current.

#include "render/device.h"

#include <mujoco/api/base.h>
#include <mujoco/api/render.h>
#include <pthread.h>

// All devices: a function without an mjrContext finds its device by the current OpenGL context.
static RenderDevice* devices;
static pthread_mutex_t devices_lock = PTHREAD_MUTEX_INITIALIZER;

RenderDevice* render_device_handle(const mjrContext* con) {
  if (!con->skinvertVBO) {
    return NULL;
  }
  return (RenderDevice*)(void*)((char*)con->skinvertVBO - offsetof(RenderDevice, skin_buffers));
}

RenderDevice* render_device_of(const mjrContext* con, const char* caller) {
  if (!con) {
    mju_error("%s: con is NULL", caller);
  }
  RenderDevice* device = render_device_handle(con);
  if (!device) {
    mju_error("%s: the mjrContext was not made: call mjr_makeContext", caller);
  }
  if (device->native != gl_current()) {
    mju_error("%s: the OpenGL context in which the mjrContext was made is not current", caller);
  }
  return device;
}

RenderDevice* render_device_current(void) {
  void* native = gl_current();
  if (!native) {
    return NULL;
  }
  pthread_mutex_lock(&devices_lock);
  RenderDevice* device = devices;
  while (device && device->native != native) {
    device = device->next;
  }
  pthread_mutex_unlock(&devices_lock);
  return device;
}

void mjr_defaultRendererInfo(mjrRendererInfo* info) {
  *info = (mjrRendererInfo){"classic", ""};
}

void mjr_getRendererInfo(mjrRendererInfo* info) {
  *info = (mjrRendererInfo){"classic", render_device_current() ? "opengl" : ""};
}

void render_device_enter(RenderDevice* device) {
  pthread_mutex_lock(&devices_lock);
  device->next = devices;
  devices = device;
  pthread_mutex_unlock(&devices_lock);
}

void render_device_leave(const RenderDevice* device) {
  pthread_mutex_lock(&devices_lock);
  RenderDevice** at = &devices;
  while (*at != device) {
    at = &(*at)->next;
  }
  *at = device->next;
  pthread_mutex_unlock(&devices_lock);
}
