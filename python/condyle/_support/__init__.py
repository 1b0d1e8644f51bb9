"""What modules of all kinds use: checks of arguments, files that are written whole, contexts of
OpenGL, pictures, the base of enums, libraries of plugins, and the module called mujoco.
"""
