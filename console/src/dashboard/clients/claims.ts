import type { OidcClient } from '@svc/sdk';

type Claims = OidcClient['claims'];

const STANDARD = ['profile', 'email'] as const;
type Standard = (typeof STANDARD)[number];

const isList = (claims: Claims): claims is readonly Standard[] => Array.isArray(claims);

/** `profile` and `email`, as far as the application may read them. */
export const standardClaims = (claims: Claims): readonly Standard[] =>
  isList(claims) ? claims : STANDARD.filter((name) => claims[name] === true);

/** The application's custom claims: names and paths in a person's metadata. */
export const ownClaims = (claims: Claims): readonly (readonly [name: string, path: string])[] =>
  isList(claims)
    ? []
    : Object.entries(claims).flatMap(([name, path]) =>
        typeof path === 'string' ? [[name, path] as const] : [],
      );

/** The scopes that an application asks for to get all its claims. The provider rejects standard ones that it may not read. */
export const scopesFor = (claims: Claims): readonly string[] => [
  'openid',
  ...standardClaims(claims),
  ...(ownClaims(claims).some(([name]) => name === 'groups') ? ['groups'] : []),
];

/** The same claims with one more. */
export const withClaim = (claims: Claims, name: Standard): Claims =>
  isList(claims) ? [...claims, name] : { ...claims, [name]: true };

/** For the form: one claim a line. */
export const linesOf = (claims: Claims): string =>
  ownClaims(claims)
    .map(([name, path]) => `${name}: ${path}`)
    .join('\n');

/** What the form sends. A line without a path is sent as a name alone, which the service explains. */
export function claimsFrom(standard: readonly Standard[], lines: string): Claims {
  const own = lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      // A name can contain colons.
      const [, name = line, path = ''] =
        /^(.*\S)\s*:\s*(metadata\b.*)$/.exec(line) ?? /^(.*\S)\s*:\s+(\S.*)$/.exec(line) ?? [];
      return [name, path] as const;
    });
  if (own.length === 0) return standard;
  return Object.fromEntries([...standard.map((name) => [name, true as const]), ...own]);
}

const NAMES: Readonly<Record<Standard, string>> = { profile: 'name', email: 'e-mail address' };

/** `Name, e-mail address and groups` */
export function textOfClaims(claims: Claims): string {
  const names = [
    ...standardClaims(claims).map((name) => NAMES[name]),
    ...ownClaims(claims).map(([name]) => name),
  ];
  const last = names.pop();
  if (last === undefined) return 'Only an identifier';
  const text = names.length === 0 ? last : `${names.join(', ')} and ${last}`;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
