import type { ReactNode } from 'react';

/** The English texts of inspections. */
export const en = {
  title: 'Inspections',
  what: 'the inspections',
  about:
    'An inspector or a works council reads the hours of this site without an account, by a link and a code. People see on their phones that somebody looked.',
  add: 'Let somebody inspect …',
  none: 'There are no inspections yet.',
  more: 'Show more',
  madeBy: (who: ReactNode, when: ReactNode) => (
    <>
      Made {when} by {who}.
    </>
  ),
  madeWithKey: (when: ReactNode) => <>Made {when} with an API key.</>,
  until: (when: ReactNode) => <>Open until {when}.</>,
  over: (when: ReactNode) => <>Over since {when}.</>,
  ended: (when: ReactNode) => <>Ended {when}.</>,
  looks: (looks: number) => (looks === 0 ? 'No looks.' : looks === 1 ? '1 look.' : `${looks} looks.`),
  end: 'End',
  endOf: (period: string) => `End the inspection of ${period}`,
  ending: {
    title: (period: string) => `End the inspection of ${period}?`,
    text: 'The link stops working immediately. A page that is open ends with its next request.',
    action: 'End the inspection',
    done: 'Inspection ended',
  },
  adding: {
    title: 'Let somebody inspect',
    from: 'First month',
    to: 'Last month',
    works: 'The link works for',
    hours: { 24: '1 day', 72: '3 days', 168: '7 days', 336: '14 days', 720: '30 days' },
    order: 'The last month can’t be before the first.',
    action: 'Create the link and the code',
  },
  made: {
    title: 'The link and the code',
    text: 'Give them on two ways, for example the link by e-mail and the code by telephone. Anybody with both reads the hours.',
    link: 'Link',
    copyLink: 'Copy the link',
    code: 'Code',
    copyCode: 'Copy the code',
    once: 'Both are shown only now. If one gets lost, end this inspection and make another.',
    done: 'Done',
  },
};

export type InspectionTexts = typeof en;
