// Stores the static files of the page in the browser, if possible, so that the page opens while
// the server cannot be reached.

import { store } from "./store.js";

const DELAY_MS = 3000; // the first questions have priority
const RETRY_MS = 4000;

async function keepPage() {
  if (!navigator.serviceWorker || navigator.serviceWorker.controller) return;
  const scope = new URL(".", location.href).href;
  const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
  const parts = new Set(loaded.filter((url) => url.startsWith(scope) && !url.startsWith(`${scope}api`)));
  const cache = await caches.open("static");
  await cache.addAll([scope, ...parts]);
  await navigator.serviceWorker.register("service-worker.js");
}

// Errors are ignored: a browser that allows no storage loads the page from the server each time.
export const keepForOffline = () => setTimeout(() => keepPage().catch(() => {}), DELAY_MS);

// Read a link again that could not be read because the server could not be reached.
store.addEventListener("change", () => {
  const { fault } = store;
  if (fault?.isOffline && fault.origin === "address")
    setTimeout(() => store.fault === fault && store.follow(), RETRY_MS);
});
