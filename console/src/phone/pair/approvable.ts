import { type EnrolledAt, isSvcError, type PairingCode, parsePairingCode, readShortCode } from '@svc/sdk';
import {
  type Approvable as ApprovableBy,
  declinePairing,
  findForCode,
  nearestIdentity,
} from '@svc/sdk/phone';
import { isRetryable, PhoneError } from '../language/messages';
import { t } from '../language/strings';
import { phoneWith } from '../ports/ports';
import { SERVICE } from '../service';
import { readIdentities } from '../vault/identities';
import type { SealedSecret } from '../vault/sealed';

/** `askedAt`: the service's time when it said who asks. */
export type Approvable = ApprovableBy<SealedSecret> & { readonly askedAt: number };

/** Finds the identities for a code. @throws PhoneError `foreign_code` for a code of another service, account or environment */
export async function findApprovable(text: string, signal?: AbortSignal): Promise<Approvable> {
  try {
    const phone = phoneWith();
    return { ...(await findForCode(phone, text, { signal })), askedAt: phone.service.serverNow() };
  } catch (error) {
    if (!isSvcError(error, 'foreign_code')) throw error;
    if (readShortCode(text)) throw new PhoneError('foreign_code', t.errors.unknownCode);
    const code = parsePairingCode(text);
    const nearest = nearestIdentity(await readIdentities(), code);
    throw new PhoneError('foreign_code', foreignMessage(code, nearest ?? { ...code, baseUrl: SERVICE }));
  }
}

function foreignMessage(code: PairingCode, enrolledAt: EnrolledAt): string {
  const [origin, own] = [code, enrolledAt].map(({ baseUrl }) => new URL(baseUrl).origin) as [string, string];
  if (origin !== own) return t.errors.foreignService(origin, own);
  if (code.tenantId !== enrolledAt.tenantId) return t.errors.foreignAccount;
  if (code.environment !== enrolledAt.environment) return t.errors.foreignEnvironment[enrolledAt.environment];
  // The same host with another path.
  return t.errors.foreignService(code.baseUrl, enrolledAt.baseUrl);
}

/** A person who does not unlock the phone until then declines without a proof. */
const PROOF_MS = 30_000;

/** What became of a sign-in that the person said was not theirs. */
export type DeclineOutcome = 'declined' | 'over' | 'signedIn';

/** Tells the service that the person did not ask for this sign-in, which ends it. */
export async function declineAsNotMe(
  found: Approvable,
  scanTicket: string,
  phone = phoneWith(),
): Promise<DeclineOutcome> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const proofUntil = new Promise((resolve) => {
    timer = setTimeout(resolve, PROOF_MS);
  });
  try {
    await declinePairing(phone, found, { reason: 'not_me', scanTicket, proofUntil });
    return 'declined';
  } catch (error) {
    if (isSvcError(error, 'pairing_session_already_bound')) return 'signedIn';
    if (isRetryable(error)) throw error;
    return 'over';
  } finally {
    clearTimeout(timer);
  }
}
