import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { type Account, type Reply, type Service, startService } from '../support/service.js';
import {
  base64,
  fieldsOf,
  oidcResponse,
  providerKey,
  requestOf,
  type SamlResponse,
  samlCallback,
  samlResponse,
  signElement,
  signResponse,
  ssoKey,
  unsigned,
  visit,
  xmlOf,
} from '../support/sso.js';

let service: Service;
let account: Account;
let key: string;
let provider: Awaited<ReturnType<typeof providerKey>>;

beforeAll(async () => {
  service = await startService();
  account = await service.signUp({ plan: 'enterprise' });
  key = await ssoKey(service, account);
  provider = await providerKey(service, 'saml');
});
afterAll(() => service.close());

const count = async (table: string) => {
  const text = `select count(*) as n from ${table} where tenant_id = $1`;
  return (await service.db.query<{ n: number }>({ text, values: [account.tenantId] }))[0]!.n;
};

const newestAudit = async () =>
  (await service.call('GET', '/v1/audit?limit=1', { as: account.key })).body.audit[0];

function expectRejected(reply: Reply) {
  expect(reply.status, reply.text).toBe(401);
  expect({ ...reply.body, requestId: '' }).toEqual({
    error: 'sso_failed',
    message: 'The sign-on failed. Start again.',
    docs: '/docs/errors#sso_failed',
    requestId: '',
  });
  expect(reply.headers).not.toHaveProperty('location');
}

/** A SAML response with changed XML. Default: signed again with the provider's own key. */
async function crafted(
  change: (xml: string) => string,
  sign: (xml: string) => string = (xml) => signResponse(xml, provider),
): Promise<SamlResponse> {
  const { SAMLResponse, RelayState } = await samlResponse(service, key, 'mallory');
  const xml = xmlOf(SAMLResponse);
  const changed = change(xml);
  expect(changed).not.toBe(xml);
  return { SAMLResponse: base64(sign(changed)), RelayState };
}

const asIs = (xml: string) => xml;

