import { expect, test } from 'vitest';
import { createKey, seal, unseal } from './seal';

const secret = () => new TextEncoder().encode('svc_live_claim_key');

test('decrypts a secret for the record it belongs to', async () => {
  const key = await createKey();
  const sealed = await seal(key, secret(), 'tenant:live');
  expect(new TextDecoder().decode(await unseal(key, sealed, 'tenant:live'))).toBe('svc_live_claim_key');
});

test('does not decrypt a secret for another record, with another key, or after a change', async () => {
  const key = await createKey();
  const sealed = await seal(key, secret(), 'tenant:live');
  const altered = { ...sealed, bytes: sealed.bytes.slice(0) };
  new Uint8Array(altered.bytes)[0]! ^= 1;
  await expect(unseal(key, sealed, 'tenant:test')).rejects.toThrow(
    expect.objectContaining({ name: 'OperationError' }),
  );
  await expect(unseal(await createKey(), sealed, 'tenant:live')).rejects.toThrow();
  await expect(unseal(key, altered, 'tenant:live')).rejects.toThrow();
});

test('creates keys that cannot be exported, and a new IV for each encryption', async () => {
  const key = await createKey();
  expect(key.extractable).toBe(false);
  await expect(crypto.subtle.exportKey('raw', key)).rejects.toThrow();
  const [one, two] = [await seal(key, secret(), 'a'), await seal(key, secret(), 'a')];
  expect(one.iv).not.toEqual(two.iv);
});
