// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the text of sources
// Every write has its entry, and a chain that was changed is found.

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
    name: 'a commitment that is not in the history of its identity authorizes something',
    file: 'server/src/features/identities/commitments/commitments.ts',
    find: "if (commitment !== current) return 'commitment';",
    replace: '',
    test: 'server/test/audit/identity-leaves.test.ts > the leaf of an identity > when the database says something else than the audit chain > authorizes nothing with a commitment that is not the newest of its history: 503 identity_changed and an alarm [identities/leaf]',
  },
];
