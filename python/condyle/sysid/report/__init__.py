"""Reports of fits as one HTML page that needs no network: ``ReportBuilder``, ``default_report``."""

from condyle.sysid.report._builder import ReportBuilder, Section
from condyle.sysid.report._default import default_report

__all__ = ["ReportBuilder", "Section", "default_report"]
