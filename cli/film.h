// film.h: pictures one after another, as a film or as files.

#pragma once

typedef struct Film_ Film;

// Begins a film of pictures of this size. The name ends in .mp4 or .gif, which the program ffmpeg
// writes, or in /, a folder for PNG files. Without ffmpeg they go to the folder NAME-frames/, and a
// message says so. NULL after a message with the reason; *status is the exit status then.
Film* film_open(int* status, const char* path, int width, int height, double fps);

// Adds a picture: 3 bytes to a pixel, top row first. Returns a status, after a message if it
// failed.
int film_add(Film* film, const unsigned char* pixels);

// Ends the film. Returns a status, after a message if it failed.
int film_close(Film* film);

// Where the pictures are, in words.
const char* film_place(const Film* film);
