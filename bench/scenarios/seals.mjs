// Comparing records with the audit chain offline: `svc audit verify --records` with sealed check-ins, beside the same chain alone and beside
// reading and hashing the same lines. Then its memory with a fifth of them. Of each, the least processor time of all rounds counts, because other
// programs on the same cores only add to it. Needs a build. BENCH_ROWS=<n> check-ins, BENCH_ROUNDS=<n>.
import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createKeyring } from '../../server/dist/base/crypto/keyring.js';
import { canonicalEvent, genesisHash, linkHash, signHead } from '../../server/dist/ledger/audit-chain.js';
import { sealOf } from '../../zk/dist/records/seal.js';
import { row, size } from '../harness.mjs';

const ROWS = size('ROWS', 200_000);
const ROUNDS = size('ROUNDS', 3);
const PROMISED = 50_000;
/** For any number of records. Most of it is what the garbage collector has not yet collected. */
const PROMISED_MB = 256;
const LINES_AT_ONCE = 500;

const SVC = fileURLToPath(new URL('../../cli/dist/main.js', import.meta.url));
/** Writes what the process has used, to the fourth of its files. */
const PROBE = `data:text/javascript,import{writeSync}from'node:fs';
process.on('exit',()=>writeSync(3,JSON.stringify(process.resourceUsage())))`;

const TENANT = '01890000-0000-7000-8000-000000000001';
const DEVICE = '01890000-0000-7000-8000-000000000002';
const SCOPE = { environment: 'live' };
const BEGAN = Date.parse('2025-01-06T08:00:00.000Z');
const keys = createKeyring('the secret of a benchmark, as long as a secret must be').current;
const digest = (bytes) => hash('sha256', bytes, 'hex');

