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

export const MATCH_NAMES: Readonly<Record<PairingSession['match'], string>> = {
  type: 'Required',
  off: 'Not asked',
};

export const SessionState = ({ of }: { readonly of: PairingSession['state'] }) => (
  <StatusTag tone={STATES[of][1]}>{STATES[of][0]}</StatusTag>
);
