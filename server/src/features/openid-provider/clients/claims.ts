import { invalid } from '../../../base/errors.js';
import { valueAt } from '../../../model/claim-paths.js';

export const STANDARD_CLAIMS = ['profile', 'email'] as const;
export type StandardClaim = (typeof STANDARD_CLAIMS)[number];

/** Custom claims of an application: the name of each, and where it is in a user's `metadata`. */
export type CustomClaims = Readonly<Record<string, string>>;

/** As an application is created with: a list of standard claims, or an object that has `true` for these and a path for each custom one. */
export type ClaimsInput = readonly StandardClaim[] | Readonly<Record<string, unknown>>;

const MAX_CUSTOM_CLAIMS = 10;
/** Of a value, as JSON. */
const MAX_VALUE_BYTES = 1_024;
const NAME = /^[A-Za-z][\w:/.-]{0,99}$/;
const PATH = /^metadata(?:\.[\w-]{1,64}){1,3}$/;

/** What tokens and the provider say themselves, and must not come from metadata. */
const RESERVED: ReadonlySet<string> = new Set([
  ...[
    'iss',
    'sub',
    'aud',
    'exp',
    'nbf',
    'iat',
    'jti',
    'nonce',
    'azp',
    'sid',
    'cnf',
    'events',
    'act',
    'may_act',
    'client_id',
  ],
  ...['auth_time', 'acr', 'amr', 'at_hash', 'c_hash', 's_hash', 'scope', 'verification_id'],
  ...['name', 'email', 'email_verified', 'phone_number_verified'],
]);

const isStandard = (name: string): name is StandardClaim =>
  STANDARD_CLAIMS.some((standard) => standard === name);

/** 400 with the name of the first claim that is not possible. */
export function readClaims(input: ClaimsInput): { standard: StandardClaim[]; custom: CustomClaims } {
  if (Array.isArray(input)) return { standard: [...new Set(input)], custom: {} };
  const standard: StandardClaim[] = [];
  const custom: Record<string, string> = {};
  const refuse = (why: string): never => invalid('body.claims', why);
  for (const [name, value] of Object.entries(input)) {
    if (isStandard(name)) {
      if (value !== true) refuse(`must have true for ${name}, or leave it out`);
      standard.push(name);
      continue;
    }
    if (!NAME.test(name))
      refuse('must have names of at most 100 letters, digits and the characters _ : / . -');
    if (RESERVED.has(name)) refuse(`must not have ${name}, which only the service sets`);
    if (typeof value !== 'string' || !PATH.test(value))
      refuse(`must have a path such as metadata.groups for ${name}: metadata, and one to three names`);
    custom[name] = value as string;
  }
  if (Object.keys(custom).length > MAX_CUSTOM_CLAIMS)
    refuse(`must have at most ${MAX_CUSTOM_CLAIMS} custom claims`);
  return { standard, custom };
}

/** A list if there are only standard ones, as it was before custom claims. */
export const showClaims = (standard: readonly StandardClaim[], custom: CustomClaims) =>
  Object.keys(custom).length === 0
    ? [...standard]
    : { ...Object.fromEntries(standard.map((name) => [name, true as const])), ...custom };

const isText = (value: unknown) => typeof value === 'string';

/** The values of custom claims. One that is neither text nor a list of texts, or is too long, is left out. */
export function customValues(claims: CustomClaims, metadata: unknown): Record<string, string | string[]> {
  const found = Object.entries(claims).flatMap(([name, path]) => {
    const value = valueAt(metadata, path);
    const fits = isText(value) || (Array.isArray(value) && value.every(isText));
    if (!fits || Buffer.byteLength(JSON.stringify(value)) > MAX_VALUE_BYTES) return [];
    return [[name, value as string | string[]] as const];
  });
  return Object.fromEntries(found);
}
