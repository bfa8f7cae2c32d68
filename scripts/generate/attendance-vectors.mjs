// Writes docs/vectors/attendance.json: statements of check-ins and corrections, good and bad, and names as statements have them, for phones
// in any language. It computes the canonical form, the hashes and the bind values on its own, not with the code under test.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../setup.mjs';

/** RFC 8785 for objects of strings, integers and null. */
function canonical(/** @type {unknown} */ value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`).join(',')}}`;
}
const sha256 = (/** @type {string} */ text) => createHash('sha256').update(text, 'utf8').digest('hex');
/** The first 31 bytes of SHA-256, as a number. */
const bind = (/** @type {(string | number)[]} */ ...fields) =>
  String(BigInt(`0x${sha256(['svc:bind:v1', ...fields].join('|')).slice(0, 62)}`));

const [tenant, deviceId, nonce, userId, correctionId] = Array.from(
  { length: 5 },
  (_, at) => `019dcc12-3fc0-7b2e-8d41-6a9e0c5f7b${(0x28 + at).toString(16)}`,
);

/** Each with the text that stands for a name of which nothing is left. */
const names = [
  ['Müller & Söhne GmbH', 'Müller & Söhne GmbH'],
  ['  Exam\u200bple\u00a0\u3000GmbH\ufeff ', 'Example GmbH'],
  ['Mu\u0308ller', 'M\u00fcller'],
  ['u\u200d\u0308ber', '\u00fcber'],
  ['\u212bngstr\u00f6m', '\u00c5ngstr\u00f6m'],
  ['\u095bara', '\u091c\u093cara'],
  ['\u1ecc\u0300\u1e63un', '\u1ecc\u0300\u1e63un'],
  ['a =\u0338 b\u0338', 'a \u2260 b'],
  [' \u0301Gate\n1', 'Gate1'],
  [`${'🚀'.repeat(199)} Gate`, '🚀'.repeat(199)],
  ['Ga\u0316\u0317\u0318te', 'A place'],
  [' \u202e', 'A place'],
  ['', 'A place'],
].map(([name, shown]) => ({ name, otherwise: 'A place', shown }));

const desk = {
  v: 1,
  issuer: 'https://id.example.com',
  tenant,
  environment: 'live',
  company: 'Müller & Söhne GmbH',
  type: 'check_in',
  reason: 'work',
  activity: 'A-1.2_b',
  contract: 'full-time',
  mode: 'desk',
  place: { deviceId, name: 'Entrance "North" / 1' },
  scannedAt: '2026-05-12T06:58:31.204Z',
  nonce,
};
const remote = { ...desk, mode: 'remote', place: null };

const attendance = {
  'a check-in at a desk': desk,
  'a check-out without an activity and a contract': {
    ...desk,
    type: 'check_out',
    activity: null,
    contract: null,
  },
  'the beginning of a break away from any desk, in the sandbox': {
    ...remote,
    environment: 'test',
    type: 'check_out',
    reason: 'break',
  },
  'the end of a break, without any text that may be left out': {
    ...remote,
    reason: 'break',
    activity: null,
    contract: null,
  },
  'names of which characters were left out': {
    ...desk,
    company: names[1]?.shown,
    place: { deviceId, name: names[7]?.shown },
  },
  'names in other scripts, with characters beyond the first 65,536': {
    ...desk,
    company: '개발 회사 🚀',
    place: { deviceId, name: 'الباب 𝔸' },
  },
};

/** Each with the path of its fault. */
const badAttendance = {
  'another version': [{ ...desk, v: 2 }, 'v'],
  'a version as a text': [{ ...desk, v: '1' }, 'v'],
  'a missing field': [(({ contract: _, ...rest }) => rest)(desk), 'contract'],
  'a field that is none': [{ ...desk, extra: 1 }, 'extra'],
  'an address with a path': [{ ...desk, issuer: 'https://id.example.com/' }, 'issuer'],
  'an id in upper case': [{ ...desk, tenant: tenant?.toUpperCase() }, 'tenant'],
  'a name with an invisible character': [{ ...desk, company: 'Exam\u200bple' }, 'company'],
  'a name of 201 characters': [{ ...desk, company: 'a'.repeat(201) }, 'company'],
  'an activity that is empty': [{ ...desk, activity: '' }, 'activity'],
  'a contract of 33 characters': [{ ...desk, contract: 'a'.repeat(33) }, 'contract'],
  'a line break at the end of a code': [{ ...desk, contract: 'a\n' }, 'contract'],
  'a desk without a place': [{ ...desk, place: null }, 'place'],
  'a place away from any desk': [{ ...desk, mode: 'remote' }, 'place'],
  'a place with another field': [{ ...desk, place: { ...desk.place, floor: 1 } }, 'place.floor'],
  'a place with two spaces in its name': [{ ...desk, place: { deviceId, name: 'a  b' } }, 'place.name'],
  'a time without milliseconds': [{ ...desk, scannedAt: '2026-05-12T06:58:31Z' }, 'scannedAt'],
  'a day that does not exist': [{ ...desk, scannedAt: '2026-02-30T06:58:31.204Z' }, 'scannedAt'],
  'a nonce that is no UUID': [{ ...desk, nonce: '0123456789abcdef0123456789abcdef' }, 'nonce'],
};

