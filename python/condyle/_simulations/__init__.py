"""What stands behind ``condyle.simulations``: names of fields, selections, named objects."""
