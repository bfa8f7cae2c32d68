import type { InteractionResults, default as Provider } from 'oidc-provider';
import type { Static } from 'typebox';
import { fail } from '../../../base/errors.js';
import { DatabaseUnavailableError } from '../../../db/db.js';
import type { BaseContext } from '../../../http/route.js';
import { reader, type TenantWrite } from '../../../ledger/write.js';
import type { AuditAction } from '../../../model/audit-actions.js';
import { parseUrl } from '../../../model/url.js';
import { onlyVisible } from '../../../model/visible.js';
import { iso } from '../../../records/schema.js';
import { activeAccount, findAccount } from '../../accounts/accounts.js';
import { completeSignIn } from '../../pairing/hosted/complete.js';
import { bindNearby } from '../../pairing/hosted/nearby.js';
import {
  type AskingDevice,
  allowsDeviceFlow,
  openPairing,
  type PagePrincipal,
  type PairingContext,
} from '../../pairing/pairing.js';
import { streamPairing } from '../../pairing/pairing-events.js';
import { readBrand } from '../../profile/profile.js';
import { ACR, AMR } from '../provider/account.js';
import { extraOf } from '../provider/client-metadata.js';
import { readSlug } from '../provider/sign-in-address.js';
import { LIFETIMES } from '../provider/surface.js';
import { answerChallenge, issueChallenge } from './browser-challenge.js';
import type { CompleteBody, NearbyBody, SessionBody } from './sign-in.schema.js';
import { placesOf } from './stream-places.js';

/** Codes of one sign-in. */
const MAX_SESSIONS = 10;

type Request = Pick<BaseContext, 'deps' | 'address' | 'cookie' | 'setCookie' | 'header' | 'node'>;
type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

/** An open sign-in in the browser that began it. */
interface SignIn {
  readonly context: PairingContext & { readonly principal: PagePrincipal };
  readonly interaction: Interaction;
  readonly client: {
    readonly id: string;
    readonly name: string;
    readonly customClaims: readonly string[];
  };
  /** Where the browser goes afterwards; undefined for a device. */
  readonly redirectUri: URL | undefined;
  /** What the phone shows: the origin of that address, or ours if it has none. */
  readonly origin: string;
  /** The device that asks for the sign-in, if it is not this browser. */
  findDevice(): Promise<AskingDevice | undefined>;
  /** Ends the sign-in. Returns where the browser goes on. */
  end(result: InteractionResults): Promise<string>;
}

/** 404 for every sign-in that is not open in this browser. */
async function findSignIn(request: Request, slug: string): Promise<SignIn> {
  const { deps, address, cookie, setCookie, header, node } = request;
  const { scope, uid } = readSlug(deps, slug) ?? fail('sign_in_not_found');
  const tenant = await findAccount(deps, scope.tenantId);
  const provider = tenant?.status === 'active' ? await deps.openId.find(scope) : undefined;
  if (tenant === undefined || provider === undefined) return fail('sign_in_not_found');
  const interaction = await provider
    .interactionDetails(node.request, node.response)
    .catch((error: unknown) => {
      if (error instanceof DatabaseUnavailableError) throw error;
      deps.log.debug({ err: error }, 'sign-in is not open in this browser');
      return undefined;
    });
  // With a result, it was completed or cancelled.
  if (interaction?.uid !== uid || interaction.result !== undefined) return fail('sign_in_not_found');
  const client = await provider.Client.find(String(interaction.params.client_id));
  if (client === undefined) return fail('sign_in_not_found');
  const { deviceCode } = interaction;
  // The policy is newer than the device's code.
  if (deviceCode !== undefined && !allowsDeviceFlow(tenant.securityPolicy)) return fail('sign_in_not_found');
  const text = interaction.params.redirect_uri;
  const redirectUri = typeof text === 'string' ? parseUrl(text) : undefined;
  const own = new URL(deps.config.baseUrl).origin;
  const origin =
    redirectUri !== undefined && /^https?:$/.test(redirectUri.protocol) ? redirectUri.origin : own;
  const caller = {
    scope,
    actor: { type: 'system', id: null },
    credential: { revalidate: () => activeAccount(scope.tenantId), reject: () => fail('sign_in_not_found') },
  } as const;
  return {
    interaction,
    client: {
      id: client.clientId,
      name: client.clientName ?? client.clientId,
      customClaims: Object.keys(extraOf(client).svc_custom_claims),
    },
    redirectUri,
    origin,
    findDevice: async () => (deviceCode === undefined ? undefined : deviceOf(provider, deviceCode)),
    end: (result) =>
      provider.interactionResult(node.request, node.response, result, { mergeWithLastSubmission: false }),
    context: {
      deps,
      address,
      cookie,
      setCookie,
      header,
      scope,
      read: reader(deps.db, scope),
      async write<T>(action: AuditAction, work: (w: TenantWrite) => Promise<T>, locks?: 'tenant') {
        const result = await deps.write({ ...caller, action, locks: locks as 'tenant' }, work);
        deps.counters.write(action);
        return result;
      },
      principal: {
        uid,
        clientId: client.clientId,
        slug,
        path: `/sign-in/${slug}`,
        streamPlaces: placesOf(uid, address),
        tenant: { ...tenant, securityPolicy: { ...tenant.securityPolicy, origins: [origin, own] } },
        revalidate: () => activeAccount(scope.tenantId),
      },
    },
  };
}

