// Files of a month in which nothing is wrong. Some of them show less than others, and the last sentence says so.
import {
  apply,
  change,
  linesOf,
  MONTH,
  noteCorrection,
  propose,
  punch,
  record,
  SITE,
  settle,
  signed,
} from './scene.mjs';

/** Each file by its name, with what the checker knows. */
export async function goodFiles({ hours, people, sizes, ids }) {
  const { keys } = hours;
  const publicKey = keys.signing.publicHex;
  const kept = (/** @type {number} */ size) => ({ head: { ...hours.tree(size), publicKey } });
  const file = (/** @type {any} */ more, of = hours) => signed(linesOf(of, more), keys);
  const { before, within, open, closed } = sizes;
  const numbered = hours.rows.flatMap(({ seq, metadata }) => (metadata.period === MONTH ? [seq] : []));
  const later = numbered.filter((seq) => seq > ids.asserted);
  return {
    'a month that was closed, with an event that came after': {
      lines: file({ from: closed }),
      options: kept(closed),
    },
    'a month that is not closed, and a tree that was kept within it': {
      lines: file({ size: open, from: within }),
      options: kept(within),
    },
    'a month that is not closed, and a tree that was kept before it': {
      lines: file({ size: open, from: before }),
      options: kept(before),
    },
    'a tree of the same size as that of the file': { lines: file({ size: closed }), options: kept(closed) },
    'a head of the chain that was kept': {
      lines: file({ size: open }),
      options: { head: hours.head(within) },
    },
    'a key that was named': { lines: file({ size: open }), options: { keys: { [keys.kid]: publicKey } } },
    'nothing that was kept': { lines: file({ size: open }), options: {} },
    'one person, without the events of others': {
      lines: file({ from: closed, userId: people.grace.userId }),
      options: kept(closed),
    },
    'the month of a person who was erased': {
      lines: file({ from: open, erased: [people.grace.userId] }, erase(hours.fork(open), people.grace)),
      options: kept(open),
    },
    'corrections by PIN, of several months, and by the person alone': {
      lines: file({ from: open }, await corrected(hours.fork(open), people, ids)),
      options: kept(open),
    },
    'an event that was recorded in another time zone': {
      lines: file({ size: open, from: within, site: { ...SITE, timeZone: 'Asia/Tokyo' } }),
      options: kept(within),
    },
    'the last entries hidden, which no numbers show': {
      lines: file({ from: closed, hidden: later }, without(hours.fork(), later)),
      options: kept(closed),
    },
    'a month that was written again after the head that was kept': {
      lines: file(
        { from: closed, first: 8, hidden: numbered.filter((seq) => seq <= closed) },
        rewritten(hours.fork(closed), people),
      ),
      options: kept(closed),
    },
    'a month without entries': {
      lines: file({ from: closed, hidden: numbered }, Object.assign(hours.fork(), empty())),
      options: kept(closed),
    },
  };
}

/** Nothing of what was recorded before. */
const empty = () => ({ records: new Map(), corrections: new Map(), closings: [] });

/** Without what these entries recorded. */
function without(/** @type {Hours} */ hours, /** @type {number[]} */ seqs) {
  const records = [...hours.records].filter(([, { seq }]) => !seqs.includes(seq));
  return Object.assign(hours, { records: new Map(records), closings: [] });
}

function erase(/** @type {Hours} */ hours, /** @type {any} */ { userId }) {
  hours.at('03-31T08:00:00.000').append({ action: 'user.erased', entityType: 'user', entityId: userId });
  return hours;
}

async function corrected(/** @type {Hours} */ hours, { ada, grace }, { declared }) {
  hours.at('03-30T08:00:00.000');
  const changes = [
    change(hours, declared, { type: 'check_out', at: '03-10T12:30:00.000' }),
    change(hours, null, { type: 'check_in', at: '01-15T08:00:00.000' }),
  ];
  const byPin = await propose(hours, grace, { changes });
  await settle(hours, byPin, { personBy: 'pin' });
  const wrong = await punch(hours, ada, '03-30T09:00:00.000');
  hours.at('03-30T09:02:00.000');
  const alone = await propose(hours, ada, {
    by: 'person',
    cause: 'double',
    changes: [change(hours, wrong, null)],
  });
  noteCorrection(hours, alone, 'agreed', { metadata: { state: 'agreed', by: 'person' } });
  apply(hours, alone);
  hours.at('03-31T09:00:00.000');
  const forgotten = [change(hours, null, { type: 'check_out', at: '03-11T16:30:00.000' })];
  const own = await propose(hours, ada, { by: 'person', cause: 'forgotten', changes: forgotten });
  hours.at('03-31T10:00:00.000');
  await settle(hours, own, {});
  return hours;
}

/** Somebody asserts the month again, with fewer hours, after they hid what was there. */
function rewritten(/** @type {Hours} */ hours, { ada, grace }) {
  Object.assign(hours, empty());
  hours.numbers.clear();
  hours.at('04-05T08:00:00.000');
  for (const person of [ada, grace])
    for (const [type, at] of [
      ['check_in', '03-02T08:00:00.000Z'],
      ['check_out', '03-02T09:00:00.000Z'],
    ])
      record(hours, { person, evidence: 'asserted', type, at: Date.parse(`2026-${at}`) });
  return hours;
}
