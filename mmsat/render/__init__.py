"""What people see: boards and tables as lines of styled spans, for terminals and for pipes."""
