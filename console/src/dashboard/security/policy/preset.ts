import type { Choices } from '../../nouns/policy/policy';

type Preset = 'recommended' | 'strict';

/** What a preset decides. All other choices stay as they are. */
const RECOMMENDED = {
  match: true,
  desktopTokensOnly: true,
  sameDeviceOnly: false,
  newBrowser: 'number',
  attested: false,
  unbound: false,
  deprecatedVerify: 'off',
  protect: true,
} as const satisfies Partial<Choices>;

export const PRESETS: Readonly<Record<Preset, Partial<Choices>>> = {
  recommended: RECOMMENDED,
  strict: { ...RECOMMENDED, newBrowser: 'nearby_or_same_device', attested: true, twoPerson: true },
};

/** What an account has that signs up on our page today. */
export const SIGNED_UP_TODAY = {
  match: true,
  deprecatedVerify: 'off',
  protect: true,
} as const satisfies Partial<Choices>;

const has = (choices: Choices, wanted: Partial<Choices>): boolean =>
  Object.entries(wanted).every(([key, value]) => choices[key as keyof Choices] === value);

/** The preset that a policy is. Who has what a new account has follows the recommendation, with or without the rest of it. */
export function presetOf(choices: Choices): Preset | 'custom' {
  if (has(choices, PRESETS.strict)) return 'strict';
  const { attested, unbound, sameDeviceOnly } = RECOMMENDED;
  const isSafe = has(choices, { ...SIGNED_UP_TODAY, attested, unbound, sameDeviceOnly });
  return isSafe && choices.newBrowser !== 'nearby_or_same_device' ? 'recommended' : 'custom';
}
