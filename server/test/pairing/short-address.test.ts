import { approvePairing, findForCode } from '@svc/sdk/phone';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { memoryVault } from '../../../sdk/test/phone/memory-vault.js';
import { codeUrl } from '../../src/model/deeplink.js';
import { contextOf, openPairing, type Pairing } from '../support/pairing.js';
import { type Person, registerPerson } from '../support/phone.js';
import { phoneOf, phoneWith, secretOf } from '../support/phones.js';
import { type Account, freshAddress, type Service, startService } from '../support/service.js';

let service: Service;
let account: Account;
let other: Account;
let ada: Person;
beforeAll(async () => {
  service = await startService();
  account = await service.signUp({ plan: 'enterprise' });
  other = await service.signUp({ plan: 'enterprise' });
  ada = await registerPerson(service, account.key);
});
afterAll(() => service.close());
beforeEach(() => service.clock.advance(60_001));

const open = (body: object = { match: 'type' }) => openPairing(service, account.key, undefined, body);
/** What a phone sends that scanned the address, at an account where it is registered. */
const placed = ({ url }: Pick<Pairing, 'url'>, tenantId = account.tenantId, environment = 'live') => {
  const [slot, slotMac] = url.split('.').slice(-2) as [string, string];
  return { slot, slotMac, tenantId, environment };
};
const outcome = ({ status, body }: { status: number; body: { error?: string } }) =>
  `${status} ${body.error ?? ''}`.trim();
const NOT_FOUND = '404 pairing_session_not_found';

