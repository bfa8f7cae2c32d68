import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Svc, type SvcOptions } from '@svc/sdk';
import { createProver, type IdentityProver } from '@svc/sdk/prover';
import { artifactFiles, artifactsFolder } from '@svc/zk/setup/artifacts';
import { freePort } from './process.js';
import { type Account, manualClock, type Service, type ServiceOptions, startService } from './service.js';

/** A service on a real port. Its clock starts at the current time, to match the Date header. */
export interface ListeningService extends Service {
  readonly url: string;
  /** Creates an SDK client with the given API key. */
  client(apiKey?: string, options?: Partial<SvcOptions>): Svc;
}

export async function listeningService(options: ServiceOptions = {}): Promise<ListeningService> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = { BASE_URL: url, ...options.env };
  const service = await startService({ clock: manualClock(Date.now()), ...options, env });
  await service.app.http.listen({ port, host: '127.0.0.1' });
  return {
    ...service,
    url,
    client: (apiKey, more) => new Svc({ baseUrl: url, apiKey, maxRetries: 0, ...more }),
  };
}

let prover: Promise<IdentityProver> | undefined;
/** The SDK's prover with the committed artifacts. */
export function sdkProver(): Promise<IdentityProver> {
  const read = (name: string) => new Uint8Array(readFileSync(join(artifactsFolder, name)));
  prover ??= createProver({ wasm: read(artifactFiles.wasm), zkey: read(artifactFiles.zkey) });
  return prover;
}

/** The enrollment of a phone of the account. The base URL is the one in the service's codes. */
export const enrolledAt = (
  { app }: Service,
  { tenantId }: Account,
  environment: 'live' | 'test' = 'live',
) => ({
  baseUrl: app.deps.config.baseUrl,
  tenantId,
  environment,
});
