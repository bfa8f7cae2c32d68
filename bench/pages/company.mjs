// A company with a history: people, desks, four weeks of sign-ins and attendance, as the pages show them. The rows are inserted
// without audit entries, so the audit log and Home's recent entries show only what was done through the API.
import pg from 'pg';

const FIRST_NAMES =
  'Amara Bilal Chen Dorothea Emeka Fatima Goran Hanna Ingrid Jonas Kavita Liam Mina Noor Olga Pedro Quinn Rosa Sven Tomasz'.split(
    ' ',
  );
const LAST_NAMES =
  'Adeyemi Bergström Castillo Dimitrov Eriksen Fernandes Grünwald Haddad Ivanova Jensen Kowalski Lindqvist Moreau Nakamura Okafor'.split(
    ' ',
  );
const DEVICES = [
  ['Reception, main building', 'kiosk'],
  ['Turnstile 1', 'iot_bridge'],
  ['Turnstile 2', 'iot_bridge'],
  ['Turnstile 3', 'iot_bridge'],
  ['Warehouse gate', 'iot_bridge'],
  ['Front desk PC', 'desktop'],
];
const REASONS = ['stale', 'wrong_number', 'expired', 'revoked', 'unknown_identity', 'stale', 'wrong_binding'];

/** A UUID of version 7 for the time `at`, distinct for each `n` and `kind`. */
const uuidAt = (at, kind) =>
  `(lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0') || '7${kind}00' || '8000' || lpad(to_hex(n), 12, '0'))::uuid`;

/**
 * Fills the live records of an account: `people` people added over the last year, and `verifications` verifications and half as
 * many attendance events over the last 28 days, by day. One verification in 25 failed.
 */
export async function fillCompany(databaseUrl, tenantId, { people, verifications }) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const insert = (sql, ...values) => client.query(sql, [tenantId, ...values]);
  try {
    await insert(
      `insert into devices (tenant_id, environment, id, name, device_type, status, enrollment_state, last_seen_at, created_at, updated_at)
       select $1::uuid, 'live', ${uuidAt('at', 'd')}, name, kind, 'active', 'enrolled', now() - n * interval '3 minutes', at, at
       from (select n, name, kind, now() - interval '300 days' + n * interval '1 day' as at
             from unnest($2::text[], $3::text[]) with ordinality as given (name, kind, n)) as device`,
      DEVICES.map(([name]) => name),
      DEVICES.map(([, kind]) => kind),
    );
    await insert(
      `insert into tenant_users (tenant_id, environment, id, full_name, external_id, email, employee_code, created_at, updated_at)
       select $1::uuid, 'live', ${uuidAt('at', 'a')}, first || ' ' || last, 'E-' || lpad(n::text, 6, '0'),
         lower(first) || '.' || n || '@example.com', 'E' || n, at, at
       from (select n, now() - interval '1 year' + n * (interval '360 days' / $2::int) as at,
               ($3::text[])[1 + n * 7 % cardinality($3::text[])] as first,
               ($4::text[])[1 + n / 3 % cardinality($4::text[])] as last
             from generate_series(1, $2::int) as n) as person`,
      people,
      FIRST_NAMES,
      LAST_NAMES,
    );
    // Three of four that fall into the night are moved into the day before it, so that the charts have a shape.
    const times = `select n, at - case when n % 4 > 0 and extract(hour from at) not between 6 and 19 then interval '12 hours'
          else interval '0' end as at
        from (select n, now() - interval '28 days' * (1 - n::float8 / $2::int) as at
              from generate_series(1, $2::int) as n) as even`;
    await insert(
      `insert into verifications (tenant_id, environment, id, method, result, user_id, device_id, reason, occurred_at, created_at)
       select $1::uuid, 'live', ${uuidAt('at', 'b')}, 'zkp', case when n % 25 = 0 then 'fail' else 'pass' end, u.id, d.id,
         case when n % 25 = 0 then ($3::text[])[1 + n / 25 % cardinality($3::text[])] end, at, at
       from (${times}) as event
       join (select id, row_number() over (order by id) as place from tenant_users
             where tenant_id = $1 and environment = 'live') as u on u.place = 1 + n * 7919::bigint % $4::int
       join (select id, row_number() over (order by id) as place from devices
             where tenant_id = $1 and environment = 'live') as d on d.place = 1 + n % $5::int`,
      verifications,
      REASONS,
      people,
      DEVICES.length,
    );
    await insert(
      `insert into attendance (tenant_id, environment, id, user_id, type, device_id, verification_id, result, occurred_at, created_at)
       select tenant_id, environment, ${uuidAt('occurred_at', 'c')}, user_id, case when n % 2 = 0 then 'check_in' else 'check_out' end,
         device_id, id, 'accepted', occurred_at, created_at
       from (select *, row_number() over (order by id) as n from verifications
             where tenant_id = $1 and environment = 'live' and result = 'pass') as event
       where n % 4 < 2`,
    );
    // As the server does by itself after so many rows. Before that, a scan of an index alone reads the table for each row.
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}
