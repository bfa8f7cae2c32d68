import { isSvcError } from '@svc/sdk';
import { add, awaitAdded, invite, join, meet, openIdentity, rotate } from '@svc/sdk/phone';
import type { Action, Commands } from '../../command.js';
import { Failure } from '../../failure.js';
import { openPhone, phonePath } from '../../phone/phone-file.js';
import { acting, ownPhone } from '../../phone/places.js';
import { phoneOf } from '../../phone/ports.js';
import { readAdditionCode } from '../../phone/qr.js';
import { clientOf, withServer } from '../../settings.js';
import { plain } from '../../terminal.js';
import { withPhone, withPlace } from './options.js';

/** What a person can do with several phones. No command needs an API key: the phone proves who it is. */
export function phoneIdentityCommands(phone: Commands): void {
  withPlace(
    phone.command('add-device', 'add another phone of this person, which runs `svc phone join`', addOther),
  ).option('--digits <digits>', 'the six digits that the other phone shows');
  withPhone(
    withServer(
      phone.command('join', 'add this phone to a person, with the code that `add-device` shows', joinOther),
    ),
  ).argument('<code>', 'SV-XXXX-XXXX, its link svc://add?code=… or its address');
  withPlace(phone.command('rotate', 'replace the secret of this phone. The DID stays', rotateSecret));
}

const addOther: Action = async (run, _, options) => {
  const { phone, enrollment } = ownPhone(run, options);
  const invitation = await acting(invite(phone, enrollment.id), enrollment);
  run.err.write(
    `Next, on the new phone: svc phone join '${invitation.deeplink}'\nThe code expires at ${invitation.expiresAt}.\n`,
  );
  const met = await meet(phone, invitation, {}).catch(notAdded);
  const digits =
    options.digits ?? (await run.ask?.('Six digits that the new phone shows, or nothing to reject: '));
  const added = await add(phone, invitation, met, String(digits ?? '').replaceAll(/\s/g, ''));
  if (added.outcome === 'rejected')
    throw new Failure(
      'refused',
      'The digits do not match, so no phone was added. If they differ again, somebody may be between the two phones.',
    );
  const { newDid } = met.joined;
  run.show(
    added.reply ?? { identity: { did: newDid }, resumed: true },
    `Added ${newDid} to this person.${usableFrom(added.inForceAt)}`,
  );
};

/** The addition ended before the phones met, or the person typed other digits. */
function notAdded(error: unknown): never {
  if (!isSvcError(error, 'addition_rejected')) throw error;
  throw new Failure(
    'refused',
    'The addition was rejected: the digits were wrong. Start again with `svc phone add-device`.',
  );
}

const usableFrom = (inForceAt: string | null | undefined) =>
  inForceAt ? ` It can be used from ${inForceAt}.` : '';

const joinOther: Action = async (run, [text], options) => {
  const svc = clientOf(run, options);
  const file = openPhone(phonePath(run, options));
  const phone = phoneOf(file, svc);
  const { code, found } = await join(phone, readAdditionCode(String(text), svc.baseUrl));
  const digits = await openIdentity(phone, code).catch(notAdded);
  run.err.write(`Digits for ${plain(found.companyName ?? '')}: ${digits}\nType them on the other phone.\n`);
  const { did, tenantId, environment, inForceAt } = await awaitAdded(phone, code).catch(notAdded);
  run.show(
    { did, tenantId, environment, inForceAt: inForceAt ?? null },
    `Added: this phone is ${did} (${environment}).${usableFrom(inForceAt)}`,
  );
};

const rotateSecret: Action = async (run, _, options) => {
  const { phone, enrollment } = ownPhone(run, options);
  const { did } = enrollment;
  const reply = await acting(rotate(phone, enrollment.id), enrollment);
  run.show(
    reply ?? { identity: { did }, resumed: true },
    reply === undefined
      ? `The secret of ${did} was already replaced by the last rotation, whose response was lost.`
      : `Replaced the secret of ${did}. Its other sessions have ended.`,
  );
};
