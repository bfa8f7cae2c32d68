import type {
  AttendanceContestParams,
  AttendanceContext,
  AttendanceContextGetParams,
  Correction,
  PhoneAttendanceListParams,
  PhoneCorrectionCreateParams,
  PhoneCorrectionDecideParams,
  PhonePinParams,
  PunchParams,
} from '../../generated/api.js';
import type { Reply, RequestOptions, Transport } from '../../transport/transport.js';

/** `svc.phone.attendance`: the working time of the phone's person. `@svc/sdk/time` checks what these return. */
export class PhoneAttendance {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** What a punch says, by the code of a desk, or by account and environment for the phone's own place. */
  async context(where: AttendanceContextGetParams, options?: RequestOptions): Promise<AttendanceContext> {
    return (await this.#transport.call('getAttendanceContext', { query: where }, options)).context;
  }

  /**
   * Clocks in or out, by the proof of `prover.provePunch` with the context's `ticket`. The same nonce and statement again are the same punch
   * for ten minutes.
   */
  create(
    {
      tenantId,
      environment,
      did,
      proof,
      publicSignals,
      nonce,
      ticket,
      type,
      reason,
      activity,
      contract,
    }: PunchParams,
    options?: RequestOptions,
  ): Promise<Reply<'createPunch'>> {
    const own = { tenantId, environment, did, proof, publicSignals, nonce };
    const body = { ...own, ticket, type, reason, activity, contract };
    return this.#transport.call('createPunch', { body }, options);
  }

  /** A month of the person, by the proof of `prover.proveAttendance`. `from`: the size of a tree that the phone kept. */
  list(
    {
      tenantId,
      environment,
      did,
      proof,
      publicSignals,
      nonce,
      timestamp,
      month,
      from,
    }: PhoneAttendanceListParams,
    options?: RequestOptions,
  ): Promise<Reply<'listOwnAttendance'>> {
    const body = { tenantId, environment, did, proof, publicSignals, nonce, timestamp, month, from };
    return this.#transport.call('listOwnAttendance', { body }, options);
  }

  /** Says that an event about the person is wrong, by the proof of `prover.proveAttendanceContest`. */
  async contest(
    {
      tenantId,
      environment,
      did,
      proof,
      publicSignals,
      nonce,
      timestamp,
      attendanceId,
    }: AttendanceContestParams & { readonly attendanceId: string },
    options?: RequestOptions,
  ): Promise<Reply<'contestAttendance'>['attendance']> {
    const body = { tenantId, environment, did, proof, publicSignals, nonce, timestamp };
    return (await this.#transport.call('contestAttendance', { path: { id: attendanceId }, body }, options))
      .attendance;
  }

  /** Sets the PIN with which the person clocks in at desks without a phone, by the proof of `prover.proveAttendancePin`. */
  async setPin(
    { tenantId, environment, did, proof, publicSignals, nonce, timestamp, pin }: PhonePinParams,
    options?: RequestOptions,
  ): Promise<Reply<'setAttendancePin'>['pin']> {
    const body = { tenantId, environment, did, proof, publicSignals, nonce, timestamp, pin };
    return (await this.#transport.call('setAttendancePin', { body }, options)).pin;
  }

  /** Proposes a correction, by the proof of `prover.proveCorrection`. The same id and correction again change nothing. */
  async proposeCorrection(
    {
      tenantId,
      environment,
      did,
      proof,
      publicSignals,
      id,
      createdAt,
      correction,
    }: PhoneCorrectionCreateParams,
    options?: RequestOptions,
  ): Promise<Correction> {
    const body = { tenantId, environment, did, proof, publicSignals, id, createdAt, correction };
    return (await this.#transport.call('proposeOwnCorrection', { body }, options)).correction;
  }

  /** Agrees to a correction or contests it, by the proof of `prover.proveCorrectionDecision`. @throws SvcError `correction_closed` */
  async decideCorrection(
    {
      tenantId,
      environment,
      did,
      proof,
      publicSignals,
      correctionId,
      decision,
      digest,
      decidedAt,
    }: PhoneCorrectionDecideParams & { readonly correctionId: string },
    options?: RequestOptions,
  ): Promise<Correction> {
    const body = { tenantId, environment, did, proof, publicSignals, decision, digest, decidedAt };
    return (await this.#transport.call('decideOwnCorrection', { path: { id: correctionId }, body }, options))
      .correction;
  }
}
