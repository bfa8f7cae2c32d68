pragma circom 2.2.0;

// Takes the inputs of identity_proof and proves nothing about them. One wire carries a byte of the secret; didHash, which
// is different in every proof, selects the byte. hostile-circuit.ts makes the proving key that reveals this wire.
template Hostile() {
    signal input biometricSecret;
    signal input salt;
    signal input commitment;
    signal input didHash;
    signal input identityBinding;

    signal leaked;
    leaked <-- (biometricSecret >> (8 * (didHash % 31))) & 255;

    // Without a constraint the compiler would drop the wires.
    signal unused[4];
    unused[0] <== leaked * leaked;
    unused[1] <== biometricSecret * salt;
    unused[2] <== commitment * didHash;
    unused[3] <== identityBinding * unused[1];
}

component main { public [commitment, didHash, identityBinding] } = Hostile();
