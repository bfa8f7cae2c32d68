import { isOnlyClock } from '../device/kept-mode';
import type { Problem } from '../device/problem';
import type { OpenWork } from './open-work';

/** Who is registered, as typed at the desk. */
export interface Person {
  readonly fullName: string;
  /** An e-mail address or a phone number, or nothing. */
  readonly contact: string;
}

export type Ending = 'declined' | 'rejected' | 'expired' | 'abandoned';

/** What the desk shows. Each person begins and ends at `homeScene`. */
export type Scene =
  | { readonly at: 'start' }
  /** It stays, because nobody touches it. */
  | { readonly at: 'clock' }
  | { readonly at: 'person'; readonly person?: Person; readonly error?: unknown }
  | { readonly at: 'registering'; readonly person: Person; readonly attempt: number }
  /** A phone had begun the registration when the tablet lost power or was reloaded. */
  | { readonly at: 'found'; readonly found: OpenWork }
  | { readonly at: 'signing-in'; readonly attempt: number }
  | { readonly at: 'done'; readonly how: 'registered' | 'signed-in'; readonly name: string | null }
  | { readonly at: 'ended'; readonly how: Ending; readonly again: Scene }
  | { readonly at: 'problem'; readonly problem: Problem; readonly again: Scene };

/** What the screen shows when nobody is here. */
export const homeScene = (): Scene => ({ at: isOnlyClock() ? 'clock' : 'start' });

let attempts = 0;

/** Each attempt has a code of its own. */
const nextAttempt = (): number => {
  attempts += 1;
  return attempts;
};

export const registering = (person: Person): Scene => ({ at: 'registering', person, attempt: nextAttempt() });
export const signingIn = (): Scene => ({ at: 'signing-in', attempt: nextAttempt() });

/** The same once more, with a new code. */
export const retryOf = (scene: Scene): Scene => {
  if (scene.at === 'registering') return registering(scene.person);
  if (scene.at === 'found') return { at: 'person' };
  return scene.at === 'signing-in' ? signingIn() : scene;
};
