import { assertScalar, SCALAR_FIELD } from '../curve/modulus.js';
import { webAssembly } from '../web-assembly.js';

/**
 * Runs the witness generator that circom compiles from a circuit. Its interface passes field elements through a window of
 * 32-bit words, lowest first, and identifies input signals by the FNV-1a hash of their name.
 */

interface Generator {
  readonly memory: { readonly buffer: ArrayBuffer };
  init(checkConstraints: 0 | 1): void;
  getFieldNumLen32(): number;
  getRawPrime(): void;
  getInputSize(): number;
  getInputSignalSize(hashHigh: number, hashLow: number): number;
  getWitnessSize(): number;
  setInputSignal(hashHigh: number, hashLow: number, index: number): void;
  getWitness(index: number): void;
  readSharedRWMemory(word: number): number;
  writeSharedRWMemory(word: number, value: number): void;
}

const WORDS = 8;

/** A circuit's inputs by signal name, all below r. */
export type CircuitInputs = Readonly<Record<string, bigint>>;

export interface WitnessCalculator {
  /**
   * The witness: every wire's value, 32 bytes each, little-endian. Wire 0 is the constant one. The caller must wipe it.
   * @throws RangeError for an input outside [0, r), which the generator would copy into the witness unreduced
   * @throws Error if an input is missing or unknown, or the inputs do not satisfy the circuit
   */
  calculate(inputs: CircuitInputs): Promise<Uint8Array>;
}

/** @throws Error if the module is not a circom witness generator over BN254's scalar field */
export async function createWitnessCalculator(wasm: Uint8Array): Promise<WitnessCalculator> {
  const module = await webAssembly.compile(wasm);
  const instantiate = async (): Promise<Generator> => {
    const { exports } = await webAssembly.instantiate(module, { runtime });
    return exports as Generator;
  };
  assertField(await instantiate());

  return {
    async calculate(inputs) {
      // One instance per witness, so that all of its memory, including secrets, can be wiped afterwards.
      const generator = await instantiate();
      try {
        setInputs(generator, inputs);
        return readWitness(generator);
      } finally {
        new Uint8Array(generator.memory.buffer).fill(0);
      }
    },
  };
}

/** circom's exception codes, as its code generator numbers them. */
const EXCEPTIONS: Readonly<Record<number, string>> = {
  1: 'signal not found',
  2: 'too many signals set',
  3: 'signal already set',
  4: 'the inputs do not satisfy the circuit',
  5: 'not enough memory',
  6: 'input signal array access exceeds the size',
};

const runtime = {
  exceptionHandler(code: number): never {
    throw new Error(`witness generator: ${EXCEPTIONS[code] ?? `exception ${code}`}`);
  },
  // Discard the circuit's logs, which could contain secrets.
  printErrorMessage: () => undefined,
  writeBufferMessage: () => undefined,
  showSharedRWMemory: () => undefined,
};

function assertField(generator: Generator): void {
  if (generator.getFieldNumLen32?.() === WORDS) {
    generator.getRawPrime();
    if (readBigInt(generator) === SCALAR_FIELD) return;
  }
  throw new Error('not a circom witness generator over the scalar field of BN254');
}

function setInputs(generator: Generator, inputs: CircuitInputs): void {
  generator.init(1);
  const entries = Object.entries(inputs);
  if (entries.length !== generator.getInputSize()) {
    throw new Error(`witness generator: expected ${generator.getInputSize()} inputs, got ${entries.length}`);
  }
  for (const [name, input] of entries) {
    const value = assertScalar(input);
    const hash = fnv1a64(name);
    const [high, low] = [Number(hash >> 32n), Number(hash & 0xffffffffn)];
    if (generator.getInputSignalSize(high, low) !== 1) {
      throw new Error(`witness generator: the circuit has no single input signal '${name}'`);
    }
    for (let i = 0; i < WORDS; i++) {
      generator.writeSharedRWMemory(i, Number((value >> BigInt(32 * i)) & 0xffffffffn));
    }
    generator.setInputSignal(high, low, 0);
  }
}

function readWitness(generator: Generator): Uint8Array {
  const witness = new DataView(new ArrayBuffer(generator.getWitnessSize() * WORDS * 4));
  for (let wire = 0; wire * WORDS * 4 < witness.byteLength; wire++) {
    generator.getWitness(wire);
    for (let i = 0; i < WORDS; i++) {
      witness.setUint32((wire * WORDS + i) * 4, generator.readSharedRWMemory(i), true);
    }
  }
  return new Uint8Array(witness.buffer);
}

function readBigInt(generator: Generator): bigint {
  let value = 0n;
  for (let i = WORDS - 1; i >= 0; i--) value = (value << 32n) | BigInt(generator.readSharedRWMemory(i) >>> 0);
  return value;
}

function fnv1a64(text: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash;
}
