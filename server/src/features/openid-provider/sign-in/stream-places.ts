import { networkOf, UNREADABLE } from '../../../base/address.js';
import type { Place } from '../../../http/transport/sse.js';

const MAX_OF_SIGN_IN = 4;
const MAX_OF_ADDRESS = 50;
const MAX_OF_NETWORK = 10 * MAX_OF_ADDRESS;
/** A tenth of the streams that the largest plan may have open on a node. */
const MAX_OF_NODE = 1_000;

/**
 * The places that a stream of a sign-in page takes on this node. None is the account's, because anybody can begin a sign-in.
 * Expects the result of `clientAddress`.
 */
export function placesOf(uid: string, address: string): Place[] {
  const ofAddress: Place[] = [
    [`sign-ins of address|${address}`, MAX_OF_ADDRESS],
    [`sign-ins of network|${networkOf(address)}`, MAX_OF_NETWORK],
  ];
  return [
    [`sign-in|${uid}`, MAX_OF_SIGN_IN],
    ...(address === UNREADABLE ? [] : ofAddress),
    ['sign-ins', MAX_OF_NODE],
  ];
}
