import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RawDatabase } from '../../src/db/db.js';
import { TABLES } from '../../src/db/tables.js';
import { type Finished, finishRestore } from '../../src/features/restore/finish.js';
import { checkRestored, type ErasuresFile, openErasures } from '../../src/features/restore/restore.js';
import { freshDatabase } from '../support/database.js';
import { type Account, type ManualClock, type Service, startService } from '../support/service.js';

const tables = Object.keys(TABLES).filter((name) => name !== 'schema_migrations');

/** Remembers every row. */
const backUp = (db: RawDatabase): Promise<void> =>
  db.script(
    [
      'drop schema if exists backup cascade',
      'create schema backup',
      ...tables.map((name) => `create table backup.${name} as table public.${name}`),
    ].join(';\n'),
  );

/** Puts the remembered rows back, and only these. Triggers and references would reject that, as they are in a real restore. */
const putBack = (db: RawDatabase): Promise<void> =>
  db.script(
    [
      'set local session_replication_role = replica',
      ...tables.map((name) => `delete from public.${name}`),
      ...tables.map(
        (name) => `insert into public.${name} overriding system value select * from backup.${name}`,
      ),
    ].join(';\n'),
  );

/** A service that can be backed up and restored, with its file of erasures beside it. */
export class Restorable {
  service!: Service;
  epoch = 0;
  readonly db: RawDatabase;
  readonly folder = mkdtempSync(join(tmpdir(), 'svc-restore-'));
  #clock: ManualClock | undefined;
  #erasures: ErasuresFile | undefined;

  constructor(db: RawDatabase) {
    this.db = db;
  }

  static async start(): Promise<Restorable> {
    const restorable = new Restorable((await freshDatabase()).db);
    await restorable.serve();
    return restorable;
  }

  get config() {
    return { ...this.service.app.deps.config, ...this.settings };
  }
  get settings() {
    return { restoreEpoch: this.epoch, erasuresFile: join(this.folder, 'erasures.jsonl') };
  }

  /** What a start checks. */
  check = (settings: Partial<Restorable['settings']> = {}) =>
    checkRestored({ db: this.db, config: { ...this.config, ...settings } });

  /** The sentence with which a start refuses to serve; `serves` if it does not. */
  async startError(settings: Partial<Restorable['settings']> = {}): Promise<string> {
    try {
      await (await this.check(settings)).erasures?.close();
      return 'serves';
    } catch (error) {
      return (error as Error).message;
    }
  }

  /** Starts a node, as `main.ts` does. */
  async serve(): Promise<Service> {
    if (this.service !== undefined) {
      const { proofsFrom, erasures } = await this.check();
      await this.service.close();
      await this.#erasures?.close();
      this.#erasures = erasures;
      this.service = await startService({
        db: this.db,
        ...(this.#clock && { clock: this.#clock }),
        proofsFrom,
        ...(erasures && { erasures }),
      });
      return this.service;
    }
    const erasures = await openErasures(this.settings.erasuresFile);
    this.#erasures = erasures;
    this.service = await startService({ db: this.db, erasures });
    this.#clock = this.service.clock;
    return this.service;
  }

  backUp = () => backUp(this.db);

  /** Sets the database back, a minute later. */
  async restore(): Promise<void> {
    this.service.clock.advance(60_000);
    await putBack(this.db);
    this.epoch += 1;
  }

  finish(from: readonly string[] = [], progress?: (text: string) => void): Promise<Finished> {
    const { deps } = this.service.app;
    return finishRestore({ ...deps, config: this.config, progress }, from);
  }

  /** Restores the backup, finishes it, and serves it at a time when new proofs are accepted. */
  async restoreAndFinish(from: readonly string[] = []): Promise<Finished> {
    await this.restore();
    const finished = await this.finish(from);
    await this.serve();
    this.service.clock.advance(5 * 60_000);
    return finished;
  }

  /** The account's export of a chain, as a file. */
  async exportOf(account: Account, environment: 'live' | 'test' = 'live'): Promise<string> {
    const path = join(this.folder, `${account.tenantId}-${environment}-${Date.now()}-${Math.random()}.jsonl`);
    const url = `/v1/audit/export?environment=${environment}`;
    const reply = await this.service.call('GET', url, { session: account.token });
    if (reply.status !== 200) throw new Error(`exporting returned ${reply.status} ${reply.text}`);
    writeFileSync(path, reply.text);
    return path;
  }

  async close(): Promise<void> {
    await this.service.close();
    await this.#erasures?.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
