import { SEALED_FIELDS } from '@svc/zk/records/kinds';
import { MAX_PAGE_RECORDS, type PageRecord, pageRoot } from '@svc/zk/records/pages';
import { sealMade } from '@svc/zk/records/seal';
import { NIL_UUID } from '../../base/crypto/random.js';
import type { Deps } from '../../http/deps.js';
import type { Scope } from '../../ledger/audit-store.js';
import { newSalts, sha256OfBytes } from '../../ledger/record-seal.js';
import { reader, type Write } from '../../ledger/write.js';
import { insertPage } from '../../records/seals/sealed-pages.js';
import type { SealedTable } from '../../records/seals/sealed-rows.js';
import { sealedAttendance } from '../attendance/attendance.js';
import { sealedDevices } from '../devices/devices.js';
import { sealedUsers } from '../users/users.js';
import { sealedVerifications } from '../verifications/verifications.js';
import * as store from './later.store.js';
import { countUnsealed } from './sealed-chains.store.js';

const TABLES: readonly SealedTable[] = [sealedDevices, sealedUsers, sealedVerifications, sealedAttendance];
const CHAINS_AT_ONCE = 100;

type LaterDeps = Pick<Deps, 'db' | 'write' | 'clock' | 'random'> & {
  /** Told what is being done. */
  readonly progress?: ((text: string) => void) | undefined;
};

interface SealedLater {
  readonly records: number;
  readonly pages: number;
  /** Still without a seal: a request had them locked, or they say what the API cannot show. */
  readonly left: number;
  /** Chains that do not say yet that each new record is sealed. */
  readonly chainsTooNew: number;
}

/** How far a page reaches. */
interface Reached {
  readonly count: number;
  readonly last: string;
  readonly isLast: boolean;
}

/** There was nothing to seal, so nothing is written. */
class NothingToSealError extends Error {
  override readonly name = 'NothingToSealError';
  /** Undefined: there are no more records. */
  readonly reached: Reached | undefined;
  constructor(reached: Reached | undefined) {
    super();
    this.reached = reached;
  }
}

/**
 * Seals every record from before there were seals as it now is, a page at a time. The entry of each page, `records.sealed_later`, says for
 * ever that these were sealed later: nobody knows what they said before.
 */
export async function sealLater(deps: LaterDeps, pageSize = MAX_PAGE_RECORDS): Promise<SealedLater> {
  const sum = { records: 0, pages: 0, left: 0 };
  let after: Pick<Scope, 'tenantId'> & { readonly environment: string } = {
    tenantId: NIL_UUID,
    environment: '',
  };
  for (;;) {
    const scopes = await store.listSealedChains(deps.db, after, CHAINS_AT_ONCE);
    for (const scope of scopes)
      for (const table of TABLES) {
        for await (const records of sealTable(deps, scope, table, pageSize)) {
          sum.records += records;
          sum.pages += 1;
          deps.progress?.(`${sum.records} records sealed`);
        }
        sum.left += await store.countUnsealed(reader(deps.db, scope), table);
      }
    after = scopes.at(-1) ?? after;
    if (scopes.length < CHAINS_AT_ONCE) break;
  }
  return { ...sum, chainsTooNew: await countUnsealed(deps.db) };
}

/** Yields how many records each page has. */
async function* sealTable(deps: LaterDeps, scope: Scope, table: SealedTable, pageSize: number) {
  let page: Reached | undefined;
  do {
    page = await sealPage(deps, scope, table, { after: page?.last ?? NIL_UUID, pageSize });
    if (page !== undefined && page.count > 0) yield page.count;
  } while (page !== undefined && !page.isLast);
}

/** Seals the records after that one which have no seal. Undefined if there are none. */
async function sealPage(
  { write, clock, random }: LaterDeps,
  scope: Scope,
  table: SealedTable,
  { after, pageSize }: { readonly after: string; readonly pageSize: number },
): Promise<Reached | undefined> {
  const request = { scope, actor: { type: 'system', id: null }, action: 'records.sealed_later' } as const;
  const { kind } = table;
  try {
    return await write(request, async (w: Write) => {
      const found = await store.lockUnsealed(w, table, after, pageSize);
      const made = found.flatMap((each) => sealed(random, table, each) ?? []);
      const records = made.map(({ id, seal }): PageRecord => [id, seal]);
      const last = found.at(-1)?.id;
      const reached = last && { count: records.length, last, isLast: found.length < pageSize };
      if (!reached || records.length === 0) throw new NothingToSealError(reached || undefined);
      const root = pageRoot({ kind, records }, sha256OfBytes);
      const now = new Date(clock.now());
      await w.mutate(store.setSeals(w, table, made, now));
      await w.mutate(insertPage(w, kind, { root, records }, now));
      const metadata = { kind, count: records.length, root };
      w.audit({ entityType: 'tenant', entityId: scope.tenantId, metadata });
      return reached;
    });
  } catch (error) {
    if (error instanceof NothingToSealError) return error.reached;
    throw error;
  }
}

/** The seal of a record as it is, with new salts. Undefined if it cannot be shown. */
function sealed(random: Deps['random'], { kind }: SealedTable, { id, record }: store.UnsealedRecord) {
  const salts = newSalts(random);
  const seal = record && sealMade({ kind, n: SEALED_FIELDS[kind].length, record, salts }, sha256OfBytes);
  return seal === undefined ? undefined : { id, ...salts, seal };
}
