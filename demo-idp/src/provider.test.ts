import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { SignedXml } from 'xml-crypto';
import { trustedKeys } from './keys.js';
import { checkAuthorization, discoveryDocument, grantCode, inProcessFetch, keySet } from './oidc.js';
import { createPages, pagePolicy } from './pages.js';
import { InvalidRequestError, type KeyUse, type Provider, type StoredKey } from './provider.js';
import { issueAssertion, metadataXml, readRequest, samlIdentityProvider } from './saml.js';

const BASE = 'https://idp.example/demo';
const ACS = 'https://app.example/saml?a=1&b=2';
const REDIRECT = 'https://app.example/callback';
const NOW = Date.parse('2026-05-12T09:30:00.000Z');

/** A provider whose keys and codes are in memory. */
function createProvider(): Provider & { now: number } {
  const keys = new Map<KeyUse, StoredKey[]>();
  const codes = new Map<string, { grant: string; expiresAt: Date }>();
  let counter = 0;
  const provider = {
    now: NOW,
    settings: {
      baseUrl: BASE,
      serviceProvider: { entityId: 'https://app.example/metadata', acsUrl: ACS },
      client: { id: 'app', secret: 'the secret of the client', redirectUri: REDIRECT },
    },
    keys: {
      currentId: 'k1',
      list: async (use: KeyUse) => keys.get(use) ?? [],
      async insert(use: KeyUse, privateKey: string) {
        if (!keys.has(use)) keys.set(use, [{ id: 'k1', privateKey }]);
      },
    },
    codes: {
      async save(code: string, grant: string, expiresAt: Date) {
        codes.set(code, { grant, expiresAt });
      },
      async consume(code: string) {
        const found = codes.get(code);
        codes.delete(code);
        return found && found.expiresAt.getTime() > provider.now ? found.grant : undefined;
      },
    },
    clock: { now: () => provider.now },
    random: {
      bytes(size: number) {
        counter += 1;
        return Buffer.alloc(size, counter);
      },
    },
  };
  return provider;
}

let provider: ReturnType<typeof createProvider>;
beforeAll(() => {
  provider = createProvider();
});

