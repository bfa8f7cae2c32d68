import type { ReactNode } from 'react';

/** The English texts of working time. */
export const enTime = {
  title: 'My time',
  about: 'Come and go, and see what is recorded',
  acts: { come: 'Come', go: 'Go', beginBreak: 'Begin a break', endBreak: 'End the break' },
  done: { come: 'You came', go: 'You went', beginBreak: 'Your break began', endBreak: 'Your break is over' },
  rows: { come: 'Came', go: 'Went', beginBreak: 'Break began', endBreak: 'Break ended' },
  months: { before: 'Previous month', after: 'Next month' },

  attend: {
    title: 'Come or go?',
    reading: 'The service is asked for the place and the time.',
    noIdentity:
      'This browser has no identity, perhaps because it was not used for weeks. Press “Without my phone” on the desk, and come or go with your personnel number and PIN. Then ask for a registration code.',
    offline: 'You are offline. The time is that of the service, so go online first.',
    at: (place: ReactNode) => <>At {place}</>,
    remote: 'At your own place, without a desk',
    time: 'Time',
    byService: 'The clock of the service counts, also if the proof takes a while.',
    clock: (seconds: number) =>
      `This phone’s clock differs by ${seconds} seconds from the service’s. The service’s time is recorded.`,
    tooLate: 'Two minutes have passed. Scan the code again.',
    tooLateHere: 'Two minutes have passed, so the time is no longer right.',
    newTime: 'Use the time now',
    lost: (act: string, time: string) =>
      `The answer to “${act}” at ${time} did not arrive. Ask again: it is the same entry, never a second one.`,
    askAgain: 'Ask again',
    steps: {
      unlocking: 'Unlock your phone if it asks',
      loading: 'Loading what the proof needs',
      proving: 'Creating the proof',
      sending: 'Sending the proof',
    },
    checked: 'Your phone has computed again what the service recorded, and keeps the receipt.',
    takeBack: 'For five minutes, you can take it back in “My time”.',
    unsigned: {
      title: 'Recorded, not fully checked',
      text: 'This browser can’t check the service’s signature. Your phone checked the rest and keeps the receipt.',
    },
  },

  forgotten: {
    title: 'You did not go: when?',
    text: (act: string, when: ReactNode) => (
      <>
        The last thing that this phone recorded before is “{act}”, {when}. When did you go? Your company
        agrees or contests.
      </>
    ),
    when: 'I went at',
    hint: 'By this phone’s time zone.',
    impossible: 'Choose a time after you came and before now.',
    send: 'Propose it',
    skip: 'Not now',
    sent: 'Proposed',
    sentText: 'Your company can agree to it or contest it. Until then, nothing changes.',
  },

  month: {
    total: 'Worked',
    breaks: 'Breaks',
    asserted: (hours: string) => `${hours} more by what your company wrote`,
    flagged: (days: number) => `Days on which something is missing or does not fit: ${days}`,
    zone: (zone: string) =>
      `Times of ${zone}. A shift over the end of the month is whole only on the company’s sheet.`,
    empty: 'Nothing is recorded in this month.',
    here: 'Come or go here',
  },

  row: {
    by: {
      proved: 'This phone, or another one of yours',
      declared: 'You, without a phone',
      agreed: 'A correction that both sides agreed to',
      asserted: 'Your company',
    },
    contested: 'You said that this is wrong',
    replaced: 'Replaced or taken back, does not count',
    rejected: 'Was rejected, does not count',
    tooNew: 'Too new to be in the signed list',
    unsealed: 'From before entries were sealed',
    unchecked: 'Not checked: this browser can’t check signatures',
    wrong: 'This is not what was recorded',
    isWrong: 'Wrong?',
    isWrongNamed: (row: string) => `${row}: wrong?`,
    takeBack: 'Take back',
    change: 'Propose a change',
    changeNamed: (row: string) => `${row}: propose a change`,
  },

  contest: {
    title: 'Is this wrong?',
    text: (row: string) =>
      `“${row}” stays, and everyone who reads it sees that you say it is wrong. You can’t undo that.`,
    action: 'Say that it is wrong',
  },
  takeBack: {
    title: 'Take it back?',
    text: (row: string) => `“${row}” stays visible and no longer counts.`,
    action: 'Take it back',
  },

  propose: {
    title: 'Propose a change',
    missing: 'Something is missing',
    text: 'Your company agrees or contests. Until then, nothing changes.',
    what: 'What is right?',
    nothing: 'It did not happen',
    when: 'When?',
    zone: (zone: string) => `By the clock of ${zone}.`,
    why: 'Why?',
    note: 'Note for your company (optional)',
    future: 'Choose a time before now.',
    send: 'Propose it',
  },

  pin: {
    title: 'Without this phone',
    about: 'With your personnel number and a PIN, you come and go at a desk when this phone is not with you.',
    none: 'You have no PIN.',
    by: {
      phone: (when: ReactNode) => <>You set the PIN on your phone, {when}.</>,
      pin: (when: ReactNode) => <>You changed the PIN at a desk, {when}.</>,
      desk: (when: ReactNode) => <>A desk printed a PIN for you, {when}.</>,
      reset: (when: ReactNode) => <>Your company took your PIN away, {when}.</>,
    },
    set: 'Set a PIN',
    change: 'Set another PIN',
    field: 'New PIN',
    again: 'The same again',
    digits: 'Six digits',
    guessable: 'Not the same digit six times, and no six digits in a row.',
    different: 'The two are different.',
    done: 'The PIN is set',
    doneText: 'Nobody can read it, your company neither. If you forget it, set another one here.',
  },

  corrections: {
    title: 'Corrections',
    proposed: 'Your company wants to change this',
    yours: 'You proposed this. Your company has not answered yet.',
    old: 'Recorded',
    new: 'Instead',
    nothing: 'nothing',
    note: 'Note',
    causes: {
      forgotten: 'Forgotten',
      wrong_time: 'Wrong time',
      wrong_type: 'Wrong kind',
      double: 'Recorded twice',
      not_present: 'Not present',
      device_failed: 'A device failed',
      other: 'Another reason',
    },
    agree: 'I agree',
    contest: 'I contest it',
    unreadable: (count: number) =>
      `${count} corrections can’t be shown, because no honest service sends them. Do not agree to anything, and tell somebody you trust.`,
  },

  member: {
    title: 'Is this your log-in?',
    logIn: 'Log-in',
    text: 'If you confirm, your company knows which member of its team you are. You then no longer decide about your own working time there.',
    warning: 'Never confirm the log-in of somebody else.',
    yes: 'Yes, it is mine',
    no: 'Not mine',
    done: 'Confirmed',
    doneText: 'Your company knows that this log-in is yours.',
  },

  missing: {
    title: 'Something is missing',
    text: (count: number) =>
      `The service no longer shows ${count} of your entries as it signed them. Your phone has the receipts. Export them for your representative.`,
    export: 'Export the receipts',
  },

  readings: {
    title: 'Who looked at this month',
    none: 'Nobody has looked at it.',
    program: 'A program of your company',
    former: 'A former member',
    inspector: 'Somebody with a link for an inspection',
    ofSite: 'with all of the site',
  },

  errors: {
    attendance_not_found: 'The service has no such entry of yours.',
    correction_closed: 'This correction has already ended.',
    correction_outdated: 'What this correction changes has changed before. Open the month again.',
    foreign_code: 'This code is of another company. This phone is not registered there.',
    receipt_wrong:
      'The service’s answer does not prove what was recorded. Do not rely on it: open “My time” later, and tell your representative.',
  },
};

export type TimeTexts = typeof enTime;
