import type { ChainClient } from '@svc/chain/client';
import { createKeyring } from './base/crypto/keyring.js';
import { createIds } from './base/crypto/random.js';
import { createSealer } from './base/crypto/sealer.js';
import { createTokens } from './base/crypto/tokens.js';
import { openMail } from './base/mail/mail.js';
import { createOutbound } from './base/outbound/outbound.js';
import type { ResolveHost } from './base/outbound/resolve.js';
import { createCounters } from './base/telemetry/counters.js';
import { createMetrics } from './base/telemetry/metrics.js';
import { type BusOptions, createBus } from './cluster/bus.js';
import { createLimiter } from './cluster/rate-limit.js';
import { createSharedLimiter } from './cluster/shared-limiter.js';
import type { RawDatabase } from './db/db.js';
import { createEffects } from './effects.js';
import { tenantsConsole } from './features/accounts/accounts.console.js';
import { tenantStates } from './features/accounts/accounts.js';
import { closingConsole } from './features/accounts/closing.console.js';
import { authenticateConsole } from './features/accounts/logins/logins.auth.js';
import { loginsConsole } from './features/accounts/logins/logins.console.js';
import { passwordResetConsole } from './features/accounts/logins/password-reset.console.js';
import { membersConsole } from './features/accounts/members/members.console.js';
import { passkeysConsole } from './features/accounts/passkeys/passkeys.console.js';
import { securityPolicyConsole } from './features/accounts/security-policy.console.js';
import { activityV1 } from './features/activity/activity.v1.js';
import { adminAdmin } from './features/admin/admin.admin.js';
import { authenticateAdmin } from './features/admin/admin.auth.js';
import { createAnchoring } from './features/anchors/anchors.js';
import { anchorsV1 } from './features/anchors/anchors.v1.js';
import { approvalRevisions } from './features/approvals/approvals.js';
import { approvalsV1 } from './features/approvals/approvals.v1.js';
import { approvalsPhone } from './features/approvals/phone.v1.js';
import { attendanceV1 } from './features/attendance/attendance.v1.js';
import { attestationV1 } from './features/attestation/attestation.v1.js';
import { auditAdmin } from './features/audit/audit.admin.js';
import { auditConsole } from './features/audit/audit.console.js';
import { auditV1 } from './features/audit/audit.v1.js';
import { createGrownChains } from './features/audit/tree/grown-chains.js';
import { auditTreeV1 } from './features/audit/tree/tree.v1.js';
import { browsersPublic } from './features/browsers/browsers.public.js';
import { browsersV1 } from './features/browsers/browsers.v1.js';
import { browsersPhone } from './features/browsers/phone.v1.js';
import { artifactsPublic } from './features/circuit/artifacts.public.js';
import { circuitV1 } from './features/circuit/circuit.v1.js';
import { createCodeGuard } from './features/codes/codes.js';
import { correctionsPhone, correctionsV1 } from './features/corrections/corrections.v1.js';
import { devicesConsole } from './features/devices/devices.console.js';
import { authenticateDevice, deviceStates } from './features/devices/devices.js';
import { devicesV1 } from './features/devices/devices.v1.js';
import { docsPublic } from './features/docs/docs.public.js';
import { erasureV1 } from './features/erasure/erasure.v1.js';
import { createFollowedChains } from './features/events/events.js';
import { eventsV1 } from './features/events/events.v1.js';
import { createDatabaseProbe } from './features/health/health.js';
import { healthPublic } from './features/health/health.public.js';
import { hoursFile } from './features/hours-file/hours-file.js';
import { requireUnchanged } from './features/identities/commitments/commitments.js';
import { commitmentsV1 } from './features/identities/commitments/commitments.v1.js';
import { identitiesConsole } from './features/identities/identities.console.js';
import { identitiesV1 } from './features/identities/identities.v1.js';
import { createKeyCheck } from './features/keys/keys.auth.js';
import { keysConsole } from './features/keys/keys.console.js';
import { keyStates } from './features/keys/keys.js';
import { leadsAdmin } from './features/leads/leads.admin.js';
import { leadsPublic } from './features/leads/leads.public.js';
import { authLegacy } from './features/legacy/legacy.api-auth.js';
import { authenticateLegacy } from './features/legacy/legacy.auth.js';
import { legacyV1 } from './features/legacy/legacy.v1.js';
import { memberLinks } from './features/member-links/member-links.v1.js';
import { oidcClientsConsole } from './features/openid-provider/clients/clients.console.js';
import { forwardedForms } from './features/openid-provider/forwarded-forms.public.js';
import { createKeyPairs } from './features/openid-provider/keys/key-pairs.js';
import { oidcPublic } from './features/openid-provider/openid-provider.public.js';
import { createOpenId } from './features/openid-provider/provider/provider.js';
import type { Lifetimes } from './features/openid-provider/provider/surface.js';
import { signInPublic } from './features/openid-provider/sign-in/sign-in.public.js';
import { overviewConsole } from './features/overview/overview.console.js';
import { pairingStates } from './features/pairing/pairing.js';
import { proofPairingV1 } from './features/pairing/pairing.v1.js';
import { proofPairingPhone } from './features/pairing/phone.v1.js';
import { additionStates } from './features/phones/additions/additions.js';
import { additionsV1 } from './features/phones/additions/additions.v1.js';
import { identitiesPhone, phonesV1 } from './features/phones/phones.v1.js';
import { pinsV1 } from './features/pins/pins.v1.js';
import { profileConsole } from './features/profile/profile.console.js';
import { profilePublic } from './features/profile/profile.public.js';
import { profileV1 } from './features/profile/profile.v1.js';
import { attendanceCodesV1 } from './features/punches/codes.v1.js';
import { attendancePhone } from './features/punches/phone.v1.js';
import { reachConsole } from './features/reach/reach.console.js';
import { recoveriesV1 } from './features/registrations/recoveries/recoveries.v1.js';
import { registrationStates } from './features/registrations/registrations.js';
import { registrationsV1 } from './features/registrations/registrations.v1.js';
import { requestsConsole } from './features/requests/requests.console.js';
import { logStates } from './features/requests/requests.js';
import { restoreConsole } from './features/restore/restore.console.js';
import { retentionConsole } from './features/retention/retention.console.js';
import { createDeploymentKeys } from './features/sealing/sealing.js';
import { sealsV1 } from './features/seals/seals.v1.js';
import { sessionsConsole } from './features/sessions/sessions.console.js';
import { sessionsV1 } from './features/sessions/sessions.v1.js';
import { inspectionsV1 } from './features/sheets/inspections/inspections.v1.js';
import { sheetsV1 } from './features/sheets/sheets.v1.js';
import { signupConsole } from './features/signup/signup.console.js';
import { sitesV1 } from './features/sites/sites.v1.js';
import { demoIdpPublic } from './features/sso/demo/demo-idp.public.js';
import { authOidcV1 } from './features/sso/oidc/oidc.v1.js';
import { authSamlV1 } from './features/sso/saml/saml.v1.js';
import { authenticateStaff } from './features/staff/staff.js';
import { staffV1 } from './features/staff/staff.v1.js';
import { usageConsole } from './features/usage/usage.console.js';
import { createMeter } from './features/usage/usage.js';
import { usersConsole } from './features/users/users.console.js';
import { usersV1 } from './features/users/users.v1.js';
import { verificationsV1 } from './features/verifications/verifications.v1.js';
import { webhooksV1 } from './features/webhooks/webhooks.v1.js';
import { createWebhookWorker } from './features/webhooks/worker/worker.js';
import { registerGauges } from './gauges.js';
import { createAdmission } from './http/admission/admission.js';
import type { Deps, KeyPairs } from './http/deps.js';
import type { Route } from './http/route.js';
import { createHttp, type HttpServer } from './http/server.js';
import { createStreams } from './http/transport/sse.js';
import { chainStates } from './ledger/read-events.js';
import { createHistory, historyOnPrimary } from './ledger/replica/history.js';
import { createWatch } from './ledger/replica/watch.js';
import { createWriter } from './ledger/writer.js';
import { createCursors } from './records/cursor.js';

