import { hash } from 'node:crypto';
import { canonicalJson } from '@svc/zk/approvals/canonical-json';
import { rootOf } from '@svc/zk/records/pages';
import type { SheetOptions } from '@svc/zk/time/sheet';
import type { Static } from 'typebox';
import { catchError, fail } from '../../base/errors.js';
import { memberIdOf } from '../../http/principal.js';
import { findHead } from '../../ledger/signed-head.js';
import { iso } from '../../records/schema.js';
import { numberInMonth } from '../attendance/attendance.js';
import { requireOwnSite, type SiteRow } from '../sites/sites.js';
import * as store from './closings.store.js';
import {
  allSheets,
  optionsOf,
  type PersonSheet,
  RULES_VERSION,
  rangeOf,
  type SheetsContext,
} from './sheets.js';
import type { CloseBody } from './sheets.schema.js';

const SALT_BYTES = 16;
/** How often the sheets are computed again because somebody changed the month in between. */
const ATTEMPTS = 3;

/** A flag that somebody should look at before the month is closed. */
export interface OpenFlag {
  readonly userId: string;
  readonly name: string;
  readonly date: string;
  readonly code: string;
}

const sha256 = (text: string | Uint8Array) => hash('sha256', text, 'hex');

/**
 * A leaf says nothing about its person without the salt: SHA-256 of a zero byte, the salt, and the canonical JSON of the id and the
 * sheet. The root over the leaves is that of RFC 9162, section 2.1.
 */
function leafOf({ userId, sheet }: PersonSheet, salt: Buffer) {
  const text = canonicalJson({ userId, sheet });
  return {
    hash: sha256(Buffer.concat([Buffer.of(0), salt, Buffer.from(text)])),
    leaf: { userId, salt: salt.toString('hex'), sha256: sha256(text) },
  };
}

interface Computed {
  readonly state: string;
  readonly lastSeq: number;
  readonly leaves: readonly store.Leaf[];
  readonly root: string;
  readonly flags: readonly OpenFlag[];
}

async function compute(
  { deps, read }: SheetsContext,
  site: SiteRow,
  options: SheetOptions<number>,
): Promise<Computed> {
  const state = await store.stateOfMonth(read, site.id, rangeOf(options).around);
  const head = await findHead(read);
  const leaves: store.Leaf[] = [];
  const hashes: string[] = [];
  const flags: OpenFlag[] = [];
  for await (const people of allSheets(read, site, options))
    for (const person of people) {
      const { leaf, hash: own } = leafOf(person, Buffer.from(deps.random.bytes(SALT_BYTES)));
      leaves.push(leaf);
      hashes.push(own);
      const { userId, name } = person;
      for (const { date, code } of person.sheet.flags) flags.push({ userId, name, date, code });
    }
  return { state, lastSeq: head?.seq ?? 0, leaves, root: rootOf(hashes, sha256), flags };
}

const show = ({ leaves: _, ...row }: store.ClosingRow, changed: readonly string[]) => ({
  ...{ siteId: row.site_id, month: row.month, version: row.version, root: row.root, sheets: row.sheets },
  ...{ timeZone: row.time_zone, rules: row.rules, rulesVersion: row.rules_version, lastSeq: row.last_seq },
  ...{ closedBy: row.closed_by, closedAt: iso(row.closed_at), changed },
});

/** The people whose sheets differ between two versions. */
function changedSince(leaves: readonly store.Leaf[], before: readonly store.Leaf[] | undefined): string[] {
  if (before === undefined) return [];
  const known = new Map(before.map(({ userId, sha256: own }) => [userId, own]));
  const changed = leaves.filter(({ userId, sha256: own }) => known.get(userId) !== own);
  const left = new Set(leaves.map(({ userId }) => userId));
  const gone = before.filter(({ userId }) => !left.has(userId));
  return [...changed, ...gone].map(({ userId }) => userId).sort();
}

/** The versions of a month that were closed, newest first, and the flags that are open now. */
export async function readMonth(context: SheetsContext, siteId: string, month: string) {
  const site = await requireOwnSite(context, siteId);
  const [{ flags }, rows] = await Promise.all([
    compute(context, site, await optionsOf(context.read, site, month)),
    store.listClosings(context.read, site.id, month),
  ]);
  const closings = rows.map((row, at) => show(row, changedSince(row.leaves, rows[at + 1]?.leaves)));
  return { month, siteId: site.id, flags, closings };
}

/**
 * Closes the sheets of a month: their root goes into the audit chain. The request says how many open flags its sender has seen. Closing again
 * makes the next version, with the people whose sheets changed.
 */
export async function closeMonth(
  context: SheetsContext,
  month: string,
  { siteId, openFlags = 0 }: Static<typeof CloseBody>,
) {
  const { deps, read, write, scope, principal } = context;
  const site = await requireOwnSite(context, siteId);
  const options = await optionsOf(read, site, month);
  const { month: range, around } = rangeOf(options);
  if (range.to.getTime() > deps.clock.now()) fail('month_not_over');
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const { state, lastSeq, leaves, root, flags } = await compute(context, site, options);
    if (flags.length !== openFlags)
      return fail('month_flags_open', {
        message: `${flags.length} flags are open. Read them with GET /v1/attendance/months/${month}, and send their number as openFlags.`,
      });
    const before = await store.listClosings(read, site.id, month);
    const row: store.ClosingRow = {
      ...{ site_id: site.id, month, version: (before[0]?.version ?? 0) + 1, root, sheets: leaves.length },
      ...{ time_zone: options.zone, rules: options.rules, rules_version: RULES_VERSION, last_seq: lastSeq },
      ...{ leaves, closed_by: memberIdOf(principal), closed_at: new Date(deps.clock.now()) },
    };
    const changed = changedSince(leaves, before[0]?.leaves);
    const closing = write('attendance.month_closed', async (w) => {
      const numbered = await numberInMonth(w, site.id, month);
      w.audit({
        ...{ entityType: 'site', entityId: site.id },
        metadata: {
          ...{ ...numbered, version: row.version, root, sheets: row.sheets, timeZone: row.time_zone },
          ...{ rules: row.rules, rulesVersion: RULES_VERSION, lastSeq, changed: changed.length, openFlags },
        },
      });
      const same = (await store.stateOfMonth(w, site.id, around)) === state;
      return (same && (await store.insertClosing(w, row))) || fail('month_changed');
    });
    if (await catchError('month_changed', closing))
      return { closing: show(row, changed), environment: scope.environment };
  }
  return fail('month_changed');
}
