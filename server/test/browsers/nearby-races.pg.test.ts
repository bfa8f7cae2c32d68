import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openPostgres } from '../../src/db/pg.js';
import { sql } from '../../src/db/sql.js';
import { sharedDatabase } from '../support/database.js';
import { cookiesOf, eventOf, personWithPasskey, proveInNewBrowser } from '../support/oidc/new-browser.js';
import { createClient, discover, type OidcService, startOidc } from '../support/oidc/oidc.js';
import { setPolicy } from '../support/pairing.js';
import { freshAddress, type Service, startService } from '../support/service.js';

const RACERS = 10;
let oidc: OidcService;
let other: Service;
let config: Awaited<ReturnType<typeof discover>>;
beforeAll(async () => {
  const { url } = await sharedDatabase();
  oidc = await startOidc();
  const { clock } = oidc.service;
  const db = openPostgres({ url: url as string });
  other = await startService({ db, clock, env: { BASE_URL: oidc.baseUrl } });
  config = await discover(oidc, await createClient(oidc));
  await setPolicy(oidc.service, oidc.account, { new_browser: 'nearby_or_same_device' });
});
beforeEach(() => oidc.service.clock.advance(61_000));
afterAll(async () => {
  await other.close();
  await other.db.close();
  await oidc.close();
});

type Waiting = Awaited<ReturnType<typeof waiting>>;
/** A session that waits for the phone beside its browser, and what the passkey says there. */
async function waiting() {
  const person = await personWithPasskey(oidc);
  const begun = await proveInNewBrowser(oidc, config, person);
  const { data } = await eventOf(oidc, begun, begun.session);
  return { ...begun, person, credential: person.passkey.beside(data.options) };
}

/** A step of a sign-in at both nodes, several times. Returns the statuses. */
async function race({ browser, uid }: Waiting, step: string, body: object): Promise<number[]> {
  const headers = { cookie: cookiesOf(browser) };
  const replies = await Promise.all(
    Array.from({ length: RACERS }, (_, racer) => {
      const node = racer % 2 === 0 ? oidc.service : other;
      return node.call('POST', `/sign-in/${uid}/${step}`, { headers, body, address: freshAddress() });
    }),
  );
  return replies.map(({ status }) => status);
}

const passesOf = ({ person }: Waiting) =>
  oidc.service.db.query(
    sql`select 1 from verifications where user_id = ${person.userId} and result = 'pass'`,
  );
const browsersOf = ({ person }: Waiting) =>
  oidc.service.db.query(sql`select 1 from known_browsers where user_id = ${person.userId}`);
const successes = (statuses: readonly number[]) => statuses.filter((status) => status === 200).length;

describe('a phone beside a new browser, with two nodes [browsers/proved-and-waiting]', () => {
  it('binds the session once, and the browser becomes known once', async () => {
    const session = await waiting();
    const { page, credential } = session;
    const { id: sessionId } = session.session;
    const before = (await passesOf(session)).length;
    const nearby = { sessionId, credential, browser: page.signed('nearby', session.session) };
    expect(successes(await race(session, 'nearby', nearby))).toBe(1);
    expect(await passesOf(session)).toHaveLength(before + 1);
    const complete = { sessionId, browser: page.signed('complete', session.session), remember: true };
    expect(successes(await race(session, 'complete', complete))).toBe(1);
    expect(await browsersOf(session)).toHaveLength(1);
  });
});
