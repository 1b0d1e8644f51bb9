"""What stands behind ``condyle.viewer`` and ``condyle.show``: views of simulations, the server of
their pages, and what is said between them.
"""
