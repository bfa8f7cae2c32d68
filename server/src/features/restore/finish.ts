import { type Config, ConfigError } from '../../base/config/config.js';
import type { Keyring } from '../../base/crypto/keyring.js';
import type { Deps } from '../../http/deps.js';
import type { Scope } from '../../ledger/audit-store.js';
import { reader } from '../../ledger/write.js';
import { ENVIRONMENTS } from '../../model/environment.js';
import { LEGACY_ACCOUNT } from '../../model/legacy-account.js';
import { applyErasure, type ErasingDeps } from './apply-erasure.js';
import { endEverything, lockAccounts, unlockAccount } from './ending.js';
import { type LaterExport, readLaterExport } from './exports.js';
import { findUnerased, isFromBefore, openErasuresOf, readRestore, recordRestore } from './restore.js';
import * as store from './restore.store.js';
import { RestoreError } from './restore-error.js';
import { revokeAgain } from './revoking.js';

const ACCOUNTS_AT_ONCE = 50;
/**
 * How many of a chain's last events are searched for the `chain.restored` of this restore, besides those that the restore itself may
 * have added. One that is not found is written again, which does no harm.
 */
const EVENTS_SEARCHED = 2_000;
/** In a chain with an export: how many more. The head before that event is where the export must continue the backup. */
const MORE_EVENTS_WITH_EXPORT = 200_000;
const SYSTEM = { type: 'system', id: null } as const;

export interface FinishDeps extends ErasingDeps {
  readonly config: Pick<Config, 'databaseUrl' | 'dataDir' | 'erasuresFile' | 'restoreEpoch'>;
  readonly keyring: Keyring;
  readonly effects: Deps['effects'];
  readonly bus: Pick<Deps['bus'], 'publish'>;
  /** Told what is being done. */
  readonly progress?: ((text: string) => void) | undefined;
}

export interface Finished {
  readonly epoch: number;
  /** False if the restore was finished before. Only erasures of the file were then applied. */
  readonly restored: boolean;
  readonly accounts: number;
  /** Accounts whose identities wait for their owner. */
  readonly locked: number;
  /** People who were erased again. */
  readonly erased: number;
  readonly exports: readonly {
    readonly tenantId: string;
    readonly environment: string;
    /** The time of the last event. What was revoked later is unknown. */
    readonly upTo: string;
    readonly events: number;
    readonly identities: number;
    readonly devices: number;
    readonly keys: number;
  }[];
}

const nameOf = ({ tenantId, environment }: Scope) => `${tenantId} ${environment}`;

/** A chain, with the head that the backup had. */
interface Chain {
  readonly scope: Scope;
  readonly base: store.Link;
  /** `chain.restored` is written. */
  readonly marked: boolean;
}

/** Finishes one restore. */
class Restore {
  readonly #deps: FinishDeps;
  readonly #epoch: number;
  /** When the restore before this one was finished. */
  readonly #before: Date;
  readonly #exports = new Map<string, LaterExport>();
  accounts = 0;
  locked = 0;
  erased = 0;

  constructor(deps: FinishDeps, before: Date) {
    this.#deps = deps;
    this.#epoch = deps.config.restoreEpoch;
    this.#before = before;
  }