const rejects = (work: () => unknown, parameter: string) => {
  let thrown: unknown;
  try {
    work();
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(InvalidRequestError);
  expect((thrown as InvalidRequestError).parameter).toBe(parameter);
};

describe('OpenID Connect', () => {
  const verifier = 'v'.repeat(43);
  const request = {
    client_id: 'app',
    redirect_uri: REDIRECT,
    state: 'the state',
    nonce: 'the nonce',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  };
  const authorize = async () => {
    const url = new URL(await grantCode(provider, request, 'ada'));
    expect(url.origin + url.pathname).toBe(REDIRECT);
    expect(url.searchParams.get('state')).toBe('the state');
    return url.searchParams.get('code') as string;
  };
  const redeem = (code: string, change: Record<string, string> = {}) =>
    inProcessFetch(provider)(`${BASE}/oidc/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: 'app',
        client_secret: 'the secret of the client',
        redirect_uri: REDIRECT,
        code_verifier: verifier,
        code,
        ...change,
      }),
    });

  it('exchanges a code for an ID token that the published keys verify', async () => {
    const reply = await redeem(await authorize());
    expect(reply.status).toBe(200);
    const { id_token } = (await reply.json()) as { id_token: string };
    const { payload, protectedHeader } = await jwtVerify(
      id_token,
      createLocalJWKSet((await keySet(provider)) as never),
      { issuer: BASE, audience: 'app', currentDate: new Date(NOW) },
    );
    expect(payload).toMatchObject({ sub: 'ada', nonce: 'the nonce', iat: NOW / 1000, exp: NOW / 1000 + 300 });
    expect(protectedHeader).toMatchObject({ alg: 'RS256', kid: 'k1' });
  });

  it.each([
    [401, 'invalid_client', { client_secret: 'another' }],
    [401, 'invalid_client', { client_id: 'another' }],
    [400, 'unsupported_grant_type', { grant_type: 'password' }],
    [400, 'invalid_grant', { code: 'unknown' }],
    [400, 'invalid_grant', { code_verifier: 'w'.repeat(43) }],
    [400, 'invalid_grant', { redirect_uri: `${REDIRECT}/other` }],
  ])('returns %i %s for %o', async (status, error, change) => {
    const reply = await redeem(await authorize(), change as unknown as Record<string, string>);
    expect([reply.status, await reply.json()]).toEqual([status, { error }]);
  });

  it('accepts a code once, even after a failed attempt, and not after 5 minutes', async () => {
    const code = await authorize();
    expect((await redeem(code)).status).toBe(200);
    expect((await redeem(code)).status).toBe(400);
    const failed = await authorize();
    await redeem(failed, { code_verifier: 'wrong' });
    expect((await redeem(failed)).status).toBe(400);
    const late = await authorize();
    provider.now += 5 * 60_000;
    expect((await redeem(late)).status).toBe(400);
    provider.now = NOW;
  });

  it('rejects clients and addresses that are not configured', async () => {
    rejects(() => checkAuthorization(provider, { ...request, client_id: 'other' }), 'client_id');
    rejects(
      () => checkAuthorization(provider, { ...request, redirect_uri: 'https://evil.example' }),
      'redirect_uri',
    );
    await expect(
      grantCode(provider, { ...request, redirect_uri: 'https://evil.example' }, 'ada'),
    ).rejects.toThrow(InvalidRequestError);
  });

  it('reaches nothing but its own endpoints', async () => {
    const fetch = inProcessFetch(provider);
    const discovered = await fetch(`${BASE}/.well-known/openid-configuration`, { method: 'GET' });
    expect(await discovered.json()).toEqual(discoveryDocument(provider.settings));
    await expect(fetch('http://169.254.169.254/', { method: 'GET' })).rejects.toThrow(TypeError);
    await expect(fetch(`${BASE}/oidc/token`, { method: 'GET' })).rejects.toThrow(TypeError);
  });
});

describe('SAML', () => {
  const ID = `_${'ab'.repeat(20)}`;
  const encode = (xml: string) => deflateRawSync(xml).toString('base64');
  const requestXml = ({ id = ID, issuer = 'https://app.example/metadata', acs = ACS } = {}) =>
    `<?xml version="1.0"?><samlp:AuthnRequest xmlns:samlp="x" ID="${id}" AssertionConsumerServiceURL="${acs.replaceAll('&', '&amp;')}"><saml:Issuer xmlns:saml="y">${issuer}</saml:Issuer></samlp:AuthnRequest>`;

  it('signs the assertion and the response for the configured service provider', async () => {
    const { acsUrl, response } = await issueAssertion(provider, encode(requestXml()), 'Ada & <Bob>');
    expect(acsUrl).toBe(ACS);
    const xml = Buffer.from(response, 'base64').toString();
    expect(xml).toContain(`InResponseTo="${ID}"`);
    expect(xml).toContain('NotOnOrAfter="2026-05-12T09:35:00.000Z"');
    expect(xml).toContain('>Ada &amp; &lt;Bob&gt;</saml:NameID>');
    const { publicKeys } = await samlIdentityProvider(provider);
    const signatures = [...xml.matchAll(/<ds:Signature .*?<\/ds:Signature>/gs)].map(([text]) => text);
    expect(signatures).toHaveLength(2);
    const isSigned = (text: string, signature: string) => {
      const verifier = new SignedXml({ publicCert: publicKeys[0] as string });
      verifier.loadSignature(signature);
      try {
        return verifier.checkSignature(text);
      } catch {
        return false;
      }
    };
    expect(isSigned(xml, signatures[0] as string)).toBe(true);
    expect(isSigned(xml.replace('Ada', 'Eve'), signatures[0] as string)).toBe(false);
  });

  it.each([
    ['no deflated XML', 'AAAA'],
    ['another id', encode(requestXml({ id: 'short' }))],
    ['another issuer', encode(requestXml({ issuer: 'https://evil.example' }))],
    ['another address', encode(requestXml({ acs: 'https://evil.example' }))],
    ['more than 16 KB', encode(requestXml().padEnd(17 * 1024))],
  ])('rejects a request with %s', async (_what, encoded) => {
    rejects(() => readRequest(provider, encoded), 'SAMLRequest');
    await expect(issueAssertion(provider, encoded, 'ada')).rejects.toThrow(InvalidRequestError);
  });

  it('publishes its keys and its address', async () => {
    const xml = await metadataXml(provider);
    expect(xml).toContain(`entityID="${BASE}/saml/metadata"`);
    expect(xml).toContain(`Location="${BASE}/saml/sso"`);
    const [key] = await trustedKeys(provider, 'saml');
    const modulus = Buffer.from(key?.publicKey.export({ format: 'jwk' }).n as string, 'base64url');
    expect(xml).toContain(`<ds:Modulus>${modulus.toString('base64')}</ds:Modulus>`);
  });
});

describe('pages', () => {
  const { choosePage, postPage } = createPages('/plain.css');

  it('escape every value, and use the given style sheet', () => {
    const page = choosePage('/sso', { state: '"><script>', absent: undefined });
    expect(page).toContain('<link rel="stylesheet" href="/plain.css">');
    expect(page).toContain('name="state" value="&#34;&#62;&#60;script&#62;"');
    expect(page).not.toContain('absent');
    expect(postPage(ACS, { SAMLResponse: 'eA==' })).toContain(`action="${ACS.replaceAll('&', '&#38;')}"`);
  });

  it('allow forms to their own origin and to the target only', () => {
    expect(pagePolicy(ACS)).toContain("form-action 'self' https://app.example");
    expect(pagePolicy(ACS)).toContain("default-src 'none'");
  });
});
