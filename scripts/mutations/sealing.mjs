// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the text of sources
// Secrets of tenants, encrypted in the database.

/** @type {import('./list.mjs').Mutation[]} */
export const sealing = [
  {
    name: 'a sealed value opens in another row',
    file: 'server/src/base/sealer.ts',
    find: 'tenantId, environment, table, column, id]);',
    replace: 'tenantId, environment, table, column]);',
    test: 'server/src/base/sealer.test.ts > a sealed value > does not open in another row',
  },
  {
    name: 'a sealed value with other unused bits opens',
    file: 'server/src/base/sealer.ts',
    find: "return bytes.toString('base64url') === text ? bytes : undefined;",
    replace: 'return bytes;',
    test: 'server/src/base/sealer.test.ts > a sealed value > does not open after a change of any one character',
  },
  {
    name: 'each node creates its own first key',
    file: 'server/src/features/sealing/sealing.ts',
    find: 'await insertKey(deps, FIRST_KEY_ID, clock.now());',
    replace: 'await insertKey(deps, crypto.randomUUID(), clock.now());',
    test: 'server/test/sealing/sealing.test.ts > sealing with the keys in the database [D12.68] > creates one key when apps seal their first values at the same time',
  },
  {
    name: 'values are sealed with an old list of keys',
    file: 'server/src/features/sealing/sealing.ts',
    find: 'age < MAX_LIST_AGE_MS ? kept',
    replace: 'true ? kept',
    test: 'server/test/sealing/sealing.test.ts > sealing with the keys in the database [D12.68] > seals with a new key of another node after a minute, and opens its values immediately',
  },
  {
    name: 'a server starts although the key of a sealed value is not there',
    file: 'server/src/features/sealing/sealing.ts',
    find: 'if ([...used].every(isThere)) return undefined;',
    replace: 'if (used.size >= 0) return undefined;',
    test: 'server/test/sealing/sealing.test.ts > sealing with the keys in the database [D12.68] > at a start > fails if the key of a sealed value is not there, and names it',
  },
  {
    name: 'secrets reseal overwrites a value that a node changed',
    file: 'server/src/features/sealing/sealing.store.ts',
    find: 'and id = ${id} and ${column} = ${sealed}\n',
    replace: 'and id = ${id} and ${sealed}::text is not null\n',
    test: 'server/test/sealing/reseal.test.ts > secrets reseal > leaves a value that a node changes during the run, and seals it in the next',
  },
  {
    name: 'secrets reseal deletes a key that values need',
    file: 'server/src/features/sealing/sealing.ts',
    find: 'outOfUse.filter((row) => !used.has(row.id))',
    replace: 'outOfUse',
    test: 'server/test/sealing/reseal.test.ts > secrets reseal > reports values that cannot be opened, seals the others, and keeps the key of those values',
  },
];
