import { Argument, Option } from 'commander';
import type { Action, Commands } from '../command.js';
import { UsageError } from '../failure.js';
import { runOperator } from '../operator.js';
import { plain, table } from '../terminal.js';
import { restoreCommands } from './restore.js';

const PLANS = ['free', 'starter', 'growth', 'enterprise'];
const STATUSES = ['active', 'suspended', 'deactivated', 'closing', 'closed'];
const TENANT = 'the account’s id or e-mail';
const MEMBER = 'the e-mail of a member, or an account’s id or e-mail for its first owner';

interface Tenant {
  readonly id: string;
  readonly email: string;
  readonly companyName: string;
  readonly plan: string;
  readonly status: string;
  readonly createdAt: string;
  /** Of an account that is closing. */
  readonly closesAt: string | null;
}

export function operatorCommands(commands: Commands): void {
  commands.command('serve', 'run the server until SIGTERM', async () => {
    await import('@svc/server/serve');
  });
  commands.command('migrate', 'apply missing migrations, as a start does', async (run) => {
    const { applied } = await runOperator<{ applied: string[] }>(run, { command: 'migrate', input: {} });
    run.show({ applied }, applied.length === 0 ? 'Nothing to apply.' : `Applied ${applied.join(', ')}.`);
  });
  const heads = commands.group('heads', 'the signed heads of the audit chains');
  heads.command(
    'resign',
    'sign every head with SVC_SECRET, before you remove SVC_SECRET_PREVIOUS',
    async (run) => {
      const result = await runOperator<{ resigned: number }>(run, { command: 'heads resign', input: {} });
      const { resigned } = result;
      run.show(
        result,
        resigned === 0
          ? 'Every head is already signed with the current key.'
          : `Signed ${resigned} heads with the current key.`,
      );
    },
  );
  commands
    .group('secrets', 'the secrets of tenants, which are encrypted in the database')
    .command('reseal', 'encrypt them with the newest key, and that key with SVC_SECRET', resealSecrets)
    .option('--new-key', 'create a new key first');
  commands
    .group('records', 'what the audit chains say of records')
    .command('seal', 'seal the records from before there were seals', sealRecords);
  restoreCommands(commands.group('restore', 'a database that was restored from a backup'));
  scaleCommands(
    commands.group('scale', 'PostgreSQL on several machines').group('citus', 'with the extension Citus'),
  );
  tenantCommands(commands.group('accounts', 'the accounts of the service, for its operator', 'tenants'));
}

const resealSecrets: Action = async (run, _, { newKey = false }) => {
  const result = await runOperator<
    Record<'keys' | 'values' | 'changed' | 'createdKeys' | 'deletedKeys', number>
  >(run, { command: 'secrets reseal', input: { newKey } });
  const { keys, values, changed, createdKeys, deletedKeys } = result;
  const lines = [
    `Keys: ${createdKeys} created, ${keys} encrypted with SVC_SECRET, ${deletedKeys} deleted.`,
    `Secrets: ${values} encrypted with the newest key.`,
    ...(changed === 0 ? [] : [`${changed} secrets changed during the run. Run the command again.`]),
  ];
  run.show(result, lines.join('\n'));
};

const sealRecords: Action = async (run) => {
  const result = await runOperator<Record<'records' | 'pages' | 'left' | 'chainsTooNew', number>>(run, {
    command: 'records seal',
    input: {},
  });
  const { records, pages, left, chainsTooNew } = result;
  const lines = [
    records === 0 ? 'Nothing to seal.' : `Sealed ${records} records, in ${pages} audit entries.`,
    ...(left === 0 ? [] : [`${left} records were in use, or cannot be shown. Run the command again.`]),
    ...(chainsTooNew === 0
      ? []
      : [
          `${chainsTooNew} audit chains still wait until all nodes seal. They get \`chain.records_sealed\` an hour after the upgrade.`,
        ]),
  ];
  run.show(result, lines.join('\n'));
};

interface Spread {
  readonly workers: readonly string[];
  readonly shards: number;
  readonly tables: { readonly tenant: number; readonly everywhere: number };
}

const describeSpread = ({ workers, shards, tables }: Spread) =>
  `${tables.tenant} tables are spread by account in ${shards} shards over ${workers.length} workers (${workers.join(', ')}); ${tables.everywhere} are on every machine.`;

