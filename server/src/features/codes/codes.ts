import { networkOf, UNREADABLE } from '../../base/address.js';
import { NIL_UUID } from '../../base/crypto/random.js';
import { fail } from '../../base/errors.js';
import type { CodeGuard, Deps } from '../../http/deps.js';
import type { Scope } from '../../ledger/audit-store.js';
import type { UnauditedWrite } from '../../ledger/unaudited.js';
import type { TenantWrite, Write } from '../../ledger/write.js';
import { drawCode, normaliseCode } from '../../model/code.js';
import * as store from './codes.store.js';

export { CODE_EXPIRY } from './codes.store.js';

export type CodePurpose = store.CodePurpose;

const TTL_MS = 15 * 60_000;
const MINUTE_MS = 60_000;

export interface MintedCode {
  readonly code: string;
  readonly expires_at: string;
}

/** Creates a code for the subject and deletes its unused ones. Stores only a keyed hash, because a plain hash of 38 bits can be reversed. */
export async function mintCode(
  w: TenantWrite,
  { keyring, random, clock }: Pick<Deps, 'keyring' | 'random' | 'clock'>,
  purpose: CodePurpose,
  subjectId: string,
  ttlMs = TTL_MS,
): Promise<MintedCode> {
  const now = clock.now();
  const code = drawCode((size) => random.bytes(size));
  const expiresAt = new Date(now + ttlMs);
  const hash = keyring.hmac('codes', `${purpose}|${code}`);
  const outcome = await store.replaceCode(w, { hash, purpose, subjectId, expiresAt }, new Date(now));
  // The same one of 27^8 codes was drawn twice. A retry will succeed.
  if (outcome === 'taken') fail('service_unavailable', { because: 'the generated code is already in use' });
  if (outcome === 'no room') {
    fail('rate_limit_exceeded', {
      message: 'The account has 2,000 live codes. Let some expire.',
      retryAfterSeconds: TTL_MS / 1000,
    });
  }
  return { code, expires_at: expiresAt.toISOString() };
}

/** The hashes of a typed code under the current and the previous secret; none if it is malformed. */
function codeHashes({ keyring }: Pick<Deps, 'keyring'>, purpose: CodePurpose, text: string): string[] {
  const code = normaliseCode(text);
  return code === undefined ? [] : keyring.hmacs('codes', `${purpose}|${code}`);
}

/** Consumes a code; false if it was used, replaced or has expired, or if its tenant is no longer active. */
export const consumeCode = (w: Write, hash: string, purpose: CodePurpose, now: Date): Promise<boolean> =>
  store.consumeCode(w, hash, purpose, now);

/** Deletes the unused codes of a subject. */
export const forgetCodes = (w: Write, subjectId: string): Promise<void> => store.forgetCodes(w, subjectId);

export type LiveCode = store.LiveCode;

/** Stands in for an unknown code, so the look-ups after it do the same work. No row has these ids. */
export const UNKNOWN_CODE: LiveCode = {
  hash: '',
  scope: { tenantId: NIL_UUID, environment: 'live' },
  subjectId: NIL_UUID,
  companyName: '',
  policy: {},
};

/** What a code leads to, with the code. */
export type OfCode<T> = T & { readonly code: LiveCode };

/**
 * Looks up what a typed code leads to: first the code, then its subject with the code's tenant, which tells a distributed
 * database where to look. An unknown code costs the same: `find` then runs for a tenant that does not exist.
 */
export async function followCode<T>(
  deps: Pick<Deps, 'db' | 'keyring'>,
  purpose: CodePurpose,
  text: string,
  now: Date,
  find: (code: LiveCode) => Promise<T | undefined>,
): Promise<OfCode<T> | undefined> {
  const code = await store.findCode(deps.db, codeHashes(deps, purpose, text), purpose, now);
  const found = await find(code ?? UNKNOWN_CODE);
  return code && found && { ...found, code };
}

const WRONG = ['codes|wrong', 100, MINUTE_MS] as const;
const GUARDED_MS = 15 * MINUTE_MS;
/** The guard is itself a rate-limit window, so all nodes share it. It is up while the window is full. */
const UP = ['codes|up', 1, GUARDED_MS] as const;
/** While the guard is up, each network has one attempt in this window. */
const ATTEMPTS: readonly [number, number] = [1, GUARDED_MS];
/** All clients together whose address nobody can read. */
const UNREADABLE_ATTEMPTS: readonly [number, number] = [100, GUARDED_MS];

export function createCodeGuard({ limiter, clock, log }: Pick<Deps, 'limiter' | 'clock' | 'log'>): CodeGuard {
  const isUp = async () => !(await limiter.peek(...UP)).allowed;
  const spendAttempt = async (address: string) => {
    if (!(await isUp())) return;
    const attempts = address === UNREADABLE ? UNREADABLE_ATTEMPTS : ATTEMPTS;
    const { allowed, retryAt } = await limiter.hit(`codes|network|${networkOf(address)}`, ...attempts);
    if (!allowed)
      fail('rate_limit_exceeded', {
        retryAfterSeconds: Math.max(1, Math.ceil((retryAt - clock.now()) / 1000)),
      });
  };
  const countWrong = async () => {
    if ((await limiter.hit(...WRONG)).allowed || !(await limiter.hit(...UP)).allowed) return;
    log.warn('more than 100 wrong codes in a minute: the guard on guessing is up for 15 minutes');
  };
  return {
    isUp,
    async watch({ address, subjectId }, lookUp) {
      if (subjectId === undefined) await spendAttempt(address);
      const found = await lookUp();
      if (found !== undefined) return found;
      if (subjectId !== undefined) await spendAttempt(address);
      await countWrong();
      return undefined;
    },
  };
}

/** Forgets all codes after a restore: one that was used since the backup is unused in it. */
export const deleteRestoredCodes = (w: UnauditedWrite<'restored rows'>, scope: Scope): Promise<void> =>
  store.deleteRestoredCodes(w, scope);
