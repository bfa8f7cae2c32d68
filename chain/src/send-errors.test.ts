import { expect, it } from 'vitest';
import { classifySendError, type SendError } from './send-errors.js';

const MESSAGES: Readonly<Record<SendError, readonly string[]>> = {
  no_funds: [
    'insufficient funds for gas * price + value: balance 0, tx cost 1500000000000000, overshot 1500000000000000',
    'insufficient funds',
    'Insufficient funds for gas * price + value',
    'InsufficientFunds',
    'InsufficientFunds, Account balance: 0, cumulative cost: 150000000000000',
    'InsufficientFunds, Balance is 0 less than sending value + gas 150000000000000',
    'Upfront cost exceeds account balance',
    'transaction up-front cost 0x886c98b76000 exceeds transaction sender account balance 0x0',
  ],
  fees_too_high: [
    'max fee per gas less than block base fee: address 0xf39F, maxFeePerGas: 1, baseFee: 7',
    'fee cap less than block base fee',
    'FeeTooLow, MaxFeePerGas too low. MaxFeePerGas: 1, BaseFee: 7, MaxPriorityFeePerGas:1, Block number: 5',
    'Gas price below current base fee',
    'gasPrice is less than the current BaseFee',
  ],
  as_sent: [
    'already known',
    'AlreadyKnown',
    'OwnNonceAlreadyUsed',
    'transaction already imported',
    'Known transaction',
    'known transaction: 88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b',
    'INTERNAL_ERROR: existing tx with same hash',
    'existing txn with same hash',
    'nonce too low',
    'nonce too low: next nonce 5, tx nonce 3',
    'Nonce too low',
    'OldNonce',
    'OldNonce, Current nonce: 5, nonce of rejected tx: 3',
    'Transaction nonce is too low. Try incrementing the nonce.',
    'replacement transaction underpriced',
    'Replacement transaction underpriced',
    'Transaction replacement underpriced',
    'ReplacementNotAllowed',
    'transaction underpriced',
    'Transaction underpriced',
    'underpriced',
    'could not replace existing tx',
    'replaced by transaction with higher tip',
    'fee too low',
    'FeeTooLow',
    'FeeTooLow, EffectivePriorityFeePerGas too low 1 < 7, BaseFee: 7',
    'FeeTooLowToCompete',
    'Gas price below configured minimum gas price',
  ],
};

it.each(Object.entries(MESSAGES))('recognizes the messages of every client as %s', (reason, messages) => {
  expect(messages.filter((message) => classifySendError(message) !== reason)).toEqual([]);
});

it.each(['execution reverted', 'txpool is full', 'intrinsic gas too low', '', undefined, null, 7, {}])(
  'does not classify %s',
  (message) => {
    expect(classifySendError(message)).toBeUndefined();
  },
);