const time = (/** @type {string} */ type, /** @type {string} */ reason, /** @type {string} */ at) => ({
  ...{ type, reason, occurredAt: `2026-05-12T${at}:00.000Z` },
});
const [first, second] = [
  { id: '019dcc12-3fc0-7b2e-8d41-6a9e0c5f7b41', ...time('check_in', 'work', '07:00') },
  { id: '019dcc12-3fc0-7b2e-8d41-6a9e0c5f7b42', ...time('check_out', 'work', '15:30') },
];
const moved = {
  ...{ userId, cause: 'wrong_time', note: null },
  changes: [{ old: first, new: time('check_in', 'work', '06:30') }],
};

const corrections = {
  'a time that moves': moved,
  'a forgotten check-out, which is added': {
    ...moved,
    ...{ cause: 'forgotten', changes: [{ old: null, new: time('check_out', 'work', '15:30') }] },
  },
  'a row that is taken away, and one of another type, with a note of two lines': {
    ...{ userId, cause: 'double', note: 'Both at the same gate.\n"Yes" — zwei Mal.' },
    changes: [
      { old: first, new: null },
      { old: second, new: time('check_out', 'break', '15:30') },
    ],
  },
};

/** Each with the path of its fault. */
const badCorrections = {
  'no changes': [{ ...moved, changes: [] }, 'changes'],
  'eleven changes': [
    { ...moved, changes: Array(11).fill({ old: null, new: time('check_in', 'work', '06:30') }) },
    'changes',
  ],
  'one row twice': [{ ...moved, changes: [...moved.changes, { old: first, new: null }] }, 'changes'],
  'a change of nothing': [{ ...moved, changes: [{ old: null, new: null }] }, 'changes.0'],
  'an id of what is new': [{ ...moved, changes: [{ old: null, new: first }] }, 'changes.0.new.id'],
  'no id of what is old': [
    { ...moved, changes: [{ old: time('check_in', 'work', '06:30'), new: null }] },
    'changes.0.old.id',
  ],
  'an unknown cause': [{ ...moved, cause: 'late' }, 'cause'],
  'a note that is empty': [{ ...moved, note: '' }, 'note'],
  'a note that ends with a line break': [{ ...moved, note: 'a\n' }, 'note'],
  'a missing note': [(({ note: _, ...rest }) => rest)(moved), 'note'],
};

const decidedAtMs = Date.parse('2026-05-13T08:00:00.250Z');

function attended(/** @type {typeof desk | typeof remote} */ statement) {
  const text = canonical(statement);
  const digest = sha256(text);
  const fields = [statement.tenant, statement.environment, statement.nonce, digest];
  return { statement, canonical: text, digest, attendBind: bind('attend', ...fields) };
}

function corrected(/** @type {object} */ correction) {
  const [text, environment] = [canonical(correction), 'live'];
  const correctionSha256 = sha256(text);
  const statement = {
    ...{ v: 1, issuer: desk.issuer, tenant, environment, company: desk.company },
    ...{ correctionId, correctionSha256, createdAt: '2026-05-12T16:00:00.000Z' },
  };
  const digest = sha256(canonical(statement));
  const fields = [tenant, environment, correctionId, digest, decidedAtMs];
  return {
    ...{ correction, canonical: text, correctionSha256 },
    ...{ statement, statementCanonical: canonical(statement), digest, decidedAtMs },
    correctBind: bind('correct', ...fields),
    correctDeclineBind: bind('correct-decline', ...fields),
  };
}

const bad = (
  /** @type {string} */ what,
  /** @type {Readonly<Record<string, (string | object | undefined)[]>>} */ all,
) => Object.entries(all).map(([name, [value, path]]) => ({ name, [what]: value, path }));

const vectors = {
  about:
    'Statements of check-ins and corrections: the canonical JSON (RFC 8785), its SHA-256 (digest), and the bind values of the proofs in decimal. The bad ones have the path of their fault. Of names: what a statement has for each.',
  names,
  attendance: {
    good: Object.entries(attendance).map(([name, each]) => ({ name, ...attended(each) })),
    bad: bad('statement', badAttendance),
  },
  corrections: {
    good: Object.entries(corrections).map(([name, each]) => ({ name, ...corrected(each) })),
    bad: bad('correction', badCorrections),
  },
};
// Escaped, so that an editor cannot normalize the texts.
const text = JSON.stringify(vectors, null, 2).replace(
  /[\u007f-\uffff]/g,
  (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
);
writeFileSync(join(root, 'docs/vectors/attendance.json'), `${text}\n`);
