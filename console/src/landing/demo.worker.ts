/// <reference lib="webworker" />
import { boundSignal, didHash, verifyBind } from '@svc/zk/field';
import { createIdentity } from '@svc/zk/phone';
import { createProver } from '@svc/zk/prover/prover';
import { type Groth16Proof, parseProof } from '@svc/zk/verifier/proof';
import { parseVerificationKey } from '@svc/zk/verifier/verification-key';
import { createVerifier } from '@svc/zk/verifier/verifier';
import { fetchArtifacts } from '../ui/artifacts';

/** What the page asks for: a proof of a secret made now, or another look at the last one with a digit of it changed. */
export type DemoRequest = 'prove' | 'tamper';

/** What the worker tells, in the order in which it happens. */
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

const tell = (event: DemoEvent) => postMessage(event);

/** The prover of phones and the verifier of the service, with the same key. */
async function load() {
  tell({ step: 'loading' });
  const { wasm, zkey, vkey } = await fetchArtifacts();
  return {
    prover: await createProver({ wasm, zkey }),
    verifier: await createVerifier(parseVerificationKey(new TextDecoder().decode(vkey))),
  };
}

let loaded: ReturnType<typeof load> | undefined;
let last:
  | { commitment: string; proof: Groth16Proof; signals: readonly string[]; provedMs: number }
  | undefined;

async function prove() {
  loaded ??= load();
  const { prover } = await loaded;
  tell({ step: 'proving' });
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
  await judge(publicSignals);
}

/** The binding to its use is the second signal: with another digit in it the proof is for something else. */
async function tamper() {
  if (last === undefined) return;
  const [commitment = '', bound = '', binding = ''] = last.signals;
  await judge([commitment, bound.slice(0, -1) + ((Number(bound.at(-1)) + 1) % 10), binding]);
}

async function judge(signals: readonly string[]) {
  if (last === undefined || loaded === undefined) return;
  tell({ step: 'verifying' });
  const { verifier } = await loaded;
  const parsed = parseProof(last.proof, signals);
  const started = performance.now();
  const valid = parsed.ok && verifier.verify(parsed.parsed);
  tell({ step: 'done', ...last, signals, valid, verifiedMs: performance.now() - started });
}

addEventListener('message', ({ data }: MessageEvent<DemoRequest>) => {
  const work = data === 'prove' ? prove() : tamper();
  work.catch((error: unknown) => {
    loaded = undefined;
    tell({ step: 'failed', message: error instanceof Error ? error.message : String(error) });
  });
});
