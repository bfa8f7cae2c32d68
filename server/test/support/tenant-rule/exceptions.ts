import type { Sql } from '../../../src/db/sql.js';

const BATCHED_COUNTS =
  'On one machine, one statement counts the calls of all tenants. On several, each tenant has its own.';

interface Exception {
  /** A part of the statement as `plainText` returns it. */
  readonly which: string;
  readonly because: string;
}

/** Statements that belong to no tenant. */
export const EXCEPTIONS: readonly (Exception & {
  /** Only on a database on one machine. */
  readonly onOneMachine?: true;
})[] = [
  {
    which: 'ctid = any (array(select ctid from',
    because: 'On one machine, one statement deletes the expired rows of all tenants.',
    onOneMachine: true,
  },
  {
    which: 'select tenant_id as owner from',
    because:
      'Housekeeping finds the tenants of the rows that expired first on all machines, then deletes tenant by tenant.',
  },
  {
    which: ' as at from ',
    because: 'The gauge of housekeeping shows the oldest expired row of any tenant.',
  },
  {
    which: 'from usage_months u join tenants t on t.id = u.tenant_id and',
    because:
      'The job finds the accounts that crossed a share of their quota, then tells each in a write of its own.',
  },
  {
    which: 'from login_failures where hour < ? and recorded < failures',
    because:
      'The job finds the accounts whose failed log-ins are not all in the audit log, then adds them in a write of their own.',
  },
  {
    which: 'update webhooks set lease_id = null, lease_until = null where lease_until is not null',
    because: 'At the start of the only process, on an embedded database, which is on one machine.',
    onOneMachine: true,
  },
  {
    which: 'external_id is not nfc normalized order by',
    because: 'The check of an installation lists pairs of equal external ids of all tenants.',
  },
  {
    which: 'from webhooks t join audit_heads h on',
    because:
      'A node looks for webhooks of any tenant that have something to do, then serves each on its own.',
  },
  {
    which: 'from webhooks t join audit_events e on',
    because: 'The gauge of webhooks shows the oldest event of any tenant that waits.',
  },
  {
    which: 'as line (tenant_id, environment, user_id) join tenant_users u on',
    because: 'A start compares the erasures of all tenants with the database, a thousand at a time.',
  },
  {
    which: 'as followed (tenant_id, environment) join audit_heads h on',
    because: 'One query finds the chains that have grown, of all that streams and webhooks of a node follow.',
  },
  {
    which: 'as chain (tenant_id, environment) join audit_heads h on',
    because: 'On one machine, one statement locks the heads of all chains that share a transaction.',
    onOneMachine: true,
  },
  {
    which: 'update audit_heads h set',
    because: 'On one machine, one statement writes the new heads of all chains that share a transaction.',
    onOneMachine: true,
  },
  {
    which: 'select tenant_id from record_count_changes group by tenant_id',
    because: 'The job finds the tenants whose records changed, then counts tenant by tenant.',
  },
  {
    which: 'from audit_heads h left join leaf_chains l on',
    because: 'The job finds the chains whose identities may lack leaves, then adds them chain by chain.',
  },
  {
    which: 'from audit_heads h left join sealed_chains s on',
    because:
      'The job finds the chains that do not say yet that their records are sealed, then writes to them one by one.',
  },
  {
    which: 'from sealed_chains where (tenant_id, environment) > (?, ?)',
    because:
      'The command `records seal` goes through the chains of all tenants, then writes to them one by one.',
  },
  {
    which: 'from audit_heads h left join audit_trees t on',
    because: 'The job finds the chains of all tenants whose tree is behind, then signs it chain by chain.',
  },
  {
    which: 'select tenant_id, environment from audit_heads where key_id <>',
    because:
      'After a rotation of the server secret, lists the heads of all tenants that are to be signed again.',
  },
  {
    which: 'from audit_heads where (tenant_id, environment) > (?, ?)',
    because: 'The operator exports the heads of all tenants.',
  },
  {
    which: 'select distinct key_id from audit_heads',
    because: 'Finds out whether heads of any tenant are signed with a key that the server no longer has.',
  },
  {
    which: "'', 2) as key_id from",
    because:
      'A start, and the deletion of an old key, find out which keys the sealed values of any tenant need.',
  },
  {
    which: "'', 1) as key_id from spent_names",
    because: 'The deletion of an old key finds out which keys the names of erased people of any tenant need.',
  },
  {
    which: ' as sealed from ',
    because: 'Lists sealed values of all tenants that need an old key, then replaces them tenant by tenant.',
  },
  {
    which: 'from anchor_leaves where batch_id is null order by created_at, id limit',
    because: 'A batch holds leaves of many tenants, so the worker reads what waits on all machines.',
  },
  {
    which: '(select count(*) from anchor_leaves where batch_id is null) as waiting',
    because: 'The operator reads how many leaves wait, of any tenant.',
  },
  {
    which: 'salt, hash, batch_id from anchor_leaves where hub =',
    because: 'The worker and the integrity check read the leaves of a batch, which are of many tenants.',
  },
  {
    which: "select string_agg(hash, '' order by position) as hashes from anchor_leaves where hub =",
    because: 'A proof needs the hashes of all leaves of its batch, which are of many tenants.',
  },
  {
    which: 'from registration_sessions where state = any(',
    because: 'The job finds expired ceremonies on all machines, and closes each in a write of its tenant.',
  },
  {
    which: 'from registration_sessions t join tenants a on a.id = t.tenant_id where t.state =',
    because:
      'The job finds the recoveries of all tenants that are due, and ends each in a write of its tenant.',
  },
  {
    which:
      'select tenant_id, environment, user_id, state, (two_person or by_reception) as two_person, contested_at, confirmed_at from registration_sessions where id =',
    because: 'A phone without an API key names a recovery, and the recovery tells whose it is.',
  },
  {
    which: 'select tenant_id, environment, digest, match_hash from approvals where id =',
    because: 'A phone without an API key names an approval, and the approval tells whose it is.',
  },
  {
    which: "t.id from approvals t where t.state in ('', '') and t.expires_at <=",
    because: 'The job finds the approvals of all tenants whose time is over, then ends each on its own.',
  },
  {
    which: 'from sites t join tenants a on a.id = t.tenant_id and a.status in',
    because: 'The job finds the sites of all tenants, then deletes old working time of each on its own.',
  },
  {
    which: "t.id from attendance_corrections t where t.state = '' and t.expires_at <=",
    because: 'The job finds the corrections of all tenants whose time is over, then ends each on its own.',
  },
  {
    which: 'revision from approvals where id = any(',
    because: 'A node asks for the revisions of those that its requests wait for.',
  },
  {
    which: 'from oidc_keys t where t.state =',
    because: 'The job finds the keys of all tenants that are to be replaced, then changes each on its own.',
  },
  {
    which: 'from audit_heads h join tenants t on t.id = h.tenant_id where h.environment =',
    because: 'The worker finds the heads of all tenants that are to be anchored.',
  },
  {
    which: 'select l.identity_id from anchor_leaves l left join identities i',
    because: 'The integrity check of the anchors compares the identities of all tenants on their machines.',
  },
  {
    which: 'select distinct on (l.tenant_id, l.environment)',
    because: 'The integrity check of the anchors compares the heads of all tenants on their machines.',
  },
  {
    which: 'from identity_additions t join tenants a on',
    because: 'Phones without keys name an addition by its id alone.',
  },
  {
    which: 'from identity_additions where id = any(',
    because: 'One statement compares the states of all additions that requests wait for.',
  },
  {
    which: 'from proof_pairing_sessions t join tenants a on',
    because: 'Anybody may read the public state of a pairing, whose id says nothing about its tenant.',
  },
  {
    which:
      'select t.tenant_id, t.environment from devices t join tenants a on a.id = t.tenant_id where t.id =',
    because: 'A device that opens its session names only itself.',
  },
  {
    which: 'from devices t where t.id = any(',
    because: 'The streams of a node belong to devices of several tenants.',
  },
  {
    which: 'select tenant_id, environment from proof_pairing_sessions where id =',
    because: 'A phone without an API key names a pairing, and the pairing tells whose it is.',
  },
  {
    which: 'select distinct tenant_id from oidc_grants where logout_at <=',
    because:
      'The job finds the accounts with ended sign-ins whose clients are to be told, then serves each on its own.',
  },
  {
    which: 'from proof_pairing_sessions where id = any(',
    because:
      'A node asks once a second for the pairings that its streams watch, in one statement for all tenants.',
  },
  {
    which: 'as state from registration_sessions where id = any(',
    because:
      'A node asks once a second for the registrations that its streams watch, in one statement for all tenants.',
  },
  {
    which: 'as state from recent_calls where tenant_id = any(',
    because:
      'A node asks once a second for new calls of the accounts whose log its streams watch, in one statement for all.',
  },
  {
    which: "ctid >= (select ('' || greatest(0, pg_relation_size(",
    because: 'The privacy audit reads the newest rows of every table, or of every part of it.',
    onOneMachine: true,
  },
  {
    which: '("tenantid" uuid, environment text,',
    because: 'On one machine, one statement inserts the events of all chains that share a transaction.',
    onOneMachine: true,
  },
  { which: 'locked as ( select a.*, u.used from unnest', because: BATCHED_COUNTS, onOneMachine: true },
  {
    which: 'insert into usage_months as u (tenant_id, month, used) select tenant_id, month',
    because: BATCHED_COUNTS,
    onOneMachine: true,
  },
  {
    which: 'order by tenant_id, environment, hour, endpoint, status, key_id on conflict',
    because: BATCHED_COUNTS,
    onOneMachine: true,
  },
  {
    which: 'order by tenant_id, environment, minute, error on conflict',
    because: BATCHED_COUNTS,
    onOneMachine: true,
  },
  { which: 'key_id, error) select * from unnest(', because: BATCHED_COUNTS, onOneMachine: true },
  { which: 'with ranked as ( select tenant_id, id,', because: BATCHED_COUNTS, onOneMachine: true },
];

