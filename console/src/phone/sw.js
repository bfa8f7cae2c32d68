// Lets the phone page work without a network. The build prepends `FILES`, the names of its files, and `VERSION`, a hash of them.
// All names except the page's contain a hash of the content, so cached files are never out of date.
const CACHE = `phone-${VERSION}`;

addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(FILES.map((path) => new Request(path, { cache: 'no-cache' })))),
  );
});

// Open pages of the previous version keep its files. This version activates when the last of them is closed.
addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys())
        if (name.startsWith('phone-') && name !== CACHE) await caches.delete(name);
      await clients.claim();
    })(),
  );
});

addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname, search } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  const path = request.mode === 'navigate' ? '/phone/' : pathname + search;
  if (!FILES.includes(path)) return;
  event.respondWith(
    (async () => {
      const cache = await caches.open(CACHE);
      return (await cache.match(path, { ignoreVary: true })) ?? fetch(request);
    })(),
  );
});
