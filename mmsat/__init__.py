"""mmsat."""
