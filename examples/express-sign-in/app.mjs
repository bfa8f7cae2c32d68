// Signs people in by pairing: the page shows a code, a phone scans it and proves, and the browser has a session. The API key
// and the tokens stay here; the browser holds a cookie with a random name for them.
//
//   SVC_URL=http://localhost:3000 SVC_API_KEY=svc_live_… PORT=8080 node app.mjs
import { randomBytes } from 'node:crypto';
import { isSvcError, Svc } from '@svc/sdk';
import express from 'express';

process.on('uncaughtException', (error) => {
  console.error(error.message);
  process.exit(1);
});
const svc = new Svc({ baseUrl: process.env.SVC_URL, apiKey: process.env.SVC_API_KEY });
const COOKIE = 'example_session';
/** Browsers by the value of their cookie; a real application keeps this in its session store. */
const browsers = new Map();

const app = express();
app.disable('x-powered-by');
app.use((request, response, next) => {
  const value = new RegExp(`(?:^|; )${COOKIE}=([\\w-]{43})(?:;|$)`).exec(request.headers.cookie ?? '')?.[1];
  response.locals.browser = browsers.get(value);
  response.set('Cache-Control', 'no-store');
  next();
});

/** Begins a sign-in: a fresh cookie, so that nobody can have planted it, and the first code. */
app.post('/sign-in', async (_request, response) => {
  const browser = { state: 'waiting', code: undefined, stop: new AbortController() };
  const shown = new Promise((resolve, reject) => {
    svc.pairing
      .signIn({
        signal: browser.stop.signal,
        codes: 2,
        onCode({ qrPayload, expiresAt }) {
          Object.assign(browser, { state: 'waiting', code: { qrPayload, expiresAt } });
          resolve();
        },
        onLost: () => Object.assign(browser, { state: 'lost' }),
        onResumed: () => Object.assign(browser, { state: 'waiting' }),
        onExpired: () => Object.assign(browser, { code: undefined }),
      })
      .then(({ did, tokens }) => Object.assign(browser, { state: 'signed-in', code: undefined, did, tokens }))
      .catch((error) => {
        Object.assign(browser, { state: 'ended', code: undefined });
        reject(error);
      });
  });
  await shown;
  const value = randomBytes(32).toString('base64url');
  browsers.set(value, browser);
  response.cookie(COOKIE, value, {
    httpOnly: true,
    sameSite: 'strict',
    secure: app.get('env') === 'production',
  });
  response.status(201).json({ state: browser.state, code: browser.code });
});

/** How the sign-in stands; the page asks for it every second and draws `code.qrPayload` as a QR code. */
app.get('/sign-in', (_request, response) => {
  const { browser } = response.locals;
  if (browser === undefined) return response.status(404).json({ state: 'none' });
  response.json({ state: browser.state, code: browser.code });
});

app.get('/me', async (_request, response) => {
  const { browser } = response.locals;
  if (browser?.tokens === undefined) return response.status(401).json({ error: 'Sign in first.' });
  const { user, did } = await whoIs(browser);
  response.json({ name: user.fullName, did });
});

app.post('/sign-out', async (_request, response) => {
  const { browser } = response.locals;
  browser?.stop.abort(new Error('signed out'));
  for (const [value, other] of browsers) if (other === browser) browsers.delete(value);
  if (browser?.tokens !== undefined) await svc.sessions.logOut(browser.tokens.accessToken);
  response.clearCookie(COOKIE).json({ state: 'none' });
});

/** What went wrong is for the log; people are told whether to try again. */
app.use((error, _request, response, _next) => {
  console.error(error instanceof Error ? error.message : error);
  if (isSvcError(error, 'invalid_session_token', 'invalid_refresh_token'))
    return response.status(401).json({ error: 'Sign in again.' });
  response.status(503).json({ error: 'Signing in is not possible at present. Try again shortly.' });
});

/** An access token lasts an hour: it is refreshed when the service refuses it, once for all requests that wait. */
async function whoIs(browser) {
  try {
    return await svc.sessions.getCurrentIdentity(browser.tokens.accessToken);
  } catch (error) {
    if (!isSvcError(error, 'invalid_session_token')) throw error;
  }
  browser.refreshing ??= svc.sessions.refresh(browser.tokens.refreshToken).finally(() => {
    browser.refreshing = undefined;
  });
  browser.tokens = await browser.refreshing;
  return svc.sessions.getCurrentIdentity(browser.tokens.accessToken);
}

const server = app.listen(Number(process.env.PORT ?? 8080), '127.0.0.1', (error) => {
  if (error) throw error;
  console.log(`Serving on http://127.0.0.1:${server.address().port}`);
});
