"""The notations of a board: the board line, the board file, and JSON.

Each module reads a text into a game and its rows, and prints these.
"""
