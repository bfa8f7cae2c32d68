pragma circom 2.2.0;

include "poseidon.circom";

// identity_proof 1.2: "I know the secret and the salt behind this commitment, and I say so for this didHash only."
//
// Public signals, in this order: commitment, didHash, identityBinding.
// Both equalities are constraints on signals that the verifier sees, so none of the three can be changed in a proof;
// identityBinding would be superfluous for that alone, but it commits the prover to didHash through a non-linear
// relation and reveals nothing that links two sessions.
template IdentityProof() {
    signal input biometricSecret;
    signal input salt;
    signal input commitment;
    signal input didHash;
    signal input identityBinding;

    signal committed <== Poseidon2()([biometricSecret, salt]);
    commitment === committed;

    signal bound <== Poseidon3()([biometricSecret, salt, didHash]);
    identityBinding === bound;
}

component main {public [commitment, didHash, identityBinding]} = IdentityProof();
