// Loaded before the page is drawn, so that a chosen theme is used from the start.
try {
  const theme = JSON.parse(localStorage.getItem("theme"));
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is blocked, or its value is not valid.
}
