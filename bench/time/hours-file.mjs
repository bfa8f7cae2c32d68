// The file of one site's month (`format=svc-hours`), with 500 people and 44,000 punches that phones proved: writing it, and checking it as
// `svc time verify` does. Time, processor time of the node and of PostgreSQL, and the memory of the checker. Making so many proofs would
// take hours, so the punches share the points of a few, and the checker verifies those with their own signals, as many as the file has.
// Everything else is as the service writes it. Needs a build, and Linux for the processor time. BENCH_PEOPLE=<n>.
import { spawnSync } from 'node:child_process';
import { hash, randomBytes, randomUUID } from 'node:crypto';
import {
  createReadStream,
  createWriteStream,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { openBuckets } from '../../cli/dist/checks/buckets.js';
import { openProofThreads } from '../../cli/dist/checks/proof-threads.js';
import { secondsOf, sessionSeconds } from '../../scripts/testing/cpu.mjs';
import { verifyHours } from '../../sdk/dist/hours.js';
import { createKeyring } from '../../server/dist/base/crypto/keyring.js';
import { canonicalEvent, linkHash, signHead } from '../../server/dist/ledger/audit-chain.js';
import { canonicalJson } from '../../zk/dist/approvals/canonical-json.js';
import { attendBind, boundSignal, didHash } from '../../zk/dist/field.js';
import { poseidon3 } from '../../zk/dist/poseidon.js';
import { SEALED_FIELDS } from '../../zk/dist/records/kinds.js';
import { sealOf } from '../../zk/dist/records/seal.js';
import { attendanceDigest } from '../../zk/dist/time/statement.js';
import { parseProof } from '../../zk/dist/verifier/proof.js';
import { createPhoneProver, size, withService } from '../harness.mjs';
import { bearer, call, SECRET } from '../servers.mjs';
import { codeAt, employ, openSite, scan } from './site.mjs';

const PEOPLE = size('PEOPLE', 500);
const PROMISED_SECONDS = 30;
const DAYS = 22;
const PROOFS = 16;
const ROWS_AT_ONCE = 2_000;
/** 06:40, 11:00, 11:30 and 15:30 in UTC. */
const ACTS = [
  ['check_in', 'work', 400],
  ['check_out', 'break', 660],
  ['check_in', 'break', 690],
  ['check_out', 'work', 930],
];
const sha256 = (bytes) => hash('sha256', bytes, 'hex');

/** The month after this one: entries of a chain never get older. */
function nextMonth() {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)).toISOString().slice(0, 7);
}

/** Acts of all people in the order of their times. */
function* punchesOf(month, people) {
  for (let day = 0; day < DAYS; day += 1)
    for (const [type, reason, minute] of ACTS)
      for (const [at, person] of people.entries()) {
        const start = Date.parse(`${month}-01T00:00:00.000Z`) + (day * 1_440 + minute) * 60_000;
        yield {
          person,
          type,
          reason,
          time: new Date(start + Math.floor((at * 20 * 60_000) / people.length)),
        };
      }
}

