import type { Svc } from '@svc/sdk';
import type { AttestationKeys, PhonePorts } from '@svc/sdk/phone';
import { phoneProver } from '@svc/sdk/prover';
import {
  type Creation,
  createPasskey,
  type PasskeyFault,
  pageOf,
  type SoftwarePasskey,
  usePasskey,
} from './passkey/authenticator.js';
import { type Enrollment, type FileSecret, identityOf, type PhoneFile, textOf } from './phone-file.js';
import { identityProver } from './prove.js';

export interface PhoneOptions {
  /** Whether a registration enrolls a passkey. */
  readonly withPasskey?: boolean | undefined;
  /** What the passkey gets wrong. */
  readonly fault?: PasskeyFault | undefined;
}

/** The simulated phone: its file, a prover in this process, and a passkey in software. */
export const phoneOf = (file: PhoneFile, svc: Svc, options: PhoneOptions = {}): PhonePorts<FileSecret> => ({
  service: svc,
  vault: file.vault,
  prover,
  keys: passkeysOf(file, svc.baseUrl, options),
  fingerprint: file.state.fingerprint,
});

const prover = phoneProver(identityProver, { seal: textOf, open: identityOf });

function passkeysOf(
  file: PhoneFile,
  baseUrl: string,
  { withPasskey, fault }: PhoneOptions,
): AttestationKeys<FileSecret> {
  const page = pageOf(baseUrl);
  const make = (secret: FileSecret, digest: Uint8Array, started: SoftwarePasskey = createPasskey(page)) => {
    const { passkey, assertion } = usePasskey(page, started, digest, fault);
    const evidence = { ...(started.creation as Creation), assertion };
    return {
      attestation: { platform: 'webauthn' as const, evidence },
      kept: { ...secretOf(secret), passkey },
    };
  };
  return {
    signsAlways: true,
    enroll: async (identity, digest) => (withPasskey ? make(identity, digest) : undefined),
    // One that an earlier attempt made may be enrolled.
    make: async (identity, digest) => make(identity, digest, identity.successor?.passkey),
    /** Each use is stored before its assertion can be sent, so that no counter is sent twice. */
    async sign({ id, passkey }, digest) {
      const used = usePasskey(page, passkey as SoftwarePasskey, digest, fault);
      await file.vault.change(({ identities }) =>
        identities
          .filter((each) => each.id === id)
          .map((each): { put: 'identities'; record: Enrollment } => ({
            put: 'identities',
            record: { ...each, passkey: used.passkey },
          })),
      );
      return used.assertion;
    },
  };
}

const secretOf = ({ did, commitment, biometricSecret, salt }: FileSecret): FileSecret => ({
  ...{ did, commitment, biometricSecret, salt },
});
