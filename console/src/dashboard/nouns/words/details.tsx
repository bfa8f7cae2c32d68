import type { ReactNode } from 'react';
import { Time } from '../../../ui/lists/time';
import { Text } from '../../../ui/lists/value';
import { formatNumber } from '../../../ui/numbers';
import { DeviceReference } from '../device-name';
import { failureOf } from '../outcomes/failures';
import { Reference } from '../reference';
import type { Entry } from './pieces';

/** Reasons of entries that are not about a failed verification. */
const REASONS: Readonly<Record<string, string>> = {
  not_me: 'The person did not start it',
  mistake: 'It was a mistake',
  no: 'The person does not want it',
  five_failures: 'Five proofs were invalid',
  request: 'The person asked for it',
  retention: 'It was kept long enough',
  error: 'It was added by mistake',
  gone: 'The address answered 410 Gone',
  failing: 'Deliveries failed for too long',
  chain_diverged: 'The audit log differs from what was delivered',
};

const BY: Readonly<Record<string, string>> = {
  erasure: 'The erasure of the person',
  phone: 'The person, on a phone',
  identity: 'The revocation of its phone',
  replaced: 'A newer passkey of the phone',
  restore: 'The restore from a backup',
  device: 'The device itself',
};
const ROLES: Readonly<Record<string, string>> = {
  owner: 'Owner',
  developer: 'Developer',
  reception: 'Reception',
  auditor: 'Auditor',
};
const METHODS: Readonly<Record<string, string>> = {
  zkp: 'Proof',
  saml: 'SAML',
  oidc: 'OpenID Connect',
  fingerprint: 'Fingerprint',
  face: 'Face',
  depth: 'Depth',
  manual: 'Manual',
};
const RESULTS: Readonly<Record<string, string>> = { pass: 'Passed', fail: 'Failed', challenge: 'Challenged' };

const wordsOf = (value: string, words: Readonly<Record<string, string>>): string =>
  Object.hasOwn(words, value) ? (words[value] as string) : value;
/** `hourly_limit` and `fullName` as “Hourly limit” and “Full name”. */
const spaced = (name: string): string => {
  const words = name.replaceAll('_', ' ').replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
};
const listed = (names: string): string =>
  names
    .split(/[ ,]+/)
    .filter((name) => name !== '')
    .map(spaced)
    .join(', ');

type Shown = (value: string) => ReactNode;
const number: Shown = (value) => formatNumber(Number(value));

/** The fields of the metadata that people read. All others are in the raw entry. */
const FIELDS: Readonly<Record<string, readonly [name: string, shown: Shown]>> = {
  reason: ['Reason', (value) => failureOf(value)?.why ?? wordsOf(value, REASONS)],
  by: ['Because of', (value) => wordsOf(value, BY)],
  verificationId: ['Verification', (id) => <Reference to="verifications" id={id} name="Show it" />],
  deviceId: ['Device', (id) => <DeviceReference id={id} />],
  fields: ['Changed', listed],
  role: ['Role', (value) => wordsOf(value, ROLES)],
  method: ['Method', (value) => wordsOf(value, METHODS)],
  result: ['Result', (value) => wordsOf(value, RESULTS)],
  plan: ['Plan', (value) => <Text of={spaced(value)} />],
  count: ['Times', number],
  hour: ['In the hour from', (at) => <Time at={at} />],
  tries: ['Invalid proofs', number],
  percent: ['Share of the quota', (value) => `${value} %`],
  quota: ['Requests of the plan', number],
  graceSeconds: ['Both work for', (value) => `${number(value)} seconds`],
  allowedNetworks: ['Networks', number],
};

/** What else an entry says, as facts, without the fields that the page shows elsewhere. */
export const detailsOf = (
  { metadata }: Entry,
  elsewhere: readonly string[] = [],
): Readonly<Record<string, ReactNode>> =>
  Object.fromEntries(
    Object.entries(FIELDS).flatMap(([field, [name, shown]]) => {
      const value = metadata[field];
      return value == null || elsewhere.includes(field) ? [] : [[name, shown(String(value))]];
    }),
  );
