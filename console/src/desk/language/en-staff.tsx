import type { ReactNode } from 'react';

/** What only the staff reads: setting the desk up, working at it, and leaving it. */
export const en = {
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
    title: 'For staff',
    device: (name: ReactNode) => <>This screen is {name}.</>,
    about:
      'Log in to register people, or to help somebody who has lost a phone. It ends after ten minutes, and you are not kept logged in.',
    start: 'Start',
    startWithPasskey: 'Start with a passkey',
    notAllowed: 'Members with your role can’t work at this desk.',
    leave: 'Leave the desk',
    leaveAbout:
      'To leave the desk, log in as a member of the company. The key of this screen is then deleted. You are not kept logged in.',
    email: 'E-mail',
    password: 'Password',
    action: 'Leave the desk',
    wrongAccount: 'This is a member of another company. The desk stays.',
    withPasskey: 'Leave with a passkey',
    wrongLogIn: 'The e-mail or the password is wrong.',
    wrongPasskey: 'This passkey doesn’t work here any more.',
    noPasskey: 'No passkey was used. It was cancelled or took too long.',
    busy: 'Too many attempts. Wait a minute and try again.',
    offline: 'The service did not respond. Check the connection and try again.',
    unexpected: 'The service did not accept this log-in.',
  },
  work: {
    here: (name: ReactNode) => <>{name} is working here.</>,
    leftover: (left: ReactNode) => <>{left} left</>,
    timeOver: 'Time is over',
    over: 'Your time at this desk is over. Log in again to go on.',
    end: 'End',
    home: {
      title: 'What do you want to do?',
      register: 'Register somebody',
      registerAbout: 'Confirm who they are, and show them a code.',
      lost: 'A phone is lost',
      lostAbout: 'Lock it, and register the new one.',
      presence: 'Who is here',
      presenceAbout: 'Everybody who has checked in.',
      onlyClock: 'Show only the clock',
      onlyClockAbout: 'This screen stays at clocking in and out, such as at a gate.',
      everything: 'Show the start again',
      everythingAbout: 'Registration, sign-in and the clock.',
    },
    find: {
      register: 'Who wants to register?',
      lost: 'Who has lost a phone?',
      name: 'First or last name',
      hint: 'First name, last name or the whole name, written out, with at least three letters.',
      action: 'Find',
      short: 'Enter a name with at least three letters.',
      none: 'Nobody was found.',
      more: 'There may be more people. Enter more of the name.',
      found: 'People found',
      unconfirmed: 'Name not confirmed',
      phones: (count: number) => (count === 0 ? 'No phone' : count === 1 ? 'One phone' : `${count} phones`),
      someoneNew: 'Somebody new',
    },
    newPerson: 'Who is it?',
    how: {
      title: (name: ReactNode) => <>How do you know that this is {name}?</>,
      about: 'Your answer is kept with the name.',
      replaces: 'They have a phone. The new one replaces it once an owner has confirmed it.',
      known: 'I know them',
      document_seen: 'I have seen a document',
      list: 'They are on a list that I trust',
    },
    phones: {
      title: (name: ReactNode) => <>Which phone has {name} lost?</>,
      none: (name: ReactNode) => <>{name} has no phone that works.</>,
      noneAbout: 'There is nothing to lock. You can register the new phone.',
      list: 'Phones',
      phone: 'Phone',
      since: (at: ReactNode) => <>Registered {at}</>,
      lock: 'Lock',
      sure: 'Lock it now?',
      yes: 'Yes, lock',
    },
    locked: {
      title: 'The phone is locked',
      about: 'Nobody can sign in with it any more. Register the new phone now if it is here.',
      register: 'Register the new phone',
      later: 'Not now',
    },
    registered: {
      title: (name: ReactNode) => <>{name} is registered</>,
      about: 'They can sign in with this phone now.',
      waits: (name: ReactNode) => <>{name}’s new phone does not work yet</>,
      worksFrom: (time: ReactNode) => (
        <>They can sign in from {time}, once an owner has confirmed the new phone in the dashboard.</>
      ),
      worksOnceConfirmed:
        'They can sign in as soon as an owner has confirmed the new phone in the dashboard.',
    },
    presence: {
      title: (count: number) =>
        count === 0 ? 'Nobody is here' : count === 1 ? 'One person is here' : `${count} people are here`,
      since: (at: ReactNode) => <>since {at}</>,
      unnamed: 'Without a name',
      more: (count: number) => `The ${count} who came last are shown.`,
    },
    faults: {
      busy: 'Too many requests at this desk. Wait a few minutes.',
      full: 'The monthly limit of this company is used up.',
      notAllowed: 'The account of the company or your role does not allow this any more.',
      ended: 'The code has expired, or the phone did not finish. Choose again for a new code.',
      limit: 'This person has as many phones as they may have. Lock one first.',
      gone: 'This person or phone is no longer there. Search again.',
      offline: 'The service did not respond. Check the connection and try again.',
      unexpected: 'The service did not accept this. Try again.',
    },
  },
};

export type StaffStrings = typeof en;