function scaleCommands(citus: Commands): void {
  citus.command('plan', 'print the SQL that spreads this database over its cluster', async (run) => {
    const result = await runOperator<Spread & { statements: string[] }>(run, {
      command: 'scale citus plan',
      input: {},
    });
    const script = result.statements.map((statement) => `${statement};`).join('\n');
    run.show(result, script === '' ? `Nothing to do. ${describeSpread(result)}` : script);
  });
  citus.command('apply', 'run that SQL in one transaction and check the result', async (run) => {
    const result = await runOperator<Spread & { applied: boolean }>(run, {
      command: 'scale citus apply',
      input: {},
    });
    run.show(
      result,
      `${result.applied ? 'Done.' : 'Nothing to do.'} ${describeSpread(result)}${result.applied ? '\nStart the nodes.' : ''}`,
    );
  });
}

function tenantCommands(tenants: Commands): void {
  tenants
    .command('list', 'list the accounts, newest first; the account of legacy callers is last', listTenants)
    .addOption(new Option('--status <status>', 'only accounts with this status').choices(STATUSES))
    .addOption(new Option('--plan <plan>', 'only accounts with this plan').choices(PLANS))
    .option('--limit <number>', 'the number of accounts (default: 100, maximum: 1000)')
    .option('--after <id>', 'continue after this account');
  tenants
    .command('set-plan', 'change the plan of an account', changeTenant('accounts set-plan'))
    .argument('<tenant>', TENANT)
    .addArgument(new Argument('<plan>').choices(PLANS));
  for (const [verb, summary] of [
    ['suspend', 'reject an account’s credentials immediately'],
    ['activate', 'accept an account’s credentials again'],
    ['deactivate', 'like suspend, for an account that stays unused'],
    ['close', 'delete everything of an account after 30 days, in which it can be reopened'],
    ['reopen', 'give an account back that was closed in the last 30 days'],
  ] as const)
    tenants.command(verb, summary, changeTenant(`accounts ${verb}`)).argument('<tenant>', TENANT);
  tenants
    .command(
      'reset-password',
      'create a password of a member, print it once and end all their log-ins',
      resetPassword,
    )
    .argument('<member>', MEMBER);
}

const describeTenant = ({ id, email, plan, status, closesAt }: Tenant) =>
  `${plain(email)} (${id}): ${status}${closesAt === null ? '' : ` until ${closesAt}`}, plan ${plan}`;

const listTenants: Action = async (run, _, { limit, ...filter }) => {
  if (limit !== undefined && !/^[1-9][0-9]{0,5}$/.test(String(limit)))
    throw new UsageError('--limit must be a positive number.');
  const input = { ...filter, ...(limit !== undefined && { limit: Number(limit) }) };
  const result = await runOperator<{ tenants: Tenant[]; after: string | null }>(run, {
    command: 'accounts list',
    input,
  });
  const rows = result.tenants.map((tenant) => [
    tenant.id,
    tenant.status,
    tenant.plan,
    tenant.createdAt,
    plain(tenant.email),
    plain(tenant.companyName),
  ]);
  const more = result.after === null ? '' : `\nMore with --after ${result.after}`;
  run.show(result, table([['ID', 'STATUS', 'PLAN', 'CREATED', 'E-MAIL', 'COMPANY'], ...rows]) + more);
};

const changeTenant =
  (command: string): Action =>
  async (run, [tenant, plan]) => {
    const input = { tenant, ...(plan !== undefined && { plan }) };
    const result = await runOperator<{ tenant: Tenant; changed: boolean }>(run, { command, input });
    const note = result.changed ? '' : ' (unchanged)';
    run.show(result, describeTenant(result.tenant) + note);
  };

interface NewPassword {
  readonly tenant: Tenant;
  readonly member: { readonly id: string; readonly email: string };
  readonly password: string;
}

const resetPassword: Action = async (run, [name]) => {
  const request = { command: 'accounts reset-password', input: { tenant: name } };
  const result = await runOperator<NewPassword>(run, request);
  const { tenant, member, password } = result;
  run.show(
    result,
    `Account ${describeTenant(tenant)}\nMember ${plain(member.email)} (${member.id})\nNew password, returned only once: ${password}\nAll log-ins of this member have ended.`,
  );
};
