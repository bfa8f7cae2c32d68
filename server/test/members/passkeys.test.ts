import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { deleteExpired } from '../../src/jobs.js';
import { Authenticator, type Faults } from '../support/authenticator.js';
import { accept, addMember, invite } from '../support/members.js';
import { addPasskey, sendSignIn, signInOptions, signInWith, tokenOf } from '../support/passkeys.js';
import { type Account, freshAddress, type Service, startService } from '../support/service.js';

const FIVE_MINUTES = 5 * 60_000;
let service: Service;
let account: Account;
let phone: Authenticator;
beforeAll(async () => {
  service = await startService();
});
beforeEach(async () => {
  account = await service.signUp();
  phone = new Authenticator();
});
afterAll(() => service.close());

const call = (method: string, path: string, as: string, body?: object) =>
  service.call(method, `/api/console/${path}`, { as, ...(body && { body }) });
const add = (as = account.token, authenticator = phone, faults?: Faults) =>
  addPasskey(service, as, authenticator, faults);
const signIn = (authenticator = phone, faults?: Faults) => signInWith(service, authenticator, faults);
const list = async (as = account.token) => (await call('GET', 'passkeys', as)).body.passkeys;
const outcome = ({ status, body }: Awaited<ReturnType<typeof call>>) => [status, body.error];
const REFUSED = [401, 'invalid_credentials'];
const lastEvent = async (as = account.token) =>
  (await call('GET', 'audit?limit=1', as)).body.audit[0] as Record<string, unknown>;

/** A member who joined with a passkey only. */
async function joinByPasskey(role: 'owner' | 'developer', authenticator: Authenticator, faults?: Faults) {
  const { token, id } = await invite(service, account, role);
  const { body } = await service.call('POST', '/api/console/invitations/options', {
    body: { token },
    address: freshAddress(),
  });
  const credential = authenticator.create(body.options, faults);
  const joining = { token, name: 'Grace Hopper', credential };
  const send = () =>
    service.call('POST', '/api/console/invitations/accept', { body: joining, address: freshAddress() });
  return { id, token, options: body.options, send };
}

