import { contest, type Phones, readPhones } from '@svc/sdk/phone';
import type { Action, Commands, Run } from '../../command.js';
import { UsageError } from '../../failure.js';
import { acting, ownPhone } from '../../phone/places.js';
import { withPlace } from './options.js';

/** What a phone can do about a recovery of its person. It needs no API key. */
export function phoneRecoveryCommands(phone: Commands): void {
  withPlace(
    phone.command('contest', 'contest a recovery of this person that they did not ask for', contestOne),
  ).argument('[recovery]', 'the id of the recovery, if there are several');
}

const contestOne: Action = async (run, [given], options) => {
  const { phone, enrollment } = ownPhone(run, options);
  const recoveryId = given ?? onlyRecovery(run, await acting(readPhones(phone, enrollment.id), enrollment));
  const recovery = await acting(contest(phone, enrollment.id, recoveryId), enrollment);
  run.show(
    { recovery },
    recovery.state === 'abandoned'
      ? `Recovery ${recovery.id} has ended. This phone stays in force.`
      : `Recovery ${recovery.id} is on hold until the company has confirmed it.`,
  );
};

function onlyRecovery(run: Run, { recoveries }: Phones): string {
  for (const { id, openedAt, completesAt } of recoveries)
    if (!run.json) run.err.write(`Recovery ${id}, opened at ${openedAt}, completes at ${completesAt}\n`);
  const [recovery, other] = recoveries;
  if (recovery === undefined) throw new UsageError('This person has no pending recovery.');
  if (other !== undefined)
    throw new UsageError(
      'This person has several pending recoveries. Pass the id of one: svc phone contest ID.',
    );
  return recovery.id;
}
