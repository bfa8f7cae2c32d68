import { ChainStateError } from '@svc/chain/chain-error';
import type { BatchCall, Fees } from '@svc/chain/client';
import type { Clock } from '../../base/clock.js';
import * as store from './anchors.store.js';
import type { AnchorLedger } from './batches-on-chain.js';

/** A transaction without a block for this long is replaced with a higher fee. */
const BUMP_AFTER_MS = 60_000;
/** A reverted transaction costs as much as a successful one, so the next is sent only after this time. */
const RETRY_REVERTED_MS = 60 * 60_000;
/** Nodes require at least 10 % more for a replacement. */
const bump = (fee: bigint) => fee + fee / 8n + 1n;
/** A transaction at four times the suggested fee that is in no block would not be at any fee: the blockchain has stopped. */
const MAX_FEE_FACTOR = 4n;
/** 500 gwei: about 0.03 ether per batch. If the blockchain requires more, batches wait. */
const MAX_FEE = 500_000_000_000n;
/** 0.075 ether: the maximum cost of a batch on any blockchain, however much gas its node estimates. */
const MAX_COST = 75_000_000_000_000_000n;

/** Sends the same bytes again while they may still be mined. Signs a new transaction if they were pending for too long or a node rejects them. */
export async function send(ledger: AnchorLedger, call: BatchCall, nonce: number): Promise<void> {
  const { client, clock, db, hub, w } = ledger;
  const sent = await store.listTransactions(db, hub, call.batchId);
  const last = sent.find((tx) => tx.nonce === nonce);
  if (last === undefined) await requireNotReverted(ledger, sent[0]);
  const rejection = last && !isOverdue(clock, last) ? await rejectionOf(ledger, last) : undefined;
  if (last && rejection === undefined && !isOverdue(clock, last)) return;
  if (rejection && last?.taken_at && rejection.state !== 'fees_too_high') throw rejection;
  const [gas, suggested] = await Promise.all([client.gasFor(call), client.suggestFees()]);
  const fees = offer(suggested, last?.taken_at ? last : undefined, MAX_COST / gas);
  if (last && isAlike(fees.maxFeePerGas, BigInt(last.max_fee))) {
    if (rejection) throw rejection;
    return submit(ledger, last);
  }
  const { hash, raw } = await client.sign(call, nonce, fees, gas);
  const tx = { tx_hash: hash.slice(2), signed: raw };
  await store.saveTransaction(w, {
    ...tx,
    hub,
    batchId: call.batchId,
    nonce,
    max_fee: String(fees.maxFeePerGas),
    priority_fee: String(fees.maxPriorityFeePerGas),
    now: new Date(clock.now()),
  });
  await submit(ledger, { ...tx, taken_at: null });
}

const isOverdue = (clock: Clock, { taken_at, created_at }: store.TransactionRow) =>
  taken_at !== null && clock.now() - created_at.getTime() >= BUMP_AFTER_MS;

async function submit(
  { client, clock, w, hub }: AnchorLedger,
  tx: Pick<store.TransactionRow, 'tx_hash' | 'signed' | 'taken_at'>,
): Promise<void> {
  await client.send(tx.signed);
  if (tx.taken_at === null) await store.noteTaken(w, hub, tx.tx_hash, new Date(clock.now()));
}

/** Sends the transaction and returns the node's error, if it rejects it. @throws errors that say nothing about the transaction */
async function rejectionOf(
  ledger: AnchorLedger,
  tx: store.TransactionRow,
): Promise<ChainStateError | undefined> {
  try {
    await submit(ledger, tx);
    return undefined;
  } catch (error) {
    if (error instanceof ChainStateError) return error;
    throw error;
  }
}

/** Throws if the contract has reverted this batch lately, because it would revert again, for lack of gas, the relayer or the number. */
async function requireNotReverted(
  { client, clock }: AnchorLedger,
  newest: store.TransactionRow | undefined,
): Promise<void> {
  if (newest === undefined || clock.now() - newest.created_at.getTime() >= RETRY_REVERTED_MS) return;
  if ((await client.outcomeOf(`0x${newest.tx_hash}`))?.status === 'reverted')
    throw new ChainStateError(
      'refused',
      `The contract reverted the transaction 0x${newest.tx_hash}, which was paid for. The next is sent an hour after it.`,
    );
}

const max = (a: bigint, b: bigint) => (a > b ? a : b);
const min = (a: bigint, b: bigint) => (a < b ? a : b);

/** The suggested fee, or an eighth more than the fee of a pending transaction, limited by the caps. */
function offer(suggested: Fees, taken: store.TransactionRow | undefined, affordable: bigint): Fees {
  if (min(MAX_FEE, suggested.maxFeePerGas) > affordable)
    throw new ChainStateError(
      'gas_too_high',
      `A batch would cost more than ${Number(MAX_COST) / 1e18} ether: the blockchain requires too much gas at its current price. Nothing was sent.`,
    );
  const cap = min(min(MAX_FEE, affordable), suggested.maxFeePerGas * MAX_FEE_FACTOR);
  const maxFee = taken ? max(suggested.maxFeePerGas, bump(BigInt(taken.max_fee))) : suggested.maxFeePerGas;
  const priority = taken
    ? max(suggested.maxPriorityFeePerGas, bump(BigInt(taken.priority_fee)))
    : suggested.maxPriorityFeePerGas;
  const maxFeePerGas = min(maxFee, cap);
  return { maxFeePerGas, maxPriorityFeePerGas: min(priority, maxFeePerGas) };
}

/** Whether the difference is less than a step, so that signing another transaction is not worthwhile. */
const isAlike = (a: bigint, b: bigint) => a < bump(b) && b < bump(a);
