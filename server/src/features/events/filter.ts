import type { AuditStatus } from '../../ledger/audit-chain.js';
import type { EventFilter } from '../../ledger/read-events.js';
import { AUDIT_ACTIONS } from '../../model/audit-actions.js';

/** `*`, all types of a noun (`user.*`) or one type. */
const PATTERN = /^(\*|[a-z_]+(\.[a-z_]+)*(\.\*)?)$/;
export const PATTERN_TEXT = '^(\\*|[a-z_]+(\\.[a-z_]+)*(\\.\\*)?)$';
/** Patterns in one filter. */
export const MAX_PATTERNS = 50;
export const MAX_PATTERN_LENGTH = 64;

const TYPES = Object.keys(AUDIT_ACTIONS);

const typesOf = (pattern: string): readonly string[] =>
  pattern.endsWith('.*')
    ? TYPES.filter((type) => type.startsWith(pattern.slice(0, -1)))
    : TYPES.filter((type) => type === pattern);

/** The types that match any of the patterns. Undefined for all types. */
export const selectTypes = (patterns: readonly string[]): ReadonlySet<string> | undefined =>
  patterns.includes('*') ? undefined : new Set(patterns.flatMap(typesOf));

/** The first pattern that is malformed or selects nothing; undefined if there is none. */
export const findUnknownPattern = (patterns: readonly string[]): string | undefined =>
  patterns.find((pattern) => !PATTERN.test(pattern) || (pattern !== '*' && typesOf(pattern).length === 0));

interface FilteredEvent {
  readonly action: string;
  readonly status: AuditStatus;
  readonly entity_type: string;
  readonly entity_id: string | null;
}

export const selects = ({ types, outcome, webhookId }: EventFilter, event: FilteredEvent): boolean =>
  (types === undefined || types.has(event.action)) &&
  (outcome === 'any' || event.status === outcome) &&
  !(webhookId !== undefined && event.entity_type === 'webhook' && event.entity_id === webhookId) &&
  !(webhookId !== undefined && event.action === 'records.sealed_later');
