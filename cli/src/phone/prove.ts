import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createProver as createIdentityProver, type IdentityProver } from '@svc/sdk/prover';
import {
  boundSignal,
  didHash,
  pairingBind,
  pairingDeclineBind,
  registrationBind,
  verifyBind,
} from '@svc/zk/field';
import { createIdentity, type PhoneIdentity } from '@svc/zk/phone';
import { createProver, type Prover, type ProverOutput } from '@svc/zk/prover/prover';
import { artifactFiles, artifactsFolder } from '@svc/zk/setup/artifacts';
import type { Fault, Use } from './faults/faults.js';

/**
 * The prover with the circuit's files of a folder.
 * @throws CircuitNotPinnedError when this build does not pin them
 */
export const proverOf = (folder: string): Promise<Prover> => createProver(readArtifacts(folder));

function readArtifacts(folder: string): { wasm: Uint8Array; zkey: Uint8Array } {
  const read = (name: string) => new Uint8Array(readFileSync(join(folder, name)));
  return { wasm: read(artifactFiles.wasm), zkey: read(artifactFiles.zkey) };
}

let prover: Promise<Prover> | undefined;
/** Created once: building the prover's tables takes time. */
function ownProver(): Promise<Prover> {
  prover ??= proverOf(artifactsFolder);
  return prover;
}

let proofs: Promise<IdentityProver> | undefined;
/** The proofs of a phone, without faults. */
export function identityProver(): Promise<IdentityProver> {
  proofs ??= createIdentityProver(readArtifacts(artifactsFolder));
  return proofs;
}

function bindOf(use: Use): bigint {
  const { purpose, tenantId, environment, sessionId, nonce, matchCode, timestampMs, evidenceHash } = use;
  const scope = { tenantId, environment };
  switch (purpose) {
    case 'verify':
      return verifyBind({ ...scope, nonce, timestampMs });
    case 'pairing':
      return pairingBind({ ...scope, sessionId, nonce, matchCode });
    case 'pairing-decline':
      return pairingDeclineBind({ ...scope, sessionId, nonce });
    case 'registration':
      return registrationBind({ ...scope, sessionId, challengeNonce: nonce, evidenceHash });
  }
}

export interface Proved extends ProverOutput {
  readonly did: string;
}

/** A fresh proof for a use, with at most one fault. */
export async function prove(identity: PhoneIdentity, use: Use, fault: Partial<Fault> = {}): Promise<Proved> {
  const did = fault.unknownDid ? createIdentity().did : identity.did;
  const { biometricSecret, salt } = fault.stranger ? createIdentity() : identity;
  const bound = fault.bind ? fault.bind(use) : use;
  const hash = didHash(did);
  const output = await (await ownProver()).prove({
    biometricSecret,
    salt,
    didHash: bound === undefined ? hash : boundSignal(hash, bindOf(bound)),
  });
  return { did, ...(fault.alter?.(output, identity.commitment) ?? output) };
}
