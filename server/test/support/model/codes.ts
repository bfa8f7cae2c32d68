import { randomUUID } from 'node:crypto';
import { freshAddress } from '../service.js';
import type { Plan, Prediction, Scene } from './plan.js';
import { type Code, MINUTE, type Space, type World } from './world.js';

export function learnCode(
  world: World,
  space: Space,
  purpose: Code['purpose'],
  subject: string,
  text: string,
): void {
  world.voidCodes(subject);
  const expiresAt = world.now() + 15 * MINUTE;
  world.codes.push({ text, purpose, space, subject, expiresAt, dead: false });
}

/** Usually a valid code for that step, otherwise any earlier code, or an unknown one. */
export function someCode(
  { world, dice }: Scene,
  purpose: Code['purpose'],
): { text: string; code: Code | undefined } {
  const live = world.codes.filter((code) => world.isLive(code, purpose));
  const code = dice.once(5) || live.length === 0 ? dice.pick(world.codes) : dice.pick(live);
  return { text: code?.text ?? 'SV-2222-3333', code };
}

export const someFingerprint = ({ world, dice }: Scene): string =>
  dice.once(2) ? (dice.pick(world.fingerprints) as string) : `fp:${randomUUID()}`;

export const byPhone = (path: string, body: object, predict: () => Prediction): Plan => ({
  method: 'POST',
  path,
  body,
  address: freshAddress(),
  canBeConcurrent: true,
  predict,
});
