import { type Environment, SvcError } from '@svc/sdk';
import { CircuitNotPinnedError } from '@svc/zk/setup/circuit-pin';
import { type Command, CommanderError, Option } from 'commander';
import { EXIT, Failure, failureOf, UsageError } from './failure.js';
import { type Env, type Progress, progressOn, type Style, styleFor, type Writer } from './terminal.js';

/** The environment and streams of a command. */
export interface Context {
  readonly env: Env;
  readonly out: Writer;
  readonly err: Writer;
  /** Asks the person at the terminal. Absent if there is none. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
}

/** One run of a command. */
export interface Run extends Context {
  readonly json: boolean;
  /** Colours on standard output. */
  readonly style: Style;
  /** Prints the result: one line of JSON with `--json`, otherwise text. */
  show(result: unknown, text: string): void;
  progress(title: string): Progress;
}

export type Options = Readonly<Record<string, string | boolean | undefined>>;

/** Runs a command and returns its exit code. Default: 0 */
export type Action = (
  run: Run,
  operands: readonly string[],
  options: Options,
) => Promise<number | undefined> | Promise<void>;

export interface Commands {
  /** A command with its operands, `set-plan <tenant> <plan>`; add options to the returned object. */
  command(usage: string, summary: string, action: Action): Command;
  /** Commands under one word, or under its earlier name. */
  group(name: string, summary: string, earlierName?: string): Commands;
}

/** What a command leaves behind; commander stores neither. */
export interface Outcome {
  /** The exit code. */
  code: number;
  /** The options of the command that ran. */
  options?: Options;
}

export function commandsOf(parent: Command, context: Context, outcome: Outcome): Commands {
  return {
    group(name, summary, earlierName) {
      const group = parent.command(name).helpCommand(false).summary(summary).description(sentence(summary));
      return commandsOf(earlierName === undefined ? group : group.alias(earlierName), context, outcome);
    },
    command(usage, summary, action) {
      const command = parent.command(usage).summary(summary).description(sentence(summary));
      command.addOption(new Option('--json', 'print the result as one line of JSON'));
      return command.action(async () => {
        const { json = false, ...options } = command.opts() as Options;
        outcome.options = options;
        const run: Run = {
          ...context,
          json: json === true,
          style: styleFor(context.out, context.env),
          show: (result, text) => void context.out.write(`${json ? JSON.stringify(result) : text}\n`),
          progress: (title) => progressOn(context.err, title),
        };
        outcome.code = (await action(run, command.args, options)) ?? EXIT.done;
      });
    },
  };
}

const sentence = (summary: string) => `${summary[0]?.toUpperCase()}${summary.slice(1)}.`;

/** Any error as a failure. An unknown one is a bug of the command line. `environment` is that of the key. */
export function asFailure(error: unknown, environment?: Environment): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof SvcError) return failureOf(error, { environment });
  if (error instanceof CommanderError) return new UsageError(error.message.replace(/^error: /, ''));
  if (error instanceof CircuitNotPinnedError)
    return new Failure(
      'refused',
      `${error.message} Use the command line of the server's version. If you changed zk/artifacts, restore it.`,
    );
  const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined };
  const failure = new Failure(
    'internal',
    `The command line has a bug: ${message}. Please report it. SVC_DEBUG=1 prints the stack.`,
  );
  failure.stack = stack ?? '';
  return failure;
}
