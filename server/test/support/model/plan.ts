import { randomUUID } from 'node:crypto';
import type { Service } from '../service.js';
import { HOUR, type Key, type Space, type World } from './world.js';

// biome-ignore lint/suspicious/noExplicitAny: what an answer holds depends on the operation
export type Body = any;

/** What the contract says that a request is answered, given the world as it is. */
export interface Prediction {
  readonly status: number;
  /** More than one where two refusals apply and the contract ranks neither. */
  readonly error?: string | readonly string[];
  readonly replayed?: true;
  /** A part of the answer. */
  readonly shows?: object;
  /** Whether the audit chain grows. */
  readonly commits: boolean;
  /** What becomes of the world. */
  readonly apply?: (answer: Body) => void;
  /** The world after it cannot be known without the answer. */
  readonly needsAnswer?: true;
}

export interface Plan {
  readonly method: string;
  readonly path: string;
  readonly as?: string | undefined;
  readonly body?: object;
  readonly headers?: Record<string, string>;
  readonly address?: string;
  /** Asked anew for every request: it speaks of the world as it is then. */
  predict(): Prediction;
  /** Two of it at once, on two nodes, end as two in a row do. */
  readonly mayBeTwice?: boolean;
}

/** The rolls of one operation, taken one by one: a smaller number is a simpler choice. */
export class Dice {
  readonly #rolls: readonly number[];
  #at = 0;

  constructor(rolls: readonly number[]) {
    this.#rolls = rolls;
  }

  below(count: number): number {
    const roll = this.#rolls[this.#at % this.#rolls.length] as number;
    this.#at += 1;
    return count === 0 ? 0 : roll % count;
  }

  pick<T>(from: readonly T[]): T | undefined {
    return from[this.below(from.length)];
  }

  /** Once in so many. */
  once(inSoMany: number): boolean {
    return this.below(inSoMany) === inSoMany - 1;
  }
}

export interface Scene {
  readonly world: World;
  readonly space: Space;
  readonly dice: Dice;
  /** For what making a proof needs. */
  readonly service: Service;
}

export type Operation = (scene: Scene) => Plan | Promise<Plan>;

export const refusal = (status: number, error: string | readonly string[]): Prediction => ({
  status,
  error,
  commits: false,
});

export const note = (
  space: Space,
  action: string,
  entityId?: string,
  status: 'success' | 'failure' = 'success',
) => void space.audit.push({ action, status, entityId });

/** A request with one of the account's keys; refused when that is revoked or past its time. */
export function byKey({ world, space, dice }: Scene, plan: Plan): Plan {
  const key = (dice.once(4) ? dice.pick(space.keys) : space.keys[0]) as Key;
  const isGood = () => !key.revoked && (key.expiresAt === null || key.expiresAt > world.now());
  return {
    ...plan,
    as: key.raw,
    predict: () => (isGood() ? plan.predict() : refusal(401, 'invalid_api_key')),
  };
}

export function byConsole({ world, space }: Scene, plan: Plan): Plan {
  const { token, tokenExpiresAt } = space.tenant;
  return {
    ...plan,
    path: plan.path.includes('/keys') ? plan.path : `${plan.path}?environment=${space.environment}`,
    as: token,
    predict: () => (world.now() < tokenExpiresAt ? plan.predict() : refusal(401, 'invalid_console_token')),
  };
}

/** With one of three Idempotency-Keys, or none. `show` is what the record looks like whenever it is shown again. */
export function maybeIdempotent(
  { world, space, dice }: Scene,
  plan: Plan,
  show: (answer: Body) => () => object,
): Plan {
  const name = dice.once(2) ? dice.pick(['first', 'second', 'third']) : undefined;
  if (name === undefined) return plan;
  const slot = `${plan.path} ${name}`;
  const body = JSON.stringify(plan.body);
  return {
    ...plan,
    mayBeTwice: false,
    headers: { 'idempotency-key': name },
    predict() {
      const kept = space.idempotent.get(slot);
      if (kept !== undefined && kept.expiresAt > world.now()) {
        if (kept.body !== body) return refusal(409, 'idempotency_key_reused');
        return { status: 201, replayed: true, shows: kept.show(), commits: false };
      }
      const first = plan.predict();
      if (first.status !== 201) return first;
      const { needsAnswer: _, ...known } = first;
      return {
        ...known,
        apply(answer) {
          first.apply?.(answer);
          space.idempotent.set(slot, { body, show: show(answer), expiresAt: world.now() + 24 * HOUR });
        },
      };
    },
  };
}

/** One of the space's own mostly; else anybody's, or nobody's. */
export function someId<T extends { readonly id: string }>(
  { world, space, dice }: Scene,
  of: (space: Space) => readonly T[],
): { id: string; own: T | undefined } {
  const others = world.spaces.flatMap(of).filter(({ id }) => id !== '');
  const mine = of(space).filter(({ id }) => id !== '');
  const found = dice.once(6) || mine.length === 0 ? dice.pick(others) : dice.pick(mine);
  return { id: found?.id ?? randomUUID(), own: found && mine.find(({ id }) => id === found.id) };
}

export const devicesOf = ({ devices }: Space) => devices;

export const usersOf = ({ users }: Space) => users;

interface Creation<Fields> {
  readonly kind: 'device' | 'user' | 'verification' | 'attendance';
  readonly path: string;
  readonly body: object;
  readonly records: ({ readonly id: string } & Fields)[];
  /** Why it is refused, if it is. */
  readonly refused: () => Prediction | undefined;
  readonly fresh: () => Fields;
}

/** Makes a record, which is shown as it is then whenever the same request comes again. */
export function create<Fields extends object>(
  scene: Scene,
  { kind, path, body, records, refused, fresh }: Creation<Fields>,
): Plan {
  const plan: Plan = {
    method: 'POST',
    path,
    body,
    mayBeTwice: true,
    predict() {
      const fields = fresh();
      return (
        refused() ?? {
          status: 201,
          shows: { [kind]: fields },
          commits: true,
          needsAnswer: true,
          apply({ [kind]: { id } }) {
            records.push({ id, ...fields });
            note(scene.space, `${kind}.created`, id);
          },
        }
      );
    },
  };
  const show =
    ({ [kind]: { id } }: Body) =>
    () => ({ [kind]: records.find((record) => record.id === id) });
  return byKey(scene, maybeIdempotent(scene, plan, show));
}
