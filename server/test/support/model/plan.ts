import { randomUUID } from 'node:crypto';
import type { Service } from '../service.js';
import { HOUR, type Key, type Space, type World } from './world.js';

// biome-ignore lint/suspicious/noExplicitAny: the body depends on the operation
export type Body = any;

/** The response of a request according to the contract, given the current world. */
export interface Prediction {
  readonly status: number;
  /** Several if more than one error applies and the contract does not rank them. */
  readonly error?: string | readonly string[];
  readonly replayed?: true;
  /** A subset of the response body. */
  readonly expectedBody?: object;
  /** Whether the audit chain grows. */
  readonly commits: boolean;
  /** Updates the world. */
  readonly apply?: (reply: Body) => void;
  /** The update needs the response, for example an id in it. */
  readonly needsReply?: true;
}

export interface Plan {
  readonly method: string;
  readonly path: string;
  readonly as?: string | undefined;
  readonly body?: object;
  readonly headers?: Record<string, string>;
  readonly address?: string;
  /** Called for each request, as it depends on the current world. */
  predict(): Prediction;
  /** Two simultaneous requests on two nodes have the same result as two sequential ones. */
  readonly canBeConcurrent?: boolean;
}

/** The random choices of an operation, in order. Smaller numbers are simpler choices. */
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

  /** True once in that many times. */
  once(inSoMany: number): boolean {
    return this.below(inSoMany) === inSoMany - 1;
  }
}

export interface Scene {
  readonly world: World;
  readonly space: Space;
  readonly dice: Dice;
  /** Needed to generate proofs. */
  readonly service: Service;
}

export type Operation = (scene: Scene) => Plan | Promise<Plan>;

export const rejection = (status: number, error: string | readonly string[]): Prediction => ({
  status,
  error,
  commits: false,
});

export const recordAudit = (
  space: Space,
  action: string,
  entityId?: string,
  status: 'success' | 'failure' = 'success',
) => void space.audit.push({ action, status, entityId });

/** A request with one of the account's keys. It fails if the key is revoked or expired. */
export function byKey({ world, space, dice }: Scene, plan: Plan): Plan {
  const key = (dice.once(4) ? dice.pick(space.keys) : space.keys[0]) as Key;
  const isGood = () => !key.revoked && (key.expiresAt === null || key.expiresAt > world.now());
  return {
    ...plan,
    as: key.raw,
    predict: () => (isGood() ? plan.predict() : rejection(401, 'invalid_api_key')),
  };
}

export function byConsole({ world, space }: Scene, plan: Plan): Plan {
  const { token, tokenExpiresAt } = space.tenant;
  return {
    ...plan,
    path: plan.path.includes('/keys') ? plan.path : `${plan.path}?environment=${space.environment}`,
    as: token,
    predict: () => (world.now() < tokenExpiresAt ? plan.predict() : rejection(401, 'invalid_console_token')),
  };
}

/** Adds one of three Idempotency-Keys, or none. `serialize` returns the record for a replayed response. */
export function maybeIdempotent(
  { world, space, dice }: Scene,
  plan: Plan,
  serialize: (reply: Body) => () => object,
): Plan {
  const name = dice.once(2) ? dice.pick(['first', 'second', 'third']) : undefined;
  if (name === undefined) return plan;
  const slot = `${plan.path} ${name}`;
  const body = JSON.stringify(plan.body);
  return {
    ...plan,
    canBeConcurrent: false,
    headers: { 'idempotency-key': name },
    predict() {
      const stored = space.idempotent.get(slot);
      if (stored !== undefined && stored.expiresAt > world.now()) {
        if (stored.body !== body) return rejection(409, 'idempotency_key_reused');
        return { status: 201, replayed: true, expectedBody: stored.serialize(), commits: false };
      }
      const first = plan.predict();
      if (first.status !== 201) return first;
      const { needsReply: _, ...known } = first;
      return {
        ...known,
        apply(reply) {
          first.apply?.(reply);
          space.idempotent.set(slot, {
            body,
            serialize: serialize(reply),
            expiresAt: world.now() + 24 * HOUR,
          });
        },
      };
    },
  };
}

/** Usually an id of the space, otherwise one of any space, or an unknown id. */
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
  /** The error of the request, if any. */
  readonly rejected: () => Prediction | undefined;
  readonly fresh: () => Fields;
}

/** Creates a record. A replayed request returns its current state. */
export function create<Fields extends object>(
  scene: Scene,
  { kind, path, body, records, rejected, fresh }: Creation<Fields>,
): Plan {
  const plan: Plan = {
    method: 'POST',
    path,
    body,
    canBeConcurrent: true,
    predict() {
      const fields = fresh();
      return (
        rejected() ?? {
          status: 201,
          expectedBody: { [kind]: fields },
          commits: true,
          needsReply: true,
          apply({ [kind]: { id } }) {
            records.push({ id, ...fields });
            recordAudit(scene.space, `${kind}.created`, id);
          },
        }
      );
    },
  };
  const serialize =
    ({ [kind]: { id } }: Body) =>
    () => ({ [kind]: records.find((record) => record.id === id) });
  return byKey(scene, maybeIdempotent(scene, plan, serialize));
}
