import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

/** The commands that a reader pastes, and the response on the page, if any. */
export interface Step {
  readonly command: string;
  readonly shown: string | undefined;
}

const BLOCKS = /^```(\w+)\n([\s\S]*?)^```$/gm;

/** The `sh` blocks of a page. Another block that follows is its response. */
export function stepsOf(page: string): Step[] {
  const steps: Step[] = [];
  for (const [, language, text = ''] of page.matchAll(BLOCKS)) {
    if (language === 'sh') steps.push({ command: text, shown: undefined });
    else steps.push({ command: steps.pop()?.command as string, shown: text });
  }
  return steps;
}

export function requirePrograms(...names: readonly string[]): void {
  for (const name of names) {
    const { error } = spawnSync(name, ['--version']);
    if (error) throw new Error(`${name}, which the pages need, could not be run: ${error.message}`);
  }
}

const END = '\u001e';
/** Shorter than the usual timeout of a test, so that a hanging command leaves no process. */
const PASTE_MS = 100_000;

/** Pastes the commands into one bash, which stops at the first error. Returns the output of each. */
export async function paste(
  commands: readonly string[],
  {
    cwd,
    env,
    timeoutMs = PASTE_MS,
  }: {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
    readonly timeoutMs?: number;
  },
): Promise<string[]> {
  const script = ['umask 022\nset -euo pipefail', ...commands.map((command) => `${command}printf '${END}'`)];
  const { PATH = '' } = process.env;
  const child = spawn('bash', ['-c', script.join('\n')], {
    cwd,
    env: { PATH, SVC_ENV_FILE: '', ...env },
    timeout: timeoutMs,
  });
  let output = '';
  let errors = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8');
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (errors += chunk));
  const [code, signal] = await once(child, 'close');
  const outputs = output.split(END);
  if (code !== 0)
    throw new Error(
      `bash ended with ${code ?? signal} at\n${commands[outputs.length - 1]}${outputs.at(-1)}\n${errors}`,
    );
  return outputs.slice(0, -1);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Normalizes the lines of a text. JSON gets one line for each value. */
function linesOf(text: string): string[] {
  const lines: string[] = [];
  let json = '';
  for (const line of text.trimEnd().split('\n')) {
    json += json !== '' || /^[{[]/.test(line) ? `${line}\n` : '';
    if (json === '') lines.push(line.trimEnd());
    const value = parsed(json);
    if (value === undefined) continue;
    lines.push(...JSON.stringify(value, null, 2).split('\n'));
    json = '';
  }
  return json === '' ? lines : [...lines, ...json.trimEnd().split('\n')];
}

/** See examples/curl/README.md. */
const KINDS = {
  id: /[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/,
  month: /\d{4}-\d\d/,
  time: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/,
  number: /\d+/,
  hex: /[0-9a-f]{7,}/,
  code: /SV-[2-9A-Z]{4}-[2-9A-Z]{4}/,
  token: /[\w.=-]{16,}/,
  digits: /[0-9]{2}/,
} as const;
const PLACEHOLDER = new RegExp(`<((?:[a-z]+ )*(${Object.keys(KINDS).join('|')}))>`, 'g');

const literally = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Whether a line of a response matches the line on the page. `names` stores the values of named placeholders. */
function fits(shown: string, line: string, names: Map<string, string>): boolean {
  const fresh: string[] = [];
  const patternOf = (name: string, kind: keyof typeof KINDS): string => {
    const known = names.get(name);
    if (known !== undefined) return literally(known);
    if (!name.includes(' ')) return KINDS[kind].source;
    if (fresh.includes(name)) return `\\${fresh.indexOf(name) + 1}`;
    fresh.push(name);
    return `(${KINDS[kind].source})`;
  };
  let pattern = '';
  let from = 0;
  for (const found of shown.matchAll(PLACEHOLDER)) {
    const [whole, name, kind] = found as unknown as [string, string, keyof typeof KINDS];
    pattern += literally(shown.slice(from, found.index)) + patternOf(name, kind);
    from = found.index + whole.length;
  }
  const match = new RegExp(`^${pattern}${literally(shown.slice(from))}$`).exec(line);
  for (const [at, name] of fresh.entries()) if (match) names.set(name, match[at + 1] as string);
  return match !== null;
}

const EMPTY_FIELD = /^ *"\w+": null,$/;

/**
 * Compares the response on the page with the actual one, line by line. A named placeholder (`<user id>`) keeps its first
 * value, which `names` stores between responses. The page may omit a field that is null, so that a new optional column
 * does not change every page.
 */
export function compare(
  shown: string,
  response: string,
  names: Map<string, string>,
): { readonly expected: string[]; readonly actual: string[] } {
  // A placeholder for a number is in quotes, so that the page shows valid JSON.
  const expected = linesOf(shown).map((line) => line.replaceAll(/"(<(?:[a-z]+ )*number>)"/g, '$1'));
  const actual: string[] = [];
  for (const line of linesOf(response)) {
    const template = expected[actual.length];
    if (template !== undefined && fits(template, line, names)) actual.push(template);
    else if (!EMPTY_FIELD.test(line)) actual.push(line);
  }
  return { expected, actual };
}
