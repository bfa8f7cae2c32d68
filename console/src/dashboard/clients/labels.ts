import type { OidcClient } from '@svc/sdk';

type Type = OidcClient['type'];
type Auth = OidcClient['tokenEndpointAuth'];

export const TYPES: Readonly<Record<Type, { readonly name: string; readonly about: string }>> = {
  web: { name: 'Web application', about: 'Runs on a server, which can keep a secret.' },
  spa: { name: 'Single-page app', about: 'Runs in the browser and has no secret.' },
  native: { name: 'Native app', about: 'Runs on a phone or computer of each person.' },
  device: { name: 'Device or command line', about: 'Shows a code that people enter in a browser.' },
};

export const AUTH_METHODS: Readonly<Record<Auth, string>> = {
  client_secret_basic: 'Secret in the header (client_secret_basic)',
  client_secret_post: 'Secret in the body (client_secret_post)',
  private_key_jwt: 'Signed with a private key (private_key_jwt)',
  none: 'No secret (none)',
};

/** How an application of this type may authenticate, the usual method first. */
export const AUTH_OF_TYPE: Readonly<Record<Type, readonly [Auth, ...Auth[]]>> = {
  web: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
  spa: ['none'],
  native: ['none', 'private_key_jwt'],
  device: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
};

export const hasSecret = ({ tokenEndpointAuth: auth }: Pick<OidcClient, 'tokenEndpointAuth'>): boolean =>
  auth === 'client_secret_basic' || auth === 'client_secret_post';

export const SUBJECT_TYPES: Readonly<
  Record<OidcClient['subjectType'], { readonly name: string; readonly about: string }>
> = {
  pairwise: {
    name: 'Pairwise (recommended)',
    about: 'Each host sees another identifier, so companies can’t match their people.',
  },
  public: { name: 'Public', about: 'Every application sees the same identifier: the person’s ID.' },
};

/** The host that people return to, or the scheme of a native app. Without `https://`, which is usual. */
function placeOf(uri: string): string {
  if (!URL.canParse(uri)) return uri;
  const { protocol, host } = new URL(uri);
  if (protocol === 'https:') return host;
  return protocol === 'http:' ? `http://${host}` : protocol;
}

/** `app.example.com and 1 more`. Undefined if people return nowhere. */
export function textOfRedirects(uris: readonly string[]): string | undefined {
  const [first, ...others] = [...new Set(uris.map(placeOf))];
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}
