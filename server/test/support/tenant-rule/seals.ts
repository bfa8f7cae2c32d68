import { SEALED_FIELDS, SEALED_KINDS, type SealedKind } from '@svc/zk/records/kinds';
import { parseSync } from 'libpg-query';
import type { Sql } from '../../../src/db/sql.js';
import { attendanceColumns } from '../../../src/features/attendance/attendance.schema.js';
import { deviceColumns } from '../../../src/features/devices/devices.schema.js';
import { userColumns } from '../../../src/features/users/users.schema.js';
import { verificationColumns } from '../../../src/features/verifications/verifications.schema.js';
import { statesIn } from './open-rows.js';

interface Table {
  readonly table: string;
  /** The column of each field. A field without one has a column of its name. */
  readonly columns: Readonly<Record<string, { readonly column: string }>>;
  /** For kinds that are sealed when they end: the states before. */
  readonly open?: readonly string[];
}

/** Where the records of each kind are, with their columns. */
export const SEALED_TABLES: Readonly<Record<SealedKind, Table>> = {
  device: { table: 'devices', columns: deviceColumns },
  user: { table: 'tenant_users', columns: userColumns },
  verification: { table: 'verifications', columns: verificationColumns },
  attendance: { table: 'attendance', columns: attendanceColumns },
  registration: {
    table: 'registration_sessions',
    columns: {},
    open: ['awaiting_device', 'awaiting_commitment', 'awaiting_verification', 'pending_recovery'],
  },
  pairing: {
    table: 'proof_pairing_sessions',
    columns: {
      match: { column: 'match_hash' },
      clientId: { column: 'context' },
      origin: { column: 'context' },
      application: { column: 'context' },
      deviceId: { column: 'opened_by_device' },
      createdAt: { column: 'created_at' },
      boundAt: { column: 'bound_at' },
      nearbyAt: { column: 'nearby_at' },
      userId: { column: 'user_id' },
      identityId: { column: 'identity_id' },
      verificationId: { column: 'verification_id' },
    },
    open: ['issued', 'proved'],
  },
};

/** The columns of each kind that are sealed, by `facts` and `text`. */
export function sealedColumns(kind: SealedKind) {
  const { columns } = SEALED_TABLES[kind];
  const { facts, text } = SEALED_FIELDS[kind].at(-1) as Record<'facts' | 'text', readonly string[]>;
  const named = (fields: readonly string[]) =>
    new Set(fields.map((field) => columns[field]?.column ?? field));
  return { facts: named(facts), text: named(text) };
}

const SEALED = new Map(
  SEALED_KINDS.map((kind) => {
    const { table, open } = SEALED_TABLES[kind];
    return [table, { ...sealedColumns(kind), open }] as const;
  }),
);

interface Written {
  readonly relation?: { readonly relname?: string };
  readonly cols?: readonly unknown[];
  readonly targetList?: readonly unknown[];
  readonly selectStmt?: unknown;
  readonly whereClause?: unknown;
}

const namesOf = (targets: readonly unknown[] = []): string[] =>
  targets.flatMap((target) => (target as { ResTarget?: { name?: string } }).ResTarget?.name ?? []);

/** What a statement writes of records without their seal. It may do so if a row is open before and after: these are its states. */
interface Unsealed {
  readonly fault: string;
  readonly open?: readonly string[] | undefined;
  readonly states: ReturnType<typeof statesIn>;
}

/** Why the statement leaves a record with a seal of what it said before. */
function faultOf(kind: 'insert' | 'update', written: Written): Unsealed | undefined {
  const { relation, cols, targetList } = written;
  const sealed = SEALED.get(relation?.relname ?? '');
  if (sealed === undefined) return undefined;
  const set = new Set(namesOf(kind === 'insert' ? cols : targetList));
  if (set.has('facts_salt') && set.has('text_salt')) return undefined;
  const changed = [...set].filter((name) => sealed.facts.has(name) || sealed.text.has(name));
  if (kind === 'update' && changed.length === 0) return undefined;
  // Its hash stays where the text was removed.
  const removesText = set.has('text_salt') && set.has('text_hash');
  if (kind === 'update' && removesText && changed.every((name) => sealed.text.has(name))) return undefined;
  const fault = `${relation?.relname}: ${changed.join(', ')} without a seal`;
  return { fault, open: sealed.open, states: statesIn(kind, written) };
}

function* faultsIn(part: unknown): Generator<Unsealed> {
  if (typeof part !== 'object' || part === null) return;
  const { InsertStmt: inserted, UpdateStmt: updated } = part as {
    InsertStmt?: Written;
    UpdateStmt?: Written;
  };
  const fault = inserted ? faultOf('insert', inserted) : updated && faultOf('update', updated);
  if (fault !== undefined) yield fault;
  for (const value of Object.values(part)) yield* faultsIn(value);
}

const readings = new Map<string, readonly Unsealed[]>();

/** What a statement writes of the records that the audit chain seals, without their seal. Needs `loadParser`. */
export function unsealedIn({ text, values }: Pick<Sql, 'text' | 'values'>): readonly string[] {
  let reading = readings.get(text);
  if (reading === undefined) {
    const mayWrite = [...SEALED.keys()].some((table) => text.includes(table));
    reading = mayWrite ? [...faultsIn(parseSync(text))] : [];
    readings.set(text, reading);
  }
  return reading.flatMap(({ fault, open, states }) => {
    const found = open && states(values);
    return found?.every((state) => open?.includes(state)) ? [] : [fault];
  });
}
