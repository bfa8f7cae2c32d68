import type { ReactNode } from 'react';
import { ENGLISH } from '../../ui/words';

/** The English texts of an inspection. */
export const en = {
  shared: ENGLISH,
  title: 'Inspection of working time',
  language: 'Language',

  enter: {
    about: 'You got a link and, apart from it, a code of six digits. Enter the code to read the hours.',
    code: 'Code',
    hint: 'Six digits',
    open: 'Open',
  },
  faults: {
    refused:
      'This link and this code open nothing. Check the code. After five wrong codes, the link is locked for 15 minutes. If it still does not work, the inspection has ended: ask the company for a new link.',
    busy: 'There were too many attempts from here. Try again in some minutes.',
    offline: 'The service does not respond. Check your connection and try again.',
    unexpected: 'That did not work. Try again.',
  },
  noLink: {
    title: 'Open the link that you were given',
    text: 'This address alone shows nothing. Open the whole link, with everything after the #. If you have opened it before, open it again.',
  },
  ended: {
    title: 'This inspection has ended',
    text: 'Its time is over, or the company has ended it. If eight hours have passed since you entered the code, open the link again. If not, ask the company for a new one.',
  },

  head: {
    site: 'Site',
    period: 'Months',
    zone: 'Time zone',
    until: 'This link works until',
    logged:
      'Each month that you open and each file that you fetch is recorded, and the people of the site see that somebody looked.',
  },
  months: { label: 'Month', before: 'Month before', after: 'Month after' },
  actions: {
    print: 'Print',
    csv: 'CSV',
    xlsx: 'Excel (XLSX)',
    check: 'File to check',
    about: (program: ReactNode) => (
      <>“File to check” has the events with their proofs. {program} checks it without the service.</>
    ),
  },
  loading: 'The month is loading …',
  empty: 'Nobody has a sheet in this month.',

  summary: {
    title: 'Everybody',
    number: 'Number',
    name: 'Name',
    days: 'Days',
    breaks: 'Breaks',
    hours: 'Hours',
    asserted: 'By the company alone',
    flags: 'Flags',
    contested: 'Contested',
    total: 'Total',
    people: (count: number) => (count === 1 ? '1 person' : `${count} people`),
  },
  sheet: {
    label: (name: string) => `Sheet of ${name}`,
    number: (code: string) => `Personnel number ${code}`,
    noNumber: 'No personnel number',
    erased: 'Erased person',
    day: 'Day',
    from: 'From',
    to: 'To',
    breaks: 'Breaks',
    breakTime: 'Break time',
    hours: 'Hours',
    asserted: 'By the company alone',
    notes: 'Notes',
    noEnd: 'no end',
    contested: 'contested',
    total: 'Total',
    days: (count: number) => (count === 1 ? '1 day' : `${count} days`),
    signs: {
      asserted:
        'Only recorded by an API key or a member of the company. It does not count towards the hours.',
      contested: 'The person says that this is wrong.',
    },
    rules: 'Flags ask a question. Agreements and exceptions can allow what is flagged.',
    events: (list: string) => `Events: ${list}.`,
    proved: (count: number) => `${count} proved by the person’s phone`,
    declared: (count: number) => `${count} declared with a PIN or beside a member`,
    agreed: (count: number) => `${count} agreed by a correction`,
    recorded: (count: number) => `${count} only recorded by the company`,
    disputed: (count: number) => `${count} contested by the person`,
    none: 'none',
    counted:
      'Minutes are cut to what this sheet shows and then subtracted. Nothing is rounded, and no break is deducted that nobody took.',
  },
};

export type Texts = typeof en;
