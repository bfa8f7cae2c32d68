import { Choice } from '../../../ui/forms/fields/choice';
import { Panel } from '../../../ui/layout/panel';
import type { Choices } from '../../nouns/policy/policy';
import { changesBetween } from '../../nouns/policy/policy-labels';
import type { Choosing } from '../choice-field';
import { PRESETS, presetOf, SIGNED_UP_TODAY } from './preset';

const OPTIONS = {
  recommended: {
    name: 'Recommended',
    about: 'People type a number at each sign-in, and old ways to sign in are off. Every phone works.',
  },
  strict: {
    name: 'Strict',
    about:
      'Also asks for the phone beside each new browser, a passkey for each proof, and a second owner for each recovery.',
  },
  custom: { name: 'Custom', about: 'What you choose below.' },
} as const;

/** Sets several choices together. They can be changed one by one below. */
export const Presets = ({ chosen, current, onChoose }: Choosing & { readonly current: Choices }) => (
  <Panel>
    <SinceThen current={current} />
    <Choice
      legend="How strict signing in is"
      single
      options={OPTIONS}
      chosen={presetOf(chosen)}
      onChoose={(preset) => onChoose(preset === 'custom' ? {} : PRESETS[preset])}
    />
  </Panel>
);

/** What an account lacks that was made before new accounts had it. */
function SinceThen({ current }: { readonly current: Choices }) {
  const names = changesBetween(current, { ...current, ...SIGNED_UP_TODAY }).map(({ name }) => `“${name}”`);
  if (names.length === 0) return null;
  return <p>New accounts start with “Recommended”. Here it would change {names.join(', ')}.</p>;
}