/** All routes, in the order of the contract. */
export function routesOf(version: string): Route[] {
  const routes: Route[] = [
    ...healthPublic,
    ...leadsPublic,
    ...signupConsole,
    ...tenantsConsole,
    ...loginsConsole,
    ...passwordResetConsole,
    ...membersConsole,
    ...memberLinks,
    ...passkeysConsole,
    ...securityPolicyConsole,
    ...closingConsole,
    ...reachConsole,
    ...retentionConsole,
    ...restoreConsole,
    ...profileConsole,
    ...profilePublic,
    ...keysConsole,
    ...usageConsole,
    ...requestsConsole,
    ...overviewConsole,
    ...auditConsole,
    ...oidcClientsConsole,
    ...devicesConsole,
    ...identitiesConsole,
    ...sessionsConsole,
    ...usersConsole,
    ...devicesV1,
    ...profileV1,
    ...usersV1,
    ...browsersV1,
    ...erasureV1,
    ...verificationsV1,
    ...sheetsV1(hoursFile),
    ...inspectionsV1(hoursFile),
    ...correctionsV1,
    ...pinsV1,
    ...attendanceCodesV1,
    ...attendanceV1,
    ...attendancePhone,
    ...correctionsPhone,
    ...sitesV1,
    ...sealsV1,
    ...auditV1,
    ...auditTreeV1,
    ...eventsV1,
    ...webhooksV1,
    ...anchorsV1,
    ...registrationsV1,
    ...recoveriesV1,
    ...staffV1,
    ...identitiesV1,
    ...phonesV1,
    ...commitmentsV1,
    ...additionsV1,
    ...approvalsV1,
    ...approvalsPhone,
    ...activityV1,
    ...attestationV1,
    ...browsersPhone,
    ...identitiesPhone,
    ...sessionsV1,
    ...legacyV1,
    ...circuitV1,
    ...proofPairingV1,
    ...proofPairingPhone,
    ...authSamlV1,
    ...authOidcV1,
    ...demoIdpPublic,
    ...authLegacy,
    ...oidcPublic,
    ...forwardedForms,
    ...signInPublic,
    ...browsersPublic,
    ...artifactsPublic,
    ...adminAdmin,
    ...auditAdmin,
    ...leadsAdmin,
    ...docsPublic(version, () => routes),
  ];
  return routes;
}

