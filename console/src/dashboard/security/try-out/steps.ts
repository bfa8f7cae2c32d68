import type { Choices } from '../../nouns/policy/policy';

/** What an attacker tries, and whether these choices stop it. */
export interface Attack {
  readonly name: string;
  readonly isStopped: boolean;
  readonly why: string;
}

/** A stricter rule for new browsers also asks for the number, at every sign-in on another screen. */
export const asksNumber = ({ match, newBrowser }: Choices): boolean => match || newBrowser !== 'allow';

/** What happens when a person signs in on a computer, in order. */
export function stepsOf(chosen: Choices): readonly string[] {
  if (chosen.sameDeviceOnly)
    return [
      'The page asks the person to open it on their phone. A code on another screen signs nobody in.',
      `The person unlocks the phone, which sends its proof${chosen.attested ? ' and the signature of its passkey' : ''}.`,
      'The browser of the phone is signed in.',
    ];
  return [
    asksNumber(chosen) ? 'The computer shows a code and a number.' : 'The computer shows a code.',
    'The phone scans the code and shows which page asks, and from where.',
    asksNumber(chosen) ? 'The person types the number on the phone.' : 'The person taps “Approve”.',
    `The phone is unlocked and sends its proof${chosen.attested ? ' and the signature of its passkey' : ''}.`,
    ...(chosen.newBrowser === 'nearby_or_same_device'
      ? ['In a browser that is new to the person, the computer then asks for the phone beside it.']
      : []),
    chosen.desktopTokensOnly
      ? 'The computer is signed in. The phone gets no session.'
      : 'The computer and the phone are signed in.',
  ];
}

export function attacksOn(chosen: Choices): readonly Attack[] {
  const { attested, sameDeviceOnly, newBrowser } = chosen;
  const isNearby = newBrowser === 'nearby_or_same_device';
  const hasNumber = asksNumber(chosen);
  return [
    {
      name: 'Somebody forwards the code of their own sign-in',
      isStopped: sameDeviceOnly || hasNumber,
      why: sameDeviceOnly
        ? 'Only the phone itself can be signed in.'
        : hasNumber
          ? 'The person does not see the number.'
          : 'The person who approves signs the attacker in.',
    },
    {
      name: 'A copy of your page shows the code and the number live',
      isStopped: sameDeviceOnly || isNearby,
      why: sameDeviceOnly
        ? 'Only the phone itself can be signed in.'
        : isNearby
          ? 'The phone is not beside the attacker’s browser.'
          : 'The person types the number that the copy shows.',
    },
    {
      name: 'Malware copies the secret of a phone',
      isStopped: attested,
      why: attested
        ? 'The passkey stays in the phone’s hardware or account.'
        : 'The secret alone makes a proof.',
    },
  ];
}