/** An id as a server makes it at that time. What is random in others is a hash of its number. */
function idAt(at, what) {
  const digits = hash('sha256', what, 'hex');
  const time = at.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${digits.slice(0, 3)}-8${digits.slice(3, 6)}-${digits.slice(6, 18)}`;
}

/** A line of an export of check-ins, and its seal. */
function checkIn(n) {
  const at = BEGAN + n * 1000;
  const time = new Date(at).toISOString();
  const record = {
    ...{ id: idAt(at, `check-in ${n}`), ...SCOPE, userId: idAt(BEGAN, `person ${n % 2000}`) },
    ...{ type: n % 2 === 0 ? 'check_in' : 'check_out', deviceId: DEVICE, verificationId: null },
    ...{ result: 'accepted', metadata: { gate: 'north', shift: n % 3 }, occurredAt: time, createdAt: time },
  };
  const salts = { facts: digest(`facts ${n}`).slice(0, 32), text: digest(`text ${n}`).slice(0, 32) };
  const { seal } = sealOf({ kind: 'attendance', n: 1, record, salts }, digest);
  return { record, seal, line: JSON.stringify({ ...record, n: 1, salts, sealSeq: n }) };
}

function entryOf({ id, type, createdAt }, seal, seq, prevHash) {
  const event = {
    ...{ id: idAt(BEGAN, `entry ${seq}`), seq, ...SCOPE, actorType: 'api_key', actorId: TENANT },
    ...{ action: 'attendance.created', entityType: 'attendance', entityId: id, status: 'success' },
    ...{ summary: 'An attendance event was recorded', createdAt, metadata: { type, seal } },
  };
  return { ...event, prevHash, hash: linkHash(prevHash, canonicalEvent(event)) };
}

const headAt = (seq, hash, at) => ({
  ...{ tenantId: TENANT, seq, hash, at: new Date(at).toISOString(), publicKey: keys.signing.publicHex },
  ...signHead(keys, TENANT, SCOPE.environment, { seq, hash, at }),
});

/** Writes a chain of so many entries, each with the seal of a check-in, and the check-ins. */
async function writeExports(folder, rows) {
  const [chain, records] = ['chain', 'attendance'].map((name) => join(folder, `${name}-${rows}.jsonl`));
  let last = { hash: genesisHash(TENANT, SCOPE.environment), at: BEGAN };
  const head = () => headAt(rows, last.hash, last.at);
  // Both are made of the same check-ins, which are made again for the second file.
  function* entries() {
    for (let n = 1; n <= rows; n += 1) {
      const { record, seal } = checkIn(n);
      const entry = entryOf(record, seal, n, last.hash);
      last = { hash: entry.hash, at: Date.parse(entry.createdAt) };
      yield JSON.stringify(entry);
    }
    yield JSON.stringify({ ...SCOPE, head: head() });
  }
  function* checkIns() {
    for (let n = 1; n <= rows; n += 1) yield checkIn(n).line;
    yield JSON.stringify({ kind: 'attendance', count: rows, headBefore: head(), headAfter: head() });
  }
  await pipeline(Readable.from(inBlocks(entries())), createWriteStream(chain));
  await pipeline(Readable.from(inBlocks(checkIns())), createWriteStream(records));
  return { chain, records };
}

function* inBlocks(lines) {
  let block = [];
  for (const line of lines) {
    block.push(line, '\n');
    if (block.length < 2 * LINES_AT_ONCE) continue;
    yield block.join('');
    block = [];
  }
  yield block.join('');
}

const secondsOf = ({ userCPUTime, systemCPUTime }) => (userCPUTime + systemCPUTime) / 1e6;

/** Seconds of processor time and most MB of a whole process. */
function verify(rows, chain, ...more) {
  const args = ['--import', PROBE, SVC, 'audit', 'verify', chain, '--json', ...more];
  const { status, output } = spawnSync(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
    encoding: 'utf8',
  });
  const { records } = JSON.parse(output[1]);
  if (status !== 0 || (records && records[0].sound !== rows)) throw new Error(output[1]);
  const usage = JSON.parse(output[3]);
  return { seconds: secondsOf(usage), megabytes: (usage.maxRSS * 1024) / 1e6 };
}

/** Seconds to read the lines of a file, and to hash each as often as a seal does. */
async function readAndHash(path) {
  const before = secondsOf(process.resourceUsage());
  for await (const line of createInterface(createReadStream(path))) {
    JSON.parse(line);
    for (let n = 0; n < 3; n += 1) digest(line);
  }
  return secondsOf(process.resourceUsage()) - before;
}

const folder = mkdtempSync(join(tmpdir(), 'svc-bench-seals-'));
try {
  const few = Math.ceil(ROWS / 5);
  const { chain, records } = await writeExports(folder, ROWS);
  const fewer = await writeExports(folder, few);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1)
    rounds.push({
      alone: verify(ROWS, chain),
      compared: verify(ROWS, chain, '--records', records),
      fewer: verify(few, fewer.chain, '--records', fewer.records),
      plain: await readAndHash(records),
    });
  const least = (read) => Math.min(...rounds.map(read));
  const most = (read) => Math.max(...rounds.map(read));
  const alone = least((round) => round.alone.seconds);
  const compared = least((round) => round.compared.seconds);
  const perSecond = ROWS / (compared - alone);
  const peak = most((round) => round.compared.megabytes);
  const peakOfFewer = most((round) => round.fewer.megabytes);
  const plain = ROWS / least((round) => round.plain);
  console.log(
    `${ROWS} check-ins and a chain of as many entries, a second of processor time, the best of ${ROUNDS} rounds`,
  );
  console.table([
    row('records compared, without the chain', perSecond, 'read and hashed', plain),
    row('the same', perSecond, 'promised', PROMISED),
    row(...['the chain alone', ROWS / alone], ...['the chain with its records', ROWS / compared]),
    row('most memory, MB', peak, `with ${few}`, peakOfFewer, peakOfFewer / peak),
    row('the same', peak, 'promised', PROMISED_MB, PROMISED_MB / peak),
  ]);
  if (perSecond < PROMISED || peak > PROMISED_MB) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
