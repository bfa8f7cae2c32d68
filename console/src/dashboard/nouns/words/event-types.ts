import { EVENT_TYPES } from '../../../generated/event-types';

/** What the types of events are about, in words. */
const NAMES: Readonly<Record<string, string>> = {
  tenant: 'Account',
  member: 'Members',
  passkey: 'Passkeys',
  api_key: 'API keys',
  device: 'Devices',
  user: 'People',
  attendance: 'Attendance and working time',
  site: 'Sites',
  approval: 'Approvals',
  registration: 'Registrations',
  verification: 'Verifications',
  identity: 'Identities',
  zkp: 'Proofs without a person',
  pairing: 'Pairing',
  browser: 'Known browsers',
  attestation: 'Phones’ passkeys',
  session: 'Sessions',
  saml: 'Simulated SAML',
  oidc: 'OpenID Connect',
  oidc_client: 'Applications',
  quota: 'Quota',
  webhook: 'Webhooks',
  chain: 'Audit log',
  records: 'Records from before there were seals',
};

/** The types of events with one noun: those that the pattern `noun.*` selects. */
export interface Noun {
  readonly noun: string;
  readonly name: string;
  readonly types: readonly string[];
}

const nounOf = (type: string): string => type.slice(0, type.indexOf('.'));

/** All types of events, in the order of the audit actions. */
export const TYPES: readonly string[] = Object.keys(EVENT_TYPES);

export const NOUNS: readonly Noun[] = [...new Set(TYPES.map(nounOf))].map((noun) => ({
  noun,
  name: NAMES[noun] ?? noun,
  types: TYPES.filter((type) => nounOf(type) === noun),
}));

/** Whether a pattern such as `user.*` selects the type. */
export const isSelected = (pattern: string, type: string): boolean =>
  pattern === '*' || pattern === type || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1)));
