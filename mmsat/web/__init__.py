"""The board in the browser: an HTTP server, thin over the library, and the page that it serves."""
