"""The analysis board in the browser: a page, and the HTTP server that calls the library for it."""
