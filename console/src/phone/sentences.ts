import { isSvcError, SvcError, type SvcErrorCode } from '@svc/sdk';

const SPENT = 'Ask the desk for a new one, and scan that.';

/** What a refusal means on a phone, and what to do. Where there is nothing better to say, the service's own sentence stands. */
const SENTENCES: Partial<Record<SvcErrorCode, string>> = {
  pair_failed: `This code was used already, or ran out. ${SPENT}`,
  enroll_failed: `This registration ran out, or was ended at the desk. Nothing was registered. ${SPENT}`,
  verify_failed: `The desk’s service did not accept this registration: it ran out, or the person is registered already. Nothing was kept. ${SPENT}`,
  pairing_session_not_found:
    'This code ran out, or was used already. Let the desktop show a new one, and scan that.',
  pairing_session_expired: 'This code ran out. Let the desktop show a new one, and scan that.',
  pairing_session_already_bound:
    'This code was used already: look whether the desktop is signed in. If that was not you, tell who runs the account.',
  pairing_nonce_mismatch:
    'The code on the desktop is another one by now. Scan the one that it shows at this moment.',
  verification_failed:
    'The service did not accept this phone’s identity. It may have been revoked, or the person made inactive: ask who runs the account.',
  invalid_api_key:
    'The account has ended this phone’s link. Remove the link here, then scan the one on the dashboard’s page “Pairing” again.',
  insufficient_scopes:
    'This phone’s link may not sign desktops in. Remove it here, then scan the one on the dashboard’s page “Pairing” again.',
  device_attestation_required:
    'This account signs in only from phones that their maker vouches for. No web page can have that: use the account’s app.',
  device_attestation_insufficient:
    'This account signs in only from phones that their maker vouches for. No web page can have that: use the account’s app.',
  circuit_not_pinned:
    'The service sent proving files that this page doesn’t know. They were not used, and no proof was sent. Reload the page and try again. If you see this again, contact the operator of the service.',
  unreachable: 'The service did not answer. Look at the network, then try again.',
};

/** The same error with the sentence for a phone. */
export function explained(error: unknown): unknown {
  const sentence = isSvcError(error) ? SENTENCES[error.code] : undefined;
  return isSvcError(error) && sentence ? new SvcError(error.code, sentence, error) : error;
}

const OVER =
  /^(pair|enroll|verify|pairing|device|foreign|malformed|verification|invalid|insufficient|tenant|monthly)_/;

/** Whether the same code may still do. */
export const mayTryAgain = (error: unknown): boolean => !isSvcError(error) || !OVER.test(error.code);
