import type { ReactNode } from 'react';

/** The English texts about this phone's passkey, and the browsers that it signs in. */
export const browserTexts = {
  passkey: {
    part: 'Passkey of this phone',
    partAbout: 'Needed to sign in with a new browser',
    title: 'Turn on this phone’s passkey',
    card: 'A computer beside this phone can then ask for it, and a copied secret alone signs nobody in.',
    turnOn: 'Turn on',
    why: 'When you sign in with a new browser, the computer asks for this passkey. It shows that your phone is beside it.',
    unlocks: {
      new: 'Your phone asks you a few times: to open the identity, to create the passkey, and to use it once.',
      own: 'Your phone asks you once.',
    },
    keep: 'Don’t delete this passkey in the phone’s settings. It protects your identity, and without it the identity is lost.',
    steps: {
      unlocking: 'Unlock your phone if it asks',
      creating: 'Creating the passkey',
      signing: 'Using the passkey once',
      loading: 'Loading what the proof needs',
      proving: 'Creating the proof',
      sending: 'Sending the proof',
    },
    done: 'Passkey turned on',
    doneText: (account: ReactNode) => (
      <>At {account}, this phone can now show a computer that it is beside it.</>
    ),
    signing: 'Confirm with the passkey',
    required:
      'The company asks for this phone’s passkey. Turn it on first: open “Phones and key” of the identity, then “Passkey of this phone”.',
    notAccepted:
      'The service did not accept this. If your company has revoked this phone’s passkey, open “Phones and key” of the identity, then “Your phones”. There you can turn on a new one.',
  },
  nearby: {
    title: 'Go on at the computer',
    text: (browser: ReactNode) => <>This browser is new to you: {browser}.</>,
    unnamed: 'unknown',
    steps: [
      'On the computer, press “Confirm with my phone”.',
      'The browser shows a window. Choose this phone, or the passkey of a phone. Keep Bluetooth on, on both.',
      'Confirm here when your phone asks.',
    ],
    waiting: 'Waiting for the computer',
    left: (time: ReactNode) => <>Nobody is signed in until then. {time} left</>,
    notMine: 'This was not me',
    done: 'Confirm on the computer',
    beside: (browser: string) => `${browser}, beside you`,
    aBrowser: 'A browser',
    doneText: (account: ReactNode) => (
      <>
        Your phone has confirmed. The computer asks whether it is yours. Answer there, and it is signed in at{' '}
        {account}.
      </>
    ),
    over: {
      title: 'Nobody was signed in',
      text: 'The computer did not ask this phone in time, or the sign-in was cancelled there. To try again, show a new code and scan it.',
    },
    refused: {
      title: 'Not in a new browser',
      text: 'Your company signs you in with a new browser only if the passkey of a phone beside it confirms this.',
      turnOn: 'Turn on this phone’s passkey, then scan the code again.',
      noLock: 'This phone’s identity has no passkey, because no screen lock protects it.',
      here: 'You can also open the application on this phone and sign in there, or use another phone of yours that has a screen lock.',
    },
  },
  browsers: {
    title: 'Browsers',
    partAbout: 'Where you signed in',
    text: (account: ReactNode) => (
      <>
        You signed in at {account} with these. They are known, so they don’t ask for this phone beside them.
      </>
    ),
    empty: 'No known browsers',
    emptyText:
      'A browser becomes known when you sign in beside it with this phone’s passkey, or on this phone itself.',
    unnamed: 'Browser',
    how: { nearby: 'Beside your phone', same_device: 'On your phone' },
    since: (how: string, when: ReactNode) => (
      <>
        {how}, {when}
      </>
    ),
    used: (when: ReactNode) => <>Used {when}</>,
    forget: 'Forget',
    forgetNamed: (name: string) => `Forget ${name}`,
    forgetTitle: (name: ReactNode) => <>Forget “{name}”?</>,
    forgetText:
      'The next time you sign in with it, it is new again. It stays signed in where it is now: to end that, sign out there.',
    expire: 'A browser that you don’t use for 180 days is forgotten.',
  },
};

export type BrowserTexts = typeof browserTexts;
