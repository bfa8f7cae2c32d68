/** The sender of a job. */
export interface Source {
  /** A tenant, or the network of a caller without an API key. */
  readonly name: string;
  /** True for a caller without an API key. One attacker can use many networks, so all of these share a small part. */
  readonly keyless?: boolean;
  /** `low` is served only if no other job is waiting. */
  readonly priority?: 'normal' | 'low' | undefined;
  /** mcl checks every accepted proof after its verdict, not only a sample. For lasting changes, such as a registration. */
  readonly confirm?: boolean;
}

/** Jobs that are verified together. */
export interface Batch<Job> {
  readonly jobs: readonly Job[];
  /** Verify each job separately, because a combined check would probably fail and cost more. */
  readonly singly: boolean;
}

/** A waiting job. */
export interface Waiting {
  readonly source: Source;
}

export interface FairQueueOptions {
  /** Maximum number of slots: waiting jobs, and reservations not used yet. */
  readonly limit: number;
  /** Maximum number of jobs in a batch. */
  readonly batchLimit: number;
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
  /** Maximum number of tenants whose valid proofs are counted. Default: 10,000. */
  readonly historyLimit?: number;
}

interface SourceQueue<Job> {
  slots: number;
  readonly low: boolean;
  readonly keyless: boolean;
  readonly jobs: Job[];
  /** When one of its jobs was last invalid. */
  failedAt: number;
  /** Whether its last batch contained an invalid job. */
  failing: boolean;
}

/** Sources of different groups never share a batch. */
type Group = 'trusted' | 'new' | 'suspect' | 'keyless';

/** Maximum share of the queue for one tenant, and for all keyless callers of one priority together. */
const MAX_SHARE = 0.25;
/** Maximum share of the queue for one keyless network. Also the size of a keyless batch, as a share of `batchLimit`. */
const MAX_KEYLESS_SHARE = 1 / 16;
/** How long a tenant gets separate batches after an invalid proof. */
const SUSPECT_MS = 60_000;
/** A tenant is trusted after this many valid proofs in a row. */
const TRUSTED_AFTER = 16;
const HISTORY_LIMIT = 10_000;
const CLEANUP_INTERVAL_MS = 1_000;

/**
 * A bounded queue that returns batches. A batch takes jobs from its sources in round-robin order, so a single job waits for
 * only one batch of its group, however many jobs other sources queued. The groups alternate:
 *
 * - `trusted`: tenants with a history of valid proofs. They share batches only with each other.
 * - `new`: tenants without such a history. They also share batches only with each other.
 * - `suspect`: a tenant with an invalid proof in the last minute. It gets separate batches, limited to its fair share.
 * - `keyless`: callers without an API key. A few at a time, each verified separately, and one at a time with low priority. No history is kept for them, because an
 *   attacker can send each invalid proof from a different network.
 */
export class FairQueue<Job extends Waiting> {
  readonly #options: FairQueueOptions;
  /** Ordered by next turn. */
  readonly #queues = new Map<string, SourceQueue<Job>>();
  readonly #alone: Job[] = [];
  /** Valid proofs per tenant since its last invalid one, least recently used first. */
  readonly #history = new Map<string, number>();
  /** Ordered by next turn. */
  readonly #groups = new Set<Group>(['trusted', 'new', 'suspect', 'keyless']);
  #slots = 0;
  /** Slots of keyless callers, by priority. */
  readonly #keylessSlots = { low: 0, normal: 0 };
  #cleanUpAt = 0;

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  /** Slots in use. */
  get slots(): number {
    return this.#slots;
  }

  /** Number of sources with state. */
  get sources(): number {
    return this.#queues.size;
  }

