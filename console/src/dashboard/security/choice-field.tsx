import type { ReactNode } from 'react';
import { SelectField } from '../../ui/forms/fields/field';
import type { Choices } from '../nouns/policy/policy';
import { POLICY_LABELS } from '../nouns/policy/policy-labels';

export interface Choosing {
  readonly chosen: Choices;
  readonly onChoose: (change: Partial<Choices>) => void;
}

export const ChoiceField = ({
  of,
  hint,
  chosen,
  onChoose,
  unavailable,
}: Choosing & {
  readonly of: 'integrity' | 'deprecatedVerify' | 'did' | 'verification' | 'auditAnchor';
  readonly hint: ReactNode;
  /** A value that can't be selected. If it is already selected, it stays. */
  readonly unavailable?: string | undefined;
}) => (
  <SelectField
    label={POLICY_LABELS[of].label}
    hint={hint}
    value={chosen[of]}
    onChange={(event) => onChoose({ [of]: event.target.value })}
  >
    {Object.entries(POLICY_LABELS[of].values).map(([value, text]) => (
      <option key={value} value={value} disabled={value === unavailable && value !== chosen[of]}>
        {text}
      </option>
    ))}
  </SelectField>
);
