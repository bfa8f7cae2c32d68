// Files of a month that a checker must find wrong: what somebody can do to a file, without the key of the service or with it.
import { createKeyring } from '../../../server/dist/base/crypto/keyring.js';
import { hide, idOf, linesOf, relinked, SITE, signed } from './scene.mjs';

/** @typedef {(lines: any[]) => unknown} Edit */

const CLOSED = 'a month that was closed, with an event that came after';
export const OPEN = 'a month that is not closed, and a tree that was kept within it';
const OTHER = '1'.repeat(64);

/** A different digit at the end of a text. */
const altered = (/** @type {string} */ text) => text.slice(0, -1) + (text.at(-1) === '0' ? '1' : '0');

/** What somebody can do who has only the file, without a key or with their own. */
export function changedFiles({ hours, sizes }, good) {
  const { lines } = good[CLOSED];
  const raw = (/** @type {string} */ code, /** @type {string} */ from, /** @type {string} */ to) => ({
    ...good[CLOSED],
    ...{ codes: [code], replace: [from, to] },
  });
  const named = (/** @type {any} */ options, /** @type {string} */ code, of = CLOSED) => ({
    ...good[of],
    ...{ codes: [code], options },
  });
  const cut = (/** @type {string} */ code, /** @type {Edit} */ edit) => {
    const copy = structuredClone(lines);
    edit(copy);
    return { ...good[CLOSED], codes: [code], lines: copy };
  };
  const { keys } = hours;
  const { head } = good[CLOSED].options;
  const { signature } = lines.at(-1).end;
  const other = createKeyring('another secret, of somebody who only has the file').current;
  return {
    'a byte order mark': raw('malformed', '{"format"', '\ufeff{"format"'),
    'lines that end with CR LF': raw('malformed', '\n', '\r\n'),
    'white space': raw('malformed', '"first":', '"first": '),
    'a key twice': raw('malformed', '"first":6', '"first":6,"first":6'),
    'a key twice, with another value before': raw('malformed', '"first":6', '"first":1,"first":6'),
    'a number with a fraction of zero': raw('malformed', '"first":6', '"first":6.0'),
    'a number with an exponent': raw('malformed', '"first":6', '"first":6e0'),
    'a number below zero': raw('malformed', '"first":6', '"first":-6'),
    'zero below zero': raw('malformed', '"contributors":1', '"contributors":-0'),
    'a number that is larger than a double holds': raw('malformed', '"first":6', '"first":9007199254740993'),
    'a number with a zero before it': raw('malformed', '"first":6', '"first":06'),
    'a number that is none': raw('malformed', '"first":6', '"first":NaN'),
    'a fraction where an integer belongs': raw('malformed', '"first":6', '"first":6.5'),
    'another spelling of a letter': raw('malformed', '"live"', '"l\\u0069ve"'),
    'another spelling of a slash': raw('malformed', 'https://', 'https:\\/\\/'),
    'keys in another order than that of JSON.stringify': raw(
      'malformed',
      '{"format"',
      '{"b":1,"1":2,"format"',
    ),
    'half of a surrogate pair': raw('malformed', '"month":"2026-03"', '"month":"\\ud83d"'),
    'nesting of 33 levels': raw('malformed', '"first":6', `"first":${'['.repeat(32)}${']'.repeat(32)}`),
    'a control character': raw('malformed', '"live"', '"li\tve"'),
    'no JSON': raw('malformed', '"live"', "'live'"),
    'a list': raw('malformed', '{"format"', '[1]\n{"format"'),
    'an empty line': raw('malformed', '\n', '\n\n'),
    'another format': raw('malformed', 'svc-hours-1', 'svc-hours-2'),
    'a zone that there is not': raw('malformed', 'Europe/Berlin', 'Europe/Berlyn'),
    'a zone without a name': raw('malformed', '"timeZone":"Europe/Berlin"', '"timeZone":"+01:00"'),
    'a month that there is not': raw('malformed', '"month":"2026-03"', '"month":"2026-13"'),
    'a field that is none': raw('malformed', '"first":6', '"first":6,"last":31'),
    'a line of another kind': raw('malformed', '\n', '\n{"other":1}\n'),
    'a line whose kind is the name of a method': raw('malformed', '\n', '\n{"constructor":1}\n'),
    'a file without its end': cut('incomplete', (copy) => copy.pop()),
    'a file that was cut off in its last line': raw('incomplete', `${signature}"}}\n`, signature),
    'a line after the end': cut('malformed', (copy) => copy.push(copy.at(-2))),
    'another name': raw('altered', 'Ada Lovelace', 'Ada Byron'),
    'another letter of a signature': cut('altered', (copy) => {
      copy.at(-1).end.signature = altered(copy.at(-1).end.signature);
    }),
    'a line less': cut('altered', (copy) => copy.splice(-2, 1)),
    'a file that somebody signed with a key of their own': {
      ...good[OPEN],
      codes: ['key_unknown'],
      lines: signed(good[OPEN].lines.slice(0, -1), other),
    },
    'a file that somebody signed with a key of their own, under the name of another': {
      ...good[OPEN],
      codes: ['key_unknown'],
      lines: signed(good[OPEN].lines.slice(0, -1), { ...other, kid: keys.kid }),
    },
    'no key named': named({ keys: { other: OTHER } }, 'key_unknown'),
    'another key named': named({ keys: { [keys.kid]: OTHER } }, 'key_unknown'),
    'a head with another key than the one that is named': named(
      { head, keys: { [keys.kid]: OTHER } },
      'key_unknown',
    ),
    'a tree that was kept, whose signature is wrong': named(
      { head: { ...head, signature: altered(head.signature) } },
      'signature_wrong',
    ),
    'a head of another account': named(
      { head: { ...hours.head(sizes.closed), tenantId: idOf('another') } },
      'kept_head_differs',
    ),
    'development keys': named({ head, allowDevelopmentKeys: false }, 'setup_forgeable'),
    'a tree that is newer than the file': {
      ...good[OPEN],
      codes: ['kept_head_differs'],
      options: { head },
    },
    'a tree that was kept, and no proof of consistency': {
      ...good['nothing that was kept'],
      ...{ of: 'nothing that was kept', codes: ['kept_head_differs'] },
      options: good['a month that is not closed, and a tree that was kept before it'].options,
    },
  };
}