describe('passkeys [GET /api/console/passkeys] [POST /api/console/passkeys/options] [POST /api/console/passkeys] [members/passkeys]', () => {
  it('are the member’s own, with when they were last used [passkey.added]', async () => {
    const { status, body } = await add();
    expect(status).toBe(201);
    expect(body.passkey).toEqual({
      ...{ id: expect.any(String), name: 'Laptop', isSynced: false },
      ...{ createdAt: new Date(service.clock.now()).toISOString(), lastUsedAt: null },
    });
    expect(await lastEvent()).toMatchObject({
      ...{ action: 'passkey.added', entityType: 'passkey', entityId: body.passkey.id },
      ...{ actorType: 'member', actorId: account.tenantId },
    });
    const grace = await addMember(service, account, 'auditor');
    expect((await add(grace.token, new Authenticator({ isSynced: true }))).body.passkey.isSynced).toBe(true);
    expect((await list()).map(({ id }: { id: string }) => id)).toEqual([body.passkey.id]);
    service.clock.advance(1000);
    expect((await signIn()).status).toBe(201);
    expect((await list())[0].lastUsedAt).toBe(new Date(service.clock.now()).toISOString());
  });

  it('are asked for with user verification, discoverable and without attestation, by the host of BASE_URL', async () => {
    const grace = await addMember(service, account, 'auditor');
    const { options } = (await call('POST', 'passkeys/options', grace.token)).body;
    expect(options).toMatchObject({
      rp: { id: 'localhost' },
      user: { id: Buffer.from(grace.id.replaceAll('-', ''), 'hex').toString('base64url'), name: grace.email },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      ...{ attestation: 'none', timeout: FIVE_MINUTES, excludeCredentials: [] },
    });
    expect(options.challenge).toMatch(/^[\w-]{43}$/);
    await add(grace.token);
    const next = (await call('POST', 'passkeys/options', grace.token)).body.options;
    expect(() => phone.create(next)).toThrow('InvalidStateError');
  });

  it.each([
    ['another origin', { origin: 'http://localhost:3001' }],
    ['another host', { rpId: 'example.com' }],
    ['nobody verified', { isVerified: false }],
    ['nobody present', { isPresent: false }],
    ['a page in a frame of another origin', { crossOrigin: true }],
    ['an answer to another question', { type: 'webauthn.get' }],
    ['a challenge of its own', { challenge: Buffer.alloc(32).toString('base64url') }],
    ['a certificate', { format: 'packed', statement: new Map([['x5c', [Buffer.alloc(3)]]]) }],
    ['an unknown attestation', { format: 'tpm' }],
  ] as const)('are not made with %s', async (_, faults) => {
    const reply = await add(account.token, phone, faults);
    expect([reply.status, reply.body.details?.[0].path]).toEqual([400, 'body.credential']);
    expect(await list()).toEqual([]);
  });

  it('with a credential that somebody has, or under another id, are rejected', async () => {
    const optionsOf = async (as: string) => (await call('POST', 'passkeys/options', as)).body.options;
    const send = (as: string, credential: object) => call('POST', 'passkeys', as, { credential });
    const made = phone.create(await optionsOf(account.token));
    expect((await send(account.token, { ...made, id: 'AAAA', rawId: 'AAAA' })).status).toBe(400);
    const taken = phone.create(await optionsOf(account.token));
    expect((await send(account.token, taken)).status).toBe(201);
    // Without attestation, no signature binds a new credential to the challenge.
    const other = await service.signUp();
    const { clientDataJSON } = new Authenticator().create(await optionsOf(other.token)).response;
    const stolen = { ...taken, response: { ...taken.response, clientDataJSON } };
    const reply = await send(other.token, stolen);
    expect([reply.status, reply.body.details]).toEqual([
      400,
      [{ path: 'body.credential', message: 'is registered already' }],
    ]);
    expect(await list(other.token)).toEqual([]);
  });

  it('need a confirmed log-in', async () => {
    const { body } = await call('POST', 'login', '', { email: account.email, password: account.password });
    service.clock.advance(FIVE_MINUTES + 1);
    for (const [method, path] of [
      ['POST', 'passkeys/options'],
      ['DELETE', `passkeys/${account.tenantId}`],
    ] as const) {
      const reply = await service.call(method, `/api/console/${path}`, { session: body.token });
      expect(outcome(reply)).toEqual([403, 'step_up_required']);
    }
  });

  it('are at most 20 a member [passkey_limit_reached]', async () => {
    await service.db.query(sql`insert into passkeys
        (tenant_id, id, member_id, credential_id, public_key, counter, transports, is_synced, name, created_at)
      select ${account.tenantId}, gen_random_uuid(), ${account.tenantId}, gen_random_uuid()::text, 'x', 0, '{}', false, 'x', now()
      from generate_series(1, 19)`);
    expect((await add()).status).toBe(201);
    expect(outcome(await add(account.token, new Authenticator()))).toEqual([409, 'passkey_limit_reached']);
    expect(await list()).toHaveLength(20);
  });

  it('are removed by their member only [DELETE /api/console/passkeys/:passkeyId] [passkey.removed] [passkey_not_found]', async () => {
    const { id } = (await add()).body.passkey;
    const grace = await addMember(service, account, 'owner');
    for (const [as, of] of [
      [grace.token, id],
      [account.token, 'x'],
      [(await service.signUp()).token, id],
    ])
      expect(outcome(await call('DELETE', `passkeys/${of}`, as!))).toEqual([404, 'passkey_not_found']);
    const { status, body } = await call('DELETE', `passkeys/${id}`, account.token);
    expect([status, body.passkey.id]).toEqual([200, id]);
    expect(await lastEvent()).toMatchObject({ action: 'passkey.removed', entityId: id });
    expect(outcome(await signIn())).toEqual(REFUSED);
  });
});

