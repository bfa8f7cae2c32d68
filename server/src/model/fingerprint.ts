/** A device's hardware fingerprint: 16 to 256 characters [devices/fingerprints]. */
export const isFingerprint = (text: string): boolean => /^[A-Za-z0-9:_.=+/-]{16,256}$/.test(text);
