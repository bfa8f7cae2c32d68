import { inflateRawSync } from 'node:zlib';
import { SignedXml } from 'xml-crypto';
import { signingKey, trustedKeys } from './keys.js';
import { escapeMarkup } from './pages.js';
import { InvalidRequestError, type Provider } from './provider.js';

const ASSERTION_TTL_MS = 5 * 60_000;
const REQUEST_BYTES = 16 * 1024;
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';

/** The settings of a relying party. */
export interface SamlIdentityProvider {
  readonly entityId: string;
  readonly ssoUrl: string;
  /** PEM. */
  readonly publicKeys: readonly string[];
}

export async function samlIdentityProvider(
  provider: Pick<Provider, 'settings' | 'keys'>,
): Promise<SamlIdentityProvider> {
  // Creates the key, so that the relying party knows it before the first response.
  await signingKey(provider, 'saml');
  const keys = await trustedKeys(provider, 'saml');
  const { baseUrl } = provider.settings;
  return {
    entityId: `${baseUrl}/saml/metadata`,
    ssoUrl: `${baseUrl}/saml/sso`,
    publicKeys: keys.map(({ publicKey }) => publicKey.export({ type: 'spki', format: 'pem' }).toString()),
  };
}

export interface AuthnRequest {
  readonly id: string;
  readonly entityId: string;
  readonly acsUrl: string;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const decodeEntities = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name) => ENTITIES[name] ?? '');

function rejectRequest(message: string): never {
  throw new InvalidRequestError('SAMLRequest', message);
}

/**
 * Parses a request in the form that the configured service provider writes. Only the id is used. Names and URLs must be the
 * configured ones, so that a browser is never redirected elsewhere.
 */
export function readRequest({ settings }: Pick<Provider, 'settings'>, encoded: string): AuthnRequest {
  const { serviceProvider } = settings;
  let xml: string;
  try {
    const bytes = inflateRawSync(Buffer.from(encoded, 'base64'), { maxOutputLength: REQUEST_BYTES });
    xml = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    rejectRequest('is not a deflated SAML request');
  }
  const [, start = ''] = /^(?:<\?xml[^<>]*\?>)?<samlp:AuthnRequest ([^<>]*)>/.exec(xml) ?? [];
  const attribute = (name: string) =>
    decodeEntities(new RegExp(`(?:^| )${name}="([^"<>]*)"`).exec(start)?.[1] ?? '');
  const id = attribute('ID');
  if (!/^_[0-9a-f]{40}$/.test(id)) rejectRequest('is not a request of the known service provider');
  const entityId = decodeEntities(/<saml:Issuer [^<>]*>([^<>]*)<\/saml:Issuer>/.exec(xml)?.[1] ?? '');
  if (entityId !== serviceProvider.entityId) rejectRequest('is of an unknown service provider');
  const acsUrl = attribute('AssertionConsumerServiceURL');
  if (acsUrl !== serviceProvider.acsUrl) rejectRequest('requests a URL that is not allowed');
  return { id, entityId, acsUrl };
}

/** Signs the subject in. Returns the signed response, in base64, for the browser to post to `acsUrl`. */
export async function issueAssertion(
  provider: Provider,
  encodedRequest: string,
  subject: string,
): Promise<{ acsUrl: string; response: string }> {
  const request = readRequest(provider, encodedRequest);
  const idp = await samlIdentityProvider(provider);
  const { privateKey } = await signingKey(provider, 'saml');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const newId = () => `_${provider.random.bytes(20).toString('hex')}`;
  const unsigned = responseXml(idp, request, subject, provider.clock.now(), newId);
  // The signature of the response covers the signed assertion.
  const xml = sign(sign(unsigned, 'Assertion', pem), 'Response', pem);
  return { acsUrl: request.acsUrl, response: Buffer.from(xml).toString('base64') };
}

function responseXml(
  idp: SamlIdentityProvider,
  { id, entityId, acsUrl }: AuthnRequest,
  subject: string,
  now: number,
  newId: () => string,
): string {
  const at = new Date(now).toISOString();
  const until = new Date(now + ASSERTION_TTL_MS).toISOString();
  const [to, from, audience] = [acsUrl, idp.entityId, entityId].map(escapeMarkup);
  const issuer = `<saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${from}</saml:Issuer>`;
  return [
    `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="${newId()}" Version="2.0"`,
    ` IssueInstant="${at}" Destination="${to}" InResponseTo="${id}">${issuer}`,
    '<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>',
    `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${newId()}" Version="2.0"`,
    ` IssueInstant="${at}">${issuer}<saml:Subject>`,
    '<saml:NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent">',
    `${escapeMarkup(subject)}</saml:NameID>`,
    '<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">',
    `<saml:SubjectConfirmationData NotOnOrAfter="${until}" Recipient="${to}" InResponseTo="${id}"/>`,
    `</saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${at}" NotOnOrAfter="${until}">`,
    `<saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction>`,
    `</saml:Conditions><saml:AuthnStatement AuthnInstant="${at}"><saml:AuthnContext><saml:AuthnContextClassRef>`,
    'urn:oasis:names:tc:SAML:2.0:ac:classes:unspecified',
    '</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement></saml:Assertion></samlp:Response>',
  ].join('');
}

function sign(xml: string, element: 'Assertion' | 'Response', privateKey: string): string {
  const xpath = `//*[local-name(.)='${element}']`;
  const signer = new SignedXml({
    privateKey,
    signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    canonicalizationAlgorithm: EXCLUSIVE,
  });
  signer.addReference({
    xpath,
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', EXCLUSIVE],
    digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha256',
  });
  const issuer = `${xpath}/*[local-name(.)='Issuer']`;
  signer.computeSignature(xml, { prefix: 'ds', location: { reference: issuer, action: 'after' } });
  return signer.getSignedXml();
}

/** The provider's metadata, for service providers. */
export async function metadataXml(provider: Pick<Provider, 'settings' | 'keys'>): Promise<string> {
  const idp = await samlIdentityProvider(provider);
  const keys = await trustedKeys(provider, 'saml');
  const base64 = (part: string | undefined) => Buffer.from(part ?? '', 'base64url').toString('base64');
  const descriptors = keys.map(({ publicKey }) => {
    const { n, e } = publicKey.export({ format: 'jwk' });
    return [
      '<KeyDescriptor use="signing"><ds:KeyInfo><ds:KeyValue><ds:RSAKeyValue>',
      `<ds:Modulus>${base64(n)}</ds:Modulus><ds:Exponent>${base64(e)}</ds:Exponent>`,
      '</ds:RSAKeyValue></ds:KeyValue></ds:KeyInfo></KeyDescriptor>',
    ].join('');
  });
  return [
    '<?xml version="1.0"?><EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata"',
    ` xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="${escapeMarkup(idp.entityId)}">`,
    '<IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">',
    ...descriptors,
    '<SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"',
    ` Location="${escapeMarkup(idp.ssoUrl)}"/></IDPSSODescriptor></EntityDescriptor>`,
  ].join('');
}
