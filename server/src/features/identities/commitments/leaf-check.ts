import { createHmac } from 'node:crypto';
import { isUuid } from '../../../base/crypto/random.js';
import type { Deps } from '../../../http/deps.js';
import type { Scope } from '../../../ledger/audit-store.js';
import { type Read, reader } from '../../../ledger/write.js';
import { ENROLLING_ACTIONS } from '../../../model/audit-actions.js';
import { leafOf } from './commitments.js';
import * as store from './leaf-check.store.js';

/** What an audit event says of identities: it names a leaf, revokes, erases, or ends the leaves of identities from before. */
export interface IdentityEvent {
  readonly rowId: string;
  readonly action: string;
  readonly isSuccess: boolean;
  readonly entityId: string | null;
  readonly leaf?: string;
  readonly identityId: string | undefined;
  readonly userId: string | undefined;
}

/** The database is not what the chain says. */
export interface Unequal {
  readonly reason:
    | 'identity_changed'
    | 'identity_unaudited'
    | 'identity_unrevoked'
    | 'erasure_undone'
    | 'erasure_unaudited';
  /** The event that says something else. */
  readonly brokenRowId?: string;
  readonly identityId?: string;
}

/** Each event costs some hashes, and other requests are served between these. */
const EVENTS_AT_ONCE = 200;
const COMMITMENTS_AT_ONCE = 1_000;
/** A commitment's event follows it within seconds. An older one is not searched after the head. */
const RECENT_MS = 10 * 60_000;

/**
 * The sum of a multiset, from which nobody who does not know the key can tell how to exchange its elements. Two multisets are the
 * same if their sums are, except with a probability of about 2^-256.
 */
export class LeafSum {
  readonly #key: Buffer;
  #sum = 0n;

  constructor(key: Buffer) {
    this.#key = key;
  }

  add(leaf: string): void {
    const value = createHmac('sha256', this.#key).update(leaf).digest('hex');
    this.#sum = BigInt.asUintN(256, this.#sum + BigInt(`0x${value}`));
  }

  equals(other: LeafSum): boolean {
    return this.#sum === other.#sum;
  }
}

/** The end of the chain that is checked. */
export interface Head {
  readonly seq: number;
  readonly last_at: Date;
}

/**
 * Compares the identities of one scope with what their chain says, in constant memory: each event of the chain with the database
 * while the chain is read, and after its last one that the database has nothing else.
 */
export class LeafCheck {
  readonly #read: Read;
  readonly #named: LeafSum;
  readonly #recorded: LeafSum;
  readonly #erased: LeafSum;
  readonly #key: Buffer;
  readonly #head: Head;
  readonly #recentSince: Date;
  #isComplete = false;

  constructor({ db, random }: Pick<Deps, 'db' | 'random'>, scope: Scope, head: Head) {
    this.#key = random.bytes(32);
    this.#read = reader(db, scope);
    this.#head = head;
    // An attacker can set any time, also infinity.
    const lastAt = Number(head.last_at);
    this.#recentSince = new Date((Number.isFinite(lastAt) ? lastAt : 0) - RECENT_MS);
    this.#named = new LeafSum(this.#key);
    this.#recorded = new LeafSum(this.#key);
    this.#erased = new LeafSum(this.#key);
  }

  /** The first of the next events in the chain that the database does not agree with. */
  async check(events: readonly IdentityEvent[]): Promise<Unequal | undefined> {
    for (let from = 0; from < events.length; from += EVENTS_AT_ONCE) {
      const unequal = await this.#checkSome(events.slice(from, from + EVENTS_AT_ONCE));
      if (unequal) return unequal;
    }
    return undefined;
  }

