/**
 * Why a node rejected a transaction. `as_sent`: the node already has it or a transaction with that nonce, or the fee is too low
 * to replace one or for now. The caller treats it as sent and raises the fee later.
 */
export type SendError = 'no_funds' | 'fees_too_high' | 'as_sent';

/** Messages of geth, Erigon, Nethermind, Besu, Reth and anvil. The first match decides. */
const PATTERNS: readonly (readonly [SendError, RegExp])[] = [
  ['no_funds', /insufficient ?(funds|balance)|exceeds (transaction sender )?account balance/],
  ['fees_too_high', /(max ?fee ?per ?gas|fee cap|gas ?price) (is )?(too low|lower|less|below).*base ?fee/],
  ['as_sent', /already ?(known|imported|used)|known transaction|existing (tx|txn) with same hash/],
  ['as_sent', /nonce (is )?too low|oldnonce/],
  [
    'as_sent',
    /underpriced|replacement ?not ?allowed|could not replace|replaced by|fee ?too ?low|configured minimum/,
  ],
];

/** Classifies a node's error message; undefined if it is unknown. */
export const classifySendError = (message: unknown): SendError | undefined =>
  PATTERNS.find(([, pattern]) => pattern.test(String(message).toLowerCase()))?.[0];
