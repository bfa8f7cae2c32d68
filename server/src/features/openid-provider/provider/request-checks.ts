import { type Configuration, errors, type KoaContextWithOIDC } from 'oidc-provider';

/** A client assertion may expire this much later. Until then, the service remembers that it was used. */
const MAX_ASSERTION_SECONDS = 600;

export function checkAssertion(_context: KoaContextWithOIDC, { exp }: { readonly exp?: unknown }): void {
  if (typeof exp !== 'number' || exp > Date.now() / 1000 + MAX_ASSERTION_SECONDS)
    throw new errors.InvalidClientAuth('the client_assertion JWT must expire within ten minutes');
}

/** Each is stored with the sign-in. A hint that is an ID token may be as long as one with all claims. */
const MAX_LENGTHS = { state: 512, nonce: 512, login_hint: 512, id_token_hint: 8_192 };

/** 400 for a parameter that is longer. */
export const LENGTH_CHECKS: NonNullable<Configuration['extraParams']> = Object.fromEntries(
  Object.entries(MAX_LENGTHS).map(([name, max]) => [
    name,
    (_context: KoaContextWithOIDC, value: string | undefined) => {
      if (value !== undefined && value.length > max)
        throw new errors.InvalidRequest(`${name} must have at most ${max} characters`);
    },
  ]),
);
