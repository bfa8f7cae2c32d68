import { isSvcError, SvcError } from '../../transport/errors.js';
import type { Reply } from '../../transport/transport.js';
import type { PhonePorts, Watch } from '../ports.js';
import { identityOf } from '../ports.js';
import type { Secret } from '../records.js';
import { asPerson } from '../send.js';
import { noteKeyRevoked } from './attest.js';

/** The person's phones, and the recoveries that would replace them. */
export type Phones = Reply<'listPhoneIdentities'>;
export type Recovery = Phones['recoveries'][number];

/** Proves that this phone is one of the person's, and reads them all. Notes if the company has revoked the phone's key. */
export const readPhones = <S extends Secret>(
  phone: PhonePorts<S>,
  id: string,
  watch: Watch = {},
): Promise<Phones> =>
  asPerson(phone, id, { kind: 'identities' }, watch, async (proof) => {
    const phones = await phone.service.phone.identity.list(proof, { signal: watch.signal });
    const own = phones.identities.find(({ isThis }) => isThis);
    const { attestationKeyId } = await identityOf(phone, id);
    if (own?.attestationKeyId === null && attestationKeyId !== undefined) await noteKeyRevoked(phone, id);
    return phones;
  });

/**
 * Objects to a recovery that the person did not ask for, with an identity that is in force or was until recently.
 * @throws SvcError `recovery_closed` if it has ended: this phone may have contested it before, and the response was lost
 */
export async function contest<S extends Secret>(
  phone: PhonePorts<S>,
  id: string,
  recoveryId: string,
  watch: Watch = {},
): Promise<Reply<'contestRecovery'>['recovery']> {
  try {
    return await asPerson(phone, id, { kind: 'contest', recoveryId }, watch, (proof) =>
      phone.service.phone.recoveries.contest(proof),
    );
  } catch (error) {
    // The same answer as for an identity that may not contest. Only one that may can read the recoveries.
    if (!isSvcError(error, 'verification_failed')) throw error;
    const phones = await readPhones(phone, id, watch).catch(() => undefined);
    if (phones === undefined || phones.recoveries.some((each) => each.id === recoveryId)) throw error;
    throw new SvcError('recovery_closed', 'This recovery has already ended.', { cause: error });
  }
}

/** The browsers that are known to the person, the last one used first. */
export type Browsers = Reply<'listPhoneBrowsers'>['browsers'];

export const readBrowsers = <S extends Secret>(
  phone: PhonePorts<S>,
  id: string,
  watch: Watch = {},
): Promise<Browsers> =>
  asPerson(phone, id, { kind: 'browsers' }, watch, (proof) =>
    phone.service.phone.browsers.list(proof, { signal: watch.signal }),
  );

/** @throws SvcError `browser_not_found` if it was forgotten before */
export const forgetBrowser = <S extends Secret>(
  phone: PhonePorts<S>,
  id: string,
  browserId: string,
  watch: Watch = {},
): Promise<Reply<'forgetPhoneBrowser'>['browser']> =>
  asPerson(phone, id, { kind: 'forget-browser', browserId }, watch, (proof) =>
    phone.service.phone.browsers.forget(proof),
  );
