import { describe, expect, it } from 'vitest';
import { screenOn } from './terminal.js';

function writerOf(terminal: object) {
  let text = '';
  const write = (piece: string | Uint8Array) => {
    text += String(piece);
  };
  return { write, text: () => text, ...terminal };
}

describe('text that changes', () => {
  it('replaces all rows of the previous text on a terminal, also those that wrapped', () => {
    const writer = writerOf({ isTTY: true, columns: 10 });
    const screen = screenOn(writer);
    screen.show('a'.repeat(25));
    screen.show('b\nc');
    screen.show('d');
    expect(writer.text()).toBe(`${'a'.repeat(25)}\n\u001b[3F\u001b[0Jb\nc\n\u001b[2F\u001b[0Jd\n`);
  });

  it('comes below a line that stays', () => {
    const writer = writerOf({ isTTY: true });
    const screen = screenOn(writer);
    screen.show('a');
    screen.note('lost');
    screen.show('b');
    expect(writer.text()).toBe('a\nlost\nb\n');
  });

  it('follows the previous text on other streams', () => {
    const writer = writerOf({});
    const screen = screenOn(writer);
    screen.show('a');
    screen.show('b');
    expect(writer.text()).toBe('a\nb\n');
  });
});
