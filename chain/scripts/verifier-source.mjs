// Generates the verifier's Solidity from a verification key in snarkjs's format.
const QUADS = 4;
/** EIP-1108: the price of a pairing check of four pairs. */
const PAIRING_GAS = 45_000 + 34_000 * QUADS;
/** A call can use all but a 64th of the gas (EIP-150). The rest is for the code around the call. */
const NEEDED_GAS = Math.ceil((PAIRING_GAS * 64) / 63) + 10_000;

/**
 * @param {{ vk_alpha_1: string[], vk_beta_2: string[][], vk_gamma_2: string[][], vk_delta_2: string[][], IC: string[][] }} vkey
 * @param {{ sha256: string, circuit: string, banner: string }} about
 */
export function verifierSource(vkey, { sha256, circuit, banner }) {
  const g1 = (name, [x, y]) =>
    `    uint256 private constant ${name}_X = ${x};\n    uint256 private constant ${name}_Y = ${y};\n`;
  const g2 = (name, [x, y]) =>
    [
      ['X0', x[0]],
      ['X1', x[1]],
      ['Y0', y[0]],
      ['Y1', y[1]],
    ]
      .map(([part, value]) => `    uint256 private constant ${name}_${part} = ${value};\n`)
      .join('');
  return `// SPDX-License-Identifier: Apache-2.0
// ${banner}
pragma solidity 0.8.37;

/// @title Checks Groth16 proofs of ${circuit} against the verification key with SHA-256
/// ${sha256}.
/// @notice Answers false for whatever is no proof. With too little gas for the pairing it reverts, so that a short call
/// is never taken for a false proof, and an estimate of its gas finds enough.
contract Groth16Verifier {
    uint256 private constant Q =
        21888242871839275222246405745257275088696311157297823662689037894645226208583;
    uint256 private constant R =
        21888242871839275222246405745257275088548364400416034343698204186575808495617;

${g1('ALPHA', vkey.vk_alpha_1)}${g2('BETA', vkey.vk_beta_2)}${g2('GAMMA', vkey.vk_gamma_2)}${g2('DELTA', vkey.vk_delta_2)}${vkey.IC.map((point, i) => g1(`IC${i}`, point)).join('')}
    uint256 private constant PAIRING_GAS = ${PAIRING_GAS};
    uint256 private constant NEEDED_GAS = ${NEEDED_GAS};

    error NotEnoughGas();

    /// @param a pi_a, as [x, y]
    /// @param b pi_b, as [[x0, x1], [y0, y1]] where x = x0 + x1·i, which is the order of the wire
    /// @param c pi_c, as [x, y]
    /// @param signals commitment, didHash (bare or bound), identityBinding
    function verify(
        uint256[2] calldata a,
        uint256[2][2] calldata b,
        uint256[2] calldata c,
        uint256[3] calldata signals
    ) external view returns (bool) {
        if (signals[0] >= R || signals[1] >= R || signals[2] >= R) return false;
        if (!isCanonical(a[0], a[1]) || !isCanonical(c[0], c[1])) return false;
        if (b[0][0] >= Q || b[0][1] >= Q || b[1][0] >= Q || b[1][1] >= Q) return false;
        if (!isOnCurve(a[0], a[1]) || !isOnCurve(c[0], c[1])) return false;
        if ((b[0][0] | b[0][1] | b[1][0] | b[1][1]) == 0) return false;
        (uint256 x, uint256 y) = (IC0_X, IC0_Y);
        (x, y) = addTimes(x, y, IC1_X, IC1_Y, signals[0]);
        (x, y) = addTimes(x, y, IC2_X, IC2_Y, signals[1]);
        (x, y) = addTimes(x, y, IC3_X, IC3_Y, signals[2]);
        // e(-A, B) · e(alpha, beta) · e(X, gamma) · e(C, delta) = 1; the precompile wants imaginary parts first.
        uint256[24] memory input = [
            a[0], Q - a[1], b[0][1], b[0][0], b[1][1], b[1][0],
            ALPHA_X, ALPHA_Y, BETA_X1, BETA_X0, BETA_Y1, BETA_Y0,
            x, y, GAMMA_X1, GAMMA_X0, GAMMA_Y1, GAMMA_Y0,
            c[0], c[1], DELTA_X1, DELTA_X0, DELTA_Y1, DELTA_Y0
        ];
        return pairsToOne(input);
    }

    /// Below the base field, and not infinity.
    function isCanonical(uint256 x, uint256 y) private pure returns (bool) {
        return x < Q && y < Q && (x | y) != 0;
    }

    function isOnCurve(uint256 x, uint256 y) private pure returns (bool) {
        return mulmod(y, y, Q) == addmod(mulmod(mulmod(x, x, Q), x, Q), 3, Q);
    }

    /// (x, y) + k·(px, py), of points of the curve: only gas can fail it.
    function addTimes(uint256 x, uint256 y, uint256 px, uint256 py, uint256 k)
        private
        view
        returns (uint256 rx, uint256 ry)
    {
        bool ok;
        assembly ("memory-safe") {
            let free := mload(0x40)
            mstore(free, px)
            mstore(add(free, 0x20), py)
            mstore(add(free, 0x40), k)
            ok := staticcall(gas(), 7, free, 0x60, free, 0x40)
            mstore(add(free, 0x40), x)
            mstore(add(free, 0x60), y)
            ok := and(ok, staticcall(gas(), 6, free, 0x80, free, 0x40))
            rx := mload(free)
            ry := mload(add(free, 0x20))
        }
        if (!ok) revert NotEnoughGas();
    }

    /// False as well for a point B off the twist or outside the subgroup: the precompile refuses it, which looks like a
    /// lack of gas from here. So whether there is enough is asked first.
    function pairsToOne(uint256[24] memory input) private view returns (bool) {
        if (gasleft() < NEEDED_GAS) revert NotEnoughGas();
        bool ok;
        uint256 one;
        assembly ("memory-safe") {
            ok := staticcall(gas(), 8, input, 768, input, 0x20)
            one := mload(input)
        }
        return ok && one == 1;
    }
}
`;
}
