import type { ReactNode } from 'react';

/** The English texts about a person's phones: adding one, changing the key, losing one. */
export const phones = {
  title: 'Phones and key',
  add: 'Add another phone',
  addAbout: 'Sign in with either one',
  lost: 'A phone is lost',
  lostAbout: 'See your phones and remove one',
  changeKey: 'Change my key',
  changeKeyAbout: 'If somebody may have a copy of it',
  notActiveYet: {
    title: 'Not active yet',
    text: (when: ReactNode) => (
      <>This phone takes over on {when}. Until then, an earlier phone that still works can stop it.</>
    ),
    added: (when: ReactNode) => <>You can sign in with this phone from {when}.</>,
    now: 'This phone should work now. Sign in once to confirm it.',
  },
  ifLost: 'If you lose this phone',
  ifLostText:
    'On another phone of yours, open “Phones and key” and remove this one. If this is your only phone, go to the desk. It locks this phone and registers a new one, which can take until the next day.',
  ifLostProtected: {
    'screen-lock': 'Until then, nobody can use it without your fingerprint, face or screen lock.',
    browser: 'Until then, anyone who can unlock the phone can use it.',
  },
  onlyPhoneLost: 'Lost your phone?',
  onlyPhoneLostText:
    'If you have another phone that works, open this page there, then “Phones and key”, and remove the lost one. If it was your only phone, go to the desk. It locks the lost phone and registers the new one, which can take until the next day.',

  steps: {
    unlocking: 'Unlock your phone if it asks',
    loading: 'Loading what the proof needs',
    proving: 'Creating the proof',
    sending: 'Sending the proof',
  },
  offline: 'You are offline. This continues when you are back online.',

  list: {
    title: 'Your phones',
    text: (account: ReactNode) => <>Each of these can sign in at {account} as you.</>,
    unnamed: 'Phone',
    thisPhone: 'This phone',
    added: (when: ReactNode) => <>Added {when}</>,
    used: (when: ReactNode) => <>used {when}</>,
    unused: 'not used yet',
    from: (when: ReactNode) => <>Works from {when}</>,
    remove: 'Remove',
    removeNamed: (name: string) => `Remove ${name}`,
    noneInForce: 'This phone was removed or replaced. It can’t sign in any more.',
    only: 'This is your only phone. Add another one, so that you are not locked out if you lose it.',
  },
  remove: {
    title: 'Remove this phone?',
    titleNamed: (name: ReactNode) => <>Remove “{name}”?</>,
    text: (account: ReactNode) => (
      <>
        It can’t sign in at {account} any more, and its sessions end now. You can’t undo this, but you can add
        the phone again.
      </>
    ),
    own: (account: ReactNode) => (
      <>
        This phone can’t sign in at {account} any more, and its sessions end now. Its secret is deleted. If
        you have no other phone, only the desk can register you again.
      </>
    ),
    action: 'Remove it',
    done: 'Phone removed',
  },

  recovery: {
    title: 'Somebody is replacing your phones',
    text: (account: ReactNode, when: ReactNode) => (
      <>
        The desk of {account} has registered a new phone for you. It takes over on {when}, and all others stop
        working.
      </>
    ),
    held: (account: ReactNode) => <>You objected. The new phone takes over only if {account} confirms it.</>,
    notMe: 'This is not me',
    isMe: 'That is me',
    expected: 'You said that this is you. Nothing was changed.',
    cancelled: 'Stopped',
    cancelledText: (account: ReactNode) => (
      <>The new phone was not registered, and yours keep working. Tell {account} that somebody tried.</>
    ),
    onHold: 'On hold',
    onHoldText: (account: ReactNode) => (
      <>
        This phone was removed, so you can’t stop it alone. The new phone now takes over only if {account}{' '}
        confirms it. Call them.
      </>
    ),
    link: 'Was a new phone registered for you?',
    linkText:
      'Somebody wants to replace your phones with a new one. If that is not you, you can stop it here.',
    choose: 'At which company?',
    noIdentity:
      'This phone has no identity that could stop it. Open the link on a phone that you registered, or call the company.',
  },

  key: {
    title: 'Change my key?',
    why: 'Do this if somebody may have seen your screen lock or copied this phone’s storage. Your phone creates a new secret, and the old one stops working.',
    stays: 'You stay the same person for the company. Your other phones are not affected.',
    sessions: 'You are signed out everywhere this phone signed you in.',
    action: 'Change key',
    unknown:
      'The last response did not arrive, so this phone keeps both keys. Press “Change key” to find out which one works.',
    tooOften: 'The key of this phone was changed three times today. Try again tomorrow.',
    done: 'Key changed',
    doneText: (account: ReactNode) => (
      <>The old key no longer works at {account}. Everywhere else, you were signed out.</>
    ),
  },

  adding: {
    intro: {
      near: 'Have the other phone next to you. It needs a camera, or you type a code.',
      own: 'It gets its own secret. This phone keeps working.',
      yours: 'Add only a phone that is yours. The person who holds it can sign in as you.',
    },
    show: 'Show the code',
    scan: 'Scan with your other phone',
    scanText: 'Point its camera at the code and open the link.',
    qr: 'Code for the other phone',
    orType: (address: ReactNode) => <>No camera? Open {address} there and enter</>,
    left: (time: ReactNode) => <>Valid for {time}</>,
    joined: 'Confirm on your other phone',
    joinedText: 'It has scanned the code and will show six digits.',
    waitingFor: 'Waiting for the other phone',
    digits: 'Which digits does it show?',
    digitsText:
      'Type the six digits from your other phone. Never type digits that somebody told or sent you.',
    notMine: 'Not my phone',
    action: 'Add',
    done: 'Phone added',
    doneText: (account: ReactNode) => <>Both phones can now sign in at {account} as you.</>,
    doneLater: (account: ReactNode, when: ReactNode) => (
      <>
        Your other phone can sign in at {account} from {when}.
      </>
    ),
    rejected: 'Nobody was added',
    rejectedText: 'The digits don’t match those of the other phone. This code no longer works.',
    rejectedYours: 'Did you mistype? Start again, with the other phone next to you.',
    rejectedNotYours:
      'Did somebody ask you to do this, or tell you digits? Don’t start again, and tell your administrator.',
    refusedText: 'You said that it is not your phone. This code no longer works.',
    expired: 'The code has expired',
    expiredText: 'Nobody was added. Show a new code when your other phone is ready.',
    again: 'Start again',
  },

  joining: {
    title: 'Use this phone as well?',
    text: 'Only continue if the code is on another phone of yours, next to you. This phone then creates its own secret, which never leaves it, and receives the company’s name.',
    confirm: 'Add this phone?',
    company: 'Continue only if this is your company. Anyone can choose a name and a logo.',
    same: 'You can sign in with either phone as the same person.',
    replaces:
      'This phone already has an identity for this company. The new one replaces it, and the old secret is deleted.',
    action: 'Add this phone',
    steps: {
      meeting: 'Connecting to the other phone',
      loading: 'Loading what the proof needs',
      proving: 'Proving that this phone knows the secret',
      sending: 'Sending the proof',
    },
    digits: 'Type these digits on your other phone',
    digitsText: 'Don’t tell them to anyone.',
    waiting: 'Waiting for the other phone',
    done: 'This phone is added',
    doneText: (account: ReactNode) => <>You can now sign in at {account} with this phone, too.</>,
    doneLater: (account: ReactNode, when: ReactNode) => (
      <>
        You can sign in at {account} with this phone from {when}.
      </>
    ),
    notAdded: 'This phone was not added',
    notAddedText: 'The other phone ended it. The unused identity was deleted from this phone.',
    expiredText: 'The code has expired. The unused identity was deleted from this phone.',
    startAgain: 'To try again, show a new code on the other phone.',
    unconfirmed: 'Look at your other phone',
    unconfirmedText:
      'The code expired before an answer arrived. If your other phone shows “Phone added”, this one works. If not, remove the identity here and start again.',
    unfinished: (account: ReactNode) => <>Adding this phone at {account} is not finished.</>,
    resume: 'Continue',
    discard: 'Discard',
  },
  recoveryDone: {
    title: (when: string) => `This phone takes over on ${when}`,
    text: (account: ReactNode) => (
      <>
        Until then, an earlier phone that still works at {account} can stop it, so that nobody else can do
        this in your name. You don’t need to do anything.
      </>
    ),
  },
};

export type PhonesStrings = typeof phones;
