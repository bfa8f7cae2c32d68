import Type, { type Static } from 'typebox';
import { invalid } from '../../base/errors.js';
import { compile } from '../../http/validate.js';
import { strictObject } from '../../records/schema.js';
import { nameOf, userFields } from '../users/users.js';

const { fullName, ...rest } = userFields;
const Known = strictObject({ fullName: Type.Optional(fullName), ...rest });
const check = compile('body', Known);

/** Splits a profile into the fields of a user and metadata (DECISIONS §3). */
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
