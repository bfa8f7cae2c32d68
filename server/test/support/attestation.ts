import { randomBytes, randomUUID } from 'node:crypto';
import type { AttestationEvidenceParams } from '@svc/sdk';
import { type AttestationKeys, attest } from '@svc/sdk/phone';
import { type AttestedPurpose, assertionDigest, enrolmentDigest } from '@svc/zk/attestation';
import type { PhoneIdentity } from '@svc/zk/phone';
import { Authenticator, type Faults } from './authenticator.js';
import { type Open, phoneWith, proofs } from './phones.js';
import { freshAddress, type Reply, type Service } from './service.js';
import { accountOf } from './several-phones.js';

/** What is wrong with the parts of an enrolment. */
export interface EnrolmentFaults {
  /** Of the creation. */
  readonly made?: Faults;
  /** Of the assertion by the new key. */
  readonly shown?: Faults;
}

interface Place {
  readonly tenantId: string;
  readonly environment?: 'live' | 'test';
}

/** A phone's passkey in software: it makes evidence and signs digests. One passkey for one identity. */
export class PhonePasskey {
  readonly #authenticator: Authenticator;
  readonly #handle: string;
  readonly #rpId: string;
  #id = '';
  #creation: { readonly attestationObject: string; readonly clientDataJSON: string } | undefined;
  /** The id of the attestation key, once enrolled. */
  keyId = '';

  constructor({
    handle = `p${randomBytes(12).toString('base64url')}`,
    origin = 'http://localhost:3000',
    ...options
  }: PasskeyOptions = {}) {
    this.#authenticator = new Authenticator({ ...options, origin });
    this.#rpId = new URL(origin).hostname;
    this.#handle = Buffer.from(handle).toString('base64url');
  }

  /** What `navigator.credentials.create` and `get` return, for a challenge of this tenant. */
  evidence(place: Place, challenge: string, faults: EnrolmentFaults = {}) {
    return this.evidenceFor(enrolmentDigest({ environment: 'live', ...place, challenge }), faults);
  }

  /** The same for the digest of a challenge. */
  evidenceFor(digest: Uint8Array, { made, shown }: EnrolmentFaults = {}) {
    const { response, id } = this.#authenticator.create(
      {
        rp: { id: this.#rpId },
        user: { id: this.#handle },
        challenge: randomBytes(32).toString('base64url'),
        excludeCredentials: [],
      },
      made,
    );
    this.#id = id;
    const { attestationObject, clientDataJSON } = response;
    return { attestationObject, clientDataJSON, assertion: this.sign(digest, shown) };
  }

  /** The passkey as the SDK's phone uses it. It is made once. */
  readonly keys: AttestationKeys<Open> = {
    make: async (_, digest) => {
      const made = this.#creation && { ...this.#creation, assertion: this.sign(digest) };
      const evidence = made ?? this.evidenceFor(digest);
      this.#creation = evidence;
      return { attestation: { platform: 'webauthn', evidence } };
    },
    sign: async (_, digest) => this.sign(digest),
  };

  /** The credential id, once made. */
  get id(): string {
    return this.#id;
  }

  /** For an authenticator that stands for the phone in a browser. */
  export() {
    return this.#authenticator.export();
  }

  /** An assertion over a digest. */
  sign(digest: Uint8Array, faults?: Faults) {
    return this.beside({ challenge: Buffer.from(digest).toString('base64url') }, faults).response;
  }

  /** What `navigator.credentials.get` returns in a browser beside the phone. */
  beside({ challenge }: { readonly challenge: string }, faults?: Faults) {
    const options = { rpId: faults?.rpId ?? this.#rpId, challenge, allowCredentials: [{ id: this.#id }] };
    return this.#authenticator.get(options, faults);
  }

  /** An assertion over a proof. */
  attest(
    place: Place,
    of: {
      readonly purpose: AttestedPurpose;
      readonly subject: string;
      readonly proof: Parameters<typeof assertionDigest>[0]['proof'];
      readonly publicSignals: readonly string[];
    },
    faults?: Faults,
  ) {
    const assertion = this.sign(assertionDigest({ environment: 'live', ...place, ...of }), faults);
    return { keyId: this.keyId, assertion };
  }
}

type PasskeyOptions = NonNullable<ConstructorParameters<typeof Authenticator>[0]> & {
  /** The user handle as text. */
  readonly handle?: string;
};

/** A challenge for a phone without an API key. */
export async function challengeFor(service: Service, place: Place, did: string): Promise<string> {
  const body = { ...accountOf(place), did };
  const reply = await service.call('POST', '/v1/phone/attestation/challenges', {
    body,
    address: freshAddress(),
  });
  if (reply.status !== 201) throw new Error(`a challenge returned ${reply.status} ${reply.text}`);
  return reply.body.challenge;
}

/** The body of an enrolment, with a fresh challenge and proof. */
export async function enrolmentBody(
  service: Service,
  phone: PhoneIdentity,
  passkey: PhonePasskey,
  place: Place,
  faults: EnrolmentFaults = {},
) {
  const challenge = await challengeFor(service, place, phone.did);
  const evidence = passkey.evidence(place, challenge, faults);
  return boundEnrolment(phone, place, challenge, evidence);
}

/** The same for this evidence, whatever it is. */
export async function boundEnrolment<E extends object>(
  phone: PhoneIdentity,
  { tenantId, environment = 'live' }: Place,
  challenge: string,
  evidence: E,
) {
  const place = { tenantId, environment };
  const key = {
    challenge,
    platform: 'webauthn',
    evidence: evidence as unknown as AttestationEvidenceParams['evidence'],
  } as const;
  const { tenantId: _, environment: __, ...body } = await proofs.proveAttestation(phone, place, key);
  return { ...body, evidence };
}

export const sendEnrolment = (service: Service, place: Place, body: object): Promise<Reply> =>
  service.call('POST', '/v1/phone/attestation/keys', {
    body: { ...accountOf(place), ...body },
    address: freshAddress(),
  });

/** A phone enrols a passkey. */
export async function enrolPasskey(
  service: Service,
  place: Place,
  phone: PhoneIdentity,
  options: PasskeyOptions = {},
): Promise<PhonePasskey> {
  const passkey = new PhonePasskey(options);
  const { id } = await attest(phoneWith(service, place, phone, { keys: passkey.keys }), phone.did);
  passkey.keyId = id;
  return passkey;
}

/** The id of a key that does not exist. */
export const unknownKey = () => randomUUID();
