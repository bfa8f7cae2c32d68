import { SEALED_FIELDS, type SealedKind } from '@svc/zk/records/kinds';

/**
 * What is sealed of a record of a kind that is sealed when it ends, from a row that has each field by its name. No endpoint returns
 * such a record with these fields.
 */
export function endedRecord(kind: SealedKind, row: object): Readonly<Record<string, unknown>> {
  const { facts, text } = SEALED_FIELDS[kind].at(-1) as Record<'facts' | 'text', readonly string[]>;
  const stored = row as Readonly<Record<string, unknown>>;
  const shown = (value: unknown) => (value instanceof Date ? value.toISOString() : value);
  return Object.fromEntries([...facts, ...text].map((name) => [name, shown(stored[name])]));
}
