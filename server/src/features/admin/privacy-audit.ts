import type { Setup } from '@svc/zk/setup/artifacts';
import type { Database } from '../../db/db.js';
import { MIGRATIONS, namesOfNewer, readMigrations } from '../../db/migrate.js';
import type { Deps } from '../../http/deps.js';
import { namesBiometrics } from '../../http/transport/body.js';
import { leadsKeptSince } from '../../model/lead-retention.js';
import { SEALED_COLUMNS, SEALED_FORM } from '../sealing/sealing.js';
import * as store from './admin.store.js';

interface Finding {
  readonly name: string;
  /** What is wrong. Empty if the check passed. */
  readonly faults: readonly string[];
  /** What was checked. */
  readonly detail: string;
}

/** Types that can hold an image, a recording or an embedding. We need none of them. */
const BLOB_TYPES =
  /^(bytea|oid|lo|vector|halfvec|sparsevec|bit|bit varying|cube|(real|double precision|smallint|integer|numeric)\[\])$/;
/** SHA-256 or HMAC in hex, or Argon2id with its parameters. Empty: there is no password, as in a closed account. */
const HASH_FORM = '^([0-9a-f]{64}|\\$argon2id\\$[!-~]+|)$';
/** Endings of column names that suggest raw secrets, and the columns with such names that contain none. */
const SECRET_WORDS = /(^|_)(password|secret|token|code|key|otp|pin)$/;
const NO_SECRETS: ReadonlySet<string> = new Set([
  'idempotency_keys.key',
  'attendance_marks.code',
  'attestation_keys.public_key',
  'devices.public_key',
  'known_browsers.public_key',
  'passkeys.public_key',
  'proof_pairing_sessions.browser_key',
  'tenant_users.employee_code',
  'webhook_attempts.error_code',
  'webhooks.public_key',
]);
/** Columns of encrypted values. Each value is checked. */
const SEALED: ReadonlySet<string> = new Set(
  SEALED_COLUMNS.map(({ table, column }) => `${table.text}.${column.text}`),
);
/** Expired rows are deleted every minute. A day allows for a process that was down. */
const DAY_MS = 24 * 60 * 60_000;

/**
 * Checks the live database, not the code: no column or field contains biometric data, secrets are hashed or encrypted, audit
 * rows cannot be changed, and expired data has been deleted.
 */
export async function auditPrivacy({ db, zk, config, clock }: Pick<Deps, 'db' | 'zk' | 'config' | 'clock'>) {
  const own = await store.listColumns(db);
  const columns = db.isSpread ? await store.listColumnsOfMachines(db) : own;
  const stored = own.filter((column) => column.stored);
  const findings: Finding[] = [
    checkNames(columns),
    await checkTypes(db, columns),
    await checkFields(db, stored),
    await checkSecretNames(
      db,
      columns.filter((column) => column.stored),
    ),
    await checkHashes(db, stored),
    await checkAuditTriggers(db),
    await checkLeads(db, clock.now()),
    checkSetup(zk.setup, config.production),
    {
      name: 'template_register',
      faults: [],
      detail: config.templateRegister
        ? 'the deprecated registration takes templates; it stores and logs none'
        : 'no endpoint takes templates',
    },
  ];
  const checks = findings.map(({ name, faults, detail }) => ({
    name,
    status: faults.length === 0 ? ('pass' as const) : ('fail' as const),
    detail: faults.length === 0 ? detail : faults.join('; '),
  }));
  const failed = checks.some(({ status }) => status === 'fail');
  return { status: failed ? ('fail' as const) : ('pass' as const), checks };
}

/** Whether any sequence of words in a name is a biometric term: `user_face_template_v2` is. */
function wordsNameBiometrics(name: string): boolean {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words.some((_, from) =>
    words.slice(from).some((_, length) => namesBiometrics(words.slice(from, from + length + 1).join('_'))),
  );
}

const bare = (table: string) => table.replace(/^public\./, '');
const at = ({ table, column }: store.ColumnRow) => `${bare(table)}.${column}`;

function checkNames(columns: readonly store.ColumnRow[]): Finding {
  const tables = [...new Set(columns.map(({ table }) => table))];
  return {
    name: 'no_biometric_columns',
    faults: [
      ...tables
        .filter((table) => wordsNameBiometrics(bare(table)))
        .map((table) => `table ${bare(table)} names biometric data`),
      ...columns
        .filter(({ column }) => wordsNameBiometrics(column))
        .map((column) => `column ${at(column)} names biometric data`),
    ],
    detail: `${columns.length} columns of ${tables.length} tables and views; none has a name on the list of biometric names`,
  };
}

