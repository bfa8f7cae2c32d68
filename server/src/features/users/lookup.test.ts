import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
);
/** A condition on what names a person, in a statement that reads or changes the table of people. Erasing a person sets them to nothing. */
const LOOKUP =
  /tenant_users\b[^`;]*\b(full_name|external_id|email|phone|employee_code)\b( collate "C"\))?\s*(=(?! (null|'')(,|\n))|<|>|~|in\b|i?like\b|is\b)/;

describe('looking people up', () => {
  it('by name, e-mail or external id is in lookup.store.ts alone, and by number at a site where PINs are', () => {
    const files = sources.filter((name) => LOOKUP.test(readFileSync(`${root}${name}`, 'utf8')));
    expect(files).toEqual(['features/pins/pins.store.ts', 'features/users/lookup.store.ts']);
  });
});
