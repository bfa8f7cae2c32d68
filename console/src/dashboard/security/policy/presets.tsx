import { Choice } from '../../../ui/forms/fields/choice';
import { Panel } from '../../../ui/layout/panel';
import type { Choosing } from '../choice-field';
import { PRESETS, presetOf } from './preset';

const OPTIONS = {
  recommended: {
    name: 'Recommended',
    about: 'People type a number at each sign-in, and only the computer gets a session. Every phone works.',
  },
  strict: {
    name: 'Strict',
    about:
      'Also asks for the phone beside each new browser, a passkey for each proof, and a second owner for each recovery.',
  },
  custom: { name: 'Custom', about: 'What you choose below.' },
} as const;

/** Sets several choices together. They can be changed one by one below. */
export const Presets = ({ chosen, onChoose }: Choosing) => (
  <Panel>
    <Choice
      legend="How strict signing in is"
      single
      options={OPTIONS}
      chosen={presetOf(chosen)}
      onChoose={(preset) => onChoose(preset === 'custom' ? {} : PRESETS[preset])}
    />
  </Panel>
);
