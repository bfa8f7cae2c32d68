import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { type ListeningService, listeningService } from '../../server/test/support/sdk.js';

/** A service on a real port, and an empty folder. */
export interface ServiceAndFolder {
  service: ListeningService;
  folder: string;
}

/** Creates both before the tests of the calling suite, and removes them afterwards. The fields are set when a test runs. */
export function serviceAndFolder(): ServiceAndFolder {
  const on = {} as ServiceAndFolder;
  beforeAll(async () => {
    on.folder = mkdtempSync(join(tmpdir(), 'svc-cli-'));
    on.service = await listeningService();
  });
  afterAll(async () => {
    await on.service.close();
    rmSync(on.folder, { recursive: true });
  });
  return on;
}
