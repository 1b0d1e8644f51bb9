"""Export of simulations to USD. It comes with a later release; importing it says so."""

raise ImportError("condyle.usd: export to USD comes with a later release of Condyle", name=__name__)
