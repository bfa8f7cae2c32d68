/** Creates identities and proofs outside the page. Secrets are decrypted only here, and disappear with the worker. */
import { isSvcError } from '@svc/sdk';
import {
  createIdentity,
  createProver,
  type IdentityProver,
  type PhoneIdentity,
  renewIdentity,
} from '@svc/sdk/prover';
import { seal, unseal } from '../vault/seal';
import { loadArtifacts, NoProvingFiles } from './artifacts';
import type { ProofWork, ProverMessage, Results, SealedIdentity, Work } from './work';

const BYTES = 31;
const send = (message: ProverMessage) => postMessage(message);

addEventListener('message', ({ data }: MessageEvent<Work>) => {
  doWork(data).then(
    (result) => send({ kind: 'done', result }),
    (error: unknown) => send({ kind: 'failed', ...failureOf(error) }),
  );
});

/** The parts of an error that the page needs for its message. The worker has no texts. */
function failureOf(error: unknown) {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof NoProvingFiles) return { code: 'no_proving_files', message };
  return { code: isSvcError(error) ? error.code : undefined, message };
}

async function doWork(work: Work): Promise<Results[Work['kind']]> {
  if (work.kind === 'create') return sealed(createIdentity(), work.key);
  if (work.kind === 'renew') return sealed(renewIdentity(work), work.key);
  if (work.kind === 'copy') return sealed(await open(work.identity, work.key), work.newKey);
  send({ kind: 'stage', stage: 'loading' });
  const prover = await createProver(await loadArtifacts());
  send({ kind: 'stage', stage: 'proving' });
  return prove(prover, await open(work.identity, work.key), work);
}

async function prove(prover: IdentityProver, identity: PhoneIdentity, work: ProofWork) {
  switch (work.kind) {
    case 'registration':
      return prover.proveRegistration(identity, work.challenge);
    case 'pairing':
      return prover.provePairing(identity, work.code, work.enrolledAt, { matchCode: work.matchCode });
    case 'decline':
      return prover.provePairingDecline(identity, work.code, work.enrolledAt);
    case 'decision':
      return prover.proveDecision(identity, work.statement, work.choice);
    case 'inbox':
      return prover.proveInbox(identity, work.use);
    case 'identities':
      return prover.proveIdentities(identity, work.use);
    case 'revoke':
      return prover.proveRevoke(identity, work.use, work.revokedDid);
    case 'contest':
      return prover.proveContest(identity, work.use, work.recoveryId);
    case 'browsers':
      return prover.proveBrowsers(identity, work.use);
    case 'forget-browser':
      return prover.proveForgetBrowser(identity, work.use, work.browserId);
    case 'attest':
      return prover.proveAttestation(identity, work.account, { ...work, platform: 'webauthn' });
    case 'rendezvous':
      return prover.proveRendezvous(identity, work.use, work.a);
    case 'add':
      return prover.proveAdd(identity, work.use, work.joined);
    case 'join':
      return prover.proveJoin(identity, work.use, work.did);
    case 'rotate':
      return prover.proveRotate(identity, await open(work.renewed, work.renewedKey), work.use);
  }
}

async function sealed(
  { biometricSecret, salt, did, commitment }: PhoneIdentity,
  key: CryptoKey,
): Promise<SealedIdentity> {
  const bytes = new Uint8Array(2 * BYTES);
  write(bytes.subarray(0, BYTES), biometricSecret);
  write(bytes.subarray(BYTES), salt);
  const secret = await seal(key, bytes, did);
  bytes.fill(0);
  return { did, commitment, secret };
}

async function open({ did, commitment, secret }: SealedIdentity, key: CryptoKey): Promise<PhoneIdentity> {
  const bytes = await unseal(key, secret, did);
  const [biometricSecret, salt] = [read(bytes.subarray(0, BYTES)), read(bytes.subarray(BYTES))];
  bytes.fill(0);
  return { biometricSecret, salt, did, commitment };
}

function write(bytes: Uint8Array, value: bigint): void {
  for (let at = bytes.length - 1, rest = value; at >= 0; at--, rest >>= 8n) bytes[at] = Number(rest & 255n);
}

const read = (bytes: Uint8Array): bigint => bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
