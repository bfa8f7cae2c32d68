import type { ReactNode } from 'react';
import { ENGLISH } from '../../ui/words';
import { approvals } from './en-approvals';
import { browserTexts } from './en-browsers';
import { errors } from './en-errors';
import { phones } from './en-phones';

/** The English texts. Another language has all of them, or it does not compile. */
export const en = {
  shared: ENGLISH,
  errors,
  phones,
  approvals,
  ...browserTexts,

  back: 'Back',
  cancel: 'Cancel',
  close: 'Close',
  continue: 'Continue',
  done: 'Done',
  scan: 'Scan a code',
  scanAgain: 'Scan again',
  scanAnother: 'Scan another code',
  tryAgain: 'Try again',
  progress: 'Progress',
  steps: {
    creating: 'Creating your key',
    unlocking: 'Opening your key',
    proving: 'Proving',
    done: 'Done',
  },
  test: 'test',
  environment: { live: 'live', test: 'test' },
  service: 'Service',
  accountId: 'Account ID',
  unnamedAccount: (id: ReactNode) => <>Account {id}</>,

  cannotUse: 'This code can’t be used',
  insecure: {
    title: 'Your phone',
    text: 'This page was opened without encryption, so the browser can’t store secrets. Open it with https.',
  },
  noStorage:
    'The data of this page could not be read. If this happens again, reload the page, or open it in a window that is not private.',

  protectedBy: {
    'screen-lock': 'your fingerprint, face or screen lock',
    browser: 'a key stored by this browser, without a screen lock',
  },

  home: {
    title: 'Your identities',
    offline: 'You are offline. You can still scan codes. Proofs are sent when you are back online.',
    empty: 'No identity yet',
    emptyText:
      'Scan the code that the desk shows you. Your phone then creates a secret that never leaves it, and proves who you are without a password.',
    unused: 'Not used yet',
    used: (when: ReactNode) => <>Used {when}</>,
    details: 'Details',
    identity: 'Identity',
    created: 'Created',
    protectedBy: 'Protected by',
    unconfirmed:
      'The last response of this registration was lost. Ask the desk whether it was completed. If it was not, remove this identity.',
    olderKept: 'The older identity is kept until then.',
    remove: 'Remove',
  },

  remove: {
    title: 'Remove this identity?',
    text: (account: ReactNode) => (
      <>
        This deletes its secret, which exists only on this phone. You can’t sign in at {account} until the
        desk registers this phone again. The company still lists the identity, so ask its administrator to
        revoke it too.
      </>
    ),
    action: 'Remove it',
  },

  scanner: {
    about: 'Point the camera at the desk’s code, or at the code on the computer.',
    camera: 'What the camera sees',
    paste: 'Or paste the code',
    pasteHint: 'The text or link next to the QR code.',
    use: 'Use code',
  },

  register: {
    title: 'Register this phone?',
    code: 'Code',
    text: 'Is this the service that your desk uses? Your phone sends the code and a random number, and receives the company’s name. You are asked again before an identity is created.',
    forPerson: (name: ReactNode) => <>For {name}</>,
    textKnown:
      'Is this your company’s desk, and your name? You are asked again before an identity is created.',
    inSafari:
      'On an iPhone, Safari and an app on the home screen may keep separate data. Register where you will scan codes later.',
    inApp:
      'On an iPhone, this app and Safari may keep separate data. Scan codes in this app later, not with the camera alone.',
    offline:
      'You are offline. Press “Continue” and keep this page open. The code is sent when you are back online.',
    waiting: 'Waiting for a network to send the code.',

    confirmTitle: 'Register with this company?',
    chosenName: 'Register only at this company’s desk. Anyone can choose a name and a logo.',
    about: {
      'screen-lock': 'Your fingerprint, face or screen lock protects the identity. This page can’t read it.',
      browser:
        'This browser offers no screen lock to this page. Anyone who can unlock this phone can use the identity.',
    },
    sends: 'Only a proof and a number computed from the secret are sent.',
    maybeRegistered:
      'The last response never arrived, so this phone may already be registered. Press “Register” to ask the service again.',
    replaces:
      'This phone already has an identity for this company. The new one replaces it, and the old secret is deleted.',
    steps: {
      unlocking: 'Unlock your phone if it asks',
      sending: 'Sending the public part of your key',
      enrolling: 'Unlock your phone once more',
      loading: 'Loading what the proof needs',
      proving: 'Proving that this phone knows the secret',
      completing: 'Sending the proof',
    },
    pausedOffline:
      'You are offline. The registration continues when you are back online. Your progress is saved.',
    lostResponse:
      'The last response was lost, and the code can’t be used again. The identity is kept, in addition to any older one for this company. Ask the desk whether the registration was completed.',
    withoutLock: 'Store it without a screen lock',
    withoutLockText:
      'If this phone has no screen lock that this page can use, you can store the identity without one. Anyone who can unlock this phone can then use it.',
    later: 'Finish later',
    discard: 'Discard this registration',
    action: 'Register',
    done: 'Registered',
    doneText: (account: ReactNode, person: ReactNode) => (
      <>
        {person ?? 'This phone'} is registered with {account}. The desk shows it as completed.
      </>
    ),
    doneProtected: {
      'screen-lock':
        'Your fingerprint, face or screen lock protects it with a passkey. Don’t delete that passkey in the phone’s settings: without it, the identity is lost.',
      browser: 'A key stored by this browser protects it, without a screen lock.',
    },
    doneLost: 'If you lose this phone, ask the desk to revoke it.',
  },
  unfinished: {
    text: (account: ReactNode, started: ReactNode) => (
      <>
        Your registration with {account}, started {started}, is not finished.
      </>
    ),
    maybeRegistered:
      'The last response never arrived, so this phone may already be registered. Resume it, or ask the desk.',
    resume: 'Resume registration',
  },
  discard: {
    title: 'Discard this registration?',
    text: 'Nothing is registered yet. The desk’s code works only once, so you need a new one to register this phone.',
    maybeRegistered:
      'It may already be registered, because the last response never arrived. The secret of the new identity is deleted, so nobody can use it. Ask the desk first. If it is registered, have it revoked there.',
    action: 'Discard it',
  },

  pair: {
    title: 'Approve this sign-in?',
    browserOn: (browser: string, system: string) => `${browser} on ${system}`,
    claimed: 'Stated by the browser, not verified',
    networkUnknown: 'Network of the page: unknown',
    device: {
      signsIn: (client: ReactNode, userCode: string) => (
        <>
          Signs in another device: {client}, code {userCode}
        </>
      ),
      compare: 'Only continue if that device is in front of you and shows this code.',
      networkUnknown: 'Network of the device: unknown',
    },
    opened: (ago: ReactNode) => <>Opened {ago}</>,
    onlyYours: 'Only if you started it yourself. The person who started it is signed in as you.',
    expires: (left: ReactNode) => <>Expires in {left}</>,
    warnings: {
      title: 'Please check',
      otherNetwork: 'Asked from another network. With mobile data, that is normal.',
      firstTime: 'First sign-in to this page with this phone.',
      openedLongAgo: 'Opened more than two minutes ago.',
    },
    reading: 'Asking the service who wants this sign-in.',
    offline: 'You are offline. When you are back online, you see here who asks for this sign-in.',
    number: {
      title: 'Which number do you see?',
      about:
        'To approve, type the two digits on the screen where you sign in. Never type a number that somebody told or sent you.',
      entered: (digits: string) => (digits === '' ? 'No digit typed yet' : `Typed: ${digits}`),
      pad: 'Digits',
      remove: 'Delete the last digit',
    },
    steps: {
      unlocking: 'Unlock your phone if it asks',
      loading: 'Loading what the proof needs',
      proving: 'Creating the proof',
      waiting: 'Waiting for a network',
      sending: 'Sending the proof',
    },
    waiting: 'The proof is ready and is sent when you are back online.',
    approve: 'Approve',
    notMe: 'This was not me',
    cannot: 'This code can’t be approved',
    notRegisteredHere: {
      title: 'This browser is not registered',
      text: 'Use the phone that you registered. Go back and scan the code with it, or open the application on that phone.',
      back: 'Back to the sign-in page',
    },
    done: 'Signed in',
    doneText: (account: ReactNode) => <>The screen that asked is signed in at {account}.</>,
    returning: (host: string) => `Going back to ${host}.`,
    noWayBack: 'You are signed in, but the page to go back to has no safe address. Open it yourself.',
    wrongNumber: {
      title: 'Wrong number',
      over: 'Nobody was signed in, and this sign-in is over.',
      yours: 'Did you mistype? Start again on that screen and scan its new code.',
      notYours:
        'Did somebody send you the code or tell you a number? Don’t scan again, and tell your administrator.',
    },
    declining:
      'Unlock your phone if it asks, to confirm that it was you who declined. Nobody will be signed in.',
    declined: {
      declined: {
        title: 'Nobody was signed in',
        text: (account: ReactNode) => <>This sign-in is over. {account} can see that it was not you.</>,
      },
      over: {
        title: 'You signed nobody in',
        text: () => (
          <>This sign-in had already ended, so the service could not be told that it was not you.</>
        ),
      },
      signedIn: {
        title: 'Somebody is signed in',
        text: (account: ReactNode) => (
          <>
            This code was already approved. If that was not you, ask {account} to end the session right away.
          </>
        ),
      },
      next: 'Tell your administrator where the code came from: a message, a poster, another page.',
    },
    changed: {
      title: 'The code has changed',
      text: 'Scan the one shown now.',
      picture:
        'If you only have a picture of the code, don’t use it. Sign in only at a screen in front of you.',
    },
    check: 'Check the other screen',
    checkText:
      'The proof was already sent and can’t be taken back, so the other screen may be signed in. If you don’t want that, log out there.',
  },

  history: {
    title: 'History',
    recent: 'Recent approvals',
    about: 'Stored only on this phone. The newest 100 are kept.',
    empty: 'No approvals yet',
    emptyText:
      'When you approve or decline a sign-in or a request, it is listed here. The list stays on this phone.',
    results: {
      approved: 'Signed in',
      declined: 'Not me',
      wrongNumber: 'Wrong number',
      failed: 'Failed',
      unconfirmed: 'May be signed in',
    },
    clear: 'Clear history',
    clearTitle: 'Clear the history?',
    clearText:
      'This deletes the list on this phone. Your identities are kept, and sessions on computers continue.',
  },

  install: {
    title: 'Add it to your home screen',
    action: 'Install',
    notNow: 'Not now',
    ios: 'Tap Share, then “Add to Home Screen”, so that Safari keeps your identity.',
  },
};

export type Strings = typeof en;
