const SLOT_MS = 10_000;

/** When a code that moves can't be scanned any more, in Unix milliseconds of the service. Undefined for one that doesn't move. */
export function codeEnd(qrPayload: string): number | undefined {
  const [, slot] = /^za:pair:2:.*:(\d{1,12}):[\w-]+$/.exec(qrPayload) ?? [];
  return slot === undefined ? undefined : (Number(slot) + 2) * SLOT_MS;
}
