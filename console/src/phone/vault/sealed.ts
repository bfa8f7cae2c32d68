import type { Secret } from '@svc/sdk/phone';

/** Data encrypted with AES-GCM. The record it belongs to is authenticated too, so it can't be decrypted for another record. */
export interface Sealed {
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly bytes: ArrayBuffer;
}

/** A passkey of this page, whose PRF gives the key of a secret. */
export interface Passkey {
  readonly kind: 'screen-lock';
  readonly credentialId: ArrayBuffer;
  readonly salt: Uint8Array<ArrayBuffer>;
  /**
   * What the browser returned when the passkey was created, in base64url. It shows the service the public key. Absent: an earlier version of
   * this page created it, and no computer can ask for it.
   */
  readonly creation?: { readonly attestationObject: string; readonly clientDataJSON: string };
}

export type Protection =
  /** The authenticator derives the key each time the person unlocks it (WebAuthn PRF). */
  | Passkey
  | {
      /** The browser stores the key, and this page can use it without asking the person. */
      readonly kind: 'browser';
      readonly key: CryptoKey;
    };
export type ProtectionKind = Protection['kind'];

/** A secret as this phone keeps it: encrypted, with what unlocks its key. */
export interface SealedSecret extends Secret {
  readonly secret: Sealed;
  readonly protection: Protection;
}
