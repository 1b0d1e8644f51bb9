"""Methods of models and specs that are written in Python, and the errors of loading one."""
