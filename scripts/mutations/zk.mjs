// The verifier accepts sound proofs only, and the prover runs pinned circuits only.

/** @type {import('./list.mjs').Mutation[]} */
export const zk = [
  {
    name: 'the purpose is missing from the bind value',
    file: 'zk/src/field.ts',
    find: "['svc:bind:v1', purpose, ...",
    replace: "['svc:bind:v1', ...",
    test: 'zk/src/field.test.ts > a bind value > differs by purpose, tenant, environment and every field',
  },
  {
    name: 'a coordinate above the modulus is parsed',
    file: 'zk/src/wire.ts',
    find: 'return number < modulus ? number :',
    replace: 'return number >= 0n ? number :',
    test: 'zk/src/verifier/proof.test.ts > the proof parser > bounds pi_b[0][1] by the base field',
  },
  {
    name: 'a point outside the subgroup is accepted',
    file: 'zk/src/verifier/mcl-verifier.ts',
    find: 'isInG2(b)\n',
    replace: 'typeof isInG2 === "function"\n',
    test: 'zk/test/membership.test.ts > group membership with mcl > is checked even if the pairing equation holds: B on the twist but outside G2 is rejected [D5.5]',
  },
  {
    name: 'a point off the curve is accepted',
    file: 'zk/src/verifier/mcl-verifier.ts',
    find: 'raw._mclBnG1_isValid(a) === 1 &&',
    replace: '',
    test: 'zk/test/membership.test.ts > group membership with mcl > is checked even if the pairing equation holds: A off the curve is rejected [D5.5]',
  },
  {
    name: 'the result of the pairing is ignored',
    file: 'zk/src/verifier/mcl-verifier.ts',
    find: 'return raw._mclBnGT_isEqual(product, key.alphaBeta) === 1;',
    replace: 'return true;',
    test: 'zk/test/differential.test.ts > the verifier with mcl and @noble/curves > both reject a proof with commitment plus one',
  },
  {
    name: 'a batch always verifies',
    file: 'zk/src/verifier/mcl-verifier.ts',
    find: 'return raw._mclBnGT_isOne(product) === 1;',
    replace: 'return true;',
    test: 'zk/test/batch.test.ts > a batch with mcl > with a single invalid proof rejects only that one, for every kind and position',
  },
  {
    name: 'any verification key is accepted',
    file: 'zk/src/setup/artifacts.ts',
    find: 'pins.find((candidate) => candidate.sha256.vkey === sha256)',
    replace: 'pins[0]',
    test: 'zk/src/setup/artifacts.test.ts > the pinned key at boot > must not be reformatted',
  },
  {
    name: 'the prover runs any circuit',
    file: 'zk/src/setup/circuit-pin.ts',
    find: 'pins.find((each) => each.wasmSha256 === wasmSha256 && each.zkeySha256 === zkeySha256)',
    replace: 'pins[0]',
    test: 'zk/test/hostile-circuit.test.ts > a hostile circuit > is never run, even if only one of its files is hostile',
  },
  {
    name: 'the prover returns a proof without verifying it',
    file: 'zk/src/prover/prover.ts',
    find: '!read.ok || !verifier.verify(read.parsed)',
    replace: '!read.ok || verifier === undefined',
    test: 'zk/test/hostile-circuit.test.ts > the circuit of the prover > never returns a proof that does not verify',
  },
];
