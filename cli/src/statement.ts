import type { ApprovalStatement } from '@svc/sdk/prover';
import { plain } from './terminal.js';

const FRAME = '│ ';

/**
 * The text of an approval. Every line begins with a bar, also where it wraps, so that it can't look like a line of this program.
 * `columns`: the width of the terminal; without it, no line wraps.
 */
export function framedText({ action }: Pick<ApprovalStatement, 'action'>, columns = Infinity): string[] {
  const text = [
    action.title,
    ...action.fields.map(({ label, value }) => `${label}: ${value}`),
    ...(action.note === undefined ? [] : ['', ...action.note.split('\n')]),
    ...(action.documents ?? []).flatMap(({ name, sha256 }) => ['', name, `SHA-256 ${sha256}`]),
    ...(action.reference === undefined ? [] : ['', `Reference: ${action.reference}`]),
  ];
  const width = Math.max(20, columns - FRAME.length);
  return text.flatMap((line) => wrapped(plain(line), width)).map((line) => `${FRAME}${line}`);
}

/** From here on, a character can be two columns wide. */
const FIRST_WIDE = 0x1100;

function wrapped(text: string, width: number): string[] {
  const lines = [''];
  let used = 0;
  for (const character of text) {
    const columns = (character.codePointAt(0) as number) < FIRST_WIDE ? 1 : 2;
    if (used + columns > width) {
      lines.push('');
      used = 0;
    }
    lines[lines.length - 1] += character;
    used += columns;
  }
  return lines;
}
