import type { HoursCorrection, HoursHeader } from '@svc/zk/time/hours-file';
import type { KeptPart } from './chain.js';
import type { Corrections } from './corrections.js';
import type { Findings } from './fault.js';
import type { NumberCheck, Numbered } from './numbers.js';
import type { ClosingState, EventCounts, SheetCheck } from './sheets.js';

/** What a check has found, in numbers and in sentences. */
export interface HoursReport {
  readonly month: string;
  readonly site: HoursHeader['site'];
  readonly userId: string | null;
  readonly people: number;
  readonly minutes: number;
  readonly minutesWithAsserted: number;
  /** Events of the month that count, by how they are known. */
  readonly counts: EventCounts;
  /** Proved events and decisions of erased people, of whom nothing is left to check them by. */
  readonly erased: number;
  /** Null: the month was never closed. */
  readonly closedAt: string | null;
  /** Whether the file has every entry about the month, up to the last one that it shows. */
  readonly isComplete: boolean;
  /** When the last entry about the month was written that what was kept vouches for. Null: none. */
  readonly keptUntil: string | null;
  /** Entries about the month, which are numbered, and the last of them. */
  readonly entries: number;
  readonly lastEntry: Numbered | null;
  /** Proofs that were verified. */
  readonly proofs: number;
  readonly corrections: Readonly<Record<HoursCorrection['state'], number>>;
  /** Corrections to which the person agreed by PIN. */
  readonly agreedByPin: number;
  readonly closing: ClosingState['is'];
  /** Events at the ends of the month, recorded when the site had another time zone. */
  readonly displaced: number;
  /** Phones whose enrolment is newer than the tree that was kept. All of them, if none was. */
  readonly newEnrolments: number;
  /** The number of the newest entry that was kept, and whether it or the next one is in the file. Null: nothing was kept. */
  readonly kept: { readonly seq: number; readonly isInFile: boolean } | null;
  readonly checked: readonly string[];
  readonly notChecked: readonly string[];
  readonly restsOn: readonly string[];
  /** One sentence that says what it comes to. */
  readonly conclusion: string;
}

interface Facts {
  readonly header: HoursHeader;
  readonly kept: KeptPart | undefined;
  /** A head or keys were named. */
  readonly named: boolean;
  readonly erased: number;
  readonly displaced: number;
  readonly proofs: number;
  readonly numbers: NumberCheck;
  readonly sheets: SheetCheck;
  readonly closing: ClosingState;
  readonly corrections: Corrections;
  readonly closingNumber: number;
  readonly faults: Findings;
  readonly newEnrolments: number;
}

export function report(facts: Facts): HoursReport {
  const { header, sheets, closing, erased, numbers } = facts;
  const { month, site, userId } = header;
  const { people, minutes, minutesWithAsserted, counts } = sheets;
  return {
    ...{ month, site, userId, people, minutes, minutesWithAsserted, counts, erased },
    closedAt: closing.is === 'none' ? null : closing.entry.createdAt,
    isComplete: userId === null && numbers.missing === 0,
    keptUntil: numbers.lastKept?.at ?? null,
    ...numbersOf(facts),
    checked: checked(facts),
    notChecked: notChecked(facts),
    restsOn: restsOn(facts),
    conclusion: conclusion(facts),
  };
}

const numbersOf = ({ numbers, proofs, corrections, closing, displaced, newEnrolments, kept }: Facts) => ({
  ...{ entries: numbers.last, lastEntry: numbers.lastEntry ?? null },
  ...{ proofs, closing: closing.is, displaced, newEnrolments },
  corrections: {
    proposed: corrections.count('proposed'),
    agreed: corrections.count('agreed'),
    contested: corrections.count('contested'),
    unanswered: corrections.count('unanswered'),
    withdrawn: corrections.count('withdrawn'),
  },
  agreedByPin: corrections.agreedByPin(),
  kept: kept ? { seq: kept.seq, isInFile: kept.isInFile } : null,
});

/** "2 events and 1 correction", without what there is none of. */
const counted = (...parts: readonly (readonly [count: number, one: string, many?: string])[]): string =>
  parts
    .filter(([count]) => count > 0)
    .map((part) => several(...part))
    .join(' and ');

const several = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

function checked({
  header,
  sheets,
  proofs,
  corrections,
  closing,
  closingNumber,
  numbers,
  faults,
}: Facts): string[] {
  const { people, minutes, minutesWithAsserted, counts } = sheets;
  const { proved, declared, agreed, asserted, contested } = counts;
  const { month, site, company, userId } = header;
  const { last, lastEntry, missing } = numbers;
  const added = minutesWithAsserted - minutes;
  return [
    `${month}, ${site.name} of ${company}, in ${site.timeZone}: ${several(people, 'person', 'people')}, ${hours(minutes)} hours by their own events${added > 0 ? `, and ${hours(added)} more that only the account asserts` : ''}.`,
    `Events: ${proved} proved by phones, ${declared} declared by number and PIN or beside a member, ${agreed} agreed by both sides, ${asserted} asserted by the account. ${contested} contested by the person.`,
    `${several(proofs, 'proof')} verified.`,
    ...(corrections.size > 0
      ? [
          `Corrections: ${corrections.count('agreed')} agreed, ${corrections.count('contested')} contested, ${corrections.count('unanswered')} unanswered, ${corrections.count('withdrawn')} withdrawn, ${corrections.count('proposed')} waiting.`,
        ]
      : []),
    ...(userId === null && missing === 0 && lastEntry
      ? [
          `The ${several(last, 'entry', 'entries')} about the month are numbered without a gap, so none before the last one (entry ${lastEntry.seq}, ${lastEntry.at}) is left out.`,
        ]
      : []),
    ...(closing.is === 'sound'
      ? [
          `The month was closed at ${closing.entry.createdAt} (entry ${closing.entry.seq}, version ${closing.entry.metadata.version}), with these sheets${last > closingNumber ? `. ${several(last - closingNumber, 'entry', 'entries')} came after that` : ''}.`,
        ]
      : []),
    ...(faults.count === 0 ? ['Each sheet is what the events say, minute by minute.'] : []),
  ];
}

