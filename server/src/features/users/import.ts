import type { Static } from 'typebox';
import { catchError, fail } from '../../base/errors.js';
import { type Actor, requireAct } from '../../http/access.js';
import type { Deps } from '../../http/deps.js';
import { findSeqOf, listEvents } from '../../ledger/read-events.js';
import type { Read, Write } from '../../ledger/write.js';
import { changesClaims } from './claims.js';
import { claimsEntry, insertUnlessKnown, requireUser } from './users.js';
import type { ImportUsersBody } from './users.schema.js';

type Lines = Static<typeof ImportUsersBody>['users'];
/** For each line the user that was created, or null. */
type Outcome = { id: string | null }[];

/**
 * Creates the users in one write, so that all are created or none. One whose externalId another user has, also one of a line before, is
 * left out. The audit entry of each names the first of them and its line, from 0.
 */
export async function importUsers(
  write: (work: (w: Write) => Promise<Outcome>) => Promise<Outcome>,
  { ids, clock }: Pick<Deps, 'ids' | 'clock'>,
  caller: Actor,
  lines: Lines,
): Promise<Outcome> {
  const imported = write(async (w) => {
    const outcome: Outcome = [];
    const email = lines.find((line) => line.email !== undefined)?.email;
    const isEmailClaim = email !== undefined && (await changesClaims(w, { email }));
    let importId: string | undefined;
    for (const [line, fields] of lines.entries()) {
      const id = ids();
      const now = clock.now();
      const isNew = await insertUnlessKnown(w, id, fields, new Date(now));
      outcome.push({ id: isNew ? id : null });
      if (!isNew) continue;
      const claims = isEmailClaim && fields.email !== undefined;
      if (claims) requireAct('write_claims', caller, w.scope.environment, now);
      importId ??= id;
      w.audit({ entityType: 'user', entityId: id, metadata: { importId, line, ...claimsEntry(claims) } });
    }
    // A write without an entry does not commit.
    return importId === undefined ? fail('external_id_conflict') : outcome;
  });
  return (await catchError('external_id_conflict', imported)) ?? nobody(lines);
}

const nobody = (lines: Lines): Outcome => lines.map(() => ({ id: null }));

/** The outcome of an import, by the first user that it created. */
export async function replayImport(read: Read, lines: Lines, importId: string): Promise<Outcome> {
  const outcome = nobody(lines);
  const { created_at: since } = await requireUser(read, importId);
  const seq = await findSeqOf(read, { action: 'user.created', entityId: importId, since });
  if (seq === undefined) return outcome;
  const range = { after: seq - 1, to: seq + lines.length - 1 };
  const filter = { types: new Set(['user.created']), outcome: 'any' } as const;
  for (const { entity_id, metadata } of await listEvents(read, range, filter, lines.length))
    if (metadata.importId === importId) outcome[metadata.line as number] = { id: entity_id };
  return outcome;
}
