import { fail, invalid } from '../../base/errors.js';
import type { Deps } from '../../http/deps.js';
import type { StaffPrincipal } from '../../http/principal.js';
import type { Read } from '../../ledger/write.js';
import { iso } from '../../records/schema.js';
import { listUnrevoked } from '../identities/identities.js';
import { findByWords } from '../users/users.js';

const MAX_FOUND = 10;
/** Of each desk. Somebody who tries names gets few of them. */
const SEARCHES = 20;
const WINDOW_MS = 10 * 60_000;
const LETTERS = /\p{L}/gu;

/** People whose name has these words. */
export async function findPeople({
  deps,
  read,
  principal,
  query,
}: {
  readonly deps: Pick<Deps, 'limiter' | 'clock'>;
  readonly read: Read;
  readonly principal: StaffPrincipal;
  readonly query: { readonly q: string };
}) {
  const words = query.q.normalize('NFC').trim().split(/\s+/).join(' ');
  if ((words.match(LETTERS) ?? []).length < 3) invalid('query.q', 'must have at least three letters');
  const hit = await deps.limiter.hit(`staff-search|${principal.desk.id}`, SEARCHES, WINDOW_MS);
  if (!hit.allowed)
    fail('rate_limit_exceeded', {
      retryAfterSeconds: Math.max(1, Math.ceil((hit.retryAt - deps.clock.now()) / 1000)),
    });
  const found = await findByWords(read, words, MAX_FOUND);
  const phones = await Promise.all(found.map(({ id }) => listUnrevoked(read, id)));
  return {
    people: found.map(({ id, full_name, name_confirmation }, at) => ({
      id,
      fullName: full_name,
      nameConfirmed: name_confirmation !== null,
      phones: (phones[at] ?? []).map(({ did, created_at }) => ({ did, createdAt: iso(created_at) })),
    })),
  };
}