function notChecked(facts: Facts): string[] {
  const { closing, erased, displaced, newEnrolments, named, sheets, corrections } = facts;
  const { declared } = sheets.counts;
  const byPin = corrections.agreedByPin();
  return [
    closing.is === 'sound'
      ? 'not checked: names and personnel numbers, which are the service’s word.'
      : 'not checked: names, personnel numbers, the time zone and the rules of the country, which are the service’s word.',
    'not checked: where a phone was, who held it, and whether it had been revoked. A phone that was lent with its PIN is not detected.',
    'not checked: events of the days beside the month, but for those in the file. The files of those months show them.',
    'not checked: whether a correction that changed nothing was left out, or the answer to one.',
    left(facts),
    ...(closing.is === 'unknown_rules'
      ? ['not checked: the closing, whose rules this checker does not know.']
      : []),
    ...(declared + byPin > 0
      ? [
          `not checked: ${counted([declared, 'declared event'], [byPin, 'correction agreed by PIN', 'corrections agreed by PIN'])}, for which there is only the service’s word.`,
        ]
      : []),
    ...(displaced > 0
      ? [
          `not checked: the month of ${several(displaced, 'event')} at its ends, recorded when the site had another time zone.`,
        ]
      : []),
    ...(erased > 0
      ? [
          `not checked: ${several(erased, 'proof')} of people who were erased, of whom nothing is left to compare them with.`,
        ]
      : []),
    ...(named && newEnrolments > 0
      ? [
          `not checked: ${several(newEnrolments, 'phone')} whose enrolment rests on the operator’s word. A tree that you kept, and a file fetched with its size as from, show which were enrolled before.`,
        ]
      : []),
  ];
}

/** What can be missing. */
function left({ header, closing, numbers: { lastEntry } }: Facts): string {
  if (header.userId !== null)
    return 'not checked: whether an event of this person was left out, or what was said about one. The receipts that their phone keeps show that.';
  if (lastEntry === undefined)
    return 'not checked: whether entries about the month were left out. The file has none.';
  const open = closing.is === 'none' ? ' The month was not closed.' : '';
  return `not checked: whether entries about the month that came after entry ${lastEntry.seq} (${lastEntry.at}) were left out.${open}`;
}

function restsOn({ kept, named, header }: Facts): string[] {
  if (kept !== undefined && !kept.isInFile)
    return [
      `All entries of the file are newer than the head that you kept (entry ${kept.seq}), and rest on the signature of the service.`,
    ];
  if (kept !== undefined)
    return [
      `Up to entry ${kept.seq} it rests on the head that you kept${kept.seq < header.tree.size ? ', after that on the signature of the service' : ''}.`,
    ];
  return named
    ? ['It rests on the signature of the service, under the key that you named.']
    : [
        'It rests on the signature of the service, under the key that the file itself names. Pass a head that you kept.',
      ];
}

function conclusion(facts: Facts): string {
  const { header, faults } = facts;
  const { month, site, userId } = header;
  const of =
    userId === null ? `the hours of ${month} at ${site.name}` : `the hours of this person in ${month}`;
  if (faults.count > 0)
    return `This file does not hold: ${several(faults.count, 'thing is', 'things are')} wrong with ${of}. The first: ${faults.listed[0]?.message}`;
  return [verdict(facts, of), ...exceptions(facts)].join(' ');
}

/** What nobody has done, and until when. */
function verdict({ header: { userId }, kept, closing, numbers }: Facts, of: string): string {
  const { lastEntry, lastKept } = numbers;
  const known = kept === undefined ? lastEntry : lastKept;
  if (lastEntry === undefined) return `Of ${of}, the file has no entry.`;
  if (known === undefined)
    return `Of ${of}, nothing is older than the head that was kept (entry ${kept?.seq}): what was recorded rests on the signature of the service.`;
  const isClosed = closing.is === 'sound' && closing.entry.seq === known.seq;
  const recorded = `was recorded by ${known.at}${isClosed ? ', when the month was closed' : ''}`;
  const since =
    kept === undefined
      ? 'by the signature of the service, as no head was kept'
      : `up to the head that was kept (entry ${kept.seq})`;
  return userId === null
    ? `Of ${of}, nobody has changed, added or removed one that ${recorded}: checked ${since}.`
    : `Of ${of}, nobody has changed or added one that ${recorded}: checked ${since}. Whether one was left out, only the receipts of the phone show.`;
}

/** What a reader should know besides. */
function exceptions({ kept, erased, sheets, corrections }: Facts): string[] {
  const { asserted, contested } = sheets.counts;
  const byPin = kept === undefined ? 0 : corrections.agreedByPin(kept.seq);
  const { unprovedAfterKept: unproved } = sheets;
  return [
    ...(asserted + contested > 0
      ? [
          `${counted([asserted, 'event was asserted by the account alone', 'events were asserted by the account alone'], [contested, 'event was contested by the person', 'events were contested by the person'])}.`,
        ]
      : []),
    ...(unproved + byPin > 0
      ? [
          `There is no proof of a phone of ${counted([unproved, 'event'], [byPin, 'correction'])} from after that head.`,
        ]
      : []),
    ...(erased > 0 ? [`${several(erased, 'proof')} of erased people could not be checked.`] : []),
  ];
}

const hours = (minutes: number): string =>
  `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
