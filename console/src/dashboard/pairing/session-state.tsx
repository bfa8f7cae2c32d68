import type { PairingSession } from '@svc/sdk';
import { StatusTag, type Tone } from '../../ui/layout/surface';

const STATES: Readonly<Record<PairingSession['state'], readonly [name: string, tone: Tone]>> = {
  issued: ['Waiting for a phone', 'plain'],
  proved: ['Waiting for the phone beside the browser', 'plain'],
  bound: ['Signed in', 'good'],
  declined: ['Declined', 'bad'],
  rejected: ['Wrong number', 'bad'],
  expired: ['Expired', 'plain'],
};
export const STATE_NAMES = {
  issued: STATES.issued[0],
  proved: STATES.proved[0],
  bound: STATES.bound[0],
  declined: STATES.declined[0],
  rejected: STATES.rejected[0],
  expired: STATES.expired[0],
};

/** What a session means that signed nobody in, or not yet. */
export const STATE_EXPLANATIONS: Partial<Readonly<Record<PairingSession['state'], string>>> = {
  proved:
    'A phone’s proof is valid, but the browser is new to its owner. The session signs nobody in until the phone is beside that browser.',
  expired:
    'The time was up before a phone had finished. Nobody was signed in. To sign in, the person opens a new code.',
  declined:
    'The person with the phone said that this sign-in was not theirs. Somebody may have shown them the code of a sign-in that they did not start. The audit entry has the reason.',
  rejected:
    'A registered person approved with another number than the one that was shown. That ends the session. It is a slip, or somebody showed them the code of another screen.',
};

export const MATCH_NAMES: Readonly<Record<PairingSession['match'], string>> = {
  type: 'Required',
  off: 'Not asked',
};

export const SessionState = ({ of }: { readonly of: PairingSession['state'] }) => (
  <StatusTag tone={STATES[of][1]}>{STATES[of][0]}</StatusTag>
);