async function checkTypes(db: Database, columns: readonly store.ColumnRow[]): Promise<Finding> {
  const largeObjects = await store.countLargeObjects(db);
  return {
    name: 'no_binary_columns',
    faults: [
      ...columns
        .filter(({ type }) => BLOB_TYPES.test(type))
        .map((column) => `column ${at(column)} is of type ${column.type}`),
      ...(largeObjects > 0 ? [`the database holds ${largeObjects} large objects`] : []),
    ],
    detail:
      'no column has a type for images or embeddings, and there is no large object; the logos of companies are text in company_profiles.logo_base64',
  };
}

async function checkFields(db: Database, stored: readonly store.ColumnRow[]): Promise<Finding> {
  const faults: string[] = [];
  const json = stored.filter(({ type }) => /^jsonb?$/.test(type));
  for (const column of json) {
    const names = (await store.sampleFieldNames(db, column)).filter(namesBiometrics);
    // The field name was chosen by the tenant, but it is on our list, so it may be shown.
    if (names.length > 0) faults.push(`${at(column)} holds fields named ${names.sort().join(', ')}`);
  }
  return {
    name: 'no_biometric_fields',
    faults,
    detail: `free-form objects of ${json.length} columns, the last pages of each table; none has a field with a name on the list of biometric names`,
  };
}

/** This version does not know what a newer one keeps in its columns, so it only warns while that one's migrations are applied. */
async function checkSecretNames(db: Database, stored: readonly store.ColumnRow[]): Promise<Finding> {
  const unknown = stored
    .filter(({ column }) => SECRET_WORDS.test(column))
    .filter((column) => !NO_SECRETS.has(at(column)) && !SEALED.has(at(column)))
    .map((column) => `column ${at(column)} is named like a raw secret`);
  const newer = namesOfNewer(await store.listMigrations(db), await readMigrations(MIGRATIONS));
  const warns = unknown.length > 0 && newer.length > 0;
  return {
    name: 'no_raw_secret_columns',
    faults: warns ? [] : unknown,
    detail: warns
      ? `warning: ${unknown.join('; ')}; a newer version has migrated this database, so ask one of its nodes`
      : 'no column is named like a raw password, key, token or code',
  };
}

async function checkHashes(db: Database, stored: readonly store.ColumnRow[]): Promise<Finding> {
  const faults: string[] = [];
  const hashes = stored.filter(({ column }) => column.endsWith('_hash'));
  for (const column of hashes) {
    const others = await store.countOtherForms(db, column, HASH_FORM);
    if (others > 0) faults.push(`${at(column)} holds ${others} values that are no hashes`);
  }
  const sealed = stored.filter((column) => SEALED.has(at(column)));
  for (const column of sealed) {
    const others = await store.countOtherForms(db, column, SEALED_FORM);
    if (others > 0) faults.push(`${at(column)} holds ${others} values that are not encrypted`);
  }
  return {
    name: 'secrets_are_hashed',
    faults,
    detail: `${hashes.length} columns of hashes, the last pages of each table: SHA-256, HMAC or Argon2id and nothing else; ${sealed.length} columns of encrypted secrets`,
  };
}

async function checkAuditTriggers(db: Database): Promise<Finding> {
  const refused = await store.listRefusals(db, 'public.audit_events');
  return {
    name: 'audit_rows_immutable',
    faults: (['update', 'delete', 'truncate'] as const)
      .filter((change) => !refused[change])
      .map((change) => `no trigger refuses ${change} of audit rows`),
    detail: 'triggers refuse update, delete and truncate of audit rows',
  };
}

async function checkLeads(db: Database, now: number): Promise<Finding> {
  const overdue = await store.countLeadsBefore(db, leadsKeptSince(now - DAY_MS));
  return {
    name: 'leads_deleted_in_time',
    faults: overdue === 0 ? [] : [`${overdue} leads are older than twelve months`],
    detail: 'no lead is older than twelve months',
  };
}

/** The party that generated a development set-up can forge proofs. Proofs still hide what they are meant to hide. */
function checkSetup({ kind, contributors }: Setup, production: boolean): Finding {
  const detail =
    kind === 'ceremony'
      ? `the proving keys come from a ceremony of ${contributors} contributors`
      : 'the proving keys come from a development set-up, whose maker could forge proofs: not for production';
  return { name: 'proving_keys', faults: kind === 'development' && production ? [detail] : [], detail };
}