/** Of the device flow. 404 if its code has ended. */
async function deviceOf(provider: Provider, deviceCode: string): Promise<AskingDevice> {
  const code = (await provider.DeviceCode.find(deviceCode)) ?? fail('sign_in_not_found');
  // A node of the version before stores nothing about the device.
  const { networkId = '', networkHash = null } = code.deviceInfo as Partial<AskingDevice>;
  return { userCode: code.userCode.replace(/^(.{4})/, '$1-'), networkId, networkHash };
}

/** Whether the person is signed in, and the application only asks for consent. */
const isConsent = ({ prompt }: Interaction) =>
  prompt.name === 'consent' && prompt.reasons.every((reason) => reason === 'consent_prompt');

/** What a person consents to, in the names of claims. */
function consentOf({ params }: Interaction, customClaims: readonly string[]) {
  const scopes = String(params.scope).split(' ');
  const claims = [
    ...(scopes.includes('profile') ? ['name'] : []),
    ...(scopes.includes('email') ? ['email'] : []),
    ...customClaims.filter((name) => name !== 'groups' || scopes.includes('groups')),
  ];
  return { claims, staysSignedIn: scopes.includes('offline_access') };
}

export async function describeSignIn(request: Request, slug: string) {
  const { context, interaction, client, redirectUri } = await findSignIn(request, slug);
  const { tenant } = context.principal;
  return {
    client: { name: onlyVisible(client.name) || client.id },
    company: onlyVisible(tenant.companyName),
    ...(await readBrand(context.read)),
    host: redirectUri === undefined ? null : redirectUri.host || redirectUri.protocol.slice(0, -1),
    ...context.scope,
    browserChallenge: issueChallenge(context),
    expiresAt: iso(new Date(interaction.exp * 1000)),
    sameDeviceOnly: tenant.securityPolicy.same_device_only === true,
    nearbyIfNew: tenant.securityPolicy.new_browser === 'nearby_or_same_device',
    consent: isConsent(interaction) ? consentOf(interaction, client.customClaims) : null,
  };
}

/** As long as a phone shows. The name may be older than the rule that its characters are visible. */
const shown = (name: string) => onlyVisible(onlyVisible(name).slice(0, 40));

/** Each code is a row and an audit event of the account. */
async function countSession({ deps: { limiter, clock }, principal: { uid } }: SignIn['context']) {
  const windowMs = LIFETIMES.interaction * 1000;
  const { allowed, retryAt } = await limiter.hit(`sign-in-sessions|${uid}`, MAX_SESSIONS, windowMs);
  if (!allowed)
    fail('rate_limit_exceeded', {
      message: 'This sign-in has no more codes. Begin another one in the application.',
      retryAfterSeconds: Math.max(1, Math.ceil((retryAt - clock.now()) / 1000)),
    });
}

export async function openSession(
  request: Request,
  slug: string,
  { sameDevice = false, browser }: Static<typeof SessionBody>,
) {
  const { context, client, origin, findDevice } = await findSignIn(request, slug);
  await countSession(context);
  const device = await findDevice();
  const { id, nonce, qrPayload, url, matchCode, expiresAt } = await openPairing({
    ...context,
    device,
    browser: browser && answerChallenge(context, browser),
    body: {
      // On the same device, the code that the phone returns with binds the approval to this browser.
      match: sameDevice ? 'off' : 'type',
      context: { origin, application: shown(client.name) || client.id },
      ...(sameDevice && { sameDevice, returnUrl: `${context.deps.config.baseUrl}${context.principal.path}` }),
    },
  });
  return { id, nonce, qrPayload, url, matchCode: matchCode ?? null, expiresAt };
}

export async function streamSession(request: Request, slug: string, sessionId: string) {
  const { context } = await findSignIn(request, slug);
  return streamPairing(context, sessionId, context.header('last-event-id'));
}

/** The phone is beside the browser, so the approval that waits becomes valid. */
export async function confirmNearby(
  request: Request,
  slug: string,
  { sessionId, credential, browser }: Static<typeof NearbyBody>,
) {
  const { context } = await findSignIn(request, slug);
  return bindNearby(context, { sessionId, credential, signature: browser.signature });
}

/** The phone has approved: the application gets its code. */
export async function completeSignInOf(
  request: Request,
  slug: string,
  { sessionId, returnCode, browser, remember = false }: Static<typeof CompleteBody>,
): Promise<string> {
  const { context, end } = await findSignIn(request, slug);
  const completion = { sessionId, returnCode, signature: browser?.signature, remember };
  const accountId = await completeSignIn(context, completion);
  return end({
    login: { accountId, acr: ACR, amr: [...AMR] },
    consent: {},
    pairingSessionId: sessionId,
  } as InteractionResults);
}

/** The person, who is signed in, lets the application have what it asks for. */
export async function consentToSignIn(request: Request, slug: string): Promise<string> {
  const { interaction, end } = await findSignIn(request, slug);
  if (!isConsent(interaction)) fail('sign_in_not_approved');
  return end({ consent: {} });
}

export async function cancelSignIn(request: Request, slug: string): Promise<string> {
  const { end } = await findSignIn(request, slug);
  return end({ error: 'access_denied', error_description: 'The person cancelled the sign-in.' });
}
