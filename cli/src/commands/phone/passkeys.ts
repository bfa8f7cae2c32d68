import { attest, readPhones } from '@svc/sdk/phone';
import type { Action, Commands, Options } from '../../command.js';
import { UsageError } from '../../failure.js';
import { needsPasskey } from '../../phone/faults/faults.js';
import { type ProofSigner, signerOf } from '../../phone/passkey/passkey.js';
import { acting, type OwnPhone, ownPhone } from '../../phone/places.js';
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

/** Signs a request with a fault. Undefined if the registration has no passkey. @throws UsageError for a fault that needs one */
export function passkeyFor({ file, enrollment }: OwnPhone, options: Options): ProofSigner | undefined {
  const { id, passkey, attestationKeyId: keyId } = enrollment;
  if (passkey !== undefined && keyId !== undefined)
    return signerOf({ ...enrollment, passkey: { ...passkey, keyId } }, ({ keyId: _, ...used }) => {
      void file.vault.change(({ identities }) =>
        identities
          .filter((each) => each.id === id)
          .map((each) => ({ put: 'identities' as const, record: { ...each, passkey: used } })),
      );
    });
  if (needsPasskey(faultIn(options) ?? {}))
    throw new UsageError(
      `--fault ${options.fault} needs a passkey. Enroll one with \`svc phone passkey\`. Nothing was sent.`,
    );
  return undefined;
}

const enroll: Action = async (run, _, options) => {
  const { phone, enrollment } = ownPhone(run, options, { fault: faultIn(options)?.passkey });
  const { id } = enrollment;
  // It notes whether the present one was revoked, which replaces nothing.
  await acting(readPhones(phone, id), enrollment);
  const { identities } = await phone.vault.read();
  const replaces = identities.find((each) => each.id === id)?.attestationKeyId !== undefined;
  const key = await expectOk(
    attest(phone, id, {}, { replaces }),
    options,
    async () =>
      'The identity may have a passkey that this phone does not have. Revoke it with DELETE /v1/attestation/keys/:id. If the server has another BASE_URL than the address that the phone uses, register the phone at BASE_URL.',
  );
  run.show({ attestationKey: key }, `Enrolled passkey ${key.id} for ${key.did} (level ${key.level}).`);
};
