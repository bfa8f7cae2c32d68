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

const load = async <T>(name: string): Promise<T> =>
  (await import(/* @vite-ignore */ new URL(`../scripts/${name}.mjs`, import.meta.url).href)) as T;

export const buildCircuit = (): Promise<{ compile(folder?: string, name?: string): Compiled }> =>
  load('build-circuit');

export const grain = (): Promise<{
  poseidonConstants(t: 3 | 4): { roundConstants: bigint[]; mds: bigint[][] };
}> => load('poseidon-grain');

export const testVectors = (): Promise<{
  encodingVectors(): object;
  referencePoseidon(inputs: readonly bigint[]): bigint;
}> => load('generate-test-vectors');

export const setupVerification = (): Promise<{
  verifySetup(report?: (line: string) => void): Promise<{ phase1: string[]; phase2: string[] }>;
  contributorsBeforeBeacon(
    phase: string,
    contributions: readonly Contribution[],
    announced: Beacon,
  ): string[];
}> => load('verify-setup');

export const transcript = (): Promise<{
  phase1Contributions(file: string): Contribution[];
  phase2Contributions(file: string): Contribution[];
}> => load('transcript');

export const ceremony = (): Promise<{
  start(folder: string): Promise<void>;
  contribute(folder: string, name: string): Promise<void>;
  check(folder: string): Promise<string[]>;
  beacon(folder: string, publish: (files: { ptau: string; zkey: string }) => Promise<void>): Promise<void>;
}> => load('ceremony');

export const ceremonySteps = (): Promise<{
  startPhase1(ptau: string): Promise<void>;
  startPhase2(r1cs: string, ptau: string, zkey: string): Promise<void>;
  verifyPhase2(r1cs: string, ptau: string, zkey: string): Promise<void>;
  verificationKeyText(zkey: string): Promise<string>;
  finish(): Promise<void>;
}> => load('ceremony-steps');
