import { renewIdentity } from '@svc/sdk/prover';
import { oneAtATime } from './file-lock.js';
import { signerOf } from './passkey/passkey.js';
import { identityOf, renewedOf, withRenewed } from './phone-file.js';
import { identityProver, type OwnPhone, secretInForce } from './places.js';

/**
 * Replaces the phone's secret. The new one is in the phone's file before the request, and the old one stays until the new one is known
 * to be in force. A rotation that was interrupted is continued with the same new secret, so it cannot end with a secret that is lost.
 * `open` opens the phone's file: rotations of one phone run one after another, each with what the last one stored.
 */
export const rotate = (open: () => OwnPhone) =>
  oneAtATime(`${open().phone.path}.rotating`, () => rotateAlone(open()));

async function rotateAlone(start: OwnPhone) {
  const pending = renewedOf(start.enrollment);
  const { own, identity } = await secretInForce(start);
  const { phone, svc, place } = own;
  if (pending !== undefined && identity.commitment === pending.commitment) return { own, reply: undefined };
  let enrollment =
    pending === undefined ? withRenewed(own.enrollment, renewIdentity(identity)) : own.enrollment;
  phone.saveSecrets(enrollment);
  const sign = signerOf(enrollment, (passkey) => {
    enrollment = { ...enrollment, passkey };
    phone.save(enrollment);
  });
  const use = await svc.phone.createUse(place);
  const body = await (await identityProver()).proveRotate(identity, identityOf(renewedOf(enrollment)!), use);
  const attestation = sign?.({ purpose: 'rotate', subject: use.nonce }, body);
  const reply = await svc.phone.identity.rotate({ ...body, ...(attestation && { attestation }) });
  const renewed = renewedOf(enrollment)!;
  phone.saveSecrets(renewed);
  return { own: { ...own, enrollment: renewed }, reply };
}
