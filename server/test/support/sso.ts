import { inflateRawSync } from 'node:zlib';
import { signingKey } from '@svc/demo-idp/keys';
import { SignedXml, type SignedXmlOptions } from 'xml-crypto';
import { providerOf } from '../../src/features/sso/demo/simulated.js';
import type { Environment } from '../../src/model/environment.js';
import type { Account, Reply, Service } from './service.js';

const SSO_SCOPES = [
  'saml:login',
  'saml:callback',
  'oidc:authorize',
  'oidc:callback',
  'identity:read',
  'audit:read',
  'verifications:read',
] as const;

/** A key with the scopes for sign-on, which default keys lack. */
export const ssoKey = (service: Service, account: Account, environment: Environment = 'live') =>
  service.createKey(account, environment, SSO_SCOPES);

let addresses = 0;
/** A separate address for each browser, so that tests share no rate limit. */
const browserAddress = () => `192.0.${(addresses++ >> 8) & 255}.${addresses & 255}`;

export const pathOf = (url: string): string => {
  const { pathname, search } = new URL(url);
  return pathname + search;
};

const decodeHtml = (text: string) =>
  text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));

/** The hidden fields of the form on a page. */
export const fieldsOf = (page: string): Record<string, string> =>
  Object.fromEntries(
    [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(([, name, value]) => [
      name as string,
      decodeHtml(value as string),
    ]),
  );

export const xmlOf = (response: string): string => Buffer.from(response, 'base64').toString();
export const base64 = (xml: string): string => Buffer.from(xml).toString('base64');

/** The SAML request in a login's URL. */
export const requestOf = (redirectUrl: string): string =>
  inflateRawSync(
    Buffer.from(new URL(redirectUrl).searchParams.get('SAMLRequest') as string, 'base64'),
  ).toString();

/** Opens a URL of the simulated provider, and signs in if a subject is given. */
export function visit(service: Service, url: string, subject?: string): Promise<Reply> {
  const target = new URL(url);
  if (subject !== undefined) target.searchParams.set('subject', subject);
  return service.call('GET', pathOf(target.href), { address: browserAddress() });
}

export interface SamlResponse {
  SAMLResponse: string;
  RelayState: string;
}

/** Starts a login with a tenant's key, or on the legacy surface if the key is null. */
const begin = (service: Service, key: string | null, path: string): Promise<Reply> =>
  key === null
    ? service.call('GET', `/api${path}`, { address: browserAddress() })
    : service.call('GET', `/v1${path}`, { as: key });

/** Runs a SAML login up to the form that the browser posts. */
export async function samlResponse(
  service: Service,
  key: string | null,
  subject = 'alice',
): Promise<SamlResponse> {
  const login = await begin(service, key, '/auth/saml/login');
  const page = await visit(service, login.body.redirectUrl, subject);
  if (page.status !== 200) throw new Error(`signing in returned ${page.status} ${page.text}`);
  return fieldsOf(page.text) as unknown as SamlResponse;
}

export interface OidcResponse {
  code: string;
  state: string;
}

/** Runs an OIDC login up to the parameters of the redirect. `change` can tamper with the request. */
export async function oidcResponse(
  service: Service,
  key: string | null,
  subject = 'alice',
  change: (parameters: URLSearchParams) => void = () => {},
): Promise<OidcResponse> {
  const login = await begin(service, key, '/auth/oidc/authorize');
  const url = new URL(login.body.authorizationUrl);
  change(url.searchParams);
  const reply = await visit(service, url.href, subject);
  if (reply.status !== 302) throw new Error(`signing in returned ${reply.status} ${reply.text}`);
  const parameters = new URL(String(reply.headers.location)).searchParams;
  return { code: parameters.get('code') as string, state: parameters.get('state') as string };
}

export const samlCallback = (service: Service, key: string, body: object) =>
  service.call('POST', '/v1/auth/saml/callback', { as: key, body });
export const oidcCallback = (service: Service, key: string, body: object) =>
  service.call('POST', '/v1/auth/oidc/callback', { as: key, body });

/** The response without its signatures. */
export const unsigned = (xml: string): string => xml.replaceAll(/<ds:Signature .*?<\/ds:Signature>/gs, '');

const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';

/** Signs one element of a response, as an identity provider does. */
export function signElement(
  xml: string,
  element: 'Assertion' | 'Response',
  options: SignedXmlOptions,
): string {
  const signer = new SignedXml({
    signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    canonicalizationAlgorithm: EXCLUSIVE,
    ...options,
  });
  if (options.signatureAlgorithm?.includes('hmac')) signer.enableHMAC();
  const xpath = `//*[local-name(.)='${element}']`;
  signer.addReference({
    xpath,
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', EXCLUSIVE],
    digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha256',
  });
  signer.computeSignature(xml, {
    prefix: 'ds',
    location: { reference: `${xpath}/*[local-name(.)='Issuer']`, action: 'after' },
  });
  return signer.getSignedXml();
}

/** Replaces the signatures of the assertion and the response. */
export const signResponse = (xml: string, options: SignedXmlOptions): string =>
  signElement(signElement(unsigned(xml), 'Assertion', options), 'Response', options);

/** The simulated provider's own key, for responses with a valid signature and wrong content. */
export async function providerKey(service: Service, name: 'saml' | 'oidc') {
  const { privateKey, publicKey, keyId } = await signingKey(providerOf(service.app.deps), name);
  return {
    keyId,
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
}
