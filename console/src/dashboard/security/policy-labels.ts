import type { Choices } from './policy';

const INTEGRITY = { none: 'Nothing', basic: 'Basic', device: 'Device', strong: 'Strong' } as const;
const CHAIN = { offchain: 'Off-chain', onchain: 'On-chain' } as const;
const ANCHOR = { none: 'None', onchain: 'On-chain' } as const;
const OPEN = { on: 'Enabled', off: 'Disabled (recommended)' } as const;
const REQUIRED = { true: 'Required', false: 'Not required' } as const;
const ALLOWED = { true: 'Allowed', false: 'Not allowed' } as const;

export const POLICY_LABELS: {
  readonly [K in keyof Omit<Choices, 'origins'>]: {
    readonly label: string;
    readonly values: Readonly<Record<`${Choices[K]}`, string>>;
  };
} = {
  integrity: { label: 'Integrity that a phone must report', values: INTEGRITY },
  absent: { label: 'Phones that report nothing', values: ALLOWED },
  unbound: { label: 'Proofs that are not bound to a request', values: ALLOWED },
  deprecatedVerify: { label: 'Deprecated verification endpoint', values: OPEN },
  match: { label: 'A number for each sign-in', values: REQUIRED },
  desktopTokensOnly: { label: 'Tokens for the phone', values: { true: 'No', false: 'Yes' } },
  sameDeviceOnly: {
    label: 'Signing in from another device',
    values: { true: 'Not allowed', false: 'Allowed' },
  },
  did: { label: 'Identities', values: CHAIN },
  verification: { label: 'Verification', values: CHAIN },
  auditAnchor: { label: 'Anchor of the audit log', values: ANCHOR },
};

export interface PolicyChange {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

const listed = (origins: readonly string[]) => origins.join(', ') || 'None';

export const changesBetween = (before: Choices, after: Choices): readonly PolicyChange[] =>
  [
    ...(Object.keys(POLICY_LABELS) as (keyof typeof POLICY_LABELS)[]).map((key) => {
      const { label, values } = POLICY_LABELS[key];
      const labelOf = (choices: Choices) => (values as Record<string, string>)[String(choices[key])] ?? '';
      return { name: label, before: labelOf(before), after: labelOf(after) };
    }),
    { name: 'Origins of sign-in pages', before: listed(before.origins), after: listed(after.origins) },
  ].filter((change) => change.before !== change.after);
