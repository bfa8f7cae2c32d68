import type { ReactNode } from 'react';

/** The English texts about approvals: the inbox, one approval, and how it ended. */
export const approvals = {
  inbox: {
    title: 'Requests',
    check: 'Check for requests',
    checkAbout: 'What somebody asks you to approve',
    count: (count: number) => (count === 1 ? '1 request waits for you' : `${count} requests wait for you`),
    empty: 'No request waits for you.',
    unreadable:
      'A request is not shown, because its text is not as the service has to send it. Nothing was approved. If you see this again, tell your administrator.',
    stale: 'The list may be out of date, because the service did not respond.',
  },

  link: {
    title: 'Open this request?',
    text: 'Unlock your phone, so that this page can ask the service what it is. You see all of it before you decide.',
    none: {
      title: 'Not a request for this phone',
      text: 'It may be for somebody else, or it was already decided, cancelled or has expired.',
    },
    noIdentity:
      'This phone is not registered, so it can’t approve anything. Open the link on the phone that you registered.',
    unreadable: {
      title: 'This request can’t be shown',
      text: 'Its text is not as the service has to send it. Nothing was approved. Tell your administrator.',
    },
  },

  title: 'Approve this?',
  writtenBy: (company: ReactNode) => <>Text from {company}</>,
  asks: {
    api_key: (name: ReactNode) => <>Sent with the API key “{name}”</>,
    member: (name: ReactNode) => <>Sent by {name}, from the team</>,
    client: (name: ReactNode) => <>Sent by the application “{name}”</>,
  },
  note: 'Note',
  documents: 'Documents',
  sha256: 'SHA-256',
  reference: (reference: ReactNode) => <>Reference {reference}</>,
  needs: (required: number, all: number) =>
    required === all
      ? `All ${all} people who are asked have to approve.`
      : `${required} of ${all} people who are asked have to approve.`,
  expiresIn: (left: ReactNode) => <>Expires in {left}</>,
  expiresAt: (at: ReactNode) => <>Expires on {at}</>,
  onlyOnce: 'You decide once. You can’t change it later.',

  approve: 'Approve',
  readOn: 'Scroll to the end to approve',
  canApprove: 'You have read to the end. You can approve now.',
  enterNumber: 'Enter the number',
  decline: 'Decline',
  notMe: 'This was not me',
  later: 'Later',

  number: {
    about:
      'Type the two digits that the one who asks shows you. Never type a number that somebody told or sent you.',
  },
  reasons: {
    title: 'Why do you decline?',
    no: 'I don’t agree',
    noAbout: 'The request is right, but my answer is no',
    mistake: 'It is a mistake',
    mistakeAbout: 'Something in it is wrong',
    not_me: 'This was not me',
    not_meAbout: 'I did not start this, and I don’t know who did',
  },

  steps: {
    unlocking: 'Unlock your phone if it asks',
    loading: 'Loading what the proof needs',
    proving: 'Creating the proof',
    sending: 'Sending your decision',
  },
  waiting: 'You are offline. Your decision is sent when you are back online.',

  approved: {
    title: 'Approved',
    text: (company: ReactNode) => <>{company} has your proof and can go on.</>,
    others: 'Your approval counts. Others still have to approve.',
  },
  declined: {
    title: 'Declined',
    text: (company: ReactNode) => <>{company} can see that you declined.</>,
    notMe: (company: ReactNode) => <>{company} can see that it was not you.</>,
    next: 'If you don’t know where the request came from, tell your administrator.',
  },
  decided: {
    title: 'You already decided',
    text: 'This phone has answered this request before, and only the first answer counts. The history shows it.',
  },
  closed: {
    title: 'This request has ended',
    text: 'It was decided or cancelled, or it expired, before your answer arrived. Your answer was not counted.',
  },
  expired: {
    title: 'This request has expired',
    text: 'Nothing was approved. If it is still needed, let it be asked again.',
  },
  wrongNumber: {
    title: 'Wrong number',
    text: 'Nothing was approved, and the request still waits. Look at the number again.',
    locks: 'After three wrong numbers in a day, you can’t approve with a number for an hour.',
    notYours: 'Did somebody tell or send you the number? Then decline, and tell your administrator.',
    again: 'Type it again',
  },
  locked: {
    title: 'Locked for an hour',
    text: 'You typed a wrong number three times, so you can’t approve with a number for an hour. You can still decline.',
  },
  rejected: {
    title: 'Not accepted',
    text: 'The service did not accept the answer of this phone, so nothing was decided.',
    why: 'The request may be for somebody else, this phone may have been removed, or you typed a wrong number three times today. Try again in an hour, or ask your administrator.',
  },
  unknown: {
    title: 'Your answer may have arrived',
    text: 'It was already sent and can’t be taken back. Open the request again to see whether it still waits.',
  },

  history: {
    results: {
      approved: 'Approved',
      declined: 'Declined',
      wrongNumber: 'Wrong number',
      failed: 'Not accepted',
      unconfirmed: 'May have arrived',
    },
    open: (title: string) => `Show “${title}”`,
    title: 'What you decided on',
    decidedAt: (at: ReactNode) => <>Decided on {at}</>,
    about: 'Stored only on this phone. The receipt that others can check is at the company.',
  },
};
