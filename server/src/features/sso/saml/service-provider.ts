import { type Profile, SAML, ValidateInResponseTo } from '@node-saml/node-saml';
import type { Clock } from '../../../base/clock.js';
import type { SamlIdentityProvider } from '../demo/demo-idp.js';

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
/** Applies even if the provider sets a longer lifetime. */
const ASSERTION_AGE_MS = 5 * 60_000;

export interface ServiceProvider {
  readonly entityId: string;
  readonly acsUrl: string;
}

/** node-saml with the service's clock instead of the system's. It also exposes the content whose signature it verified. */
class ClockedSaml extends SAML {
  readonly #clock: Clock;
  /** The response in the canonical form that was signed. */
  signedResponse = '';

  constructor(options: ConstructorParameters<typeof SAML>[0], clock: Clock) {
    super(options);
    this.#clock = clock;
  }

  protected override checkTimestampsValidityError(
    _machineTime: number,
    notBefore: string,
    notOnOrAfter: string,
    latest?: number,
  ): Error | null {
    return super.checkTimestampsValidityError(this.#clock.now(), notBefore, notOnOrAfter, latest);
  }

  protected override getSignedAssertion(signedXml: string): Promise<string | null> {
    this.signedResponse = signedXml;
    return super.getSignedAssertion(signedXml);
  }
}

function saml(
  provider: ServiceProvider,
  idp: Pick<SamlIdentityProvider, 'ssoUrl' | 'publicKeys'>,
  clock: Clock,
  requestId: string,
): ClockedSaml {
  const options = {
    issuer: provider.entityId,
    audience: provider.entityId,
    callbackUrl: provider.acsUrl,
    entryPoint: idp.ssoUrl,
    idpCert: [...idp.publicKeys],
    wantAuthnResponseSigned: true,
    wantAssertionsSigned: true,
    acceptedClockSkewMs: 0,
    maxAssertionAgeMs: ASSERTION_AGE_MS,
    identifierFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
    disableRequestedAuthnContext: true,
    generateUniqueId: () => requestId,
    // The only request that the response may answer. Spending the relay state already checked that it is still open.
    validateInResponseTo: ValidateInResponseTo.always,
    cacheProvider: {
      saveAsync: async () => null,
      getAsync: async (id: string) => (id === requestId ? new Date().toISOString() : null),
      removeAsync: async () => null,
    },
  };
  return new ClockedSaml(options, clock);
}

/** The identity provider's URL that starts a login. */
export const loginUrl = (
  provider: ServiceProvider,
  idp: Pick<SamlIdentityProvider, 'ssoUrl'>,
  clock: Clock,
  requestId: string,
  relayState: string,
): Promise<string> =>
  saml(provider, { ...idp, publicKeys: [NO_KEY] }, clock, requestId).getAuthorizeUrlAsync(
    relayState,
    undefined,
    {},
  );

export const metadata = (provider: ServiceProvider, clock: Clock): string =>
  saml(provider, { ssoUrl: '', publicKeys: [NO_KEY] }, clock, '_metadata').generateServiceProviderMetadata(
    null,
  );

/** The library requires a key even where it verifies nothing. */
const NO_KEY = 'AAAA';

/**
 * The subject of a valid response. node-saml checks the signatures of response and assertion, times, audience and
 * InResponseTo. This function checks the rest, on the signed assertion alone. Throws if any check fails.
 */
export async function checkResponse(
  provider: ServiceProvider,
  idp: SamlIdentityProvider,
  clock: Clock,
  requestId: string,
  response: string,
): Promise<string> {
  const xml = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(response, 'base64'));
  // SAML needs no document type, and without one there are no entities to expand or fetch. Comments, CDATA and
  // processing instructions split text, and parsers disagree about the result.
  if (xml.includes('<!') || xml.includes('<?', 1))
    throw new Error('Declarations, comments, CDATA and instructions are not allowed');
  if (/<(?:[\w.-]+:)?EncryptedAssertion[\s/>]/.test(xml)) throw new Error('Encryption is not supported');
  const checker = saml(provider, idp, clock, requestId);
  const { profile } = await checker.validatePostResponseAsync({ SAMLResponse: response });
  if (profile === null) throw new Error('No assertion');
  checkEnvelope(provider, checker.signedResponse);
  return subjectOf(provider, idp, requestId, profile);
}

function demand(condition: boolean, what: string): void {
  if (!condition) throw new Error(`Wrong ${what}`);
}

const SUCCESS =
  /<(?:[\w.-]+:)?Status(?: [^<>]*)?>\s*<(?:[\w.-]+:)?StatusCode(?: [^<>]*)? Value="urn:oasis:names:tc:SAML:2\.0:status:Success"/;

/**
 * The attributes of the response element. In canonical form each attribute has one spelling and no value contains a quote
 * or `<`, so a search in the text of the start tag is enough.
 */
function checkEnvelope({ acsUrl }: ServiceProvider, response: string): void {
  const start = response.slice(0, response.indexOf('>'));
  demand(start.includes(` Destination="${acsUrl.replaceAll('&', '&amp;')}"`), 'Destination');
  demand(start.includes(' Version="2.0"'), 'Version');
  demand(SUCCESS.test(response), 'Status');
}

// biome-ignore lint/suspicious/noExplicitAny: node-saml returns an assertion as xml2js parsed it
type Parsed = any;

function subjectOf(
  provider: ServiceProvider,
  idp: SamlIdentityProvider,
  requestId: string,
  profile: Profile,
): string {
  const assertion: Parsed = profile.getAssertion?.().Assertion;
  const only = (items: Parsed[] | undefined, what: string): Parsed => {
    if (items?.length !== 1) throw new Error(`Not exactly one ${what}`);
    return items[0];
  };
  demand(assertion.$?.Version === '2.0', 'Version');
  demand(assertion.AuthnStatement !== undefined, 'AuthnStatement');
  demand(only(assertion.Issuer, 'Issuer')._ === idp.entityId, 'Issuer');
  const subject = only(assertion.Subject, 'Subject');
  const confirmation = only(subject.SubjectConfirmation, 'SubjectConfirmation');
  demand(confirmation.$?.Method === BEARER, 'SubjectConfirmation Method');
  const data = only(confirmation.SubjectConfirmationData, 'SubjectConfirmationData').$;
  demand(data?.Recipient === provider.acsUrl, 'Recipient');
  demand(data.InResponseTo === requestId, 'InResponseTo');
  demand(typeof data.NotOnOrAfter === 'string', 'NotOnOrAfter');
  only(only(assertion.Conditions, 'Conditions').AudienceRestriction, 'AudienceRestriction');
  const { _: name, $: _attributes, ...elements } = only(subject.NameID, 'NameID');
  demand(Object.keys(elements).length === 0, 'NameID');
  return name;
}
