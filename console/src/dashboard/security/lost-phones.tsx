import { CheckField, SelectField } from '../../ui/forms/fields/field';
import { Panel } from '../../ui/layout/panel';
import { Notice } from '../../ui/layout/surface';
import { useMembers } from '../nouns/members/use-members';
import { POLICY_LABELS } from '../nouns/policy/policy-labels';
import type { Choosing } from './choice-field';

/** The values that the form offers. One that was set by the API stays selectable. */
const OFFERED = {
  recoveryHours: [0, 4, 24, 48, 72, 168],
  maxIdentities: [1, 2, 3, 5, 10, 20],
  additionHours: [0, 1, 4, 24, 72],
} as const;

/** Who can give a person another phone, and how long that takes. */
export const LostPhones = ({ chosen, onChoose }: Choosing) => (
  <Panel title="Lost and additional phones">
    <p>
      People add phones from one that they have. If they lose their only phone, you register another.{' '}
      <a href="/docs/lost-phones">What each setting costs and prevents</a>
    </p>
    <CheckField
      label="Protect people who have an identity"
      hint="Nobody can register another phone for such a person immediately, not even with an API key. A new phone needs a recovery, to which the person can object."
      checked={chosen.protect}
      onChange={(event) => onChoose({ protect: event.target.checked })}
    />
    <NumberField
      of="recoveryHours"
      hint="During this time, the person can object from a phone that works, and you can stop it."
      chosen={chosen}
      onChoose={onChoose}
    />
    <CheckField
      label="A second owner confirms each recovery"
      hint="A recovery waits until an owner other than the one who started it confirms it. Needs at least two owners."
      checked={chosen.twoPerson}
      onChange={(event) => onChoose({ twoPerson: event.target.checked })}
    />
    {chosen.twoPerson && <OwnersNeeded />}
    <NumberField of="maxIdentities" hint="Revoked phones don’t count." chosen={chosen} onChoose={onChoose} />
    <NumberField
      of="additionHours"
      hint="A stolen, unlocked phone could add the thief’s phone. The wait gives its owner time to revoke it."
      chosen={chosen}
      onChoose={onChoose}
    />
  </Panel>
);

/** Says if nobody could confirm what the only owner starts. */
function OwnersNeeded() {
  const { data } = useMembers();
  const owners = data?.filter(({ role, status }) => role === 'owner' && status === 'active').length;
  return (
    owners === 1 && (
      <Notice tone="warn">
        This account has one owner. Nobody could confirm a recovery that they start, so invite another owner
        first.
      </Notice>
    )
  );
}

function NumberField({
  of,
  hint,
  chosen,
  onChoose,
}: Choosing & { readonly of: keyof typeof OFFERED; readonly hint: string }) {
  const { label, values: textOf } = POLICY_LABELS[of];
  const offered = [...new Set([...OFFERED[of], chosen[of]])].sort((a, b) => a - b);
  return (
    <SelectField
      label={label}
      hint={hint}
      value={chosen[of]}
      onChange={(event) => onChoose({ [of]: Number(event.target.value) })}
    >
      {offered.map((value) => (
        <option key={value} value={value}>
          {textOf(value)}
        </option>
      ))}
    </SelectField>
  );
}
