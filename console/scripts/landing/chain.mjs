// A short audit chain for the landing page, with valid hashes (docs/audit.md).
import { createHash } from 'node:crypto';

const sha256 = (/** @type {(string | Buffer)[]} */ ...parts) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

const TENANT = '019dbed3-1dc0-70e0-a4d6-a40aa11c95bf';
const EVENTS = [
  ['registration.completed', 'A registration ceremony was completed'],
  ['identity.verify', 'A proof was checked against a registered identity'],
  ['device.revoked', 'A device was revoked'],
];

/** Entries with `seq`, `action`, `summary`, `prevHash` and `hash`. */
export function sampleChain() {
  let previous = sha256(`svc-audit-v1|${TENANT}|live`);
  return EVENTS.map(([action, summary], at) => {
    const event = {
      action,
      createdAt: `2026-05-12T09:3${at}:00.000Z`,
      environment: 'live',
      seq: at + 1,
      summary,
    };
    const hash = sha256(previous, sha256(JSON.stringify(event)));
    const entry = {
      seq: at + 1,
      action,
      summary,
      prevHash: previous.toString('hex'),
      hash: hash.toString('hex'),
    };
    previous = hash;
    return entry;
  });
}
