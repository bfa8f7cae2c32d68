import type { Svc } from '@svc/sdk';
import { afterAll, beforeAll } from 'vitest';
import { type ListeningService, listeningService } from '../../server/test/support/sdk.js';
import type { Account } from '../../server/test/support/service.js';

/** A service on a real port, an enterprise account, and a client with the account's live key. */
export interface AccountOnService {
  service: ListeningService;
  account: Account;
  svc: Svc;
}

/** Starts the service before the tests of the calling file and closes it after them. The fields are set when a test runs. */
export function accountOnService(): AccountOnService {
  const on = {} as AccountOnService;
  beforeAll(async () => {
    on.service = await listeningService();
    on.account = await on.service.signUp({ plan: 'enterprise' });
    on.svc = on.service.client(on.account.key);
  });
  afterAll(() => on.service.close());
  return on;
}
