import type { ConsoleAuditEvent } from '@svc/sdk';
import { isSelected, NOUNS, TYPES } from '../nouns/words/event-types';

const NAMES = ['actorName', 'entityName', 'personId', 'personName', 'userName', 'deviceName'] as const;
export type Names = Pick<ConsoleAuditEvent, (typeof NAMES)[number]>;

/** An event as the feed, streams and deliveries have it. */
export type FeedEvent = Omit<ConsoleAuditEvent, keyof Names> & {
  readonly type: string;
  readonly timestamp: string;
};

/** An entry of the audit log as an event: without names, which events never have. */
export function eventOf(entry: ConsoleAuditEvent): FeedEvent {
  const event = Object.fromEntries(
    Object.entries(entry).filter(([name]) => !(NAMES as readonly string[]).includes(name)),
  ) as Omit<ConsoleAuditEvent, keyof Names>;
  return { ...event, type: entry.action, timestamp: entry.createdAt };
}

/** The names that an entry has and its event does not. */
export const namesOf = (entry: ConsoleAuditEvent): Names =>
  Object.fromEntries(NAMES.map((name) => [name, entry[name]])) as Names;

/** The newest events first, those that the pattern selects. */
export const selectEvents = (events: readonly FeedEvent[], pattern: string): readonly FeedEvent[] =>
  events.filter(({ type }) => isSelected(pattern, type));

const PATTERNS: ReadonlySet<string> = new Set([...TYPES, ...NOUNS.map(({ noun }) => `${noun}.*`)]);

/** A pattern of the address. One that selects nothing is ignored. */
export const readPattern = (search: URLSearchParams): string => {
  const pattern = search.get('types') ?? '';
  return PATTERNS.has(pattern) ? pattern : '*';
};
