import type { ReactNode } from 'react';
import { ENGLISH_LISTS } from '../../../ui/lists/list-words';
import { ENGLISH } from '../../../ui/words';

const people = (count: number) => (count === 1 ? '1 person' : `${count} people`);

/** The English texts of the room. */
export const en = {
  shared: { ...ENGLISH, lists: ENGLISH_LISTS, copied: 'Copied', copyYourself: 'Select and copy it manually' },

  print: 'Print',
  done: 'Done',
  save: 'Save',
  close: 'Close',
  erased: 'Erased person',
  member: 'a member',
  formerMember: 'a former member',
  none: 'none',

  acts: { come: 'Came', go: 'Went', beginBreak: 'Began a break', endBreak: 'Ended a break' },
  causes: {
    forgotten: 'Forgotten',
    wrong_time: 'Wrong time',
    wrong_type: 'Wrong kind of event',
    double: 'Recorded twice',
    not_present: 'Was not there',
    device_failed: 'A phone or desk failed',
    other: 'Something else',
  },
  evidence: {
    proved: 'proved by phone',
    declared: 'declared',
    agreed: 'agreed',
    asserted: 'recorded by a key or a member',
  },
  changes: { label: 'Changes', nothing: 'nothing', becomes: 'becomes' },
  months: { label: 'Month', before: 'Month before', after: 'Month after', choice: 'Site and month' },

  site: {
    label: 'Site',
    many: 'the sites',
    otherEnvironment: 'Your rights are for sites of the other environment.',
  },
  off: {
    title: 'Working time is off',
    text: 'The first site turns it on for this environment. People then clock in with their phones, and nobody can edit what they did: a correction needs a yes from the person and one from the company. Only members with a right over hours see the attendance of others here. API keys that read attendance keep reading it. They are listed once the site is created.',
    create: 'Create the first site',
  },
  noRight: {
    text: (hours: ReactNode, representative: ReactNode) => (
      <>
        Only members with the right {hours} or {representative} see the hours of others.
      </>
    ),
    owner: (team: ReactNode) => <>You can give these rights, also to yourself, on the page {team}.</>,
    ask: 'An owner of the account can give you one.',
  },

  here: {
    title: 'Here now',
    about: (site: string, time: string) => `${site}, list of ${time}. It is read again every five minutes.`,
    again: 'Read again',
    what: 'who is here',
    howMany: 'How many',
    count: 'on site',
    countOnBreak: 'of them on a break',
    countAbsent: 'absent today',
    nobody: 'Nobody is on site.',
    list: 'On site',
    name: 'Name',
    since: 'Since',
    desk: 'Desk',
    state: 'State',
    absent: 'Absent today',
    atWork: 'At work',
    onBreak: 'On a break',
    stale: 'More than 16 hours',
    staleWhy: 'They came more than 16 hours ago and may have forgotten to clock out.',
    old: (time: string, age: string) => `This is the list of ${time} (${age}).`,
    offline:
      'There is no connection, so who came or went since then is missing. You can print it. It is read again as soon as that works.',
    unanswered:
      'The service does not respond, so who came or went since then is missing. You can print it. It is read again as soon as that works.',
    kept: 'There is no connection. This browser kept the list for an emergency, so who came or went since then is missing. It deletes the list at the log-out, and after 36 hours.',
    nothingKept: 'There is no connection, and this browser keeps no list of this site.',
    tryAgain: 'Try again',
  },
  evacuation: {
    label: 'Evacuation list',
    title: (site: string) => `Who is on site: ${site}`,
    about: (when: ReactNode, zone: string, count: number) => (
      <>
        List of {when} ({zone}), {people(count)}
      </>
    ),
    onBreak: 'on a break',
    stale: 'more than 16 hours',
    missing: 'Visitors, and people who did not clock in at a desk, are not on this list.',
    found: 'All found at',
    signature: 'Name and signature',
  },

  month: {
    title: 'Month',
    about:
      'Minutes are counted as the sheet shows them. Nothing is rounded, and what does not fit is flagged.',
    what: 'the sheets',
    empty: 'Nobody works here yet',
    emptyText: 'People appear here when the site is theirs, or when they clock in at one of its desks.',
    more: 'Show more people',
    hours: 'Hours by person and day',
    person: 'Person',
    flags: 'Flags',
    total: 'Total',
    people,
    contested: (count: number) => `${count} contested`,
    legend: 'What the signs mean',
    flag: 'Something to look at',
    plus: 'Only recorded by a key or a member, so it does not count',
    mark: 'A mark, such as a holiday',
  },
  closing: {
    title: 'Closing',
    what: 'the closings',
    close: 'Close the month …',
    again: 'Close again …',
    notClosed: 'This month is not closed.',
    notOver: 'This month can be closed when it is over.',
    flags: (count: number) =>
      count === 0 ? 'No flag is open.' : count === 1 ? '1 flag is open.' : `${count} flags are open.`,
    versions: 'Versions',
    version: (version: number) => `Version ${version}`,
    closedBy: (when: ReactNode, who: ReactNode) => (
      <>
        , closed {when} by {who}
      </>
    ),
    closedWithKey: (when: ReactNode) => <>, closed {when} with an API key</>,
    unchanged: 'No sheet changed since the version before.',
    changed: (names: ReactNode) => <>Changed since the version before: {names}.</>,
    others: (count: number) => `${count} more`,
    sheets: (count: number) => (count === 1 ? '1 sheet, root ' : `${count} sheets, root `),
    copyRoot: 'Copy the root',
    dialog: (month: string) => `Close ${month}`,
    openFlags: 'Open flags',
    about:
      'The audit log gets a seal of all sheets of this month. Hours can still be corrected, and the month closed again: that makes the next version, which says whose sheets changed.',
    action: 'Close the month',
    actionWith: (count: number) =>
      count === 1 ? 'Close with 1 open flag' : `Close with ${count} open flags`,
    closed: (month: string) => `${month} is closed`,
  },
  files: {
    csv: 'CSV',
    excel: 'Excel',
    payroll: 'Payroll …',
    title: (month: string) => `Payroll file of ${month}`,
    looking: 'Looking for people without a personnel number …',
    numbered: 'Everybody with hours has a personnel number.',
    unnumbered: (count: number) =>
      count === 1 ? '1 person has no personnel number.' : `${count} people have no personnel number.`,
    last: 'Their rows are last in the file, without a number. Enter it on the person’s page.',
    about: (type: ReactNode) => (
      <>
        The file has a row for each person and day, with the type {type}. It leaves out what only a key or a
        member recorded.
      </>
    ),
    download: 'Download the payroll file',
  },

  pin: {
    take: 'Take the PIN away …',
    title: (name: string) => `Take the PIN of ${name} away?`,
    text: 'They can no longer clock in at a desk with their number and PIN, and they see that on their phone. A member at the desk can give them another one.',
    action: 'Take the PIN away',
    done: 'The PIN is taken away',
  },
  sheet: {
    label: 'Sheet',
    what: 'the month',
    person: 'The person',
    everybody: 'Everybody’s month',
    missing: 'This person has no sheet at this site in this month.',
    day: 'Day',
    shifts: 'Shifts',
    breaks: 'Breaks',
    breakTime: 'Break time',
    hours: 'Hours',
    notes: 'Notes',
    actions: 'Actions',
    correct: (day: string) => `Correct ${day}`,
    mark: (day: string) => `Mark ${day}`,
    number: (code: string) => `Personnel number ${code}`,
    noNumber: 'No personnel number',
    rules: (country: string) => `rules of ${country}`,
    total: 'Total',
    days: (count: number) => (count === 1 ? '1 day' : `${count} days`),
    events: (list: string) => `Events: ${list}.`,
    proved: (count: number) => `${count} proved by the person’s phone`,
    declared: (count: number) => `${count} declared with a PIN or beside a member`,
    agreed: (count: number) => `${count} agreed by a correction`,
    asserted: (count: number) => `${count} only recorded by a key or a member: these do not count`,
    contested: (count: number) => `${count} contested by the person`,
    counted:
      'Minutes are cut to what this sheet shows. Nothing is rounded, and no break is deducted that nobody took.',
    signed: (name: ReactNode) => <>Date, {name}</>,
    signedForCompany: 'Date, for the company',
  },
  propose: {
    title: (day: string) => `Correct ${day}`,
    what: 'the events of the day',
    events: 'Events',
    empty: 'No events on this day.',
    fate: (event: string) => `What happens to “${event}”`,
    keep: 'Keep',
    change: 'Change',
    remove: 'Remove',
    added: 'A new event',
    leaveOut: 'Leave out the new event',
    event: 'Event',
    time: 'Time at the site',
    add: 'Add an event',
    cause: 'Cause',
    note: 'Note',
    noteHint: 'Optional. The person reads it.',
    about: 'Proposing is the yes of the company. The hours change once the person agrees too.',
    action: 'Propose the correction',
    done: 'Proposed. The person decides on their phone or with their PIN.',
  },
  mark: {
    title: (day: string) => `Mark ${day}`,
    about:
      'A mark says why a day is as it is, such as a holiday. The sheet shows it and never counts it. Others only see that the person is absent.',
    marks: 'Marks of the day',
    remove: (mark: string) => `Remove “${mark}”`,
    removed: 'Mark removed',
    code: 'Mark',
    codeHint: 'Letters, digits, dots and hyphens. Say no more than needed: “absent” is often enough.',
    suggestions: ['absent', 'holiday', 'public-holiday', 'training'],
    source: 'Who says so',
    sourceDefault: 'HR',
    action: 'Add the mark',
    added: 'Marked',
  },

  corrections: {
    title: 'Corrections',
    about:
      'A correction counts once the person and the company have agreed. Until then, and if it is contested, nothing changes.',
    company: 'Waiting for the company',
    person: 'Waiting for the person',
    counted: (title: string, count: number) => `${title} (${count})`,
    nothing: 'Nothing waits for the company.',
    choose: 'Choose this correction',
    chooseAll: 'Choose all',
    chooseNone: 'Choose none',
    chosen: (count: number) => `${count} chosen`,
    agree: 'Agree',
    contest: 'Contest',
    agreeAll: 'Agree to all chosen',
    contestAll: 'Contest all chosen',
    agreed: (count: number) => (count === 1 ? '1 correction agreed' : `${count} corrections agreed`),
    contested: (count: number) => (count === 1 ? '1 correction contested' : `${count} corrections contested`),
    failed: (count: number) =>
      count === 1 ? '1 correction was not decided.' : `${count} corrections were not decided.`,
    byPhone: 'Proposed by the person on their phone',
    byPin: 'Proposed by the person with their PIN',
    byMember: (name: ReactNode) => <>Proposed by {name}</>,
    quoted: (cause: string, note: ReactNode) => (
      <>
        {cause}: “{note}”
      </>
    ),
    withdraw: 'Withdraw',
    withdrawTitle: 'Withdraw this correction?',
    withdrawText:
      'It disappears from the person’s phone. The hours stay as they are. You can propose another one.',
    withdrawn: 'Correction withdrawn',
    record: 'Record it',
    recordTitle: 'Record it without the person’s agreement?',
    recordText:
      'The new events are added as recorded by the company. What the person did themselves stays and counts. Sheets show both, and the phone of the person says so. This can’t be undone.',
    recorded: 'Recorded',
    all: 'All corrections',
    columns: { person: 'Person', changes: 'Changes', cause: 'Cause', state: 'State', actions: 'Actions' },
    states: {
      proposed: 'Waiting',
      agreed: 'Agreed',
      contested: 'Contested',
      unanswered: 'Unanswered',
      withdrawn: 'Withdrawn',
    },
    empty: 'No corrections',
    emptyText: 'People propose them on their phones, and you on the page of a person’s month.',
  },

  sites: {
    title: 'Sites',
    add: 'Add a site',
    columns: {
      name: 'Name',
      country: 'Country',
      zone: 'Time zone',
      from: 'People clock in',
      kept: 'Hours are kept',
      actions: 'Actions',
    },
    months: (count: number) => (count === 1 ? '1 month' : `${count} months`),
    edit: (name: string) => `Edit ${name}`,
    editTitle: (name: ReactNode) => <>Edit “{name}”</>,
    closedMonths: 'Months that were closed keep the time zone that they had.',
    saved: 'Site saved',
    first: 'Create the first site',
    turnOn: 'Turn working time on',
    addThe: 'Add the site',
    created: 'Site created',
    on: 'Working time is on',
    give: (hours: ReactNode, representative: ReactNode, team: ReactNode) => (
      <>
        Give {hours} to who works with them, and {representative} to who reads them for others, on the page{' '}
        {team}.
      </>
    ),
    place: (site: ReactNode, desks: ReactNode, people: ReactNode) => (
      <>
        Choose {site} as the location of its {desks}, and as the site of its {people}.
      </>
    ),
    desks: 'desks',
    people: 'people',
    clockIn: 'People clock in with their phones.',
    noKeys: 'No API key reads attendance.',
    keys: (count: number, page: ReactNode) => (
      <>
        {count === 1 ? '1 API key still reads' : `${count} API keys still read`} everybody’s attendance.
        Revoke those that should not on the page {page}.
      </>
    ),
    keysLabel: 'Keys that read attendance',
  },
  siteFields: {
    name: 'Name',
    nameHint: 'A place of work, for example North plant.',
    country: 'Country',
    countryHint:
      'For Germany and Spain, the sheets flag what their rules on breaks, rest and long days ask to look at.',
    zone: 'Time zone',
    zoneHint: 'Type a city to search. Days and months of the site begin at its midnight.',
    from: 'Where people clock in',
    desk: 'At a desk',
    deskAbout: 'They scan the code of a desk of the site.',
    anywhere: 'Anywhere',
    anywhereAbout: 'Also on their own phone, without a desk. Such events are not on site.',
    breaks: 'Phones offer breaks',
    breaksHint: 'People begin and end a break themselves. None is ever deducted that nobody took.',
    kept: 'Months for which hours are kept',
    keptHint: 'Whole months, also after a person was erased. Laws often say how long.',
    payroll: 'Payroll file',
    type: 'Type of working time',
    typeHint: 'What your payroll calls these hours, for example the number of a type of wage. Empty: work.',
    separator: 'Columns are separated by',
    semicolons: 'Semicolons',
    commas: 'Commas',
    tabs: 'Tabs',
    decimal: 'Decimal sign',
    comma: 'Comma',
    point: 'Point',
    encoding: 'Encoding',
    withMark: 'UTF-8 with a mark',
    hours: 'Hours are written as',
    inMinutes: '450 minutes',
  },
};

export type TimeTexts = typeof en;
