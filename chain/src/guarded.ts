import { BaseError, CallExecutionError, HttpRequestError, RpcError, TimeoutError } from 'viem';
import { ChainStateError, ChainUnavailableError } from './chain-error.js';

/** The library's messages hold the RPC's address, and with it often a key: none of them leaves here. */
export async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ChainStateError || error instanceof ChainUnavailableError) throw error;
    throw new ChainUnavailableError(`The chain's RPC cannot be used: ${reason(error)}`);
  }
}

function reason(error: unknown): string {
  if (!(error instanceof BaseError)) return 'its answer makes no sense';
  const http = error.walk((cause) => cause instanceof HttpRequestError) as HttpRequestError | null;
  if (error.walk((cause) => cause instanceof TimeoutError)) return 'no answer in time';
  if (http) return http.status === undefined ? 'no connection' : `HTTP status ${http.status}`;
  const rpc = error.walk((cause) => cause instanceof RpcError) as RpcError | null;
  if (rpc) return `error ${rpc.code}`;
  if (error.walk((cause) => cause instanceof CallExecutionError)) return 'the call was refused';
  return error.walk().name;
}
