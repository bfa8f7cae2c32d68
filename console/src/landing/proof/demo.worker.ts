/// <reference lib="webworker" />
import type { Groth16Proof } from '@svc/sdk';
import { createIdentity, createProver } from '@svc/sdk/prover';
import { createVerifier } from '@svc/zk/verifier/create-verifier';
import { parseProof } from '@svc/zk/verifier/proof';
import { parseVerificationKey } from '@svc/zk/verifier/verification-key';
import { fetchArtifacts } from '../../ui/artifacts';

/** `prove` proves a new secret. `tamper` verifies the last proof again with one digit changed. */
export type DemoRequest = 'prove' | 'tamper';

/** What is known so far. */
export interface Made {
  readonly commitment?: string;
  readonly bound?: string;
  readonly proof?: Groth16Proof;
  readonly provedMs?: number;
  readonly bytes?: number;
  readonly verifiedMs?: number;
}

export type DemoEvent =
  | { readonly step: 'loading' | 'proving' | 'verifying'; readonly made: Made }
  | { readonly step: 'done'; readonly made: Required<Made>; readonly valid: boolean }
  | { readonly step: 'failed'; readonly message: string };

const notify = (event: DemoEvent) => postMessage(event);

/** Loads the same prover as phones and the same verifier and key as the service. */
async function load() {
  notify({ step: 'loading', made: {} });
  const { wasm, zkey, vkey } = await fetchArtifacts();
  const key = parseVerificationKey(new TextDecoder().decode(vkey));
  const verifier = await createVerifier(key).catch((cause: unknown) => {
    throw new Error('The verifier could not be loaded. Go online, reload the page and try again.', { cause });
  });
  return { prover: await createProver({ wasm, zkey }), verifier };
}

let loaded: ReturnType<typeof load> | undefined;

interface Proved {
  readonly commitment: string;
  readonly proof: Groth16Proof;
  readonly signals: readonly string[];
  readonly provedMs: number;
}
let last: Proved | undefined;

async function prove() {
  loaded ??= load();
  const { prover } = await loaded;
  const identity = createIdentity();
  const { commitment } = identity;
  notify({ step: 'proving', made: { commitment } });
  const [tenantId, nonce] = [crypto.randomUUID(), crypto.randomUUID()];
  const challenge = { tenantId, environment: 'test', nonce, timestamp: Date.now() } as const;
  const started = performance.now();
  const { proof, publicSignals } = await prover.proveVerify(identity, challenge);
  last = { commitment, proof, signals: publicSignals, provedMs: performance.now() - started };
  await verify(last, publicSignals);
}

/** The second signal binds the proof to one request. With another digit, it is bound to a different request. */
async function tamper() {
  if (last === undefined) return;
  const [commitment = '', bound = '', binding = ''] = last.signals;
  await verify(last, [commitment, bound.slice(0, -1) + ((Number(bound.at(-1)) + 1) % 10), binding]);
}

async function verify({ commitment, proof, provedMs }: Proved, signals: readonly string[]) {
  if (loaded === undefined) return;
  const bytes = JSON.stringify({ proof, publicSignals: signals }).length;
  const made = { commitment, bound: signals[1] ?? '', proof, provedMs, bytes };
  notify({ step: 'verifying', made });
  const { verifier } = await loaded;
  const parsed = parseProof(proof, signals);
  const started = performance.now();
  const valid = parsed.ok && verifier.verify(parsed.parsed);
  notify({ step: 'done', made: { ...made, verifiedMs: performance.now() - started }, valid });
}

addEventListener('message', ({ data }: MessageEvent<DemoRequest>) => {
  const work = data === 'prove' ? prove() : tamper();
  work.catch((error: unknown) => {
    loaded = undefined;
    notify({ step: 'failed', message: error instanceof Error ? error.message : String(error) });
  });
});
