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
  openHere: 'Open in this browser',
  tryAgain: 'Try again',
  backIn: (seconds: number) => `Back to the start in ${seconds}`,
  stillThere: 'Are you still there?',
  stillHere: 'I’m still here',
  expiresIn: (left: ReactNode) => <>Expires in {left}</>,
  goesOnIn: (seconds: number) => `It goes on by itself in ${seconds}\u00a0s.`,

  start: {
    title: 'Welcome',
    titleAt: (company: ReactNode) => <>Welcome to {company}</>,
    register: 'Register',
    registerAbout: 'New here? Set up your phone.',
    signIn: 'Sign in',
    signInAbout: 'Your phone is registered.',
    clock: 'Clock in or out',
    clockAbout: 'With your phone or a PIN.',
  },
  problems: {
    offline: ['No connection', 'The desk goes on as soon as it is back.'],
    revoked: [
      'This desk is switched off',
      'Somebody has revoked or paused it in the dashboard. If it was paused, it goes on by itself.',
    ],
    busy: ['One moment, please', 'Many people are using this desk now.'],
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
  menu: 'Menu of the desk',
};

export type Strings = typeof en;