  async #checkSome(events: readonly IdentityEvent[]): Promise<Unequal | undefined> {
    const [enrolled, unrevoked, erasures] = await Promise.all([
      findEnrolled(this.#read, events),
      findUnrevoked(this.#read, events),
      findErasures(this.#read, events),
    ]);
    for (const event of events) {
      const unequal =
        event.leaf === undefined
          ? this.#checkOther(event, unrevoked, erasures)
          : this.#checkLeaf(event, enrolled.get(event.leaf));
      if (unequal) return { reason: unequal, brokenRowId: event.rowId, ...identityIn(event) };
    }
    return undefined;
  }

  #checkLeaf(event: IdentityEvent, row: store.EnrolledRow | undefined): Unequal['reason'] | undefined {
    this.#named.add(event.leaf as string);
    if (!event.isSuccess || !ENROLLING_ACTIONS.has(event.action)) return 'identity_changed';
    if (event.action === 'identity.leaf_added' && this.#isComplete) return 'identity_unaudited';
    return row && isItself(this.#read.scope, event, row) ? undefined : 'identity_changed';
  }

  #checkOther(
    { action, isSuccess, entityId }: IdentityEvent,
    unrevoked: Unrevoked,
    erasures: ReadonlyMap<string, Date>,
  ): Unequal['reason'] | undefined {
    if (!isSuccess || entityId === null) return undefined;
    if (action === 'chain.leaves_complete') this.#isComplete = true;
    if (action === 'identity.revoked' && unrevoked.identities.has(entityId)) return 'identity_unrevoked';
    if (action === 'device.revoked' && unrevoked.devices.has(entityId)) return 'identity_unrevoked';
    return action === 'user.erased' ? this.#checkErasure(entityId, erasures.get(entityId)) : undefined;
  }

  #checkErasure(userId: string, at: Date | undefined): Unequal['reason'] | undefined {
    if (at === undefined) return 'erasure_undone';
    if (at <= this.#recentSince) this.#erased.add(userId);
    return undefined;
  }

  /**
   * After the last event of a whole chain: whether each commitment in the database has exactly one event. Commitments that were
   * recorded after the head was read have theirs after it.
   */
  async finish(): Promise<Unequal | undefined> {
    const recentSince = this.#recentSince;
    let after: store.Position | undefined;
    for (;;) {
      const rows = await store.listRecorded(this.#read, after, recentSince, COMMITMENTS_AT_ONCE);
      const recent = rows.flatMap(({ leaf, is_recent }) => (is_recent && leaf !== null ? [leaf] : []));
      const later =
        recent.length === 0 ? new Set() : await store.listNamedAfter(this.#read, this.#head.seq, recent);
      for (const { id, leaf } of rows) {
        if (leaf === null && this.#isComplete) return { reason: 'identity_unaudited', identityId: id };
        if (leaf !== null && !later.has(leaf)) this.#recorded.add(leaf);
      }
      after = rows.at(-1);
      if (rows.length < COMMITMENTS_AT_ONCE) break;
    }
    if (!this.#recorded.equals(this.#named)) return { reason: 'identity_unaudited' };
    return this.#finishErasures();
  }

  /** Somebody who changes the database could make an identity look erased, so that its commitment is not compared. */
  async #finishErasures(): Promise<Unequal | undefined> {
    const blank = await store.findBlank(this.#read);
    if (blank) return { reason: 'identity_changed', identityId: blank.id };
    const found = new LeafSum(this.#key);
    let after: string | undefined;
    for (;;) {
      const ids = await store.listErased(this.#read, after, this.#recentSince, COMMITMENTS_AT_ONCE);
      for (const id of ids) found.add(id);
      after = ids.at(-1);
      if (ids.length < COMMITMENTS_AT_ONCE) break;
    }
    return found.equals(this.#erased) ? undefined : { reason: 'erasure_unaudited' };
  }
}

const identityIn = ({ action, identityId, entityId }: IdentityEvent) => {
  const id = identityId ?? (action === 'identity.revoked' ? entityId : undefined);
  return id && isUuid(id) ? { identityId: id } : {};
};

/** Whether the database has the identity as its event names it. */
function isItself(
  scope: Scope,
  { identityId, userId, leaf }: IdentityEvent,
  row: store.EnrolledRow,
): boolean {
  const { id, user_id, did, commitment, salt } = row;
  const isTheirs = id === identityId && user_id === userId;
  // Nothing is left to compare. That the person was erased is checked at the end.
  if (did === null || commitment === null || salt === null) return isTheirs && did === null;
  return (
    isTheirs &&
    row.current === row.newest &&
    leafOf(scope, { identityId: id, userId: user_id, did, commitment, salt }) === leaf
  );
}

/** By their leaves. */
async function findEnrolled(
  read: Read,
  events: readonly IdentityEvent[],
): Promise<ReadonlyMap<string, store.EnrolledRow>> {
  const of = events.filter(({ leaf, identityId }) => leaf !== undefined && identityId && isUuid(identityId));
  if (of.length === 0) return new Map();
  const ids = of.map(({ identityId }) => identityId as string);
  const rows = await store.listEnrolled(
    read,
    ids,
    of.map(({ leaf }) => leaf as string),
  );
  return new Map(rows.map((row) => [row.leaf, row]));
}

interface Unrevoked {
  readonly identities: ReadonlySet<string>;
  readonly devices: ReadonlySet<string>;
}

/** When those were erased that the events erase. */
async function findErasures(
  read: Read,
  events: readonly IdentityEvent[],
): Promise<ReadonlyMap<string, Date>> {
  const ids = events.flatMap(({ action, isSuccess, entityId }) =>
    action === 'user.erased' && isSuccess && isUuid(entityId ?? '') ? [entityId as string] : [],
  );
  return ids.length === 0 ? new Map() : store.listErasures(read, ids);
}

/** Of what the events revoke. */
async function findUnrevoked(read: Read, events: readonly IdentityEvent[]): Promise<Unrevoked> {
  const entitiesOf = (action: string) =>
    events.flatMap((event) =>
      event.action === action && event.isSuccess && isUuid(event.entityId ?? '')
        ? [event.entityId as string]
        : [],
    );
  const [identities, devices] = [entitiesOf('identity.revoked'), entitiesOf('device.revoked')];
  const rows =
    identities.length + devices.length === 0 ? [] : await store.listUnrevoked(read, identities, devices);
  return {
    identities: new Set(rows.map(({ id }) => id)),
    devices: new Set(rows.flatMap(({ device_id }) => device_id ?? [])),
  };
}
