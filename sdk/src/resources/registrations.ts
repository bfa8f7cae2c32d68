import { parseDeeplink } from '../codecs/deeplink.js';
import type { AttestationEvidenceParams, Groth16Proof, RegistrationSession } from '../generated/api.js';
import { SvcError } from '../transport/errors.js';
import type { Environment } from '../transport/options.js';
import type { Reply, RequestOptions, Transport } from '../transport/transport.js';
import { RegistrationSteps } from './registration-steps.js';
import { type RegistrationQuery, type RegistrationWatch, waitForRegistration } from './registration-watch.js';

/** The values that a registration's proof is bound to. Pass it to `prover.proveRegistration`. */
export interface RegistrationChallenge {
  readonly tenantId: string;
  readonly environment: Environment;
  readonly sessionId: string;
  readonly challengeNonce: string;
  /** The new attestation key that the proof is bound to, if the phone enrolls one. */
  readonly attestation?: AttestationEvidenceParams | undefined;
}

/** The phone's part of a ceremony. */
export interface CeremonyPhone {
  /** Names the hardware: 16 to 256 characters of `A–Z a–z 0–9 : _ . = + / -`. */
  readonly fingerprint: string;
  /** How the phone was attested. Stored without checking. */
  readonly attestationKind?: string | undefined;
  /** Registered. No other fields of a phone's identity are sent. */
  readonly identity: { readonly did: string; readonly commitment: string };
  /** Makes an attestation key whose challenge is `challengeNonce`. Without it, the phone enrolls none. */
  attest?(challenge: RegistrationChallenge): Promise<AttestationEvidenceParams>;
  /** Proves knowledge of the secret behind the commitment, bound to the challenge. */
  prove(
    challenge: RegistrationChallenge,
  ): Promise<{ proof: Groth16Proof; publicSignals: readonly [string, string, string] }>;
}

/** The result of a ceremony for the phone. Store `tenantId` and `environment` with the secret, for later proofs. */
export type CeremonyResult = Reply<'completeRegistration'> & {
  readonly tenantId: string;
  readonly environment: Environment;
};

/** `svc.registrations`: the ceremony that takes a person from a desk to an identity. */
export class Registrations extends RegistrationSteps {
  readonly #transport: Transport;
  readonly #query: RegistrationQuery;

  /** `session`: the environment that a page of the service chose. A key has its own. */
  constructor(transport: Transport, session?: Environment) {
    super(transport);
    this.#transport = transport;
    this.#query = session === undefined ? {} : { environment: session };
  }

  /**
   * Creates a ceremony; `qrTextOf(pair)` is the text of the QR code to show, valid for 15 minutes. It is for a new person with this profile, or for an
   * existing one if `userId` is the only field. If that person ever had an identity, it is a recovery, and needs the scope `users:recover`
   * as well. Scope `users:write`.
   */
  create(
    profile?: Record<string, unknown> | { readonly userId: string },
    options?: RequestOptions,
  ): Promise<Reply<'createRegistration'>> {
    const { userId, ...others } = (profile ?? {}) as Record<string, unknown>;
    const isPerson = typeof userId === 'string' && Object.keys(others).length === 0;
    const body = profile === undefined ? {} : isPerson ? { userId } : { profile };
    return this.#transport.call('createRegistration', { body }, options);
  }

  /** The state of a ceremony. Scope `users:read`. */
  async get(id: string, options?: RequestOptions): Promise<RegistrationSession> {
    return (await this.#transport.call('getRegistration', { path: { id } }, options)).session;
  }

  /** Cancels a ceremony, which becomes `abandoned`. Has no effect on one that has ended. Scope `users:write`. */
  async cancel(id: string, options?: RequestOptions): Promise<RegistrationSession> {
    return (await this.#transport.call('cancelRegistration', { path: { id } }, options)).session;
  }

  /**
   * Waits until the ceremony is completed, abandoned, expired or waits as a recovery, using the event stream, or polling if streams don't
   * work. Reconnects automatically. Scope `users:read`.
   */
  wait(id: string, watch: RegistrationWatch = {}): Promise<RegistrationSession> {
    return waitForRegistration(this.#transport, this.#query, id, watch);
  }

  /**
   * Performs all three steps on one phone, from the text of the first QR code, `deeplink` or `url`. Store the identity before you call this, and
   * the result's `tenantId` and `environment` afterwards, because proofs need them.
   * @throws SvcError `malformed_payload` if the text is not the code of a registration's first step, `foreign_code` if it leads elsewhere
   * @throws SvcError `pair_failed`, `enroll_failed`, `verify_failed`: request a new code
   */
  async takePart(deeplink: string, phone: CeremonyPhone, options?: RequestOptions): Promise<CeremonyResult> {
    const link = parseDeeplink(deeplink, this.#transport.settings.baseUrl);
    if (link.kind !== 'registration' || link.step !== 'pair')
      throw new SvcError(
        'malformed_payload',
        'This is not the first code of a registration. Scan the code that the desk displays.',
      );
    const kind = phone.attestationKind === undefined ? {} : { attestation_kind: phone.attestationKind };
    const session_id = link.session;
    const paired = await this.pairDevice(
      { pair_code: link.code, session_id, fingerprint: phone.fingerprint, ...kind },
      options,
    );
    const { did, commitment } = phone.identity;
    const submitted = await this.submitCommitment(
      { enroll_code: paired.next.code, session_id, did, commitment, ...kind },
      options,
    );
    const { challenge_nonce, code } = submitted.next;
    const scope = { tenantId: paired.tenant_id, environment: paired.environment };
    const challenge = { ...scope, sessionId: session_id, challengeNonce: challenge_nonce };
    const attestation = await phone.attest?.(challenge);
    const { proof, publicSignals } = await phone.prove({ ...challenge, attestation });
    const completed = await this.complete(
      { verify_code: code, session_id, challenge_nonce, proof, public_signals: publicSignals, attestation },
      options,
    );
    return { ...completed, ...scope };
  }
}
