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

/** The preset that a policy is. A second owner for recoveries makes no difference to the recommended one. */
export const presetOf = (choices: Choices): Preset | 'custom' =>
  (Object.keys(PRESETS) as Preset[]).find((preset) =>
    Object.entries(PRESETS[preset]).every(([key, value]) => choices[key as keyof Choices] === value),
  ) ?? 'custom';
