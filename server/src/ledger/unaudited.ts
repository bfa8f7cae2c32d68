import type { Database, RawDatabase, Row, Transaction } from '../db/db.js';
import type { Mutation, Query } from '../db/sql.js';

interface Entry {
  /** The one file that may do these writes. */
  readonly by: string;
  /** The tables that it writes. */
  readonly tables: readonly string[];
  /** Why these writes are in no audit chain. */
  readonly because: string;
}

/**
 * Every write outside an audit chain. All other rows are written by `Writer`. A test compares the callers of `unaudited`
 * with this list.
 */
export const UNAUDITED = {
  leads: {
    by: 'features/leads/leads.ts',
    tables: ['leads'],
    because:
      'Leads are personal data of people without an account. They belong to no tenant, so no chain may name them.',
  },
  usage: {
    by: 'features/usage/meter.ts',
    tables: ['usage_months', 'recent_calls', 'api_keys'],
    because: 'Every call is counted, and an audit event for each would double the work of a read.',
  },
  'record counts': {
    by: 'features/overview/overview.ts',
    tables: ['record_counts', 'record_count_changes'],
    because: 'The job adds up the changes that triggers have recorded. The records themselves are audited.',
  },
  'expired rows': {
    by: 'jobs.ts',
    tables: [
      'spent_nonces',
      'one_time_codes',
      'idempotency_keys',
      'refresh_tokens',
      'sessions',
      'proof_pairing_sessions',
      'sso_requests',
      'demo_idp_codes',
      'leads',
    ],
    because: 'An expired row has no effect any more, so its deletion changes nothing for the tenant.',
  },
  'registration attempts': {
    by: 'features/registrations/registrations.ts',
    tables: ['registration_sessions'],
    because:
      'An attempt must stay counted when the request fails, and a failed request leaves no audit event. The last failure ends the session in an audited write.',
  },
  'sign-on requests': {
    by: 'features/sso/sso.ts',
    tables: ['sso_requests'],
    because: 'A state must stay spent when the sign-on fails. Its outcome is audited right after.',
  },
  'demo provider': {
    by: 'features/demo-idp/demo-idp.store.ts',
    tables: ['demo_idp_keys', 'demo_idp_codes'],
    because: 'The simulated identity provider belongs to no tenant, so it has no chain.',
  },
  anchoring: {
    by: 'features/anchors/worker.ts',
    tables: ['anchor_workers', 'anchor_batches', 'anchor_transactions', 'anchor_leaves'],
    because: 'A batch holds leaves of many tenants. The blockchain is the record of what was anchored.',
  },
  'head signatures': {
    by: 'features/audit/heads.ts',
    tables: ['audit_heads'],
    because:
      'After a rotation of the server secret the same heads are signed again. No event and no hash changes.',
  },
} as const satisfies Record<string, Entry>;

declare const reason: unique symbol;

/** Writes outside an audit chain, for that entry of the list alone. */
export interface UnauditedWrite<Name extends keyof typeof UNAUDITED> {
  readonly kind: Database['kind'];
  query<R extends object = Row>(statement: Query): Promise<R[]>;
  mutate<R extends object = Row>(statement: Mutation): Promise<R[]>;
  begin(): Promise<Transaction>;
  readonly [reason]: Name;
}

export function unaudited<Name extends keyof typeof UNAUDITED>(
  db: Database,
  _name: Name,
): UnauditedWrite<Name> {
  const raw = db as RawDatabase;
  return {
    kind: raw.kind,
    query: (statement: Query) => raw.query(statement),
    mutate: (statement: Mutation) => raw.query(statement),
    begin: () => raw.begin(),
  } as UnauditedWrite<Name>;
}
