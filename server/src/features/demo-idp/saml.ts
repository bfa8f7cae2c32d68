import { inflateRawSync } from 'node:zlib';
import type { Static } from 'typebox';
import { SignedXml } from 'xml-crypto';
import type { Config } from '../../base/config.js';
import { invalid } from '../../base/errors.js';
import type { Deps } from '../../http/deps.js';
import { iso } from '../../http/schema.js';
import { type SamlIdentityProvider, SERVICE_PROVIDER_PATH, samlIdentityProvider } from './demo-idp.js';
import type { SsoQuery } from './demo-idp.schema.js';
import { signingKey, trustedKeys } from './keys.js';
import { escapeMarkup } from './pages.js';

const ASSERTION_TTL_MS = 5 * 60_000;
const REQUEST_BYTES = 16 * 1024;
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';

export interface AuthnRequest {
  readonly id: string;
  readonly entityId: string;
  readonly acsUrl: string;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const decodeEntities = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name) => ENTITIES[name] ?? '');

/**
 * Reads a request of the one service provider there is, in the form that it writes. Whatever else it may be, only its
 * id is taken from it: names and addresses must be those that are known already, so that no one is sent elsewhere.
 */
export function readRequest(config: Config, encoded: string): AuthnRequest {
  let xml: string;
  try {
    const bytes = inflateRawSync(Buffer.from(encoded, 'base64'), { maxOutputLength: REQUEST_BYTES });
    xml = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    invalid('query.SAMLRequest', 'is not a deflated SAML request');
  }
  const [, start = ''] = /^(?:<\?xml[^<>]*\?>)?<samlp:AuthnRequest ([^<>]*)>/.exec(xml) ?? [];
  const attribute = (name: string) =>
    decodeEntities(new RegExp(`(?:^| )${name}="([^"<>]*)"`).exec(start)?.[1] ?? '');
  const id = attribute('ID');
  if (!/^_[0-9a-f]{40}$/.test(id))
    invalid('query.SAMLRequest', 'is not a request of the known service provider');
  const entityId = decodeEntities(/<saml:Issuer [^<>]*>([^<>]*)<\/saml:Issuer>/.exec(xml)?.[1] ?? '');
  if (entityId !== `${config.baseUrl}${SERVICE_PROVIDER_PATH}`)
    invalid('query.SAMLRequest', 'is of an unknown service provider');
  const acsUrl = attribute('AssertionConsumerServiceURL');
  if (acsUrl !== config.samlAcsUrl) invalid('query.SAMLRequest', 'asks for an address that is not allowed');
  return { id, entityId, acsUrl };
}

/** Signs the chosen subject in: the answer for the browser to post, base64. */
export async function issueAssertion(
  deps: Deps,
  { SAMLRequest }: Static<typeof SsoQuery>,
  subject: string,
): Promise<{ acsUrl: string; response: string }> {
  const request = readRequest(deps.config, SAMLRequest);
  const idp = await samlIdentityProvider(deps);
  const { privateKey } = await signingKey(deps, 'saml');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const newId = () => `_${deps.random.bytes(20).toString('hex')}`;
  const unsigned = responseXml(idp, request, subject, deps.clock.now(), newId);
  // First the assertion, then the response around it.
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
  const at = iso(new Date(now));
  const until = iso(new Date(now + ASSERTION_TTL_MS));
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

/** What a service provider needs to know of the simulated identity provider. */
export async function metadataXml(deps: Deps): Promise<string> {
  const idp = await samlIdentityProvider(deps);
  const keys = await trustedKeys(deps, 'saml');
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
