import type { HoursFaultCode, HoursFindingCode } from '@svc/sdk/hours';
import type { ReactNode } from 'react';

/** Why a file cannot be checked to its end. `incomplete` and `setup_forgeable` end no check of a page. */
export type Ending = Exclude<HoursFaultCode, 'incomplete' | 'setup_forgeable'>;
const endings: Readonly<Record<Ending, string>> = {
  malformed: 'The file is not written as the service writes it.',
  altered: 'The file is not the one that the service signed.',
  chain_broken: 'Entries of the audit log were altered, removed or moved.',
  tree_wrong: 'The entries do not lead to the signed head of the audit log.',
  kept_head_differs:
    'The audit log is not the one that this page saw before: its history was rewritten. Do not reload this page, download the file of this month, and send it to the operator of the service.',
  key_unknown:
    'The file is signed with another key than the one that this page saw before. Ask the operator of the service whether they have changed it.',
  signature_wrong: 'The signature of the service is wrong.',
  signature_unsupported: 'This browser can’t check the signatures. Newer browsers can.',
  setup_unknown: 'The proofs are under a key that this page does not know. Reload the page and check again.',
};
/** The same for a check that is compared with a file. */
const endingsOfFile: Readonly<Partial<Record<Ending, string>>> = {
  kept_head_differs:
    'The audit log is not the one of the file that you kept: its history was rewritten. Keep both files, and send them to the operator of the service.',
  key_unknown:
    'The service signs with another key than in the file that you kept. Ask the operator of the service whether they have changed it.',
};
const findings: Readonly<Record<HoursFindingCode, string>> = {
  record_changed: 'This event says something else than when it was recorded.',
  record_missing: 'An event was recorded, and is gone.',
  record_unknown: 'This event is there, and nothing in the audit log has recorded it.',
  record_resealed: 'This event was recorded twice.',
  salt_missing: 'This event can’t be checked, because the salt of its seal is gone.',
  entry_missing: 'Entries about this month were left out.',
  punch_wrong: 'The proof of this event is gone, or is of another act, time, person or company.',
  punch_reused: 'This event has the proof of another event.',
  proof_invalid: 'A proof of the phone is not valid.',
  enrolment_wrong: 'The enrolment of a phone was altered.',
  enrolment_missing: 'Nothing shows that the phone is that of this person.',
  correction_wrong: 'A correction was altered, or was not agreed by both sides.',
  correction_missing: 'The correction that should have made this change is gone.',
  sheet_wrong: 'The sheet is not what the events say.',
  closing_wrong: 'The events do not give the sheets that were closed.',
};

const several = (count: string, one: string, many: string) => `${count} ${count === '1' ? one : many}`;

