import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { decode, encode } from 'cborg';
import { describe, expect, it } from 'vitest';
import { decodeRawScan, encodeRawScan, type RawScan, rawScanBytes } from './raw-scan.js';

interface Vector {
  readonly name: string;
  readonly scan: RawScan;
  /** Hex. */
  readonly cbor: string;
  readonly rawScan: string;
}
const vectors: readonly Vector[] = JSON.parse(
  readFileSync(new URL('../../../docs/vectors/raw-scan.json', import.meta.url), 'utf8'),
);
const [first] = vectors as [Vector];
const PREFIX = 'za:proof:1:';

const unpack = (text: string) => gunzipSync(Buffer.from(text.slice(PREFIX.length), 'base64url'));
const pack = (bytes: Uint8Array) => PREFIX + gzipSync(bytes).toString('base64url');
/** The first vector's scan, after a change to its fields with the contract's short keys. */
const altered = (change: (fields: Record<string, unknown>) => void) => {
  const fields = decode(Buffer.from(first.cbor, 'hex'));
  change(fields);
  return pack(encode(fields));
};

describe('a rawScan', () => {
  it.each(vectors)(
    '$name: the vector is decoded, and its CBOR encoded to the same bytes',
    async ({ scan, cbor, rawScan }) => {
      expect(unpack(rawScan).toString('hex')).toBe(cbor);
      expect(await decodeRawScan(rawScan)).toEqual(scan);
      expect(Buffer.from(rawScanBytes(scan)).toString('hex')).toBe(cbor);
    },
  );

  it.each(vectors)(
    '$name: other tools can decode the result, with the contract’s short keys',
    async ({ scan }) => {
      const text = await encodeRawScan(scan);
      expect(text.length).toBeLessThanOrEqual(1500);
      const fields = decode(unpack(text));
      expect(Object.keys(fields).sort()).toEqual(['d', 'm', 'p', 'ps', 's']);
      expect(fields).toMatchObject({
        s: scan.sessionId,
        d: scan.did,
        ps: scan.publicSignals,
        p: {
          a: scan.proof.pi_a,
          b: scan.proof.pi_b,
          c: scan.proof.pi_c,
          protocol: 'groth16',
          curve: 'bn128',
        },
      });
      expect(await decodeRawScan(text)).toEqual(scan);
    },
  );

  it('is decoded in the contract’s order of keys as well [proofs/raw-scans]', async () => {
    const { s, p, ps, d, m } = decode(Buffer.from(first.cbor, 'hex'));
    const text = pack(encode({ s, p, ps, d, m }, { mapSorter: () => 0 }));
    expect(unpack(text).toString('hex')).not.toBe(first.cbor);
    expect(await decodeRawScan(text)).toEqual(first.scan);
  });

  it.each<[string, string]>([
    ['no text', ''],
    ['another prefix', first.rawScan.replace(':1:', ':2:')],
    ['padding', `${first.rawScan}=`],
    ['a character outside base64url', first.rawScan.replace(/.$/, '+')],
    ['over 1,500 characters', PREFIX + 'A'.repeat(1500)],
    ['no gzip', `${PREFIX}AAAA`],
    ['a truncated gzip', first.rawScan.slice(0, -40)],
    ['a gzip of text', pack(Buffer.from('hello'))],
    ['a gzip of a list', pack(encode([1]))],
    ['a missing field', altered((fields) => delete fields.d)],
    ['an unknown field', altered((fields) => Object.assign(fields, { x: 1 }))],
    ['a session that is not a UUID', altered((fields) => Object.assign(fields, { s: 'x' }))],
    ['a DID of another method', altered((fields) => Object.assign(fields, { d: 'did:web:a' }))],
    ['two signals', altered((fields) => Object.assign(fields, { ps: ['1', '2'] }))],
    ['a signal in hex', altered((fields) => Object.assign(fields, { ps: ['1', '2', '0x3'] }))],
    ['another curve', altered((fields) => Object.assign(fields.p as object, { curve: 'bls12-381' }))],
    ['a proof without a', altered((fields) => delete (fields.p as { a?: unknown }).a)],
    ['an unknown key in clientMeta', altered((fields) => Object.assign(fields, { m: { zz: 'x' } }))],
    ['a time that is text', altered((fields) => Object.assign(fields, { m: { ms: '52' } }))],
    ['no clientMeta', altered((fields) => Object.assign(fields, { m: 1 }))],
  ])('with %s is rejected', async (_, text) => {
    await expect(decodeRawScan(text)).rejects.toMatchObject({ code: 'malformed_payload' });
  });

  it('that unpacks to 100 MB is rejected after 8 KiB', async () => {
    const bomb = gzipSync(gzipSync(Buffer.alloc(100_000_000)));
    const inner = PREFIX + gzipSync(Buffer.alloc(1_000_000)).toString('base64url');
    expect(inner.length).toBeLessThanOrEqual(1500);
    await expect(decodeRawScan(inner)).rejects.toThrow('it unpacks to more than 8192 bytes');
    await expect(decodeRawScan(PREFIX + bomb.toString('base64url'))).rejects.toMatchObject({
      code: 'malformed_payload',
    });
  });

  it('is not encoded with values that could not be decoded', async () => {
    const { scan } = first;
    await expect(encodeRawScan({ ...scan, did: 'did:web:a' })).rejects.toThrow('a DID is malformed');
    const noise = createHash('shake256', { outputLength: 900 }).update('noise').digest('base64');
    const clientMeta = { appVersion: noise };
    await expect(encodeRawScan({ ...scan, clientMeta })).rejects.toThrow('1500 are allowed');
  });
});
