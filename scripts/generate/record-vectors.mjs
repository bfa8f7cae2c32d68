// Writes docs/vectors/records.json: rows of exports with their seals, rows that a checker must refuse or find changed, and pages of
// records that were sealed later. It computes the seals on its own, not with the code under test.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../setup.mjs';

const FIELDS = {
  device: [
    'id environment deviceType status enrollment_state fingerprint attestation_kind keyThumbprint createdAt',
    'name externalId locationId metadata',
  ],
  user: [
    'id environment emailFromDevice nameConfirmation primaryDeviceId status createdAt erasedAt',
    'fullName externalId email phone employeeCode metadata',
  ],
  'user 1': [
    'id environment emailFromDevice primaryDeviceId status createdAt erasedAt',
    'fullName externalId email phone employeeCode metadata',
  ],
  verification: [
    'id environment method result userId deviceId confidenceScore occurredAt createdAt',
    'reason referenceId metadata',
  ],
  attendance: ['id environment userId type deviceId verificationId result occurredAt createdAt', 'metadata'],
};

/** RFC 8785. Numbers are as `JSON.stringify` writes them. */
function canonical(/** @type {unknown} */ value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`).join(',')}}`;
}
const sha256 = (/** @type {(string | Buffer)[]} */ ...parts) =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex');

function sealOf(/** @type {string} */ kind, /** @type {any} */ row) {
  const [facts, text] = (FIELDS[`${kind} ${row.n}`] ?? FIELDS[kind]).map((names, at) => {
    const part = Object.fromEntries(names.split(' ').map((name) => [name, row[name] ?? null]));
    const salt = row.salts[at === 0 ? 'facts' : 'text'];
    return salt === null ? row.T : sha256(Buffer.from(salt, 'hex'), canonical(part));
  });
  return { seal: sha256(`svc-record-v1|${kind}.${row.n}|${row.id}|${facts}|${text}`), text };
}

const salts = { facts: '000102030405060708090a0b0c0d0e0f', text: 'f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff' };
const id = (/** @type {number} */ n) =>
  `019dcc12-3fc0-7b2e-8d41-6a9e0c5f7b${n.toString(16).padStart(2, '0')}`;
const at = '2026-05-12T09:30:00.000Z';
const sealed = { n: 1, salts, sealSeq: 7 };

const verification = {
  id: id(1),
  environment: 'live',
  method: 'fingerprint',
  result: 'fail',
  userId: id(2),
  deviceId: null,
  reason: 'second finger',
  confidenceScore: 98.7,
  referenceId: 'shift-4711',
  metadata: { floor: 2, team: 'A' },
  occurredAt: at,
  createdAt: at,
  ...sealed,
};
const attendance = {
  id: id(3),
  environment: 'live',
  userId: id(2),
  type: 'check_out',
  deviceId: id(4),
  verificationId: id(1),
  result: 'accepted',
  metadata: null,
  occurredAt: '2026-05-12T17:02:00.000Z',
  createdAt: '2026-05-12T17:02:00.120Z',
  ...sealed,
};
const user = {
  id: id(2),
  environment: 'live',
  fullName: 'Ada Lovelace',
  externalId: 'employee-1815',
  email: 'ada@example.com',
  emailFromDevice: false,
  phone: '+41 44 668 18 00',
  employeeCode: null,
  primaryDeviceId: null,
  metadata: null,
  status: 'active',
  createdAt: at,
  updatedAt: at,
  erasedAt: null,
  ...sealed,
};
const nameConfirmation = { memberId: id(5), deviceId: id(4), at, how: 'document_seen' };
const device = {
  id: id(4),
  environment: 'test',
  name: 'Main gate',
  deviceType: 'kiosk',
  externalId: 'gate-01',
  locationId: 'lobby',
  batteryLevel: 87.5,
  metadata: null,
  status: 'active',
  lastSeenAt: at,
  enrollment_state: 'enrolled',
  fingerprint: null,
  attestation_kind: null,
  createdAt: at,
  updatedAt: at,
  keyThumbprint: 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs',
  ...sealed,
};

const withMetadata = (/** @type {string} */ text) =>
  JSON.stringify({ ...verification, metadata: 'METADATA' }).replace('"METADATA"', text);
const { text: removed } = sealOf('verification', verification);
const stripped = {
  ...verification,
  reason: null,
  referenceId: null,
  metadata: null,
  salts: { ...salts, text: null },
  T: removed,
};

