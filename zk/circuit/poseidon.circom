pragma circom 2.2.0;

include "poseidon-constants.circom";

// x -> x^5, a bijection of the field because 5 does not divide r - 1.
template FifthPower() {
    signal input in;
    signal output out;

    signal square <== in * in;
    signal fourth <== square * square;
    out <== fourth * in;
}

// Poseidon of t - 1 inputs with capacity element 0, as circomlib and every library that agrees with it compute it.
//
// Every round adds its constants, applies the S-box (to all elements in the four first and four last rounds, to
// element 0 in between) and multiplies by the matrix. It is written as the paper writes it, without the sparse-matrix
// rewriting: sums and constant factors are linear, so `--O2` folds them away and only the S-boxes cost constraints,
// three each.
template PoseidonPermutation(t, partialRounds, roundConstants, matrix) {
    signal input inputs[t - 1];
    signal output out;

    var fullRounds = 8;
    var rounds = fullRounds + partialRounds;

    signal state[rounds + 1][t];
    signal boxed[rounds][t];
    component box[rounds][t];

    state[0][0] <== 0;
    for (var i = 1; i < t; i++) {
        state[0][i] <== inputs[i - 1];
    }

    for (var round = 0; round < rounds; round++) {
        var full = round < fullRounds / 2 || round >= fullRounds / 2 + partialRounds;
        for (var i = 0; i < t; i++) {
            if (full || i == 0) {
                box[round][i] = FifthPower();
                box[round][i].in <== state[round][i] + roundConstants[round * t + i];
                boxed[round][i] <== box[round][i].out;
            } else {
                boxed[round][i] <== state[round][i] + roundConstants[round * t + i];
            }
        }
        for (var i = 0; i < t; i++) {
            var sum = 0;
            for (var j = 0; j < t; j++) {
                sum += matrix[i][j] * boxed[round][j];
            }
            state[round + 1][i] <== sum;
        }
    }

    out <== state[rounds][0];
}

template Poseidon2() {
    signal input inputs[2];
    signal output out <== PoseidonPermutation(3, 57, poseidonRoundConstants3(), poseidonMatrix3())(inputs);
}

template Poseidon3() {
    signal input inputs[3];
    signal output out <== PoseidonPermutation(4, 56, poseidonRoundConstants4(), poseidonMatrix4())(inputs);
}