/** Transactions that may name several tenants: those with such a statement. */
export const SHARED_TRANSACTIONS: readonly (Exception & {
  /** Also on a database that is spread over several machines. */
  readonly spread?: true;
})[] = [
  {
    which: 'as chain (tenant_id, environment) join audit_heads h on',
    because: 'On one machine, writes of several chains share a transaction (docs/adr/0009-group-commit.md).',
  },
  {
    which: 'insert into anchor_batches',
    because: 'A batch holds leaves of many tenants. Either all of them are in it, or it does not exist.',
    spread: true,
  },
];

/** In lower case, with single spaces, `?` for each parameter, and without what is quoted. */
export const plainText = (text: string): string =>
  text
    .replace(/\$\d+/g, '?')
    .replace(/'(?:[^']|'')*'/g, "''")
    .replace(/\s+/g, ' ')
    .toLowerCase();

export function isExcepted(text: string, isSpread: boolean): boolean {
  const plain = plainText(text);
  return EXCEPTIONS.some(({ which, onOneMachine }) => plain.includes(which) && !(onOneMachine && isSpread));
}

export const maySpanTenants = (statements: readonly Sql[], isSpread: boolean): boolean =>
  SHARED_TRANSACTIONS.some(
    ({ which, spread }) =>
      (spread || !isSpread) && statements.some(({ text }) => plainText(text).includes(which)),
  );
