// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Keeps the Merkle root of each batch of anchored records.
/// @notice Batches are numbered from 1 without a gap and never change. A record is shown to be in one by its fields, its
/// salt and the path to the root; without the salt nothing here tells anything of it.
contract AnchorHub {
    /// @notice May change the relayer, and nothing else. Kept, not immutable, so that the code is the same everywhere.
    address public owner;
    /// @notice The one account that anchors.
    address public relayer;

    struct Totals {
        uint64 batches;
        uint64 leaves;
        uint64 identities;
    }
    Totals private kept;
    mapping(uint256 batchId => bytes32) public rootOf;
    /// @notice SHA-256 over the one before and the newest root: one reading tells whether a list of all roots is right.
    bytes32 private rootsHash;

    event Anchored(uint256 indexed batchId, bytes32 root, uint256 leaves, uint256 identities);
    event RelayerChanged(address relayer);

    error NotRelayer();
    error NotOwner();
    error ZeroAddress();
    error BatchGap(uint256 expected);
    error RootDiffers(bytes32 keptRoot);
    error BadBatch();
    error UnknownBatch();

    constructor(address owner_, address relayer_) {
        if (owner_ == address(0) || relayer_ == address(0)) revert ZeroAddress();
        owner = owner_;
        relayer = relayer_;
        emit RelayerChanged(relayer_);
    }

    /// @notice Keeps the next batch. One that is kept already, sent again, changes nothing; with another root it reverts.
    function anchor(uint256 batchId, bytes32 root, uint32 leaves, uint32 identities) external {
        if (msg.sender != relayer) revert NotRelayer();
        Totals memory now_ = kept;
        if (batchId != 0 && batchId <= now_.batches) {
            bytes32 keptRoot = rootOf[batchId];
            if (keptRoot != root) revert RootDiffers(keptRoot);
            return;
        }
        if (batchId != uint256(now_.batches) + 1) revert BatchGap(uint256(now_.batches) + 1);
        if (root == 0 || leaves == 0 || identities > leaves) revert BadBatch();
        kept = Totals(now_.batches + 1, now_.leaves + leaves, now_.identities + identities);
        rootOf[batchId] = root;
        rootsHash = sha256(abi.encodePacked(rootsHash, root));
        emit Anchored(batchId, root, leaves, identities);
    }

    function setRelayer(address relayer_) external {
        if (msg.sender != owner) revert NotOwner();
        if (relayer_ == address(0)) revert ZeroAddress();
        relayer = relayer_;
        emit RelayerChanged(relayer_);
    }

    /// @notice How many batches are kept, how many leaves and identities they hold, and the hash over all their roots.
    function totals()
        external
        view
        returns (uint256 batches, uint256 leaves, uint256 identities, bytes32 hashOfRoots)
    {
        return (kept.batches, kept.leaves, kept.identities, rootsHash);
    }

    /// @notice True when the batch holds that record.
    /// @dev The leaf is hashed here, from its fields: were hashes taken as leaves, an inner node could pass for one. The
    /// first byte and the length tell both apart. Pairs are sorted, so a path needs no positions.
    function verifyLeaf(
        uint256 batchId,
        uint8 kind,
        bytes32 tag,
        bytes32 first,
        bytes32 second,
        bytes32 salt,
        bytes32[] calldata path
    ) external view returns (bool) {
        bytes32 root = rootOf[batchId];
        if (root == 0) revert UnknownBatch();
        bytes32 node = sha256(abi.encodePacked(uint8(0), kind, tag, first, second, salt));
        for (uint256 i = 0; i < path.length; i++) {
            bytes32 other = path[i];
            node = node < other
                ? sha256(abi.encodePacked(uint8(1), node, other))
                : sha256(abi.encodePacked(uint8(1), other, node));
        }
        return node == root;
    }
}
