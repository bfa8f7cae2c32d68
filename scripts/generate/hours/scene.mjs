// An account whose people clock in, of whose months files are made as the service makes them: entries, records with their seals, and real
// proofs under the development keys.
import { createHash, sign } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../../setup.mjs';
import { Chain, idOf, prove } from '../receipt-scene.mjs';

const dist = (/** @type {string} */ path) => import(pathToFileURL(join(root, path)).href);
const { canonicalJson } = await dist('zk/dist/approvals/canonical-json.js');
const { rootOf } = await dist('zk/dist/records/pages.js');
const { sealOf } = await dist('zk/dist/records/seal.js');
const { attendanceDigest } = await dist('zk/dist/time/statement.js');
const { correctionDigest, correctionSha256 } = await dist('zk/dist/time/correction.js');
const { hoursMessage, nextDigest } = await dist('zk/dist/time/hours-file.js');
const { sheetOf } = await dist('zk/dist/time/sheet.js');

const { canonicalEvent } = await dist('server/dist/ledger/audit-chain.js');
const { loadPinnedKey } = await dist('zk/dist/setup/artifacts.js');
const field = await dist('zk/dist/field.js');

const TENANT = idOf('tenant');
export const MONTH = '2026-03';
export const SITE = { id: idOf('site'), name: 'Werk Nord', country: 'DE', timeZone: 'Europe/Berlin' };
const ISSUER = 'https://id.example.com';
const COMPANY = 'Example GmbH';
const scope = { tenantId: TENANT, environment: 'live' };
const MINUTE = 60_000;
const { setup, sha256: vkeySha256 } = loadPinnedKey();

const sha256 = (/** @type {string | Uint8Array} */ of) => createHash('sha256').update(of).digest('hex');
const saltOf = (/** @type {string} */ name) => sha256(`salt ${name}`).slice(0, 32);
const iso = (/** @type {number} */ at) => new Date(at).toISOString();
const periodOf = (/** @type {number} */ at) => iso(at + 60 * MINUTE).slice(0, 7);

/** A chain with what the entries are about. */
export class Hours extends Chain {
  now = 0;
  /** @type {Map<string, any>} */
  records = new Map();
  /** @type {Map<string, any>} */
  corrections = new Map();
  /** @type {Map<string, number>} */
  numbers = new Map();
  /** @type {{ seq: number, leaves: any[] }[]} */
  closings = [];
  /** @type {any[]} */
  people = [];

  get time() {
    return this.now;
  }

  /** The clock, by a time in UTC. */
  at(/** @type {string} */ time) {
    this.now = Date.parse(`2026-${time}Z`);
    return this;
  }

  /** A copy of its first entries, whose later ones somebody else writes. */
  fork(size = this.rows.length) {
    const copy = new Hours();
    copy.rows = this.rows.slice(0, size);
    copy.now = Date.parse(copy.rows.at(-1).createdAt);
    copy.people = [...this.people];
    copy.records = new Map([...this.records].filter(([, { seq }]) => seq <= size));
    copy.corrections = new Map(
      [...this.corrections].filter(([, { seq }]) => seq <= size).map(([id, each]) => [id, { ...each }]),
    );
    copy.closings = this.closings.filter(({ seq }) => seq <= size);
    for (const { metadata } of copy.rows)
      if (metadata.siteId === SITE.id) copy.numbers.set(metadata.period, metadata.number);
    return copy;
  }

  /** What numbers an entry about a month. */
  number(/** @type {number} */ at, period = periodOf(at)) {
    const number = (this.numbers.get(period) ?? 0) + 1;
    this.numbers.set(period, number);
    return { siteId: SITE.id, period, number };
  }
}

const OTHER = { action: 'device.updated', entityType: 'device', entityId: idOf('device') };
export const another = (/** @type {Hours} */ hours) => hours.append(OTHER);

const ACTORS = { proved: 'phone', declared: 'device', agreed: 'phone', asserted: 'api_key' };