describe('the last way in of the last owner [last_owner] [members/passkeys]', () => {
  it('stays: a passkey without a password, also when two are removed at the same time', async () => {
    const joined = await (await joinByPasskey('owner', phone)).send();
    const as = joined.body.token;
    const second = new Authenticator();
    await add(as, second);
    const remove = (id: string) => call('DELETE', `passkeys/${id}`, as);
    expect((await call('DELETE', `members/${account.tenantId}`, as)).status).toBe(200);
    const [one, two] = await list(as);
    const replies = await Promise.all([remove(one.id), remove(two.id)]);
    expect(replies.map(outcome).sort()).toEqual([
      [200, undefined],
      [409, 'last_owner'],
    ]);
    expect(await list(as)).toHaveLength(1);
  });

  it('and an owner who cannot log in is none: the other one stays', async () => {
    const joined = await (await joinByPasskey('owner', phone)).send();
    const as = joined.body.token;
    const [own] = await list(as);
    expect((await call('DELETE', `passkeys/${own.id}`, as)).status).toBe(200);
    expect(outcome(await call('DELETE', `members/${account.tenantId}`, as))).toEqual([409, 'last_owner']);
    expect(outcome(await call('PATCH', `members/${account.tenantId}`, as, { role: 'auditor' }))).toEqual([
      409,
      'last_owner',
    ]);
  });

  it('is none of a member with another role', async () => {
    const joined = await (await joinByPasskey('developer', phone)).send();
    const [own] = await list(joined.body.token);
    expect((await call('DELETE', `passkeys/${own.id}`, joined.body.token)).status).toBe(200);
  });
});

describe('signing in by passkey [POST /api/console/session/passkey/options] [POST /api/console/session/passkey] [members/signing-in-by-passkey]', () => {
  beforeEach(async () => {
    expect((await add()).status).toBe(201);
  });

  it('asks for no e-mail, and opens a session as a password does [member.logged_in]', async () => {
    const options = await signInOptions(service);
    expect(options).toMatchObject({ rpId: 'localhost', allowCredentials: [], userVerification: 'required' });
    const reply = await sendSignIn(service, phone.get(options));
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({
      tenant: { id: account.tenantId },
      member: { id: account.tenantId, role: 'owner' },
    });
    expect(await lastEvent()).toMatchObject({ action: 'member.logged_in', actorId: account.tenantId });
    const session = tokenOf(reply);
    expect((await service.call('GET', '/api/console/account', { session })).status).toBe(200);
  });

  it.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['another host', { rpId: 'evil.example' }],
    ['a page in a frame of another origin', { crossOrigin: true }],
    ['no user verification', { isVerified: false }],
    ['nobody present', { isPresent: false }],
    ['an answer to another question', { type: 'webauthn.create' }],
    ['a challenge of its own', { challenge: Buffer.alloc(32).toString('base64url') }],
    ['another member’s id', { userHandle: Buffer.alloc(16).toString('base64url') }],
    ['no id of a member', { userHandle: null }],
    ['another kind of credential', { isSynced: true }],
  ] as const)('rejects %s, always with the same error', async (_, faults) => {
    expect(outcome(await signIn(phone, faults))).toEqual(REFUSED);
    expect((await signIn()).status).toBe(201);
  });

  it('rejects a signature of something else, and an unknown passkey', async () => {
    const answer = phone.get(await signInOptions(service));
    const other = phone.get(await signInOptions(service));
    const { signature } = other.response;
    expect(
      outcome(await sendSignIn(service, { ...answer, response: { ...answer.response, signature } })),
    ).toEqual(REFUSED);
    expect(outcome(await sendSignIn(service, { ...other, id: 'AAAA', rawId: 'AAAA' }))).toEqual(REFUSED);
  });

  it('accepts an answer once, and of two at the same time one', async () => {
    // A counter that rises would reject the second answer as well.
    const synced = new Authenticator({ isSynced: true });
    await add(account.token, synced);
    const answer = synced.get(await signInOptions(service));
    const replies = await Promise.all([sendSignIn(service, answer), sendSignIn(service, answer)]);
    expect(replies.map(outcome).sort()).toEqual([[201, undefined], REFUSED]);
    expect(outcome(await sendSignIn(service, answer))).toEqual(REFUSED);
  });

  it('is rejected in a suspended account, and works in one that is closing [tenant_inactive]', async () => {
    await service.setStatus(account, 'suspended');
    expect(outcome(await signIn())).toEqual([403, 'tenant_inactive']);
    await service.setStatus(account, 'active');
    expect((await signIn()).status).toBe(201);
    expect((await call('POST', 'account/close', account.token, { password: account.password })).status).toBe(
      200,
    );
    expect((await signIn()).status).toBe(201);
  });

  it('ends when the member is removed, whose passkeys are deleted', async () => {
    const grace = await addMember(service, account, 'developer');
    const laptop = new Authenticator({ isSynced: true });
    await add(grace.token, laptop);
    expect((await signIn(laptop)).body.member.id).toBe(grace.id);
    expect((await call('DELETE', `members/${grace.id}`, account.token)).status).toBe(200);
    expect(outcome(await signIn(laptop))).toEqual(REFUSED);
    expect(await service.db.query(sql`select 1 from passkeys where member_id = ${grace.id}`)).toEqual([]);
  });

  it('that fails is in the audit log [tenant.login_failed]', async () => {
    await signIn(phone, { isVerified: false });
    await expect.poll(async () => (await lastEvent()).action).toBe('tenant.login_failed');
  });
});

