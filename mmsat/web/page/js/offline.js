// The static parts of the page are kept by the browser, if it can, so that the page opens while the
// server is away.

import { store } from "./store.js";

const DELAY_MS = 3000; // the first answers come first
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

// A browser without permission to store anything needs the server each time.
export const keepForOffline = () => setTimeout(() => keepPage().catch(() => {}), DELAY_MS);

// A link that could not be read while the server was away is read when it is back.
store.addEventListener("change", () => {
  const { fault } = store;
  if (fault?.isOffline && fault.origin === "address")
    setTimeout(() => store.fault === fault && store.follow(), RETRY_MS);
});
