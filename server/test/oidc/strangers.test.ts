import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { clientAddress } from '../../src/base/address.js';
import { placesOf } from '../../src/features/openid-provider/sign-in/stream-places.js';
import type { Route } from '../../src/http/route.js';
import { type CountingDatabase, countStatements, isByTimer, sharedDatabase } from '../support/database.js';
import {
  authorization,
  createClient,
  discover,
  type OidcService,
  startOidc,
  uidOf,
} from '../support/oidc/oidc.js';
import { contextOf, openPairing, openStream, scanOf, watch } from '../support/pairing.js';
import { type Account, freshAddress } from '../support/service.js';

let db: CountingDatabase;
let oidc: OidcService;
let account: Account;
let config: Awaited<ReturnType<typeof discover>>;
beforeAll(async () => {
  db = countStatements((await sharedDatabase()).db);
  // Each request may name its own address.
  oidc = await startOidc({ db, env: { TRUST_PROXY: '127.0.0.1' } });
});
afterAll(() => oidc.close());
beforeEach(async () => {
  account = await oidc.service.signUp({ plan: 'free' });
  const at = { service: oidc.service, account, issuer: `${oidc.baseUrl}/oidc/${account.tenantId}/live` };
  config = await discover(at, await createClient(at));
});

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

type Browser = ReturnType<OidcService['browser']>;

/** What the browser sends to that page. */
const cookiesOf = ({ cookies }: Browser, slug: string) =>
  [...cookies]
    .filter(([key]) => key.endsWith(`/sign-in/${slug}`))
    .map(([key, { value }]) => `${key.split('|')[0]}=${value}`)
    .join('; ');

/** A sign-in page in a browser of a stranger, with a code for the phone. */
async function openPage() {
  const browser = oidc.browser();
  const slug = uidOf(await browser.open((await authorization(config)).url));
  const { session } = await browser.json('POST', `/sign-in/${slug}/session`);
  return { browser, slug, session, cookie: cookiesOf(browser, slug) };
}

type Page = Awaited<ReturnType<typeof openPage>>;

const streamOf = ({ slug, session, cookie }: Page, address = freshAddress()) =>
  openStream(oidc.service, `/sign-in/${slug}/stream?session=${session.id}`, {
    cookie,
    'x-forwarded-for': address,
  });

const places = () => oidc.service.app.deps.streams;
const settled = () => vi.waitFor(() => expect(places().size).toBe(0));

describe('streams of sign-ins [GET /sign-in/:uid/stream] [openid/limits-of-sign-in-pages]', () => {
  it('take no place of the plan, and four of a sign-in', async () => {
    const page = await openPage();
    const streams = await Promise.all(Array.from({ length: 20 }, () => streamOf(page)));
    const open = streams.filter(({ status }) => status === 200);
    const refused = streams.filter(({ status }) => status === 429);
    expect([open.length, refused.length]).toEqual([4, 16]);
    expect(refused[0]?.headers['retry-after']).toBe('15');
    const pairing = await openPairing(oidc.service, account.key);
    const own = await watch(oidc.service, account.key, pairing);
    expect(own.status).toBe(200);
    expect(places().size).toBe(5);
    for (const stream of [...open, own]) stream.disconnect();
    await settled();
    const again = await streamOf(page);
    expect(again.status).toBe(200);
    again.disconnect();
    await settled();
  });

  it('are the only ones without a credential', () => {
    const isOpenStream = ({ auth, replies }: Route) =>
      auth.kind === 'none' && replies[200] === 'text/event-stream';
    expect(oidc.service.app.routes.filter(isOpenStream).map(({ path }) => path)).toEqual([
      '/sign-in/:uid/stream',
    ]);
  });

  it.each([
    ['50 of an IPv4 address', 50, () => '198.51.100.1', '198.51.100.2'],
    ['50 of an IPv6 /64', 50, (at: number) => `2001:db8::${at + 1}`, '2001:db8:0:1::1'],
    ['500 of an IPv6 /48', 500, (at: number) => `2001:db8:7:${(at % 250) + 1}::1`, '2001:db8:8::1'],
    ['1,000 of a node', 1_000, (at: number) => `203.0.${at % 250}.1`, undefined],
  ])('are at most %s', async (_, limit, addressAt, other) => {
    const streams = places();
    const slots = Array.from({ length: limit }, (_, at) =>
      streams.reserve(...placesOf(`sign-in ${at}`, clientAddress(addressAt(at)))),
    );
    expect(slots.every((leave) => leave !== undefined)).toBe(true);
    const page = await openPage();
    expect((await streamOf(page, addressAt(0))).status).toBe(429);
    if (other !== undefined) {
      const stream = await streamOf(page, other);
      expect(stream.status).toBe(200);
      stream.disconnect();
    }
    for (const leave of slots) leave?.();
    const stream = await streamOf(page, addressAt(0));
    expect(stream.status).toBe(200);
    stream.disconnect();
    await settled();
  });
});

