import type { Page, Request } from 'playwright-core';

const QUIET_MS = 250;
const CHECK_MS = 20;
const MAX_MS = 20_000;
const STREAM = /\/stream\b/;

/** Returns a function that waits until the page has requested nothing for a moment. Streams don't count, because they don't end. */
export function watchRequests(page: Page): () => Promise<void> {
  const pending = new Set<Request>();
  let changedAt = Date.now();
  const ended = (request: Request) => {
    if (pending.delete(request)) changedAt = Date.now();
  };
  page.on('request', (request) => {
    if (STREAM.test(request.url())) return;
    pending.add(request);
    changedAt = Date.now();
  });
  page.on('requestfinished', ended);
  page.on('requestfailed', ended);
  return async () => {
    changedAt = Date.now();
    const startedAt = Date.now();
    while (pending.size > 0 || Date.now() - changedAt < QUIET_MS) {
      if (Date.now() - startedAt > MAX_MS)
        throw new Error(`still requesting ${[...pending].map((request) => request.url()).join(', ')}`);
      await new Promise((resolve) => setTimeout(resolve, CHECK_MS));
    }
  };
}
