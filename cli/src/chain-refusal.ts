import { Failure } from './failure.js';

/** Refusals of the chain in a sentence; none holds the address of the RPC, where keys live. */
export async function told<T>(work: () => Promise<T>): Promise<T> {
  const { ChainStateError, ChainUnavailableError } = await import('@svc/chain/chain-error');
  return work().catch((error: unknown) => {
    const isKnown = error instanceof ChainUnavailableError || error instanceof ChainStateError;
    throw isKnown ? new Failure('refused', error.message) : error;
  });
}