/** What somebody can do who signs files again, with what is in the chain. */
export function forgedFiles({ hours, people, ids }, good) {
  const { keys } = hours;
  const edited = (/** @type {string[]} */ codes, /** @type {Edit} */ edit, of = CLOSED) => {
    const copy = structuredClone(good[of].lines.slice(0, -1));
    edit(copy);
    return { ...good[of], of, codes, lines: signed(copy, keys) };
  };
  const lineOf = (/** @type {any[]} */ lines, /** @type {string} */ id, action = 'created') =>
    lines.find(({ entry }) => entry?.entityId === id && entry.action === `attendance.${action}`);
  const of = (/** @type {any[]} */ lines, /** @type {string} */ kind, at = 0) =>
    lines.filter((line) => Object.keys(line)[0] === kind)[at];
  const event = (
    /** @type {string | string[]} */ codes,
    /** @type {(line: any, lines: any[]) => void} */ edit,
    id = ids.left,
  ) => edited([codes].flat(), (lines) => edit(lineOf(lines, id), lines));
  const remove = (/** @type {any[]} */ lines, /** @type {any} */ line) =>
    lines.splice(lines.indexOf(line), 1);
  return {
    'another time': event('record_changed', ({ record: said }) => {
      said.occurredAt = '2026-03-02T14:00:00.000Z';
    }),
    'another person': event('record_changed', ({ record: said }) => {
      said.userId = people.grace.userId;
    }),
    'another site': event('record_changed', ({ record: said }) => {
      said.siteId = idOf('another site');
    }),
    'an event that is gone': event(
      ['record_missing', 'record_changed', 'sheet_wrong', 'closing_wrong'],
      (line) => {
        for (const name of ['record', 'n', 'salts', 'punch']) delete line[name];
      },
      ids.early,
    ),
    'a salt that is gone': event(
      ['salt_missing', 'sheet_wrong', 'closing_wrong'],
      (line) => {
        line.salts.facts = null;
      },
      ids.declared,
    ),
    'an event that was not voided': event('record_changed', ({ record: said }) => {
      said.voidedBy = null;
    }),
    'an event that nobody contested': event(
      'record_changed',
      ({ record: said }) => {
        said.contestedAt = null;
      },
      ids.early,
    ),
    'an event that nothing voided': event(
      'record_changed',
      ({ record: said }) => {
        said.voidedBy = ids.agreed;
      },
      ids.early,
    ),
    'a proof that is gone': event('punch_wrong', (line) => delete line.punch),
    'a proof of another statement': event('punch_wrong', (line, lines) => {
      line.punch = lineOf(lines, ids.early).punch;
    }),
    'another point of a proof': event('proof_invalid', ({ punch }) => {
      punch.proof.pi_a[0] = altered(punch.proof.pi_a[0]);
    }),
    'the points of another proof': event('proof_invalid', ({ punch }, lines) => {
      punch.proof = lineOf(lines, ids.early).punch.proof;
    }),
    'a proof that is no statement': event('punch_wrong', ({ punch }) => {
      punch.statement = punch.statement.replace('"v":1', '"v":2');
    }),
    'an event that no entry has sealed': edited(['record_unknown'], (lines) => {
      const { record: said, n, salts } = lineOf(lines, ids.left);
      lines.splice(
        lines.findIndex((line) => 'sheet' in line),
        0,
        {
          unsealed: { record: { ...said, id: idOf('unsealed') }, n, salts },
        },
      );
    }),
    'an entry that is hidden': edited(['entry_missing'], (lines) => {
      const line = lineOf(lines, ids.early, 'contested');
      lines[lines.indexOf(line)] = hide(line.entry);
      lineOf(lines, ids.early).record.contestedAt = null;
    }),
    'a link that is another one': edited(['chain_broken'], (lines) => {
      of(lines, 'seq').digest = OTHER;
    }),
    'an entry that is missing': edited(['chain_broken'], (lines) => remove(lines, of(lines, 'seq'))),
    'entries that were linked again': {
      ...good[CLOSED],
      codes: ['kept_head_differs'],
      lines: relinked(
        good[CLOSED].lines.map((line) =>
          line === of(good[CLOSED].lines, 'seq') ? { ...line, digest: OTHER } : line,
        ),
        keys,
      ),
    },
    'another hash of the tree': edited(['tree_wrong'], ([{ tree }]) => {
      tree.hash = OTHER;
    }),
    'another root': edited(['signature_wrong'], (lines) => {
      lines[0].tree.root = OTHER;
    }),
    'another proof of consistency': edited(['kept_head_differs'], ([{ consistency }]) => {
      consistency.proof[0] = OTHER;
    }),
    'keys that nobody knows': edited(['setup_unknown'], ([{ setup }]) => {
      setup.vkeySha256 = OTHER;
    }),
    'development keys that pass for those of a ceremony': edited(['setup_unknown'], ([{ setup }]) => {
      setup.kind = 'ceremony';
    }),
    'another note of a correction': edited(['correction_wrong'], (lines) => {
      of(lines, 'correction').correction.note = 'Ada left at four.';
    }),
    'a contested correction that is shown as agreed': edited(['correction_wrong'], (lines) => {
      of(lines, 'correction', 1).correction.state = 'agreed';
    }),
    'an agreed correction without the proof of the person': edited(['correction_wrong'], (lines) => {
      delete of(lines, 'correction').correction.proved;
    }),
    'a correction that is gone': edited(['correction_missing'], (lines) =>
      remove(lines, of(lines, 'correction')),
    ),
    'a correction twice': edited(['correction_wrong'], (lines) => {
      lines.splice(1, 0, of(lines, 'correction', 1));
    }),
    'an enrolment that is gone': edited(['enrolment_missing'], (lines) =>
      remove(lines, of(lines, 'enrolment')),
    ),
    'another salt of an enrolment': edited(['enrolment_wrong', 'enrolment_missing'], (lines) => {
      of(lines, 'enrolment').enrolment[0].leaf.salt = OTHER;
    }),
    'another proof that an entry is in the tree': edited(
      ['enrolment_wrong', 'enrolment_missing'],
      (lines) => {
        of(lines, 'enrolment').rows[0].inclusion[0] = OTHER;
      },
    ),
    'an enrolment with another authorization': edited(['enrolment_wrong', 'enrolment_missing'], (lines) => {
      of(lines, 'enrolment').enrolment[0].authorization.timestamp += 1;
    }),
    'a minute more': edited(['sheet_wrong'], (lines) => {
      of(lines, 'sheet').sheet.totals.minutes += 1;
    }),
    'a flag less': edited(['sheet_wrong'], (lines) => {
      of(lines, 'sheet').sheet.flags.pop();
    }),
    'a sheet that is gone': edited(['sheet_wrong'], (lines) => remove(lines, of(lines, 'sheet'))),
    'a sheet twice': edited(['sheet_wrong'], (lines) => lines.push(of(lines, 'sheet'))),
    'another salt of a closed sheet': edited(['closing_wrong'], (lines) => {
      of(lines, 'leaf').leaf.salt = '0'.repeat(32);
    }),
    'a closed sheet less': edited(['closing_wrong'], (lines) => remove(lines, of(lines, 'leaf'))),
    'lines in another order': edited(['malformed'], (lines) =>
      lines.push(remove(lines, of(lines, 'leaf'))[0]),
    ),
    'a closed month in another time zone': {
      ...good[CLOSED],
      codes: ['closing_wrong'],
      lines: signed(
        linesOf(hours, { from: hours.closings[0].seq, site: { ...SITE, timeZone: 'America/New_York' } }),
        keys,
      ),
    },
    'a closed month without the rules of its country': {
      ...good[CLOSED],
      codes: ['closing_wrong'],
      lines: signed(linesOf(hours, { from: hours.closings[0].seq, rules: 'none' }), keys),
    },
    'rules that no checker knows': edited(['malformed'], ([header]) => {
      header.rulesVersion = 2;
    }),
    'half of a surrogate pair in an entry': edited(['chain_broken'], (lines) => {
      lineOf(lines, ids.early).entry.summary = '\ud83d';
    }),
    'a file that begins before the chain': edited(['malformed'], ([header]) => {
      header.first = 0;
    }),
  };
}
