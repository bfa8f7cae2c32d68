import Type, { type Static } from 'typebox';
import { invalid } from '../../base/errors.js';
import { compile } from '../../http/validate.js';
import { strictObject } from '../../records/schema.js';
import { nameOf, userFields } from '../users/users.js';

const { fullName, ...rest } = userFields;
const Known = strictObject({ fullName: Type.Optional(fullName), ...rest });
const check = compile('body', Known);

/** Splits a profile into the fields of a user and metadata [registrations/completing]. */
export function readProfile(profile: Record<string, unknown> | null) {
  const entries = Object.entries(profile ?? {});
  const isKnown = (name: string) => Object.hasOwn(Known.properties, name);
  const known = Object.fromEntries(entries.filter(([name]) => isKnown(name))) as Static<typeof Known>;
  const [issue] = check(known);
  if (issue) invalid(issue.path.replace(/^body/, 'body.profile'), issue.message);
  const others = Object.fromEntries(entries.filter(([name]) => !isKnown(name)));
  const metadata = { ...known.metadata, ...others };
  return {
    ...known,
    fullName: known.fullName ?? nameOf(known.externalId),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
}

/** What a device may say about a new person: what somebody can type who stands before it. The rest could decide what they may do. */
const TYPED: readonly string[] = ['fullName', 'email', 'phone'];

/** Of a profile that a device sent, the fields that it may send. */
export const typedAtDevice = (profile: Record<string, unknown> | null) =>
  Object.fromEntries(Object.entries(profile ?? {}).filter(([name]) => TYPED.includes(name)));

/** 400 for a profile with any other field. */
export function requireTyped(profile: Record<string, unknown>): void {
  const other = Object.keys(profile).find((name) => !TYPED.includes(name));
  if (other !== undefined)
    invalid(
      `body.profile.${other.slice(0, 64)}`,
      'must be absent: a device sends fullName, email and phone only',
    );
}
