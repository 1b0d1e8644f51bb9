"""Export of simulations to USD (OpenUSD), for film and game programs: ``usd.exporter``.

It needs the package usd-core: ``pip install 'condyle[usd]'``.
"""
