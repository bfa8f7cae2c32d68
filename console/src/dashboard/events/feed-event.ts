import type { ConsoleAuditEvent } from '@svc/sdk';
import { isSelected, NOUNS, TYPES } from './nouns';

/** An event as the feed, streams and deliveries have it. */
export type FeedEvent = Omit<ConsoleAuditEvent, 'userName' | 'deviceName'> & {
  readonly type: string;
  readonly timestamp: string;
};

/** An entry of the audit log as an event: without names, which events never have. */
export function eventOf({ userName: _, deviceName: __, ...entry }: ConsoleAuditEvent): FeedEvent {
  return { ...entry, type: entry.action, timestamp: entry.createdAt };
}

/** The newest events first, those that the pattern selects. */
export const selectEvents = (events: readonly FeedEvent[], pattern: string): readonly FeedEvent[] =>
  events.filter(({ type }) => isSelected(pattern, type));

const PATTERNS: ReadonlySet<string> = new Set([...TYPES, ...NOUNS.map(({ noun }) => `${noun}.*`)]);

/** A pattern of the address. One that selects nothing is ignored. */
export const readPattern = (search: URLSearchParams): string => {
  const pattern = search.get('types') ?? '';
  return PATTERNS.has(pattern) ? pattern : '*';
};
