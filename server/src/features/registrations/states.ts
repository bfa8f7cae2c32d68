export const STATES = [
  'awaiting_device',
  'awaiting_commitment',
  'awaiting_verification',
  'pending_recovery',
  'completed',
  'abandoned',
  'expired',
] as const;
export type State = (typeof STATES)[number];

/** `recover` opens a recovery, `succeed` completes it and `cancel` ends it without success. */
export type Move = 'pair' | 'commit' | 'complete' | 'abandon' | 'expire' | 'recover' | 'succeed' | 'cancel';

/** Every legal move. Other moves change nothing (SPEC, States and transitions). */
const MOVES: Readonly<Record<State, Partial<Readonly<Record<Move, State>>>>> = {
  awaiting_device: { pair: 'awaiting_commitment', abandon: 'abandoned', expire: 'expired' },
  awaiting_commitment: { commit: 'awaiting_verification', abandon: 'abandoned', expire: 'expired' },
  awaiting_verification: {
    complete: 'completed',
    recover: 'pending_recovery',
    abandon: 'abandoned',
    expire: 'expired',
  },
  pending_recovery: { succeed: 'completed', cancel: 'abandoned' },
  completed: {},
  abandoned: {},
  expired: {},
};

const from = (move: Move): State[] => STATES.filter((state) => MOVES[state][move] !== undefined);

/** The states that no move leaves. */
export const ENDED: readonly State[] = STATES.filter((state) => Object.keys(MOVES[state]).length === 0);

/** For each move, the states that a session can be in before it. */
export const MOVE_FROM: Readonly<Record<Move, readonly State[]>> = {
  pair: from('pair'),
  commit: from('commit'),
  complete: from('complete'),
  abandon: from('abandon'),
  expire: from('expire'),
  recover: from('recover'),
  succeed: from('succeed'),
  cancel: from('cancel'),
};

export const moveTo = (move: Move): State => MOVES[MOVE_FROM[move][0] as State][move] as State;
