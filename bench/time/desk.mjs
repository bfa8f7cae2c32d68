// 200 people at one desk, each with a phone of their own, by the code that its screen shows: first within a minute, with proofs made before, then
// within ten minutes, each punch five seconds after its scan. In both, people come when they come, whatever the service does (an open loop), one in
// ten gets no response and sends the same again, and in the second the screen is cut off twice and goes on. Fails unless each person is recorded
// once at the time of their scan, and the screen shows each once. Needs a build. BENCH_PEOPLE=<n>, BENCH_SECONDS=<n> of the second.
import { Agent, request } from 'node:http';
import pg from 'pg';
import { pause, percentiles, row, size, withService } from '../harness.mjs';
import { freshAddress } from '../sign-ins.mjs';
import { startProver } from './prover-thread.mjs';
import { followCode } from './screen.mjs';
import { codeAt, employ, openSite, provePunch, scan } from './site.mjs';

const PEOPLE = size('PEOPLE', 200);
const SECONDS = { minute: 60, shift: size('SECONDS', 600) };
/** From a scan to the proof. */
const PROVING_MS = 5_000;
/** One in so many gets no response. */
const UNHEARD = 10;
/** How long a phone waits for it. */
const PATIENCE_MS = 30;
/** How long before the minute the first may have scanned: a punch counts for two minutes. */
const LEAD_MS = 100_000;
const CUT_OFF_MS = 3_000;
const SETTLED_MS = 3_000;

const prove = startProver();
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Numbers in [0, 1), the same in every run. */
function* chances(seed) {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

/** When people come, in ms: at any time, so some come together. */
function arrivals(count, seconds) {
  const chance = chances(count);
  return Array.from({ length: count }, () => chance.next().value * seconds * 1_000).sort((a, b) => a - b);
}

/** Sends a punch. With `isUnheard`, hangs up before the response. */
function post(baseUrl, body, isUnheard) {
  const payload = JSON.stringify(body);
  const headers = {
    ...{ 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) },
    'x-forwarded-for': freshAddress(82),
  };
  const url = new URL('/v1/phone/attendance', baseUrl);
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent: isUnheard ? false : agent, headers }, (reply) => {
      const pieces = [];
      reply.on('data', (piece) => pieces.push(piece));
      reply.on('end', () => {
        const text = Buffer.concat(pieces).toString();
        if (reply.statusCode === 201) resolve(JSON.parse(text).attendance);
        else reject(new Error(`A punch returned ${reply.statusCode} ${text}`));
      });
    });
    sent.once('error', (error) => (isUnheard ? resolve(undefined) : reject(error)));
    sent.end(payload);
    if (isUnheard) setTimeout(() => sent.destroy(new Error('hung up')), PATIENCE_MS);
  });
}

/** A phone's punch, again if it got no response. Returns what was recorded, and when that was known. */
async function send(baseUrl, { body, context }, nth) {
  const began = performance.now();
  if (nth % UNHEARD === 0) await post(baseUrl, body, true);
  const attendance = await post(baseUrl, body, false);
  const knownAt = performance.now();
  if (attendance.occurredAt !== context.scannedAt) throw new Error('A punch has another time than its scan.');
  return { id: attendance.id, began, knownAt };
}

/** Everybody comes, each at their time. `come(person, nth)` resolves to what was recorded. */
const everybody = (people, seconds, come) => {
  const times = arrivals(people.length, seconds);
  return Promise.all(
    people.map(async (person, nth) => {
      await pause(times[nth]);
      return come(person, nth);
    }),
  );
};

/**
 * Within a minute. Phones scan before it, one after another, and their proofs are made in the same order: until all are, or as long as the
 * first counts.
 */
async function rush(baseUrl, account, people) {
  let before = Promise.resolve();
  const prepared = people.map((person) => {
    before = before.then(async () => {
      const context = await scan(baseUrl, await codeAt(baseUrl, account));
      return { context, body: await provePunch(prove, person, context, 'check_in') };
    });
    return before;
  });
  await Promise.race([before, pause(LEAD_MS)]);
  const screen = await followCode(baseUrl, account);
  const come = async (_, nth) => send(baseUrl, await prepared[nth], nth);
  const sent = await everybody(people, SECONDS.minute, come);
  await pause(SETTLED_MS);
  screen.leave();
  return { sent, shown: screen.punches };
}

