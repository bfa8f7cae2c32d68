import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** Every page of docs/, by its path in the repository. */
export const guides: readonly string[] = readdirSync(join(root, 'docs'), { recursive: true })
  .map((name) => `docs/${String(name).replaceAll('\\', '/')}`)
  .filter((name) => name.endsWith('.md'))
  .sort();

/** A fenced block: what stands behind its fence, and its code. */
export interface Sample {
  readonly info: string;
  readonly code: string;
}

/** The blocks of a page, those inside lists included. */
export function samplesOf(page: string): Sample[] {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(/^( *)```([^\n]*)\n(.*?)^\1```$/gms)].map(
    ([, indent = '', info = '', code = '']) => ({
      info,
      code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  );
}

/** Who runs a sample. */
type Claim =
  /** `guides.test.ts`, in one shell with the others of its page. */
  | 'pasted'
  /** `guides.test.ts`, where the packages of a clone are at hand. */
  | 'clone'
  /** `sdk/test/package.test.ts`, where the SDK's tarball alone is installed. */
  | 'package'
  /** A test of the page's own. */
  | 'own'
  /** Nobody: it is what something answers, or a form, or a command that needs more than a test has. */
  | 'shown';

const OWN = ['docs/cli.md', 'docs/sandbox.md', 'docs/capacity.md', 'docs/runbooks/chain.md'];
const SHOWN = ['', 'json', 'text'];

/** What is a program and has no claim is a sample that nobody runs. */
export function claimOf(page: string, { info }: Sample): Claim | undefined {
  if (SHOWN.includes(info)) return 'shown';
  if (OWN.includes(page)) return 'own';
  if (info === 'sh') return 'pasted';
  if (info === 'js run') return 'package';
  return info === 'js run clone' ? 'clone' : undefined;
}
