#!/usr/bin/env python3
"""Writes the reference's own words above each model that it refuses: record.py cases.txt > new.txt

A case is a line '== LINE: PHRASE' and the text of a model up to a blank line. LINE is the line that
the reference names, 0 if none. A second line '=> LINE: PHRASE' is kept: what is said here where the
reference's words or place are worse. Needs the Python package mujoco==3.3.7.
"""
import re
import sys

import mujoco


def refusal(text):
  """(line, phrase) of the error, None if the model compiles."""
  try:
    mujoco.MjModel.from_xml_string(text)
    return None
  except (mujoco.FatalError, RuntimeError):
    return None  # it falls over its own message
  except ValueError as error:
    message = str(error)
  line = re.search(r"line (\d+)", message)
  phrase = re.sub(r"^(XML )?Error: ", "", message).split("\n")[0].strip()
  return int(line.group(1)) if line else 0, phrase


def main():
  model = own = None
  for line in open(sys.argv[1], encoding="utf-8").read().split("\n") + [""]:
    if line.startswith("=="):
      model, own = [], []
    elif line.startswith("=>"):
      own.append(line)
    elif model is not None and line:
      model.append(line)
    elif model is not None:
      found = refusal("\n".join(model))
      if found:
        print("== %d: %s" % found, *own, *model, "", sep="\n")
      else:
        print("not refused by the reference:", *model, "", sep="\n", file=sys.stderr)
      model = None
    elif line:
      print(line, end="\n\n")


main()
