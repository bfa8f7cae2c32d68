import { Choice } from '../../../ui/forms/fields/choice';
import { CheckField } from '../../../ui/forms/fields/field';
import { Panel } from '../../../ui/layout/panel';
import { Notice } from '../../../ui/layout/surface';
import type { Choosing } from '../choice-field';
import { ReachOf } from './reach';

const LEVELS = {
  allow: {
    name: 'Nothing more',
    about:
      'As in any other browser. Costs nobody anything. An attacker who shows a person the code of their own sign-in gets in.',
  },
  number: {
    name: 'A number',
    about:
      'The person types the two digits beside the code, at every sign-in on another screen. A forwarded code alone signs nobody in, but an attacker can still ask for the number.',
  },
  nearby_or_same_device: {
    name: 'The phone beside it',
    about:
      'The person unlocks the phone beside the computer once in each browser, and again after 180 days without a sign-in there. Also stops pages that copy yours live. A phone without a screen lock can then sign in only on itself.',
  },
} as const;

/** What a sign-in needs in a browser that is new to the person, and the passkey that signs each proof. */
export const NewBrowserRules = ({ chosen, onChoose }: Choosing) => (
  <Panel title="New browsers and passkeys">
    <p>
      A browser becomes known to a person when they sign in with the phone beside it, or on the phone itself.{' '}
      <a href="/docs/openid-provider#known-browsers">How a browser becomes known</a>
    </p>
    <Choice
      legend="In a browser that is new to the person, ask for"
      single
      options={LEVELS}
      chosen={chosen.newBrowser}
      onChoose={(newBrowser) => onChoose({ newBrowser })}
    />
    <CheckField
      label="Require a passkey that signs each proof"
      hint="A copied secret of a phone is then worth nothing without its passkey. Phones without a passkey can’t sign in at all, and enroll one with a screen lock."
      checked={chosen.attested}
      onChange={(event) => onChoose({ attested: event.target.checked })}
    />
    {chosen.attested && (chosen.integrity === 'device' || chosen.integrity === 'strong') && (
      <Notice tone="bad">
        Nobody can sign in with this. A passkey reaches the integrity “Basic”, and your policy requires more.
      </Notice>
    )}
    <ReachOf chosen={chosen} />
  </Panel>
);
