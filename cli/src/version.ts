import { readFileSync } from 'node:fs';

/** The version of this package, which is the service's. */
export const VERSION: string = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
).version;
