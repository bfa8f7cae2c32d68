import { sql } from '../../db/sql.js';
import { type Read, within } from '../../ledger/write.js';

/**
 * What the applications of this environment read of people: `email`, and paths in their metadata. Reads `oidc_clients`, although the
 * OpenID Provider owns it: that feature imports this one.
 */
export async function listClaimPaths(read: Read): Promise<ReadonlySet<string>> {
  const rows = await read.query<{ claims: string[]; custom_claims: Record<string, string> }>(
    sql.query`select claims, custom_claims from oidc_clients where ${within(read.scope)}`,
  );
  const paths = rows.flatMap(({ claims, custom_claims }) => [
    ...claims.filter((claim) => claim === 'email'),
    ...Object.values(custom_claims),
  ]);
  return new Set(paths);
}
