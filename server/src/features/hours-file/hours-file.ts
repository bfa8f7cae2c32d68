import { sign } from 'node:crypto';
import {
  HOURS_FORMAT,
  type HoursCorrection,
  type HoursHeader,
  type HoursLine,
  hoursMessage,
  nextDigest,
} from '@svc/zk/time/hours-file';
import { sha256 } from '../../base/crypto/keyring.js';
import { NIL_UUID } from '../../base/crypto/random.js';
import { fail, invalid } from '../../base/errors.js';
import type { Deps } from '../../http/deps.js';
import { seqAt } from '../../ledger/read-events.js';
import { findHead } from '../../ledger/signed-head.js';
import type { Read } from '../../ledger/write.js';
import { iso } from '../../records/schema.js';
import { findStored, listSealedWhere } from '../../records/seals/sealed-rows.js';
import { eventsOfSite, sealedAttendance } from '../attendance/attendance.js';
import { awaitTree, consistencyOf } from '../audit/audit.js';
import { allSheets, closingsOf, type HoursAsked, RULES_VERSION } from '../sheets/sheets.js';
import { chainOf, recordOf, type Shown } from './chain.js';
import { correctionsOf } from './corrections.js';
import { enrolmentsOf } from './enrolments.js';
import { type HoursOf, hoursOf } from './month.js';
import { type AsOfTree, changesSince } from './since.js';

/** The clock of a node may be this much behind that of the one that wrote before it. */
const CLOCK_STEP_MS = 60 * 60_000;
const ROWS_AT_ONCE = 500;

interface Context {
  readonly deps: Pick<Deps, 'clock' | 'config' | 'db' | 'keyring' | 'log' | 'zk'>;
  readonly read: Read;
  /** The name of the account. */
  readonly company: string;
  /** Called before each part but the first. Throws if the reader may read no more. */
  readonly requireReader: () => Promise<void>;
}

/**
 * The file of a month, by which anybody checks the hours without the service (docs/hours-file.md). It is read a part at a time, as fast as
 * the reader takes it, and everything in it is as of its tree.
 */
export async function hoursFile(context: Context, asked: HoursAsked): Promise<AsyncGenerator<string>> {
  const { deps, read } = context;
  const head = await findHead(read);
  const tree = head && (await awaitTree(deps, read.scope, head.seq));
  if (tree == null) return fail('service_unavailable', { because: 'the tree is not signed yet' });
  const of = await hoursOf(read, { ...asked, environment: read.scope.environment, userId: asked.userId });
  const header = await headerOf(context, of, tree, asked.from);
  return signed(deps, header, linesOf(context, of, header));
}

async function headerOf(
  { deps, read, company }: Context,
  of: HoursOf,
  tree: HoursHeader['tree'],
  from: number | undefined,
): Promise<HoursHeader> {
  const { tenantId, environment } = read.scope;
  const { site, month, userId = null, options, range } = of;
  if (from !== undefined && from > tree.size)
    invalid('query.from', `is larger than the signed tree, which has ${tree.size} entries`);
  const start = await seqAt(read, new Date(range.around.from.getTime() - CLOCK_STEP_MS));
  const { setup, sha256: vkeySha256 } = deps.zk;
  return {
    ...{ format: HOURS_FORMAT, issuer: deps.config.baseUrl, tenantId, environment, company },
    site: { id: site.id, name: site.name, country: site.country, timeZone: options.zone },
    ...{
      month,
      userId,
      rules: options.rules,
      rulesVersion: RULES_VERSION,
      writtenAt: iso(new Date(deps.clock.now())),
    },
    setup: { kind: setup.kind, contributors: setup.contributors, vkeySha256 },
    ...{ first: Math.min(start, tree.size), tree },
    publicKey: deps.keyring.find(tree.keyId)?.signing.publicHex ?? null,
    ...(from !== undefined &&
      from > 0 && { consistency: { from, proof: await consistencyOf(read, from, tree.size) } }),
  };
}

