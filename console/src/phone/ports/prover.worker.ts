/** Creates identities and proofs outside the page. Secrets are decrypted only here, and disappear with the worker. */
import { isSvcError } from '@svc/sdk';
import { type ProofWork, proveWork } from '@svc/sdk/phone';
import { createIdentity, createProver, type PhoneIdentity, renewIdentity } from '@svc/sdk/prover';
import { loadArtifacts, NoProvingFiles } from './artifacts';
import { seal, unseal } from './seal';
import type { Enclosed, ProverMessage, Work } from './work';

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

async function doWork(work: Work): Promise<unknown> {
  if (work.kind === 'create') return sealed(createIdentity(), work.key);
  if (work.kind === 'renew') return sealed(renewIdentity(work), work.key);
  if (work.kind === 'copy') return sealed(await open(work.secret, work.key), work.newKey);
  send({ kind: 'stage', stage: 'loading' });
  const prover = await createProver(await loadArtifacts());
  send({ kind: 'stage', stage: 'proving' });
  const { key, renewedKey = key, secret } = work;
  return proveWork(prover, secret, work.work as ProofWork<Enclosed>, (each) =>
    open(each, each === secret ? key : renewedKey),
  );
}

async function sealed(
  { biometricSecret, salt, did, commitment }: PhoneIdentity,
  key: CryptoKey,
): Promise<Enclosed> {
  const bytes = new Uint8Array(2 * BYTES);
  write(bytes.subarray(0, BYTES), biometricSecret);
  write(bytes.subarray(BYTES), salt);
  const secret = await seal(key, bytes, did);
  bytes.fill(0);
  return { did, commitment, secret };
}

async function open({ did, commitment, secret }: Enclosed, key: CryptoKey): Promise<PhoneIdentity> {
  const bytes = await unseal(key, secret, did);
  const [biometricSecret, salt] = [read(bytes.subarray(0, BYTES)), read(bytes.subarray(BYTES))];
  bytes.fill(0);
  return { biometricSecret, salt, did, commitment };
}

function write(bytes: Uint8Array, value: bigint): void {
  for (let at = bytes.length - 1, rest = value; at >= 0; at--, rest >>= 8n) bytes[at] = Number(rest & 255n);
}

const read = (bytes: Uint8Array): bigint => bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
