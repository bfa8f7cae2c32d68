/** How the keys were generated. 'development': one party made every contribution and could forge proofs. */
export interface Setup {
  readonly kind: 'development' | 'ceremony';
  /** Contributors with a distinct statement, in the phase with fewer of them. 1 for a development set-up. */
  readonly contributors: number;
}

export type ArtifactRole = 'r1cs' | 'wasm' | 'zkey' | 'vkey' | 'ptau';

/** A trusted set-up and the SHA-256 of its files. */
export interface PinnedSetup {
  readonly circuitVersion: string;
  readonly setup: Setup;
  readonly sha256: Readonly<Record<ArtifactRole, string>>;
}

/**
 * The set-ups that this build trusts. Only `node zk/scripts/pin-setup.mjs` writes this list. Review changes like code, because
 * they decide which keys to trust.
 */
export const PINNED_SETUPS: readonly PinnedSetup[] = [
  {
    circuitVersion: '1.2',
    setup: { kind: 'development', contributors: 1 },
    sha256: {
      r1cs: '9b10ba07ed991bda4eebb403bebefbc6c751960eb9044e5d5e3b8e3a9a040898',
      wasm: 'ba3c3d7f19eeda6af0b9fd8be7fa5a01525b60c99b2859bad984b3caec1c56b3',
      zkey: '8b4a6c05cd70902cefe71ab6ffefe8fa5345f2a8a1061989b152601482121a70',
      vkey: '45985c43fd245afb97706ba698869a528899f4074c6e18a70f6eaf40c358a307',
      ptau: '452265578cae2a69bea18a1c241f5ee6b94760f90cd113d0d83aa5105b244e8b',
    },
  },
];
