import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { ServiceError } from './client.js';
import { terminalOutput } from './output.js';
import { UsageError } from './usage-error.js';

const HELP = `svc: the command line of the identity verification service

  svc quickstart                         walk from an account to a verified proof against a running server
  svc audit verify FILE [--since HEAD]   check an export of the audit chain offline ("-" reads standard input);
                                         HEAD, a head kept earlier (JSON, or a file of it, or an earlier export),
                                         proves that the chain still extends it
  svc zk verify-setup                    recompile the circuit and check every contribution to its keys

  svc chain deploy [--owner ADDRESS] [--relayer ADDRESS]
                                         put the contracts on a chain; --json prints what CHAIN_CONTRACTS takes
  svc chain status                       what is there, and whether the server would work with it
                                         both: --rpc-url URL or CHAIN_RPC_URL, the key in CHAIN_PRIVATE_KEY

For the operator, with the settings of the server (DATABASE_URL and SVC_SECRET, or DATA_DIR):

  svc migrate                            apply what the schema lacks
  svc heads resign                       sign every chain's head with SVC_SECRET, before SVC_SECRET_PREVIOUS goes
  svc tenants list [--status STATUS] [--plan PLAN] [--limit N] [--after ID]
  svc tenants set-plan TENANT PLAN       free, starter, growth or enterprise
  svc tenants suspend TENANT             refuse the account's credentials at once
  svc tenants deactivate TENANT          the same, for good until it is activated
  svc tenants activate TENANT
  svc tenants reset-password TENANT      make a password, show it once and end all console tokens

TENANT is an id or an e-mail. --json prints the result as one line of JSON. Every change is audited on the tenant's
live chain. On the embedded database the running server does the work; when none runs, the folder is opened.

Settings: BASE_URL, the server of the quickstart (default http://localhost:3000).
Exit codes: 0 done, or the chain holds; 1 refused, or it does not hold; 2 not understood.
`;

type Env = Readonly<Record<string, string | undefined>>;

interface Command {
  /** Names of what follows the command, in order. */
  readonly operands?: readonly string[];
  readonly options?: NonNullable<ParseArgsConfig['options']>;
  run(given: Readonly<Record<string, string | undefined>>, env: Env, json: boolean): Promise<number>;
}

const text = { type: 'string' } as const;

/** What the operator does; loaded when asked for, since it brings the database drivers along. */
const operator = (
  name: string,
  operands: readonly string[] = [],
  options: NonNullable<ParseArgsConfig['options']> = {},
): Readonly<Record<string, Command>> => ({
  [name]: {
    operands,
    options: { ...options, json: { type: 'boolean' } },
    async run({ limit, ...given }, env, json) {
      if (limit !== undefined && !/^[1-9][0-9]{0,5}$/.test(limit))
        throw new UsageError('--limit must be a number from 1.');
      const input = { ...given, ...(limit !== undefined && { limit: Number(limit) }) };
      const { runOperator } = await import('./operator.js');
      return runOperator({ command: name, input }, env, json, { out: process.stdout, err: process.stderr });
    },
  },
});

/** Speaks to a chain; its library is loaded only for these. */
const chain = (
  name: 'chainDeploy' | 'chainStatus',
  options: NonNullable<ParseArgsConfig['options']> = {},
): Command => ({
  options: { 'rpc-url': text, ...options, json: { type: 'boolean' } },
  run: async (given, env, json) =>
    (await import('./chain.js'))[name](given, env, json, { out: process.stdout, err: process.stderr }),
});

const COMMANDS: Readonly<Record<string, Command>> = {
  quickstart: {
    async run(_, env) {
      const { quickstart } = await import('./quickstart.js');
      await quickstart(
        env.BASE_URL || `http://localhost:${env.PORT || 3000}`,
        terminalOutput(process.stdout),
      );
      return 0;
    },
  },
  'audit verify': {
    operands: ['file'],
    options: { since: text },
    async run({ file = '', since }) {
      const { auditVerify } = await import('./audit-verify.js');
      return auditVerify({ file, since }, process.stdout);
    },
  },
  'chain deploy': chain('chainDeploy', { owner: text, relayer: text }),
  'chain status': chain('chainStatus'),
  'zk verify-setup': { run: async () => runScript('../../zk/scripts/verify-setup.mjs') },
  ...operator('migrate'),
  ...operator('heads resign'),
  ...operator('tenants list', [], { status: text, plan: text, limit: text, after: text }),
  ...operator('tenants set-plan', ['tenant', 'plan']),
  ...operator('tenants suspend', ['tenant']),
  ...operator('tenants activate', ['tenant']),
  ...operator('tenants deactivate', ['tenant']),
  ...operator('tenants reset-password', ['tenant']),
};

/** Runs one command; answers the exit code. */
export async function svc(args: readonly string[], env: Env): Promise<number> {
  if (args.length === 0 || args[0] === 'help' || args.includes('--help') || args.includes('-h')) {
    process.stdout.write(HELP);
    return 0;
  }
  try {
    const name = [args.slice(0, 2).join(' '), args[0] as string].find((name) =>
      Object.hasOwn(COMMANDS, name),
    );
    if (name === undefined) throw new UsageError(noSuchCommand(args));
    const command = COMMANDS[name] as Command;
    const { json, ...given } = read(name, command, args.slice(name.split(' ').length));
    return await command.run(given, env, json !== undefined);
  } catch (error) {
    if (!(error instanceof ServiceError || error instanceof UsageError)) throw error;
    process.stderr.write(`\n${error.message}\n`);
    if (error instanceof ServiceError) return 1;
    process.stderr.write('`npm run svc -- help` shows every command.\n');
    return 2;
  }
}

/** What to say of a command that is not there; of a group of commands, which it has. */
function noSuchCommand(args: readonly string[]): string {
  const [group, given] = args;
  const commands = Object.keys(COMMANDS)
    .filter((name) => name.startsWith(`${group} `))
    .map((name) => name.slice(`${group} `.length));
  return commands.length > 0 && (given === undefined || given.startsWith('-'))
    ? `svc ${group} needs one of: ${commands.join(', ')}.`
    : `There is no command ${JSON.stringify(args.slice(0, 2).join(' '))}.`;
}

/** Operands and options by name; each given once and none left over. */
function read(name: string, { operands = [], options = {} }: Command, args: string[]) {
  let parsed: ReturnType<typeof parseArgs>;
  try {
    parsed = parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  const { values, positionals } = parsed;
  const missing = operands[positionals.length];
  if (missing !== undefined) throw new UsageError(`svc ${name} needs ${missing.toUpperCase()}.`);
  if (positionals.length > operands.length)
    throw new UsageError(`svc ${name} does not take ${JSON.stringify(positionals[operands.length])}.`);
  const named = operands.map((operand, index) => [operand, positionals[index]] as const);
  const optional = Object.entries(values).map(([key, value]) => [key, String(value)] as const);
  return Object.fromEntries<string | undefined>([...named, ...optional]);
}

/** The circuit's tools are for development and stay outside of what is shipped, in processes of their own. */
function runScript(path: string): number {
  const script = fileURLToPath(new URL(path, import.meta.url));
  return spawnSync(process.execPath, [script], { stdio: 'inherit' }).status ?? 1;
}
