import type { ReactNode } from 'react';
import { ENGLISH } from '../../ui/words';

/** The English texts. Another language has all of them, or it does not compile. */
export const en = {
  shared: ENGLISH,
  test: 'Test environment',
  cancel: 'Cancel',
  continue: 'Continue',
  tryAgain: 'Try again',
  close: 'You can close this page.',

  signIn: {
    tab: (client: string) => `Sign in to ${client}`,
    title: (client: ReactNode) => <>Sign in to {client}</>,
    loading: 'Sign in',
    returnsTo: (host: ReactNode) => <>You will return to {host}</>,
    otherDevice: 'You sign in on the device that shows your code',
    scan: 'Scan with your phone, then type this number.',
    scanOther: 'Scan with the other phone, then type this number.',
    nearbyIfNew: 'Keep it near, with Bluetooth on, in case this browser is new to you.',
    expiresIn: (left: ReactNode) => <>Expires in {left}</>,
    opening: 'Preparing your code',
    waiting: 'Waiting for your phone',
    approving: 'Waiting for your approval',
    lost: 'No connection. Reconnecting…',
    refused: 'A phone was not accepted. It shows what to do. The code is still valid.',
    approveHere: 'Approve on this phone',
    approveInBrowser: 'Approve in this browser',
    otherPhone: 'or with another phone',
    sameDeviceOnly: 'This application accepts an approval only on the device where you sign in.',
    moving: 'Opening your phone page',
    remember: {
      title: 'Remember this number',
      text: 'Your phone page asks for it next.',
    },
  },
  stage: {
    code: 'Sign-in code',
    number: 'Your number',
    connected: 'Phone connected',
    type: 'Type this number on your phone',
    goOn: 'Go on with your phone',
    showCode: 'Not your phone? Show the code',
  },
  nearby: {
    title: 'Is your phone beside you?',
    text: 'This browser is new to you. Press the button, choose your phone in the window that opens, and confirm on the phone. It must be near this computer, with Bluetooth on.',
    refused: 'The phone did not confirm. Keep it near this computer, with Bluetooth on, and try again.',
    action: 'Confirm with my phone',
    computer: {
      title: 'Is this your computer?',
      text: 'If it is, the next sign-in here does not need your phone beside it. On a computer that others use, choose No.',
      yes: 'Yes, remember it',
      no: 'No, sign in once',
    },
  },
  consent: {
    title: (client: ReactNode) => <>Continue to {client}?</>,
    text: (client: ReactNode) => <>You are signed in. {client} will receive:</>,
    known: 'Who you are',
    claims: { name: 'Your name', email: 'Your e-mail address', groups: 'Your groups' },
    staysSignedIn: 'Access for up to 14 days without asking again',
  },
  approved: {
    title: 'Approved',
    going: 'Going on…',
    goingTo: (host: ReactNode) => <>Going back to {host}…</>,
  },
  cancelled: 'Cancelled',
  ended: {
    again: 'Show a new code',
    declined: {
      title: 'Declined on the phone',
      text: 'Nobody was signed in. If you want to sign in after all, show a new code.',
    },
    rejected: {
      title: 'Wrong number',
      text: 'A different number was typed on the phone, so nobody was signed in. Show a new code, and type the number next to it.',
    },
    expired: {
      title: 'The code has expired',
      text: 'Nobody scanned it in time. Show a new code when your phone is at hand.',
    },
  },
  failures: {
    unreachable: {
      title: 'No connection',
      text: 'The service did not respond. Check your connection and try again.',
    },
    not_approved: {
      title: 'Not approved yet',
      text: 'The approval did not arrive, or it took too long. Try again with a new code.',
    },
    other_tab: {
      title: 'Almost there',
      text: 'Your phone approved a sign-in that started in another tab or app. Go back to it, or sign in again here.',
    },
    too_many: {
      title: 'Too many attempts',
      text: 'Wait a minute, then try again. If that doesn’t help, start over in the application.',
    },
    new_browser: {
      title: 'Not in this browser',
      text: 'Your company asks for more in a browser that is new to you, and this one can’t store what that takes. Sign in on your phone, or in a window that is not private.',
    },
    not_signed: {
      title: 'Start again',
      text: 'This browser could not show that it began this sign-in. Try again with a new code.',
    },
    not_nearby: {
      title: 'Not confirmed',
      text: 'The phone beside this computer was not accepted. Try again with a new code, and use the phone that your company registered.',
    },
    unexpected: {
      title: 'Something went wrong',
      text: 'The service did not accept this step. Try again. If that doesn’t help, start over in the application.',
    },
  },
  closed: {
    title: 'This sign-in is over',
    text: 'It took too long, was already completed, or was started in another browser. Go back to the application and sign in again.',
  },

  about: {
    title: 'What is this?',
    points: [
      [
        'No password',
        'Your phone holds a key of its own and proves that it has it. There is nothing to remember.',
      ],
      [
        'Nothing biometric leaves your phone',
        'Your fingerprint or face only unlocks that key, on the phone itself.',
      ],
      ['A number against fraud', 'Type only the number that you see here, never one that somebody sent you.'],
    ],
    phone: (address: ReactNode) => <>Scan with {address} on the phone that your company registered.</>,
  },

  error: {
    title: 'This sign-in can’t continue',
    text: 'The application sent a request that this service does not accept. Go back to it and try again.',
    expired: 'It took too long, or its cookie is gone. Go back to the application and sign in again.',
    signOut: {
      title: 'This sign-out can’t continue',
      text: 'The application sent a request that this service does not accept, so nobody was signed out.',
      expired: 'It took too long, or its cookie is gone. Go back to the application and sign out again.',
    },
    forDevelopers: 'For the developers of the application',
  },
  signOut: {
    tab: 'Sign out',
    title: 'Sign out?',
    text: (company: ReactNode) => <>This signs you out at {company} in this browser.</>,
    plain: 'This signs you out in this browser.',
    asked: (client: ReactNode) => <>{client} asks you to sign out.</>,
    action: 'Sign out',
    forget: 'Sign out and forget this browser',
    notForgotten: 'This browser could not be forgotten. Check your connection and try again.',
    stay: 'Stay signed in',
  },
  signedOut: {
    title: 'You are signed out',
    text: (client: ReactNode) => <>You are no longer signed in to {client} in this browser.</>,
  },
  device: {
    title: 'Connect a device',
    text: 'Type the code that your device shows.',
    code: 'Code',
    action: 'Continue',
    incomplete: 'The code has eight letters or digits.',
    problems: {
      unknown: 'This code is not known. Compare it with the one on your device.',
      missing: 'Type the code first.',
      expired: 'This code has expired. Let your device show a new one.',
      used: 'This code was already used. Let your device show a new one.',
      aborted: 'You stopped this sign-in. To start again, let your device show a new code.',
    },
  },
  deviceConfirm: {
    tab: 'Is this your code?',
    title: 'Is this your code?',
    text: (client: ReactNode) => <>{client} wants to sign you in on another device.</>,
    onlyYours: 'Only continue if this code is on your own device.',
    code: 'Code on your device',
    action: 'Continue',
    stop: 'This is not my device',
  },
  deviceDone: {
    title: 'Your device is connected',
    text: (client: ReactNode) => <>{client} continues on your device.</>,
  },
};

export type Strings = typeof en;
