import { addressOf } from '../../base/address.js';
import { fail, invalid } from '../../base/errors.js';
import type { Actor } from '../../http/access.js';
import type { Deps } from '../../http/deps.js';
import type { Write } from '../../ledger/write.js';
import type { Environment } from '../../model/environment.js';
import { requireKeyAct, serializeKey } from './keys.js';
import * as store from './keys.store.js';
import { isLocal, isWithin, readNetwork } from './networks.js';

interface Change {
  readonly name?: string;
  readonly allowedCidrs?: readonly string[];
}

type ChangingDeps = Pick<Deps, 'db' | 'clock'> & {
  readonly bus: Pick<Deps['bus'], 'publish'>;
  readonly config: Pick<Deps['config'], 'trustProxy'>;
};

/** The networks of a request, in canonical form and each once. */
function readNetworks(texts: readonly string[]): readonly string[] {
  const read = (text: string, at: number) =>
    readNetwork(text) ??
    invalid(`body.allowedCidrs[${at}]`, 'must be an IPv4 or IPv6 address or a network such as 192.0.2.0/24');
  return [...new Set(texts.map(read))];
}

/** Behind a proxy that is not trusted, every client would have the address of that proxy. */
function requireKnownClients({ trustProxy }: ChangingDeps['config'], ip: string): void {
  if (trustProxy.length === 0 && isLocal(ip))
    invalid(
      'body.allowedCidrs',
      `needs TRUST_PROXY: this server sees the address ${addressOf(ip) ?? 'of no client'}, probably that of a proxy`,
    );
}

/**
 * Changes the name of a key, or the networks it can be used from. The networks apply to the next request on every node, and streams
 * that are open from other addresses end. `write` opens the key's own environment.
 */
export async function updateKey(
  deps: ChangingDeps,
  caller: { readonly tenantId: string; readonly ip: string; readonly principal: Actor },
  id: string,
  change: Change,
  write: <T>(environment: Environment, work: (w: Write) => Promise<T>) => Promise<T>,
) {
  const { db, clock, bus, config } = deps;
  const networks = change.allowedCidrs && readNetworks(change.allowedCidrs);
  const before = (await store.findKey(db, caller.tenantId, id)) ?? fail('api_key_not_found');
  requireKeyAct({ principal: caller.principal, deps }, before);
  if (networks && networks.length > 0) requireKnownClients(config, caller.ip);
  const name = change.name?.trim();
  const now = clock.now();
  const row = await write(before.environment, async (w) => {
    w.audit({
      entityType: 'api_key',
      entityId: id,
      metadata: {
        ...(name !== undefined && { renamed: true }),
        ...(networks && { allowedNetworks: networks.length }),
      },
    });
    const allowedCidrs = networks && (networks.length > 0 ? networks : null);
    const changed = await store.updateKey(w, id, { name, allowedCidrs }, new Date(now));
    return changed ?? fail('api_key_not_active');
  });
  if (networks) bus.publish('api_key', id);
  return { apiKey: serializeKey(row, now), ...warningOf(networks, caller.ip) };
}

function warningOf(networks: readonly string[] | undefined, ip: string) {
  if (networks === undefined || networks.length === 0 || isWithin(ip, networks)) return {};
  return { warning: `Your own address, ${addressOf(ip) ?? 'which is unknown'}, is not in these networks.` };
}
