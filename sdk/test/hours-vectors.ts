import { readFileSync } from 'node:fs';
import type { HoursCheckOptions, HoursVerdict } from '@svc/sdk/hours';

type Path = readonly (string | number)[];

interface Vector {
  readonly name: string;
  /** The first file has its lines, the others the changes of those of another. */
  readonly of?: string;
  readonly lines?: readonly unknown[];
  readonly values?: readonly (readonly [Path, unknown?])[];
  readonly replace?: readonly [string, string];
  readonly options?: HoursCheckOptions;
}
type Sentences = Readonly<Record<'checked' | 'notChecked' | 'restsOn', readonly string[]>>;

const { good, bad } = JSON.parse(readFileSync('docs/vectors/hours.json', 'utf8')) as {
  good: (Vector & Sentences & { conclusion: string })[];
  bad: (Vector & { codes: string[]; conclusion?: string })[];
};

const linesOf = ({ of, lines = [], values = [] }: Vector): object[] => {
  if (of === undefined) return lines as object[];
  const copy = structuredClone(linesOf(vectorOf(of)));
  for (const [at, removed, ...inserted] of lines as [number, number, ...object[]][])
    copy.splice(at, removed, ...inserted);
  for (const [path, ...value] of values) setAt(copy, path, value);
  return copy;
};

function setAt(all: object, path: Path, value: readonly unknown[]): void {
  const last = path.at(-1) as never;
  const parent = path.slice(0, -1).reduce<object>((part, key) => part[key as never], all);
  if (value.length > 0) parent[last] = value[0] as never;
  else delete parent[last];
}

const vectorOf = (name: string): Vector => good.find((each) => each.name === name) as Vector;
const optionsOf = ({ of, options }: Vector): HoursCheckOptions =>
  options ?? optionsOf(vectorOf(of as string));

const textOf = (lines: readonly object[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('');

/** What a checker is given. */
export interface Case {
  readonly name: string;
  readonly text: string;
  readonly options: HoursCheckOptions;
}

const caseOf = (vector: Vector): Case => {
  const text = textOf(linesOf(vector));
  const [from, to] = vector.replace ?? ['', ''];
  return { name: vector.name, text: text.replace(from, () => to), options: optionsOf(vector) };
};

export const GOOD = good.map((vector) => ({ ...vector, ...caseOf(vector) }));
export const BAD = bad.map((vector) => ({ ...vector, ...caseOf(vector) }));

/** The code of what keeps a file from being read to its end, or those of what is wrong with it, each once. */
export const codesOf = (verdict: HoursVerdict): string[] =>
  'code' in verdict ? [verdict.code] : [...new Set(verdict.findings.map(({ code }) => code))];
