/**
 * Why a node did not take a transaction. `as_sent`: it knows that one or has seen its number used, another of that number pays as
 * much, or this one pays too little for now. A better offer follows.
 */
export type SendRefusal = 'no_funds' | 'fees_too_high' | 'as_sent';

/** In the words of geth, Erigon, Nethermind, Besu, Reth and anvil; the first that fits decides. */
const WORDS: readonly (readonly [SendRefusal, RegExp])[] = [
  ['no_funds', /insufficient ?(funds|balance)|exceeds (transaction sender )?account balance/],
  ['fees_too_high', /(max ?fee ?per ?gas|fee cap|gas ?price) (is )?(too low|lower|less|below).*base ?fee/],
  ['as_sent', /already ?(known|imported|used)|known transaction|existing (tx|txn) with same hash/],
  ['as_sent', /nonce (is )?too low|oldnonce/],
  [
    'as_sent',
    /underpriced|replacement ?not ?allowed|could not replace|replaced by|fee ?too ?low|configured minimum/,
  ],
];

/** What a node meant, by its message; undefined where that is not known. */
export const refusalOf = (message: unknown): SendRefusal | undefined =>
  WORDS.find(([, words]) => words.test(String(message).toLowerCase()))?.[0];
