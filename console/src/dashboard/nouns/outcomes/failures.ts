import type { FailureReason, Verification } from '@svc/sdk';

/** Why a verification failed, as a name and a sentence, and what to do. */
export interface Failure {
  readonly name: string;
  readonly why: string;
  readonly next: string;
}

const FAILURES: Readonly<Record<FailureReason, Failure>> = {
  invalid_proof: {
    name: 'Invalid proof',
    why: 'The proof is not valid.',
    next: 'Check that the app uses the circuit of this service and that the proof arrives unchanged.',
  },
  stale: {
    name: 'Timestamp too far off',
    why: 'The timestamp was more than five minutes off.',
    next: 'Request a nonce for each verification and use the timestamp that comes with it.',
  },
  wrong_binding: {
    name: 'Wrong binding',
    why: 'The proof was made for another nonce, account, environment or purpose.',
    next: 'Make sure that the phone builds the proof from exactly the nonce, account and environment that this service returned.',
  },
  unbound: {
    name: 'Unbound proof',
    why: 'The proof is not bound to a nonce, so it is not accepted.',
    next: 'Update the app so that it binds its proofs. The security policy can allow unbound proofs of people who never sent a bound one.',
  },
  unknown_identity: {
    name: 'Unknown identity',
    why: 'No identity with this DID is registered here.',
    next: 'Register the person. If they are registered, check that the phone uses the same account and environment.',
  },
  revoked: {
    name: 'Identity revoked',
    why: 'The identity was revoked.',
    next: 'If the person should have access, register another phone on their page. A revoked identity stays revoked.',
  },
  not_in_force: {
    name: 'Not usable yet',
    why: 'The identity was added or recovered, and its cool-down is not over.',
    next: 'Wait until the cool-down of the security policy is over, or use another phone of the person.',
  },
  inactive_user: {
    name: 'Person inactive',
    why: 'The person is inactive.',
    next: 'Activate the person if they should have access.',
  },
  wrong_secret: {
    name: 'Wrong secret',
    why: 'The phone’s secret is not the one that was registered.',
    next: 'The phone may have changed its key, or was set up again: then register another phone on the person’s page. Otherwise, somebody else may be using their DID.',
  },
  locked: {
    name: 'Numbers locked',
    why: 'Signing in with a number was locked after three wrong numbers.',
    next: 'Ask the person to try again after an hour, and to type the number that the screen shows.',
  },
  nonce_used: {
    name: 'Nonce already used',
    why: 'The nonce had already been used.',
    next: 'Request a new nonce for each verification. If your backend already does, somebody may be replaying a recorded proof.',
  },
  wrong_number: {
    name: 'Wrong number',
    why: 'The number typed on the phone was not the one on the screen.',
    next: 'Ask the person to start again and to type the number that the screen shows. After three wrong numbers in a day, numbers are locked for an hour.',
  },
  new_browser: {
    name: 'New browser',
    why: 'The browser is new to the person, and the security policy asks for the phone beside it.',
    next: 'Ask the person to sign in on the phone itself, or on the hosted sign-in page with a phone that has a screen lock.',
  },
  expired: {
    name: 'Expired',
    why: 'The sign-in expired while the proof was being checked.',
    next: 'Ask the person to start again.',
  },
  declined: {
    name: 'Declined',
    why: 'The sign-in was declined while the proof was being checked.',
    next: 'Ask the person whether they started this sign-in. If they did, they can start again.',
  },
  closed: {
    name: 'Sign-in ended',
    why: 'The sign-in ended while the proof was being checked.',
    next: 'If the person is not signed in, ask them to start again.',
  },
  attestation: {
    name: 'Attestation too weak',
    why: 'The phone’s attestation did not meet the security policy.',
    next: 'Use a phone that meets the policy, or change the policy.',
  },
  attestation_level: {
    name: 'No verified passkey',
    why: 'The proof came without an assertion by an enrolled passkey, or the level of that passkey is too low for the security policy.',
    next: 'Ask the person to open the phone page and to turn on its passkey, or change the policy.',
  },
  unknown_sign_on: {
    name: 'Unknown sign-on',
    why: 'The sign-on was not started here, was used before, or took longer than ten minutes.',
    next: 'Ask the person to start again.',
  },
  invalid_response: {
    name: 'Invalid response',
    why: 'The response of the identity provider was not valid.',
    next: 'Ask the person to start again. Send the response of the provider unchanged.',
  },
  registered_identity: {
    name: 'Registered identity',
    why: 'The person has a registered identity, so simulated sign-on is not accepted.',
    next: 'Ask the person to verify with their phone.',
  },
};

/** The words for a reason of the service. Undefined for any other text, also a reason of a newer version. */
export const failureOf = (reason: string | null): Failure | undefined =>
  reason !== null && Object.hasOwn(FAILURES, reason) ? FAILURES[reason as FailureReason] : undefined;

/** The methods whose results the service itself records. */
const OWN: readonly Verification['method'][] = ['zkp', 'saml', 'oidc'];

/** Why the service recorded a verification as failed. Undefined for other results, and for records of an account with its own text. */
export const failureIn = ({
  method,
  result,
  reason,
}: Pick<Verification, 'method' | 'result' | 'reason'>): Failure | undefined =>
  result === 'fail' && OWN.includes(method) ? failureOf(reason) : undefined;
