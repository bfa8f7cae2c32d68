import type { RawDatabase, Transaction } from '../../../src/db/db.js';
import type { Sql } from '../../../src/db/sql.js';
import { loadParser, readTenants } from './check.js';
import { isExcepted, maySpanTenants } from './exceptions.js';
import { unsealedIn } from './seals.js';

/** A statement of the sources that does not keep to one tenant, or writes a record without its seal. */
class TenantRuleError extends Error {
  override readonly name = 'TenantRuleError';
}

/** Errors since the last call. A job logs an error instead of failing its test, so `setup.ts` looks here after each test. */
let errors: TenantRuleError[] = [];
export function takeErrors(): TenantRuleError[] {
  const taken = errors;
  errors = [];
  return taken;
}

function report(reason: string, statements: readonly Sql[]): never {
  const error = new TenantRuleError(`${reason}:\n${statements.map(({ text }) => text).join(';\n')}`);
  errors.push(error);
  throw error;
}

/** The tenants that a statement names: none or one. */
function tenantsIn(statement: Sql, spread: boolean): readonly unknown[] {
  const unsealed = unsealedIn(statement);
  if (unsealed.length > 0) report(unsealed.join('; '), [statement]);
  const { faults, tenants } = readTenants(statement.text);
  if (faults.length === 0 && tenants.length === 0) return [];
  if (isExcepted(statement.text, spread)) return [];
  if (faults.length > 0)
    report(faults.map(({ table, reason }) => `${table}: ${reason}`).join('; '), [statement]);
  const named = [...new Set(tenants.map((number) => statement.values[number - 1]))];
  if (named.length > 1) report('the statement names several tenants', [statement]);
  // Null matches no row. A statement that decides about an unknown code runs all the same, to take as long.
  return named.filter((tenant) => tenant !== null);
}

/**
 * The database with every statement held to the rule that it names one tenant, and every transaction too, and that what it writes of
 * a record is sealed. For the code under
 * test; what a test itself asks of the database is free.
 */
export async function holdToTenants(db: RawDatabase): Promise<RawDatabase> {
  await loadParser();
  const { isSpread } = db;
  const wrap = (tx: Transaction): Transaction => {
    const sent: Sql[] = [];
    const tenants = new Set<unknown>();
    const check = (statements: readonly Sql[]) => {
      sent.push(...statements);
      for (const statement of statements)
        for (const tenant of tenantsIn(statement, isSpread)) tenants.add(tenant);
      if (tenants.size > 1 && !maySpanTenants(sent, isSpread))
        report('the transaction names several tenants', sent);
    };
    return {
      async send(statements) {
        try {
          check(statements);
        } catch (failure) {
          return { rows: [], failure };
        }
        return tx.send(statements);
      },
      async commit(statements) {
        try {
          check(statements);
        } catch (error) {
          await tx.rollback();
          throw error;
        }
        await tx.commit(statements);
      },
      rollback: () => tx.rollback(),
    };
  };
  return {
    ...db,
    async query<R extends object>(statement: Sql) {
      tenantsIn(statement, isSpread);
      return db.query<R>(statement);
    },
    begin: async () => wrap(await db.begin()),
  };
}
