import type { PunchReceipt } from '@svc/sdk/time';

/** Gives the person a file of their receipts, which a representative can check without the service. */
export function exportReceipts(receipts: readonly PunchReceipt[]): void {
  const text = JSON.stringify({ format: 'svc-punch-receipts', v: 1, receipts }, null, 1);
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'receipts.json';
  link.click();
  URL.revokeObjectURL(url);
}
