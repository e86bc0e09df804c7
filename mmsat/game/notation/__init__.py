"""Reading and printing boards in three notations: board line, board file and JSON."""
