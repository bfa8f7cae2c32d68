import { SvcError } from '@svc/sdk';
import { type Command, Option } from 'commander';
import type { Options, Run } from '../../command.js';
import { failureOf, UsageError } from '../../failure.js';
import { type Act, FAULTS, type Fault, faultsOf } from '../../phone/faults/faults.js';

/** The option of every command of the phone. */
export const withPhone = (command: Command) =>
  command.option('--phone <file>', 'the file of the phone (default: SVC_PHONE, or ~/.svc-phone.json)');

export const withFault = (command: Command, name: Act) =>
  command.addOption(
    new Option('--fault <fault>', 'make one mistake on purpose; `svc phone faults` lists them').choices(
      faultsOf(name),
    ),
  );

/** The options of a command that sends something, which may have a fault. */
export const act = (command: Command, name: Act) => withFault(withPhone(command), name);

export const faultIn = ({ fault }: Options): Fault | undefined => FAULTS[String(fault)];

/** Adds the next step to an error. With a fault the error is intended. Otherwise `explain` looks for its cause. */
export async function expectOk<T>(
  reply: Promise<T>,
  options: Options,
  explain?: (error: SvcError) => Promise<string | undefined>,
): Promise<T> {
  try {
    return await reply;
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    const next = faultIn(options)
      ? `(This is the result of --fault ${options.fault}.)`
      : await explain?.(error);
    throw failureOf(error, { next });
  }
}

/** The two digits, from the option or the person at the terminal. */
export async function numberFor(
  { ask, json }: Run,
  { number }: Options,
  { question, missing }: { readonly question: string; readonly missing: string },
): Promise<string> {
  const typed = number ?? (json ? undefined : await ask?.(question));
  const digits = String(typed ?? '').trim();
  if (/^[0-9]{2}$/.test(digits)) return digits;
  throw new UsageError(
    typed === undefined
      ? missing
      : 'The number has two digits. Type it exactly as it is shown. Nothing was sent.',
  );
}

/** The options of a command that proves for one of the phone's registrations. */
export const withPlace = (command: Command): Command =>
  withPhone(command)
    .option('--base-url <url>', 'the server, if the phone is registered at several')
    .option('--tenant <id>', 'the account, if the phone is registered with several')
    .addOption(
      new Option(
        '--environment <environment>',
        'the environment, if the phone is registered in both',
      ).choices(['live', 'test']),
    );
