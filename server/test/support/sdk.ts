import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Svc, type SvcOptions } from '@svc/sdk';
import { createProver, type IdentityProver } from '@svc/sdk/prover';
import { artifactFiles, artifactsFolder } from '@svc/zk/artifacts';
import { type Account, manualClock, type Service, type ServiceOptions, startService } from './service.js';

/** A service on a real port, whose clock begins at the present, as its Date header says. */
export interface ListeningService extends Service {
  readonly url: string;
  /** The SDK's client with one of the account's keys. */
  client(apiKey?: string, options?: Partial<SvcOptions>): Svc;
}

export async function listeningService(options: ServiceOptions = {}): Promise<ListeningService> {
  const service = await startService({ clock: manualClock(Date.now()), ...options });
  await service.app.http.listen({ port: 0, host: '127.0.0.1' });
  const url = `http://127.0.0.1:${(service.app.http.server.address() as AddressInfo).port}`;
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

/** Where a phone of the account registered; the base URL is the one that the service itself names in its codes. */
export const enrolledAt = (
  { app }: Service,
  { tenantId }: Account,
  environment: 'live' | 'test' = 'live',
) => ({
  baseUrl: app.deps.config.baseUrl,
  tenantId,
  environment,
});