describe('the address of a code', () => {
  it('names the session in at most 120 characters, whether the code moves or not [pairing/short-address] [GET /v1/phone/pairing/:id/context]', async () => {
    const base = service.app.deps.config.baseUrl;
    for (const body of [{ match: 'type' }, { match: 'off' }]) {
      const { url } = await open(body);
      expect(url.slice(base.length)).toMatch(/^\/phone\/#c=[\w-]{22}\.\d{9}\.[\w-]{16}$/);
      // With an address of the service of 60 characters.
      expect(url.length - base.length).toBeLessThanOrEqual(60);
    }
  });

  it('gives the whole code to a phone of the account, which signs in with it', async () => {
    for (const body of [{ match: 'type' }, { match: 'off' }]) {
      const pairing = await open(body);
      const phone = phoneWith(service, account, ada);
      const found = await findForCode(phone, pairing.url);
      expect(found.text).toBe(pairing.qrPayload);
      expect(found.asked?.context).toMatchObject({ company: expect.any(String), match: body.match });
      const { scanTicket } = found.asked as { scanTicket: string };
      const approved = await approvePairing(phone, found, { scanTicket, matchCode: pairing.matchCode });
      expect(approved.session.state).toBe('bound');
    }
  });

  it('is the same 404 for a guess, another account, another environment and an unknown session', async () => {
    const pairing = await open();
    const right = placed(pairing);
    const swapped = right.slotMac[0] === 'A' ? 'B' : 'A';
    const mac = `${swapped}${right.slotMac.slice(1)}`;
    const ask = (query: object, id = pairing.id) => contextOf(service, id, query);
    const replies = await Promise.all([
      ask({ ...right, slotMac: mac }),
      ask({ ...right, slot: Number(right.slot) + 1 }),
      ask({ ...right, tenantId: other.tenantId }),
      ask({ ...right, environment: 'test' }),
      ask(placed(await open())),
      ask(right, account.tenantId),
    ]);
    expect(replies.map(outcome)).toEqual(Array(6).fill(NOT_FOUND));
    expect(new Set(replies.map(({ body }) => body.message)).size).toBe(1);
    expect(outcome(await ask(right))).toBe('200');
  });

  it('needs all four fields', async () => {
    const pairing = await open();
    const right = placed(pairing);
    for (const name of Object.keys(right)) {
      const { [name as 'slot']: _, ...rest } = right;
      const isPlace = name === 'tenantId' || name === 'environment';
      const reply = await contextOf(service, pairing.id, rest);
      expect(outcome(reply), name).toBe('400 invalid_request');
      expect(isPlace || reply.body.details[0].path, name).toBeTruthy();
    }
  });

  it('says that a real code is too old, also one that a picture shows, and nothing of one that does not move', async () => {
    const moving = await open();
    const unmoving = await open({ match: 'off' });
    service.clock.advance(20_000);
    expect(outcome(await contextOf(service, moving.id, placed(moving)))).toBe('410 pairing_code_stale');
    expect(outcome(await contextOf(service, unmoving.id, placed(unmoving)))).toBe('200');
    service.clock.advance(300_000);
    for (const each of [moving, unmoving])
      expect(outcome(await contextOf(service, each.id, placed(each)))).toBe('410 pairing_session_expired');
  });

  it('returns the context 20 times a minute for one session', async () => {
    const pairing = await open();
    const address = freshAddress();
    const guess = { ...placed(pairing), slotMac: 'A'.repeat(16) };
    for (let at = 0; at < 20; at += 1)
      expect(outcome(await contextOf(service, pairing.id, guess, address))).toBe(NOT_FOUND);
    expect(outcome(await contextOf(service, pairing.id, guess, address))).toBe('429 rate_limit_exceeded');
  });
});

describe('a phone that scans the address', () => {
  const at = (place: Account, person: Person, more = {}) => ({
    ...{ id: person.did, ...secretOf(person), tenantId: place.tenantId, environment: 'live' as const },
    ...{ baseUrl: service.app.deps.config.baseUrl, fingerprint: 'phone:of-a-test', confirmed: true },
    ...{ createdAt: new Date(service.clock.now()).toISOString(), ...more },
  });
  const phoneOfAll = (identities: ReturnType<typeof at>[]) =>
    phoneOf(service, { vault: memoryVault({ identities, ceremonies: [], joinings: [] }) });

  it('finds the right account of several, and asks each once', async () => {
    const grace = await registerPerson(service, other.key);
    const pairing = await open();
    const asked: string[] = [];
    const phone = phoneOfAll([at(other, grace), at(account, ada), at(account, grace)]);
    const { find } = phone.service.phone.pairing;
    phone.service.phone.pairing.find = (code, place, options) => {
      asked.push(place.tenantId);
      return find.call(phone.service.phone.pairing, code, place, options);
    };
    const found = await findForCode(phone, pairing.url);
    expect(found.code.tenantId).toBe(account.tenantId);
    expect(asked.toSorted()).toEqual([account.tenantId, other.tenantId].toSorted());
    expect(found.identities.map(({ tenantId }) => tenantId)).toEqual(Array(2).fill(account.tenantId));
  });

  it('learns that it is not registered there, and that it is registered nowhere', async () => {
    const { url } = await open();
    const grace = await registerPerson(service, other.key);
    await expect(findForCode(phoneOfAll([at(other, grace)]), url)).rejects.toMatchObject({
      code: 'foreign_code',
    });
    await expect(findForCode(phoneOfAll([]), url)).rejects.toMatchObject({ code: 'not_registered' });
    const elsewhere = at(account, ada, { baseUrl: 'https://elsewhere.example' });
    await expect(findForCode(phoneOfAll([elsewhere]), url)).rejects.toMatchObject({ code: 'not_registered' });
  });

  it('sends nothing for an address of another service', async () => {
    const { url } = await open();
    let requests = 0;
    const count: typeof fetch = async () => {
      requests += 1;
      return Response.json({});
    };
    const phone = phoneWith(service, account, ada, { fetch: count });
    const foreign = url.replace(service.app.deps.config.baseUrl, 'https://id.example.com.evil.example');
    await expect(findForCode(phone, foreign)).rejects.toMatchObject({ code: 'foreign_code' });
    expect(requests).toBe(0);
  });

  it('still takes qrPayload, and the addresses of earlier versions [pairing/qr-payload] [pairing/code-as-an-address]', async () => {
    const { qrPayload } = await open();
    const base = service.app.deps.config.baseUrl;
    for (const text of [qrPayload, codeUrl(base, qrPayload), `${base}/phone/#${qrPayload}`]) {
      const found = await findForCode(phoneWith(service, account, ada), text);
      expect(found).toMatchObject({ code: { tenantId: account.tenantId } });
      expect(found.asked).toBeUndefined();
    }
  });
});
