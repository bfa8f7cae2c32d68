import type { Timers } from '../../base/clock.js';
import { Failure } from '../../base/errors.js';
import { type Caller, createTurns, type Waiting } from './turns.js';

/** A batch of proofs or of writes has up to 64. */
export const FULL_BATCH = 64;
/** How many requests may wait on the fastest node, and until the first measurement. */
export const MAX_WAITING = 1_000;
/** How long a request waits for a slot. */
export const MAX_WAIT_MS = 1_000;
const RETRY_AFTER_SECONDS = 2;

/** The slot of one request. */
export interface Slot {
  /**
   * Takes a slot. Undefined if there is one, otherwise a promise that rejects with 503 if the request waited too long or was
   * pushed out of the queue. Does nothing while the request has a slot.
   */
  take(): Promise<void> | undefined;
  /** Gives the slot back, or stops waiting. A request that takes a slot again is not rejected. */
  leave(): void;
  /** As `leave`, for good. Work of the request that goes on after its response takes no slot again, which nobody would give back. */
  end(): void;
  readonly state: 'none' | 'waiting' | 'taken';
}

/** The requests that the node works on. Others wait for a slot, briefly and in a fair order. */
export interface Admission {
  slotFor(caller: Caller): Slot;
  /** How many slots there are. */
  limit: number;
  /** How many requests may wait. */
  maxWaiting: number;
  /** Requests that had a slot and ended, since the start. */
  readonly ended: number;
  readonly inProgress: number;
  readonly waiting: number;
  /** Requests rejected since the start. */
  readonly rejected: number;
  /** Whether as many requests wait as may wait. */
  readonly isFull: boolean;
  /** While the queue is full: whether it would reject a request of this caller rather than another one. Counts it as rejected. */
  refuses(caller: Caller): boolean;
  /** Whether a request had to wait since the last call. */
  takeWaited(): boolean;
  /** For a shutdown: from now on, requests that would have to wait are rejected immediately. */
  stopWaiting(): void;
  /** Whether a request that has no slot yet is rejected, because the node shuts down and has none free. */
  readonly isRefusing: boolean;
}

interface Entry extends Waiting {
  readonly start: () => void;
  readonly reject: (failure: Failure) => void;
}

/** The answer to a request that gets no slot. */
export const rejection = (because: string) =>
  new Failure('service_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS, because });

export function createAdmission(timers: Timers): Admission {
  const turns = createTurns<Entry>();
  let limit = FULL_BATCH;
  let maxWaiting = MAX_WAITING;
  let ended = 0;
  let inProgress = 0;
  let rejected = 0;
  let hasWaited = false;
  let isStopping = false;

  function startNext(): void {
    while (inProgress < limit) {
      const entry = turns.next();
      if (entry === undefined) return;
      inProgress += 1;
      entry.start();
    }
  }
  /** Rejects the request or another one if too many wait. */
  function makeRoom({ caller, isResumed, reject }: Entry): boolean {
    if (isResumed || turns.size < maxWaiting) return true;
    const last = turns.lastBefore(caller);
    if (last !== undefined) turns.remove(last);
    (last?.reject ?? reject)(rejection('overload: too many wait'));
    return last !== undefined;
  }

  function slotFor(caller: Caller): Slot {
    let state: Slot['state'] = 'none';
    let isResumed = false;
    let isEnded = false;
    let stopWaiting = () => {};

    const wait = () =>
      new Promise<void>((resolve, rejectPromise) => {
        let cancelTimer = () => {};
        const settle = (next: Slot['state']) => {
          state = next;
          cancelTimer();
        };
        const entry: Entry = {
          caller,
          isResumed,
          start() {
            settle('taken');
            resolve();
          },
          reject(failure) {
            rejected += 1;
            settle('none');
            rejectPromise(failure);
          },
        };
        const giveUp = (because: string) => turns.remove(entry) && entry.reject(rejection(because));
        stopWaiting = () => void giveUp('the client disconnected while it waited');
        state = 'waiting';
        hasWaited = true;
        if (isStopping && !isResumed) return entry.reject(rejection('shutdown: this node is closing'));
        if (!makeRoom(entry)) return;
        turns.push(entry);
        if (!isResumed)
          cancelTimer = timers.after(MAX_WAIT_MS, () => void giveUp('overload: waited too long'));
      });

    const slot: Slot = {
      get state() {
        return state;
      },
      take() {
        if (state !== 'none' || isEnded) return undefined;
        if (inProgress >= limit) return wait();
        state = 'taken';
        inProgress += 1;
        turns.begin(caller);
        return undefined;
      },
      leave() {
        if (state === 'waiting') return stopWaiting();
        if (state === 'none') return;
        state = 'none';
        isResumed = true;
        inProgress -= 1;
        turns.end(caller);
        startNext();
      },
      end() {
        if (state === 'taken') ended += 1;
        isEnded = true;
        slot.leave();
      },
    };
    return slot;
  }

  return {
    slotFor,
    get limit() {
      return limit;
    },
    set limit(value) {
      limit = value;
      startNext();
    },
    get maxWaiting() {
      return maxWaiting;
    },
    set maxWaiting(value) {
      maxWaiting = value;
    },
    get ended() {
      return ended;
    },
    get inProgress() {
      return inProgress;
    },
    get waiting() {
      return turns.size;
    },
    get rejected() {
      return rejected;
    },
    get isFull() {
      return turns.size >= maxWaiting;
    },
    refuses(caller) {
      if (turns.lastBefore(caller) !== undefined) return false;
      rejected += 1;
      return true;
    },
    stopWaiting() {
      isStopping = true;
    },
    get isRefusing() {
      return isStopping && inProgress >= limit;
    },
    takeWaited() {
      const had = hasWaited || turns.size > 0;
      hasWaited = false;
      return had;
    },
  };
}
