"""Generators of the regular parts of the package `condyle`: they read the headers under include/.

Run with python/ on the path: ``PYTHONPATH=python python -m generate ROOT OUTPUT``.
"""
