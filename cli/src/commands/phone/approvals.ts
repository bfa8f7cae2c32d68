import type { ApprovalStatement } from '@svc/sdk';
import { type Choice, decide, readInbox } from '@svc/sdk/phone';
import { type Command, Option } from 'commander';
import type { Action, Commands, Options, Run } from '../../command.js';
import { Failure, UsageError } from '../../failure.js';
import { explainRejection } from '../../phone/explain.js';
import { acting, type OwnPhone, ownPhone } from '../../phone/places.js';
import { describeStatement } from '../../phone/waiting.js';
import { plain, table } from '../../terminal.js';
import { expectOk, numberFor, withPlace } from './options.js';

/** What a person is asked to approve. No command needs an API key: the phone proves who it is. */
export function phoneApprovalCommands(phone: Commands): void {
  const approvals = phone.group('approvals', 'what this person is asked to approve');
  const id = ['<id>', 'the id of the approval; `svc phone approvals list` lists them'] as const;
  const confirmed = (command: Command) =>
    withPlace(command)
      .argument(...id)
      .option('--yes', 'decide without asking');
  withPlace(approvals.command('list', 'list what waits for this person', list));
  withPlace(approvals.command('show', 'show all of an approval that waits', show)).argument(...id);
  confirmed(approvals.command('approve', 'show an approval, ask, and approve it', approve)).option(
    '--number <number>',
    'the two digits that the one who asks shows',
  );
  confirmed(approvals.command('decline', 'show an approval, ask, and decline it', decline)).addOption(
    new Option('--reason <reason>', 'not_me raises an alarm at the company')
      .choices(['not_me', 'mistake', 'no'])
      .default('no'),
  );
}

const list: Action = async (run, _, options) => {
  const statements = await waitingFor(ownPhone(run, options));
  const rows = statements.map(({ approvalId, expiresAt, company, action }) => [
    approvalId,
    expiresAt,
    plain(company),
    plain(action.title),
  ]);
  run.show(
    { approvals: statements.map((statement) => ({ statement })) },
    rows.length === 0
      ? 'Nothing waits for this person.'
      : table([['ID', 'EXPIRES', 'FROM', 'TITLE'], ...rows]),
  );
};

const show: Action = async (run, [id], options) => {
  const { statement } = await find(run, String(id), options);
  run.show({ statement }, describeStatement(statement, { ...run, err: run.out }));
};

const approve: Action = async (run, [id], options) => {
  const found = await find(run, String(id), options);
  if (!run.json) run.err.write(`${describeStatement(found.statement, run)}\n`);
  const matchCode =
    found.statement.match === 'type'
      ? await numberFor(run, options, {
          question: 'Number that the one who asks shows: ',
          missing:
            'This approval asks for a number. Pass --number with the two digits that the one who asks shows.',
        })
      : undefined;
  await confirm(run, options, 'Approve this? Type yes: ');
  const approval = await send(
    found,
    { decision: 'approve', ...(matchCode !== undefined && { matchCode }) },
    options,
  );
  run.show(
    { approval },
    approval.state === 'pending' ? 'Approved. Others still have to approve.' : 'Approved.',
  );
};

const decline: Action = async (run, [id], options) => {
  const found = await find(run, String(id), options);
  if (!run.json) run.err.write(`${describeStatement(found.statement, run)}\n`);
  await confirm(run, options, 'Decline this? Type yes: ');
  const { reason } = options as { reason: 'not_me' | 'mistake' | 'no' };
  run.show({ approval: await send(found, { decision: 'decline', reason }, options) }, 'Declined.');
};

async function find(run: Run, id: string, options: Options) {
  const own = ownPhone(run, options);
  const statement = (await waitingFor(own)).find(({ approvalId }) => approvalId === id);
  if (statement !== undefined) return { own, statement };
  throw new Failure(
    'refused',
    `No approval ${plain(id)} waits for this person. It may be for somebody else, or it was decided, cancelled or has expired. Nothing was sent.`,
  );
}

async function confirm({ ask, json }: Run, { yes }: Options, question: string): Promise<void> {
  if (yes) return;
  if (json || ask === undefined)
    throw new UsageError('This asks the person at the terminal. Pass --yes to decide without asking.');
  if ((await ask(question)).trim().toLowerCase() !== 'yes')
    throw new UsageError('Nothing was decided, because the answer was not yes.');
}

interface Found {
  readonly own: OwnPhone;
  readonly statement: ApprovalStatement;
}

const send = ({ own, statement }: Found, choice: Choice, options: Options) =>
  expectOk(decide(own.phone, own.enrollment.id, statement, choice), options, (error) =>
    explainRejection(own.svc, error),
  );

/** What waits for the phone's person. @throws Failure for a statement that no honest service sends to this phone */
async function waitingFor({ phone, enrollment }: OwnPhone): Promise<readonly ApprovalStatement[]> {
  const { statements, unreadable } = await acting(readInbox(phone, enrollment.id), enrollment);
  if (unreadable === 0) return statements;
  throw new Failure(
    'refused',
    `The service at ${enrollment.baseUrl} sent ${unreadable} of its approvals in a form that no service may send. Nothing was proved.`,
  );
}
