import { describe, expect, it } from 'vitest';
import { readStatements, sources, tablesWritten } from '../../test/support/statements.js';
import { UNAUDITED } from '../ledger/unaudited.js';
import { TABLES, tableNamed } from './tables.js';

const statements = readStatements();

const filesWith = (pattern: RegExp): string[] =>
  [...sources].filter(([, source]) => pattern.test(source)).map(([file]) => file);

/** What else writes tables, and why. */
const EXCEPTIONS: readonly { by: string; tables: readonly string[]; because: string }[] = [
  {
    by: 'features/proofs/verification.store.ts',
    tables: ['identities', 'verifications'],
    because: 'The steps of a verification are one decision (docs/adr/0034-one-way-to-settle.md).',
  },
  {
    by: 'features/sso/sso.store.ts',
    tables: ['refresh_tokens', 'sessions', 'tenant_users', 'verifications'],
    because: 'One statement decides a sign-on, for the same reasons.',
  },
  {
    by: 'features/usage/tenant-usage.store.ts',
    tables: ['recent_calls', 'usage_months'],
    because: 'The same writes as in usage.store.ts, tenant by tenant for a spread database.',
  },
  {
    by: 'features/sealing/sealing.store.ts',
    tables: ['?'],
    because: 'The command `secrets reseal` encrypts the values of every sealed column with another key.',
  },
  {
    by: 'features/seals/later.store.ts',
    tables: ['?'],
    because:
      'The command `records seal` gives the records of each kind that have no seal what theirs is made of.',
  },
  {
    by: 'features/webhooks/worker/deliveries.store.ts',
    tables: ['webhook_retries', 'webhooks'],
    because:
      'The node that serves a webhook records how far it has come. What a tenant changes is in webhooks.store.ts.',
  },
  {
    by: 'features/openid-provider/clients/clients.store.ts',
    tables: ['oidc_grants', 'oidc_state'],
    because:
      'Deleting a client ends its grants in the same write. The provider imports clients, so clients cannot import it.',
  },
  {
    by: 'db/account-rows.ts',
    tables: ['?'],
    because: 'The job deletes the rows that a closed account has in any table.',
  },
  {
    by: 'db/expiry.ts',
    tables: ['?'],
    because: "The job deletes the expired rows of every table that its feature's `Expiry` names.",
  },
];

describe('the statements of the sources', () => {
  it('are mutations if they write, and otherwise queries or parts of a statement', () => {
    const wrong = statements
      // It ends with the statement that it gets, which is a mutation by its type.
      .filter(({ text }) => !text.trimEnd().endsWith(') ?'))
      .filter(({ tag, text }) => tablesWritten(text).length > 0 !== (tag === 'sql.mutation'));
    expect(wrong).toEqual([]);
  });

  it('write a table in the one file that owns it, or have a reason', () => {
    const found = statements.flatMap(({ file, text }) =>
      tablesWritten(text)
        .filter((table) => tableNamed(table)?.owner !== file)
        .map((table) => `${file} ${table}`),
    );
    const allowed = EXCEPTIONS.flatMap(({ by, tables }) => tables.map((table) => `${by} ${table}`));
    expect([...new Set(found)].sort()).toEqual(allowed.sort());
    const written = new Set(statements.flatMap(({ text }) => tablesWritten(text)));
    expect(Object.keys(TABLES).filter((table) => !written.has(table))).toEqual([]);
  });

  it('delete the expired rows of the tables that have some', () => {
    const declared = [...sources.values()].flatMap((source) =>
      [...source.matchAll(/\btable: sql`(\w+)`,(?:\s+key: [^,]+,)?\s+column: sql`\w+`,\s+before:/g)].map(
        ([, name]) => name,
      ),
    );
    const expiring = Object.entries(TABLES).filter(([, table]) => 'expires' in table);
    expect([...new Set(declared)].sort()).toEqual(expiring.map(([name]) => name).sort());
  });

  it('that no audit event covers are those of the list, each in its file', () => {
    const callers = [...sources].flatMap(([file, source]) =>
      [...source.matchAll(/\bunaudited\(\s*[\w.]+,\s*'([^']+)'/g)].map(([, name]) => `${name}: ${file}`),
    );
    const listed = Object.entries(UNAUDITED).map(([name, { by }]) => `${name}: ${by}`);
    expect([...new Set(callers)].sort()).toEqual(listed.sort());
    const calls = [...sources.values()].join('\n').match(/(?<!function )\bunaudited\(/g) ?? [];
    expect(callers).toHaveLength(calls.length);
  });

  it('pass the types in no other way', () => {
    const cast = /\bas (unknown as )?(Query|Mutation|Write|TenantWrite|UnauditedWrite|RawDatabase)\b/;
    expect(filesWith(cast)).toEqual(['ledger/pending-write.ts', 'ledger/unaudited.ts']);
    expect(filesWith(/\bRawDatabase\b/)).toEqual([
      'app.ts',
      'bin/commands.ts',
      'bin/operate.ts',
      'bin/scale.ts',
      'db/citus/machines.ts',
      'db/db.ts',
      'db/embedded.ts',
      'db/migrate.ts',
      'db/pg.ts',
      'db/pglite.ts',
      'ledger/machine-queue.ts',
      'ledger/unaudited.ts',
      'ledger/writer.ts',
    ]);
    expect(filesWith(/\.begin\(\)/)).toEqual([
      'features/anchors/anchors.store.ts',
      'features/audit/heads.ts',
      'ledger/machine-queue.ts',
      'ledger/unaudited.ts',
      'ledger/writer.ts',
    ]);
    expect(filesWith(/\.script\(/)).toEqual(['bin/scale.ts', 'db/migrate.ts']);
    expect(filesWith(/[^.\w]raw\(/)).toEqual(['db/sql.ts', 'features/admin/admin.store.ts']);
  });
});

describe('the check of the statements', () => {
  it.each([
    ['select 1 for update', []],
    ['select updated_at from devices where status = ?', []],
    ['with a as (update t set x = ? returning id) select id from a', ['t']],
    ['insert into t as u (a) values (?) on conflict (a) do update set a = ?', ['t']],
    ['update t x set a = ? from u', ['t']],
    ['delete  from t where a = ?', ['t']],
    ['update ? set ? = null', ['?']],
    ['truncate t', ['t']],
  ])('finds what %s writes', (text, tables) => {
    expect(tablesWritten(text)).toEqual(tables);
  });
});
