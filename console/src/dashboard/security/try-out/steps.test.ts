import { expect, test } from 'vitest';
import { choicesOf } from '../../nouns/policy/policy';
import { PRESETS } from '../policy/preset';
import { attacksOn, stepsOf } from './steps';

const none = choicesOf({});
const stopped = (choices: typeof none) => attacksOn(choices).map(({ isStopped }) => isStopped);

test('says which attacks each preset stops', () => {
  expect(stopped(none)).toEqual([false, false, false]);
  expect(stopped({ ...none, ...PRESETS.recommended })).toEqual([true, false, false]);
  expect(stopped({ ...none, ...PRESETS.strict })).toEqual([true, true, true]);
  expect(stopped({ ...none, sameDeviceOnly: true })).toEqual([true, true, false]);
});

test('shows the number, the passkey and the phone beside the computer only where the policy asks for them', () => {
  expect(stepsOf(none).join(' ')).not.toMatch(/number|passkey|beside/);
  expect(stepsOf({ ...none, match: true })[0]).toBe('The computer shows a code and a number.');
  expect(stepsOf({ ...none, newBrowser: 'number' })[0]).toBe('The computer shows a code and a number.');
  expect(stepsOf({ ...none, attested: true }).join(' ')).toContain('passkey');
  expect(stepsOf({ ...none, newBrowser: 'nearby_or_same_device' }).join(' ')).toContain('beside it');
  expect(stepsOf({ ...none, sameDeviceOnly: true })[0]).toContain('on their phone');
});
