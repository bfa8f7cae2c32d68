import type { Receipt } from '@svc/zk/approvals/receipt';
import { CIRCUITS } from '@svc/zk/generated/circuits';
import { PINNED_SETUPS, type PinnedSetup } from '@svc/zk/setup/pinned-setups';
import type { VerificationKey } from '@svc/zk/verifier/verification-key';
import { ensure } from './fault.js';
import type { ReceiptCheckOptions } from './options.js';

/**
 * The key of the proofs. It comes from this build: the receipt only names it.
 * @throws ReceiptFault `setup_unknown`, or `setup_forgeable` for development keys
 */
export function pinnedKey(
  { kind, contributors, vkeySha256 }: Receipt['setup'],
  { allowDevelopmentKeys = false }: Pick<ReceiptCheckOptions, 'allowDevelopmentKeys'>,
  pins: readonly PinnedSetup[] = PINNED_SETUPS,
): VerificationKey {
  const pin = pins.find(({ sha256 }) => sha256.vkey === vkeySha256);
  const circuit = CIRCUITS.find(({ zkeySha256 }) => zkeySha256 === pin?.sha256.zkey);
  ensure(
    pin !== undefined && circuit !== undefined,
    'setup_unknown',
    'The proofs are under a verification key that this checker does not pin.',
  );
  ensure(
    pin.setup.kind === kind && pin.setup.contributors === contributors,
    'setup_unknown',
    'The receipt says something else about the verification key than this checker does.',
  );
  ensure(
    kind === 'ceremony' || allowDevelopmentKeys,
    'setup_forgeable',
    'The proofs are under development keys, whose maker can forge proofs.',
  );
  return circuit.vkey;
}