describe('a SAML round trip', () => {
  it('opens a session marked as simulated, for a user created from the subject [saml.started] [saml.verify] [sso/endpoints] [GET /v1/auth/saml/login] [POST /v1/auth/saml/callback] [GET /demo/idp/saml/sso]', async () => {
    const login = await service.call('GET', '/v1/auth/saml/login', { as: key });
    expect(login.status).toBe(200);
    expect(login.headers['cache-control']).toBe('no-store');
    expect(Object.keys(login.body)).toEqual(['redirectUrl', 'relayState']);
    expect(login.body.relayState).toMatch(/^[\w-]{43}$/);
    const target = new URL(login.body.redirectUrl);
    expect(target.origin + target.pathname).toBe('http://localhost:3000/demo/idp/saml/sso');
    expect(target.searchParams.get('RelayState')).toBe(login.body.relayState);
    expect(await newestAudit()).toMatchObject({ action: 'saml.started', status: 'success' });

    const choose = await visit(service, login.body.redirectUrl);
    expect(choose.text).toContain('name="subject"');
    const page = await visit(service, login.body.redirectUrl, 'ann & "bob" <x>');
    expect(page.headers['content-security-policy']).toContain("form-action 'self' http://localhost:3000");
    expect(page.text).toContain('action="http://localhost:3000/v1/auth/saml/callback"');
    const response = fieldsOf(page.text);
    expect(Object.keys(response)).toEqual(['SAMLResponse', 'RelayState']);

    const reply = await samlCallback(service, key, response);
    expect(reply.status, reply.text).toBe(200);
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(reply.body).toEqual({
      accessToken: expect.any(String),
      refreshToken: expect.any(String),
      tokenType: 'Bearer',
      expiresIn: 3600,
      sessionId: expect.any(String),
      did: null,
      simulated: true,
    });
    const claims = decodeJwt(reply.body.accessToken);
    expect(claims).toMatchObject({ simulated: true, aud: 'session', sid: reply.body.sessionId });
    expect(claims).not.toHaveProperty('did');

    const me = await service.call('GET', '/v1/identity/me', {
      as: key,
      headers: { 'x-session-token': reply.body.accessToken },
    });
    expect(me.body).toMatchObject({
      user: { id: claims.sub, externalId: 'ann & "bob" <x>', fullName: 'ann & "bob" <x>', status: 'active' },
      did: null,
      simulated: true,
      sessionId: reply.body.sessionId,
      environment: 'live',
    });
    const { body: events } = await service.call('GET', '/v1/verifications?method=saml&limit=1', { as: key });
    expect(events.verifications[0]).toMatchObject({ method: 'saml', result: 'pass', userId: claims.sub });
    const { body: list } = await service.call('GET', '/v1/audit?limit=2', { as: key });
    expect(list.audit).toMatchObject([
      { action: 'user.created', entityType: 'user', entityId: claims.sub },
      {
        action: 'saml.verify',
        status: 'success',
        entityId: events.verifications[0].id,
        metadata: { method: 'saml', result: 'pass', simulated: true },
      },
    ]);
    expect(JSON.stringify(list.audit)).not.toContain('bob');
  });

  it('accepts the browser’s form post unchanged, on this route only', async () => {
    const response = await samlResponse(service, key);
    const form = (path: string, raw: string) =>
      service.call('POST', path, {
        as: key,
        raw,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
    const text = new URLSearchParams({ ...response }).toString();
    for (const bad of [`${text}&RelayState=x`, `${text}&irisCode=x`, `${text}&__proto__=x`, `${text}%00`])
      expect((await form('/v1/auth/saml/callback', bad)).status, bad.slice(-20)).toBe(400);
    expect((await form('/v1/auth/oidc/callback', 'code=a&state=b')).status).toBe(415);
    expect((await form('/v1/auth/saml/callback', text)).status).toBe(200);
  });

  it('returns the same user again, and a refresh keeps the simulated mark', async () => {
    const first = await samlCallback(service, key, await samlResponse(service, key, 'again'));
    const second = await samlCallback(service, key, await samlResponse(service, key, 'again'));
    expect(decodeJwt(second.body.accessToken).sub).toBe(decodeJwt(first.body.accessToken).sub);
    expect((await newestAudit()).action).toBe('saml.verify');
    const body = { refreshToken: second.body.refreshToken };
    const refreshed = await service.call('POST', '/v1/identity/refresh', { as: key, body });
    expect(refreshed.body).toMatchObject({ did: null, simulated: true });
    expect(decodeJwt(refreshed.body.accessToken)).toMatchObject({ simulated: true });
    const headers = { 'x-session-token': refreshed.body.accessToken };
    expect((await service.call('POST', '/v1/identity/logout', { as: key, headers })).status).toBe(200);
    expect((await service.call('GET', '/v1/identity/me', { as: key, headers })).status).toBe(401);
  });

  it('creates one user from simultaneous first sign-ons of a subject', async () => {
    const responses = await Promise.all([1, 2, 3].map(() => samlResponse(service, key, 'simultaneous')));
    const replies = await Promise.all(responses.map((response) => samlCallback(service, key, response)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(replies.map(({ body }) => decodeJwt(body.accessToken).sub)).size).toBe(1);
  });
});

describe('a response is rejected, its login ended and the failure recorded:', () => {
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
    type: 'pkcs8',
    format: 'pem',
  });
  const signedBy = (privateKey: string | Buffer) => (xml: string) => signResponse(xml, { privateKey });
  const assertionOf = (xml: string) => /<saml:Assertion .*<\/saml:Assertion>/s.exec(xml)![0];
  const evil = (xml: string) =>
    unsigned(assertionOf(xml))
      .replace('mallory', 'admin')
      .replace(/ ID="_/, ' ID="_e');
  const swap = (from: string | RegExp, to: string) => (xml: string) => xml.replace(from, to);
  const at = (ms: number) => new Date(service.clock.now() + ms).toISOString();
  const DOCTYPE = (inner: string) => (xml: string) =>
    `<!DOCTYPE r [${inner}]>${xml.replace('>mallory<', '>&x;<')}`;
  const bomb = [...'abcdefghij']
    .map(
      (name, level) =>
        `<!ENTITY ${name} "${level === 0 ? 'lol' : `&${'abcdefghij'[level - 1]};`.repeat(10)}">`,
    )
    .join('');

  const causes: Record<string, () => Promise<SamlResponse>> = {
    unsigned: () => crafted(unsigned, asIs),
    'only the response signed [sso/a-log-in-is-used-once]': () =>
      crafted(unsigned, (xml) => signElement(xml, 'Response', provider)),
    'only the assertion signed': () => crafted(unsigned, (xml) => signElement(xml, 'Assertion', provider)),
    'forged: signed by another key': () => crafted(swap('mallory', 'admin'), signedBy(other)),
    'forged: with its key embedded': () =>
      crafted(swap('mallory', 'admin'), (xml) =>
        signResponse(xml, {
          privateKey: other,
          getKeyInfoContent: () =>
            `<X509Data><X509Certificate>${other.toString().split('\n').slice(1, -2).join('')}</X509Certificate></X509Data>`,
        }),
      ),
    'forged: the public key as an HMAC secret': () =>
      crafted(swap('mallory', 'admin'), (xml) =>
        signResponse(xml, {
          privateKey: provider.publicKey,
          signatureAlgorithm: 'http://www.w3.org/2000/09/xmldsig#hmac-sha1',
        }),
      ),
    'a subject changed after signing': () => crafted(swap('>mallory<', '>admin<'), asIs),
    'wrapped: an assertion before the signed one': () =>
      crafted((xml) => xml.replace('<saml:Assertion ', `${evil(xml)}<saml:Assertion `), asIs),
    'wrapped: an assertion after the signed one': () =>
      crafted((xml) => xml.replace('</samlp:Response>', `${evil(xml)}</samlp:Response>`), asIs),
    'wrapped: the signed assertion inside a forged one’s signature': () =>
      crafted((xml) => {
        const signed = assertionOf(xml);
        const signature = /<ds:Signature .*?<\/ds:Signature>/s.exec(signed)![0];
        const hidden = signature.replace(
          '</ds:Signature>',
          `<ds:Object>${signed.replace(signature, '')}</ds:Object></ds:Signature>`,
        );
        return xml.replace(signed, evil(xml).replace('<saml:Subject>', `${hidden}<saml:Subject>`));
      }, asIs),
    'wrapped: a forged assertion before the signed one, in a response signed by another key': () =>
      crafted(
        (xml) =>
          xml
            .replace(/<ds:Signature .*?<\/ds:Signature>/s, '')
            .replace(
              assertionOf(xml),
              `${evil(xml)}<samlp:Extensions>${assertionOf(xml)}</samlp:Extensions>`,
            ),
        (xml) => signElement(xml, 'Response', { privateKey: other }),
      ),
    'wrapped: the signed response inside a forged one': () =>
      crafted((xml) => {
        const forged = unsigned(xml)
          .replace('mallory', 'admin')
          .replaceAll(/ ID="_/g, ' ID="_e');
        const signature = /<ds:Signature .*?<\/ds:Signature>/s.exec(xml)![0];
        return forged.replace(
          '<samlp:Status>',
          `${signature}<samlp:Extensions>${xml.replace(signature, '')}</samlp:Extensions><samlp:Status>`,
        );
      }, asIs),
    'wrapped: a forged assertion with the signed one’s ID': () =>
      crafted(
        (xml) => xml.replace('<samlp:Status>', `${evil(xml).replace(' ID="_e', ' ID="_')}<samlp:Status>`),
        asIs,
      ),
    'a second NameID': () => crafted(swap('<saml:NameID ', '<saml:NameID>admin</saml:NameID><saml:NameID ')),
    'a comment in the subject': () => crafted(swap('>mallory<', '>mallory<!-- -->.example<')),
    'CDATA in the subject': () => crafted(swap('>mallory<', '><![CDATA[admin]]><')),
    'a document type': () =>
      crafted(swap('<samlp:Response ', '<!DOCTYPE samlp:Response><samlp:Response '), asIs),
    'an external entity': () => crafted(DOCTYPE('<!ENTITY x SYSTEM "file:///etc/passwd">'), asIs),
    'an external entity over the network': () =>
      crafted(
        DOCTYPE('<!ENTITY x SYSTEM "http://127.0.0.1:9/x"><!ENTITY % y SYSTEM "http://127.0.0.1:9/y">'),
        asIs,
      ),
    'an entity bomb': () => crafted(DOCTYPE(`${bomb}<!ENTITY x "&j;">`), asIs),
    'an undeclared entity': () => crafted(swap('>mallory<', '>&x;<'), asIs),
    encrypted: () =>
      crafted(
        (xml) =>
          xml.replace(
            assertionOf(xml),
            '<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"/>',
          ),
        (xml) => signElement(unsigned(xml), 'Response', provider),
      ),
    'no assertion': () =>
      crafted(
        (xml) => xml.replace(assertionOf(xml), ''),
        (xml) => signElement(unsigned(xml), 'Response', provider),
      ),
    'with another audience [sso/real-validation]': () =>
      crafted(swap(/<saml:Audience>.*?</, '<saml:Audience>https://other.example<')),
    'without an audience': () =>
      crafted(swap(/<saml:AudienceRestriction>.*?<\/saml:AudienceRestriction>/, '')),
    'without conditions': () => crafted(swap(/<saml:Conditions .*?<\/saml:Conditions>/, '')),
    'with another recipient': () =>
      crafted(swap(/Recipient="[^"]*"/, 'Recipient="https://other.example/acs"')),
    'without a recipient': () => crafted(swap(/ Recipient="[^"]*"/, '')),
    'with another destination': () =>
      crafted(swap(/ Destination="[^"]*"/, ' Destination="https://other.example/acs"')),
    'with another destination, and the right one in another attribute': () =>
      crafted((xml) =>
        xml.replace(/ Destination=("[^"]*")/, ' Destination="https://other.example/acs" Consent=$1'),
      ),
    'without a destination': () => crafted(swap(/ Destination="[^"]*"/, '')),
    'of a failed sign-on': () => crafted(swap('status:Success', 'status:Responder')),
    'of another version': () => crafted(swap('Version="2.0"', 'Version="1.1"')),
    'with an assertion of another version': () =>
      crafted(swap(/(<saml:Assertion [^>]*)Version="2.0"/, '$1Version="1.1"')),
    'without an authentication statement': () =>
      crafted(swap(/<saml:AuthnStatement .*<\/saml:AuthnStatement>/, '')),
    'an element in the subject': () => crafted(swap('>mallory<', '>mal<b>admin</b>lory<')),
    'a processing instruction in the subject': () => crafted(swap('>mallory<', '>mal<?x lory?><'), asIs),
    'from another issuer': () =>
      crafted((xml) => xml.replaceAll(/(<saml:Issuer [^>]*>)[^<]*/g, '$1https://other.example')),
    'to another request': () =>
      crafted((xml) => xml.replaceAll(/InResponseTo="[^"]*"/g, `InResponseTo="_${'0'.repeat(40)}"`)),
    'to no request': () => crafted((xml) => xml.replaceAll(/ InResponseTo="[^"]*"/g, '')),
    'to another request in the assertion alone': () =>
      crafted(
        swap(/(<saml:SubjectConfirmationData .*)InResponseTo="[^"]*"/, `$1InResponseTo="_${'0'.repeat(40)}"`),
      ),
    'to no request in the assertion': () =>
      crafted(swap(/(<saml:SubjectConfirmationData .*?) InResponseTo="[^"]*"/, '$1')),
    'with another confirmation method than bearer': () => crafted(swap(':cm:bearer', ':cm:holder-of-key')),
    'without NotOnOrAfter': () => crafted(swap(/(<saml:SubjectConfirmationData) NotOnOrAfter="[^"]*"/, '$1')),
    'not yet valid': () => crafted(swap(/NotBefore="[^"]*"/, `NotBefore="${at(1)}"`)),
    'with the confirmation expired': () =>
      crafted(swap(/(<saml:SubjectConfirmationData) NotOnOrAfter="[^"]*"/, `$1 NotOnOrAfter="${at(0)}"`)),
    'with the conditions expired': () =>
      crafted(swap(/(<saml:Conditions [^>]*)NotOnOrAfter="[^"]*"/, `$1NotOnOrAfter="${at(0)}"`)),
    'issued too long ago, even with a later NotOnOrAfter': () =>
      crafted((xml) =>
        xml
          .replaceAll(/IssueInstant="[^"]*"/g, `IssueInstant="${at(-300_000)}"`)
          .replaceAll(/NotOnOrAfter="[^"]*"/g, `NotOnOrAfter="${at(86_400_000)}"`),
      ),
    'with an invalid time': () =>
      crafted((xml) => xml.replaceAll(/NotOnOrAfter="[^"]*"/g, 'NotOnOrAfter="never"')),
    expired: async () => {
      const response = await samlResponse(service, key, 'mallory');
      service.clock.advance(300_000);
      return response;
    },
    'with a blank subject': () => crafted(swap('>mallory<', '> <')),
    'with an empty subject': () => crafted(swap('>mallory<', '><')),
    'with a subject of 201 characters': () => crafted(swap('>mallory<', `>${'a'.repeat(201)}<`)),
    'no XML': async () => ({
      ...(await samlResponse(service, key, 'mallory')),
      SAMLResponse: base64('mallory'),
    }),
    'no UTF-8': async () => ({
      ...(await samlResponse(service, key, 'mallory')),
      SAMLResponse: Buffer.from([0x3c, 0xff, 0xfe, 0x3e]).toString('base64'),
    }),
    'other XML': async () => ({
      ...(await samlResponse(service, key, 'mallory')),
      SAMLResponse: base64('<a/>'),
    }),
  };

  it.each(Object.keys(causes))('%s', async (cause) => {
    const body = await (causes[cause] as (typeof causes)[string])();
    const [users, sessions, waiting] = [
      await count('tenant_users'),
      await count('sessions'),
      await count('sso_requests'),
    ];
    const before = process.cpuUsage();
    const reply = await samlCallback(service, key, body);
    // Of CPU, because a busy machine takes any time.
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
    expectRejected(reply);
    expect([await count('tenant_users'), await count('sessions')]).toEqual([users, sessions]);
    expect(await count('sso_requests')).toBe(waiting - 1);
    expect(await newestAudit()).toMatchObject({
      action: 'saml.verify',
      status: 'failure',
      metadata: { method: 'saml', result: 'fail', reason: 'invalid_response', simulated: true },
    });
    const { body: events } = await service.call('GET', '/v1/verifications?method=saml&limit=1', { as: key });
    expect(events.verifications[0]).toMatchObject({ result: 'fail', userId: null });
    const lines = service.logged.slice(-3).join('\n');
    for (const personal of ['mallory', 'admin', body.RelayState]) expect(lines).not.toContain(personal);
  });

  it('(control: a crafted response with a harmless change is accepted)', async () => {
    const response = await crafted((xml) => xml.replace('mallory', 'sound'));
    expect((await samlCallback(service, key, response)).status).toBe(200);
  });
});

describe('a relay state', () => {
  it('is accepted once', async () => {
    const response = await samlResponse(service, key);
    expect((await samlCallback(service, key, response)).status).toBe(200);
    expectRejected(await samlCallback(service, key, response));
  });

  it('is accepted once by simultaneous requests', async () => {
    const response = await samlResponse(service, key);
    const replies = await Promise.all(Array.from({ length: 8 }, () => samlCallback(service, key, response)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const reply of replies.filter(({ status }) => status !== 200)) expectRejected(reply);
  });

  it('is consumed by a rejected response', async () => {
    const response = await samlResponse(service, key);
    expectRejected(await samlCallback(service, key, { ...response, SAMLResponse: base64('<a/>') }));
    expectRejected(await samlCallback(service, key, response));
  });

  it('expires after ten minutes [sso/a-log-in-is-used-once]', async () => {
    const login = await service.call('GET', '/v1/auth/saml/login', { as: key });
    const late = await service.call('GET', '/v1/auth/saml/login', { as: key });
    service.clock.advance(599_999);
    const page = await visit(service, login.body.redirectUrl, 'late');
    expect((await samlCallback(service, key, fieldsOf(page.text))).status).toBe(200);
    service.clock.advance(1);
    const latePage = await visit(service, late.body.redirectUrl, 'late');
    expectRejected(await samlCallback(service, key, fieldsOf(latePage.text)));
  });

  it('is rejected for another tenant, environment or login, and stays valid for its own', async () => {
    const response = await samlResponse(service, key);
    const stranger = await ssoKey(service, await service.signUp());
    const test = await ssoKey(service, account, 'test');
    expectRejected(await samlCallback(service, stranger, response));
    expectRejected(await samlCallback(service, test, response));
    expect((await samlCallback(service, key, response)).status).toBe(200);

    const [one, two] = [await samlResponse(service, key, 'one'), await samlResponse(service, key, 'two')];
    expectRejected(await samlCallback(service, key, { ...one, RelayState: two.RelayState }));
    const { state } = await oidcResponse(service, key);
    expectRejected(await samlCallback(service, key, { ...one, RelayState: state }));
    expect((await samlCallback(service, key, one)).status).toBe(200);
  });

  it.each(['https://evil.example/', '//evil.example', 'javascript:alert(1)', 'x'])(
    'is never used as a URL: %s redirects nowhere',
    async (RelayState) => {
      const { SAMLResponse } = await samlResponse(service, key);
      expectRejected(await samlCallback(service, key, { SAMLResponse, RelayState }));
      const login = await service.call('GET', '/v1/auth/saml/login', { as: key });
      const url = new URL(login.body.redirectUrl);
      url.searchParams.set('RelayState', RelayState);
      const page = await visit(service, url.href, 'alice');
      expect(page.headers).not.toHaveProperty('location');
      expect(page.text.match(/action="[^"]*"/g)).toEqual([
        'action="http://localhost:3000/v1/auth/saml/callback"',
      ]);
    },
  );

  it('is stored as a hash, and the id of its request encrypted', async () => {
    const login = await service.call('GET', '/v1/auth/saml/login', { as: key });
    const id = /ID="(_[0-9a-f]{40})"/.exec(requestOf(login.body.redirectUrl))![1] as string;
    const rows = await service.db.query(
      sql`select * from sso_requests where tenant_id = ${account.tenantId}`,
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const secret of [login.body.relayState, id]) expect(JSON.stringify(rows)).not.toContain(secret);
  });
});

describe('the simulated provider', () => {
  const changed = async (change: (xml: string) => string) => {
    const { deflateRawSync } = await import('node:zlib');
    const login = await service.call('GET', '/v1/auth/saml/login', { as: key });
    const url = new URL(login.body.redirectUrl);
    const xml = requestOf(url.href);
    expect(change(xml)).not.toBe(xml);
    url.searchParams.set('SAMLRequest', deflateRawSync(change(xml)).toString('base64'));
    return url.href;
  };

  it.each([
    [
      'another ACS address',
      (xml: string) => xml.replace(/(ConsumerServiceURL=")[^"]*/, '$1https://evil.example/acs'),
    ],
    ['no ACS address', (xml: string) => xml.replace(/ AssertionConsumerServiceURL="[^"]*"/, '')],
    [
      'another service provider',
      (xml: string) => xml.replace(/(<saml:Issuer [^>]*>)[^<]*/, '$1https://evil.example'),
    ],
    ['a document type', (xml: string) => xml.replace('<samlp:', '<!DOCTYPE a [<!ENTITY b "c">]><samlp:')],
    ['markup as its id', (xml: string) => xml.replace(/ ID="[^"]*"/, ' ID="_&lt;x&gt;"')],
    ['100 KB of white space', () => `<samlp:AuthnRequest ${' '.repeat(100_000)}>`],
  ])('rejects a request with %s', async (_, change) => {
    const url = await changed(change as (xml: string) => string);
    for (const subject of [undefined, 'alice']) {
      const reply = await visit(service, url, subject);
      expect(reply.status).toBe(400);
      expect(reply.headers).not.toHaveProperty('location');
      expect(reply.text).not.toContain('evil.example');
    }
  });

  it('escapes user input in its page and response', async () => {
    const login = await service.call('GET', '/v1/auth/saml/login', { as: key });
    const url = new URL(login.body.redirectUrl);
    url.searchParams.set('RelayState', '"><script>alert(1)</script>');
    for (const subject of [undefined, 'x</saml:NameID><saml:NameID>admin']) {
      const page = await visit(service, url.href, subject);
      expect(page.text).not.toContain('<script');
      if (subject)
        expect(xmlOf(fieldsOf(page.text).SAMLResponse as string).match(/<saml:NameID/g)).toHaveLength(1);
    }
  });

  it('publishes its key in the metadata, the same on every node [GET /demo/idp/saml/metadata]', async () => {
    const page = await service.call('GET', '/demo/idp/saml/metadata');
    expect(page.headers['content-type']).toBe('application/xml; charset=utf-8');
    const keys = page.text.matchAll(/<ds:Modulus>(.*?)<\/ds:Modulus><ds:Exponent>(.*?)<\/ds:Exponent>/g);
    const { n, e } = createPublicKey(provider.publicKey).export({ format: 'jwk' });
    const numbers = [n, e].map((number) => Buffer.from(number as string, 'base64url').toString('base64'));
    expect([...keys].map(([, ...named]) => named)).toEqual([numbers]);
    const again = await startService({ clock: service.clock });
    expect((await again.call('GET', '/demo/idp/saml/metadata')).text).toBe(page.text);
    const response = await samlResponse(service, key);
    expect((await samlCallback(again, key, response)).status).toBe(200);
    await again.close();
    const rows = await service.db.query(sql`select sealed from demo_idp_keys`);
    expect(JSON.stringify(rows)).not.toContain('PRIVATE');
  });
});

describe('the service provider’s metadata', () => {
  it('is XML with escaped values [GET /v1/auth/saml/metadata]', async () => {
    const acs = 'https://app.example/acs?a=1&b=%22&c=x';
    const env = { SAML_ACS_URL: acs, BASE_URL: 'https://id.example' };
    const own = await startService({ env, clock: service.clock });
    const reply = await own.call('GET', '/v1/auth/saml/metadata', { as: key });
    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toBe('application/xml; charset=utf-8');
    expect(reply.text).toContain('entityID="https://id.example/v1/auth/saml/metadata"');
    expect(reply.text).toContain('Location="https://app.example/acs?a=1&amp;b=%22&amp;c=x"');
    const response = await samlResponse(own, key, 'elsewhere');
    expect((await samlCallback(own, key, response)).status).toBe(200);
    // A response for another address is rejected here.
    expectRejected(await samlCallback(service, key, await samlResponse(own, key, 'elsewhere')));
    await own.close();
  });
});
