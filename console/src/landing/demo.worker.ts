/// <reference lib="webworker" />
import { boundSignal, didHash, verifyBind } from '@svc/zk/field';
import { createIdentity } from '@svc/zk/phone';
import { createProver } from '@svc/zk/prover/prover';
import { createVerifier } from '@svc/zk/verifier/create-verifier';
import { type Groth16Proof, parseProof } from '@svc/zk/verifier/proof';
import { parseVerificationKey } from '@svc/zk/verifier/verification-key';
import { fetchArtifacts } from '../ui/artifacts';

/** `prove` proves a new secret. `tamper` verifies the last proof again with one digit changed. */
export type DemoRequest = 'prove' | 'tamper';

export type DemoEvent =
  | { readonly step: 'loading' | 'proving' | 'verifying' }
  | {
      readonly step: 'done';
      readonly commitment: string;
      readonly proof: Groth16Proof;
      readonly signals: readonly string[];
      readonly valid: boolean;
      readonly provedMs: number;
      readonly verifiedMs: number;
    }
  | { readonly step: 'failed'; readonly message: string };

const notify = (event: DemoEvent) => postMessage(event);

/** Loads the same prover as phones and the same verifier and key as the service. */
async function load() {
  notify({ step: 'loading' });
  const { wasm, zkey, vkey } = await fetchArtifacts();
  const key = parseVerificationKey(new TextDecoder().decode(vkey));
  const verifier = await createVerifier(key).catch((cause: unknown) => {
    throw new Error('The verifier could not be loaded. Go online, reload the page and try again.', { cause });
  });
  return { prover: await createProver({ wasm, zkey }), verifier };
}

let loaded: ReturnType<typeof load> | undefined;
let last:
  | { commitment: string; proof: Groth16Proof; signals: readonly string[]; provedMs: number }
  | undefined;

async function prove() {
  loaded ??= load();
  const { prover } = await loaded;
  notify({ step: 'proving' });
  const { biometricSecret, salt, did, commitment } = createIdentity();
  const bind = verifyBind({
    tenantId: crypto.randomUUID(),
    environment: 'test',
    nonce: crypto.randomUUID(),
    timestampMs: Date.now(),
  });
  const started = performance.now();
  const { proof, publicSignals } = await prover.prove({
    biometricSecret,
    salt,
    didHash: boundSignal(didHash(did), bind),
  });
  last = { commitment, proof, signals: publicSignals, provedMs: performance.now() - started };
  await verify(publicSignals);
}

/** The second signal binds the proof to one request. With another digit, it is bound to a different request. */
async function tamper() {
  if (last === undefined) return;
  const [commitment = '', bound = '', binding = ''] = last.signals;
  await verify([commitment, bound.slice(0, -1) + ((Number(bound.at(-1)) + 1) % 10), binding]);
}

async function verify(signals: readonly string[]) {
  if (last === undefined || loaded === undefined) return;
  notify({ step: 'verifying' });
  const { verifier } = await loaded;
  const parsed = parseProof(last.proof, signals);
  const started = performance.now();
  const valid = parsed.ok && verifier.verify(parsed.parsed);
  notify({ step: 'done', ...last, signals, valid, verifiedMs: performance.now() - started });
}

addEventListener('message', ({ data }: MessageEvent<DemoRequest>) => {
  const work = data === 'prove' ? prove() : tamper();
  work.catch((error: unknown) => {
    loaded = undefined;
    notify({ step: 'failed', message: error instanceof Error ? error.message : String(error) });
  });
});
