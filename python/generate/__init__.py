"""Generators of the regular parts of the package `condyle`: they read the headers under include/.

Run one as a module with python/ on the path: ``PYTHONPATH=python python -m generate.introspection``.
"""
