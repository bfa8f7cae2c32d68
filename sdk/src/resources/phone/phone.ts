import type { ShortCode } from '../../codecs/code-url.js';
import type { EnrolledAt, PairingCode } from '../../codecs/pairing-code.js';
import type {
  PairingDeclineParams,
  PairingProofSubmitParams,
  PhoneMemberLinkParams,
} from '../../generated/api.js';
import type { Environment } from '../../transport/options.js';
import type { Reply, RequestOptions, Transport } from '../../transport/transport.js';
import { PhoneAdditions } from './additions.js';
import { PhoneApprovals } from './approvals.js';
import { PhoneAttendance } from './attendance.js';
import { PhoneAttestation } from './attestation.js';
import { PhoneBrowsers } from './browsers.js';
import { PhoneIdentities } from './identities.js';
import { PhoneRecoveries } from './recoveries.js';

/** `svc.phone`: a registered phone's operations. They need no API key, because the proof is the credential. */
export class Phone {
  /** Signing in on a desktop. */
  readonly pairing: PhonePairing;
  /** Adding another phone of the same person. */
  readonly additions: PhoneAdditions;
  /** The identities of the phone's person. */
  readonly identity: PhoneIdentities;
  /** Recoveries of the phone's person. */
  readonly recoveries: PhoneRecoveries;
  /** What waits for the phone's person to approve. */
  readonly approvals: PhoneApprovals;
  /** The working time of the phone's person. */
  readonly attendance: PhoneAttendance;
  /** The browsers that are known to the phone's person. */
  readonly browsers: PhoneBrowsers;
  /** The key that signs the phone's proofs. */
  readonly attestation: PhoneAttestation;
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
    this.pairing = new PhonePairing(transport);
    this.additions = new PhoneAdditions(transport);
    this.identity = new PhoneIdentities(transport);
    this.recoveries = new PhoneRecoveries(transport);
    this.approvals = new PhoneApprovals(transport);
    this.attendance = new PhoneAttendance(transport);
    this.browsers = new PhoneBrowsers(transport);
    this.attestation = new PhoneAttestation(transport);
  }

  /** Shows which person a member of the team is, by the proof of `prover.proveMemberLink`, with the `token` that the member got. */
  async linkMember(
    { tenantId, environment, did, proof, publicSignals, nonce, timestamp, token }: PhoneMemberLinkParams,
    options?: RequestOptions,
  ): Promise<Reply<'linkMember'>['member']> {
    const body = { tenantId, environment, did, proof, publicSignals, nonce, timestamp, token };
    return (await this.#transport.call('linkMember', { body }, options)).member;
  }

  /** A new nonce and the service's time, for a proof of the prover in an account. */
  async createUse(
    { tenantId, environment }: { readonly tenantId: string; readonly environment: Environment },
    options?: RequestOptions,
  ): Promise<{ tenantId: string; environment: Environment; nonce: string; timestamp: number }> {
    const timestamp = await this.#transport.requestServerNow(options);
    return { tenantId, environment, nonce: globalThis.crypto.randomUUID(), timestamp };
  }
}

/** `svc.phone.pairing`: the phone's part of a pairing. Read the code with `readPairingCode` first. */
export class PhonePairing {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Who asks for the sign-in. Show it before the person approves. Call this as soon as the code is scanned: its `scanTicket`
   * keeps the scan valid for 120 seconds.
   * @throws SvcError `pairing_code_stale` if the code on the screen has moved on
   */
  context(
    { sessionId, scan }: Pick<PairingCode, 'sessionId' | 'scan'>,
    options?: RequestOptions,
  ): Promise<Reply<'getPhonePairingContext'>> {
    const input = { path: { id: sessionId }, query: scan ?? {} };
    return this.#transport.call('getPhonePairingContext', input, options);
  }

  /**
   * The same for `url` of a code, which says neither account nor nonce, at an account where the phone is registered. `qrPayload` of the
   * response is the whole code.
   * @throws SvcError `pairing_session_not_found` if the code is of another account, or nobody has shown it
   */
  find(
    { sessionId, scan }: Pick<ShortCode, 'sessionId' | 'scan'>,
    { tenantId, environment }: Pick<EnrolledAt, 'tenantId' | 'environment'>,
    options?: RequestOptions,
  ): Promise<Reply<'getPhonePairingContext'>> {
    const input = { path: { id: sessionId }, query: { ...scan, tenantId, environment } };
    return this.#transport.call('getPhonePairingContext', input, options);
  }

  /**
   * Approves: sends the proof of `prover.provePairing` with the context's `scanTicket`. `tokens` is null if only the desktop gets
   * tokens.
   * @throws SvcError `pairing_match_failed` if the number was wrong, which ends the session
   */
  submit(
    sessionId: string,
    proof: PairingProofSubmitParams,
    options?: RequestOptions,
  ): Promise<Reply<'submitPhonePairingProof'>> {
    const input = { path: { id: sessionId }, body: submission(proof) };
    return this.#transport.call('submitPhonePairingProof', input, options);
  }

  /**
   * Follows a session whose submit returned the state `proved`: it stays `issued` until the phone is beside the browser, and is then `bound`.
   * @throws SvcError `pairing_session_not_found` when it has ended
   */
  state(sessionId: string, options?: RequestOptions): Promise<Reply<'getPhonePairingState'>> {
    return this.#transport.call('getPhonePairingState', { path: { id: sessionId } }, options);
  }

  /** Ends a sign-in that the person did not ask for. Needs the context's `scanTicket`. */
  decline(
    sessionId: string,
    { reason, scanTicket, did, proof, publicSignals }: PairingDeclineParams,
    options?: RequestOptions,
  ): Promise<Reply<'declinePhonePairing'>> {
    const body = { reason, scanTicket, did, proof, publicSignals };
    return this.#transport.call('declinePhonePairing', { path: { id: sessionId }, body }, options);
  }
}

/** @internal The fields of a submit, from a proof that also has its session. */
export const submission = ({
  did,
  proof,
  publicSignals,
  matchCode,
  scanTicket,
  slot,
  slotMac,
  clientMeta,
}: PairingProofSubmitParams): PairingProofSubmitParams => ({
  did,
  proof,
  publicSignals,
  matchCode,
  scanTicket,
  slot,
  slotMac,
  clientMeta,
});
