// A long history for an account: verification events and their audit chain.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { createKeyring } from '../../server/dist/base/crypto/keyring.js';
import { canonicalJson, linkHash, signHead } from '../../server/dist/ledger/audit-chain.js';
import { SECRET } from '../servers.mjs';

/** Fills the account's events and its audit chain up to this length, as the service would have done. */
export async function grow(databaseUrl, tenantId, upTo) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await growOver(client, tenantId, upTo);
  } finally {
    await client.end();
  }
}

async function growOver(client, tenantId, upTo) {
  const { rows: counted } = await client.query(
    'select count(*) + 1 as next from verifications where tenant_id = $1',
    [tenantId],
  );
  await client.query(
    `insert into verifications (tenant_id, environment, id, method, result, occurred_at, created_at)
     select $1::uuid, 'live', ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'manual', 'pass', now(), now()
     from generate_series($2::bigint, $3::bigint) as n`,
    [tenantId, counted[0].next, upTo],
  );
  const { rows: heads } = await client.query(
    `select seq, hash, last_at from audit_heads where tenant_id = $1 and environment = 'live'`,
    [tenantId],
  );
  let { seq, hash } = { seq: Number(heads[0].seq), hash: heads[0].hash };
  const at = heads[0].last_at.getTime();
  while (seq < upTo) {
    const rows = [];
    while (seq < upTo && rows.length < 5_000) {
      seq += 1;
      const event = {
        id: randomUUID(),
        seq,
        environment: 'live',
        actorType: 'api_key',
        actorId: tenantId,
        action: 'verification.created',
        entityType: 'verification',
        entityId: randomUUID(),
        status: 'success',
        summary: 'Verification event recorded',
        createdAt: new Date(at).toISOString(),
        metadata: { method: 'manual', result: 'pass' },
      };
      const canonical = canonicalJson(event);
      const prevHash = hash;
      hash = linkHash(prevHash, canonical);
      rows.push({ ...event, canonical, prevHash, hash });
    }
    await client.query(
      `insert into audit_events (tenant_id, environment, seq, id, actor_type, actor_id, action, entity_type, entity_id,
         status, summary, created_at, metadata, canonical, prev_hash, hash)
       select $1, e.environment, e.seq, e.id, e."actorType", e."actorId", e.action, e."entityType", e."entityId",
         e.status, e.summary, e."createdAt", e.metadata, e.canonical, e."prevHash", e.hash
       from json_to_recordset($2::json) as e (environment text, seq bigint, id uuid, "actorType" text, "actorId" text,
         action text, "entityType" text, "entityId" text, status text, summary text, "createdAt" timestamptz,
         metadata jsonb, canonical text, "prevHash" text, hash text)`,
      [tenantId, JSON.stringify(rows)],
    );
  }
  const { keyId, signature } = signHead(createKeyring(SECRET).current, tenantId, 'live', { seq, hash, at });
  await client.query(
    `update audit_heads set seq = $2, hash = $3, key_id = $4, signature = $5 where tenant_id = $1 and environment = 'live'`,
    [tenantId, seq, hash, keyId, signature],
  );
  await client.query('analyze');
}
