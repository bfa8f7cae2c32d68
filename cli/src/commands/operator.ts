import type { OperatorRequest } from '@svc/server/operate';
import { Argument, Option } from 'commander';
import type { Action, Commands, Run } from '../command.js';
import { Failure, UsageError } from '../failure.js';
import { plain, table } from '../terminal.js';

const PLANS = ['free', 'starter', 'growth', 'enterprise'];
const STATUSES = ['active', 'suspended', 'deactivated'];
const TENANT = 'its id or e-mail';

interface Tenant {
  readonly id: string;
  readonly email: string;
  readonly companyName: string;
  readonly plan: string;
  readonly status: string;
  readonly createdAt: string;
}

/**
 * Runs a command on the database: through the running server for an embedded one, else directly. Imported here because
 * it loads the database drivers.
 */
async function runOperator<T>(run: Run, request: OperatorRequest): Promise<T> {
  const { operate } = await import('@svc/server/operate');
  const reply = await operate(run.env, request);
  if (reply.ok) return reply.result as T;
  throw reply.usage ? new UsageError(reply.error) : new Failure('refused', reply.error);
}

export function operatorCommands(commands: Commands): void {
  commands.command('serve', 'serve with the settings of the environment, until SIGTERM', async () => {
    await import('@svc/server/serve');
  });
  commands.command('migrate', 'apply what the schema lacks, as a start does', async (run) => {
    const { applied } = await runOperator<{ applied: string[] }>(run, { command: 'migrate', input: {} });
    run.show({ applied }, applied.length === 0 ? 'Nothing to apply.' : `Applied ${applied.join(', ')}.`);
  });
  const heads = commands.group('heads', 'the signed ends of the audit chains');
  heads.command('resign', 'sign every head with SVC_SECRET, before SVC_SECRET_PREVIOUS goes', async (run) => {
    const result = await runOperator<{ resigned: number }>(run, { command: 'heads resign', input: {} });
    const { resigned } = result;
    run.show(
      result,
      resigned === 0 ? 'Every head is signed with the current key.' : `Signed ${resigned} heads anew.`,
    );
  });
  tenantCommands(commands.group('tenants', 'the accounts of the service, by its operator'));
}

function tenantCommands(tenants: Commands): void {
  tenants
    .command('list', 'show the accounts, newest first, the legacy callers’ one last', listTenants)
    .addOption(new Option('--status <status>', 'only those of a status').choices(STATUSES))
    .addOption(new Option('--plan <plan>', 'only those of a plan').choices(PLANS))
    .option('--limit <number>', 'how many (100, at most 1000)')
    .option('--after <id>', 'go on after this one');
  tenants
    .command('set-plan', 'put an account on a plan', changeTenant('tenants set-plan'))
    .argument('<tenant>', TENANT)
    .addArgument(new Argument('<plan>').choices(PLANS));
  for (const [verb, summary] of [
    ['suspend', 'refuse an account’s credentials at once'],
    ['activate', 'let an account in again'],
    ['deactivate', 'as suspend, for good until it is activated'],
  ] as const)
    tenants.command(verb, summary, changeTenant(`tenants ${verb}`)).argument('<tenant>', TENANT);
  tenants
    .command('reset-password', 'make a password, show it once and end all console tokens', resetPassword)
    .argument('<tenant>', TENANT);
}

const one = ({ id, email, plan, status }: Tenant) => `${plain(email)} (${id}): ${status}, plan ${plan}`;

const listTenants: Action = async (run, _, { limit, ...filter }) => {
  if (limit !== undefined && !/^[1-9][0-9]{0,5}$/.test(String(limit)))
    throw new UsageError('--limit must be a number from 1.');
  const input = { ...filter, ...(limit !== undefined && { limit: Number(limit) }) };
  const result = await runOperator<{ tenants: Tenant[]; after: string | null }>(run, {
    command: 'tenants list',
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
    const so = result.changed ? '' : ' (it was so already; nothing was written)';
    run.show(result, one(result.tenant) + so);
  };

const resetPassword: Action = async (run, [tenant]) => {
  const request = { command: 'tenants reset-password', input: { tenant } };
  const result = await runOperator<{ tenant: Tenant; password: string }>(run, request);
  run.show(
    result,
    `${one(result.tenant)}\nNew password, shown this once: ${result.password}\nAll console tokens have ended.`,
  );
};
