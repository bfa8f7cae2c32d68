import { setTimeout as delay } from 'node:timers/promises';
import type { Action, Commands, Options, Run } from '../command.js';
import { EXIT, Failure, UsageError } from '../failure.js';
import { OUTCOMES, type Outcome, type Played, playOutcome } from '../sandbox/outcomes.js';
import { createStage } from '../sandbox/stage.js';
import { apiKeyOf, clientOptions, withKey } from '../settings.js';
import { plain, table } from '../terminal.js';

export function sandboxCommands(commands: Commands): void {
  const sandbox = commands.group(
    'sandbox',
    'cause every response of the service, with a key of the test environment and no phone',
  );
  sandbox.command('list', 'list the outcomes', list);
  withKey(sandbox.command('play', 'cause outcomes, and compare the responses', play))
    .argument('[outcomes...]', 'names from `svc sandbox list`')
    .option('--all', 'all outcomes that take no time, spend nothing and need nothing')
    .option('--spend', 'allow using up the plan’s window or quota, which live calls share');
}

const described = ({ status, error }: { status: number; error?: string }) =>
  [status, error].filter(Boolean).join(' ');

const list: Action = async (run) => {
  const outcomes = Object.entries(OUTCOMES).map(([name, { play: _, ...outcome }]) => ({ name, ...outcome }));
  const rows = outcomes.map(({ name, expected, minutes, spends, needs, summary }) => [
    name,
    described(expected),
    [summary, minutes && `takes ${minutes} minutes`, spends && 'needs --spend', needs && `needs ${needs}`]
      .filter(Boolean)
      .join('; '),
  ]);
  run.show({ outcomes }, table([['OUTCOME', 'RESPONSE', 'HOW'], ...rows]));
};

const play: Action = async (run, operands, options) => {
  const names = namesOf(operands.flat(), options);
  const apiKey = apiKeyOf(run, options);
  if (!apiKey.startsWith('svc_test_'))
    throw new Failure(
      'credential',
      'This is a live key. The sandbox changes records, so it needs a key of the test environment. Create one with `svc keys create NAME --environment test`.',
    );
  const stage = createStage({ ...clientOptions(run, options), apiKey }, (ms, why) => wait(run, ms, why));
  const played: Played[] = [];
  for (const name of names) {
    const outcome = await playOutcome(stage, name);
    played.push(outcome);
    if (!run.json) run.show(outcome, describe(run, outcome));
  }
  if (run.json) run.show({ outcomes: played }, '');
  return played.every(({ asExpected }) => asExpected) ? EXIT.done : EXIT.refused;
};

function namesOf(given: readonly string[], { all, spend }: Options): string[] {
  const unknown = given.find((name) => !Object.hasOwn(OUTCOMES, name));
  if (unknown !== undefined)
    throw new UsageError(
      `There is no outcome ${JSON.stringify(plain(unknown))}. \`svc sandbox list\` lists them.`,
    );
  const spending = given.find((name) => OUTCOMES[name]?.spends);
  if (spending !== undefined && !spend)
    throw new UsageError(
      `${spending} uses up a limit that the account’s live calls share. Add --spend to allow it.`,
    );
  const quick = ({ minutes, spends, needs }: Outcome) => !(minutes || spends || needs);
  const names = all ? Object.keys(OUTCOMES).filter((name) => quick(OUTCOMES[name] as Outcome)) : given;
  if (names.length === 0)
    throw new UsageError('Name at least one outcome, or pass --all. `svc sandbox list` lists them.');
  return [...names];
}

function describe({ style }: Run, { name, expected, answered, asExpected }: Played): string {
  const verdict = asExpected ? style('green', 'ok  ') : style('red', 'fail');
  const wanted = asExpected ? '' : `, expected ${described(expected)}`;
  return `${verdict}  ${name.padEnd(28)}  ${plain(described(answered))}${wanted}  (request ${plain(String(answered.requestId))})`;
}

async function wait(run: Run, ms: number, why: string): Promise<void> {
  const progress = run.progress(`Waiting ${Math.ceil(ms / 1000)} s ${why}`);
  const until = Date.now() + ms;
  for (let left = ms; left > 0; left = until - Date.now()) {
    progress.update(`${Math.ceil(left / 1000)} s`);
    await delay(Math.min(left, 1000));
  }
  progress.end();
}
