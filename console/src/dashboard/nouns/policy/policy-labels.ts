import type { Choices } from './policy';

const INTEGRITY = { none: 'Nothing', basic: 'Basic', device: 'Device', strong: 'Strong' } as const;
const CHAIN = { offchain: 'Off-chain', onchain: 'On-chain' } as const;
const ANCHOR = { none: 'None', onchain: 'On-chain' } as const;
const OPEN = { on: 'Enabled', off: 'Disabled (recommended)' } as const;
const REQUIRED = { true: 'Required', false: 'Not required' } as const;
const NEW_BROWSER = {
  allow: 'Nothing more',
  number: 'A number',
  nearby_or_same_device: 'The phone beside it',
} as const;
const ALLOWED = { true: 'Allowed', false: 'Not allowed' } as const;

/** `None`, `1 hour`, `36 hours`, `3 days`. */
export const hours = (count: number): string => {
  if (count === 0) return 'None';
  const [amount, unit] = count >= 48 && count % 24 === 0 ? [count / 24, 'day'] : [count, 'hour'];
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`;
};

const days = (count: number): string => (count === 0 ? 'Never' : `${count} days`);

export const POLICY_LABELS: {
  readonly [K in keyof Omit<Choices, 'origins'>]: {
    readonly label: string;
    /** The words of each value; a function for a number. */
    readonly values: Choices[K] extends number
      ? (value: number) => string
      : Readonly<Record<`${Choices[K]}`, string>>;
  };
} = {
  integrity: { label: 'Integrity that a phone must report', values: INTEGRITY },
  absent: { label: 'Phones that report nothing', values: ALLOWED },
  attested: { label: 'A passkey that signs each proof', values: REQUIRED },
  unbound: { label: 'Proofs that are not bound to a request', values: ALLOWED },
  deprecatedVerify: { label: 'Deprecated verification endpoint', values: OPEN },
  match: { label: 'A number for each sign-in', values: REQUIRED },
  desktopTokensOnly: { label: 'Tokens for the phone', values: { true: 'No', false: 'Yes' } },
  sameDeviceOnly: {
    label: 'Signing in from another device',
    values: { true: 'Not allowed', false: 'Allowed' },
  },
  newBrowser: { label: 'In a browser that is new to the person', values: NEW_BROWSER },
  protect: {
    label: 'Protection of people who have an identity',
    values: { true: 'On', false: 'Off (anyone with a key can register them again)' },
  },
  recoveryHours: { label: 'Wait before a recovery is completed', values: hours },
  twoPerson: { label: 'A second owner for each recovery', values: REQUIRED },
  maxIdentities: { label: 'Phones a person can have', values: String },
  additionHours: { label: 'Wait before an added phone can be used', values: hours },
  retentionDays: { label: 'Delete records that are older than', values: days },
  did: { label: 'Identities', values: CHAIN },
  verification: { label: 'Verification', values: CHAIN },
  auditAnchor: { label: 'Anchor of the audit log', values: ANCHOR },
  checkpoints: { label: 'Checkpoints of the audit log', values: ALLOWED },
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
      const labelOf = (choices: Choices) =>
        typeof values === 'function'
          ? values(Number(choices[key]))
          : ((values as Record<string, string>)[String(choices[key])] ?? '');
      return { name: label, before: labelOf(before), after: labelOf(after) };
    }),
    { name: 'Origins of sign-in pages', before: listed(before.origins), after: listed(after.origins) },
  ].filter((change) => change.before !== change.after);
