import type { ReceiptHead, TreeHead } from '@svc/zk/approvals/receipt';
import type { Statement } from '@svc/zk/approvals/statement';
import { verifyEd25519, verifySignedHead } from '../../codecs/audit-chain.js';
import { ensure } from '../fault.js';
import type { ReceiptCheckOptions } from '../options.js';

/** Whose chain it is. */
type Chain = Pick<Statement, 'tenantId' | 'environment'>;

/** Checks signatures under the keys that the checker names. */
export class NamedKeys {
  readonly #keys: ReadonlyMap<string, string>;
  readonly #chain: Chain;

  /** @throws ReceiptFault `key_unknown` if the head that was kept has another key than the one that is named */
  constructor({ keys = {}, head }: Pick<ReceiptCheckOptions, 'keys' | 'head'>, chain: Chain) {
    const all = new Map(Object.entries(keys));
    if (head?.publicKey) {
      const named = all.get(head.keyId) ?? head.publicKey;
      ensure(
        named === head.publicKey,
        'key_unknown',
        `The head that you kept has another key ${head.keyId} than you named.`,
      );
      all.set(head.keyId, named);
    }
    this.#keys = all;
    this.#chain = chain;
  }

  /** @throws ReceiptFault `key_unknown`, `signature_wrong` */
  async checkHead(head: ReceiptHead, what: string): Promise<void> {
    const publicKey = this.#keyOf(head.keyId, what);
    ensure(
      head.publicKey === null || head.publicKey === publicKey,
      'key_unknown',
      `${what} has another key ${head.keyId} than you named.`,
    );
    this.#report(await verifySignedHead({ ...head, publicKey }, this.#chain.environment), what);
  }

  /** @throws ReceiptFault `key_unknown`, `signature_wrong` */
  async checkTree({ size, root, hash, at, signature, keyId }: TreeHead, what: string): Promise<void> {
    const publicKey = this.#keyOf(keyId, what);
    const { tenantId, environment } = this.#chain;
    const message = ['svc-audit-tree-v1', tenantId, environment, size, root, hash, Date.parse(at)].join('|');
    this.#report(await verifyEd25519(message, signature, publicKey), what);
  }

  #keyOf(keyId: string, what: string): string {
    const key = this.#keys.get(keyId);
    ensure(
      key !== undefined,
      'key_unknown',
      `${what} is signed with the key ${keyId}, which you did not name. Pass a head that you kept, or this key.`,
    );
    return key;
  }

  #report(signature: 'valid' | 'wrong' | 'unchecked', what: string): void {
    ensure(
      signature !== 'unchecked',
      'signature_unsupported',
      'This platform cannot check signatures of Ed25519.',
    );
    ensure(signature === 'valid', 'signature_wrong', `The signature of ${lower(what)} is wrong.`);
  }
}

const lower = (what: string): string => `${what[0]?.toLowerCase()}${what.slice(1)}`;
