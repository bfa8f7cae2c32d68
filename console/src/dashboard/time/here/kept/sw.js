// Shows the list of who is here that this browser kept, where its page can't be loaded. The build prepends `FILES`, the page that shows it
// with what it loads, and `VERSION`, a hash of them.
const CACHE = `here-${VERSION}`;
const PAGE = FILES[0];
/** Who waits for longer has no network either. */
const PATIENCE_MS = 8_000;

addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(FILES.map((path) => new Request(path, { cache: 'no-cache' }))))
      .then(() => skipWaiting()),
  );
});

addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys())
        if (name.startsWith('here-') && name !== CACHE) await caches.delete(name);
    })(),
  );
});

addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (request.mode === 'navigate') event.respondWith(pageOf(request));
  else if (FILES.includes(pathname))
    event.respondWith(kept(pathname).then((response) => response ?? fetch(request)));
});

const kept = async (path) => (await caches.open(CACHE)).match(path, { ignoreVary: true });

/** The page of the service, or else the one that was kept. */
async function pageOf(request) {
  const late = new Promise((_, reject) => setTimeout(reject, PATIENCE_MS));
  try {
    const response = await Promise.race([fetch(request), late]);
    if (response.status < 500) return response;
    return (await kept(PAGE)) ?? response;
  } catch {
    return (await kept(PAGE)) ?? Response.error();
  }
}
