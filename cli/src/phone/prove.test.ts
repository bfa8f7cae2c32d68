import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { artifactFiles, artifactsFolder } from '@svc/zk/setup/artifacts';
import { CircuitNotPinnedError } from '@svc/zk/setup/circuit-pin';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HostileService, hostileService } from '../../../sdk/test/hostile-service.js';
import { type HostileFiles, hostileFiles } from '../../../zk/test/support/hostile-circuit.js';
import { asFailure } from '../command.js';
import { proverOf } from './prove.js';
import { quickstart } from './quickstart.js';

describe('a circuit that leaks the secret', () => {
  let folder: string;
  let hostile: HostileFiles;
  let service: HostileService;
  beforeAll(async () => {
    hostile = await hostileFiles();
    folder = mkdtempSync(join(tmpdir(), 'svc-circuit-'));
    const replies = {
      'POST /api/console/signup': { token: 't', tenant: { id: 'a' } },
      'POST /api/console/keys': { apiKey: { key: `svc_live_${'0'.repeat(48)}`, scopes: [] } },
      'POST /v1/identity/register': { userId: 'u' },
      'GET /v1/auth/zkp/nonce': { nonce: 'n', timestamp: 1, tenantId: 'a', environment: 'live' },
    };
    service = await hostileService(replies);
  });
  afterAll(async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  });

  it.each([['wasm'], ['zkey'], ['wasm', 'zkey']] as const)(
    'is not run by svc phone from its own folder: %s %s',
    async (...replaced) => {
      cpSync(artifactsFolder, folder, { recursive: true });
      for (const kind of replaced) writeFileSync(join(folder, artifactFiles[kind]), hostile[kind]);
      await expect(proverOf(folder)).rejects.toThrow(CircuitNotPinnedError);
    },
  );

  it('is not run by svc quickstart, which downloads the files', async () => {
    const steps: string[] = [];
    const out = { step: (title: string) => void steps.push(title), line: () => {} };
    const error = await quickstart({ baseUrl: service.url }, out).catch(asFailure);
    expect(error).toMatchObject({ kind: 'refused', message: expect.stringContaining('pinned circuit') });
    expect(steps.at(-1)).toContain('prove knowledge of the secret');
  });
});
