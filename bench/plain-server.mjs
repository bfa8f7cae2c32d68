// The server that bench/http.mjs and bench/records.mjs compare with: a straightforward implementation of three endpoints. Fastify, pg
// and snarkjs as in their documentation, a table each, no limits, quota or policy. Verifying writes no audit event. Recording an event
// does, in a chain of hashes under a lock, because otherwise it would be a different task.
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fastify from 'fastify';
import { SignJWT } from 'jose';
import pg from 'pg';
import * as snarkjs from 'snarkjs';
import { artifactFiles, artifactsFolder } from '../zk/dist/setup/artifacts.js';

const vkey = JSON.parse(readFileSync(artifactsFolder + artifactFiles.vkey, 'utf8'));
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });
const secret = new TextEncoder().encode(randomUUID() + randomUUID());

await pool.query(`
  create table api_keys (key_hash text primary key, tenant text not null);
  create table identities (tenant text, did text, commitment text not null, primary key (tenant, did));
  create table nonces (tenant text, nonce uuid, primary key (tenant, nonce));
  create table sessions (id uuid primary key, tenant text not null, did text not null, created_at timestamptz default now());
  create table verifications (tenant text, id uuid, method text, result text, user_id uuid, device_id uuid, reason text,
    confidence_score double precision, reference_id text, metadata json, occurred_at timestamptz,
    created_at timestamptz default now(), primary key (tenant, id));
  create table audit_heads (tenant text primary key, seq bigint not null, hash text not null);
  create table audit_events (tenant text, seq bigint, event json not null, prev_hash text not null, hash text not null,
    primary key (tenant, seq));
`);

const app = fastify();

app.post('/setup', async (request) => {
  const { key, did, commitment } = request.body;
  const hash = createHash('sha256').update(key).digest('hex');
  await pool.query('insert into api_keys values ($1, $2)', [hash, hash]);
  if (did) await pool.query('insert into identities values ($1, $2, $3)', [hash, did, commitment]);
  await pool.query('insert into audit_heads values ($1, 0, $2)', [hash, '00'.repeat(32)]);
  return {};
});

app.get('/api/health', async () => ({ status: 'ok' }));

async function tenantOf(request) {
  const key = String(request.headers.authorization).slice('Bearer '.length);
  const hash = createHash('sha256').update(key).digest('hex');
  const { rows } = await pool.query('select tenant from api_keys where key_hash = $1', [hash]);
  return rows[0]?.tenant;
}

app.post('/v1/verifications', async (request, reply) => {
  const tenant = await tenantOf(request);
  if (tenant === undefined) return reply.code(401).send({ error: 'invalid_api_key' });
  const { method, result, userId, deviceId, reason } = request.body;
  const client = await pool.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query(
      `insert into verifications (tenant, id, method, result, user_id, device_id, reason, occurred_at)
       values ($1, $2, $3, $4, $5, $6, $7, now()) returning *`,
      [tenant, randomUUID(), method, result, userId, deviceId, reason],
    );
    const { rows: heads } = await client.query('select * from audit_heads where tenant = $1 for update', [
      tenant,
    ]);
    const { seq, hash: prevHash } = heads[0];
    const event = {
      seq: Number(seq) + 1,
      action: 'verification.created',
      entityId: rows[0].id,
      at: new Date(),
    };
    const hash = createHash('sha256').update(prevHash).update(JSON.stringify(event)).digest('hex');
    await client.query('insert into audit_events values ($1, $2, $3, $4, $5)', [
      tenant,
      event.seq,
      JSON.stringify(event),
      prevHash,
      hash,
    ]);
    await client.query('update audit_heads set seq = $2, hash = $3 where tenant = $1', [
      tenant,
      event.seq,
      hash,
    ]);
    await client.query('commit');
    return reply.code(201).send({ verification: rows[0] });
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
});

app.get('/v1/verifications', async (request, reply) => {
  const tenant = await tenantOf(request);
  if (tenant === undefined) return reply.code(401).send({ error: 'invalid_api_key' });
  const { rows } = await pool.query(
    'select * from verifications where tenant = $1 order by id desc limit $2',
    [tenant, Number(request.query.limit)],
  );
  return { verifications: rows };
});

app.post('/v1/identity/verify', async (request, reply) => {
  const tenant = await tenantOf(request);
  if (tenant === undefined) return reply.code(401).send({ error: 'invalid_api_key' });
  const { did, proof, publicSignals, nonce, timestamp } = request.body;
  const { rows } = await pool.query('select commitment from identities where tenant = $1 and did = $2', [
    tenant,
    did,
  ]);
  const isKnown = rows.length === 1 && BigInt(`0x${rows[0].commitment}`) === BigInt(publicSignals[0]);
  const isFresh = Math.abs(Date.now() - timestamp) < 300_000;
  if (!isKnown || !isFresh || !(await snarkjs.groth16.verify(vkey, publicSignals, proof))) {
    return reply.code(401).send({ error: 'verification_failed' });
  }
  const spent = await pool.query('insert into nonces values ($1, $2) on conflict do nothing', [
    tenant,
    nonce,
  ]);
  if (spent.rowCount === 0) return reply.code(401).send({ error: 'verification_failed' });
  const sessionId = randomUUID();
  await pool.query('insert into sessions (id, tenant, did) values ($1, $2, $3)', [sessionId, tenant, did]);
  const accessToken = await new SignJWT({ sid: sessionId, did })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('1h')
    .sign(secret);
  return { accessToken, sessionId, did };
});

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