/** Writes punches as the service does, with their entries, in the order of their times. */
async function fill(client, { account, shown, people, proofs, month }) {
  const { tenantId, site, desk } = account;
  const scope = { tenantId, environment: 'live' };
  const { issuer, company, place } = shown;
  const { rows: heads } = await client.query(
    `select seq, hash from audit_heads where tenant_id = $1 and environment = 'live'`,
    [tenantId],
  );
  let [{ seq, hash: before }] = heads;
  seq = Number(seq);
  let number = 0;
  let at;
  let rows = { attendance: [], attendance_proofs: [], audit_events: [] };
  const flush = async () => {
    for (const [table, values] of Object.entries(rows))
      await client.query(
        `insert into ${table} select (json_populate_record(null::${table}, value)).* from json_array_elements($1::json) as value`,
        [JSON.stringify(values)],
      );
    rows = { attendance: [], attendance_proofs: [], audit_events: [] };
  };
  for (const { person, type, reason, time } of punchesOf(month, people)) {
    at = time.toISOString();
    const [id, nonce] = [randomUUID(), randomUUID()];
    const statement = {
      ...{ v: 1, issuer, tenant: tenantId, environment: 'live', company, type, reason },
      ...{ activity: null, contract: null, mode: 'desk', place, scannedAt: at, nonce },
    };
    const digest = attendanceDigest(statement);
    const bound = boundSignal(didHash(person.did), attendBind({ ...scope, nonce, digest }));
    const publicSignals = [
      person.commitmentSignal,
      String(bound),
      String(poseidon3(person.biometricSecret, person.salt, bound)),
    ];
    const proof = { proof: proofs[number % PROOFS].proof, publicSignals };
    const record = {
      ...{ id, environment: 'live', userId: person.userId, type, reason, activity: null, mode: 'desk' },
      ...{ evidence: 'proved', siteId: site.id, deviceId: desk.id, verificationId: null, correctionId: null },
      ...{
        result: 'accepted',
        metadata: null,
        occurredAt: at,
        createdAt: at,
        contestedAt: null,
        voidedBy: null,
      },
    };
    const salts = { facts: randomBytes(16).toString('hex'), text: randomBytes(16).toString('hex') };
    const n = SEALED_FIELDS.attendance.length;
    const { seal } = sealOf({ kind: 'attendance', n, record, salts }, sha256);
    [seq, number] = [seq + 1, number + 1];
    const event = {
      ...{ id: randomUUID(), seq, environment: 'live', actorType: 'phone', actorId: person.userId },
      ...{ action: 'attendance.created', entityType: 'attendance', entityId: id, status: 'success' },
      ...{ summary: 'A check-in or check-out was recorded', createdAt: at },
      metadata: {
        type,
        reason,
        at,
        evidence: 'proved',
        codeId: desk.id,
        siteId: site.id,
        period: month,
        number,
        seal,
      },
    };
    const canonical = canonicalEvent(event);
    const own = linkHash(before, canonical);
    const of = { tenant_id: tenantId, environment: 'live' };
    rows.attendance.push({
      ...{
        ...of,
        id,
        user_id: person.userId,
        type,
        reason,
        mode: 'desk',
        evidence: 'proved',
        site_id: site.id,
      },
      ...{ device_id: desk.id, result: 'accepted', occurred_at: at, created_at: at, seal_n: n },
      ...{ facts_salt: salts.facts, text_salt: salts.text },
    });
    rows.attendance_proofs.push({
      ...{ ...of, attendance_id: id, user_id: person.userId, identity_id: randomUUID(), nonce, digest },
      ...{
        statement: canonicalJson(statement),
        did: person.did,
        circuit: 'identity_proof',
        proof,
        created_at: at,
      },
    });
    rows.audit_events.push({
      ...{ ...of, seq, id: event.id, actor_type: 'phone', actor_id: person.userId, action: event.action },
      ...{
        entity_type: 'attendance',
        entity_id: id,
        status: 'success',
        summary: event.summary,
        created_at: at,
      },
      ...{ metadata: event.metadata, canonical, prev_hash: before, hash: own },
    });
    before = own;
    if (rows.attendance.length === ROWS_AT_ONCE) await flush();
  }
  await flush();
  const head = signHead(createKeyring(SECRET).current, tenantId, 'live', {
    seq,
    hash: before,
    at: Date.parse(at),
  });
  await client.query(
    `update audit_heads set seq = $2, hash = $3, last_at = $4, key_id = $5, signature = $6
      where tenant_id = $1 and environment = 'live'`,
    [tenantId, seq, before, at, head.keyId, head.signature],
  );
  for (const table of Object.keys(rows)) await client.query(`vacuum analyze ${table}`);
  return number;
}

/** Some valid proofs. */
async function makeProofs(person) {
  const prove = await createPhoneProver();
  const proofs = [];
  for (let at = 0; at < PROOFS; at += 1) proofs.push(await prove(person, BigInt(at + 1)));
  return proofs;
}

