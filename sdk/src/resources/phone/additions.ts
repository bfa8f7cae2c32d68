import type {
  PhoneAddition,
  PhoneAdditionAnswerParams,
  PhoneAdditionOpenParams,
  PhoneAdditionRevealParams,
} from '../../generated/api.js';
import type { Reply, RequestOptions, Transport } from '../../transport/transport.js';
import { longPoll, WAIT_SECONDS } from '../long-poll.js';

/**
 * `svc.phone.additions`: two phones of one person, of which one adds the other. They meet by a code and compare six digits. The prover
 * (`@svc/sdk/prover`) computes what they send and show.
 */
export class PhoneAdditions {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** By the old phone, with the proof of `prover.proveRendezvous`. `qrTextOf` returns the text of the QR code, valid for five minutes. */
  async open(
    { tenantId, environment, did, aHash, proof, publicSignals, nonce, timestamp }: PhoneAdditionOpenParams,
    options?: RequestOptions,
  ): Promise<Reply<'openAddition'>['addition']> {
    const body = { tenantId, environment, did, aHash, proof, publicSignals, nonce, timestamp };
    return (await this.#transport.call('openAddition', { body }, options)).addition;
  }

  /** By the new phone, with `commitToIdentity`. The first phone that joins is the only one. */
  async join(code: string, c: string, options?: RequestOptions): Promise<Reply<'joinAddition'>['addition']> {
    const input = { path: { code }, body: { c } };
    return (await this.#transport.call('joinAddition', input, options)).addition;
  }

  /** By the old phone, after the new one has joined. Keep the addition's `c` before you call this. The nonce is that of both proofs. */
  async reveal(
    id: string,
    { a, nonce, timestamp }: PhoneAdditionRevealParams,
    options?: RequestOptions,
  ): Promise<PhoneAddition> {
    const input = { path: { id }, body: { a, nonce, timestamp } };
    return (await this.#transport.call('revealAddition', input, options)).addition;
  }

  /** By the new phone, after the old one has revealed `a`: what it committed to, with the proof of `prover.proveJoin`. */
  async answer(
    id: string,
    { newDid, newCommitment, b, newProof, newPublicSignals }: PhoneAdditionAnswerParams,
    options?: RequestOptions,
  ): Promise<PhoneAddition> {
    const input = { path: { id }, body: { newDid, newCommitment, b, newProof, newPublicSignals } };
    return (await this.#transport.call('answerAddition', input, options)).addition;
  }

  /** By the old phone, if the digits are wrong. There is one try. */
  async reject(id: string, a: string, options?: RequestOptions): Promise<PhoneAddition> {
    const input = { path: { id }, body: { a } };
    return (await this.#transport.call('rejectAddition', input, options)).addition;
  }

  /** The addition, as far as it has come. */
  async get(id: string, options?: RequestOptions): Promise<PhoneAddition> {
    return (await this.#transport.call('getAddition', { path: { id }, query: {} }, options)).addition;
  }

  /**
   * Waits until the addition is no longer in this state.
   * @throws SvcError `addition_not_found` when it has expired
   */
  async waitWhile(
    id: string,
    state: PhoneAddition['state'],
    options?: RequestOptions,
  ): Promise<PhoneAddition> {
    const query = { state, wait: WAIT_SECONDS } as { state: 'open'; wait: number };
    const ask = async (waiting: RequestOptions) =>
      (await this.#transport.call('getAddition', { path: { id }, query }, waiting)).addition;
    return longPoll(this.#transport, ask, (addition) => addition.state !== state, options);
  }
}
