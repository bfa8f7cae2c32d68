/** Types for the functions of the build scripts, which are plain JavaScript, that tests call. */
import type { KernelName } from '../../src/verifier/verifier.js';

export interface Compiled {
  readonly r1cs: Buffer;
  readonly wasm: Buffer;
  readonly log: string;
}

export interface Contribution {
  readonly name: string;
  /** SHA-256 of its record in the file. */
  readonly hash: string;
  readonly beacon?: { readonly value: string; readonly iterationsExponent: number };
}

export type Beacon = NonNullable<Contribution['beacon']>;

export const buildCircuit = (): Promise<{ compile(folder?: string, name?: string): Compiled }> =>
  // @ts-expect-error -- plain JavaScript without declarations
  import('../../scripts/build-circuit.mjs');

export const kernelConstants = (): Promise<{ constants(layout: KernelName): string }> =>
  // @ts-expect-error -- plain JavaScript without declarations
  import('../../kernel/constants.mjs');

export const grain = (): Promise<{
  poseidonConstants(t: 3 | 4): { roundConstants: bigint[]; mds: bigint[][] };
}> =>
  // @ts-expect-error -- plain JavaScript without declarations
  import('../../scripts/poseidon-grain.mjs');

export const testVectors = (): Promise<{
  encodingVectors(): object;
  referencePoseidon(inputs: readonly bigint[]): bigint;
}> =>
  // @ts-expect-error -- plain JavaScript without declarations
  import('../../scripts/generate-test-vectors.mjs');

export const setupVerification = (): Promise<{
  verifySetup(report?: (line: string) => void): Promise<string[]>;
  contributorsBeforeBeacon(
    phase: string,
    contributions: readonly Omit<Contribution, 'hash'>[],
    announced: Beacon,
  ): string[];
}> =>
  // @ts-expect-error -- plain JavaScript without declarations
  import('../../scripts/verify-setup.mjs');

export const pinSetup = (): Promise<{
  pinned(source: string, manifest: object): string;
}> =>
  // @ts-expect-error -- plain JavaScript without declarations
  import('../../scripts/pin-setup.mjs');

export const transcript = (): Promise<{
  phase1Contributions(file: string): Contribution[];
  phase2Contributions(file: string): Contribution[];
}> =>
  // @ts-expect-error -- plain JavaScript without declarations
  import('../../scripts/transcript.mjs');

export interface Statement {
  readonly phase: 1 | 2;
  readonly name: string;
  readonly contribution: string;
  readonly published: string;
}

export const statements = (): Promise<{
  matchStatements(
    phase: 1 | 2,
    contributions: readonly Contribution[],
    statements: readonly Partial<Statement>[],
  ): { counted: Statement[]; notCounted: string[] };
  countContributors(
    phase1: readonly Contribution[] | undefined,
    phase2: readonly Contribution[],
    statements: readonly Statement[],
  ): { contributors: number };
}> =>
  // @ts-expect-error -- plain JavaScript without declarations
  import('../../scripts/statements.mjs');

/** What a ceremony reads from the repository and writes to it. */
export interface Repository {
  r1cs(): Buffer;
  powersOfTau(): { source: string; sha256: string } | undefined;
  publish(result: {
    ptau: string;
    zkey: string;
    statements: Statement[];
    contributors: number;
  }): Promise<void>;
}

export const ceremony = (): Promise<{
  start(folder: string, ptau?: string, from?: Repository): Promise<void>;
  contribute(folder: string, name: string, published: string, from?: Repository): Promise<string>;
  check(
    folder: string,
    from?: Repository,
  ): Promise<{ contributors: string[]; counted: Statement[]; notCounted: string[] }>;
  beacon(folder: string, from?: Repository): Promise<void>;
}> =>
  // @ts-expect-error -- plain JavaScript without declarations
  import('../../scripts/ceremony.mjs');

export const ceremonySteps = (): Promise<{
  startPhase1(ptau: string): Promise<void>;
  startPhase2(r1cs: string, ptau: string, zkey: string): Promise<void>;
  verifyPhase2(r1cs: string, ptau: string, zkey: string): Promise<void>;
  verificationKeyText(zkey: string): Promise<string>;
  finish(): Promise<void>;
}> =>
  // @ts-expect-error -- plain JavaScript without declarations
  import('../../scripts/ceremony-steps.mjs');
