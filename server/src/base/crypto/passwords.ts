import { hash, verify } from '@node-rs/argon2';
import { fail } from '../errors.js';

/** OWASP's first recommendation for Argon2id: 19 MiB, two passes, one lane. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** NFC, so that a password typed on another keyboard or system gives the same bytes. */
const normal = (password: string) => password.normalize('NFC');

/** Slow password hashing behind a bounded queue, so that a burst of logins cannot use up the machine. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Without a hash, does the same work and returns false, so that an unknown account takes as long as a wrong password. */
  verify(hash: string | undefined, password: string): Promise<boolean>;
}

interface PasswordOptions {
  /** Maximum number of hashes that run at the same time. */
  readonly running?: number;
  /** Maximum number that wait. Further calls fail with 503. */
  readonly waiting?: number;
  /** The Argon2 implementation. A test counts its runs. */
  readonly argon2?: { readonly hash: typeof hash; readonly verify: typeof verify };
}

export async function createPasswords({
  running = 2,
  waiting = 200,
  argon2 = { hash, verify },
}: PasswordOptions = {}): Promise<Passwords> {
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
      // Hand the slot to the next caller without releasing it, so that no other call can take it in between.
      const next = queue.shift();
      if (next) next();
      else active -= 1;
    }
  };
  const nobody = await argon2.hash('a password that no account has', OPTIONS);

  return {
    hash: (password) => bounded(() => argon2.hash(normal(password), OPTIONS)),
    verify: (stored, password) =>
      bounded(async () => {
        const matches = await argon2.verify(stored ?? nobody, normal(password), OPTIONS);
        return matches && stored !== undefined;
      }),
  };
}
