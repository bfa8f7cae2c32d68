import type { Message, Previous } from './message.js';
import type { Summary, Throttle } from './throttle.js';

/** A position in the chain: everything up to it was handled. */
export interface Position {
  readonly seq: number;
  readonly hash: string;
  /** The last event up to it that the filter selected. */
  readonly previous: Previous | null;
  readonly throttle: Throttle | null;
}

/** One message on its way. */
export interface Item {
  readonly message: Message;
  readonly isReplay: boolean;
  readonly previous: Previous | null;
  readonly summary: Summary | null;
  /** Attempts so far. */
  attempts: number;
  /** Unix milliseconds of the first attempt. */
  firstAt: number;
  /** Not sent before this time. */
  notBefore: number;
}

/** Reads a part of the chain in order and knows the position before the first message that is not finished. */
export interface Track {
  /** Where reading continues. */
  readonly position: Position;
  readonly size: number;
  /** Continues reading at a position, without a message. */
  advance(to: Position): void;
  /** Adds the message of the next event, and continues after it. */
  add(item: Item, to: Position): void;
  /** The next message that waits to be sent. */
  next(): Item | undefined;
  /** Takes the message from `next`. */
  take(): void;
  /** Puts a message back, to be sent again before the others. */
  putBack(item: Item): void;
  finish(item: Item): void;
  /** What a node that starts again continues from. */
  finished(): Position;
}

export function createTrack(start: Position): Track {
  let position = start;
  const waiting: Item[] = [];
  /** The messages that are not finished, in order, with the position before each. */
  const unfinished = new Map<Item, Position>();
  return {
    get position() {
      return position;
    },
    get size() {
      return unfinished.size;
    },
    advance(to) {
      position = to;
    },
    add(item, to) {
      waiting.push(item);
      unfinished.set(item, position);
      position = to;
    },
    next: () => waiting[0],
    take: () => void waiting.shift(),
    putBack: (item) => void waiting.unshift(item),
    finish: (item) => void unfinished.delete(item),
    finished() {
      for (const before of unfinished.values()) return before;
      return position;
    },
  };
}
