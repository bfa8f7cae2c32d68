import { open } from 'node:fs/promises';
import type { ReceiptCheckOptions, TreeHead } from '@svc/sdk/receipts';
import { UsageError } from '../failure.js';
import { readEnd, toSavedHead } from './audit-verify.js';

/** @throws UsageError unless the text is `KEYID=KEY` */
export function readKey(text: string): [string, string] {
  const [keyId = '', publicKey = ''] = text.split('=');
  if (keyId === '' || !/^[0-9a-f]{64}$/.test(publicKey))
    throw new UsageError('--key must be KEYID=KEY, with the 64 lower-case hex digits of a public key.');
  return [keyId, publicKey];
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

type Kept = NonNullable<ReceiptCheckOptions['head']>;

/** A head of the chain as `--since` of `svc audit verify` takes it, or a tree: alone, of `GET /v1/audit/proof`, or of an earlier receipt or proof. */
export async function readHead(source: string): Promise<Kept> {
  const text = source.trimStart().startsWith('{') ? source : await readEnd(source, '--head');
  const value = parse(text) ?? parse(text.trimEnd().split('\n').at(-1) as string);
  const kept = treeOf(value) ?? toSavedHead(value)?.head ?? treeOf(parse(await readFirstLine(source)));
  if (kept === undefined)
    throw new UsageError(
      '--head contains no head. Pass a tree or a head as JSON, a file with one, an earlier receipt or proof, an earlier export, or an earlier file of a month.',
    );
  return kept;
}

interface WithTree {
  readonly tree?: object | null;
  /** Of `GET /v1/audit/proof`, and of a receipt. */
  readonly publicKey?: string | null;
  readonly head?: { readonly keyId?: string; readonly publicKey?: string | null };
}

/** With the key that stands beside it. */
function treeOf(value: unknown): Kept | undefined {
  const { tree, publicKey, head } = (value ?? {}) as WithTree;
  const kept = (tree ?? value) as Partial<TreeHead> | undefined;
  if (kept?.root === undefined || kept.size === undefined) return undefined;
  const key = publicKey ?? (head?.keyId === kept.keyId ? head?.publicKey : undefined);
  return { ...(kept as TreeHead), ...(key && { publicKey: key }) };
}

/** That of the file of a month has a tree, beside its key. */
const MAX_FIRST_LINE = 64 * 1024;

async function readFirstLine(path: string): Promise<string> {
  const file = await open(path).catch(() => undefined);
  try {
    const { bytesRead, buffer } =
      (await file?.read(Buffer.alloc(MAX_FIRST_LINE), 0, MAX_FIRST_LINE, 0)) ?? {};
    return buffer?.toString('utf8', 0, bytesRead).split('\n', 1)[0] ?? '';
  } finally {
    await file?.close();
  }
}
