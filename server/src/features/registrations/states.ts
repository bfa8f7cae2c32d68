export const STATES = [
  'awaiting_device',
  'awaiting_commitment',
  'awaiting_verification',
  'completed',
  'abandoned',
  'expired',
] as const;
export type State = (typeof STATES)[number];

export type Move = 'pair' | 'commit' | 'complete' | 'abandon' | 'expire';

/** Every legal move. Other moves change nothing (SPEC, States and transitions). */
const MOVES: Readonly<Record<State, Partial<Readonly<Record<Move, State>>>>> = {
  awaiting_device: { pair: 'awaiting_commitment', abandon: 'abandoned', expire: 'expired' },
  awaiting_commitment: { commit: 'awaiting_verification', abandon: 'abandoned', expire: 'expired' },
  awaiting_verification: { complete: 'completed', abandon: 'abandoned', expire: 'expired' },
  completed: {},
  abandoned: {},
  expired: {},
};

const from = (move: Move): State[] => STATES.filter((state) => MOVES[state][move] !== undefined);

/** For each move, the states that a session can be in before it. */
export const MOVE_FROM: Readonly<Record<Move, readonly State[]>> = {
  pair: from('pair'),
  commit: from('commit'),
  complete: from('complete'),
  abandon: from('abandon'),
  expire: from('expire'),
};

export const moveTo = (move: Move): State => MOVES[MOVE_FROM[move][0] as State][move] as State;
