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

/** The library's messages hold the RPC's address, and with it often a key: none of them leaves here. */
export async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ChainStateError || error instanceof ChainUnavailableError) throw error;
    throw new ChainUnavailableError(`The chain's RPC cannot be used: ${reason(error)}`);
  }
}

/** Whether the answer of a call was empty, as it is where there is no code. */
export const isEmpty = (error: unknown): boolean =>
  causeOf(error, ContractFunctionZeroDataError) !== undefined ||
  causeOf(error, AbiDecodingZeroDataError) !== undefined;

/** Whether the contract refused a call, whatever code the node gives that. */
export const isRevert = (error: unknown): boolean => {
  const rpc = causeOf(error, RpcRequestError);
  return rpc !== undefined && (rpc.code === 3 || /revert/i.test(rpc.details));
};

function reason(error: unknown): string {
  if (causeOf(error, TimeoutError)) return 'no answer in time';
  if (causeOf(error, ResponseBodyTooLargeError)) return 'its answer is too long';
  if (isEmpty(error)) return 'it answered nothing';
  const http = causeOf(error, HttpRequestError);
  if (http) return http.status === undefined ? 'no connection' : `HTTP status ${http.status}`;
  const rpc = causeOf(error, RpcRequestError);
  // 3: the call reverted. Whatever else stands there is the RPC's, and may be no number.
  if (rpc && rpc.code !== 3)
    return Number.isInteger(rpc.code) ? `error ${rpc.code}` : 'an error without a code';
  if (rpc || causeOf(error, CallExecutionError)) return 'the call was refused';
  return 'its answer makes no sense';
}

function causeOf<T extends BaseError>(
  error: unknown,
  type: abstract new (...args: never[]) => T,
): T | undefined {
  return error instanceof BaseError
    ? ((error.walk((cause) => cause instanceof type) as T | null) ?? undefined)
    : undefined;
}
