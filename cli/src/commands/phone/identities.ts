import type { Action, Commands } from '../../command.js';
import { addDevice, joinDevice } from '../../phone/adding.js';
import { openPhone, phonePath } from '../../phone/phone-file.js';
import { ownPhone, secretInForce } from '../../phone/places.js';
import { readAdditionCode } from '../../phone/qr.js';
import { rotate } from '../../phone/rotation.js';
import { clientOf, withServer } from '../../settings.js';
import { plain } from '../../terminal.js';
import { withPhone, withPlace } from './options.js';
import { passkeyFor } from './passkeys.js';

/** What a person can do with several phones. No command needs an API key: the phone proves who it is. */
export function phoneIdentityCommands(phone: Commands): void {
  withPlace(
    phone.command('add-device', 'add another phone of this person, which runs `svc phone join`', addOther),
  ).option('--digits <digits>', 'the six digits that the other phone shows');
  withPhone(
    withServer(
      phone.command('join', 'add this phone to a person, with the code that `add-device` shows', join),
    ),
  ).argument('<code>', 'SV-XXXX-XXXX, its link svc://add?code=… or its address');
  withPlace(phone.command('rotate', 'replace the secret of this phone. The DID stays', rotateSecret));
}

const addOther: Action = async (run, _, options) => {
  const { own, identity } = await secretInForce(ownPhone(run, options));
  const result = await addDevice(own, identity, {
    onCode({ deeplink, expiresAt }) {
      run.err.write(
        `Next, on the new phone: svc phone join '${deeplink}'\nThe code expires at ${expiresAt}.\n`,
      );
    },
    async askDigits() {
      const digits =
        options.digits ?? (await run.ask?.('Six digits that the new phone shows, or nothing to reject: '));
      return String(digits ?? '');
    },
    sign: passkeyFor(own, options),
  });
  const { did, inForceAt } = result.identity;
  run.show(result, `Added ${did} to this person (user ${result.userId}).${usableFrom(inForceAt)}`);
};

const usableFrom = (inForceAt: string | null) =>
  inForceAt === null ? '' : ` It can be used from ${inForceAt}.`;

const join: Action = async (run, [code], options) => {
  const svc = clientOf(run, options);
  const phone = openPhone(phonePath(run, options));
  const { enrollment, inForceAt } = await joinDevice(
    svc,
    phone,
    readAdditionCode(String(code), svc.baseUrl),
    {
      onDigits: (digits, companyName) =>
        run.err.write(`Digits for ${plain(companyName)}: ${digits}\nType them on the other phone.\n`),
    },
  );
  const { did, tenantId, environment } = enrollment;
  run.show(
    { did, tenantId, environment, inForceAt },
    `Added: this phone is ${did} (${environment}).${usableFrom(inForceAt)}`,
  );
};

const rotateSecret: Action = async (run, _, options) => {
  const { own, reply } = await rotate(() => ownPhone(run, options));
  const { did } = own.enrollment;
  run.show(
    reply ?? { identity: { did }, resumed: true },
    reply === undefined
      ? `The secret of ${did} was already replaced by the last rotation, whose response was lost.`
      : `Replaced the secret of ${did}. Its other sessions have ended.`,
  );
};