describe('challenges [members/challenges]', () => {
  beforeEach(async () => {
    await add();
  });

  it('last exactly five minutes', async () => {
    const [inTime, late] = [await signInOptions(service), await signInOptions(service)];
    service.clock.advance(FIVE_MINUTES);
    expect((await sendSignIn(service, phone.get(inTime))).status).toBe(201);
    service.clock.advance(1);
    expect(outcome(await sendSignIn(service, phone.get(late)))).toEqual(REFUSED);
  });

  it('stay spent when the answer is rejected', async () => {
    const options = await signInOptions(service);
    expect(outcome(await sendSignIn(service, phone.get(options, { isVerified: false })))).toEqual(REFUSED);
    expect(outcome(await sendSignIn(service, phone.get(options)))).toEqual(REFUSED);
  });

  it('are for one purpose and one member', async () => {
    const grace = await addMember(service, account, 'developer');
    const options = async (path: string, as: string) => (await call('POST', path, as)).body.options;
    const toStepUp = await options('step-up/options', account.token);
    const toRegister = await options('passkeys/options', account.token);
    const ofGrace = await options('step-up/options', grace.token);
    const toSignIn = await signInOptions(service);
    for (const { challenge } of [toStepUp, toRegister, ofGrace])
      expect(outcome(await signIn(phone, { challenge }))).toEqual(REFUSED);
    for (const { challenge } of [toSignIn, toRegister, ofGrace]) {
      const credential = phone.get(toStepUp, { challenge });
      expect(outcome(await call('POST', 'step-up', account.token, { credential }))).toEqual(REFUSED);
    }
    const others = await options('passkeys/options', grace.token);
    for (const { challenge } of [toStepUp, others, toSignIn]) {
      const credential = new Authenticator().create(toRegister, { challenge });
      expect((await call('POST', 'passkeys', account.token, { credential })).status).toBe(400);
    }
    const credential = new Authenticator().create(toRegister);
    expect((await call('POST', 'passkeys', account.token, { credential })).status).toBe(201);
  });

  it('are deleted once they have expired', async () => {
    await signInOptions(service);
    service.clock.advance(FIVE_MINUTES + 1);
    const { db } = service.app.deps;
    await deleteExpired({ db, clock: service.clock, signal: new AbortController().signal });
    const late = new Date(service.clock.now());
    expect(await service.db.query(sql`select 1 from webauthn_challenges where expires_at < ${late}`)).toEqual(
      [],
    );
  });
});

