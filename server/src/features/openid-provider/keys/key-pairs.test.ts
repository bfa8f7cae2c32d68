import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { heldKeyPairs } from '../../../../test/support/key-pairs.js';
import { manualClock } from '../../../../test/support/service.js';
import type { Scope } from '../../../ledger/audit-store.js';
import { createKeyPairs, generateRsa } from './key-pairs.js';

const issuer = (account: number): Scope => ({ tenantId: `account-${account}`, environment: 'live' });

describe('key pairs', () => {
  it('are generated one at a time', async () => {
    const held = heldKeyPairs();
    const { generate } = createKeyPairs(manualClock(), held.generate);
    const pairs = [1, 2, 3].map((account) => generate(issuer(account), 'RS256'));
    await held.started;
    held.release();
    await Promise.all(pairs);
    expect(held.counts()).toEqual({ runs: 3, mostRunning: 1 });
  });

  it('are shared by concurrent calls for an issuer, which takes one place in the queue', async () => {
    const held = heldKeyPairs();
    const { generate } = createKeyPairs(manualClock(), held.generate);
    const live = Array.from({ length: 100 }, () => generate(issuer(1), 'RS256'));
    const others = [generate({ ...issuer(1), environment: 'test' }, 'RS256'), generate(issuer(2), 'RS256')];
    held.release();
    await Promise.all([...live, ...others]);
    expect(held.counts().runs).toBe(3);
    await generate(issuer(1), 'RS256');
    expect(held.counts().runs).toBe(4);
  });

  it('of the algorithm ES256 do not wait', async () => {
    const held = heldKeyPairs();
    const { generate } = createKeyPairs(manualClock(), held.generate);
    const waits = generate(issuer(1), 'RS256');
    const { publicKey } = await generate(issuer(1), 'ES256');
    expect(publicKey.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' });
    held.release();
    await waits;
  });

  it('return 503 while 30 issuers wait', async () => {
    const held = heldKeyPairs();
    const { generate } = createKeyPairs(manualClock(), held.generate);
    const pairs = Array.from({ length: 31 }, (_, account) => generate(issuer(account), 'RS256'));
    const unavailable = { code: 'service_unavailable' };
    await expect(generate(issuer(31), 'RS256')).rejects.toMatchObject(unavailable);
    pairs.push(generate(issuer(30), 'RS256'));
    held.release();
    await Promise.all(pairs);
    expect(held.counts().runs).toBe(31);
    await generate(issuer(31), 'RS256');
  });

  it('return 503 to those that waited for more than 10 seconds', async () => {
    const held = heldKeyPairs();
    const clock = manualClock();
    const { generate } = createKeyPairs(clock, held.generate);
    const first = generate(issuer(1), 'RS256');
    await held.started;
    const tooLate = generate(issuer(2), 'RS256');
    clock.advance(1);
    const inTime = generate(issuer(3), 'RS256');
    clock.advance(10_000);
    held.release();
    const ended = await Promise.allSettled([first, tooLate, inTime]);
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(ended[1]).toMatchObject({ reason: { code: 'service_unavailable' } });
    expect(held.counts().runs).toBe(2);
  });

  it('are generated after one that failed', async () => {
    const held = heldKeyPairs();
    held.release();
    let fails = true;
    const { generate } = createKeyPairs(manualClock(), async () => {
      if (!fails) return held.generate();
      fails = false;
      throw new Error('failed');
    });
    const [first, second] = [1, 2].map((account) => generate(issuer(account), 'RS256'));
    await expect(first).rejects.toThrow('failed');
    await second;
    await generate(issuer(1), 'RS256');
  });

  it('are not generated after a shutdown began', async () => {
    const held = heldKeyPairs();
    const { generate, close } = createKeyPairs(manualClock(), held.generate);
    const [first, second] = [1, 2].map((account) => generate(issuer(account), 'RS256'));
    await held.started;
    close();
    held.release();
    await first;
    await expect(second).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(held.counts().runs).toBe(1);
  });
});

describe('the thread of a key pair', () => {
  it.each([
    ['by an error', 'throw new Error("broken")'],
    ['without an error', 'process.exit(0)'],
  ])('that dies %s is a 503', async (_, thread) => {
    await expect(generateRsa(thread)).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  // The only thread of the pool stays busy for longer than the test, so a pair that needed it would never be generated.
  it('needs nothing of the pool that hashes passwords', { tags: ['ci'] }, async () => {
    const program = `import { pbkdf2 } from 'node:crypto';
      import { createKeyPairs } from ${JSON.stringify(new URL('../../../../dist/features/openid-provider/keys/key-pairs.js', import.meta.url))};
      pbkdf2('password', 'salt', 2 ** 31 - 1, 64, 'sha512', () => console.log('the pool is free'));
      const pair = await createKeyPairs(Date).generate({ tenantId: 'account', environment: 'live' }, 'RS256');
      console.log(pair.privateKey.asymmetricKeyDetails.modulusLength);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      env: { ...process.env, UV_THREADPOOL_SIZE: '1' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [output] = await once(child.stdout, 'data');
    expect(String(output)).toBe('2048\n');
  });
});