async function measure(baseUrl, pid, databaseUrl) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const account = await openSite(baseUrl);
    const scopes = ['attendance:read', 'identity:read', 'audit:read'];
    const wanted = { name: 'Hours', environment: 'live', scopes };
    const { apiKey } = await call(baseUrl, 'POST', '/api/console/keys', bearer(account.token), wanted);
    const people = [];
    for (let at = 0; at < PEOPLE; at += 1) {
      const person = await employ(baseUrl, account);
      people.push({ ...person, commitmentSignal: String(BigInt(`0x${person.commitment}`)) });
    }
    const [first] = people;
    const proofs = await makeProofs(first);
    const shown = await scan(baseUrl, await codeAt(baseUrl, account));
    const month = nextMonth();
    const punches = await fill(client, { account, shown, people, proofs, month });
    const file = join(folder, 'month.jsonl');
    writeFileSync(join(folder, 'proofs.json'), JSON.stringify(proofs));
    const database = new URL(databaseUrl).pathname.slice(1);
    const cpu = () => [secondsOf(pid), sessionSeconds(database)];
    const url = `${baseUrl}/v1/attendance/sheets?siteId=${account.site.id}&month=${month}&format=svc-hours`;
    let reply = await fetch(url, { headers: bearer(apiKey.key) });
    // The tree over so many new entries takes longer than a request waits for it.
    while (reply.status === 503) reply = await fetch(url, { headers: bearer(apiKey.key) });
    if (!reply.ok) throw new Error(`The file returned ${reply.status} ${await reply.text()}.`);
    await reply.body.cancel();
    const [began, before] = [performance.now(), cpu()];
    const body = (await fetch(url, { headers: bearer(apiKey.key) })).body;
    await pipeline(Readable.fromWeb(body), createWriteStream(file));
    const seconds = (performance.now() - began) / 1_000;
    const after = cpu();
    const written = { seconds, node: after[0] - before[0], postgres: after[1] - before[1] };
    const self = fileURLToPath(import.meta.url);
    const { stdout, stderr, status } = spawnSync(process.execPath, [self, '--check', folder], {
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`The check failed: ${stdout}${stderr}`);
    return { punches, bytes: statSync(file).size, written, checked: JSON.parse(stdout) };
  } finally {
    await client.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Checks a file in a process of its own, as `svc time verify` does. */
async function check(folder) {
  const file = join(folder, 'month.jsonl');
  const valid = JSON.parse(readFileSync(join(folder, 'proofs.json'), 'utf8')).map(
    ({ proof, publicSignals }) => parseProof(proof, publicSignals).parsed,
  );
  const began = performance.now();
  let threads;
  const verdict = await verifyHours(createReadStream(file), {
    allowDevelopmentKeys: true,
    digest: sha256,
    store: openBuckets(statSync(file).size / 3),
    async createVerifier(vkey) {
      threads = await openProofThreads(vkey);
      return { verifyBatch: (batch) => threads.verifyBatch(batch.map((_, at) => valid[at % valid.length])) };
    },
  });
  await threads.close();
  // The first thread of a process has its number.
  const [nanoseconds] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
  if (!verdict.ok) throw new Error(JSON.stringify(verdict).slice(0, 2_000));
  const { user, system } = process.cpuUsage();
  return {
    seconds: (performance.now() - began) / 1_000,
    cpu: (user + system) / 1e6,
    main: Number(nanoseconds) / 1e9,
    memory: process.resourceUsage().maxRSS / 1024,
    proved: verdict.counts.proved,
  };
}

if (process.argv[2] === '--check') {
  console.log(JSON.stringify(await check(process.argv[3])));
} else {
  const { punches, bytes, written, checked } = await withService(measure);
  console.log(
    `The file of ${PEOPLE} people and ${punches} punches has ${(bytes / 1e6).toFixed(0)} MB. Promised are ${PROMISED_SECONDS} s for 44,000.`,
  );
  console.table({
    writing: {
      seconds: written.seconds.toFixed(1),
      'CPU, s': written.node.toFixed(1),
      'CPU of PostgreSQL, s': written.postgres.toFixed(1),
    },
    checking: {
      seconds: checked.seconds.toFixed(1),
      'CPU, s': checked.cpu.toFixed(1),
      'of it in the first thread, s': checked.main.toFixed(1),
      'memory, MB': checked.memory.toFixed(0),
    },
  });
  process.exit(written.seconds + checked.seconds > PROMISED_SECONDS && punches >= 44_000 ? 1 : 0);
}
