import { isUuid } from '../../base/crypto/random.js';
import type { AuditEventRow } from '../../ledger/read-events.js';
import type { Read } from '../../ledger/write.js';
import * as store from './names.store.js';
import { serializeEvent } from './rows.js';

type Reference = readonly [kind: string, id: string | null];

const actorOf = (row: AuditEventRow): Reference => [row.actor_type, row.actor_id];
const entityOf = (row: AuditEventRow): Reference => [row.entity_type, row.entity_id];

/** What an entry names beside its record, as a decision on an approval names the person, and a sign-in the verification. */
function metadataOf({ metadata }: AuditEventRow): readonly Reference[] {
  const idIn = (name: string) => (typeof metadata[name] === 'string' ? metadata[name] : null);
  return [
    ['user', idIn('userId')],
    ['verification', idIn('verificationId')],
  ];
}

const keyOf = ([kind, id]: Reference): string => `${kind} ${id}`;

function wantedIn(rows: readonly AuditEventRow[]): ReadonlyMap<string, readonly string[]> {
  const wanted = new Map<string, Set<string>>();
  for (const [kind, id] of rows.flatMap((row) => [actorOf(row), entityOf(row), ...metadataOf(row)])) {
    if (id === null || !isUuid(id) || !store.hasNames(kind)) continue;
    wanted.set(kind, (wanted.get(kind) ?? new Set()).add(id));
  }
  return new Map([...wanted].map(([kind, ids]) => [kind, [...ids]]));
}

/** Events with the names of who acted, of the record, and of its person. Names that are not known any more are null. */
export async function withNames(read: Read, rows: readonly AuditEventRow[]) {
  const named = new Map(
    (await store.listNamed(read, wantedIn(rows))).map((found) => [keyOf([found.kind, found.id]), found]),
  );
  const find = (of: Reference) => named.get(keyOf(of));
  return rows.map((row) => {
    const entity = find(entityOf(row));
    const person = [...metadataOf(row).map(find), entity].find((found) => (found?.user_id ?? null) !== null);
    return {
      ...serializeEvent(row),
      actorName: find(actorOf(row))?.name ?? null,
      entityName: entity?.name ?? null,
      personId: person?.user_id ?? null,
      personName: person?.user_name ?? null,
      userName: row.entity_type === 'user' ? (entity?.name ?? null) : null,
      deviceName: row.entity_type === 'device' ? (entity?.name ?? null) : null,
    };
  });
}
