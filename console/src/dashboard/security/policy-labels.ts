import type { Choices } from './policy';

const INTEGRITY = { none: 'Nothing', basic: 'Basic', device: 'Device', strong: 'Strong' } as const;
const CHAIN = { offchain: 'Off-chain', onchain: 'On-chain' } as const;
const ANCHOR = { none: 'None', onchain: 'On-chain' } as const;
const OPEN = { on: 'Enabled', off: 'Disabled (recommended)' } as const;
const ALLOWED = { true: 'Allowed', false: 'Not allowed' } as const;

export const POLICY_LABELS: {
  readonly [K in keyof Choices]: {
    readonly label: string;
    readonly values: Readonly<Record<`${Choices[K]}`, string>>;
  };
} = {
  integrity: { label: 'Integrity that a phone must report', values: INTEGRITY },
  absent: { label: 'Phones that report nothing', values: ALLOWED },
  unbound: { label: 'Proofs that are not bound to a request', values: ALLOWED },
  deprecatedVerify: { label: 'Deprecated verification endpoint', values: OPEN },
  did: { label: 'Identities', values: CHAIN },
  verification: { label: 'Verification', values: CHAIN },
  auditAnchor: { label: 'Anchor of the audit log', values: ANCHOR },
};

export interface PolicyChange {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

export const changesBetween = (before: Choices, after: Choices): readonly PolicyChange[] =>
  (Object.keys(POLICY_LABELS) as (keyof Choices)[])
    .filter((key) => before[key] !== after[key])
    .map((key) => {
      const { label, values } = POLICY_LABELS[key];
      const labelOf = (choices: Choices) => (values as Record<string, string>)[String(choices[key])] ?? '';
      return { name: label, before: labelOf(before), after: labelOf(after) };
    });
