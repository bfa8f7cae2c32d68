import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** Every page of docs/, by its path in the repository. */
export const guides: readonly string[] = readdirSync(join(root, 'docs'), { recursive: true })
  .map((name) => `docs/${String(name).replaceAll('\\', '/')}`)
  .filter((name) => name.endsWith('.md'))
  .sort();

/** A fenced block: its info string and its code. */
export interface Sample {
  readonly info: string;
  readonly code: string;
}

export const guide = (page: string): string => readFileSync(join(root, page), 'utf8');

/** The blocks of a page, including those in lists. */
export const samplesOf = (page: string): Sample[] => samplesIn(guide(page));

export function samplesIn(text: string): Sample[] {
  return [...text.matchAll(/^( *)```([^\n]*)\n(.*?)^\1```$/gms)].map(
    ([, indent = '', info = '', code = '']) => ({
      info,
      code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  );
}

/** The test that runs a sample. */
type Claim =
  /** `guides.test.ts`, in one shell with the other samples of its page. */
  | 'pasted'
  /** `guides.test.ts`, with the packages of a clone. */
  | 'clone'
  /** `sdk/test/package.test.ts`, with only the SDK's tarball installed. */
  | 'package'
  /** `receivers.test.ts`, which sends deliveries to it. */
  | 'receiver'
  /** The tests of server/test/oidc/, which sign a person in to it. */
  | 'relying party'
  /** A separate test for the page. */
  | 'own'
  /** None: a response, a template, or a command that needs more than a test provides. */
  | 'shown';

const OWN = [
  'docs/cli.md',
  'docs/sandbox.md',
  'docs/capacity.md',
  'docs/privacy.md',
  'docs/runbooks/backup.md',
  'docs/runbooks/chain.md',
  'docs/runbooks/citus.md',
  'docs/runbooks/restore.md',
];
const SHOWN = ['', 'json', 'text'];

/** Returns undefined for a program that no test runs. */
export function claimOf(page: string, { info }: Sample): Claim | undefined {
  if (SHOWN.includes(info)) return 'shown';
  // sdk/src/receipts/python.test.ts
  if (page === 'docs/receipts.md' && info === 'bash') return 'own';
  // sdk/test/staff.test.ts
  if (page === 'docs/reception.md' && info === 'js') return 'own';
  if (OWN.includes(page)) return 'own';
  if (info === 'sh') return 'pasted';
  if (/^(ts|python|go) receiver$/.test(info)) return 'receiver';
  if (/^((apache|python|js|sh) relying-party|apache cancelled)$/.test(info)) return 'relying party';
  // Settings of products that nobody has run. The dashboard has the same (console/src/dashboard/clients/products.test.ts).
  if (/^(ini grafana|ruby gitlab|text nextcloud|toml oauth2-proxy|toml gitleaks)$/.test(info)) return 'shown';
  if (info === 'js run') return 'package';
  return info === 'js run clone' ? 'clone' : undefined;
}