/** Records an event, whatever it says. */
export function record(
  /** @type {Hours} */ hours,
  /** @type {any} */ {
    person,
    evidence,
    type,
    reason = 'work',
    at = hours.now,
    punch,
    metadata = {},
    ...more
  },
) {
  const seq = hours.rows.length + 1;
  const id = idOf(`event ${seq} ${more.name ?? ''}`);
  const { correctionId = null, metadata: text = null } = more.record ?? {};
  const said = {
    ...{ id, environment: 'live', userId: person.userId, type, reason, activity: null },
    ...{ mode: evidence === 'proved' || evidence === 'declared' ? 'desk' : null, evidence, siteId: SITE.id },
    ...{ deviceId: evidence === 'proved' ? idOf('device') : null, verificationId: null, correctionId },
    ...{ result: 'accepted', metadata: text, occurredAt: iso(at), createdAt: iso(hours.now) },
    ...more.record,
  };
  const salts = { facts: saltOf(`facts ${id}`), text: saltOf(`text ${id}`) };
  const { seal } = sealOf({ kind: 'attendance', n: 2, record: said, salts }, sha256);
  const numbered = more.isNumbered === false ? {} : hours.number(at, more.period);
  hours.append({
    ...{ action: 'attendance.created', entityType: 'attendance', entityId: id },
    ...{ actorType: ACTORS[/** @type {'proved'} */ (evidence)], actorId: null },
    metadata: {
      ...{ type, reason, evidence, at: iso(at), ...(correctionId && { correctionId }) },
      ...{ ...numbered, ...metadata, seal },
    },
  });
  hours.records.set(id, { said, n: 2, salts, ...(punch && { punch }), seq });
  return id;
}

/** What a phone proves of a punch. */
export async function provePunch(
  /** @type {any} */ person,
  /** @type {any} */ { type, reason = 'work', at, ...more },
) {
  const statement = {
    ...{ v: 1, issuer: ISSUER, tenant: TENANT, environment: 'live', company: COMPANY, type, reason },
    ...{ activity: null, contract: null, mode: 'desk', place: { deviceId: idOf('device'), name: 'Gate 1' } },
    ...{ scannedAt: iso(at), nonce: idOf(`nonce ${person.phone.did} ${at}`), ...more },
  };
  const { nonce } = statement;
  const bind = field.attendBind({ ...scope, nonce, digest: attendanceDigest(statement) });
  const proved = await prove(person.phone, bind);
  const { did } = person.phone;
  return { did, statement: canonicalJson(statement), circuit: 'identity_proof', ...proved };
}

/** A person clocks in or out with their phone, 20 seconds after it scanned the code. */
export async function punch(
  /** @type {Hours} */ hours,
  /** @type {any} */ person,
  /** @type {string} */ time,
  /** @type {any} */ act = { type: 'check_in' },
) {
  const at = hours.at(time).now;
  hours.now += 20_000;
  const proved = await provePunch(person, { ...act, at });
  return record(hours, { person, evidence: 'proved', ...act, at, punch: proved });
}

/** Marks an event, with a number in its month. */
export function mark(
  /** @type {Hours} */ hours,
  /** @type {string} */ action,
  /** @type {string} */ id,
  metadata = {},
) {
  const month = hours.number(Date.parse(hours.records.get(id).said.occurredAt));
  const of = { entityType: 'attendance', entityId: id, actorType: 'phone', actorId: null };
  hours.append({ action: `attendance.${action}`, ...of, metadata: { ...metadata, ...month } });
}

const timeOf = (/** @type {Hours} */ hours, /** @type {string} */ id) => {
  const { type, reason, occurredAt } = hours.records.get(id).said;
  return { id, type, reason, occurredAt };
};

/** A change of a correction. */
export const change = (
  /** @type {Hours} */ hours,
  /** @type {string | null} */ old,
  /** @type {any} */ next,
) => ({
  old: old === null ? null : timeOf(hours, old),
  new: next && { reason: 'work', ...next, occurredAt: `2026-${next.at}Z`, at: undefined },
});

