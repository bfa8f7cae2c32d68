import { readFileSync } from 'node:fs';
import type { ReceiptCheckOptions } from '@svc/sdk/receipts';

const read = (name: string): string => readFileSync(`docs/vectors/${name}`, 'utf8');

type Path = readonly (string | number)[];
type Options = Omit<ReceiptCheckOptions, 'rows'> & { readonly rows?: 'export' | readonly object[] };

interface Good {
  readonly name: string;
  readonly receipt: object;
  readonly options: Options;
}

interface Bad {
  readonly name: string;
  readonly code: string;
  readonly of?: string;
  readonly changes?: readonly { readonly path: Path; readonly to?: unknown }[];
  readonly receipt?: object;
  readonly text?: string;
  readonly options?: Options;
}

const { good, bad } = JSON.parse(read('receipts.json')) as { good: Good[]; bad: Bad[] };
const exported = read('receipts-export.jsonl')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as object);

/** What a checker is given. */
export interface Case {
  readonly name: string;
  readonly text: string;
  readonly options: ReceiptCheckOptions;
}

const optionsOf = ({ rows, ...options }: Options): ReceiptCheckOptions => ({
  ...options,
  ...(rows && { rows: (rows === 'export' ? exported : rows) as never }),
});

/** A copy in which the field at a path is another one, or missing. */
export function changed(value: object, path: Path, to: unknown): object {
  const copy = structuredClone(value);
  const last = path.at(-1) as string;
  const parent = path.slice(0, -1).reduce((part, key) => part[key as never], copy) as Record<string, unknown>;
  if (to !== undefined) parent[last] = to;
  else if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else delete parent[last];
  return copy;
}

export const GOOD: readonly (Case & { readonly receipt: object })[] = good.map(
  ({ name, receipt, options }) => ({
    ...{ name, receipt, text: JSON.stringify(receipt), options: optionsOf(options) },
  }),
);

export const BAD: readonly (Case & { readonly code: string })[] = bad.map(
  ({ name, code, of, changes = [], receipt, text, options }) => {
    const base = good.find((each) => each.name === of);
    const made =
      receipt ?? changes.reduce((all, { path, to }) => changed(all, path, to), base?.receipt ?? {});
    const known = options ?? base?.options ?? {};
    return { name, code, text: text ?? JSON.stringify(made), options: optionsOf(known) };
  },
);

/** The paths of all texts and numbers of a value. */
export function fieldsOf(value: unknown, path: Path = []): Path[] {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, each]) => fieldsOf(each, [...path, key]))
    : value === null
      ? []
      : [path];
}

/** One byte of a text, or a number, is another one. */
export function altered(value: unknown, at: number): unknown {
  if (typeof value !== 'string') return Number(value) + 1;
  const code = value.charCodeAt(at % value.length);
  // Stays ASCII, and is another letter also where the case does not matter.
  const other = code === 0x31 ? '2' : '1';
  return `${value.slice(0, at % value.length)}${other}${value.slice((at % value.length) + 1)}`;
}

/** The receipts that have every field, each with one byte of one field altered. */
export function alterations(): Case[] {
  return [0, 2, 3].flatMap((index) => {
    const { receipt, options } = GOOD[index] as (typeof GOOD)[number];
    return fieldsOf(receipt).map((path, at) => {
      const value = path.reduce<unknown>((part, key) => Reflect.get(part as object, key), receipt);
      const text = JSON.stringify(changed(receipt, path, altered(value, at)));
      return { name: path.join('.'), text, options };
    });
  });
}
