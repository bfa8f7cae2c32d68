/** Who sends a job. */
export interface Source {
  /** A tenant, or the network of a caller without an API key. */
  readonly name: string;
  /** True for a caller without an API key. One attacker can have any number of networks, so these share little. */
  readonly keyless?: boolean;
  /** `low` is served when nobody else waits. */
  readonly priority?: 'normal' | 'low' | undefined;
}

/** What is verified together. */
export interface Batch<Job> {
  readonly jobs: readonly Job[];
  /** Each on its own: a combination would most likely fail, and cost more. */
  readonly singly: boolean;
}

/** A waiting job. */
export interface Waiting {
  readonly source: Source;
}

export interface FairQueueOptions {
  /** Places: jobs that wait and those that may yet come. */
  readonly limit: number;
  /** Jobs in a batch at most. */
  readonly batchLimit: number;
  /** Milliseconds, from anywhere, never stepping back. */
  readonly now: () => number;
  /** Tenants whose valid proofs are counted, at most. Default: 10,000. */
  readonly historyLimit?: number;
}

interface Line<Job> {
  places: number;
  readonly low: boolean;
  readonly keyless: boolean;
  readonly jobs: Job[];
  /** When one of its jobs last turned out invalid. */
  failedAt: number;
  /** The last batch of its own held an invalid one. */
  failing: boolean;
}

/** Sources of different groups never share a batch. */
type Group = 'proven' | 'new' | 'suspect' | 'keyless';

/** The most of the queue that one tenant can hold, or all callers without a key of one priority together. */
const SHARE = 0.25;
/** The most of the queue that one network without a key can hold. Also the size of a keyless batch, as a share of the limit. */
const KEYLESS_SHARE = 1 / 16;
/** How long after an invalid proof a tenant is batched alone. */
const SUSPECT_MS = 60_000;
/** A tenant is proven after this many valid proofs without an invalid one. */
const PROVEN_AFTER = 16;
const HISTORY_LIMIT = 10_000;
const FORGET_EVERY_MS = 1_000;

/**
 * A bounded queue that hands out batches. A batch takes from each of its sources in turn, so a lone job waits for one
 * batch of its group, however long another source's line is. The groups take turns:
 *
 * - `proven`: tenants with a history of valid proofs. They share batches only with each other.
 * - `new`: tenants without one. They also share batches only with each other.
 * - `suspect`: a tenant with an invalid proof in the last minute, alone, on its fair share.
 * - `keyless`: callers without an API key, a few at a time and each verified singly. They have no history, because an
 *   attacker can send each invalid proof from another network.
 */
export class FairQueue<Job extends Waiting> {
  readonly #options: FairQueueOptions;
  /** In the order of their next turn. */
  readonly #lines = new Map<string, Line<Job>>();
  readonly #alone: Job[] = [];
  /** How many valid proofs a tenant sent since its last invalid one; least recently used first. */
  readonly #history = new Map<string, number>();
  /** In the order of their next turn. */
  readonly #groups = new Set<Group>(['proven', 'new', 'suspect', 'keyless']);
  #places = 0;
  /** Places of callers without a key, by priority. */
  readonly #keylessPlaces = { low: 0, normal: 0 };
  #forgetAt = 0;

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  /** Places taken. */
  get places(): number {
    return this.#places;
  }

  /** Sources that something is known of. */
  get sources(): number {
    return this.#lines.size;
  }

