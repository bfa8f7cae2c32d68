import { type Environment, SvcError } from '@svc/sdk';
import { readAccountName } from '../account-name';
import { idOf } from '../identities/identity';
import { change, read, readAll } from '../vault/database';
import { createKey, type Sealed, seal, unseal } from '../vault/seal';

/** What the dashboard's link says: a key that may claim pairings and nothing else. */
export interface LinkOffer {
  readonly claimKey: string;
  readonly tenantId: string;
  readonly environment: Environment;
  readonly name: string;
}

/** An account that this phone signs desktops in to. */
export interface Link extends Pick<LinkOffer, 'tenantId' | 'environment' | 'name'> {
  readonly id: string;
  readonly claimKey: Sealed;
  readonly key: CryptoKey;
  readonly linkedAt: string;
}

export const LINKS = ['links'] as const;
export const heldLinks = (): Promise<Link[]> => readAll('links');
export const linkOf = (id: string): Promise<Link | undefined> => read('links', id);
export const removeLink = (id: string): Promise<void> =>
  change(['links'], (store) => store('links').delete(id));

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** @throws SvcError `malformed_payload` */
export function readLinkOffer(fields: URLSearchParams): LinkOffer {
  const claimKey = fields.get('link') ?? '';
  const tenantId = fields.get('tenant') ?? '';
  const environment = /^svc_(live|test)_[0-9a-f]{48}$/.exec(claimKey)?.[1] as Environment | undefined;
  if (environment === undefined || !UUID.test(tenantId))
    throw new SvcError(
      'malformed_payload',
      'This is no whole link of an account. Open the dashboard’s page “Pairing”, and scan the link that it shows.',
    );
  const name = readAccountName(fields.get('name')) ?? 'An account without a name';
  return { claimKey, tenantId, environment, name };
}

export async function keepLink({ claimKey, ...account }: LinkOffer): Promise<void> {
  const id = idOf(account);
  const key = await createKey();
  const sealed = await seal(key, new TextEncoder().encode(claimKey), id);
  const link: Link = { ...account, id, key, claimKey: sealed, linkedAt: new Date().toISOString() };
  await change(['links'], (store) => store('links').put(link));
}

/** For one request; it is not kept in the open. */
export const claimKeyOf = async ({ key, claimKey, id }: Link): Promise<string> =>
  new TextDecoder().decode(await unseal(key, claimKey, id));