/** All lines but the last, in parts. */
async function* linesOf(
  context: Context,
  of: HoursOf,
  header: HoursHeader,
): AsyncGenerator<readonly object[]> {
  const { deps, read, requireReader } = context;
  const { first, tree } = header;
  const asOfTree = changesSince(read, of, tree.size);
  yield [header];
  const decided: HoursCorrection[] = [];
  for await (const corrections of correctionsOf(read, of, deps.clock.now(), asOfTree)) {
    decided.push(...corrections);
    yield corrections.map((correction) => ({ correction }));
  }
  for await (const enrolment of enrolmentsOf({ deps, read, asOfTree }, of, decided, tree)) yield [enrolment];
  if (of.userId === undefined)
    yield (await closedLeaves(read, of, asOfTree)).map(({ userId, salt }) => ({ leaf: { userId, salt } }));
  const shown: Shown = {
    ...{ corrections: new Set(decided.map(({ id }) => id)), asOfTree },
    people: new Set(decided.flatMap(({ proved, userId }) => (proved ? [userId] : []))),
  };
  for await (const lines of chainOf(read, of, { first, last: tree.size }, shown)) {
    await requireReader();
    yield lines;
  }
  for await (const lines of unsealedOf(context, of, header, asOfTree)) yield lines;
  for await (const people of allSheets(read, of.site, of.options, {
    userId: of.userId,
    asBefore: asOfTree,
  })) {
    await requireReader();
    yield people.map(({ sheet, userId, name, employeeCode }) => ({ sheet, userId, name, employeeCode }));
  }
}

/** What the newest closing that the tree has was made of. */
async function closedLeaves(read: Read, { site, month }: HoursOf, asOfTree: AsOfTree) {
  const closings = await closingsOf(read, site.id, month);
  const { closed } = await asOfTree();
  return closings.find(({ version }) => !closed.has(version))?.leaves ?? [];
}

/** Events that no entry of the file has sealed, and that are not newer than it. */
async function* unsealedOf(
  { read }: Context,
  of: HoursOf,
  { first, tree }: HoursHeader,
  asOfTree: AsOfTree,
): AsyncGenerator<HoursLine[]> {
  let after = NIL_UUID;
  for (let size = ROWS_AT_ONCE; size === ROWS_AT_ONCE; ) {
    const wanted = {
      siteId: of.site.id,
      range: of.range.around,
      userId: of.userId,
      after,
      count: ROWS_AT_ONCE,
    };
    const rows = await listSealedWhere(read, sealedAttendance, eventsOfSite(wanted));
    const { recorded } = await asOfTree();
    size = rows.length;
    after = String(rows.at(-1)?.record.id ?? after);
    const ids = rows.flatMap(({ sealSeq, record }) => {
      const isInFile = sealSeq !== null && first <= sealSeq && sealSeq <= tree.size;
      return isInFile || recorded.has(String(record.id)) ? [] : [String(record.id)];
    });
    const stored = ids.length === 0 ? [] : (await findStored(read, sealedAttendance, ids)).values();
    const changes = await asOfTree();
    yield [...stored].map((record) => ({ unsealed: recordOf(record, changes) }));
  }
}

/** The lines as text, and a last one with a signature over all of them. */
async function* signed(
  { keyring }: Pick<Deps, 'keyring'>,
  header: HoursHeader,
  parts: AsyncIterable<readonly object[]>,
): AsyncGenerator<string> {
  let digest = '';
  let lines = 0;
  for await (const part of parts) {
    const texts = part.map((line) => JSON.stringify(line));
    for (const text of texts) digest = nextDigest(digest, text, sha256);
    lines += part.length;
    if (texts.length > 0) yield `${texts.join('\n')}\n`;
  }
  const { kid: keyId, signing } = keyring.current;
  const message = hoursMessage(header, { lines, sha256: digest, keyId });
  const signature = sign(null, Buffer.from(message), signing.privateKey).toString('hex');
  yield `${JSON.stringify({ end: { lines, sha256: digest, keyId, publicKey: signing.publicHex, signature } })}\n`;
}