describe('confirming by passkey [POST /api/console/step-up] [POST /api/console/step-up/options] [members/confirming-by-passkey]', () => {
  const stepUp = async (session: string, authenticator = phone, faults?: Faults) => {
    const { body } = await service.call('POST', '/api/console/step-up/options', { session });
    const credential = authenticator.get(body.options, faults);
    return service.call('POST', '/api/console/step-up', { session, body: { credential } });
  };

  it('counts as a password does, for this log-in only [member.confirmed]', async () => {
    await add();
    const [session, other] = [tokenOf(await signIn()), tokenOf(await signIn())];
    service.clock.advance(FIVE_MINUTES + 1);
    const { status, body } = await stepUp(session);
    expect([status, Date.parse(body.until)]).toEqual([200, service.clock.now() + FIVE_MINUTES]);
    const options = (token: string) =>
      service.call('POST', '/api/console/passkeys/options', { session: token });
    expect((await options(session)).status).toBe(200);
    expect(outcome(await options(other))).toEqual([403, 'step_up_required']);
  });

  it('is limited to the member’s own passkeys', async () => {
    await add();
    const grace = await addMember(service, account, 'owner');
    const laptop = new Authenticator();
    await add(grace.token, laptop);
    const { options } = (await call('POST', 'step-up/options', grace.token)).body;
    expect(options.allowCredentials).toHaveLength(1);
    expect(() => phone.get(options)).toThrow('NotAllowedError');
    const credential = phone.get({ ...options, allowCredentials: [] });
    expect(outcome(await call('POST', 'step-up', grace.token, { credential }))).toEqual(REFUSED);
    expect(outcome(await stepUp(grace.token, laptop, { isVerified: false }))).toEqual(REFUSED);
    const foreign = new Authenticator();
    await add((await service.signUp()).token, foreign);
    const next = (await call('POST', 'step-up/options', grace.token)).body.options;
    const theirs = foreign.get({ ...next, allowCredentials: [] });
    expect(outcome(await call('POST', 'step-up', grace.token, { credential: theirs }))).toEqual(REFUSED);
  });

  it('takes a password or a credential, never both', async () => {
    await add();
    const { options } = (await call('POST', 'step-up/options', account.token)).body;
    const credential = phone.get(options);
    const { password } = account;
    for (const body of [{}, { password, credential }, { password: '' }])
      expect((await call('POST', 'step-up', account.token, body)).status).toBe(400);
    expect((await call('POST', 'step-up', account.token, { credential })).status).toBe(200);
  });
});

