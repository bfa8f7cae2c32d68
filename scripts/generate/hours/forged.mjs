// Files of a month that somebody signs again with the key of the service, with what is in the chain.
import { altered, CLOSED, OTHER } from './bad.mjs';
import { hide, idOf, linesOf, relinked, SITE, signed } from './scene.mjs';

/** @typedef {import('./bad.mjs').Edit} Edit */
/** @typedef {ReturnType<typeof editsOf>} Edits */

const lineOf = (/** @type {any[]} */ lines, /** @type {string} */ id, action = 'created') =>
  lines.find(({ entry }) => entry?.entityId === id && entry.action === `attendance.${action}`);
const of = (/** @type {any[]} */ lines, /** @type {string} */ kind, at = 0) =>
  lines.filter((line) => Object.keys(line)[0] === kind)[at];
const remove = (/** @type {any[]} */ lines, /** @type {any} */ line) => lines.splice(lines.indexOf(line), 1);

/** How a closed month is changed and signed again: as a whole, or one of its events. */
function editsOf({ hours, ids }, good) {
  const edited = (/** @type {string[]} */ codes, /** @type {Edit} */ edit, of = CLOSED) => {
    const copy = structuredClone(good[of].lines.slice(0, -1));
    edit(copy);
    return { ...good[of], of, codes, lines: signed(copy, hours.keys) };
  };
  const event = (
    /** @type {string | string[]} */ codes,
    /** @type {(line: any, lines: any[]) => void} */ edit,
    id = ids.left,
  ) => edited([codes].flat(), (lines) => edit(lineOf(lines, id), lines));
  return { edited, event };
}

export function forgedFiles(made, good) {
  const edits = editsOf(made, good);
  return {
    ...forgedEvents(made, edits),
    ...forgedChain(made, edits, good),
    ...forgedCorrections(edits),
    ...forgedSheets(made, edits, good),
  };
}

function forgedEvents({ people, ids }, /** @type {Edits} */ { edited, event }) {
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
  };
}

function forgedChain({ hours, ids }, /** @type {Edits} */ { edited }, good) {
  const { keys } = hours;
  return {
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
  };
}

function forgedCorrections(/** @type {Edits} */ { edited }) {
  return {
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
  };
}

function forgedSheets({ hours, ids }, /** @type {Edits} */ { edited }, good) {
  const { keys } = hours;
  return {
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
