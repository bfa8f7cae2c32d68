/**
 * The table of docs/vectors/unicode-15.0.json as text that is short in a bundle: differences of code points in base 36.
 * @param {string} json
 * @param {string} banner
 */
export function packedUnicode(json, banner) {
  const { allowed, marks, spaces, classes, composites } = JSON.parse(json);
  const digits = (/** @type {number[]} */ numbers) => numbers.map((each) => each.toString(36)).join(' ');
  const ranges = (/** @type {number[][]} */ rows) => {
    let end = 0;
    return digits(
      rows.flatMap(([first, last, ...rest]) => {
        const packed = [first - end, last - first, ...rest];
        end = last;
        return packed;
      }),
    );
  };
  let before = 0;
  const pairs = digits(
    composites.flatMap((/** @type {number[]} */ [code, ...parts]) => {
      const packed = [code - before, ...parts];
      before = code;
      return packed;
    }),
  );
  const constants = {
    ALLOWED: ranges(allowed),
    MARKS: ranges(marks),
    SPACES: ranges(spaces),
    CLASSES: ranges(classes),
    COMPOSITES: pairs,
  };
  const lines = Object.entries(constants).map(([name, text]) => `export const ${name} =\n  '${text}';\n`);
  return `// ${banner}\n${lines.join('')}`;
}
