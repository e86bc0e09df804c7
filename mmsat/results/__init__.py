"""Results of mmsat: frozen objects that print in words and convert to JSON.

Rows and colors count from 0 in these objects and from 1 in everything they print or export.
"""
