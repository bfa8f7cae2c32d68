import type { HoursHeader } from '@svc/zk/time/hours-file';
import type { Corrections } from './corrections.js';
import type { Findings } from './fault.js';
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
  /** Whether the month is known to be complete. */
  readonly isComplete: boolean;
  readonly checked: readonly string[];
  readonly notChecked: readonly string[];
  readonly restsOn: readonly string[];
  /** One sentence that says what it comes to. */
  readonly conclusion: string;
}

interface Facts {
  readonly header: HoursHeader;
  readonly kept: number | undefined;
  /** A head or keys were named. */
  readonly named: boolean;
  readonly erased: number;
  readonly events: number;
  readonly proofs: number;
  readonly numbered: number;
  readonly missing: number;
  readonly sheets: SheetCheck;
  readonly closing: ClosingState;
  readonly corrections: Corrections;
  readonly closingNumber: number;
  readonly faults: Findings;
  readonly newEnrolments: number;
}

export function report(facts: Facts): HoursReport {
  const { header, sheets, closing, erased, missing } = facts;
  const { month, site, userId } = header;
  const { people, minutes, minutesWithAsserted, counts } = sheets;
  return {
    ...{ month, site, userId, people, minutes, minutesWithAsserted, counts, erased },
    closedAt: closing.is === 'none' ? null : closing.entry.createdAt,
    isComplete: userId === null && missing === 0,
    checked: checked(facts),
    notChecked: notChecked(facts),
    restsOn: restsOn(facts),
    conclusion: conclusion(facts),
  };
}

const several = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

function checked({
  header,
  sheets,
  proofs,
  corrections,
  closing,
  closingNumber,
  numbered,
  missing,
  faults,
}: Facts): string[] {
  const { people, minutes, minutesWithAsserted, counts } = sheets;
  const { proved, declared, agreed, asserted, contested } = counts;
  const { month, site, company, userId } = header;
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
    ...(userId === null && missing === 0
      ? [
          `The ${several(numbered, 'entry', 'entries')} about the month are numbered without a gap, so none of them is left out.`,
        ]
      : []),
    ...(closing.is === 'sound'
      ? [
          `The month was closed at ${closing.entry.createdAt} (entry ${closing.entry.seq}, version ${closing.entry.metadata.version}), with these sheets${numbered > closingNumber ? `. ${several(numbered - closingNumber, 'entry', 'entries')} came after that` : ''}.`,
        ]
      : []),
    ...(faults.count === 0 ? ['Each sheet is what the events say, minute by minute.'] : []),
  ];
}

function notChecked({ header, closing, erased, newEnrolments, named }: Facts): string[] {
  return [
    'not checked: names and personnel numbers, which are the service’s word.',
    'not checked: where a phone was, and who held it. A phone that was lent with its PIN is not detected.',
    'not checked: events of the days beside the month, but for those in the file. The files of those months show them.',
    ...(header.userId === null
      ? []
      : [
          'not checked: whether an event of this person was left out. The receipts that their phone keeps show that.',
        ]),
    ...(closing.is === 'none' && header.userId === null
      ? [
          'not checked: whether entries after the last one of the file were left out. The month was not closed.',
        ]
      : []),
    ...(closing.is === 'unknown_rules'
      ? ['not checked: the closing, whose rules this checker does not know.']
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

function restsOn({ kept, named, header }: Facts): string[] {
  if (kept !== undefined)
    return [
      `Up to entry ${kept} it rests on the head that you kept${kept < header.tree.size ? ', after that on the signature of the service' : ''}.`,
    ];
  return named
    ? ['It rests on the signature of the service, under the key that you named.']
    : [
        'It rests on the signature of the service, under the key that the file itself names. Pass a head that you kept.',
      ];
}

function conclusion({ header, faults, kept, missing, sheets }: Facts): string {
  const { month, site, userId } = header;
  const of =
    userId === null ? `the hours of ${month} at ${site.name}` : `the hours of this person in ${month}`;
  if (faults.count > 0)
    return `This file does not hold: ${several(faults.count, 'thing is', 'things are')} wrong with ${of}. The first: ${faults.listed[0]?.message}`;
  const { asserted, contested } = sheets.counts;
  const but =
    asserted + contested > 0
      ? ` ${several(asserted, 'event')} asserted by the account alone and ${several(contested, 'event')} contested by the person are named.`
      : '';
  const whole =
    userId === null && missing === 0
      ? 'nobody has changed, added or removed one'
      : 'nobody has changed or added one. Whether one was left out, only the receipts of the phone show';
  const since =
    kept === undefined
      ? 'by the signature of the service, as no head was kept'
      : `up to the head that was kept (entry ${kept})`;
  return `Of ${of}, ${whole}: checked ${since}.${but}`;
}

const hours = (minutes: number): string =>
  `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