/** Inputs from the process or from a test. */
export type Platform = Pick<
  Deps,
  | 'config'
  | 'clock'
  | 'timers'
  | 'random'
  | 'log'
  | 'passwords'
  | 'verifier'
  | 'zk'
  | 'version'
  | 'pagesFolder'
  | 'ready'
  | 'redis'
  | 'machines'
  | 'erasures'
> & {
  readonly db: RawDatabase;
  /** Default: 0. The database was never restored. */
  readonly proofsFrom?: number;
  /** A standby server of the database. */
  readonly standby?: RawDatabase;
  /** The blockchain that records are anchored on. */
  readonly chain?: ChainClient;
  /** The server secret that every key is derived from and, during a rotation, the previous one. */
  readonly secret: string;
  /** Looks up the hosts of tenants' URLs. Default: the name servers of the operating system. For tests. */
  readonly resolveHost?: ResolveHost;
  /** How long what the OpenID Provider issues lasts. For tests, because the provider has no other clock. */
  readonly oidcLifetimes?: Lifetimes;
  /** Default: generates them in a thread. For tests. */
  readonly keyPairs?: KeyPairs;
};

export interface App {
  readonly http: HttpServer;
  readonly deps: Deps & { readonly db: RawDatabase };
  readonly routes: readonly Route[];
}

/** Counts that all nodes share, if there is a Redis. */
const openLimiter = ({ redis, clock }: Pick<Platform, 'redis' | 'clock'>, name: (key: string) => string) =>
  redis ? createSharedLimiter({ redis, clock, name }) : createLimiter(clock);

