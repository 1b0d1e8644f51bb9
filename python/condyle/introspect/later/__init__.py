"""The C interface of release 4.0.0 as data: condyle.introspect as mujoco of that version."""
