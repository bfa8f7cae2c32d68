// The audit chain, its checks on the server and in the SDK, and its anchors on the blockchain.

/** @type {import('./list.mjs').Mutation[]} */
export const audit = [
  {
    name: 'a cancelled savepoint undoes writes that returned success',
    file: 'server/src/ledger/batch.ts',
    find: 'if (failure !== undefined && round.savepoints.has(results.length)) throw failure;',
    replace: '',
    test: 'server/test/database/cancelled-savepoint.pg.test.ts > loses nothing of a write that returned success when savepoint 2 of the next write was cancelled',
  },
  {
    name: 'a write commits without an audit entry',
    file: 'server/src/ledger/pending-write.ts',
    find: 'if (entries.length === 0) throw new Error',
    replace: 'if (false) throw new Error',
    test: 'server/test/database/write-path.test.ts > the write path > commits nothing without an audit entry',
  },
  {
    name: 'the integrity check does not compare prev_hash',
    file: 'server/src/features/audit/check-rows.ts',
    find: "if (link.hash !== undefined && prevHash !== link.hash) return 'link_broken';",
    replace: '',
    test: 'server/test/audit/audit.test.ts > the audit integrity check > reports a broken link after a forged row with a recomputed hash',
  },
  {
    name: 'the integrity check ignores altered columns',
    file: 'server/src/features/audit/check-rows.ts',
    find: "return 'columns_altered';",
    replace: 'return undefined;',
    test: 'server/test/audit/audit.test.ts > the audit integrity check > reports the row after a change of actor_id',
  },
  {
    name: 'a forged head is re-signed',
    file: 'server/src/features/audit/heads.ts',
    find: 'keys !== undefined && verifyHead(keys, tenantId, environment, head, row.signature)',
    replace: 'keys !== undefined',
    test: 'server/test/process/operator.test.ts > the operator’s commands > heads resign > never re-signs a head without a valid signature of a configured secret, and reports it',
  },
  {
    name: 'the comparison with exported heads trusts a changed file',
    file: 'server/src/features/audit/heads.ts',
    find: "return 'head_signature';",
    replace: '{}',
    test: 'cli/test/audit-heads.test.ts > svc audit heads > --compare > does not trust a file that was changed: the head must have the server’s signature',
  },
  {
    name: 'the comparison with exported heads accepts another row',
    file: 'server/src/features/audit/heads.ts',
    find: 'seq === 0 || row.hash === hash',
    replace: 'seq === 0 || row.hash !== null',
    test: 'cli/test/audit-heads.test.ts > svc audit heads > --compare > detects another row in the place of the exported one',
  },
  {
    name: 'the SDK does not recompute the hash of a row',
    file: 'sdk/src/codecs/audit-chain.ts',
    find: "if (recomputed !== hash) return 'hash_wrong';",
    replace: "if (recomputed === 'x') return 'hash_wrong';",
    test: 'sdk/src/codecs/audit-chain.test.ts > reports progress on a long chain, and names the invalid row',
  },
  {
    name: 'the SDK ignores the signature of the head',
    file: 'sdk/src/codecs/audit-chain.ts',
    find: "return signature === 'wrong' ?",
    replace: "return (signature as string) === 'x' ?",
    test: 'sdk/src/codecs/audit-chain.test.ts > rejects a chain if the head’s signature is another',
  },
  {
    name: 'the SDK accepts a chain shorter than the saved head',
    file: 'sdk/src/codecs/audit-chain.ts',
    find: 'if (since !== undefined && since.seq > seq)',
    replace: 'if (since !== undefined && since.seq < 0)',
    test: 'sdk/src/codecs/audit-chain.test.ts > checks a chain against a saved head that is of a later row',
  },
  {
    name: 'verification on chain is skipped',
    file: 'server/src/features/proofs/proofs.ts',
    find: 'return valid && tenant && verifiesOnChain(deps, tenant) ? await agreesOnChain(deps, parsed) : valid;',
    replace: 'return valid;',
    test: 'server/test/anchors/anchors-verify.test.ts > on-chain verification > also calls the contract; while that fails it returns 503 chain_unavailable and does not spend the nonce [D12.41]',
  },
  {
    name: 'the fee of a transaction has no upper bound',
    file: 'server/src/features/anchors/sending.ts',
    find: 'const maxFeePerGas = min(maxFee, cap);',
    replace: 'const maxFeePerGas = maxFee;',
    test: 'server/test/anchors/anchors-fees.test.ts > every leaf is anchored once at a bounded fee > once the required fee falls below our maximum',
  },
];
