// The phone without a network. The build puts the names of its files before this text: `VERSION`, a hash of them all, and
// `FILES`. All but the page itself bear the hash of what they hold, so what is kept is never out of date.
const CACHE = `phone-${VERSION}`;

addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(FILES.map((path) => new Request(path, { cache: 'no-cache' })))),
  );
});

// A page of the version before goes on with its own files; when the last one is closed, this version takes over.
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
