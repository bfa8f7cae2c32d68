import type { ReactNode } from 'react';

/** What people read who register or sign in. */
export const en = {
  person: {
    title: 'Who are you?',
    fullName: 'First and last name',
    contact: 'E-mail or phone number',
    optional: 'Optional. Only to reach you.',
    wrongContact: 'Enter an e-mail address or a phone number.',
    missingName: 'Enter the name.',
    action: 'Continue',
  },
  stage: {
    code: 'Code for your phone',
    number: 'Your number',
    connected: 'Phone connected',
    type: 'Type this number on your phone',
    goOn: 'Go on with your phone. This takes a few seconds.',
    showCode: 'Not your phone? Show the code',
  },
  registering: {
    title: 'Scan with your phone',
    titleConnected: 'Confirm on your phone',
    steps: ['Scan the code', 'Confirm on your phone', 'Done'],
    label: 'Steps',
    spoken: { done: 'done', current: 'now', ahead: 'later' },
    opening: 'Preparing your code',
    waiting: 'Waiting for your phone',
    confirming: 'Waiting for you to confirm',
    proving: 'Your phone is proving its key',
    lost: 'No connection. Trying again…',
    newCode: 'Not your phone? Show a new code',
  },
  signingIn: {
    title: 'Scan, then type your number',
    titleConnected: 'Type your number',
    waiting: 'Waiting for your phone',
    refused: 'A phone was not accepted. It shows what to do. The code is still valid.',
  },
  done: {
    registered: (name: ReactNode) => <>You are registered, {name}</>,
    signedIn: (name: ReactNode) => <>Welcome, {name}</>,
    signedInAnybody: 'You are signed in',
    registeredAbout: 'You can sign in with this phone from now on.',
    signedInAbout: 'Your sign-in is confirmed.',
    registerAnother: 'Register another',
    signInAnother: 'Sign in another',
  },
  ended: {
    again: 'Show a new code',
    expired: ['The code has expired', 'Nobody finished in time. Show a new code when your phone is at hand.'],
    declined: ['Declined on the phone', 'Nobody was signed in.'],
    rejected: [
      'Wrong number',
      'A different number was typed on the phone, so nobody was signed in. Show a new code and type the number beside it.',
    ],
    abandoned: [
      'Not registered',
      'The registration was stopped before the phone had finished. Show a new code to try again.',
    ],
  },
};

export type PhoneStrings = typeof en;
