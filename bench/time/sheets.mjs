// The sheets of one site's month, with 1,200 people and 106,000 punches: as JSON, in pages of 100, and as each of the files, in turns. Time, and
// processor time of the node and of PostgreSQL, compared with what is promised and with reading the rows of the month from PostgreSQL alone.
// The site also has punches of other months. Needs a build, and Linux for the processor time. BENCH_PEOPLE=<n>, BENCH_MONTHS=<n>, BENCH_ROUNDS=<n>.
import pg from 'pg';
import { secondsOf, sessionSeconds } from '../../scripts/testing/cpu.mjs';
import { median, size, withService } from '../harness.mjs';
import { openSite } from './site.mjs';

const PEOPLE = size('PEOPLE', 1_200);
const MONTHS = size('MONTHS', 3);
const ROUNDS = size('ROUNDS', 5);
const PROMISED_SECONDS = 5;
/** 22 working days. With four punches each, and two taps of every third person once, 1,200 people have 106,000 punches. */
const MONTH = '2026-01';
const PAGE = 100;
const DAYS = 22;

const monthAt = (later) => {
  const [year, month] = MONTH.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 + later)).toISOString().slice(0, 7);
};

/** People with numbers. */
async function hire(client, { tenantId, site }) {
  await client.query(
    `insert into tenant_users (tenant_id, environment, id, full_name, employee_code, site_id, created_at, updated_at)
    select $1, 'live', gen_random_uuid(), 'Person ' || n, lpad(n::text, 6, '0'), $2, now(), now()
    from generate_series(1, $3::int) n`,
    [tenantId, site.id, PEOPLE],
  );
}

/** A month's punches, in the order of their times, as the service would have written them. */
async function fill(client, { tenantId, site, desk }, month) {
  const { rowCount } = await client.query(
    `insert into attendance (tenant_id, environment, id, user_id, device_id, site_id, type, reason, mode, evidence, result,
      occurred_at, created_at, seal_n, facts_salt, text_salt)
    select $1, 'live', (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7'
        || substr(md5(random()::text), 1, 3) || '8' || substr(md5(random()::text), 1, 15))::uuid,
      u.id, $2, $3, type, reason, 'desk', 'proved', 'accepted', at, at, 2, md5(random()::text), md5(random()::text)
    from tenant_users u
      cross join generate_series(($4 || '-01T00:00Z')::timestamptz, ($4 || '-01T00:00Z')::timestamptz + interval '1 month - 1 day',
        interval '1 day') d
      cross join (values ('check_in', 'work', '6:40'), ('check_in', 'work', '6:40:20'), ('check_out', 'break', '11:00'),
        ('check_in', 'break', '11:30'), ('check_out', 'work', '15:30')) as act (type, reason, clock)
      cross join lateral (select d + clock::interval
        + (u.employee_code::int * 7 + extract(day from d)::int * 13) % 20 * interval '1 minute'
        + u.employee_code::int % 40 * interval '1 second' as at) t
    where u.tenant_id = $1 and u.site_id = $3 and extract(isodow from d) < 6
      and (clock <> '6:40:20' or extract(day from d) = 5 and u.employee_code::int % 3 = 0)
    order by at`,
    [tenantId, desk.id, site.id, month],
  );
  return rowCount;
}

/** Seconds, and seconds of processor time of what `cpu` reads. */
async function timed(cpu, work) {
  const [began, before] = [performance.now(), cpu()];
  const result = await work();
  return { seconds: (performance.now() - began) / 1000, cpu: cpu() - before, result };
}

async function download(url, headers) {
  const reply = await fetch(url, { headers });
  if (!reply.ok) throw new Error(`The sheets returned ${reply.status} ${await reply.text()}.`);
  return Buffer.from(await reply.arrayBuffer());
}

/** What reads all sheets in each way, and returns how many punches or days it got. */
function waysOf(baseUrl, { tenantId, site, reader }, client) {
  const asked = `${baseUrl}/v1/attendance/sheets?siteId=${site.id}&month=${MONTH}`;
  const file = (query) => download(`${asked}&${query}`, reader);
  const lines = async (query) => (await file(query)).toString('latin1').split('\r\n').length - 2;
  return {
    JSON: async () => {
      let punches = 0;
      for (let cursor = ''; cursor !== null; ) {
        const page = JSON.parse(await file(`limit=${PAGE}${cursor && `&cursor=${cursor}`}`));
        for (const { counts } of page.sheets) punches += counts.proved;
        cursor = page.nextCursor;
      }
      return punches;
    },
    CSV: () => lines('format=csv'),
    XLSX: async () => (await file('format=xlsx')).length > 0,
    payroll: () => lines('format=payroll'),
    rows: async () => {
      const { rows } = await client.query(
        `select id, user_id, type, reason, occurred_at, evidence, result, voided_by is not null as voided,
          contested_at is not null as contested
        from attendance where tenant_id = $1 and environment = 'live' and site_id = $2
          and occurred_at >= $3::date and occurred_at < $3::date + interval '1 month'`,
        [tenantId, site.id, `${MONTH}-01`],
      );
      return rows.length;
    },
  };
}

async function measure(baseUrl, pid, databaseUrl) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const account = await openSite(baseUrl);
    await hire(client, account);
    let punches;
    for (let later = 2 - MONTHS; later < 2; later += 1) {
      const filled = await fill(client, account, monthAt(later));
      if (later === 0) punches = filled;
    }
    await client.query('vacuum analyze attendance');
    await client.query('analyze tenant_users');
    const database = new URL(databaseUrl).pathname.slice(1);
    const node = () => secondsOf(pid) + sessionSeconds(database);
    // The node is a child of this process, which counts its children.
    const own = () => secondsOf(process.pid) - secondsOf(pid) + sessionSeconds(database);
    const whole = { JSON: punches, CSV: PEOPLE * DAYS, XLSX: true, payroll: PEOPLE * DAYS, rows: punches };
    const times = {};
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [name, work] of Object.entries(waysOf(baseUrl, account, client))) {
        const time = await timed(name === 'rows' ? own : node, work);
        if (time.result !== whole[name]) throw new Error(`${name} has ${time.result}, not ${whole[name]}.`);
        times[name] = [...(times[name] ?? []), time];
      }
    return { punches, times };
  } finally {
    await client.end();
  }
}

const { punches, times } = await withService(measure);
const middle = (name, of) => median(times[name].map((time) => time[of]));
console.log(
  `A month of ${PEOPLE} people and ${punches} punches, ${ROUNDS} rounds in turns, medians in seconds. Promised: ${PROMISED_SECONDS}`,
);
console.table(
  ['JSON', 'CSV', 'XLSX', 'payroll', 'rows'].map((name) => ({
    what: name === 'rows' ? 'reading the rows alone' : name,
    seconds: middle(name, 'seconds').toFixed(2),
    longest: Math.max(...times[name].map(({ seconds }) => seconds)).toFixed(2),
    'CPU, s': middle(name, 'cpu').toFixed(2),
    'promised / seconds': (PROMISED_SECONDS / middle(name, 'seconds')).toFixed(2),
    'CPU / rows alone': (middle(name, 'cpu') / middle('rows', 'cpu')).toFixed(2),
  })),
);
if (['JSON', 'CSV', 'XLSX', 'payroll'].some((name) => middle(name, 'seconds') > PROMISED_SECONDS))
  process.exitCode = 1;
process.exit();
