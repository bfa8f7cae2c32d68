/** 32 random bytes as 64 lower-case hex digits. */
export const createRandom = (): string =>
  Array.from(globalThis.crypto.getRandomValues(new Uint8Array(32)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');

/** @internal Names the hardware to a company, and differs for each. */
export const createFingerprint = (): string => `phone:${createRandom().slice(0, 32)}`;
