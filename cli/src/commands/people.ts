import { isSvcError, type NameConfirmationParams, type Svc, type User, type UserEraseParams } from '@svc/sdk';
import { Option } from 'commander';
import type { Action, Commands, Run } from '../command.js';
import { Failure, UsageError } from '../failure.js';
import { consoleClientOf, keyClientOf, withKey, withServer } from '../settings.js';
import { plain } from '../terminal.js';
import { writeWhole } from '../whole-file.js';

export function peopleCommands(commands: Commands): void {
  const people = commands.group(
    'people',
    'export and erase what the service knows about a person, and confirm their name',
  );
  withKey(people.command('export', 'write everything about a person as one JSON document', exportPerson))
    .argument('<userId>', 'the id of the person')
    .option('--out <file>', 'the file to write, with mode 600 (default: standard output)');
  withKey(people.command('erase', 'erase everything personal about a person, for good', erasePerson))
    .argument('<userId>', 'the id of the person')
    .addOption(
      new Option('--reason <reason>', 'why, for the audit log')
        .choices(['request', 'retention', 'error'])
        .default('request'),
    )
    .option('--keep-events', 'keep the text of the person’s verifications and attendance')
    .option('--yes', 'do not ask');
  withServer(
    people.command(
      'confirm-name',
      'say that the name of a person is right (SVC_CONSOLE_TOKEN, or SVC_EMAIL and SVC_PASSWORD of a member)',
      confirmName,
    ),
  )
    .argument('<userId>', 'the id of the person')
    .addOption(
      new Option('--how <how>', 'how you know it')
        .choices(['known', 'document_seen', 'list'])
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--environment <environment>', 'where the person is')
        .choices(['live', 'test'])
        .default('live'),
    );
}

const exportPerson: Action = async (run, [userId], options) => {
  const { out } = options;
  const progress = run.progress('Exporting the person');
  const { users } = keyClientOf(run, options);
  let received = 0;
  async function* pieces(): AsyncGenerator<string> {
    for await (const piece of users.export(String(userId))) {
      received += piece.length;
      progress.update(`${(received / 1e6).toFixed(1)} MB`);
      yield piece;
    }
  }
  try {
    if (typeof out === 'string') await writeWhole(out, pieces());
    else for await (const piece of pieces()) run.out.write(piece);
  } catch (error) {
    throw isSvcError(error, 'connection_cut') ? incomplete(typeof out === 'string') : error;
  } finally {
    progress.end();
  }
  if (typeof out === 'string')
    run.show(
      { file: out },
      `Written to ${out}. It contains personal data: delete it when you don’t need it.`,
    );
};

const confirmName: Action = async (run, [userId], { how, environment, ...options }) => {
  const svc = await consoleClientOf(run, options);
  const user = await svc.console.confirmName(
    String(userId),
    how as NameConfirmationParams['how'],
    environment as 'live' | 'test',
  );
  run.show({ user }, `The name ${plain(user.fullName)} is confirmed.`);
};

const incomplete = (isFile: boolean) =>
  new Failure(
    'unreachable',
    `The connection broke before the end of the document, so ${isFile ? 'no file was written' : 'the output is incomplete'}. Try again, unless the person was erased during the export.`,
  );

const erasePerson: Action = async (run, [id], options) => {
  const userId = String(id);
  const events = options.keepEvents === true ? 'keep' : 'strip';
  const svc = keyClientOf(run, options);
  if (options.yes !== true) await confirm(run, svc, userId, events);
  const reply = await svc.users.erase(userId, {
    reason: options.reason as NonNullable<UserEraseParams['reason']>,
    events,
  });
  const { id: erasureId, erasedAt } = reply.erasure;
  run.show(reply, `User ${userId} was erased at ${erasedAt} (erasure ${erasureId}).`);
};

const consequences = (events: 'keep' | 'strip') => `This goes, for good:
  - the name, contacts and all other fields of the person
  - their phones and the keys of those phones
  - their sessions, sign-ins and registrations${
    events === 'keep' ? '' : '\n  - the text of their verifications and attendance'
  }
This stays:
  - the id, result and time of each verification and attendance event${
    events === 'keep' ? ', and its text' : ''
  }
  - the audit log, which has no names
  - hashes on the blockchain, if there is one
  - copies that were exported or sent before
`;

/** Asks at the terminal, and shows who the id stands for. */
async function confirm(run: Run, svc: Svc, userId: string, events: 'keep' | 'strip'): Promise<void> {
  if (run.ask === undefined)
    throw new UsageError('There is no terminal to ask for confirmation. Pass --yes to erase the person.');
  const person = await read(svc, userId);
  if (typeof person?.erasedAt === 'string') return;
  const name = person === undefined ? '' : `${plain(person.fullName)}, `;
  run.err.write(`Erase ${name}user ${userId}?\n${consequences(events)}`);
  const answer = await run.ask('Type "erase" to erase the person: ');
  if (answer.trim() !== 'erase') throw new Failure('refused', 'Nothing was erased.');
}

/** Undefined if the key may erase people but not read them. */
async function read({ users }: Svc, userId: string): Promise<User | undefined> {
  try {
    return await users.get(userId);
  } catch (error) {
    if (isSvcError(error, 'insufficient_scopes')) return undefined;
    throw error;
  }
}
