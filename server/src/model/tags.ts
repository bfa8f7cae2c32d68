/** The groups of operations in the document. An operation belongs to the first group whose pattern matches its path. */
export const TAGS: readonly (readonly [name: string, paths: RegExp, description: string])[] = [
  ['Health', /^\/api\/health/, 'Whether the service and its parts work.'],
  [
    'Account',
    /^\/api\/(console\/(signup|login|session(\/passkey.*)?|logout|password|account(\/[a-z-]+)?|security-policy(\/reach)?|retention|profile)|product)$|^\/(product-logo|logos)\//,
    'The developer’s account: signing up, logging in, limits, and what it demands of a verification.',
  ],
  [
    'Members',
    /^\/api\/console\/(members|invitations|login-sessions|step-up|passkeys|password\/)/,
    'Who works with the account, what they may do, and how they log in.',
  ],
  ['API keys', /^\/api\/console\/keys/, 'Keys of the account. A raw key is shown once, at its creation.'],
  [
    'Usage',
    /^\/api\/console\/(usage|overview|open-now|requests)(\/|$)/,
    'What the account has used, and what there is of everything.',
  ],
  [
    'Devices',
    /\/devices|^\/v1\/profile$/,
    'Devices of the tenant, enrolling one by a one-time code, and what a kiosk shows of the account.',
  ],
  ['Reception', /^\/v1\/staff\//, 'What a member does at a desk, for some minutes.'],
  ['Users', /\/users|^\/v1\/(phone\/)?browsers\//, 'Reference data of people; never anything biometric.'],
  ['Verifications', /\/verifications/, 'Records of who was verified, how, and with what result.'],
  [
    'Attendance',
    /\/attendance|^\/v1\/(sites|phone\/member-link)/,
    'Records of who came and went, and the working time of each site.',
  ],
  ['Activity', /^\/v1\/activity/, 'What happened, of all kinds together.'],
  ['Audit', /^\/(v1|api\/console)\/audit/, 'The tenant’s hash-chained audit log.'],
  [
    'Events',
    /^\/(v1|api\/console)\/events/,
    'Every event of an environment in order, as a feed or as a stream.',
  ],
  [
    'Webhooks',
    /^\/(v1|api\/console)\/webhooks/,
    'Where events are sent, what was sent, and sending it again.',
  ],
  [
    'OpenID Provider',
    /^\/(api\/console\/oidc|oidc|sign-in)\//,
    'Applications that sign people in through this service by OpenID Connect.',
  ],
  ['Anchors', /^\/v1\/anchors/, 'Records that are tied to a chain, and proofs of it.'],
  [
    'Registration',
    /\/registrations/,
    'The ceremony by which a person’s phone registers an identity: pair, commit, prove.',
  ],
  [
    'Identity',
    /^\/(v1\/(identity|sessions|recoveries)(\/|$)|v1\/phone\/(identity|additions|recoveries)(\/|$)|api\/console\/(identities|sessions)(\/|$))/,
    'Identities, proofs against them, and the sessions that proofs open.',
  ],
  [
    'Approvals',
    /^\/v1\/(phone\/)?approvals/,
    'What people approve on their phones, and programs then do once.',
  ],
  [
    'Attestation',
    /^\/v1\/(phone\/)?attestation/,
    'The key of a phone, which signs the proofs of its identity.',
  ],
  ['Proofs', /^\/(v1\/auth\/zkp|zk)\//, 'What a phone needs in order to prove.'],
  [
    'Proof pairing',
    /^\/(v1\/(proof-|phone\/)pairing|api\/console\/pairing)/,
    'A desktop shows a code, a phone proves, the desktop gets tokens.',
  ],
  ['Sign-on', /^\/v1\/auth\/(saml|oidc)\//, 'SAML and OIDC against a simulated identity provider.'],
  [
    'Simulated provider',
    /^\/demo\/idp\//,
    'The identity provider that is simulated; only where it is enabled.',
  ],
  ['Legacy', /^\/api\/auth\//, 'The surface before `/v1`, for internal tooling; do not build on it.'],
  ['Operator', /^\/api\/(admin\/|leads$)/, 'Read-only views for who runs the service.'],
  ['Leads', /^\/(api\/leads\/|downloads\/)/, 'Forms and downloads of the public site.'],
  ['Documentation', /^\/(docs\b.*|openapi\.json)$/, 'This document, and the pages that errors point to.'],
];
