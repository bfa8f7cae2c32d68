import type { ReactNode } from 'react';
import { ENGLISH } from '../../ui/words';

/** The English texts. Another language has all of them, or it does not compile. */
export const en = {
  shared: ENGLISH,
  name: 'English',
  tab: 'Desk',
  test: 'Test environment',
  back: 'Back',
  cancel: 'Cancel',
  toStart: 'Done',
  tryAgain: 'Try again',
  backIn: (seconds: number) => `Back to the start in ${seconds}`,
  stillThere: 'Are you still there?',
  stillHere: 'I’m still here',
  expiresIn: (left: ReactNode) => <>Expires in {left}</>,

  start: {
    title: 'Welcome',
    titleAt: (company: ReactNode) => <>Welcome to {company}</>,
    register: 'Register',
    registerAbout: 'New here? Set up your phone.',
    signIn: 'Sign in',
    signInAbout: 'Your phone is registered.',
  },
  person: {
    title: 'Who are you?',
    fullName: 'First and last name',
    contact: 'E-mail or phone number',
    optional: 'Optional. Only to reach you.',
    wrongContact: 'Enter an e-mail address or a phone number.',
    missingName: 'Enter your name.',
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
  problems: {
    offline: ['No connection', 'The desk goes on as soon as it is back.'],
    revoked: [
      'This desk is switched off',
      'Somebody has revoked or paused it in the dashboard. If it was paused, it goes on by itself.',
    ],
    busy: ['One moment, please', 'Many people are using it now. The desk goes on by itself.'],
    full: [
      'The desk can’t be used now',
      'The monthly limit of this company is used up. Please ask at the reception.',
    ],
    closed: [
      'The desk can’t be used now',
      'The company’s account is not active. Please ask at the reception.',
    ],
    policy: ['Not at this desk', 'The company’s rules do not allow this here. Please ask at the reception.'],
    unexpected: ['Something went wrong', 'Try again. If that doesn’t help, please ask at the reception.'],
  },
  setUp: {
    title: 'Set up this desk',
    about:
      'In the dashboard, add a device of the type Kiosk. Type the code that it shows. People then register and sign in on this screen, without anybody’s log-in.',
    code: 'Code of the device',
    hint: 'Such as SV-7K2M-Q9RT. It is valid for 15 minutes.',
    action: 'Set up this screen',
    incomplete: 'The code has eight letters or digits after SV.',
    failed:
      'This code is wrong, was used, or has expired. Create a new one on the device’s page in the dashboard.',
    offline: 'The service did not respond. Check the connection and try again.',
    busy: 'Too many codes were tried. Wait a minute and try again.',
    noStorage: 'This browser can’t keep a key. Open the desk in a window that is not private.',
    unexpected: 'The service did not accept this. Reload the page and try again.',
  },
  menu: {
    open: 'Menu of the desk',
    title: 'This desk',
    device: (name: ReactNode) => <>This screen is {name}.</>,
    about:
      'To leave the desk, log in as a member of the company. The key of this screen is then deleted. You are not kept logged in.',
    email: 'E-mail',
    password: 'Password',
    action: 'Leave the desk',
    wrongAccount: 'This is a member of another company. The desk stays.',
    wrongLogIn: 'The e-mail or the password is wrong.',
    busy: 'Too many attempts. Wait a minute and try again.',
    offline: 'The service did not respond. Check the connection and try again.',
    unexpected: 'The service did not accept this log-in.',
  },
};

export type Strings = typeof en;
