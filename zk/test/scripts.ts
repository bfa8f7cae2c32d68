/** The build scripts are plain JavaScript; these are the functions of theirs that tests call, with types. */

export interface Compiled {
  readonly r1cs: Buffer;
  readonly wasm: Buffer;
  readonly log: string;
}

export interface Contribution {
  readonly name: string;
  readonly beacon?: { readonly value: string; readonly iterationsExponent: number };
}

export type Beacon = NonNullable<Contribution['beacon']>;

export const buildCircuit = (): Promise<{ compile(folder?: string, name?: string): Compiled }> =>
  // @ts-expect-error -- plain JavaScript without declarations
  import('../scripts/build-circuit.mjs');

export const grain = (): Promise<{
  poseidonConstants(t: 3 | 4): { roundConstants: bigint[]; mds: bigint[][] };
}> =>
  // @ts-expect-error -- plain JavaScript without declarations
  import('../scripts/poseidon-grain.mjs');

export const testVectors = (): Promise<{
  encodingVectors(): object;
  referencePoseidon(inputs: readonly bigint[]): bigint;
}> =>
  // @ts-expect-error -- plain JavaScript without declarations
  import('../scripts/generate-test-vectors.mjs');

export const setupVerification = (): Promise<{
  verifySetup(report?: (line: string) => void): Promise<{ phase1: string[]; phase2: string[] }>;
  contributorsBeforeBeacon(
    phase: string,
    contributions: readonly Contribution[],
    announced: Beacon,
  ): string[];
}> =>
  // @ts-expect-error -- plain JavaScript without declarations
  import('../scripts/verify-setup.mjs');

export const pinSetup = (): Promise<{
  pinned(source: string, manifest: object): string;
}> =>
  // @ts-expect-error -- plain JavaScript without declarations
  import('../scripts/pin-setup.mjs');

export const transcript = (): Promise<{
  phase1Contributions(file: string): Contribution[];
  phase2Contributions(file: string): Contribution[];
}> =>
  // @ts-expect-error -- plain JavaScript without declarations
  import('../scripts/transcript.mjs');

export const ceremony = (): Promise<{
  start(folder: string, r1cs?: Uint8Array): Promise<void>;
  contribute(folder: string, name: string): Promise<void>;
  check(folder: string): Promise<string[]>;
  beacon(folder: string, publish: (files: { ptau: string; zkey: string }) => Promise<void>): Promise<void>;
}> =>
  // @ts-expect-error -- plain JavaScript without declarations
  import('../scripts/ceremony.mjs');

export const ceremonySteps = (): Promise<{
  startPhase1(ptau: string): Promise<void>;
  startPhase2(r1cs: string, ptau: string, zkey: string): Promise<void>;
  verifyPhase2(r1cs: string, ptau: string, zkey: string): Promise<void>;
  verificationKeyText(zkey: string): Promise<string>;
  finish(): Promise<void>;
}> =>
  // @ts-expect-error -- plain JavaScript without declarations
  import('../scripts/ceremony-steps.mjs');
