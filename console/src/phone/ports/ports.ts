import type { AttestationKeys, PhonePorts, PhoneProver } from '@svc/sdk/phone';
import { productName } from '../../ui/product-name';
import { svc } from '../service';
import type { Passkey, Protection, ProtectionKind, SealedSecret } from '../vault/sealed';
import { vault } from '../vault/vault';
import { loadBrand } from './brand';
import { askPasskey, createPasskey, forgetPasskey } from './passkey';
import { createProtection, discardProtection, unlock } from './protection';
import { runInProver } from './prover';
import { whenOnline } from './when-online';

export { loadBrand } from './brand';
export { availableProtection, needsLock } from './protection';

/** This phone for one act, in which the person unlocks each passkey once. */
export interface ThisPhone extends PhonePorts<SealedSecret> {
  /** Unlocks a secret before the act needs it, while the person's press still counts. @throws NotUnlocked */
  unlock(secret: Pick<SealedSecret, 'protection'>): Promise<void>;
}

/** `wanted` protects the secrets that it creates. */
export function phoneWith(wanted: ProtectionKind = 'browser'): ThisPhone {
  const keyring = new Keyring();
  return {
    service: svc,
    vault,
    prover: proverWith(wanted, keyring),
    keys: keysWith(keyring),
    whenOnline,
    describe: async ({ name, accentColor, logoUrl }) => ({
      companyName: name,
      brand: await loadBrand({ accentColor, logoUrl }),
    }),
    unlock: async ({ protection }) => void (await keyring.keyOf(protection)),
  };
}

/** The keys that the person has unlocked. */
class Keyring {
  readonly #keys = new Map<string, CryptoKey>();

  async keyOf(protection: Protection): Promise<CryptoKey> {
    if (protection.kind === 'browser') return protection.key;
    return this.#keys.get(nameOf(protection)) ?? this.keep(protection, await unlock(protection));
  }

  keep(protection: Protection, key: CryptoKey): CryptoKey {
    if (protection.kind === 'screen-lock') this.#keys.set(nameOf(protection), key);
    return key;
  }

  /** Unlocks a passkey, which signs the digest. */
  async sign(passkey: Passkey, digest: Uint8Array) {
    const { key, assertion } = await askPasskey(passkey, new Uint8Array(digest));
    this.keep(passkey, key);
    return assertion;
  }

  /** What shows the service that this phone has the passkey. */
  async evidence(passkey: Enrollable, digest: Uint8Array) {
    const evidence = { ...passkey.creation, assertion: await this.sign(passkey, digest) };
    return { platform: 'webauthn' as const, evidence };
  }
}

const nameOf = ({ credentialId }: Passkey): string => new Uint8Array(credentialId).join();

const proverWith = (wanted: ProtectionKind, keyring: Keyring): PhoneProver<SealedSecret> => ({
  async create(place) {
    const name = place === undefined ? productName : `${productName} (${place.environment})`;
    const { protection, key } = await createProtection(wanted, name);
    keyring.keep(protection, key);
    // Browsers may clear data unless asked to persist it. Some ask the person first, so don't wait for the reply.
    void navigator.storage?.persist?.().catch(() => undefined);
    return { ...(await runInProver({ kind: 'create', key })), protection };
  },
  async renew({ did, protection: old }) {
    // Somebody with a copy of the browser's storage would also have its key. The screen lock's key is not stored anywhere.
    const protection = old.kind === 'browser' ? (await createProtection('browser', '')).protection : old;
    const key = await keyring.keyOf(protection);
    return { ...(await runInProver({ kind: 'renew', key, did })), protection };
  },
  async prove(secret, work, onStage) {
    const key = await keyring.keyOf(secret.protection);
    const renewedKey = work.kind === 'rotate' ? await keyring.keyOf(work.renewed.protection) : undefined;
    return runInProver({ kind: 'prove', key, secret, work, renewedKey }, onStage);
  },
  forget: ({ protection }) => discardProtection(protection),
});

type Enrollable = Passkey & Required<Pick<Passkey, 'creation'>>;

/** Whether a computer can ask for the passkey that protects the secret. Those of an earlier version of this page stay hidden. */
export const isDiscoverable = (protection: Protection): protection is Enrollable =>
  protection.kind === 'screen-lock' && protection.creation !== undefined;

/** The passkey that protects the secret also signs its proofs. */
const keysWith = (keyring: Keyring): AttestationKeys<SealedSecret> => ({
  async enroll({ protection }, digest, { onStage }) {
    if (!isDiscoverable(protection)) return undefined;
    onStage?.('enrolling');
    return { attestation: await keyring.evidence(protection, digest) };
  },
  async make(identity, digest, { onStage }) {
    const { protection: old, successor } = identity;
    onStage?.('unlocking');
    if (isDiscoverable(old)) return { attestation: await keyring.evidence(old, digest) };
    const key = await keyring.keyOf(old);
    onStage?.('creating');
    const started = successor?.protection;
    const passkey = started && isDiscoverable(started) ? started : await newPasskey();
    try {
      onStage?.('signing');
      const attestation = await keyring.evidence(passkey, digest);
      const newKey = await keyring.keyOf(passkey);
      const copy = await runInProver({ kind: 'copy', key, secret: identity, newKey });
      return { attestation, kept: { ...copy, protection: passkey } };
    } catch (error) {
      if (passkey !== started) forgetPasskey(passkey);
      throw error;
    }
  },
  withoutKey({ protection }) {
    if (!isDiscoverable(protection)) return {};
    // It can't be enrolled again, so turning it on creates another one.
    const { creation: _, ...old } = protection;
    return { protection: old };
  },
  async sign({ protection }, digest) {
    return keyring.sign(protection as Passkey, digest);
  },
});

const newPasskey = async () => (await createPasskey(productName)).passkey as Enrollable;
