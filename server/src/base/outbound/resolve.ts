import { Resolver } from 'node:dns/promises';
import type { Timers } from '../clock.js';

export type ResolveHost = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

/** The connection has three seconds, so a query is repeated within them. */
const QUERY = { timeout: 700, tries: 2 };
/** Some name servers never answer a query for IPv6. */
const SECOND_FAMILY_MS = 500;

/** Names that never leave the machine (RFC 6761). */
export const isLocalhost = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost');
export const LOCALHOST: readonly string[] = ['127.0.0.1', '::1'];

/**
 * Asks the name servers for all addresses of a host. `dns.lookup` would block a thread of the pool that Argon2id needs.
 * Each call has its own resolver, so that it can be cancelled and its queries use ports of their own.
 */
export function createResolve(options: {
  readonly timers: Timers;
  /** Default: those of the operating system. */
  readonly servers?: readonly string[];
}): ResolveHost {
  const { timers, servers } = options;
  return async (host, signal) => {
    const resolver = new Resolver(QUERY);
    if (servers) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    const found: string[] = [];
    const failures: unknown[] = [];
    const collect = (query: Promise<string[]>) =>
      query.then(
        (addresses) => void found.push(...addresses),
        (error: unknown) => void failures.push(error),
      );
    const queries = [collect(resolver.resolve4(host)), collect(resolver.resolve6(host))];
    await Promise.race(queries);
    await (found.length === 0 ? Promise.all(queries) : withinLimit(Promise.all(queries), timers));
    signal.removeEventListener('abort', cancel);
    resolver.cancel();
    if (found.length === 0) throw failures[0];
    return found;
  };
}

function withinLimit(work: Promise<unknown>, timers: Timers): Promise<void> {
  return new Promise((resolve) => {
    const stop = timers.after(SECOND_FAMILY_MS, resolve);
    void work.then(() => {
      stop();
      resolve();
    });
  });
}
