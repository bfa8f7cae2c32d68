import type { Static } from 'typebox';
import { fail } from '../../../base/errors.js';
import type { Deps } from '../../../http/deps.js';
import type { BaseContext } from '../../../http/route.js';
import type { Scope } from '../../../ledger/audit-store.js';
import { unaudited } from '../../../ledger/unaudited.js';
import { reader, type Write } from '../../../ledger/write.js';
import { iso } from '../../../records/schema.js';
import { findSite, type SiteRow } from '../../sites/sites.js';
import type { OpenBody } from './inspections.schema.js';
import * as store from './inspections.store.js';
import { codeHashes, readToken } from './link.js';

const MINUTE_MS = 60_000;
/** Twenty of a million codes can be tried with a link, once. */
const LOCKS_AFTER = 5;
const ENDS_AFTER = 20;
const LOCKED_MS = 15 * MINUTE_MS;
const SESSION_SECONDS = 8 * 60 * 60;

/** Somebody with the session of an inspection that has not ended. */
export interface Inspector {
  readonly scope: Scope;
  readonly inspection: store.LiveInspection;
  readonly site: SiteRow;
}

/** The same for whatever is wrong, so that nobody learns which of link and code is. */
const reject = (because: string): never => fail('inspection_not_found', { because });

/**
 * Opens an inspection by its link and its code. An unknown link, one that has ended or is locked, and a wrong code are the same 404 after the
 * same statement.
 */
export async function openInspection(
  { deps, writeIn }: Pick<BaseContext, 'deps' | 'writeIn'>,
  { token, code }: Static<typeof OpenBody>,
) {
  const { scope, tokenHash } = readToken(token);
  const now = deps.clock.now();
  const limits = {
    locksAfter: LOCKS_AFTER,
    lockedUntil: new Date(now + LOCKED_MS),
    endsAfter: ENDS_AFTER,
  };
  const judged = await store.judgeCode(
    unaudited(deps.db, 'codes of inspections'),
    scope,
    { tokenHash, codeHashes: codeHashes(deps, tokenHash, code) },
    limits,
    new Date(now),
  );
  if (judged === undefined) return reject('unknown, ended or locked');
  const { id, site_id: siteId, wrong_codes: wrongCodes } = judged;
  const audited = <T>(work: (w: Write) => Promise<T>) =>
    writeIn(scope, { type: 'inspector', id }, 'attendance.inspection_opened', work);
  if (!judged.is_right) {
    // Somebody may be guessing.
    if (wrongCodes % LOCKS_AFTER === 0)
      await audited(async (w) =>
        w.audit({
          ...{ entityType: 'inspection', entityId: id },
          ...{ status: 'failure', metadata: { siteId, wrongCodes } },
        }),
      );
    return reject('wrong code');
  }
  const { expires_at: endsAt } = await audited(async (w) => {
    w.audit({ entityType: 'inspection', entityId: id, metadata: { siteId } });
    return (await store.noteOpened(w, id, new Date(now))) ?? reject('ended concurrently');
  });
  const seconds = Math.min(SESSION_SECONDS, Math.floor((endsAt.getTime() - now) / 1000));
  const claims = { sub: id, tid: scope.tenantId, env: scope.environment };
  return {
    inspection: showInspector(await requireLive(deps, scope, id)),
    session: {
      token: deps.tokens.sign('inspection', claims, seconds),
      expiresAt: iso(new Date(now + seconds * 1000)),
    },
  };
}

async function requireLive(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  scope: Scope,
  id: string,
): Promise<Inspector> {
  const near = db.near?.(scope.tenantId) ?? db;
  const inspection = await store.findLive(near, scope, id, new Date(clock.now()));
  const site = inspection && (await findSite(reader(db, scope), inspection.site_id));
  return inspection && site ? { scope, inspection, site } : reject('ended');
}

/** The inspector who sends the request. Reads the inspection each time, so that revoking it ends pages that are open, on every node. */
export async function requireInspector({
  deps,
  header,
}: Pick<BaseContext, 'deps' | 'header'>): Promise<Inspector> {
  const claims = await deps.tokens.verify('inspection', header('x-inspection-token') ?? '');
  if (claims === undefined) return reject('no valid session');
  const scope: Scope = { tenantId: claims.tid as string, environment: claims.env as Scope['environment'] };
  return requireLive(deps, scope, claims.sub as string);
}

export const showInspector = ({ inspection, site }: Inspector) => ({
  company: inspection.company,
  site: { name: site.name, country: site.country, timeZone: site.time_zone },
  ...{ from: inspection.from_month, to: inspection.to_month, expiresAt: iso(inspection.expires_at) },
});
