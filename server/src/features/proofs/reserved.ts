import { commitmentToHex } from '@svc/zk/field';
import { type Source, VerifierUnavailableError } from '@svc/zk/verifier/pool';
import { type ParsedProof, parseProof } from '@svc/zk/verifier/proof';
import { Failure, fail } from '../../base/errors.js';
import type { Deps } from '../../http/deps.js';
import type { Tenant } from '../../http/principal.js';
import { agreesOnChain, verifiesOnChain } from '../anchors/anchors.js';
import type { Sent, SentProof } from './claim.js';

/** Parses the proof of a body; 400 with every issue. */
function parse({ proof: sent, publicSignals: signals, names = {} }: SentProof): ParsedProof {
  const { proof = 'proof', publicSignals = 'publicSignals' } = names;
  const result = parseProof(sent, signals);
  if (result.ok) return result.parsed;
  const details = result.issues.map(({ path, message }) => ({
    path: `body.${path.replace(/^proof/, proof).replace(/^publicSignals/, publicSignals)}`,
    message,
  }));
  throw new Failure('invalid_request', { details });
}

/** Who sends proofs. */
export interface Prover {
  readonly deps: Pick<Deps, 'anchoring' | 'clock' | 'log' | 'proofsFrom' | 'verifier'>;
  /** The caller that the verifier counts them for. */
  readonly source: Source;
  /** If it verifies on the blockchain, the contract must accept the proof as well. */
  readonly tenant?: Tenant | undefined;
}

/** A well-formed proof with a reserved slot in the verifier's queue. */
export interface ReservedProof {
  readonly signals: ParsedProof['signals'];
  /** Of the secret that is proved, in stored form. */
  readonly commitment: string;
  /** Whether the proof is valid. */
  verify(): Promise<boolean>;
  /** Frees the slot if `verify` was not called. */
  release(): void;
}

function reserve({ deps, tenant, source }: Prover, sent: SentProof, confirm: boolean): ReservedProof {
  const parsed = parse(sent);
  const place = confirm ? { ...source, confirm } : source;
  const slot =
    deps.verifier.reserve(place) ?? fail('service_unavailable', { because: 'verifier queue full' });
  return {
    signals: parsed.signals,
    commitment: commitmentToHex(parsed.signals[0]),
    release: () => slot.release(),
    async verify() {
      try {
        const valid = await slot.verify(parsed);
        return valid && tenant && verifiesOnChain(deps, tenant) ? await agreesOnChain(deps, parsed) : valid;
      } catch (error) {
        if (error instanceof VerifierUnavailableError)
          fail('service_unavailable', { because: error.message });
        throw error;
      }
    },
  };
}

/**
 * Reserves a slot for each proof before `work`, which looks everything else up, and frees what it leaves. 400 for a malformed proof, 503
 * when the queue is full.
 */
export async function withReserved<T>(
  prover: Prover,
  { joining, confirm = false, ...own }: Sent,
  work: (own: ReservedProof, joined: ReservedProof | undefined) => Promise<T>,
): Promise<T> {
  const proofs: ReservedProof[] = [];
  const reserved = (sent: SentProof, again: boolean): ReservedProof => {
    const proof = reserve(prover, sent, again);
    proofs.push(proof);
    return proof;
  };
  try {
    return await work(reserved(own, confirm), joining && reserved(joining, false));
  } finally {
    for (const proof of proofs) proof.release();
  }
}
