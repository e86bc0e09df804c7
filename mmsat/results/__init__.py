"""What mmsat answers: frozen results that print honestly and turn into JSON.

Rows and colors count from 0 in these objects and from 1 in everything they print or export.
"""
