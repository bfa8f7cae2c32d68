import {
  AbiDecodingZeroDataError,
  BaseError,
  CallExecutionError,
  ContractFunctionZeroDataError,
  HttpRequestError,
  ResponseBodyTooLargeError,
  RpcRequestError,
  TimeoutError,
} from 'viem';
import { ChainStateError, ChainUnavailableError } from './chain-error.js';

/** Replaces the library's error messages, which contain the RPC's address and often a key in it. */
export async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ChainStateError || error instanceof ChainUnavailableError) throw error;
    throw new ChainUnavailableError(`The chain's RPC cannot be used: ${reason(error)}`);
  }
}

/** Whether a call returned nothing, which happens if the address has no code. */
export const isEmpty = (error: unknown): boolean =>
  causeOf(error, ContractFunctionZeroDataError) !== undefined ||
  causeOf(error, AbiDecodingZeroDataError) !== undefined;

/** Whether the contract reverted. Nodes use different error codes for this. */
export const isRevert = (error: unknown): boolean => {
  const rpc = causeOf(error, RpcRequestError);
  return rpc !== undefined && (rpc.code === 3 || /revert/i.test(rpc.details));
};

function reason(error: unknown): string {
  if (causeOf(error, TimeoutError)) return 'the request timed out';
  if (causeOf(error, ResponseBodyTooLargeError)) return 'its response is too long';
  if (isEmpty(error)) return 'its response is empty';
  const http = causeOf(error, HttpRequestError);
  if (http) return http.status === undefined ? 'no connection' : `HTTP status ${http.status}`;
  const rpc = causeOf(error, RpcRequestError);
  // Code 3: the call reverted. Other codes are chosen by the RPC and may not be numbers.
  if (rpc && rpc.code !== 3)
    return Number.isInteger(rpc.code) ? `error ${rpc.code}` : 'an error without a code';
  if (rpc || causeOf(error, CallExecutionError)) return 'the call was rejected';
  return 'its response is invalid';
}

function causeOf<T extends BaseError>(
  error: unknown,
  type: abstract new (...args: never[]) => T,
): T | undefined {
  return error instanceof BaseError
    ? ((error.walk((cause) => cause instanceof type) as T | null) ?? undefined)
    : undefined;
}
