import type { Action, Commands, Options } from '../../command.js';
import { UsageError } from '../../failure.js';
import { needsPasskey } from '../../phone/faults/faults.js';
import { enrollPasskey } from '../../phone/passkey/enrolling.js';
import { type ProofSigner, signerOf } from '../../phone/passkey/passkey.js';
import { type OwnPhone, ownPhone, readOwn, secretInForce } from '../../phone/places.js';
import { expectOk, faultIn, withFault, withPlace } from './options.js';

/** The passkey that signs the phone's proofs. It needs no API key. */
export function phonePasskeyCommands(phone: Commands): void {
  withFault(
    withPlace(
      phone.command('passkey', 'enroll a passkey that signs the phone’s proofs, or replace it', enroll),
    ),
    'passkey',
  );
}

/** Signs with the passkey of a registration. Undefined if it has none. @throws UsageError for a fault that needs one */
export function passkeyFor({ phone, enrollment }: OwnPhone, options: Options): ProofSigner | undefined {
  const sign = signerOf(enrollment, (passkey) => phone.save({ ...enrollment, passkey }));
  if (sign === undefined && needsPasskey(faultIn(options) ?? {}))
    throw new UsageError(
      `--fault ${options.fault} needs a passkey. Enroll one with \`svc phone passkey\`. Nothing was sent.`,
    );
  return sign;
}

const enroll: Action = async (run, _, options) => {
  const { own, identity } = await secretInForce(ownPhone(run, options));
  const { phone, svc, place, enrollment } = own;
  const listed = await readOwn(own, identity);
  // One that was revoked replaces nothing.
  const isInForce = listed?.identities.find(({ isThis }) => isThis)?.attestationKeyId !== null;
  const sign = isInForce
    ? signerOf(enrollment, (passkey) => phone.save({ ...enrollment, passkey }))
    : undefined;
  const fault = faultIn(options)?.passkey;
  const { key, passkey } = await expectOk(
    enrollPasskey(svc, identity, place, { fault, sign }),
    options,
    async () =>
      'The identity may have a passkey that this phone does not have. Revoke it with DELETE /v1/attestation/keys/:id. If the server has another BASE_URL than the address that the phone uses, register the phone at BASE_URL.',
  );
  phone.save({ ...enrollment, passkey });
  run.show({ attestationKey: key }, `Enrolled passkey ${key.id} for ${key.did} (level ${key.level}).`);
};
