import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedDatabase } from '../support/database.js';
import { pausableCommits } from '../support/faults/held-commit.js';
import { openPairing, poll, proveForPairing, setPolicy, submit } from '../support/pairing.js';
import { registerPerson } from '../support/phone.js';
import { type Service, startService } from '../support/service.js';

let holding: ReturnType<typeof pausableCommits>;
let service: Service;
beforeAll(async () => {
  holding = pausableCommits((await sharedDatabase()).db);
  service = await startService({ db: holding.db });
});
afterAll(() => service.close());

describe('a stricter security policy', () => {
  it('waits for no submit in the other environment, which may share its transaction with other accounts [pairing/what-a-session-asks]', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    const testKey = await service.createKey(account, 'test');
    const person = await registerPerson(service, testKey);
    const [bound, open] = [await openPairing(service, testKey), await openPairing(service, testKey)];
    const body = await proveForPairing(person, {
      tenantId: account.tenantId,
      environment: 'test',
      sessionId: bound.id,
      nonce: bound.nonce,
    });
    const { reached, release } = holding.hold();
    const submitting = submit(service, testKey, bound.id, body);
    await reached;
    service.clock.advance(1);
    expect((await setPolicy(service, account, { pairing_match: 'type' })).status).toBe(200);
    release();
    expect((await submitting).status).toBe(200);
    expect((await poll(service, testKey, open)).body.session.state).toBe('expired');
  });
});
