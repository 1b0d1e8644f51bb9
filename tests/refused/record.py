#!/usr/bin/env python3
"""Writes the reference's own words above each model that it refuses: record.py cases.txt > new.txt

A case is a line '== LINE: PHRASE' and the text of a model up to a blank line. LINE is the line that
the reference names, 0 if none. A second line '=> LINE: PHRASE' is kept: what is said here where the
reference's words or place are worse; LINE may be 'FILE:LINE'. Files of the model follow its text:

  --- NAME        and their lines
  --- NAME bytes  and words: 'text', hexadecimal x00FF, a 32-bit integer 7, a 32-bit real 7.0, and N*word

With --warned, models that load: PHRASE is what the reference warns about, 'nothing' if it doesn't.
Needs the Python package mujoco==3.3.7. Every model is loaded in a process of its own.
"""
import ctypes
import glob
import os
import re
import struct
import sys

import mujoco

FOLDER = os.path.dirname(mujoco.__file__)
LIBRARY = glob.glob(os.path.join(FOLDER, "libmujoco.so.*"))[0]


def word_bytes(word):
  """Bytes of one word of a file given as bytes."""
  many = re.match(r"(\d+)\*(.*)", word)
  if many:
    return int(many.group(1)) * word_bytes(many.group(2))
  if word[0] == "x":
    return bytes.fromhex(word[1:])
  if word[0] == "'":
    return word[1:-1].encode()
  if word.lstrip("-").isdigit():
    return struct.pack("<I", int(word) & 0xFFFFFFFF)
  return struct.pack("<f", float(word))


def files_of(lines):
  """The text of the model and its other files by name."""
  text, files, isbytes = [], {}, False
  name = None
  for line in lines:
    if line.startswith("--- "):
      name, *kind = line[4:].split(" ")
      isbytes = bool(kind)
      files[name] = b""
    elif name is None:
      text.append(line)
    elif isbytes:
      files[name] += b"".join(map(word_bytes, line.split()))
    else:
      files[name] += (line + "\n").encode()
  return "\n".join(text), files


def load(text, files):
  """(loaded, message) of the reference; the message of a loaded model is its first warning."""
  reading, writing = os.pipe()
  child = os.fork()
  if child == 0:
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    engine = ctypes.CDLL(LIBRARY)
    handler = ctypes.CFUNCTYPE(None, ctypes.c_char_p)
    said = []
    hook = handler(lambda message: said.append(message))

    def fail(message):
      os.write(writing, b"0" + message)
      os._exit(0)

    error_hook = handler(fail)
    for name, function in (("mju_user_warning", hook), ("mju_user_error", error_hook)):
      ctypes.c_void_p.in_dll(engine, name).value = ctypes.cast(function, ctypes.c_void_p).value
    vfs = ctypes.create_string_buffer(64)
    engine.mj_defaultVFS(vfs)
    for name, content in files.items():
      engine.mj_addBufferVFS(vfs, name.encode(), content, len(content))
    engine.mj_addBufferVFS(vfs, b"main.xml", text.encode(), len(text.encode()))
    engine.mj_loadXML.restype = ctypes.c_void_p
    error = ctypes.create_string_buffer(1000)
    model = engine.mj_loadXML(b"main.xml", vfs, error, 1000)
    message = error.value or (said[0] if said and model else b"")
    os.write(writing, (b"1" if model else b"0") + message)
    os._exit(0)
  os.close(writing)
  answer = b""
  while piece := os.read(reading, 4096):
    answer += piece
  os.close(reading)
  os.waitpid(child, 0)
  return (answer[:1] == b"1", answer[1:].decode(errors="replace")) if answer else (False, None)


def record(head, own, body, warned):
  """Prints a case with the words of today's reference; a case that it doesn't have goes to stderr."""
  loaded, message = load(*files_of(body))
  if message is None or loaded != warned:
    reason = "the reference falls over" if message is None else "loaded" if loaded else message
    print("not recorded: %s" % reason, *body, "", sep="\n", file=sys.stderr)
    return
  line = re.search(r"line (\d+)", message)
  phrase = re.sub(r"^(XML )?Error: ", "", message).split("\n")[0].strip()
  print("== %d: %s" % (int(line.group(1)) if line else 0, phrase or "nothing"), *own, *body, "", sep="\n")


def main():
  warned = sys.argv[1] == "--warned"
  body = own = head = None
  for line in open(sys.argv[-1], encoding="utf-8").read().split("\n") + [""]:
    if line.startswith("=="):
      head, body, own = line, [], []
    elif line.startswith("=>"):
      own.append(line)
    elif body is not None and line:
      body.append(line)
    elif body is not None:
      record(head, own, body, warned)
      body = None
    elif line:
      print(line, end="\n\n")


main()
