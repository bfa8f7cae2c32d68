// An account with its audit chain, people and approvals, of which receipts are made: rows as the service hashes them, and real proofs under
// the development keys.
import { createHash, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../setup.mjs';

const dist = (/** @type {string} */ path) => import(pathToFileURL(join(root, path)).href);
const { createKeyring } = await dist('server/dist/base/crypto/keyring.js');
const { canonicalEvent, genesisHash, linkHash, signHead } = await dist('server/dist/ledger/audit-chain.js');
const { AUDIT_ACTIONS } = await dist('server/dist/model/audit-actions.js');
const { hashEnrolment, tagOf, wordOf } = await dist('chain/dist/leaves.js');
const { createIdentity } = await dist('zk/dist/phone.js');
const { createProver } = await dist('zk/dist/prover/prover.js');
const { loadPinnedKey } = await dist('zk/dist/setup/artifacts.js');
const field = await dist('zk/dist/field.js');
const merkle = await dist('zk/dist/approvals/merkle.js');
const { canonicalJson } = await dist('zk/dist/approvals/canonical-json.js');

const sha256 = (/** @type {string | Buffer} */ of) => createHash('sha256').update(of);
const hexOf = (/** @type {string} */ text) => sha256(text).digest('hex');

/** A UUID that is the same in each run. */
export const idOf = (/** @type {string} */ name) => {
  const hex = hexOf(name);
  return `019dfe41-${hex.slice(0, 4)}-7${hex.slice(4, 7)}-9${hex.slice(7, 10)}-${hex.slice(10, 22)}`;
};
const TENANT = idOf('tenant');
const START = Date.parse('2026-05-12T09:30:00.000Z');
const scope = { tenantId: TENANT, environment: 'live' };
const file = (/** @type {string} */ kind) => readFileSync(join(root, `zk/artifacts/identity_proof.${kind}`));
const prover = await createProver({ wasm: file('wasm'), zkey: file('zkey') });
const { setup, sha256: vkeySha256 } = loadPinnedKey();

/** A proof of a phone, bound to a value. */
export async function prove(/** @type {any} */ phone, /** @type {bigint} */ bind) {
  const didHash = field.boundSignal(field.didHash(phone.did), bind);
  return prover.prove({ biometricSecret: phone.biometricSecret, salt: phone.salt, didHash });
}

export class Chain {
  /** @type {any[]} */
  rows = [];
  constructor(secret = 's'.repeat(48)) {
    this.keys = createKeyring(secret).current;
  }

  get time() {
    return START + this.rows.length * 1000;
  }

  append(
    /** @type {any} */ {
      action,
      entityType,
      entityId,
      metadata = {},
      status = 'success',
      actorType = 'api_key',
      actorId = idOf('key'),
    },
  ) {
    const prevHash = this.rows.at(-1)?.hash ?? genesisHash(TENANT, 'live');
    const seq = this.rows.length + 1;
    const event = {
      id: idOf(`row ${seq}`),
      seq,
      environment: 'live',
      actorType,
      actorId,
      action,
      entityType,
      entityId,
      status,
      summary: AUDIT_ACTIONS[action],
      createdAt: new Date(this.time).toISOString(),
      metadata,
    };
    const row = { ...event, prevHash, hash: linkHash(prevHash, canonicalEvent(event)) };
    this.rows.push(row);
    return row;
  }

  /** The signed head after so many rows. */
  head(size = this.rows.length) {
    const { hash, createdAt: at } = this.rows[size - 1];
    const head = { seq: size, hash, at: Date.parse(at) };
    const signature = signHead(this.keys, TENANT, 'live', head);
    return { tenantId: TENANT, seq: size, hash, at, publicKey: this.keys.signing.publicHex, ...signature };
  }

  #leaves() {
    return this.rows.map(({ hash }) => merkle.leafHash(Buffer.from(hash, 'hex')));
  }

  #root(/** @type {any} */ { from, to }) {
    const level = (/** @type {Uint8Array[]} */ nodes) => {
      if (nodes.length === 1) return nodes[0];
      let split = 1;
      while (split * 2 < nodes.length) split *= 2;
      return merkle.nodeHash(level(nodes.slice(0, split)), level(nodes.slice(split)));
    };
    return Buffer.from(level(this.#leaves().slice(from, to))).toString('hex');
  }

  /** The signed tree over so many rows. */
  tree(size = this.rows.length) {
    const { hash, createdAt: at } = this.rows[size - 1];
    const rootHash = this.#root({ from: 0, to: size });
    const message = ['svc-audit-tree-v1', TENANT, 'live', size, rootHash, hash, Date.parse(at)].join('|');
    const signature = sign(null, Buffer.from(message), this.keys.signing.privateKey).toString('hex');
    return { size, root: rootHash, hash, at, signature, keyId: this.keys.kid };
  }

  inclusion(/** @type {number} */ seq, size = this.rows.length) {
    return merkle.inclusionRanges(seq - 1, size).map((range) => this.#root(range));
  }

  consistency(/** @type {number} */ from, to = this.rows.length) {
    return merkle.consistencyRanges(from, to).map((range) => this.#root(range));
  }

  /** As GET /v1/audit/export writes it. */
  export(size = this.rows.length) {
    return [...this.rows.slice(0, size), { environment: 'live', head: this.head(size) }];
  }

  /** Puts a commitment of a phone in force. */
  enrol(
    /** @type {any} */ phone,
    /** @type {any} */ { action, userId, identityId, authorization, authorizer },
  ) {
    const { did, commitment } = phone;
    const leaf = {
      ...{ identityId, userId, didHash: wordOf(field.didHash(did)), commitment },
      salt: hexOf(`salt ${this.rows.length}`),
    };
    const { proof, publicSignals } = authorization ?? {};
    const row = this.append({
      action,
      entityType: 'identity',
      entityId: identityId,
      metadata: {
        ...{ identityId, userId, identity_leaf: hashEnrolment({ ...leaf, tag: tagOf(TENANT, 'live') }) },
        ...(authorization && { authorizedBy: hexOf(canonicalJson({ proof, publicSignals })) }),
        ...(authorizer && { authorizer }),
      },
    });
    return { leaf, seq: row.seq, ...(authorization && { authorization }) };
  }
}

/** A person with one phone, which was registered. */
export function register(/** @type {Chain} */ chain, /** @type {string} */ name, more = {}) {
  const phone = createIdentity();
  const person = { userId: idOf(`user ${name}`), identityId: idOf(`identity ${name}`) };
  const enrolment = chain.enrol(phone, { action: 'identity.register', ...person, ...more });
  return { phone, ...person, ...more, enrolment: [enrolment] };
}

/** Another phone of a person, or another secret of the same phone, by a proof of the one that they have. */
export async function authorize(
  /** @type {Chain} */ chain,
  /** @type {any} */ by,
  /** @type {string} */ action,
) {
  const rotates = action === 'identity.rotated';
  const fresh = createIdentity();
  const phone = rotates ? { ...fresh, did: by.phone.did } : fresh;
  const use = { ...scope, nonce: idOf(`nonce ${chain.rows.length}`), timestampMs: chain.time };
  const bound = { ...use, newCommitment: phone.commitment, newDid: phone.did };
  const proved = await prove(by.phone, rotates ? field.rotateBind(bound) : field.addBind(bound));
  const { nonce, timestampMs: timestamp } = use;
  const authorization = { did: by.phone.did, nonce, timestamp, ...proved };
  const identityId = rotates ? by.identityId : idOf(`identity ${phone.did}`);
  const { userId } = by;
  const authorizer = rotates ? undefined : by.identityId;
  const enrolment = chain.enrol(phone, { action, userId, identityId, authorization, authorizer });
  return { phone, userId, identityId, enrolment: [enrolment, ...by.enrolment] };
}

const ACTION = {
  title: 'Pay an invoice',
  fields: [
    { label: 'To', value: 'Müller & Söhne GmbH' },
    { label: 'Amount', value: '€1,200.50' },
  ],
};

/** An approval that people are asked for. */
export function ask(
  /** @type {Chain} */ chain,
  /** @type {string} */ name,
  /** @type {any} */ { people, ...more },
) {
  const approvers = people.map((/** @type {any} */ { userId }) => userId).sort();
  const statement = {
    v: 'svc-approval-1',
    issuer: 'https://id.example.com',
    ...scope,
    approvalId: idOf(`approval ${name}`),
    nonce: hexOf(name).slice(0, 32),
    company: 'Example GmbH',
    requestedBy: { kind: 'api_key', id: idOf('key'), name: 'Payments' },
    approvers,
    required: approvers.length,
    match: 'off',
    action: ACTION,
    createdAt: new Date(chain.time).toISOString(),
    expiresAt: new Date(chain.time + 300_000).toISOString(),
    ...more,
  };
  const approval = { chain, statement, digest: hexOf(canonicalJson(statement)), decisions: [], seqs: [] };
  note(approval, 'created');
  return approval;
}

/** Writes an event of an approval, whose row is in its receipt. */
export function note(/** @type {any} */ approval, /** @type {string} */ event, metadata = {}) {
  const { chain, statement, digest, seqs } = approval;
  const row = chain.append({
    action: `approval.${event}`,
    entityType: 'approval',
    entityId: statement.approvalId,
    metadata: { ...metadata, digest },
  });
  seqs.push(row.seq);
  return row;
}

/** The decision of a person. What it is bound to can be changed. */
export async function decide(
  /** @type {any} */ approval,
  /** @type {any} */ person,
  /** @type {any} */ { decision = 'approve', decidedAt = approval.chain.time, bound, ...more } = {},
) {
  const { statement, digest, chain } = approval;
  const { tenantId, environment, approvalId } = statement;
  const fields = { tenantId, environment, approvalId, digest, decidedAtMs: decidedAt, ...more, ...bound };
  const bind = decision === 'approve' ? field.approveBind(fields) : field.approveDeclineBind(fields);
  const { userId, identityId, phone, enrolment } = person;
  const sent = await prove(phone, bind);
  note(approval, decision === 'approve' ? 'approved_by' : 'declined_by', { userId, identityId });
  approval.decisions.push({
    did: phone.did,
    decision,
    decidedAt: new Date(decidedAt).toISOString(),
    ...more,
    circuit: 'identity_proof',
    ...sent,
    enrolment,
  });
  return chain;
}

/** The receipt of an approval, with the tree over all rows that the chain has now. */
export function receiptOf(
  /** @type {any} */ { chain, statement, decisions, seqs },
  /** @type {string} */ outcome,
  /** @type {any} */ { size = chain.rows.length, isInTree = true, from = 0 } = {},
) {
  const enrolments = decisions.flatMap((/** @type {any} */ { enrolment }) =>
    enrolment.map((/** @type {any} */ { seq }) => seq),
  );
  const all = [...new Set([...enrolments, ...seqs])].sort((left, right) => left - right);
  return {
    v: 'svc-receipt-1',
    setup: { ...setup, vkeySha256 },
    statement,
    outcome,
    decisions,
    chain: all.map((seq) => ({
      row: chain.rows[seq - 1],
      inclusion: isInTree ? chain.inclusion(seq, size) : null,
    })),
    tree: isInTree ? chain.tree(size) : null,
    ...(from > 0 && { consistency: { from, proof: chain.consistency(from, size) } }),
    head: chain.head(size),
  };
}