  /** Takes a place; false when the queue or the source's share of it is full. */
  enter(source: Source): boolean {
    const { limit } = this.#options;
    const line = this.#lines.get(source.name) ?? newLine<Job>(source);
    const share = line.keyless ? KEYLESS_SHARE : SHARE;
    const keyless = line.keyless ? this.#keylessPlaces[priorityOf(line)] : 0;
    if (this.#places >= limit || line.places >= part(limit, share) || keyless >= part(limit, SHARE))
      return false;
    this.#lines.set(source.name, line);
    this.#hold(line, 1);
    return true;
  }

  /** Gives a place back. */
  leave({ name }: Source): void {
    const line = this.#lines.get(name);
    if (line === undefined) return;
    this.#hold(line, -1);
    if (line.places === 0 && !this.#isSuspect(line)) this.#lines.delete(name);
  }

  /** Puts a job into its place. */
  push(job: Job): void {
    this.#lines.get(job.source.name)?.jobs.push(job);
  }

  /** Takes a job back that left, to be handed out first and in no company: it holds no place. */
  pushAlone(job: Job): void {
    this.#alone.push(job);
  }

  /** What is next; undefined when nothing waits. Its jobs leave their places. */
  take(): Batch<Job> | undefined {
    const alone = this.#alone.shift();
    if (alone !== undefined) return { jobs: [alone], singly: true };
    const batch = this.#next();
    for (const job of batch?.jobs ?? []) this.leave(job.source);
    return batch;
  }

  /** Those at the head of each line that are over, which leave: also of a source whose turn does not come. */
  drop(isOver: (job: Job) => boolean): Job[] {
    const dropped: Job[] = [];
    for (const line of this.#lines.values()) {
      const kept = line.jobs.findIndex((job) => !isOver(job));
      dropped.push(...line.jobs.splice(0, kept < 0 ? line.jobs.length : kept));
    }
    for (const job of dropped) this.leave(job.source);
    return dropped;
  }

  /** All that waits, which leaves. */
  clear(): Job[] {
    const jobs = [...this.#lines.values()].flatMap((line) => line.jobs.splice(0));
    for (const job of jobs) this.leave(job.source);
    return [...this.#alone.splice(0), ...jobs];
  }

  /** Takes note of what became of a batch. Nothing is remembered of callers without a key. */
  note(batch: Batch<Job>, verdicts: readonly boolean[]): void {
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
    if (this.#options.now() >= this.#forgetAt) this.#forget();
  }

  #suspect(source: Source): void {
    const line = this.#lines.get(source.name) ?? newLine<Job>(source);
    line.failing = true;
    line.failedAt = this.#options.now();
    this.#lines.set(source.name, line);
    this.#history.delete(source.name);
  }

  #trust({ name }: Source, valid: number): void {
    const line = this.#lines.get(name);
    if (line !== undefined) line.failing = false;
    const total = Math.min(PROVEN_AFTER, (this.#history.get(name) ?? 0) + valid);
    this.#history.delete(name);
    this.#history.set(name, total);
    if (this.#history.size <= (this.#options.historyLimit ?? HISTORY_LIMIT)) return;
    for (const oldest of this.#history.keys()) {
      this.#history.delete(oldest);
      return;
    }
  }

  #hold(line: Line<Job>, places: 1 | -1): void {
    line.places += places;
    this.#places += places;
    if (line.keyless) this.#keylessPlaces[priorityOf(line)] += places;
  }

  #isSuspect(line: Line<Job>): boolean {
    return this.#options.now() - line.failedAt < SUSPECT_MS;
  }

  /** Sources that nothing is known of any more; now and then, as there may be thousands. */
  #forget(): void {
    this.#forgetAt = this.#options.now() + FORGET_EVERY_MS;
    for (const [name, line] of this.#lines)
      if (line.places === 0 && !this.#isSuspect(line)) this.#lines.delete(name);
  }

  #next(): Batch<Job> | undefined {
    const waiting = [...this.#lines].filter(([, line]) => line.jobs.length > 0);
    const normal = waiting.filter(([, line]) => !line.low);
    const turn = normal.length > 0 ? normal : waiting;
    const membersOf = (group: Group) => turn.filter((entry) => this.#groupOf(...entry) === group);
    const group = [...this.#groups].find((candidate) => membersOf(candidate).length > 0);
    if (group === undefined) return undefined;
    this.#groups.delete(group);
    this.#groups.add(group);
    const members = membersOf(group);
    const { batchLimit } = this.#options;
    if (group === 'proven') return { jobs: this.#takeInTurns(members, batchLimit), singly: false };
    if (group === 'keyless')
      return { jobs: this.#takeInTurns(members, part(batchLimit, KEYLESS_SHARE)), singly: true };
    // All callers without a key count as one source.
    const keyless = membersOf('keyless').length;
    const sources = turn.length - keyless + Math.min(1, keyless);
    if (group === 'new')
      return { jobs: this.#takeInTurns(members, part(batchLimit, members.length / sources)), singly: false };
    const first = members.slice(0, 1);
    const singly = first.some(([, { failing }]) => failing);
    return { jobs: this.#takeInTurns(first, part(batchLimit, 1 / sources)), singly };
  }

  #groupOf(name: string, line: Line<Job>): Group {
    if (line.keyless) return 'keyless';
    if (this.#isSuspect(line)) return 'suspect';
    return this.#history.get(name) === PROVEN_AFTER ? 'proven' : 'new';
  }

  #takeInTurns(lines: readonly [string, Line<Job>][], limit: number): Job[] {
    const jobs: Job[] = [];
    for (let took = true; took && jobs.length < limit; ) {
      took = false;
      for (const [name, line] of lines) {
        const job = jobs.length < limit ? line.jobs.shift() : undefined;
        if (job === undefined) continue;
        jobs.push(job);
        this.#moveBack(name, line);
        took = true;
      }
    }
    return jobs;
  }

  #moveBack(name: string, line: Line<Job>): void {
    this.#lines.delete(name);
    this.#lines.set(name, line);
  }
}

const newLine = <Job>({ keyless = false, priority }: Source): Line<Job> => ({
  places: 0,
  low: priority === 'low',
  keyless,
  jobs: [],
  failedAt: Number.NEGATIVE_INFINITY,
  failing: false,
});

const priorityOf = ({ low }: Line<unknown>) => (low ? 'low' : 'normal');

/** That share of a whole, at least one. */
const part = (whole: number, share: number): number => Math.max(1, Math.floor(whole * share));
