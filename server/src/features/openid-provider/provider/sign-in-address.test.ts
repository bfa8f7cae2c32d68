import { describe, expect, it } from 'vitest';
import { createKeyring } from '../../../base/crypto/keyring.js';
import { readSlug, SLUG, slugOf } from './sign-in-address.js';

const SECRET = 'the secret of the tests, 32 bytes and more';
const UID = 'V1StGXR8_Z5jdHi6B-myT';
const scope = { tenantId: '01890a5d-ac96-774b-bcce-b302099a8057', environment: 'live' } as const;
const keyring = createKeyring(SECRET);
const slug = slugOf({ keyring }, scope, UID);

describe('the address of a sign-in', () => {
  it.each(['live', 'test'] as const)(
    'names its %s sign-in [openid/address-of-a-sign-in-page]',
    (environment) => {
      const made = slugOf({ keyring }, { ...scope, environment }, UID);
      expect(made).toMatch(SLUG.pattern);
      expect(readSlug({ keyring }, made)).toEqual({ scope: { ...scope, environment }, uid: UID });
    },
  );

  it('is valid with the previous server secret, and with no other [openid/address-of-a-sign-in-page]', () => {
    expect(readSlug({ keyring: createKeyring('another secret of 32 bytes or more', SECRET) }, slug)).toEqual({
      scope,
      uid: UID,
    });
    expect(readSlug({ keyring: createKeyring('another secret of 32 bytes or more') }, slug)).toBeUndefined();
  });

  it('is not valid with any bit of the seal changed, or for another sign-in [openid/address-of-a-sign-in-page]', () => {
    const seal = Buffer.from(slug.slice(UID.length + 1), 'base64url');
    for (let bit = 0; bit < seal.length * 8; bit += 1) {
      const changed = Buffer.from(seal);
      changed.writeUInt8((changed[bit >> 3] as number) ^ (1 << (bit & 7)), bit >> 3);
      expect(readSlug({ keyring }, `${UID}.${changed.toString('base64url')}`), `bit ${bit}`).toBeUndefined();
    }
    expect(readSlug({ keyring }, slug.replace('V1', 'V2'))).toBeUndefined();
  });

  it.each(['', '.', UID, `${UID}.`, `${UID}.AA`, `${slug}AAAA`, `${UID}.${'_'.repeat(44)}`])(
    'is not %j [openid/address-of-a-sign-in-page]',
    (text) => expect(readSlug({ keyring }, text)).toBeUndefined(),
  );
});
