export type CodeLanguage = 'json' | 'curl' | 'typescript' | 'python' | 'go' | 'settings' | 'plain';

export type Kind = 'keyword' | 'string' | 'number' | 'name' | 'comment' | 'placeholder';

export interface Token {
  readonly text: string;
  /** Undefined for what needs no colour. */
  readonly kind?: Kind;
}

const STRING = String.raw`"(?:\\[^]|[^"\\])*"|'(?:\\[^]|[^'\\])*'|${'`'}(?:\\[^]|[^${'`'}\\])*${'`'}`;
const NUMBER = String.raw`-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b`;
const words = (...all: readonly string[]): string => String.raw`\b(?:${all.join('|')})\b`;

/** For the few things that our own snippets and responses contain, not for any program. */
const PATTERNS: Readonly<Record<CodeLanguage, Readonly<Partial<Record<Kind, string>>>>> = {
  plain: {},
  // What the reader replaces, such as <client secret>.
  settings: { placeholder: String.raw`<[a-z\d ]+>` },
  json: {
    name: String.raw`"(?:\\.|[^"\\])*"(?=\s*:)`,
    string: String.raw`"(?:\\.|[^"\\])*"`,
    keyword: words('true', 'false', 'null'),
    number: NUMBER,
  },
  // In a shell, a backslash in single quotes is one.
  curl: {
    name: String.raw`\bcurl\b|(?<=\s)-\w\b`,
    string: String.raw`'[^']*'|"(?:\\.|[^"\\])*"`,
  },
  typescript: {
    string: STRING,
    keyword: words('import', 'from', 'const', 'new', 'for', 'of', 'await', 'true', 'false', 'null'),
    number: NUMBER,
  },
  python: {
    string: String.raw`f?"(?:\\.|[^"\\])*"`,
    keyword: words('from', 'import', 'with', 'as', 'True', 'False', 'None'),
    number: NUMBER,
  },
  go: {
    string: String.raw`"(?:\\.|[^"\\])*"|${'`'}[^${'`'}]*${'`'}`,
    keyword: words('package', 'import', 'func', 'if', 'defer', 'nil'),
    number: NUMBER,
  },
};

/** Longer text is not coloured, because each token is an element of the page. */
const MAX_LENGTH = 60_000;

/** The code in parts with their kinds. Their texts together are the code. */
export function tokensOf(code: string, language: CodeLanguage): readonly Token[] {
  const kinds = Object.entries(PATTERNS[language]) as [Kind, string][];
  if (kinds.length === 0 || code.length > MAX_LENGTH) return [{ text: code }];
  const pattern = new RegExp(kinds.map(([kind, source]) => `(?<${kind}>${source})`).join('|'), 'g');
  const tokens: Token[] = [];
  let end = 0;
  for (const match of code.matchAll(pattern)) {
    if (match.index > end) tokens.push({ text: code.slice(end, match.index) });
    const [kind] = kinds.find(([name]) => match.groups?.[name] !== undefined) ?? [];
    tokens.push({ text: match[0], ...(kind && { kind }) });
    end = match.index + match[0].length;
  }
  if (end < code.length) tokens.push({ text: code.slice(end) });
  return tokens;
}
