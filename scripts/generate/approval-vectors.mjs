// Writes docs/vectors/approvals.json: statements of approvals, good and bad, for checkers in any language. It computes the canonical form
// and the hashes on its own, not with the code under test.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../setup.mjs';

/** RFC 8785 for objects of strings and integers. */
function canonical(/** @type {unknown} */ value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`).join(',')}}`;
}
const sha256 = (/** @type {string} */ text) => createHash('sha256').update(text, 'utf8').digest('hex');

const action = {
  title: 'Pay an invoice',
  fields: [
    { label: 'To', value: 'Müller & Söhne GmbH' },
    { label: 'Amount', value: '€1,200.50' },
  ],
};
const statement = {
  v: 'svc-approval-1',
  issuer: 'https://id.example.com',
  tenantId: '5f0c2c1e-0d4b-4b7e-9d0a-6a6c9f2f7b11',
  environment: 'live',
  approvalId: '019dcc12-3fc0-7b2e-8d41-6a9e0c5f7b28',
  nonce: '0123456789abcdef0123456789abcdef',
  company: 'Example GmbH',
  requestedBy: { kind: 'api_key', id: '019dcc12-3fc0-7b2e-8d41-6a9e0c5f7b29', name: 'Payments' },
  approvers: ['019dcc12-3fc0-7b2e-8d41-6a9e0c5f7b2a', '019dcc12-3fc0-7b2e-8d41-6a9e0c5f7b2b'],
  required: 2,
  match: 'off',
  action,
  createdAt: '2026-05-12T09:30:00.000Z',
  expiresAt: '2026-05-12T09:35:00.000Z',
};
const withAction = (/** @type {object} */ change) => ({ ...statement, action: { ...action, ...change } });

const good = {
  'a payment that two people approve': statement,
  'everything that an action may have': {
    ...withAction({
      note: 'Second reminder.\n\nThe first one was sent in April.',
      reference: 'invoice-1815',
      documents: [{ name: 'invoice.pdf', sha256: sha256('a document') }],
    }),
    match: 'type',
    environment: 'test',
    requestedBy: { kind: 'client', id: 'deploy', name: 'Deployments' },
  },
  'only a title, and characters beyond the first 65,536': withAction({ title: 'Deploy 🚀 𝔸', fields: [] }),
  'escapes, and other scripts': withAction({
    title: 'Say "yes" \\ no / slash',
    fields: [
      { label: '개발', value: '서버에 배포' },
      { label: 'தலைப்பு', value: 'கா' },
      { label: 'الفاتورة', value: 'ادفع' },
    ],
  }),
};

/** Each with the path of its fault. */
const bad = {
  'another version': [{ ...statement, v: 'svc-approval-2' }, 'v'],
  'a field that is none': [{ ...statement, extra: 1 }, 'extra'],
  'a missing field': [(({ nonce: _, ...rest }) => rest)(statement), 'nonce'],
  'approvers that are not sorted': [
    { ...statement, approvers: statement.approvers.toReversed() },
    'approvers',
  ],
  'an approver twice': [
    { ...statement, approvers: [statement.approvers[0], statement.approvers[0]] },
    'approvers',
  ],
  'more approvals than approvers': [{ ...statement, required: 3 }, 'required'],
  'a fraction of an approval': [{ ...statement, required: 1.5 }, 'required'],
  'a time without milliseconds': [{ ...statement, createdAt: '2026-05-12T09:30:00Z' }, 'createdAt'],
  'a day that does not exist': [{ ...statement, createdAt: '2026-02-30T09:30:00.000Z' }, 'createdAt'],
  'an end before the begin': [{ ...statement, expiresAt: statement.createdAt }, 'expiresAt'],
  'an id in upper case': [{ ...statement, tenantId: statement.tenantId.toUpperCase() }, 'tenantId'],
  'a right-to-left override': [withAction({ title: 'Pay \u202e05.1' }), 'action.title'],
  'a zero-width space': [withAction({ title: 'Pay\u200b' }), 'action.title'],
  'a tag': [withAction({ title: `Pay${String.fromCodePoint(0xe0041)}` }), 'action.title'],
  'a private character': [withAction({ title: 'Pay \ue000' }), 'action.title'],
  'a character of a later Unicode': [
    withAction({ title: `Pay ${String.fromCodePoint(0x2ebf0)}` }),
    'action.title',
  ],
  'half of a surrogate pair': [withAction({ title: 'Pay \ud83d' }), 'action.title'],
  'a letter and its mark apart': [withAction({ title: 'Mu\u0308ller' }), 'action.title'],
  'three marks in a row': [withAction({ title: 'Pay a\u0316\u0317\u0318' }), 'action.title'],
  'a letter that is struck through': [withAction({ title: 'Pay 9\u0336' }), 'action.title'],
  'a place for an object': [withAction({ title: 'Pay \ufffc 1' }), 'action.title'],
  'a note head that nobody sees': [
    withAction({ title: `Pay${String.fromCodePoint(0x1d159)}1` }),
    'action.title',
  ],
  'a mark at the beginning': [
    withAction({ fields: [{ label: 'To', value: '\u0301a' }] }),
    'action.fields.0.value',
  ],
  'two spaces': [withAction({ fields: [{ label: 'To', value: 'a  b' }] }), 'action.fields.0.value'],
  'a line break in a value': [
    withAction({ fields: [{ label: 'To', value: 'a\nb' }] }),
    'action.fields.0.value',
  ],
  'thirteen fields': [withAction({ fields: Array(13).fill(action.fields[0]) }), 'action.fields'],
  'a label of 41 characters': [
    withAction({ fields: [{ label: 'a'.repeat(41), value: 'b' }] }),
    'action.fields.0.label',
  ],
  'a hash in upper case': [
    withAction({ documents: [{ name: 'a', sha256: sha256('a').toUpperCase() }] }),
    'action.documents.0.sha256',
  ],
  'more than 8 KiB': [
    withAction({
      fields: Array.from({ length: 7 }, (_, at) => ({ label: `${at}`, value: '€'.repeat(400) })),
    }),
    '',
  ],
};

const vectors = {
  about:
    'Statements of approvals: the canonical JSON (RFC 8785), its SHA-256 (digest) and that of the action (actionSha256). The bad ones have the path of their fault.',
  good: Object.entries(good).map(([name, each]) => ({
    name,
    statement: each,
    canonical: canonical(each),
    digest: sha256(canonical(each)),
    actionSha256: sha256(canonical(each.action)),
  })),
  bad: Object.entries(bad).map(([name, [each, path]]) => ({ name, statement: each, path })),
};
// Escaped, so that an editor cannot normalize the texts.
const text = JSON.stringify(vectors, null, 2).replace(
  /[\u007f-\uffff]/g,
  (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
);
writeFileSync(join(root, 'docs/vectors/approvals.json'), `${text}\n`);