/** How the bus finds what other processes have changed, by topic. */
const statesOf = ({ db, clock }: Pick<Platform, 'db' | 'clock'>): NonNullable<BusOptions['states']> => ({
  pairing_session: (sessionIds) => pairingStates(db, sessionIds),
  registration: (sessionIds) => registrationStates(db, sessionIds),
  identity_addition: (additionIds) => additionStates(db, additionIds),
  approval: (approvalIds) => approvalRevisions(db, approvalIds),
  tenant: (tenantIds) => tenantStates(db, tenantIds),
  request_log: (tenantIds) => logStates(db, tenantIds),
  audit_chain: (names) => chainStates(db, names),
  device: (deviceIds) => deviceStates(db, deviceIds),
  api_key: (keyIds) => keyStates(db, keyIds, new Date(clock.now())),
});

/** Creates the dependencies and the server. */
export async function createApp({
  secret,
  chain,
  standby,
  resolveHost,
  oidcLifetimes,
  ...platform
}: Platform): Promise<App> {
  const { config, clock, timers, random, db, log, redis } = platform;
  const keyring = createKeyring(secret, config.previousSecret);
  const ids = createIds(clock, random);
  const metrics = createMetrics();
  // Addresses and e-mails are only given to Redis as a keyed hash.
  const limiter = openLimiter(platform, (key) => `window:${keyring.hmac('windows', key)}`);
  const replica = standby && createWatch({ primary: db, replica: standby, clock, timers, log });
  // Changes by other processes are also found in the database, while a record has subscribers on this node.
  const bus = createBus({
    timers,
    log,
    redis,
    states: statesOf(platform),
  });
  const grownChains = createGrownChains();
  const appended = (chain: string) => {
    bus.publish('audit_chain', chain);
    grownChains.add(chain);
  };
  let writesInProgress = 0;
  const writing = (by: 1 | -1) => {
    writesInProgress += by;
  };
  const databaseProbe = createDatabaseProbe(platform);
  const basis = {
    ...platform,
    proofsFrom: platform.proofsFrom ?? 0,
    databaseProbe,
    effects: createEffects({ clock, bus }),
    requireUnchanged: ((...identity) =>
      requireUnchanged({ log, random }, ...identity)) satisfies Deps['requireUnchanged'],
    keyPairs: platform.keyPairs ?? createKeyPairs(clock),
    ids,
    keyring,
    sealer: createSealer(createDeploymentKeys({ db, keyring, random, clock }), random),
    write: createWriter({
      ...platform,
      keyring,
      ids,
      chainWait: metrics.chainWait,
      writing,
      appended,
      failed: databaseProbe.writeFailed,
    }),
    isWriting: () => writesInProgress > 0,
    history:
      standby && replica
        ? createHistory({ primary: db, replica: standby, watch: replica })
        : historyOnPrimary(db),
    grownChains,
    ...(replica && { replica }),
    tokens: createTokens(keyring, clock),
    cursors: createCursors(keyring, random),
    limiter,
    codeGuard: createCodeGuard({ limiter, clock, log }),
    planLimiter: openLimiter(platform, (tenantId) => `plan:${tenantId}`),
    admission: createAdmission(timers),
    outbound: createOutbound({
      settings: config.outbound,
      timers,
      ...(resolveHost && { resolve: resolveHost }),
    }),
    ...(config.mail && { mail: await openMail({ settings: config.mail, clock, timers, ids, log }) }),
    bus,
    followedChains: createFollowedChains({ bus, clock, db, log, timers }),
    streams: createStreams(timers),
    meter: createMeter({ db, log }),
    counters: createCounters(),
    metrics,
    startedAt: clock.now(),
    ...(chain && { anchoring: createAnchoring({ db, clock, ids, random, log }, chain) }),
  };
  const deps: App['deps'] = {
    ...basis,
    webhooks: createWebhookWorker(basis),
    openId: createOpenId(basis, oidcLifetimes),
  };
  registerGauges(deps);
  const routes = routesOf(platform.version);
  const http = await createHttp(
    deps,
    {
      key: createKeyCheck(deps),
      device: (credentials) => authenticateDevice(deps, credentials),
      staff: (credentials) => authenticateStaff(deps, credentials),
      console: (credentials) => authenticateConsole(deps, credentials),
      admin: (credentials) => authenticateAdmin(deps, credentials),
      legacy: () => authenticateLegacy(deps),
    },
    routes,
  );
  return { http, deps, routes };
}
