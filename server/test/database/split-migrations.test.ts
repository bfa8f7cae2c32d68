// @module-tag if-touched @core docs/operating.md: every migration, whole and in parts
import { afterEach, describe, expect, it } from 'vitest';
import type { RawDatabase } from '../../src/db/db.js';
import { MigrationMismatchError, migrate, readMigrations } from '../../src/db/migrate.js';
import { schemaText } from '../../src/db/schema-text.js';
import { SPLIT_MIGRATIONS } from '../../src/db/split-migrations.js';
import { sql } from '../../src/db/sql.js';
import { emptyDatabase, migrationsFolder } from '../support/database.js';

/** The files of commit 1432bbf with their checksums, before some of them were split. */
const FILES_OF_1432BBF: readonly (readonly [name: string, checksum: string])[] = [
  ['0001_foundation', 'e8037779841fb3c6733f1eb053f5b1884de79f83a20baceaee8fec3cad3f16ca'],
  ['0002_ceremonies', '862249fb84b2c6fb9155da38bc42490a038fd30084fdf8c5aa24ad94684dcad8'],
  ['0003_proof_pairing', 'fdc1a53ccd45d2a3c52860c2e7c6f9fd5124821e09522957a9b74e8cad25a08c'],
  ['0004_sso', 'd12b7bdbf4a8673998be046800d02386f86a4aa5b05b9ac4a2eb43f1d2728b78'],
  ['0005_leads', 'f502936bf0062316df3156c0e22cfe63fec70490383e0292ada45fbf0ba225f8'],
  ['0006_quota_leases', '5b7038dc46f8bc822a9cdc17c6dd959509f40f4cd3263d9de5b3f35a474c5f74'],
  ['0007_anchors', '6c03dd8d90b2179db5a16ff7d0aede8656993bc3d510c073a64857199ed818b3'],
  ['0008_failed_tries', 'd8cf3209e6f915a97b5a49ed756727758c2a9ef3cb83afcbec31d281fb783afe'],
  ['0009_sso_identities', '8fcabe7615ae2abd21b7c6ee9603d50628be093a3d13be26118fca00fd6fbf7e'],
  ['0010_refresh_tokens_retry', 'cb4908b3f81d9f3f69f8be225acd7fa2ef83cc07e038c3757d25d2b95fa9667a'],
  ['0011_pairings_sealed', 'e015cbd4cab2f0b12eef086dd6fb6883d182319fe058d45b57b75231197970b8'],
  ['0012_count_devices', 'a0300742aed0319badd986a783163957726043caf766a2a6b8674f9cce0514d6'],
  ['0013_count_tenant_users', '4aedd6103e665c8c5d8cd17600ef5514114d44d23eb73576d077c1004ea5b052'],
  ['0014_count_verifications', '3c48db1bf7b3aa429076018ef105460a9e721d4ff91d72b8265925d14c0d53bf'],
  ['0015_count_attendance', '3d260f30b44a029c292043ebb342b1fa8e9f8f19ff4013d05230c55d13db0311'],
  ['0016_filters', '27d20745f4b723a21256baa805f4df04ec51cf94ec23d36da8ffa21b87848f66'],
  ['0017_hash_checks', '45acd093e58656f24daeb9e60b9ee9d715c4baa9138ca21818bdea8a1f83441c'],
  ['0018_spread', '9c89af45de10a2110b305dc3eb6d320dfb75d4eb4ee652c79270dbf0ae0a6bc7'],
  ['0019_search', '080649418308f4695e4365da43ce3b9ef469ca2244de8129ee40f888a909f62a'],
  ['0020_console_data', '93d04286e982a6347fb3d08b414386892646f887d36109eed90e565c1befb6c1'],
  ['0021_console_records', 'd4e00c8f19dc73c00010aab2c7bbe6626a1f16ddfb614917c7997b937991a611'],
  ['0022_pairing_relay', '6a93472f66308f28f7a18c8168e11ac2f4be7467e1640e82f65716ffb8a01ed3'],
  ['0023_webhooks', 'c355c1d1738c64ab0fcdd558d3d16b84a5b7bab7f5bf692ced98941c3ff19e69'],
  ['0024_openid_provider', '9d695abda9d8e94c4af0dceaf738207d0cbfc6ffbe5db00ee830f4c204c0e211'],
];

const files = await readMigrations(migrationsFolder);
const upTo = (number: string) => files.filter(({ name }) => name.slice(0, 4) <= number);
const LAST = '0024';

let db: RawDatabase;
afterEach(() => db.close());

/** A database that version 1432bbf migrated up to that file. The parts of a file make the same schema as the whole. */
async function openEarlier(number = LAST): Promise<void> {
  ({ db } = await emptyDatabase());
  await migrate(db, upTo(number));
  const records = FILES_OF_1432BBF.filter(([name]) => name.slice(0, 4) <= number);
  await db.script(`delete from schema_migrations; insert into schema_migrations (name, checksum)
    values ${records.map(([name, checksum]) => `('${name}', '${checksum}')`).join(', ')}`);
}
const recorded = async () =>
  (await db.query<{ name: string }>(sql`select name from schema_migrations order by 1`)).map(
    ({ name }) => name,
  );
const allNames = [...files, ...SPLIT_MIGRATIONS].map(({ name }) => name).sort();

describe('a database of version 1432bbf, which had whole files', () => {
  it('gets the records of their parts, and no change of its schema', async () => {
    await openEarlier();
    const schema = await schemaText(db);
    expect(await migrate(db, upTo(LAST))).toEqual([]);
    expect(await recorded()).toEqual(allNames.filter((name) => name.slice(0, 4) <= LAST));
    expect(await schemaText(db)).toBe(schema);
  });

  it('that has some of the files gets the parts of the others', async () => {
    await openEarlier('0015');
    expect(await migrate(db, files)).toEqual(
      files.map(({ name }) => name).filter((name) => name.slice(0, 4) > '0015'),
    );
    expect(await recorded()).toEqual(allNames);
    const earlier = await schemaText(db);
    await db.close();
    ({ db } = await emptyDatabase());
    await migrate(db, files);
    expect(earlier).toBe(await schemaText(db));
  });

  it('that applied a changed file is rejected', async () => {
    await openEarlier();
    await db.query(sql`update schema_migrations set checksum = 'another' where name = '0016_filters'`);
    await expect(migrate(db, files)).rejects.toThrow(MigrationMismatchError);
    await expect(migrate(db, files)).rejects.toThrow('0016_filters');
  });
});

it('a database that has only the parts also has the records that version 1432bbf looks for', async () => {
  ({ db } = await emptyDatabase());
  await migrate(db, files);
  const rows = await db.query<{ name: string; checksum: string }>(
    sql`select name, checksum from schema_migrations`,
  );
  const records = new Map(rows.map(({ name, checksum }) => [name, checksum]));
  for (const [name, checksum] of FILES_OF_1432BBF)
    expect([name, records.get(name)]).toEqual([name, checksum]);
  for (const { name, last } of SPLIT_MIGRATIONS) expect(last).toBe(upTo(name.slice(0, 4)).at(-1)?.name);
});