describe('a sign-in page', () => {
  it('opens ten codes of a sign-in, and no more [POST /sign-in/:uid/session] [openid/limits-of-sign-in-pages]', async () => {
    const { browser, slug } = await openPage();
    for (let opened = 1; opened < 10; opened += 1) await browser.json('POST', `/sign-in/${slug}/session`);
    const refused = await browser.send('POST', `/sign-in/${slug}/session`, {});
    expect([refused.status, JSON.parse(refused.text).error]).toEqual([429, 'rate_limit_exceeded']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    // Another sign-in of the same browser is unaffected.
    await openPage();
  });

  it('costs a stranger with a made-up address no statement [GET /sign-in/:uid/details] [openid/address-of-a-sign-in-page]', async () => {
    const { slug, session, cookie } = await openPage();
    const other = await openPage();
    const [uid = '', seal = ''] = slug.split('.');
    const bytes = Buffer.from(seal, 'base64url');
    const changed = (at: number) => {
      const copy = Buffer.from(bytes);
      copy.writeUInt8((copy[at] as number) ^ 1, at);
      return `${uid}.${copy.toString('base64url')}`;
    };
    const forged = [
      uid,
      `${uid}.`,
      'x'.repeat(21),
      `${'x'.repeat(21)}.${seal}`,
      `${uid}.${other.slug.split('.')[1]}`,
      `${uid}.${'A'.repeat(seal.length)}`,
      `${slug}A`,
      slug.slice(0, -1),
      ...Array.from(bytes, (_, at) => changed(at)),
    ];
    db.statements.length = 0;
    for (const address of forged)
      for (const [method, path, body] of [
        ['GET', 'details', undefined],
        ['GET', `stream?session=${session.id}`, undefined],
        ['POST', 'session', {}],
        ['POST', 'complete', { sessionId: session.id }],
        ['POST', 'cancel', {}],
      ] as const) {
        const reply = await oidc.service.call(method, `/sign-in/${address}/${path}`, {
          headers: { cookie },
          address: freshAddress(),
          ...(body && { body }),
        });
        expect([address, reply.status, reply.body.error]).toEqual([address, 404, 'sign_in_not_found']);
      }
    expect(db.statements.filter((text) => !isByTimer(text))).toEqual([]);
  });

  it('cannot hide its network from the phone [pairing/what-a-session-asks]', async () => {
    const browser = oidc.browser();
    const slug = uidOf(await browser.open((await authorization(config)).url));
    const cookie = cookiesOf(browser, slug);
    /** What a phone reads of a session that is opened with these headers. */
    const opened = async (headers: Record<string, string>, address: string) => {
      const reply = await oidc.service.call('POST', `/sign-in/${slug}/session`, {
        headers: { cookie, 'user-agent': FIREFOX, ...headers },
        body: {},
        address,
      });
      const { session } = reply.body;
      return async (from: string) =>
        (await contextOf(oidc.service, session.id, scanOf(session), from)).body.context;
    };
    for (const headers of [{}, { origin: 'https://evil.example' }, { origin: oidc.baseUrl }]) {
      const read = await opened(headers, '203.0.113.7');
      expect(await read('203.0.113.99')).toMatchObject({
        browser: 'Firefox',
        system: 'Windows',
        sameNetwork: true,
      });
      expect((await read('198.51.100.9')).sameNetwork).toBe(false);
      expect((await read('not an address')).sameNetwork).toBeNull();
    }
    const read = await opened({}, 'not an address');
    expect((await read('not an address')).sameNetwork).toBeNull();
  });
});