/** Proposes a correction, by a member or by the person’s phone. */
export async function propose(
  /** @type {Hours} */ hours,
  /** @type {any} */ person,
  /** @type {any} */ { changes, by = 'member', cause = 'wrong_time', note = null, ...more },
) {
  const seq = hours.rows.length + 1;
  const id = idOf(`correction ${seq}`);
  const text = JSON.parse(JSON.stringify({ userId: person.userId, cause, note, changes }));
  const said = {
    ...{ id, ...text, correctionSha256: correctionSha256(text), proposedBy: by, createdAt: iso(hours.now) },
  };
  const correction = { said, seq, decisions: /** @type {any[]} */ ([]) };
  hours.corrections.set(id, correction);
  if (by === 'person')
    correction.decisions.push({ seq, personBy: 'phone', ...(await decision(hours, person, said, true)) });
  noteCorrection(hours, id, 'proposed', {
    metadata: { by, changes: changes.length },
    actorType: by === 'member' ? 'member' : 'phone',
    actorId: by === 'member' ? idOf('member') : null,
    ...more,
  });
  return id;
}

export async function decision(
  /** @type {Hours} */ hours,
  /** @type {any} */ { phone },
  /** @type {any} */ said,
  /** @type {boolean} */ agrees,
) {
  const { id: correctionId, correctionSha256: hash, createdAt } = said;
  const statement = {
    ...{ v: 1, issuer: ISSUER, tenant: TENANT, environment: 'live', company: COMPANY },
    ...{ correctionId, correctionSha256: hash, createdAt },
  };
  const fields = {
    ...{ ...scope, correctionId, digest: correctionDigest(statement), decidedAtMs: hours.now },
  };
  const proved = await prove(phone, agrees ? field.correctBind(fields) : field.correctDeclineBind(fields));
  const { did } = phone;
  return { proved: { statement: canonicalJson(statement), did, provedAt: iso(hours.now), ...proved } };
}

export function noteCorrection(
  /** @type {Hours} */ hours,
  /** @type {string} */ id,
  /** @type {string} */ event,
  /** @type {any} */ { metadata = {}, ...more } = {},
) {
  const { userId, correctionSha256: hash } = hours.corrections.get(id).said;
  hours.append({
    ...{ action: `attendance.correction_${event}`, entityType: 'attendance_correction', entityId: id },
    ...{ actorType: 'phone', actorId: null, ...more },
    metadata: { userId, correctionSha256: hash, ...metadata },
  });
}

/** Ends a correction. `person` decides by their phone; without them a member does, or their PIN. */
export async function settle(
  /** @type {Hours} */ hours,
  /** @type {string} */ id,
  /** @type {any} */ { person, agrees = true, personBy, ...more },
) {
  const correction = hours.corrections.get(id);
  const seq = hours.rows.length + 1;
  const proved = person && (await decision(hours, person, correction.said, agrees));
  if (proved || personBy)
    correction.decisions.push({ seq, personBy: personBy ?? 'phone', ...(proved ?? {}) });
  const state = agrees ? 'agreed' : 'contested';
  const byMember = { actorType: 'member', actorId: idOf('member') };
  noteCorrection(hours, id, state, { metadata: { state }, ...(proved || personBy ? {} : byMember), ...more });
  if (agrees) apply(hours, id);
}

/** Voids the events that a correction names, and records its own. */
export function apply(/** @type {Hours} */ hours, /** @type {string} */ id, evidence = 'agreed') {
  const { userId, changes } = hours.corrections.get(id).said;
  if (evidence === 'agreed')
    for (const { old } of changes) if (old) mark(hours, 'voided', old.id, { correctionId: id });
  return changes.flatMap((/** @type {any} */ { new: next }) => {
    if (!next) return [];
    const { type, reason, occurredAt } = next;
    const of = { person: { userId }, evidence, type, reason, at: Date.parse(occurredAt) };
    return [record(hours, { ...of, record: { correctionId: id } })];
  });
}

const optionsOf = (/** @type {any} */ { site = SITE, rules = 'DE', month = MONTH } = {}) => ({
  ...{ zone: site.timeZone, month, rules, version: 1 },
});

/** Sheets have no other events. */
const isKnown = (/** @type {any} */ { type, occurredAt }) =>
  /^check_(in|out)$/.test(type) && /Z$/.test(occurredAt);

