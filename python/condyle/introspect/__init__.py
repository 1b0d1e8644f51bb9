"""The C interface as data, for programs that generate code for it.

``functions.FUNCTIONS``, ``enums.ENUMS`` and ``structs.STRUCTS`` are dicts by C name in the order of
the headers, made of the nodes in ``ast_nodes``. ``mjxmacro.MJMODEL`` and ``MJDATA`` give the rows
and columns of the arrays of mjModel and mjData. These modules are generated from the headers when
the package is built. They hold the interface that is compatible with MuJoCo, without what only
Condyle has.
"""
