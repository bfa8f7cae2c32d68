import type { Action, Commands, Run } from '../../command.js';
import { UsageError } from '../../failure.js';
import { identityProver, ownPhone, readOwn, secretInForce } from '../../phone/places.js';
import { withPlace } from './options.js';

/** What a phone can do about a recovery of its person. It needs no API key. */
export function phoneRecoveryCommands(phone: Commands): void {
  withPlace(
    phone.command('contest', 'contest a recovery of this person that they did not ask for', contest),
  ).argument('[recovery]', 'the id of the recovery, if there are several');
}

const contest: Action = async (run, [given], options) => {
  const { own, identity } = await secretInForce(ownPhone(run, options));
  const { svc, place } = own;
  const recoveryId = given ?? (await onlyRecovery(run, await readOwn(own, identity)));
  const use = await svc.phone.createUse(place);
  const proof = await (await identityProver()).proveContest(identity, use, recoveryId);
  const recovery = await svc.phone.recoveries.contest(proof);
  run.show(
    { recovery },
    recovery.state === 'abandoned'
      ? `Recovery ${recovery.id} has ended. This phone stays in force.`
      : `Recovery ${recovery.id} is on hold until the company has confirmed it.`,
  );
};

type Own = Awaited<ReturnType<typeof readOwn>>;

async function onlyRecovery(run: Run, own: Own): Promise<string> {
  const recoveries = own?.recoveries ?? [];
  for (const { id, openedAt, completesAt } of recoveries)
    if (!run.json) run.err.write(`Recovery ${id}, opened at ${openedAt}, completes at ${completesAt}\n`);
  const [recovery, other] = recoveries;
  if (recovery === undefined)
    throw new UsageError(
      own === undefined
        ? 'The service rejected this phone’s proof, so its recoveries can’t be listed. Pass the id of one: svc phone contest ID.'
        : 'This person has no pending recovery.',
    );
  if (other !== undefined)
    throw new UsageError(
      'This person has several pending recoveries. Pass the id of one: svc phone contest ID.',
    );
  return recovery.id;
}
