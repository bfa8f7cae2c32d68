import { hash, verify } from '@node-rs/argon2';
import { describe, expect, it } from 'vitest';
import { Failure } from '../errors.js';
import { createPasswords } from './passwords.js';

describe('passwords', () => {
  it('cost one Argon2 run whether the account exists or not, and an unknown one never matches', async () => {
    let runs = 0;
    const counted: typeof verify = (...given) => {
      runs += 1;
      return verify(...given);
    };
    const passwords = await createPasswords({ argon2: { hash, verify: counted } });
    const stored = await passwords.hash('correct horse 7');
    for (const [account, password, matches] of [
      [stored, 'correct horse 7', true],
      [stored, 'wrong', false],
      [undefined, 'correct horse 7', false],
      [undefined, 'a password that no account has', false],
    ] as const) {
      runs = 0;
      expect(await passwords.verify(account, password)).toBe(matches);
      expect(runs).toBe(1);
    }
  });

  it('are hashed by Argon2id with 19 MiB and two passes, each with its own salt', async () => {
    const passwords = await createPasswords();
    const [first, second] = await Promise.all([passwords.hash('the same'), passwords.hash('the same')]);
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(second).not.toBe(first);
  });

  it('wait in a bounded queue: calls beyond it fail with 503, and the queue keeps working', async () => {
    const passwords = await createPasswords({ running: 1, waiting: 1 });
    const [first, second, third] = await Promise.allSettled([
      passwords.hash('one'),
      passwords.hash('two'),
      passwords.hash('three'),
    ]);
    expect([first.status, second.status, third.status]).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect((third as PromiseRejectedResult).reason).toBeInstanceOf(Failure);
    expect(await passwords.verify(await passwords.hash('four'), 'four')).toBe(true);
  });
});