/** The events of a person as they are after so many entries. */
function eventsOf(/** @type {Hours} */ hours, /** @type {string} */ userId, size = hours.rows.length) {
  return [...hours.records.values()]
    .filter(({ said, seq }) => said.userId === userId && seq <= size && isKnown(said))
    .map(({ said: { id, type, reason, occurredAt, evidence, result } }) => ({
      ...{ id, type, reason, occurredAt, evidence, result },
      voided: marked(hours, 'voided', id, size) !== undefined,
    }));
}

const marked = (
  /** @type {Hours} */ hours,
  /** @type {string} */ action,
  /** @type {string} */ id,
  /** @type {number} */ size,
) => hours.rows.slice(0, size).find((row) => row.action === `attendance.${action}` && row.entityId === id);

export function close(/** @type {Hours} */ hours, of = {}) {
  const { zone, rules } = optionsOf(of);
  const lastSeq = hours.rows.length;
  const leaves = hours.people.map(({ userId }) => {
    const text = canonicalJson({ userId, sheet: sheetOf(eventsOf(hours, userId), optionsOf(of)) });
    const salt = saltOf(`leaf ${userId} ${lastSeq}`);
    const bytes = Buffer.concat([Buffer.of(0), Buffer.from(salt, 'hex'), Buffer.from(text)]);
    return { userId, salt, hash: sha256(bytes) };
  });
  const hashes = leaves.map(({ hash }) => hash);
  const version = hours.closings.length + 1;
  const seq = lastSeq + 1;
  hours.append({
    ...{ action: 'attendance.month_closed', entityType: 'site', entityId: SITE.id },
    ...{ actorType: 'member', actorId: idOf('member') },
    metadata: {
      ...{ ...hours.number(0, MONTH), version, root: rootOf(hashes, sha256), sheets: leaves.length },
      ...{ timeZone: zone, rules, rulesVersion: 1, lastSeq, changed: 0, openFlags: 0 },
    },
  });
  hours.closings.push({ seq, leaves: leaves.map(({ userId, salt }) => ({ userId, salt })) });
}

/** A correction as a file shows it after so many entries. */
function correctionLine(
  /** @type {Hours} */ hours,
  /** @type {any} */ { said, decisions },
  /** @type {number} */ size,
) {
  const ended = hours.rows
    .slice(0, size)
    .findLast(
      ({ action, entityId }) => entityId === said.id && /_(agreed|contested|withdrawn)$/.test(action),
    );
  const { personBy = null, proved } = decisions.findLast((/** @type {any} */ { seq }) => seq <= size) ?? {};
  const { id, userId, cause, note, changes, correctionSha256: hash, proposedBy, createdAt } = said;
  const state = ended?.action.split('_').at(-1) ?? 'proposed';
  return {
    correction: {
      ...{ id, userId, state, cause, note, changes, correctionSha256: hash, proposedBy, personBy, createdAt },
      ...(proved && { proved }),
    },
  };
}

/** The line of an entry of which only the digest is shown. */
export const hide = (/** @type {any} */ { prevHash, hash: _, ...event }) => ({
  ...{ seq: event.seq, prevHash, digest: sha256(canonicalEvent(event)) },
});

/** The line of an entry. */
function entryLine(/** @type {Hours} */ hours, /** @type {any} */ row, /** @type {number} */ size) {
  const known = hours.records.get(row.entityId);
  if (row.action !== 'attendance.created' || known === undefined)
    return { entry: row, ...(known && { userId: known.said.userId }) };
  const { said, n, salts, punch: proved } = known;
  const voided = marked(hours, 'voided', said.id, size);
  const contested = marked(hours, 'contested', said.id, size);
  const shown = {
    ...said,
    contestedAt: contested?.createdAt ?? null,
    voidedBy: voided?.metadata.correctionId ?? null,
  };
  return { entry: row, record: shown, n, salts, ...(proved && { punch: proved }) };
}

function isShown(/** @type {Hours} */ hours, /** @type {any} */ row, /** @type {any} */ { userId, hidden }) {
  const { action, entityId, seq } = row;
  if (hidden.includes(seq)) return false;
  const said = (hours.records.get(entityId) ?? hours.corrections.get(entityId))?.said;
  if (action === 'user.erased') return userId === null || entityId === userId;
  if (action === 'attendance.month_closed') return userId === null;
  return said !== undefined && (userId ?? said.userId) === said.userId;
}

