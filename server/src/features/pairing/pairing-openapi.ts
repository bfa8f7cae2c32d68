import type { Static } from 'typebox';
import { exampleOf } from '../../http/openapi/example.js';
import type { ErrorCode } from '../../model/errors.js';
import { ids, secrets } from '../../model/example-fixtures.js';
import { PollReply } from './pairing.schema.js';

const pair = `${ids.pairing}~${secrets.refreshToken}`;
export const cookies = {
  svc_pair_bind: { description: 'What creation set in this browser.', example: pair },
} as const;

/** The only event of a session that is already bound. */
export const streamExample = (() => {
  const { session, tokens } = exampleOf(PollReply, 'stream') as Static<typeof PollReply>;
  const { id, state, userId, did } = session;
  return `id: 2\nevent: session_bound\ndata: ${JSON.stringify({ id, state, userId, did, tokens })}\n\n`;
})();

/** The response header that sets the cookie. */
export const setsCookie = {
  'Set-Cookie': {
    description: 'Up to four `session~secret` pairs, joined by dots.',
    example: `svc_pair_bind=${pair}; Max-Age=300; Path=/v1/proof-pairing/; HttpOnly; Secure; SameSite=Strict`,
  },
};

/** The errors of a phone's operations, with an API key and without. */
const ended = [
  'pairing_session_already_bound',
  'pairing_session_closed',
  'pairing_session_expired',
  'pairing_code_stale',
] as const satisfies ErrorCode[];

export const contextErrors = ended;
export const declineErrors = ['verification_failed', ...ended] as const satisfies ErrorCode[];
export const submitErrors = [
  'device_attestation_required',
  'device_attestation_insufficient',
  'pairing_match_required',
  'pairing_match_failed',
  'pairing_nonce_mismatch',
  'verification_failed',
  'new_browser_refused',
  'chain_unavailable',
  ...ended,
] as const satisfies ErrorCode[];
