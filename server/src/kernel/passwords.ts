import { hash, verify } from '@node-rs/argon2';
import type { Passwords } from './deps.js';
import { fail } from './errors.js';

/** OWASP's first choice for Argon2id: 19 MiB, two passes, one lane. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** NFC, so that a password typed on another keyboard or system is the same password. */
const normal = (password: string) => password.normalize('NFC');

/** Argon2id with at most `running` hashes at once and `waiting` behind them; more are refused with 503. */
export async function createPasswords(running = 2, waiting = 200): Promise<Passwords> {
  let active = 0;
  const queue: (() => void)[] = [];
  const bounded = async <T>(work: () => Promise<T>): Promise<T> => {
    if (active >= running) {
      if (queue.length >= waiting) fail('service_unavailable', { because: 'password queue full' });
      await new Promise<void>((resume) => queue.push(resume));
    } else active += 1;
    try {
      return await work();
    } finally {
      // The place passes on without becoming free, so nobody slips in between.
      const next = queue.shift();
      if (next) next();
      else active -= 1;
    }
  };
  const nobody = await hash('a password that no account has', OPTIONS);

  return {
    hash: (password) => bounded(() => hash(normal(password), OPTIONS)),
    verify: (stored, password) =>
      bounded(async () => {
        const matches = await verify(stored ?? nobody, normal(password), OPTIONS);
        return matches && stored !== undefined;
      }),
  };
}