/** What it shows, its kind, and the line of an export. */
const good = [
  ['a verification', 'verification', JSON.stringify(verification)],
  ['a check-out', 'attendance', JSON.stringify(attendance)],
  ['a person', 'user', JSON.stringify(user)],
  ['a person whose name is confirmed', 'user', JSON.stringify({ ...user, n: 2, nameConfirmation })],
  ['a person whose name is not', 'user', JSON.stringify({ ...user, n: 2, nameConfirmation: null })],
  ['a desk', 'device', JSON.stringify(device)],
  ['a verification whose text was removed', 'verification', JSON.stringify(stripped)],
  [
    'a device that was seen again',
    'device',
    JSON.stringify({ ...device, lastSeenAt: null, batteryLevel: 3 }),
  ],
  [
    'an absent field, which counts as null',
    'attendance',
    JSON.stringify({ ...attendance, metadata: undefined }),
  ],
  [
    'fields in another order',
    'attendance',
    JSON.stringify(Object.fromEntries(Object.entries(attendance).reverse())),
  ],
  [
    'numbers in other forms',
    'verification',
    withMetadata('{"a":1.0,"b":-0,"c":1e21,"d":1E-7,"e":0.1e1,"f":100e-2}'),
  ],
  [
    'a number with more digits than a double has',
    'verification',
    withMetadata('{"n":9007199254740993,"m":0.1000000000000000055511}'),
  ],
  [
    'the smallest and the largest double',
    'verification',
    withMetadata('{"n":5e-324,"m":1.7976931348623157e308}'),
  ],
  [
    'numbers that are written with an exponent',
    'verification',
    withMetadata('[123456789012345680000,1234567890123456800000,0.000001,0.0000001]'),
  ],
  ['escapes', 'verification', withMetadata(String.raw`{"\u00e9\n":"\/\ud83d\ude00\u001f\"\\"}`)],
  [
    'keys in the order of UTF-16',
    'verification',
    withMetadata('{"\u{1f600}":1,"\ufb33":2,"€":3,"1":4,"é":5,"e\u0301":6}'),
  ],
].map(([name, kind, line]) => ({ name, kind, line, seal: sealOf(kind, JSON.parse(line)).seal }));

const { seal } = sealOf('verification', verification);
const changed = [
  ['failed is passed', { result: 'pass' }],
  ['another person', { userId: id(9) }],
  ['nobody', { userId: null }],
  ['a millisecond later', { occurredAt: '2026-05-12T09:30:00.001Z' }],
  ['another reason', { reason: 'second Finger' }],
  ['a text with another form of the same letter', { referenceId: 'shift-4711\u0301' }],
  ['a number as a text', { metadata: { floor: '2', team: 'A' } }],
  ['an empty object', { metadata: {} }],
  ['the other environment', { environment: 'test' }],
  ['a record of another id', { id: id(8) }],
  ['the salts swapped', { salts: { facts: salts.text, text: salts.facts } }],
].map(([name, change]) => ({
  name,
  kind: 'verification',
  line: JSON.stringify({ ...verification, .../** @type {object} */ (change) }),
  seal,
}));

const line = JSON.stringify(verification);
const refused = [
  ['lists of fields that do not exist', JSON.stringify({ ...verification, n: 2 })],
  ['no number', JSON.stringify({ ...verification, n: undefined })],
  ['an id in capitals', JSON.stringify({ ...verification, id: verification.id.toUpperCase() })],
  [
    'a salt with 31 digits',
    JSON.stringify({ ...verification, salts: { ...salts, facts: salts.facts.slice(1) } }),
  ],
  ['no salt of the facts', JSON.stringify({ ...verification, salts: { ...salts, facts: null } })],
  [
    'neither a salt of the text nor its hash',
    JSON.stringify({ ...verification, salts: { ...salts, text: null } }),
  ],
  ['both of them', JSON.stringify({ ...verification, T: removed })],
  ['half of a surrogate pair', line.replace('second finger', String.raw`\ud83d`)],
  ['a number beyond any double', withMetadata('{"n":1e400}')],
]
  .map(([name, text]) => ({ name, kind: 'verification', line: text }))
  .concat({
    name: 'a field that a later list has',
    kind: 'user',
    line: JSON.stringify({ ...user, nameConfirmation }),
  });

/** RFC 9162, section 2.1.1, as it is written there. */
function rootOf(/** @type {Buffer[]} */ leaves) {
  if (leaves.length === 1) return createHash('sha256').update('\0').update(leaves[0]).digest();
  const split = 2 ** Math.ceil(Math.log2(leaves.length) - 1);
  const hash = createHash('sha256').update('\x01');
  return hash
    .update(rootOf(leaves.slice(0, split)))
    .update(rootOf(leaves.slice(split)))
    .digest();
}
const pages = [1, 2, 3, 7].map((size) => {
  const records = Array.from({ length: size }, (_, at) => [id(at), sha256(`seal ${at}`)]);
  const leaves = records.map(([each, of]) => Buffer.from(`attendance|${each}|${of}`));
  return { kind: 'attendance', records, root: rootOf(leaves).toString('hex') };
});

writeFileSync(
  join(root, 'docs/vectors/records.json'),
  `${JSON.stringify({ good, changed, refused, pages }, null, 2)}\n`,
);
