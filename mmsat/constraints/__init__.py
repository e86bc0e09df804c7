"""What a board says, in the form that every encoder and engine reads."""
