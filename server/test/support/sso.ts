import { inflateRawSync } from 'node:zlib';
import { signingKey } from '@svc/demo-idp/keys';
import { SignedXml, type SignedXmlOptions } from 'xml-crypto';
import { providerOf } from '../../src/features/demo-idp/demo-idp.js';
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

/** A key that may sign on: default keys may not. */
export const ssoKey = (service: Service, account: Account, environment: Environment = 'live') =>
  service.createKey(account, environment, SSO_SCOPES);

let addresses = 0;
/** Each browser has an address of its own, so that no window is shared between tests. */
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

/** The request inside a login's address. */
export const requestOf = (redirectUrl: string): string =>
  inflateRawSync(
    Buffer.from(new URL(redirectUrl).searchParams.get('SAMLRequest') as string, 'base64'),
  ).toString();

/** A browser that signs in as that subject at an address of the simulated provider. */
export function visit(service: Service, url: string, subject?: string): Promise<Reply> {
  const target = new URL(url);
  if (subject !== undefined) target.searchParams.set('subject', subject);
  return service.call('GET', pathOf(target.href), { address: browserAddress() });
}

export interface SamlAnswer {
  SAMLResponse: string;
  RelayState: string;
}

/** The requests of a tenant's key; null: those of the legacy surface, each from an address of its own. */
const begin = (service: Service, key: string | null, path: string): Promise<Reply> =>
  key === null
    ? service.call('GET', `/api${path}`, { address: browserAddress() })
    : service.call('GET', `/v1${path}`, { as: key });

/** A whole SAML login up to what the browser posts. */
export async function samlAnswer(
  service: Service,
  key: string | null,
  subject = 'alice',
): Promise<SamlAnswer> {
  const login = await begin(service, key, '/auth/saml/login');
  const page = await visit(service, login.body.redirectUrl, subject);
  if (page.status !== 200) throw new Error(`signing in answered ${page.status} ${page.text}`);
  return fieldsOf(page.text) as unknown as SamlAnswer;
}

export interface OidcAnswer {
  code: string;
  state: string;
}

/** A whole OIDC login up to what the browser brings back; `change` lets it tamper with the request. */
export async function oidcAnswer(
  service: Service,
  key: string | null,
  subject = 'alice',
  change: (parameters: URLSearchParams) => void = () => {},
): Promise<OidcAnswer> {
  const begun = await begin(service, key, '/auth/oidc/authorize');
  const url = new URL(begun.body.authorizationUrl);
  change(url.searchParams);
  const reply = await visit(service, url.href, subject);
  if (reply.status !== 302) throw new Error(`signing in answered ${reply.status} ${reply.text}`);
  const back = new URL(String(reply.headers.location)).searchParams;
  return { code: back.get('code') as string, state: back.get('state') as string };
}

export const samlCallback = (service: Service, key: string, body: object) =>
  service.call('POST', '/v1/auth/saml/callback', { as: key, body });
export const oidcCallback = (service: Service, key: string, body: object) =>
  service.call('POST', '/v1/auth/oidc/callback', { as: key, body });

/** The answer without its signatures. */
export const unsigned = (xml: string): string => xml.replaceAll(/<ds:Signature .*?<\/ds:Signature>/gs, '');

const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';

/** Signs one element of an answer, as an identity provider does. */
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

/** Signs assertion and response anew. */
export const signAnswer = (xml: string, options: SignedXmlOptions): string =>
  signElement(signElement(unsigned(xml), 'Assertion', options), 'Response', options);

/** The simulated provider's own key, for answers that are signed well and wrong in what they say. */
export async function providerKey(service: Service, name: 'saml' | 'oidc') {
  const { privateKey, publicKey, keyId } = await signingKey(providerOf(service.app.deps), name);
  return {
    keyId,
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
}