describe('joining by passkey [POST /api/console/invitations/options] [POST /api/console/invitations/accept] [members/confirming-by-passkey]', () => {
  it('makes a member who has no password, logged in, with one passkey [member.joined] [passkey.added]', async () => {
    const { send, id, options } = await joinByPasskey('developer', phone);
    expect(options.user.id).toBe(Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url'));
    const { status, body } = await send();
    expect([status, body.member.id]).toEqual([201, id]);
    expect(await list(body.token)).toHaveLength(1);
    const { audit } = (await call('GET', 'audit?limit=2', account.token)).body;
    expect(audit.map(({ action }: { action: string }) => action).sort()).toEqual([
      'member.joined',
      'passkey.added',
    ]);
    expect((await signIn()).body.member.id).toBe(id);
    expect(outcome(await send())).toEqual([404, 'invitation_not_found']);
  });

  it('needs the right invitation, and leaves it open when the passkey is rejected [invitation_not_found]', async () => {
    const unknown = await service.call('POST', '/api/console/invitations/options', {
      body: { token: 'x' },
      address: freshAddress(),
    });
    expect(outcome(unknown)).toEqual([404, 'invitation_not_found']);
    const rejected = await joinByPasskey('developer', phone, { isVerified: false });
    expect((await rejected.send()).status).toBe(400);
    const other = await joinByPasskey('developer', new Authenticator());
    const body = {
      token: other.token,
      name: 'Grace',
      credential: new Authenticator().create(rejected.options),
    };
    const stolen = await service.call('POST', '/api/console/invitations/accept', {
      body,
      address: freshAddress(),
    });
    expect(stolen.status).toBe(400);
    expect((await accept(service, rejected.token)).status).toBe(201);
  });

  it('takes a password or a credential, never both', async () => {
    const { token, options } = await joinByPasskey('developer', phone);
    const credential = new Authenticator().create(options);
    expect((await accept(service, token, { body: { credential } })).status).toBe(400);
    expect((await accept(service, token, { body: { password: undefined } })).status).toBe(400);
    expect((await accept(service, token)).status).toBe(201);
  });
});

describe('the counter of a passkey [members/signature-counters]', () => {
  it('must rise, unless it is always 0', async () => {
    await add();
    expect((await signIn(phone, { counter: 7 })).status).toBe(201);
    for (const counter of [7, 6, 0]) expect(outcome(await signIn(phone, { counter }))).toEqual(REFUSED);
    expect((await signIn(phone, { counter: 8 })).status).toBe(201);
    const silent = new Authenticator();
    await add(account.token, silent, { counter: 0 });
    for (let n = 0; n < 2; n += 1) expect((await signIn(silent, { counter: 0 })).status).toBe(201);
  });

  it('may fall for one that is synced, with a warning in the log, and never lowers what is stored', async () => {
    const synced = new Authenticator({ isSynced: true });
    const { id } = (await add(account.token, synced)).body.passkey;
    expect((await signIn(synced, { counter: 7 })).status).toBe(201);
    const warned = () =>
      service.logged.filter((line) => line.includes(id) && line.includes('counter')).length;
    expect(warned()).toBe(0);
    expect((await signIn(synced, { counter: 3 })).status).toBe(201);
    expect(warned()).toBe(1);
    expect(await service.db.query(sql`select counter from passkeys where id = ${id}`)).toEqual([
      { counter: 7 },
    ]);
  });
});

describe('a first password [POST /api/console/password] [members/first-password]', () => {
  const setPassword = (as: string, body: object) => call('POST', 'password', as, body);
  const setByCookie = (session: string, body: object) =>
    service.call('POST', '/api/console/password', { session, body });
  const newPassword = 'correct horse 43 battery';

  it('is chosen by a member without one, in a log-in of the last five minutes, and logs in from then on [tenant.password_changed]', async () => {
    const { send } = await joinByPasskey('developer', phone);
    const { token, member } = (await send()).body;
    service.clock.advance(FIVE_MINUTES + 1);
    expect(outcome(await setPassword(token, { newPassword }))).toEqual([403, 'step_up_required']);
    const fresh = await signIn();
    expect(fresh.body.member.hasPassword).toBe(false);
    expect(outcome(await setByCookie(tokenOf(fresh), { newPassword: 'short' }))).toEqual([
      400,
      'weak_password',
    ]);
    const changed = await setByCookie(tokenOf(fresh), { newPassword });
    expect(changed.status, changed.text).toBe(200);
    expect((await call('GET', 'account', token)).status).toBe(401);
    expect(await lastEvent()).toMatchObject({ action: 'tenant.password_changed', actorId: member.id });
    const login = { body: { email: member.email, password: newPassword }, address: freshAddress() };
    expect((await service.call('POST', '/api/console/session', login)).body.member.hasPassword).toBe(true);
  });

  it('replaces none: who has one has to send it, also right after logging in', async () => {
    expect(outcome(await setPassword(account.token, { newPassword }))).toEqual([400, 'invalid_request']);
    const { send } = await joinByPasskey('developer', phone);
    const { token } = (await send()).body;
    const replies = await Promise.all([
      setPassword(token, { newPassword }),
      setPassword(token, { newPassword }),
    ]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401]);
  });
});
