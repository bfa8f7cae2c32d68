// The yardstick of bench/http.mjs: the verify endpoint as one would write it in an afternoon. Fastify, pg and snarkjs as
// their pages show them; one key table, one nonce table, one session table; no limits, no audit, no policy.
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fastify from 'fastify';
import { SignJWT } from 'jose';
import pg from 'pg';
import * as snarkjs from 'snarkjs';
import { artifactFiles, artifactsFolder } from '../zk/dist/artifacts.js';

const vkey = JSON.parse(readFileSync(artifactsFolder + artifactFiles.vkey, 'utf8'));
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });
const secret = new TextEncoder().encode(randomUUID() + randomUUID());

await pool.query(`
  create table api_keys (key_hash text primary key, tenant text not null);
  create table identities (tenant text, did text, commitment text not null, primary key (tenant, did));
  create table nonces (tenant text, nonce uuid, primary key (tenant, nonce));
  create table sessions (id uuid primary key, tenant text not null, did text not null, created_at timestamptz default now());
`);

const app = fastify();

app.post('/setup', async (request) => {
  const { key, did, commitment } = request.body;
  const hash = createHash('sha256').update(key).digest('hex');
  await pool.query('insert into api_keys values ($1, $2)', [hash, hash]);
  await pool.query('insert into identities values ($1, $2, $3)', [hash, did, commitment]);
  return {};
});

app.get('/api/health', async () => ({ status: 'ok' }));

app.post('/v1/identity/verify', async (request, reply) => {
  const key = String(request.headers.authorization).slice('Bearer '.length);
  const hash = createHash('sha256').update(key).digest('hex');
  const { rows: keys } = await pool.query('select tenant from api_keys where key_hash = $1', [hash]);
  if (keys.length === 0) return reply.code(401).send({ error: 'invalid_api_key' });
  const { tenant } = keys[0];
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
