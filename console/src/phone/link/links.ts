import { type Environment, SvcError } from '@svc/sdk';
import { readAccountName } from '../account-name';
import { idOf } from '../identities/identity';
import { change, read, readAll } from '../vault/database';
import { createKey, type Sealed, seal, unseal } from '../vault/seal';

/** The contents of a link from the dashboard. The key can only claim pairings. */
export interface LinkOffer {
  readonly claimKey: string;
  readonly tenantId: string;
  readonly environment: Environment;
  readonly name: string;
}

/** An account whose desktops this phone can sign in. */
export interface Link extends Pick<LinkOffer, 'tenantId' | 'environment' | 'name'> {
  readonly id: string;
  readonly claimKey: Sealed;
  readonly key: CryptoKey;
  readonly linkedAt: string;
}

export const LINKS = ['links'] as const;
export const readLinks = (): Promise<Link[]> => readAll('links');
export const readLink = (id: string): Promise<Link | undefined> => read('links', id);
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
      'This link is incomplete. Open the dashboard’s page “Pairing” and scan the link there.',
    );
  const name = readAccountName(fields.get('name')) ?? 'An account without a name';
  return { claimKey, tenantId, environment, name };
}

export async function storeLink({ claimKey, ...account }: LinkOffer): Promise<void> {
  const id = idOf(account);
  const key = await createKey();
  const sealed = await seal(key, new TextEncoder().encode(claimKey), id);
  const link: Link = { ...account, id, key, claimKey: sealed, linkedAt: new Date().toISOString() };
  await change(['links'], (store) => store('links').put(link));
}

/** Decrypts the key for one request. It is never stored unencrypted. */
export const claimKeyOf = async ({ key, claimKey, id }: Link): Promise<string> =>
  new TextDecoder().decode(await unseal(key, claimKey, id));
