import { Failure } from '../failure.js';

/** Runs work on the blockchain and turns known errors into failures. Their messages never contain the RPC's address, which may contain a key. */
export async function withRpcErrors<T>(work: () => Promise<T>): Promise<T> {
  const { ChainStateError, ChainUnavailableError } = await import('@svc/chain/chain-error');
  return work().catch((error: unknown) => {
    const isKnown = error instanceof ChainUnavailableError || error instanceof ChainStateError;
    throw isKnown ? new Failure('refused', error.message) : error;
  });
}
