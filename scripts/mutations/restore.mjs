// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the text of sources
// What a restore from a backup must not bring back.

const features = 'server/src/features';
const file = 'server/test/restore/restore.test.ts';

/** @type {import('./list.mjs').Mutation[]} */
export const restore = [
  {
    name: 'a database whose restore is not finished is served',
    file: `${features}/restore/restore.ts`,
    find: 'if (await store.hasAccounts(db))',
    replace: 'if (false && (await store.hasAccounts(db)))',
    test: `${file} > a database that was restored from a backup > is served only with its epoch, and each error says what to do [D12.115]`,
  },
  {
    name: 'identities are in force although their owner has not confirmed the restore',
    file: 'server/src/records/in-force.ts',
    find: 'and a.identities_locked_at is not null',
    replace: 'and a.identities_locked_at is null and false',
    test: `${file} > without an export of an account > phones without a key are locked as well, and other accounts are not [D12.116]`,
  },
  {
    name: 'an export is taken whose events were altered',
    file: `${features}/restore/exports.ts`,
    find: 'linkHash(this.#last.hash, event.canonical) !== event.hash',
    replace: 'false',
    test: `${file} > an export that is not of the chain > is not accepted, and nothing is changed [D12.116]`,
  },
  {
    name: 'an identity that got a new key after the backup works again with the old one',
    file: `${features}/restore/exports.ts`,
    find: "  'identity.rotated': 'identities',\n",
    replace: '',
    test: `${file} > with an export of an account > an identity whose key was changed after the backup is revoked [D12.116]`,
  },
  {
    name: 'a proof that was used after the backup is accepted again',
    file: `${features}/proofs/proofs.ts`,
    find: ' && timestampMs >= proofsFrom,',
    replace: ',',
    test: 'server/test/restore/old-proofs.test.ts > a proof that was used after the backup > is stale after the restore, as is every proof of the time before and of the five minutes after it [D12.117]',
  },
];
