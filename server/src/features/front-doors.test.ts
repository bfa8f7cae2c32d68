import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('.', import.meta.url));
const frontDoors = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => `${name}/${name}.ts`)
  .filter((path) => existsSync(`${root}${path}`));
/** Except the declarations of when its tables' rows expire, for the job that deletes them. */
const REEXPORT = /^export (?!\{ \w+_EXPIR(Y|IES) \})[^;]*\bfrom '[^']*\.store\.js'/m;

// dependency-cruiser sees one dependency where a file both imports and re-exports a module, so it cannot check this.
describe('the front door of a feature', () => {
  it.each(frontDoors)('%s exports rules, but no statement of its store', (path) => {
    expect(readFileSync(`${root}${path}`, 'utf8')).not.toMatch(REEXPORT);
  });
});
