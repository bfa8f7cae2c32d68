import { SEALED_FIELDS, SEALED_KINDS, type SealedKind } from '@svc/zk/records/kinds';
import { parseSync } from 'libpg-query';
import { attendanceColumns } from '../../../src/features/attendance/attendance.schema.js';
import { deviceColumns } from '../../../src/features/devices/devices.schema.js';
import { userColumns } from '../../../src/features/users/users.schema.js';
import { verificationColumns } from '../../../src/features/verifications/verifications.schema.js';
import type { Columns } from '../../../src/records/columns.js';

/** Where the records of each kind are, with their columns. */
export const SEALED_TABLES: Readonly<
  Record<SealedKind, { readonly table: string; readonly columns: Columns }>
> = {
  device: { table: 'devices', columns: deviceColumns },
  user: { table: 'tenant_users', columns: userColumns },
  verification: { table: 'verifications', columns: verificationColumns },
  attendance: { table: 'attendance', columns: attendanceColumns },
};

/** The columns of each table that are sealed, by `facts` and `text`. */
const SEALED = new Map(
  SEALED_KINDS.map((kind) => {
    const { table, columns } = SEALED_TABLES[kind];
    const named = (fields: readonly string[] = []) =>
      new Set(fields.map((field) => columns[field]?.column ?? field));
    const lists = SEALED_FIELDS[kind].at(-1);
    return [table, { facts: named(lists?.facts), text: named(lists?.text) }] as const;
  }),
);

interface Written {
  readonly relation?: { readonly relname?: string };
  readonly cols?: readonly unknown[];
  readonly targetList?: readonly unknown[];
}

const namesOf = (targets: readonly unknown[] = []): string[] =>
  targets.flatMap((target) => (target as { ResTarget?: { name?: string } }).ResTarget?.name ?? []);

/** Why the statement leaves a record with a seal of what it said before. */
function faultOf(kind: 'insert' | 'update', { relation, cols, targetList }: Written): string | undefined {
  const sealed = SEALED.get(relation?.relname ?? '');
  if (sealed === undefined) return undefined;
  const set = new Set(namesOf(kind === 'insert' ? cols : targetList));
  if (set.has('facts_salt') && set.has('text_salt')) return undefined;
  const changed = [...set].filter((name) => sealed.facts.has(name) || sealed.text.has(name));
  if (kind === 'update' && changed.length === 0) return undefined;
  // Its hash stays where the text was removed.
  const removesText = set.has('text_salt') && set.has('text_hash');
  if (kind === 'update' && removesText && changed.every((name) => sealed.text.has(name))) return undefined;
  return `${relation?.relname}: ${changed.join(', ')} without a seal`;
}

function* faultsIn(part: unknown): Generator<string> {
  if (typeof part !== 'object' || part === null) return;
  const { InsertStmt: inserted, UpdateStmt: updated } = part as {
    InsertStmt?: Written;
    UpdateStmt?: Written;
  };
  const fault = inserted ? faultOf('insert', inserted) : updated && faultOf('update', updated);
  if (fault !== undefined) yield fault;
  for (const value of Object.values(part)) yield* faultsIn(value);
}

const readings = new Map<string, readonly string[]>();

/** What a statement writes of the records that the audit chain seals, without their seal. Needs `loadParser`. */
export function unsealedIn(text: string): readonly string[] {
  let reading = readings.get(text);
  if (reading === undefined) {
    const mayWrite = [...SEALED.keys()].some((table) => text.includes(table));
    reading = mayWrite ? [...faultsIn(parseSync(text))] : [];
    readings.set(text, reading);
  }
  return reading;
}
