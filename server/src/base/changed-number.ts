/** A string, a sign of JSON's structure, or another value. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;
const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i;

/** Digits without zeros around them, and the power of ten of the last one. The same for every spelling of a number. */
function decimalOf(text: string): string {
  const [, whole = '', fraction = '', power = '0'] = NUMBER.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return end === 0 ? '0' : `${digits.slice(0, end)}e${Number(power) - fraction.length + digits.length - end}`;
}

/** From here on, not every integer is a double. */
export const isBig = (value: number): boolean => Math.abs(value) >= 2 ** 53;

/** Whether a program that writes the parsed number again writes another one. Fractions may lose digits beyond those of a double. */
function isChanged(literal: string): boolean {
  const value = Number(literal);
  if (value === 0) return decimalOf(literal) !== '0';
  return isBig(value) && decimalOf(literal) !== decimalOf(String(value));
}

/** The steps to the first number in this valid JSON whose value a double changes: 9007199254740993 or 1e-400. */
export function changedNumber(json: string): readonly string[] | undefined {
  /** Of each object or list around the position: the name or the number of the current value. */
  const around: { step: string; isList: boolean }[] = [];
  let isKey = false;
  for (const [token] of json.matchAll(TOKEN)) {
    const within = around.at(-1);
    if (token === '{' || token === '[') around.push({ step: '0', isList: token === '[' });
    else if (token === '}' || token === ']') around.pop();
    else if (token === ',' && within?.isList) within.step = String(Number(within.step) + 1);
    else if (isKey && within !== undefined) within.step = JSON.parse(token) as string;
    else if (NUMBER.test(token) && isChanged(token)) return around.map(({ step }) => step);
    isKey = token === '{' || (token === ',' && within?.isList === false);
  }
  return undefined;
}