  /** Reserves a slot. Returns false if the queue or the source's share of it is full. */
  reserve(source: Source): boolean {
    const { limit } = this.#options;
    const queue = this.#queues.get(source.name) ?? newQueue<Job>(source);
    const share = queue.keyless ? MAX_KEYLESS_SHARE : MAX_SHARE;
    const keyless = queue.keyless ? this.#keylessSlots[priorityOf(queue)] : 0;
    if (this.#slots >= limit || queue.slots >= part(limit, share) || keyless >= part(limit, MAX_SHARE))
      return false;
    this.#queues.set(source.name, queue);
    this.#addSlots(queue, 1);
    return true;
  }

  /** Releases a slot. */
  release({ name }: Source): void {
    const queue = this.#queues.get(name);
    if (queue === undefined) return;
    this.#addSlots(queue, -1);
    if (queue.slots === 0 && !this.#isSuspect(queue)) this.#queues.delete(name);
  }

  /** Adds a job to its reserved slot. */
  push(job: Job): void {
    this.#queues.get(job.source.name)?.jobs.push(job);
  }

  /** Returns a job to the front of the queue, to be verified alone. It uses no slot. */
  requeueAlone(job: Job): void {
    this.#alone.push(job);
  }

  /** Removes and returns the next batch, and releases its slots. Undefined if no job is waiting. */
  take(): Batch<Job> | undefined {
    const alone = this.#alone.shift();
    if (alone !== undefined) return { jobs: [alone], singly: true };
    const batch = this.#next();
    for (const job of batch?.jobs ?? []) this.release(job.source);
    return batch;
  }

  /** Removes and returns expired jobs from the head of each source's queue, even of sources that are not served. */
  removeExpired(isExpired: (job: Job) => boolean): Job[] {
    const dropped: Job[] = [];
    for (const queue of this.#queues.values()) {
      const firstValid = queue.jobs.findIndex((job) => !isExpired(job));
      dropped.push(...queue.jobs.splice(0, firstValid < 0 ? queue.jobs.length : firstValid));
    }
    for (const job of dropped) this.release(job.source);
    return dropped;
  }

  /** Removes and returns all waiting jobs. */
  clear(): Job[] {
    const jobs = [...this.#queues.values()].flatMap((queue) => queue.jobs.splice(0));
    for (const job of jobs) this.release(job.source);
    return [...this.#alone.splice(0), ...jobs];
  }

  /** Records the verdicts of a batch, except those of keyless callers. */
  record(batch: Batch<Job>, verdicts: readonly boolean[]): void {
    const settled = new Map<string, { readonly source: Source; valid: number; invalid: number }>();
    batch.jobs.forEach(({ source }, i) => {
      const count = settled.get(source.name) ?? { source, valid: 0, invalid: 0 };
      count[verdicts[i] === false ? 'invalid' : 'valid']++;
      settled.set(source.name, count);
    });
    for (const { source, valid, invalid } of settled.values()) {
      if (source.keyless) continue;
      if (invalid > 0) this.#suspect(source);
      else this.#trust(source, valid);
    }
    if (this.#options.now() >= this.#cleanUpAt) this.#cleanUp();
  }

  #suspect(source: Source): void {
    const queue = this.#queues.get(source.name) ?? newQueue<Job>(source);
    queue.failing = true;
    queue.failedAt = this.#options.now();
    this.#queues.set(source.name, queue);
    this.#history.delete(source.name);
  }

  #trust({ name }: Source, valid: number): void {
    const queue = this.#queues.get(name);
    if (queue !== undefined) queue.failing = false;
    const total = Math.min(TRUSTED_AFTER, (this.#history.get(name) ?? 0) + valid);
    this.#history.delete(name);
    this.#history.set(name, total);
    if (this.#history.size <= (this.#options.historyLimit ?? HISTORY_LIMIT)) return;
    for (const oldest of this.#history.keys()) {
      this.#history.delete(oldest);
      return;
    }
  }

  #addSlots(queue: SourceQueue<Job>, slots: 1 | -1): void {
    queue.slots += slots;
    this.#slots += slots;
    if (queue.keyless) this.#keylessSlots[priorityOf(queue)] += slots;
  }

  #isSuspect(queue: SourceQueue<Job>): boolean {
    return this.#options.now() - queue.failedAt < SUSPECT_MS;
  }

  /** Deletes sources without state. Rate-limited, because there may be thousands. */
  #cleanUp(): void {
    this.#cleanUpAt = this.#options.now() + CLEANUP_INTERVAL_MS;
    for (const [name, queue] of this.#queues)
      if (queue.slots === 0 && !this.#isSuspect(queue)) this.#queues.delete(name);
  }

  #next(): Batch<Job> | undefined {
    const waiting = [...this.#queues].filter(([, queue]) => queue.jobs.length > 0);
    const normal = waiting.filter(([, queue]) => !queue.low);
    const turn = normal.length > 0 ? normal : waiting;
    const membersOf = (group: Group) => turn.filter((entry) => this.#groupOf(...entry) === group);
    const group = [...this.#groups].find((candidate) => membersOf(candidate).length > 0);
    if (group === undefined) return undefined;
    this.#groups.delete(group);
    this.#groups.add(group);
    const members = membersOf(group);
    const { batchLimit } = this.#options;
    if (group === 'trusted') return { jobs: this.#takeRoundRobin(members, batchLimit), singly: false };
    if (group === 'keyless') {
      // A job that arrives during a batch of low priority waits for one proof at most.
      const limit = normal.length > 0 ? part(batchLimit, MAX_KEYLESS_SHARE) : 1;
      return { jobs: this.#takeRoundRobin(members, limit), singly: true };
    }
    // All keyless callers count as one source.
    const keyless = membersOf('keyless').length;
    const sources = turn.length - keyless + Math.min(1, keyless);
    if (group === 'new')
      return {
        jobs: this.#takeRoundRobin(members, part(batchLimit, members.length / sources)),
        singly: false,
      };
    const first = members.slice(0, 1);
    const singly = first.some(([, { failing }]) => failing);
    return { jobs: this.#takeRoundRobin(first, part(batchLimit, 1 / sources)), singly };
  }

  #groupOf(name: string, queue: SourceQueue<Job>): Group {
    if (queue.keyless) return 'keyless';
    if (this.#isSuspect(queue)) return 'suspect';
    return this.#history.get(name) === TRUSTED_AFTER ? 'trusted' : 'new';
  }

  #takeRoundRobin(queues: readonly [string, SourceQueue<Job>][], limit: number): Job[] {
    const jobs: Job[] = [];
    for (let found = true; found && jobs.length < limit; ) {
      found = false;
      for (const [name, queue] of queues) {
        const job = jobs.length < limit ? queue.jobs.shift() : undefined;
        if (job === undefined) continue;
        jobs.push(job);
        this.#moveBack(name, queue);
        found = true;
      }
    }
    return jobs;
  }

  #moveBack(name: string, queue: SourceQueue<Job>): void {
    this.#queues.delete(name);
    this.#queues.set(name, queue);
  }
}

const newQueue = <Job>({ keyless = false, priority }: Source): SourceQueue<Job> => ({
  slots: 0,
  low: priority === 'low',
  keyless,
  jobs: [],
  failedAt: Number.NEGATIVE_INFINITY,
  failing: false,
});

const priorityOf = ({ low }: SourceQueue<unknown>) => (low ? 'low' : 'normal');

/** A share of a number, at least 1. */
const part = (whole: number, share: number): number => Math.max(1, Math.floor(whole * share));
