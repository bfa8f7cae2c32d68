import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../faults/remote.js';
import type { Seeded } from '../seeded.js';
import { createHost, createParty, type Host } from './accounts.js';
import { checkChains } from './checks.js';
import { Client, type Fact } from './client.js';
import { Journal, NoResponse, type Reply } from './journal.js';
import { takeSnapshot } from './snapshot.js';
import { Visitor } from './visitor.js';

const PARTIES = 4;
const CLIENTS_EACH = 4;
const VISITORS_EACH = 2;
/** The most time from the last fault to healthy nodes. */
const RECOVERY_MS = 30_000;
/** The rest of a round is skipped after this many unexpected responses. */
const MAX_VIOLATIONS = 20;

/** The table of what a request creates, and its id in the response. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
const CREATES: Record<string, [table: string, id: (body: any) => string]> = {
  '/v1/devices': ['devices', (body) => body.device.id],
  '/v1/users': ['tenant_users', (body) => body.user.id],
  '/v1/verifications': ['verifications', (body) => body.verification.id],
  '/v1/attendance': ['attendance', (body) => body.attendance.id],
  '/v1/registrations': ['registration_sessions', (body) => body.session.id],
  '/v1/identity/register': ['tenant_users', (body) => body.userId],
  '/v1/proof-pairing/sessions': ['proof_pairing_sessions', (body) => body.session.id],
  '/api/console/keys': ['api_keys', (body) => body.apiKey.id],
  '/api/console/devices': ['devices', (body) => body.device.id],
};

export interface LoadOptions {
  readonly urls: readonly string[];
  /** Where webhooks deliver to. */
  readonly receiver: string;
  readonly fork: () => Seeded;
  /** Between two requests of a client. */
  readonly thinkMs: readonly [min: number, max: number];
  /** The share of requests with a proof, each of which blocks this process for a third of a second. */
  readonly provingShare: number;
  /** How many used codes an account may send in a check, so that the code-guessing guard stays down. */
  readonly wrongCodes: number;
}

interface Group {
  readonly host: Host;
  readonly clients: readonly Client[];
  readonly visitors: readonly Visitor[];
}

/** What `Client` and `Visitor` have in common. */
interface Worker {
  /** @throws NoResponse */
  act(): Promise<void>;
  /** What to do after a lost response, before the next action. */
  retryUrgent(): Promise<void>;
}

/** The clients of some accounts, which work in rounds of faults. After each round their expectations are checked. */
export class Load {
  readonly journal = new Journal();
  /** The ids of acknowledged records by table. */
  readonly stored = new Map<string, string[]>();
  /** The longest time from the end of a round's faults to healthy nodes. */
  recoveryMs = 0;
  /** Set to false, no proofs are made, so that more requests are in flight. */
  mayProve = true;
  onAcknowledged: () => void = () => {};
  readonly #groups: Group[] = [];
  readonly #options: LoadOptions;
  readonly #random: Seeded;
  #isStopped = false;
  #rounds = 0;

  private constructor(options: LoadOptions) {
    this.#options = options;
    this.#random = options.fork();
    this.journal.urls = options.urls;
    this.journal.onAcknowledged = (path, reply) => {
      this.#store(path, reply);
      this.onAcknowledged();
    };
  }

  static async create(options: LoadOptions): Promise<Load> {
    const load = new Load(options);
    for (let number = 0; number < PARTIES; number += 1) await load.#addGroup(number);
    return load;
  }

  async #addGroup(number: number): Promise<void> {
    const { journal } = this;
    const { fork, provingShare, receiver } = this.#options;
    const party = await createParty(journal, number);
    const host = await createHost(journal, party, { email: `owner-${number}@example.com`, receiver });
    const clients = Array.from({ length: CLIENTS_EACH }, (_, at) => {
      const random = fork();
      const mayProve = () => this.mayProve && random.chance(provingShare);
      return new Client(journal, host, `${number}-${at}`, random, mayProve);
    });
    const visitors = Array.from(
      { length: VISITORS_EACH },
      (_, at) => new Visitor(journal, host, `v${number}-${at}`, fork(), () => this.mayProve),
    );
    this.#groups.push({ host, clients, visitors });
  }

  get hosts(): readonly Host[] {
    return this.#groups.map(({ host }) => host);
  }

  get recorded(): ReadonlyMap<string, string> {
    return new Map(this.#groups.flatMap(({ visitors }) => visitors.flatMap((one) => [...one.recorded])));
  }

  /** Lets the clients end, because a node has. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Works until `faults` end. Expects every response to be one of the contract, and the nodes to be healthy soon after. */
  async work(faults: Promise<unknown>): Promise<void> {
    const violations: string[] = [];
    let isOver = false;
    const mayGoOn = () => !isOver && !this.#isStopped && violations.length < MAX_VIOLATIONS;
    this.journal.mayBeUnavailable = true;
    const repeat = async (worker: Worker) => {
      for (let next: keyof Worker = 'act'; mayGoOn() || next === 'retryUrgent'; ) {
        const error: unknown = await worker[next]().catch((reason: unknown) => reason);
        const isOpen = error instanceof NoResponse;
        if (error !== undefined && !isOpen) violations.push(describeError(error));
        next = isOpen ? 'retryUrgent' : 'act';
        await delay(this.#random.between(...this.#options.thinkMs));
      }
    };
    const working = this.#groups.flatMap(({ clients, visitors }) => [...clients, ...visitors].map(repeat));
    await faults;
    const endedAt = Date.now();
    isOver = true;
    await Promise.all(working);
    if (violations.length > 0) throw new Error(`unexpected responses:\n${violations.join('\n')}`);
    await until(() => this.#isHealthy(), RECOVERY_MS);
    this.recoveryMs = Math.max(this.recoveryMs, Date.now() - endedAt);
    this.journal.mayBeUnavailable = false;
    this.#rounds += 1;
  }

  /** Compares the responses so far with what the service returns now. */
  async check(): Promise<void> {
    for (const { host, clients } of this.#groups) {
      const now = await takeSnapshot(this.journal, host);
      await Promise.all(
        clients.map(async (client, at) => {
          // Those of one client of an account in each check.
          const wrongCodes = at === this.#rounds % clients.length ? this.#options.wrongCodes : 0;
          for (const fact of affordable(client.takeFacts(), this.#random, wrongCodes)) await fact.check(now);
        }),
      );
    }
    await checkChains(this.journal);
  }

  async #isHealthy(): Promise<boolean> {
    const replies = await Promise.all(
      this.journal.urls.map((url) =>
        fetch(`${url}/api/health/ready`).then(
          ({ status }) => status,
          () => 0,
        ),
      ),
    );
    return replies.every((status) => status === 200);
  }

  #store(path: string, { status, body }: Reply): void {
    const created = status === 201 ? CREATES[path] : undefined;
    if (created === undefined) return;
    const [table, idOf] = created;
    const ids = this.stored.get(table) ?? [];
    this.stored.set(table, ids);
    ids.push(idOf(body));
  }
}

/** Limits the wrong codes of a client, so that they do not raise the code-guessing guard. */
function affordable(facts: readonly Fact[], random: Seeded, max: number): Fact[] {
  const wrong = random.sample(
    facts.filter(({ isWrongCode }) => isWrongCode),
    max,
  );
  return facts.filter((fact) => !fact.isWrongCode || wrong.includes(fact));
}

function describeError(error: unknown): string {
  const causes: string[] = [];
  for (let at = error; at instanceof Error; at = at.cause) causes.push(at.message);
  return causes.join(': ');
}
