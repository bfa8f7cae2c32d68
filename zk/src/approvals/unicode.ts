import { ALLOWED, CLASSES, COMPOSITES, MARKS, SPACES } from '../generated/unicode.js';

/**
 * What the table of Unicode 15.0 (docs/vectors/unicode-15.0.json) says of code points. It is frozen: with the platform's own table, a newer
 * one would accept a text that an older one rejects.
 */

/** Ranges in order: `[first, last, …rest]`. They are packed as differences in base 36. */
function unpack(packed: string, rest: number): number[][] {
  const numbers = packed.split(' ').map((digits) => Number.parseInt(digits, 36));
  const ranges: number[][] = [];
  let end = 0;
  for (let at = 0; at < numbers.length; at += 2 + rest) {
    const [gap, length, ...others] = numbers.slice(at, at + 2 + rest) as [number, number, ...number[]];
    const first = end + gap;
    end = first + length;
    ranges.push([first, end, ...others]);
  }
  return ranges;
}

/** The range that a code point is in. */
function rangeOf(ranges: readonly number[][], code: number): readonly number[] | undefined {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const [first, last] = ranges[middle] as [number, number];
    if (code < first) high = middle;
    else if (code > last) low = middle + 1;
    else return ranges[middle];
  }
  return undefined;
}

const lazily = <T>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

const allowed = lazily(() => unpack(ALLOWED, 0));
const marks = lazily(() => unpack(MARKS, 0));
const spaces = lazily(() => unpack(SPACES, 0));
const classes = lazily(() => unpack(CLASSES, 1));

export const isAllowed = (code: number): boolean => rangeOf(allowed(), code) !== undefined;
export const isMark = (code: number): boolean => rangeOf(marks(), code) !== undefined;
export const isSpace = (code: number): boolean => rangeOf(spaces(), code) !== undefined;

/** The canonical combining class. */
const classOf = (code: number): number => rangeOf(classes(), code)?.[2] ?? 0;

/** Pairs and what they compose to, without those of Hangul. */
const composites = lazily(() => {
  const parts = new Map<number, readonly [number, number]>();
  const whole = new Map<string, number>();
  let code = 0;
  const numbers = COMPOSITES.split(' ').map((digits) => Number.parseInt(digits, 36));
  for (let at = 0; at < numbers.length; at += 3) {
    const [gap, first, second] = numbers.slice(at, at + 3) as [number, number, number];
    code += gap;
    parts.set(code, [first, second]);
    whole.set(`${first} ${second}`, code);
  }
  return { parts, whole };
});

const [S_BASE, L_BASE, V_BASE, T_BASE] = [0xac00, 0x1100, 0x1161, 0x11a7];
const [L_COUNT, V_COUNT, T_COUNT] = [19, 21, 28];

/** What two code points compose to, also of Hangul (Unicode 15.0, 3.12). */
function compose(first: number, second: number): number | undefined {
  const [l, v, s, t] = [first - L_BASE, second - V_BASE, first - S_BASE, second - T_BASE];
  if (l >= 0 && l < L_COUNT && v >= 0 && v < V_COUNT) return S_BASE + (l * V_COUNT + v) * T_COUNT;
  if (s >= 0 && s < L_COUNT * V_COUNT * T_COUNT && s % T_COUNT === 0 && t > 0 && t < T_COUNT)
    return first + t;
  return composites().whole.get(`${first} ${second}`);
}

const decompose = (code: number): number[] => {
  const parts = composites().parts.get(code);
  return parts ? [...decompose(parts[0]), parts[1]] : [code];
};

interface Ordered {
  readonly code: number;
  readonly combining: number;
}

/** Marks after each starter in the order of their classes. */
function inOrder(codes: readonly number[]): Ordered[] {
  const all = codes.map((code) => ({ code, combining: classOf(code) }));
  const runs: Ordered[][] = [];
  for (const each of all)
    if (each.combining === 0 || runs.length === 0) runs.push([each]);
    else runs.at(-1)?.push(each);
  return runs.flatMap((run) => {
    const [head, ...rest] = run as [Ordered, ...Ordered[]];
    const sorted = (head.combining === 0 ? rest : run).toSorted((a, b) => a.combining - b.combining);
    return head.combining === 0 ? [head, ...sorted] : sorted;
  });
}

/**
 * Normalization Form C (Unicode 15.0, 3.11) of code points that are in that form each for itself. Syllables of Hangul stay as they are, which
 * changes no result.
 */
export function normalized(codes: readonly number[]): number[] {
  const made: Ordered[] = [];
  let starter = -1;
  for (const each of inOrder(codes.flatMap(decompose))) {
    const before = made.at(-1);
    const isBlocked = made.length - 1 > starter && (before?.combining ?? 0) >= each.combining;
    const base = made[starter];
    const whole = base && !isBlocked ? compose(base.code, each.code) : undefined;
    if (whole !== undefined) made[starter] = { code: whole, combining: 0 };
    else {
      made.push(each);
      if (each.combining === 0) starter = made.length - 1;
    }
  }
  return made.map(({ code }) => code);
}

/** Whether a text of allowed code points is in Normalization Form C. */
export function isNormalized(codes: readonly number[]): boolean {
  const form = normalized(codes);
  return form.length === codes.length && form.every((code, at) => code === codes[at]);
}
