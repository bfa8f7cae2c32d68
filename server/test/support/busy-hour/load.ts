import { setTimeout as delay } from 'node:timers/promises';
import { affordable, checkChains, createParty } from '../faults/crash.js';
import { Client, Journal, NoResponse, type Reply, takeSnapshot } from '../faults/crash-load.js';
import { until } from '../faults/remote.js';
import type { Seeded } from '../seeded.js';
import { createHost, type Host, Visitor } from './visitor.js';

const PARTIES = 4;
const CLIENTS_EACH = 4;
const VISITORS_EACH = 2;
/** Between two requests of a client. */
const THINK_MS = [20, 400] as const;
/** Of the ceremonies of the crash tests' clients. Each proof takes a third of a second here. */
const PROVING_SHARE = 0.05;
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

/** The clients of some accounts, which work in rounds. After each round their expectations are checked. */
export class Load {
  readonly journal = new Journal();
  readonly hosts: readonly Host[];
  /** The ids of acknowledged records by table. */
  readonly stored = new Map<string, string[]>();
  /** The longest time from the end of a round's faults to healthy nodes. */
  recoveryMs = 0;
  readonly #groups: readonly Group[];
  readonly #random: Seeded;
  #isStopped = false;
  #rounds = 0;

  private constructor(journal: Journal, groups: readonly Group[], random: Seeded) {
    this.journal = journal;
    this.#groups = groups;
    this.hosts = groups.map(({ host }) => host);
    this.#random = random;
    journal.onAcknowledged = (path, reply) => this.#store(path, reply);
  }

  static async create(urls: readonly string[], receiver: string, fork: () => Seeded): Promise<Load> {
    const journal = new Journal();
    journal.urls = urls;
    const groups: Group[] = [];
    for (let number = 0; number < PARTIES; number += 1) {
      const party = await createParty(journal, number);
      const host = await createHost(journal, party, { email: `owner-${number}@example.com`, receiver });
      const clients = Array.from({ length: CLIENTS_EACH }, (_, at) => {
        const random = fork();
        return new Client(journal, host, `${number}-${at}`, random, () => random.chance(PROVING_SHARE));
      });
      const visitors = Array.from(
        { length: VISITORS_EACH },
        (_, at) => new Visitor(journal, host, `v${number}-${at}`, fork()),
      );
      groups.push({ host, clients, visitors });
    }
    return new Load(journal, groups, fork());
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
        await delay(this.#random.between(...THINK_MS));
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
          // One client of an account at a time, so that the code-guessing guard of 15 minutes stays down.
          const wrongCodes = at === this.#rounds % clients.length ? 1 : 0;
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

function describeError(error: unknown): string {
  const causes: string[] = [];
  for (let at = error; at instanceof Error; at = at.cause) causes.push(at.message);
  return causes.join(': ');
}
