import { Command, CommanderError } from 'commander';
import { asFailure, type Commands, type Context, commandsOf, type Outcome } from './command.js';
import { accountCommands } from './commands/account.js';
import { benchCommand } from './commands/bench.js';
import { chainCommands } from './commands/chain.js';
import { anchorsCommands } from './commands/checks/anchors.js';
import { attestationCommands } from './commands/checks/attestation.js';
import { auditCommands } from './commands/checks/audit.js';
import { doctorCommand } from './commands/checks/doctor.js';
import { receiptCommands } from './commands/checks/receipts.js';
import { recordCommands } from './commands/checks/records.js';
import { timeCommands } from './commands/checks/time.js';
import { deskCommands } from './commands/desk.js';
import { eventsCommands } from './commands/events.js';
import { listenCommand } from './commands/listen.js';
import { loginCommands } from './commands/login.js';
import { membersCommands } from './commands/members.js';
import { operatorCommands } from './commands/operator.js';
import { peopleCommands } from './commands/people.js';
import { phoneCommands } from './commands/phone/phone.js';
import { sandboxCommands } from './commands/sandbox.js';
import { webhooksCommands } from './commands/webhooks.js';
import { zkCommands } from './commands/zk.js';
import { EXIT } from './failure.js';
import { environmentOf } from './settings.js';
import { askOnTerminal, type Env, styleFor } from './terminal.js';
import { VERSION } from './version.js';

const AFTER_HELP = `
Settings are environment variables:
  BASE_URL           the server to call (default: http://localhost:3000)
  SVC_API_KEY        the API key
  SVC_CONSOLE_TOKEN  a token of the console, or
  SVC_EMAIL, SVC_PASSWORD   the account to log in with
  SVC_PHONE          the file of the simulated phone (default: ~/.svc-phone.json)
  SVC_OIDC_ISSUER, SVC_OIDC_CLIENT   where "svc login" signs in
  SVC_TIMEOUT        the timeout of a request in seconds (default: 30)
  NO_COLOR           no colours on a terminal
The operator's commands read the settings of the server (docs/operating.md).

Exit codes: 0 done; 1 rejected, or a check failed; 2 usage; 3 service not reached;
4 key, token or account rejected; 5 try later. docs/cli.md describes each command.
`;

/** Every command, in the order of the help. */
export function createProgram(context: Context, outcome: Outcome = { code: EXIT.done }): Command {
  const program = new Command('svc')
    .description('The command line of the identity verification service.')
    .version(VERSION, '--version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .configureHelp({ showGlobalOptions: false })
    .configureOutput({
      writeOut: (text) => void context.out.write(text),
      writeErr: (text) => void context.err.write(text),
      // `runCommand` prints it like every other failure.
      outputError: () => {},
    })
    .exitOverride()
    .addHelpText('after', AFTER_HELP);
  const commands: Commands = commandsOf(program, context, outcome);
  accountCommands(commands);
  membersCommands(commands);
  deskCommands(commands);
  phoneCommands(commands);
  peopleCommands(commands);
  sandboxCommands(commands);
  eventsCommands(commands);
  webhooksCommands(commands);
  listenCommand(commands);
  auditCommands(commands);
  receiptCommands(commands);
  recordCommands(commands);
  timeCommands(commands);
  attestationCommands(commands);
  anchorsCommands(commands);
  loginCommands(commands);
  doctorCommand(commands);
  operatorCommands(commands);
  chainCommands(commands);
  zkCommands(commands);
  benchCommand(commands);
  return program;
}

/** Runs one command as this process. Returns the exit code. */
export function svc(args: readonly string[], env: Env): Promise<number> {
  // A reader such as `head` may close the pipe early.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(EXIT.done);
  });
  const ask = process.stdin.isTTY ? askOnTerminal : undefined;
  return runCommand(args, { env, out: process.stdout, err: process.stderr, ask });
}

/** Runs one command. Returns the exit code. */
export async function runCommand(args: readonly string[], context: Context): Promise<number> {
  const outcome: Outcome = { code: EXIT.done };
  try {
    await createProgram(context, outcome).parseAsync(args.length === 0 ? ['--help'] : args, { from: 'user' });
    return outcome.code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done;
    // Commander has already printed the commands of the group.
    if (error instanceof CommanderError && error.code === 'commander.help') return EXIT.usage;
    const { kind, message, reply, stack } = asFailure(error, environmentOf(context, outcome.options ?? {}));
    if (args.includes('--json')) context.err.write(`${JSON.stringify({ kind, message, ...reply })}\n`);
    else {
      const hint = kind === 'usage' ? '\n`svc help` lists the commands, and --help describes one.' : '';
      context.err.write(`${styleFor(context.err, context.env)('red', message)}${hint}\n`);
    }
    if (context.env.SVC_DEBUG) context.err.write(`${stack}\n`);
    return EXIT[kind];
  }
}
