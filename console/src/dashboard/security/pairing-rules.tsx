import { CheckField } from '../../ui/forms/fields/field';
import { Panel } from '../../ui/layout/panel';
import type { Choosing } from './choice-field';
import { OriginsField } from './origins-field';

/** What protects people from approving a sign-in that somebody else started. */
export const PairingRules = ({
  chosen,
  onChoose,
  rejection,
}: Choosing & {
  /** What the service did not accept. */
  readonly rejection: unknown;
}) => (
  <Panel title="Signing in with a phone">
    <p>
      An attacker can show a person the code of a sign-in that the attacker started.{' '}
      <a href="/docs/security#a-relayed-code">How each setting helps</a>
    </p>
    <CheckField
      label="Ask for a number at every sign-in"
      hint="The person types the two digits that the computer shows, so a forwarded code alone signs nobody in."
      checked={chosen.match}
      onChange={(event) => onChoose({ match: event.target.checked })}
    />
    <CheckField
      label="Give tokens only to the computer"
      hint="The phone that approves gets no session of its own."
      checked={chosen.desktopTokensOnly}
      onChange={(event) => onChoose({ desktopTokensOnly: event.target.checked })}
    />
    <CheckField
      label="Allow signing in only on the phone itself"
      hint="A code on another screen then signs nobody in, and open sign-ins of computers end when you save."
      checked={chosen.sameDeviceOnly}
      onChange={(event) => onChoose({ sameDeviceOnly: event.target.checked })}
    />
    <OriginsField
      origins={chosen.origins}
      rejection={rejection}
      onChange={(origins) => onChoose({ origins })}
    />
  </Panel>
);
