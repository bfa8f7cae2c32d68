/**
 * What an entry says, by its action. `{actor}` is who did it, `{record}` what the entry is about with its noun, `{person}` the
 * person, and `{subject}` the person of a registration. Other names in braces are fields of the metadata.
 */
interface Template {
  readonly success: string;
  /** Default: the sentence of a success, followed by “This failed”. */
  readonly failure?: string;
}

const SIGN_IN = { success: '{person} signed in with a phone', failure: 'A sign-in of {person} failed' };
const WRONG_NUMBER = '{person} typed a wrong number for {record}, so it did not count';
const SIGN_ON = { success: '{person} signed on', failure: 'A simulated sign-on failed' };

export const TEMPLATES: Readonly<Record<string, string | Template>> = {
  'tenant.created': '{actor} created the account',
  'tenant.login_failed': {
    success: 'Somebody typed a wrong password at the log-in',
    failure: 'Somebody typed a wrong password at the log-in',
  },
  'tenant.logged_out': '{actor} ended all of their log-ins',
  'tenant.password_changed': '{actor} changed their password',
  'tenant.security_policy_replaced': '{actor} replaced the security policy',
  'tenant.security_policy_changed': '{actor} changed the security policy',
  'tenant.profile_changed': '{actor} changed the company profile',
  'tenant.exported': '{actor} exported {records}',
  'tenant.plan_changed': 'The operator changed the plan',
  'tenant.suspended': 'The operator suspended the account',
  'tenant.activated': 'The operator activated the account',
  'tenant.deactivated': 'The operator deactivated the account',
  'tenant.closed': '{actor} closed the account',
  'tenant.reopened': '{actor} reopened the account',
  'tenant.deleted': 'The service deleted the records of the closed account',
  'tenant.retention_applied': 'The service deleted records that were older than the retention time',
  'tenant.restore_confirmed': '{actor} confirmed the identities after a restore from a backup',
  'tenant.password_reset_sent': 'The service sent {record} a link to choose a new password',
  'tenant.password_reset': 'The password of {record} was replaced',
  'member.invited': '{actor} invited {record}',
  'member.joined': '{record} joined the account',
  'member.changed': '{actor} changed the name of {record}',
  'member.role_changed': '{actor} changed the role of {record} from {from} to {to}',
  'member.removed': '{actor} removed {record}',
  'member.logged_in': '{record} logged in',
  'member.logged_out': '{record} ended one of their log-ins',
  'member.confirmed': '{record} confirmed who they are',
  'passkey.added': '{actor} added {record}',
  'passkey.removed': '{actor} removed {record}',
  'api_key.created': '{actor} created {record}',
  'api_key.updated': '{actor} changed {record}',
  'api_key.rotated': '{actor} replaced {record} with a new key',
  'api_key.revoked': '{actor} revoked {record}',
  'device.created': '{actor} registered {record}',
  'device.updated': '{actor} changed {record}',
  'device.enrolled': '{record} enrolled with its code',
  'device.code_regenerated': '{actor} replaced the enrollment code of {record}',
  'device.revoked': '{actor} revoked {record}',
  'device.session_opened': '{record} opened a session with its key',
  'user.created': '{actor} added {record}',
  'user.updated': '{actor} changed {record}',
  'user.erased': '{actor} erased {record}',
  'browser.known': '{record} became known to {person}',
  'browser.forgotten': '{record} is no longer known',
  'attendance.created': '{actor} recorded {a type} of {person}',
  'registration.started': '{actor} started a registration of {subject}',
  'registration.device_paired': 'A phone scanned the code for the registration of {subject}',
  'registration.commitment_submitted': 'The phone of {subject} created its secret',
  'registration.completed': '{subject} registered a phone',
  'registration.abandoned': {
    success: '{actor} abandoned the registration of {subject}',
    failure: 'The registration of {subject} ended after five invalid proofs',
  },
  'registration.expired': 'The registration of {subject} expired',
  'verification.created': '{actor} recorded a verification of {person}',
  'identity.register': '{actor} registered a phone of {person}',
  'identity.verify': { success: '{person} proved who they are', failure: 'A proof of {person} failed' },
  'identity.revoked': '{actor} revoked a phone of {person}',
  'identity.addition_opened': '{person} asked to add another phone',
  'identity.addition_rejected': 'Two phones of {person} showed different digits, so none was added',
  'identity.added': '{person} added a phone',
  'identity.rotated': 'A phone of {person} renewed its secret',
  'identity.recovery_opened': 'A new phone waits to replace the phones of {person}',
  'identity.recovery_contested': 'A phone of {person} objected to the recovery',
  'identity.recovery_confirmed': '{actor} confirmed the recovery of {person}',
  'identity.recovery_cancelled': '{actor} stopped the recovery of {person}',
  'identity.recovery_completed': 'A new phone replaced the earlier phones of {person}',
  'approval.created': '{actor} asked people to approve {record}',
  'approval.approved_by': { success: '{person} approved {record}', failure: WRONG_NUMBER },
  'approval.declined_by': { success: '{person} declined {record}', failure: WRONG_NUMBER },
  'approval.approved': 'Enough people approved {record}',
  'approval.declined': 'Too many people declined {record}',
  'approval.expired': 'The time for {record} ran out',
  'approval.cancelled': '{actor} cancelled the request to approve {record}',
  'approval.consumed': '{actor} used the approval of {record}',
  'identity.leaf_added': 'A phone of {person} got its leaf in the audit chain',
  'attestation.added': 'A phone of {person} enrolled its passkey',
  'attestation.revoked': '{actor} revoked the passkey of a phone of {person}',
  'chain.restored': 'The operator restored the database from a backup, which ended every session',
  'chain.records_sealed': 'From here on, each record is sealed in the audit chain',
  'chain.leaves_complete': 'Every existing identity got its leaf in the audit chain',
  'zkp.register': '{actor} derived a commitment from a template. Neither was stored',
  'zkp.verify': {
    success: '{actor} checked a proof without a person',
    failure: 'A proof without a person failed',
  },
  'pairing.session_created': '{actor} opened {record}',
  'pairing.submit': SIGN_IN,
  'pairing.proved': 'The proof of {person} is valid, and the sign-in waits for the phone beside the browser',
  'pairing.integrity_rejected': {
    success: 'A phone did not meet the security policy',
    failure: 'A sign-in failed, because the phone did not meet the security policy',
  },
  'pairing.binding_rejected': {
    success: 'A proof was made for another sign-in',
    failure: 'A sign-in failed, because its proof was made for another one',
  },
  'pairing.match_failed': {
    success: '{person} typed a wrong number, which ended the sign-in',
    failure: '{person} typed a wrong number, which ended the sign-in',
  },
  'pairing.declined': 'Somebody declined a sign-in on the phone',
  'pairing.cancelled': '{actor} cancelled {record}',
  'pairing.redeemed': '{person} signed in on the phone itself',
  'session.refreshed': 'A session of {person} was renewed',
  'session.logged_out': '{person} signed out',
  'session.ended': '{actor} ended a session of {person}',
  'session.revoked': 'A session of {person} ended, because an old token was used again',
  'saml.started': '{actor} began a simulated SAML sign-on',
  'saml.verify': SIGN_ON,
  'oidc.started': '{actor} began a simulated OpenID sign-on',
  'oidc.verify': SIGN_ON,
  'quota.threshold': 'The account used {percent} % of the requests of its plan this month',
  'webhook.created': '{actor} created {record}',
  'webhook.updated': '{actor} changed {record}',
  'webhook.deleted': '{actor} deleted {record}',
  'webhook.secret_rotated': '{actor} replaced the secret of {record}',
  'webhook.enabled': '{actor} turned on deliveries to {record}',
  'webhook.disabled': 'The service turned off deliveries to {record}',
  'webhook.replayed': '{actor} sent past events to {record} again',
  'oidc_client.created': '{actor} created {record}',
  'oidc_client.updated': '{actor} changed {record}',
  'oidc_client.deleted': '{actor} deleted {record}',
  'oidc_client.secret_rotated': '{actor} replaced the secret of {record}',
  'oidc.key_rotated': 'The service replaced the key that signs ID tokens',
  'oidc.authorized': '{person} signed in to {record}',
  'oidc.token_issued': '{record} received tokens for {person}',
  'oidc.grant_revoked': 'A sign-in of {person} to {record} ended',
  'oidc.logout_sent': {
    success: 'The service told {record} that {person} signed out',
    failure: 'The service could not tell {record} that {person} signed out',
  },
};

/** The template for an outcome. Undefined for an action of a newer version. */
export function templateOf(action: string, status: 'success' | 'failure'): string | undefined {
  const found = Object.hasOwn(TEMPLATES, action) ? TEMPLATES[action] : undefined;
  if (found === undefined) return undefined;
  const { success, failure } = typeof found === 'string' ? { success: found } : found;
  return status === 'success' ? success : (failure ?? `${success}. This failed`);
}
