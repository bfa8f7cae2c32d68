import type { OidcClient, OidcClientCreateParams } from '@svc/sdk';
import { useState } from 'react';
import { claimsFrom } from '../claims';
import { readJwks } from '../jwks';
import { AUTH_OF_TYPE } from '../labels';
import { useUris } from './uri-rows';

/** What the form of an application keeps besides its fields, and the request that both make. */
export function useClientInput(client: OidcClient | undefined) {
  const [type, setType] = useState(client?.type ?? 'web');
  const [auth, setAuth] = useState(client?.tokenEndpointAuth ?? AUTH_OF_TYPE[type][0]);
  const [subjectType, setSubjectType] = useState(client?.subjectType ?? 'pairwise');
  const redirects = useUris(client?.redirectUris ?? [], 1);
  const postLogouts = useUris(client?.postLogoutRedirectUris ?? [], 0);
  const [areKeysUnreadable, setKeysUnreadable] = useState(false);
  const chooseType = (chosen: OidcClient['type']) => {
    setType(chosen);
    setAuth(AUTH_OF_TYPE[chosen][0]);
  };
  /** Undefined if the keys can't be read. */
  const take = (values: Readonly<Record<string, string>>): OidcClientCreateParams | undefined => {
    const text = (name: string) => (values[name] ?? '').trim();
    const jwks = auth === 'private_key_jwt' ? readJwks(text('jwks')) : null;
    setKeysUnreadable(jwks === undefined);
    if (jwks === undefined) return undefined;
    return {
      name: text('name'),
      type,
      redirectUris: type === 'device' ? [] : redirects.take(),
      tokenEndpointAuth: auth,
      ...(jwks !== null && { jwks }),
      subjectType,
      claims: claimsFrom(
        (['profile', 'email'] as const).filter((claim) => text(claim) !== ''),
        text('claims'),
      ),
      claimsInIdToken: text('claimsInIdToken') !== '',
      requirePkce: auth === 'none' || text('requirePkce') !== '',
      postLogoutRedirectUris: postLogouts.take(),
      backchannelLogoutUri: text('backchannelLogoutUri') || null,
      idTokenAlg: text('idTokenAlg') as OidcClient['idTokenAlg'],
      requireDpop: text('requireDpop') !== '',
    };
  };
  return {
    ...{ type, chooseType, auth, setAuth, subjectType, setSubjectType },
    ...{ redirects, postLogouts, areKeysUnreadable, take },
  };
}
