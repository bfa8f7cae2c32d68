// @module-tag ci: lets every statement of every write fail, one after the other
import { afterAll, beforeAll, expect, it } from 'vitest';
import { routesOf } from '../../src/app.js';
import { successStatus } from '../../src/http/route.js';
import { exampleOf, isWrite, nameOf, type Stage, send } from '../support/contract/examples.js';
import { sharedDatabase } from '../support/database.js';
import { failingAt } from '../support/faults/nth-statement.js';
import { startService } from '../support/service.js';

/** Those of the OpenID Provider's library return errors in the form of OAuth. */
const writes = routesOf('0.0.0-test').filter((route) => isWrite(route) && !route.raw);
/** Sends no statement. */
const STATEMENTLESS = ['DELETE /api/console/session', 'POST /v1/phone/attestation/challenges'];
/** A state, a passkey's challenge, or a phone's approval, stays spent if the rest fails. The person starts again. */
const SPENT = [
  'POST /v1/auth/saml/callback',
  'POST /v1/auth/oidc/callback',
  'POST /api/auth/saml/callback',
  'POST /api/auth/oidc/callback',
  'POST /sign-in/:uid/complete',
  'POST /api/console/passkeys',
  'POST /api/console/session/passkey',
];

let failing: ReturnType<typeof failingAt>;
let stage: Stage;
const unhandled: unknown[] = [];
const note = (reason: unknown) => void unhandled.push(reason);

beforeAll(async () => {
  failing = failingAt((await sharedDatabase()).db);
  const service = await startService({ db: failing.db, env: { PLAN_WINDOW_MULTIPLIER: '1000' } });
  stage = { service, account: await service.signUp({ plan: 'enterprise' }) };
  process.on('unhandledRejection', note);
});
afterAll(async () => {
  process.off('unhandledRejection', note);
  await stage.service.close();
});

it.each(writes.map((route) => [nameOf(route), route] as const))(
  '%s returns 503 when any one of its statements fails, leaves no rejection unhandled, and succeeds when sent again',
  async (name, route) => {
    // Those of the console log members out and close accounts.
    const own = route.path.startsWith('/api/console/') ? await freshStage() : stage;
    const example = exampleOf(route);
    let prepared = await example(own);
    let n = 1;
    let reply = await failing.during(n, () => send(route, own, { prepared }));
    // Reads that were sent together and fail are sent again, one by one.
    const hasRecovered = () => reply.result.status === successStatus(route);
    while (reply.failed && (reply.result.status === 503 || hasRecovered())) {
      if (!hasRecovered()) {
        expect(reply.result.body.error, `statement ${n}`).toBe('service_unavailable');
        expect(reply.result.headers['retry-after']).toMatch(/^[1-9]/);
      }
      // Rejections are reported after the microtasks of the turn.
      await new Promise(setImmediate);
      expect(unhandled, `statement ${n}`).toEqual([]);
      n += 1;
      if (SPENT.includes(name) || hasRecovered()) prepared = await example(own);
      reply = await failing.during(n, () => send(route, own, { prepared }));
    }
    expect(reply.result.status, `statement ${n}: ${reply.result.text}`).toBe(successStatus(route));
    expect(n).toBeGreaterThan(STATEMENTLESS.includes(name) ? 0 : 1);
  },
);

const freshStage = async () => ({
  service: stage.service,
  account: await stage.service.signUp({ plan: 'enterprise' }),
});
