// Keeps the static parts of the page, so that it opens while the server is away. Answers are never
// kept. The server is asked first, so that a page is never older than its server.

const CACHE = "static";

const isStatic = ({ method, url }) =>
  method === "GET" && url.startsWith(self.registration.scope) && !url.startsWith(`${self.registration.scope}api`);

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  if (isStatic(event.request)) event.respondWith(load(event.request));
});

async function load(request) {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(request);
    if (!kept) throw error;
    return kept;
  }
}