/**
 * The lines of a file but its last one, as the service writes them. `hidden` are the numbers of entries that it hides besides those of other
 * kinds, and `erased` the people of whom it has no enrolment.
 */
export function linesOf(
  /** @type {Hours} */ hours,
  /** @type {any} */ {
    size = hours.rows.length,
    from = 0,
    userId = null,
    first = 6,
    hidden = [],
    erased = [],
    site = SITE,
    rules = 'DE',
  } = {},
) {
  const isOf = (/** @type {string} */ id) => userId === null || id === userId;
  const options = optionsOf({ site, rules });
  const header = {
    ...{ format: 'svc-hours-1', issuer: ISSUER, ...scope, company: COMPANY, site, month: MONTH, userId },
    ...{ rules, rulesVersion: 1, writtenAt: '2026-05-04T08:00:00.000Z', setup: { ...setup, vkeySha256 } },
    ...{ first, tree: hours.tree(size), publicKey: hours.keys.signing.publicHex },
    ...(from > 0 && { consistency: { from, proof: hours.consistency(from, size) } }),
  };
  const corrections = [...hours.corrections.values()]
    .filter(({ said, seq }) => seq <= size && isOf(said.userId))
    .map((each) => correctionLine(hours, each, size));
  const enrolments = hours.people
    .filter((person) => isOf(person.userId) && person.phone && !erased.includes(person.userId))
    .map(({ enrolment, phone: { did } }) => ({
      ...{ enrolment, did },
      rows: enrolment.map((/** @type {any} */ { seq }) => ({
        ...{ row: hours.rows[seq - 1], inclusion: hours.inclusion(seq, size) },
      })),
    }));
  const newest = hours.closings.findLast(({ seq }) => seq <= size);
  const leaves = userId === null ? (newest?.leaves ?? []) : [];
  const chain = hours.rows
    .slice(first - 1, size)
    .map((row) => (isShown(hours, row, { userId, hidden }) ? entryLine(hours, row, size) : hide(row)));
  const sheets = hours.people
    .filter((person) => isOf(person.userId) && !person.isSame)
    .map(({ userId: id, name, employeeCode = null }) => ({
      ...{ sheet: sheetOf(eventsOf(hours, id, size), options), userId: id, name, employeeCode },
    }));
  return [header, ...corrections, ...enrolments, ...leaves.map((leaf) => ({ leaf })), ...chain, ...sheets];
}

/** The lines with the last one, which is signed. */
export function signed(/** @type {any[]} */ lines, /** @type {any} */ keys) {
  const texts = lines.map((line) => JSON.stringify(line));
  const digest = texts.reduce((before, text) => nextDigest(before, text, sha256), '');
  const of = { lines: lines.length, sha256: digest, keyId: keys.kid };
  const message = Buffer.from(hoursMessage(lines[0], of));
  const signature = sign(null, message, keys.signing.privateKey).toString('hex');
  return [...lines, { end: { ...of, publicKey: keys.signing.publicHex, signature } }];
}

/** The lines of a file after somebody changed entries: each linked to the one before it, with the tree and the file signed again. */
export function relinked(/** @type {any[]} */ lines, /** @type {any} */ keys) {
  const [header, ...rest] = structuredClone(lines.slice(0, -1));
  /** @type {string | undefined} */
  let before;
  for (const line of rest) {
    const link = line.entry ?? line;
    if (line.entry === undefined && line.digest === undefined) continue;
    link.prevHash = before ?? link.prevHash;
    const { digest } = line.entry ? hide(line.entry) : line;
    before = sha256(Buffer.from(link.prevHash + digest, 'hex'));
    if (line.entry) line.entry.hash = before;
  }
  const { size, root: rootHash, at } = header.tree;
  const message = ['svc-audit-tree-v1', TENANT, 'live', size, rootHash, before, Date.parse(at)].join('|');
  const signature = sign(null, Buffer.from(message), keys.signing.privateKey).toString('hex');
  Object.assign(header.tree, { hash: before, signature, keyId: keys.kid });
  return signed([header, ...rest], keys);
}

export const textOf = (/** @type {any[]} */ lines) =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('');

export { idOf };
