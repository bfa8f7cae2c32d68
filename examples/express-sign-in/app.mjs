// Signs people in by pairing: the page shows a code and a number, a phone scans the code, the person types the number and
// approves, and the browser has a session. The API key
// and the tokens stay on the server. The browser has a cookie with a random id.
//
//   SVC_URL=http://localhost:3000 SVC_API_KEY=svc_live_… PORT=8080 node app.mjs
import { randomBytes } from 'node:crypto';
import { isSvcError, qrTextOf, Svc } from '@svc/sdk';
import express from 'express';

process.on('uncaughtException', (error) => {
  console.error(error.message);
  process.exit(1);
});
const svc = new Svc({ baseUrl: process.env.SVC_URL, apiKey: process.env.SVC_API_KEY });
const COOKIE = 'example_session';
/** Browsers by the value of their cookie. A real application stores this in its session store. */
const browsers = new Map();

const app = express();
app.disable('x-powered-by');
app.use((request, response, next) => {
  const value = new RegExp(`(?:^|; )${COOKIE}=([\\w-]{43})(?:;|$)`).exec(request.headers.cookie ?? '')?.[1];
  response.locals.browser = browsers.get(value);
  response.set('Cache-Control', 'no-store');
  next();
});

/** Starts a sign-in with the first code, and a new cookie to prevent session fixation. */
app.post('/sign-in', async (_request, response) => {
  const browser = { state: 'waiting', code: undefined, stop: new AbortController() };
  const shown = new Promise((resolve, reject) => {
    svc.pairing
      .signIn({
        signal: browser.stop.signal,
        codes: 2,
        context: { application: 'Example' },
        // Called again every 10 seconds, because the code moves.
        onCode(pairing) {
          const { matchCode, expiresAt } = pairing;
          Object.assign(browser, {
            state: 'waiting',
            code: { text: qrTextOf(pairing), matchCode, expiresAt },
          });
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

/** The state of the sign-in. The page polls it every second, and draws `code.text` as a QR code and the number `code.matchCode` beside it. */
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

/** Logs the cause, and tells people whether to try again. */
app.use((error, _request, response, _next) => {
  console.error(error instanceof Error ? error.message : error);
  if (isSvcError(error, 'invalid_session_token', 'invalid_refresh_token'))
    return response.status(401).json({ error: 'Sign in again.' });
  response.status(503).json({ error: 'Signing in is not possible at present. Try again shortly.' });
});

/** Refreshes the access token, which lasts an hour, when the service rejects it. Concurrent requests share one refresh. */
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
