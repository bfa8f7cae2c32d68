/** Who sends a job. */
export interface Source {
  /** Sources share the queue alike: a tenant, or an address where none is known. */
  readonly name: string;
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
  readonly source: string;
}

export interface FairQueueOptions {
  /** Places: jobs that wait and those that may yet come. */
  readonly limit: number;
  /** Jobs in a batch at most. */
  readonly batchLimit: number;
  /** Milliseconds, from anywhere, never stepping back. */
  readonly now: () => number;
}

interface Line<Job> {
  places: number;
  low: boolean;
  readonly jobs: Job[];
  /** When one of its jobs last turned out invalid. */
  failedAt: number;
  /** The last batch of its own held an invalid one. */
  failing: boolean;
}

/** No source holds more of the queue than this. */
const SHARE = 0.25;
/** So long after a failure a source's jobs are kept apart from everybody else's. */
const SUSPECT_MS = 60_000;
const FORGET_EVERY_MS = 1_000;

/**
 * A bounded queue that hands out batches in turns. Every batch takes from each source in turn, so a lone job waits for one
 * batch, however long another source's line is. A source that sent an invalid proof in the last minute gets batches of its
 * own, its fair share of them, so that nobody else's batch fails for it.
 */
export class FairQueue<Job extends Waiting> {
  readonly #options: FairQueueOptions;
  /** In the order of their next turn. */
  readonly #lines = new Map<string, Line<Job>>();
  readonly #alone: Job[] = [];
  #places = 0;
  #suspectsNext = false;
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
  enter({ name, priority }: Source): boolean {
    const share = Math.max(1, Math.floor(this.#options.limit * SHARE));
    const line = this.#lines.get(name);
    if (this.#places >= this.#options.limit || (line?.places ?? 0) >= share) return false;
    const own = line ?? this.#open(name);
    own.low = priority === 'low';
    own.places++;
    this.#places++;
    return true;
  }

  /** Gives a place back. */
  leave(source: string): void {
    const line = this.#lines.get(source);
    if (line === undefined) return;
    line.places--;
    this.#places--;
    if (line.places === 0 && !this.#isSuspect(line)) this.#lines.delete(source);
  }

  /** Puts a job into its place. */
  push(job: Job): void {
    this.#lines.get(job.source)?.jobs.push(job);
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

  /** Takes note of what became of a batch. */
  note(batch: Batch<Job>, verdicts: readonly boolean[]): void {
    const failed = new Set(batch.jobs.filter((_, i) => verdicts[i] === false).map(({ source }) => source));
    for (const source of new Set(batch.jobs.map((job) => job.source))) {
      const line = this.#lines.get(source) ?? (failed.has(source) ? this.#open(source) : undefined);
      if (line === undefined) continue;
      line.failing = failed.has(source);
      if (line.failing) line.failedAt = this.#options.now();
    }
    if (this.#options.now() >= this.#forgetAt) this.#forget();
  }

  #open(name: string): Line<Job> {
    const line: Line<Job> = {
      places: 0,
      low: false,
      jobs: [],
      failedAt: Number.NEGATIVE_INFINITY,
      failing: false,
    };
    this.#lines.set(name, line);
    return line;
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
    const suspects = turn.filter(([, line]) => this.#isSuspect(line));
    const others = turn.filter(([, line]) => !this.#isSuspect(line));
    if (turn.length === 0) return undefined;
    this.#suspectsNext = suspects.length > 0 && (others.length === 0 || this.#suspectsNext);
    if (this.#suspectsNext) {
      this.#suspectsNext = false;
      const share = Math.max(1, Math.floor(this.#options.batchLimit / turn.length));
      return this.#takeSuspect(suspects[0] as [string, Line<Job>], share);
    }
    this.#suspectsNext = true;
    return { jobs: this.#takeInTurns(others), singly: false };
  }

  #takeSuspect([name, line]: [string, Line<Job>], share: number): Batch<Job> {
    this.#moveBack(name, line);
    return { jobs: line.jobs.splice(0, share), singly: line.failing };
  }

  #takeInTurns(lines: readonly [string, Line<Job>][]): Job[] {
    const jobs: Job[] = [];
    for (let took = true; took && jobs.length < this.#options.batchLimit; ) {
      took = false;
      for (const [name, line] of lines) {
        const job = jobs.length < this.#options.batchLimit ? line.jobs.shift() : undefined;
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
