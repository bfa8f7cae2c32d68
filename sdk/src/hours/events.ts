import type { CorrectedTime } from '@svc/zk/time/correction';
import type { TimeEvent } from '@svc/zk/time/events';
import type { HoursSheet } from '@svc/zk/time/hours-file';

/** Texts by the id of a person, more than fit into memory where the platform has another place for them. */
export interface PersonStore {
  add(userId: string, text: string): void;
  /** Some at a time, all texts of a person together, in the order in which they were added. */
  all(): Iterable<readonly string[]> | AsyncIterable<readonly string[]>;
  close(): void;
}

/** Keeps them in memory. */
export function storeInMemory(): PersonStore {
  const people = new Map<string, string[]>();
  return {
    add(userId, text) {
      const texts = people.get(userId);
      if (texts) texts.push(text);
      else people.set(userId, [text]);
    },
    all: () => people.values(),
    close: () => people.clear(),
  };
}

/** An event of a person, as far as their sheet depends on it. */
export interface KeptEvent extends TimeEvent {
  /** The number of the entry that recorded it. */
  readonly seq: number;
  readonly line: number;
  readonly voidedBy: string | null;
  readonly isContested: boolean;
}

export type Kept =
  | { readonly is: 'event'; readonly userId: string; readonly event: KeptEvent }
  | {
      readonly is: 'voided';
      readonly userId: string;
      readonly id: string;
      readonly by: string;
      /** What the correction says of the event. */
      readonly old: CorrectedTime | null;
      readonly seq: number;
      readonly line: number;
    }
  | { readonly is: 'contested'; readonly userId: string; readonly id: string; readonly line: number }
  | { readonly is: 'sheet'; readonly userId: string; readonly shown: HoursSheet; readonly line: number };

/** All that a file says of one person. */
export interface PersonTime {
  readonly userId: string;
  readonly events: KeptEvent[];
  readonly voided: Map<string, Extract<Kept, { is: 'voided' }>>;
  readonly contested: Map<string, Extract<Kept, { is: 'contested' }>>;
  readonly sheets: Extract<Kept, { is: 'sheet' }>[];
}

export const keep = (store: PersonStore, kept: Kept): void => store.add(kept.userId, JSON.stringify(kept));

/** The people of some texts. */
export function peopleIn(texts: readonly string[]): Iterable<PersonTime> {
  const people = new Map<string, PersonTime>();
  for (const text of texts) {
    const kept = JSON.parse(text) as Kept;
    const { userId } = kept;
    const person: PersonTime = people.get(userId) ?? {
      ...{ userId, events: [], voided: new Map(), contested: new Map(), sheets: [] },
    };
    people.set(userId, person);
    if (kept.is === 'event') person.events.push(kept.event);
    if (kept.is === 'voided') person.voided.set(kept.id, kept);
    if (kept.is === 'contested') person.contested.set(kept.id, kept);
    if (kept.is === 'sheet') person.sheets.push(kept);
  }
  return people.values();
}
