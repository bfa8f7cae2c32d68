import { createLoader } from '../../base/concurrency/loader.js';
import type { Database, Row } from '../../db/db.js';
import type { Query } from '../../db/sql.js';
import type { Environment } from '../../model/environment.js';
import { chainName, type Scope } from '../audit-store.js';
import { type Read, reader } from '../write.js';
import {
  containsPosition,
  hasReplayed,
  LOG_POSITION,
  type Position,
  positionOf,
  positionOnStandby,
} from './positions.js';
import type { Watch } from './watch.js';

/** Callers that may wait for a connection to the replica. Beyond that, the primary server shares the load. */
const MAX_WAITING = 100;

/** Where reads went: to the replica, or to the primary server because the replica was behind or unavailable. */
export type ReadSource = 'replica' | 'behind' | 'unavailable';

/** Reads that a read replica may serve (docs/adr/0021-read-replicas.md). Without a replica, the primary server serves them. */
export interface History {
  /** Reads that include every write that was acknowledged before them. */
  of(scope: Scope): Read;
  /**
   * For rows of audit chains up to heads that were read after this call. These reads include every change that was committed
   * before this call, audited or not.
   */
  evidence(): Promise<(scope: Scope, head: Position) => Read>;
  readonly reads: Readonly<Record<ReadSource, number>>;
}

export const historyOnPrimary = (db: Database): History => ({
  of: (scope) => reader(db, scope),
  evidence: async () => (scope) => reader(db, scope),
  reads: { replica: 0, behind: 0, unavailable: 0 },
});

interface Servers {
  readonly primary: Database;
  readonly replica: Database;
  readonly watch: Pick<Watch, 'status' | 'fail'>;
}

export function createHistory({ primary, replica, watch }: Servers): History {
  const reads = { replica: 0, behind: 0, unavailable: 0 };

  /** Concurrent requests share a round trip. It begins after each of them, so it finds what was acknowledged before. */
  const findPosition = createLoader<string, Position>(async (names) => {
    const heads = await primary.read('latest', names.map(scopeOf).map(positionOf));
    return new Map(names.flatMap((name, at) => (heads[at] ?? []).map((head) => [name, head as never])));
  });

  const isAsked = () => watch.status === 'ok' && replica.pool().waiting < MAX_WAITING;

  /** Undefined if the replica fails. */
  async function ask(state: 'snapshot' | 'latest', check: Query, statement: Query) {
    try {
      const [checked, rows] = await replica.read(state, [check, statement]);
      return { checked: checked as Row[], rows: rows as Row[] };
    } catch (error) {
      watch.fail(error);
      return undefined;
    }
  }

  /** Whether the replica's position is at or after the wanted one in the same chain, and visible on the primary server. */
  async function isCurrent(scope: Scope, wanted: Position | undefined, found: Position | undefined) {
    if (wanted === undefined || found === undefined || found.seq < wanted.seq) return false;
    if (found.seq > wanted.seq) return (await primary.query(containsPosition(scope, found))).length > 0;
    if (found.hash === wanted.hash) return true;
    watch.fail(new Error('An audit chain of the read replica differs from that of the primary server'));
    return false;
  }

  function askPrimary<R extends object>(because: 'behind' | 'unavailable', statement: Query): Promise<R[]> {
    reads[because] += 1;
    return primary.query<R>(statement);
  }

  async function readList<R extends object>(scope: Scope, statement: Query): Promise<R[]> {
    if (!isAsked()) return askPrimary('unavailable', statement);
    const [wanted, found] = await Promise.all([
      findPosition(chainName(scope)),
      ask('snapshot', positionOnStandby(scope), statement),
    ]);
    if (found === undefined) return askPrimary('unavailable', statement);
    if (!(await isCurrent(scope, wanted, found.checked[0] as Position | undefined)))
      return askPrimary('behind', statement);
    reads.replica += 1;
    return found.rows as R[];
  }

  async function readEvidence<R extends object>(check: Query, statement: Query): Promise<R[]> {
    if (!isAsked()) return askPrimary('unavailable', statement);
    const found = await ask('latest', check, statement);
    if (found === undefined) return askPrimary('unavailable', statement);
    if (found.checked.length === 0) return askPrimary('behind', statement);
    reads.replica += 1;
    return found.rows as R[];
  }

  return {
    of: (scope) => ({ scope, query: (statement) => readList(scope, statement) }),
    async evidence() {
      const [log] = await primary.query<{ lsn: string }>(LOG_POSITION);
      const { lsn } = log as { lsn: string };
      return (scope, head) => {
        const check = hasReplayed(scope, head, lsn);
        return { scope, query: (statement) => readEvidence(check, statement) };
      };
    },
    reads,
  };
}

function scopeOf(name: string): Scope {
  const [tenantId, environment] = name.split('|') as [string, Environment];
  return { tenantId, environment };
}
