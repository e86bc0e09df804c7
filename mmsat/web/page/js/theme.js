// Loaded before anything is drawn, so that a chosen theme does not flash.
try {
  const theme = JSON.parse(localStorage.getItem("theme"));
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // storage is blocked, or holds something else
}
