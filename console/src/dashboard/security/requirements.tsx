import { CheckField } from '../../ui/forms/fields/field';
import { Panel } from '../../ui/layout/panel';
import { ChoiceField, type Choosing } from './choice-field';

/** What phones report about themselves, and what is still accepted from the deprecated endpoints. */
export const Requirements = ({ chosen, onChoose }: Choosing) => (
  <Panel title="Requirements for phones and proofs">
    <ChoiceField
      of="integrity"
      chosen={chosen}
      onChoose={onChoose}
      hint="The integrity that a phone reports about itself when it signs in on a computer. The service can’t verify it. This blocks unmodified clients on weak phones, but not an attacker with a custom client."
    />
    <CheckField
      label="Also accept phones that report nothing"
      hint="Applies only if an integrity is required."
      checked={chosen.absent}
      onChange={(event) => onChoose({ absent: event.target.checked })}
    />
    <CheckField
      label="Accept proofs that are not bound to a request"
      hint="Only for migrating from the deprecated endpoints. Such a proof shows neither when it was made nor for which request. Turn this off as soon as you can."
      checked={chosen.unbound}
      onChange={(event) => onChoose({ unbound: event.target.checked })}
    />
    <ChoiceField
      of="deprecatedVerify"
      chosen={chosen}
      onChoose={onChoose}
      hint="We recommend that you disable it. POST /v1/auth/zkp/verify accepts a proof of any secret, even one that nobody enrolled, so it is not a login. Use POST /v1/identity/verify instead."
    />
  </Panel>
);
