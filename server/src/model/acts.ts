import type { Need } from './roles.js';
import type { ApiScope } from './scopes.js';

/** Who may do a guarded act, by each kind of credential. The session of a device may do none of them. */
export interface Guard {
  /** What happens, as a sentence for the docs. */
  readonly does: string;
  /** The scope that an API key needs, or null: no key can do it. */
  readonly scope: ApiScope | null;
  /** What a member needs. They must also have confirmed who they are within the last five minutes. */
  readonly role: Need;
  /** Members do it in `test` only. */
  readonly onlyTest?: true;
  /** What stands in for the confirmation with an API key, which nobody can ask who they are. */
  readonly withKey: string;
  /** Who gets an e-mail. */
  readonly tells?: string;
}

const MADE = 'the key has the scope, and a confirmed member made the key';
const MADE_BY_OWNER = 'the key has the scope, and only a confirmed owner makes such a key';
const NO_KEY = 'no key can do it';

/**
 * The acts that an attacker with an open browser or a stolen key would want. An act is guarded by what it does, whatever route it is
 * reached by: each route names the acts that it can cause, and `requireAct` judges them.
 */
export const ACTS = {
  recover: {
    does: 'Open a recovery: a new phone replaces all phones of a person whose identities are protected',
    scope: 'users:recover',
    role: 'owner',
    withKey: `${MADE_BY_OWNER}; all phones of the person show it, and can object`,
    tells: 'owners',
  },
  ask_recovery: {
    does: 'Ask for a recovery, which an owner has to confirm before a new phone replaces any other',
    scope: null,
    role: 'reception',
    withKey: NO_KEY,
    tells: 'owners',
  },
  add_phone: {
    does: 'Add a phone to a person who exists',
    scope: 'users:write',
    role: 'reception',
    withKey: `${MADE}; of a person whose identities are protected and who had one, it is a recovery`,
  },
  revoke_identity: {
    does: 'Revoke an identity, which ends its sessions',
    scope: 'zkp:register',
    role: 'reception',
    withKey: MADE,
  },
  end_recovery: {
    does: 'End a recovery that waits, also by revoking its identity or its phone',
    scope: 'users:recover',
    role: 'owner',
    withKey: MADE_BY_OWNER,
  },
  lift_hold: {
    does: 'Confirm a recovery that is held',
    scope: 'users:recover',
    role: 'owner',
    withKey: `${MADE_BY_OWNER}; where two owners have to confirm, no key can`,
  },
  revoke_attestation: {
    does: 'Revoke the attestation key of a phone',
    scope: 'zkp:register',
    role: 'developer',
    withKey: MADE,
  },
  write_claims: {
    does: 'Write what becomes a claim of an application',
    scope: 'users:claims',
    role: 'developer',
    withKey: `${MADE}; no key has it by default`,
  },
  confirm_name: {
    does: 'Confirm the name of a person',
    scope: null,
    role: 'reception',
    withKey: NO_KEY,
  },
  deactivate: {
    does: 'Deactivate a person, which ends their sessions',
    scope: 'users:write',
    role: 'reception',
    withKey: MADE,
  },
  readmit: {
    does: 'Let a person back in who was deactivated',
    scope: 'users:write',
    role: 'developer',
    withKey: MADE,
  },
  enrol_device: {
    does: 'Let a device act alone: create it or its enrolment code, enrol it, or make it active again',
    scope: 'devices:write',
    role: 'developer',
    withKey: `${MADE}; a key makes no enrolment code, so a device that it creates has no key of its own`,
    tells: 'owners, when a device with a key is enrolled',
  },
  revoke_device: {
    does: 'Revoke a device with the identities that were created on it, or retire it',
    scope: 'devices:write',
    role: 'developer',
    withKey: `${MADE}; a key only retires`,
  },
  ask_approval: {
    does: 'Ask people for an approval',
    scope: 'approvals:write',
    role: 'developer',
    onlyTest: true,
    withKey: MADE,
  },
  cancel_approval: {
    does: 'Cancel an approval that waits',
    scope: 'approvals:write',
    role: 'developer',
    withKey: MADE,
  },
  consume_approval: {
    does: 'Use an approval',
    scope: 'approvals:consume',
    role: 'developer',
    onlyTest: true,
    withKey: MADE,
  },
  erase: {
    does: 'Erase a person, which ends their recovery and their phones',
    scope: 'users:erase',
    role: 'owner',
    withKey: MADE_BY_OWNER,
  },
  change_webhook: {
    does: 'Create, change or delete a webhook, or replace its secret',
    scope: 'webhooks:write',
    role: 'developer',
    withKey: MADE,
  },
  change_key: {
    does: 'Make, change, rotate or revoke an API key',
    scope: null,
    role: 'developer',
    withKey: NO_KEY,
    tells: 'owners, of a new key',
  },
  change_owner_key: {
    does: 'The same with a key that only owners make: with `users:recover` or `users:erase`',
    scope: null,
    role: 'owner',
    withKey: NO_KEY,
    tells: 'owners, of a new key',
  },
  change_application: {
    does: 'Create, change or delete an application, or replace its secret',
    scope: null,
    role: 'developer',
    withKey: NO_KEY,
  },
  change_policy: {
    does: 'Change the security policy',
    scope: null,
    role: 'owner',
    withKey: NO_KEY,
  },
  correct_hours: {
    does: 'Propose a correction of hours, decide about one, or record hours for somebody who did not agree',
    scope: null,
    role: 'member',
    withKey: NO_KEY,
    tells: 'the person, on their phone',
  },
  open_inspection: {
    does: 'Let somebody without an account read the hours of a site, by a link and a code',
    scope: 'attendance:write',
    role: 'member',
    withKey: MADE,
    tells: 'the people of the site, on their phones, of each look',
  },
  reset_pin: {
    does: 'Draw or reset the PIN of a person who clocks in without a phone',
    scope: null,
    role: 'member',
    withKey: NO_KEY,
    tells: 'the person, on their phone',
  },
  change_members: {
    does: 'Invite, change or remove a member',
    scope: null,
    role: 'owner',
    withKey: NO_KEY,
  },
  change_passkey: {
    does: 'Add or remove a passkey of one’s own',
    scope: null,
    role: 'member',
    withKey: NO_KEY,
  },
  confirm_restore: {
    does: 'Unlock identities after a restore',
    scope: null,
    role: 'owner',
    withKey: NO_KEY,
  },
} as const satisfies Readonly<Record<string, Guard>>;

export type Act = keyof typeof ACTS;
export const ACT_NAMES = Object.keys(ACTS) as readonly Act[];
export const guardOf = (act: Act): Guard => ACTS[act];