/** The English texts of a check. Numbers are written for the reader. */
export const en = {
  title: 'Check this month',
  about:
    'Your browser fetches the file of this month and checks it: each event against the audit log, each proof of a phone, and each sheet.',
  recorded: 'The download is recorded, and the people of the site see it on their phones.',
  start: 'Check this month',
  again: 'Check again',
  stop: 'Stop',
  download: 'Download the file',
  compare: 'Compare with a file …',
  notKept:
    'This is not the file of a month. Choose a file that was downloaded here or by an inspector, such as hours-2026-05.jsonl.',
  ofAnother: 'The file that you chose is of another account or environment. Nothing was judged.',
  progress: 'Entries of the audit log checked',
  starting: 'The service is preparing the file …',
  read: (read: string, of: string, size: ReactNode) => (
    <>
      {read} of {of} entries checked, {size}
    </>
  ),
  stopped: 'The check was stopped. Nothing was judged.',
  cut: (incomplete: ReactNode) => (
    <>{incomplete} The file ended before its last line, so nothing was judged.</>
  ),
  incomplete: 'The check is incomplete.',
  unexpected: 'The check did not work in this browser. Try again, or use the command line.',
  tooLarge: 'This month has more events than a browser can hold. The command line checks any number.',
  tryAgain: 'Try again',

  holds: 'This month holds.',
  holdsUntil: (when: ReactNode, isClosed: boolean) => (
    <>
      Nobody has changed, added or removed an event that was recorded by {when}
      {isClosed ? ', when the month was closed' : ''}.
    </>
  ),
  nothing: 'There is nothing to check: the audit log has no entry about this month.',
  newer: 'Everything in this month is newer than what this page saw before.',
  forgeable:
    'The service runs with development keys. Their maker can forge proofs, so the proofs show nothing here.',
  wrong: (count: string) => `This month does not hold: ${several(count, 'thing is', 'things are')} wrong.`,
  wrongAbout:
    'It was changed outside of the service. Download the file now, keep it, and send it to the operator of the service.',
  ended: 'This month does not hold.',
  notJudged: 'This month could not be checked.',
  findings: 'What is wrong',
  more: (count: string) => `${count} more are not listed. The command line lists them.`,
  line: (line: string) => `line ${line}`,
  nobody: 'Unknown person',
  event: 'event',
  site: 'The whole site',

  checked: 'What was checked',
  apart: 'What holds apart from that',
  people: (people: string, hours: string, more: string | undefined) =>
    `${several(people, 'person', 'people')}, ${hours} hours by their own events${more === undefined ? '' : `, and ${more} more that only a key or a member recorded`}.`,
  events: (list: string) => `Events: ${list}.`,
  evidence: {
    proved: (count: string) => `${count} proved by phone`,
    declared: (count: string) => `${count} declared with a PIN or beside a member`,
    agreed: (count: string) => `${count} agreed by a correction`,
    asserted: (count: string) => `${count} only recorded by a key or a member`,
    contested: (count: string) => `${count} contested by the person`,
  },
  proofs: (count: string) => `${several(count, 'proof', 'proofs')} of phones checked.`,
  corrections: (list: string) => `Corrections: ${list}.`,
  states: {
    agreed: (count: string) => `${count} agreed`,
    contested: (count: string) => `${count} contested`,
    unanswered: (count: string) => `${count} unanswered`,
    withdrawn: (count: string) => `${count} withdrawn`,
    proposed: (count: string) => `${count} waiting`,
  },
  complete: (count: string) =>
    `The ${several(count, 'entry', 'entries')} about this month are numbered without a gap, so none before the last one is left out.`,
  closed: (when: ReactNode) => <>The month was closed on {when}, with these sheets.</>,
  sheets: 'Each sheet is what the events say, minute by minute.',
  sameHistory: (count: string) =>
    `The audit log still has the ${several(count, 'entry', 'entries')} that this page saw before: its history was not rewritten.`,
  sameAsFile: (count: string) =>
    `The audit log still has the ${several(count, 'entry', 'entries')} of the file that you kept: its history was not rewritten.`,

  notChecked: 'What was not checked',
  names: 'Names and personnel numbers, which are the service’s word.',
  phones: 'Who held a phone, and where. A phone that was lent with its PIN is not detected.',
  after: (when: ReactNode, isOpen: boolean) => (
    <>
      Whether entries after {when} were left out.{isOpen ? ' The month was not closed.' : ''}
    </>
  ),
  unproved: (count: string) =>
    `${several(count, 'event or correction', 'events and corrections')} by PIN or beside a member, for which there is only the service’s word.`,
  displaced: (count: string) =>
    `${several(count, 'event', 'events')} at the ends of the month, recorded when the site had another time zone.`,
  erased: (count: string) =>
    `${several(count, 'proof', 'proofs')} of erased people, of whom nothing is left to compare with.`,
  rules: 'The closing, whose rules this page does not know.',
  firstCheck:
    'What happened before this check. It is the first one on this page and rests on the signature of the service. The next one also says whether the history was rewritten since.',
  trust: (line: ReactNode) => (
    <>
      This page comes from the service that it checks. {line} checks the same file on a computer that you
      trust, and compares it with a file that you kept.
    </>
  ),
  commandLine: 'The command line',
  endings,
  endingsOfFile,
  findingTexts: findings,
};

export type CheckTexts = typeof en;