  get exports(): LaterExport[] {
    return [...this.#exports.values()];
  }

  async #findChain(scope: Scope, added = 0): Promise<Chain | undefined> {
    const read = reader(this.#deps.db, scope);
    const restored = await store.findRestored(read, this.#epoch, EVENTS_SEARCHED + added);
    if (restored !== undefined) return { scope, base: restored, marked: true };
    const base = await store.findHead(read);
    return base && { scope, base, marked: false };
  }

  /** Reads and checks all exports before anything is changed. */
  async read(paths: readonly string[]): Promise<void> {
    const { db, keyring, progress } = this.#deps;
    const baseOf = async (scope: Scope) => (await this.#findChain(scope, MORE_EVENTS_WITH_EXPORT))?.base;
    for (const [at, path] of paths.entries()) {
      progress?.(`export ${at + 1} of ${paths.length}`);
      const found = await readLaterExport({ db, keyring, baseOf }, path);
      const name = nameOf(found.scope);
      if (this.#exports.has(name))
        throw new RestoreError(
          `${path} cannot be used: there are two exports of the chain ${name}. Nothing was changed.`,
        );
      this.#exports.set(name, found);
    }
  }

  #mark({ scope, base }: Chain): Promise<void> {
    return this.#deps.write({ scope, actor: SYSTEM, action: 'chain.restored' }, async (w) => {
      const metadata = { seq: base.seq, hash: base.hash, epoch: this.#epoch };
      w.audit({ entityType: 'chain', entityId: null, metadata });
    });
  }

  /** Locks the accounts, and says in each chain that it was restored, before anything else is added to it. */
  async #begin(accounts: readonly (readonly Chain[])[]): Promise<void> {
    const { db, clock } = this.#deps;
    const fresh = accounts.filter((chains) => chains.some(({ marked }) => !marked));
    const ids = fresh.flatMap(([chain]) => (chain ? [chain.scope.tenantId] : []));
    await lockAccounts(
      db,
      ids.filter((id) => id !== LEGACY_ACCOUNT.id),
      new Date(clock.now()),
    );
    await Promise.all(
      fresh
        .flat()
        .filter(({ marked }) => !marked)
        .map((chain) => this.#mark(chain)),
    );
  }

  async #apply({ scope, later }: LaterExport): Promise<void> {
    await revokeAgain(this.#deps, scope, later);
    for (const person of later.people)
      if (await applyErasure(this.#deps, { ...scope, ...person })) this.erased += 1;
  }

  async #finishAccount(chains: readonly Chain[]): Promise<void> {
    let isKnown = true;
    for (const { scope, base } of chains) {
      await endEverything(this.#deps, scope);
      const found = this.#exports.get(nameOf(scope));
      if (found !== undefined) await this.#apply(found);
      // Nothing was in a chain without events, so nothing of it can have been revoked.
      else if (base.seq > 0) isKnown = false;
    }
    const [chain] = chains;
    if (chain === undefined || chain.scope.tenantId === LEGACY_ACCOUNT.id) return;
    if (isKnown) await unlockAccount(this.#deps.db, chain.scope.tenantId, this.#before);
    else this.locked += 1;
  }

  /** Every account, a page at a time. Repeating it continues where it ended. */
  async finishAccounts(): Promise<void> {
    const { db, progress } = this.#deps;
    for (let after: string | undefined; ; ) {
      const ids = await store.listAccounts(db, after, ACCOUNTS_AT_ONCE);
      const accounts: Chain[][] = [];
      for (const tenantId of ids) {
        const chains = ENVIRONMENTS.map((environment) => {
          const scope = { tenantId, environment };
          return this.#findChain(scope, this.#exports.get(nameOf(scope))?.events);
        });
        accounts.push((await Promise.all(chains)).filter((chain) => chain !== undefined));
      }
      await this.#begin(accounts);
      for (const chains of accounts) await this.#finishAccount(chains);
      this.accounts += ids.length;
      progress?.(`${this.accounts} accounts`);
      after = ids.at(-1);
      if (ids.length < ACCOUNTS_AT_ONCE) return;
    }
  }
}

/** Erases the people of the file who are not erased in the database. Returns how many. */
async function eraseAgain(deps: FinishDeps, finishedAt: Date | undefined): Promise<number> {
  const { db, config, progress } = deps;
  const file = await openErasuresOf(config);
  if (file === undefined) return 0;
  let erased = 0;
  try {
    for await (const lines of findUnerased(db, file.lines()))
      for (const line of lines) {
        if (finishedAt && !isFromBefore(line, finishedAt))
          throw new ConfigError(
            `The file of ERASURES_FILE has erasures that this database lacks: it was restored from a backup. Set RESTORE_EPOCH=${config.restoreEpoch + 1} on every node and run \`svc restore finish\`.`,
          );
        if (await applyErasure(deps, line)) erased += 1;
        progress?.(`${erased} people erased`);
      }
    return erased;
  } finally {
    await file.close();
  }
}

/**
 * Finishes a restore from a backup, so that nothing works again that was ended after the backup. It can be stopped at any moment
 * and run again: only its last step lets the nodes serve the database.
 * @throws RestoreError, ConfigError with what to do
 */
export async function finishRestore(deps: FinishDeps, from: readonly string[]): Promise<Finished> {
  const { db, config, clock } = deps;
  const { epoch, finishedAt } = await readRestore(db);
  const next = config.restoreEpoch;
  if (next < epoch)
    throw new ConfigError(
      `RESTORE_EPOCH is ${next}, but the epoch of this database is ${epoch}. After a restore, set RESTORE_EPOCH=${epoch + 1} on every node.`,
    );
  if (next === epoch) {
    if (from.length > 0)
      throw new RestoreError(
        `The restore ${epoch} is finished, so --from has no effect any more. If the database was restored again, set RESTORE_EPOCH=${epoch + 1} on every node.`,
      );
    const erased = await eraseAgain(deps, finishedAt);
    return { epoch, restored: false, accounts: 0, locked: 0, erased, exports: [] };
  }
  const restore = new Restore(deps, finishedAt);
  await restore.read(from);
  await restore.finishAccounts();
  const erased = restore.erased + (await eraseAgain(deps, undefined));
  await recordRestore(db, next, new Date(clock.now()));
  const exports = restore.exports.map(({ scope, head, events, later }) => ({
    ...scope,
    upTo: new Date(head.at).toISOString(),
    events,
    identities: new Set(later.identities).size,
    devices: new Set(later.devices).size,
    keys: new Set(later.keys).size,
  }));
  return { epoch: next, restored: true, accounts: restore.accounts, locked: restore.locked, erased, exports };
}