/** Within ten minutes. Phones scan what the screen shows, which is cut off after each third of the time. */
async function shift(baseUrl, account, people) {
  const punches = [];
  let screen = await followCode(baseUrl, account, { punches });
  const cutOff = async () => {
    for (let cut = 0; cut < 2; cut += 1) {
      await pause((SECONDS.shift * 1_000) / 3);
      screen.leave();
      await pause(CUT_OFF_MS);
      screen = await followCode(baseUrl, account, { lastId: screen.lastId(), punches });
    }
  };
  const come = async (person, nth) => {
    const context = await scan(baseUrl, screen.code());
    const scanned = performance.now();
    const body = await provePunch(prove, person, context, 'check_out');
    await pause(Math.max(0, scanned + PROVING_MS - performance.now()));
    return send(baseUrl, { context, body }, nth);
  };
  const [sent] = await Promise.all([everybody(people, SECONDS.shift, come), cutOff()]);
  await pause(SETTLED_MS);
  screen.leave();
  return { sent, shown: punches };
}

/** The people with more or less than one event of this type. */
async function wrongly(client, { tenantId }, people, type) {
  const { rows } = await client.query(
    `select p.id, count(a.id)::int as events, count(f.attendance_id)::int as proofs from unnest($2::uuid[]) as p (id)
    left join attendance a on a.tenant_id = $1 and a.user_id = p.id and a.type = $3
    left join attendance_proofs f on f.tenant_id = $1 and f.attendance_id = a.id
    group by p.id having count(a.id) <> 1 or count(f.attendance_id) <> 1`,
    [tenantId, people.map(({ userId }) => userId), type],
  );
  return rows;
}

/** How many were recorded and shown, and how long it took. @throws if one was lost or is there twice */
async function judge({ sent, shown }, wrong) {
  const ids = new Set(sent.map(({ id }) => id));
  const shownAt = new Map(shown.map(({ attendanceId, shownAt: at }) => [attendanceId, at]));
  const lost = [...ids].filter((id) => !shownAt.has(id));
  if (wrong.length > 0 || ids.size !== sent.length || lost.length > 0 || shown.length !== sent.length)
    throw new Error(
      `${sent.length} punches: ${ids.size} events, ${shown.length} shown, ${lost.length} not shown; not once: ${JSON.stringify(wrong)}`,
    );
  return {
    recorded: ids.size,
    shown: shown.length,
    punch: percentiles(sent.map(({ began, knownAt }) => knownAt - began)),
    screen: percentiles(sent.map(({ id, began }) => shownAt.get(id) - began)),
  };
}

const measured = await withService(async (baseUrl, _, connectionString) => {
  const account = await openSite(baseUrl);
  const people = [];
  while (people.length < PEOPLE) people.push(await employ(baseUrl, account));
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const results = [];
    for (const [come, type] of [
      [rush, 'check_in'],
      [shift, 'check_out'],
    ]) {
      const found = await come(baseUrl, account, people);
      results.push(await judge(found, await wrongly(client, account, people, type)));
    }
    return results;
  } finally {
    await client.end();
  }
});
for (const [at, seconds] of [SECONDS.minute, SECONDS.shift].entries()) {
  const { recorded, shown, punch, screen } = measured[at];
  console.log(`${PEOPLE} people at one desk in ${seconds} s`);
  console.table([
    row('recorded once', recorded, 'people who came', PEOPLE, recorded / PEOPLE),
    row('shown once', shown, 'recorded', recorded, shown / recorded),
    row(
      'from sending to the screen, p50, ms',
      screen.p50,
      'to the response',
      punch.p50,
      punch.p50 / screen.p50,
    ),
    row('the same, p99, ms', screen.p99, 'to the response', punch.p99, punch.p99 / screen.p99),
  ]);
}
process.exit();
