import type { PhonePorts } from '@svc/sdk/phone';
import type { Open, PhoneParts } from '../../../server/test/support/phones.js';

/** The phone died. */
export class Died extends Error {}

/** What goes wrong at a call of a port. */
export type Fault = 'dies' | 'fails once';

/**
 * A phone with a fault at the nth call of a port: before it, or after it was done and before its result arrives. One that dies works no
 * more. Never for `Infinity`; `calls` then counts.
 */
export class Life {
  calls = 0;
  readonly #last: number;
  readonly #fault: Fault;
  readonly #death = new AbortController();
  /** Aborted by its death, so that a dead phone waits for nothing. */
  readonly signal = this.#death.signal;

  constructor(last = Number.POSITIVE_INFINITY, fault: Fault = 'dies') {
    this.#last = last;
    this.#fault = fault;
  }

  /** Whether the fault came. */
  get isOver(): boolean {
    return this.calls >= this.#last;
  }

  async during<T>(call: () => Promise<T>): Promise<T> {
    this.#step();
    const result = await call();
    this.#step();
    return result;
  }

  #step(): void {
    this.calls += 1;
    if (this.#fault === 'fails once') {
      if (this.calls === this.#last) throw new TypeError('a fault');
      return;
    }
    if (!this.isOver) return;
    this.#death.abort(new Died());
    throw new Died();
  }
}

/** The vault and the network of a phone with this life. */
export function mortalParts(
  { vault, fetch, ...parts }: PhoneParts & Required<Pick<PhoneParts, 'vault' | 'fetch'>>,
  life: Life,
): PhoneParts {
  return {
    ...parts,
    vault: {
      read: () => life.during(() => vault.read()),
      change: (work) => life.during(() => vault.change(work)),
      alone: (name, work) => vault.alone(name, work),
    },
    fetch: (...request) => life.during(() => fetch(...request)),
  };
}

/** The prover and the keys of a phone with this life. */
export const mortal = (phone: PhonePorts<Open>, life: Life): PhonePorts<Open> => ({
  ...phone,
  prover: {
    create: (place) => life.during(() => phone.prover.create(place)),
    renew: (identity) => life.during(() => phone.prover.renew(identity)),
    prove: (secret, work, onStage) => life.during(() => phone.prover.prove(secret, work, onStage)),
  },
  ...(phone.keys && {
    keys: {
      ...phone.keys,
      make: (...asked) =>
        life.during(async () => (phone.keys as NonNullable<typeof phone.keys>).make(...asked)),
      sign: (...asked) =>
        life.during(async () => (phone.keys as NonNullable<typeof phone.keys>).sign(...asked)),
    },
  }),
});
