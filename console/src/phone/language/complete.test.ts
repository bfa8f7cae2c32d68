import { isValidElement, type ReactNode } from 'react';
import { expect, test } from 'vitest';
import { de } from './de';
import { en } from './en';

/** The same in both languages, or names. */
const SAME = new Set(['1, 2', 'SHA-256', 'test', 'Test', 'live', 'Live', 'Details', 'Code']);

type Texts = { readonly [name: string]: unknown };

/** Every text of a language by its path. A function is called with its parameters’ numbers. */
function textsOf(texts: Texts, path = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of Object.entries(texts)) {
    const here = path === '' ? name : `${path}.${name}`;
    if (typeof value === 'string') found.set(here, value);
    else if (typeof value === 'function')
      found.set(here, read(value(...Array.from({ length: value.length }, (_, at) => at + 1))));
    else if (typeof value === 'object' && value !== null)
      for (const [below, text] of textsOf(value as Texts, here)) found.set(below, text);
  }
  return found;
}

function read(node: ReactNode): string {
  if (Array.isArray(node)) return node.map(read).join('');
  if (isValidElement<{ readonly children?: ReactNode }>(node)) return read(node.props.children);
  return node === undefined || node === null ? '' : String(node);
}

const checked = ({ approvals, passkey, nearby, browsers }: typeof en) => ({
  approvals,
  passkey,
  nearby,
  browsers,
});
const [english, german] = [textsOf(checked(en)), textsOf(checked(de))];

test('every text about approvals, passkeys and browsers is there in German, is another one than in English, and is not empty', () => {
  expect([...german.keys()].sort()).toEqual([...english.keys()].sort());
  expect(english.size).toBeGreaterThan(60);
  for (const [path, text] of english) {
    expect(text.trim(), path).not.toBe('');
    if (!SAME.has(text)) expect(german.get(path), path).not.toBe(text);
  }
});

test('no German text loses a value', () => {
  for (const [path, text] of english)
    expect((german.get(path) ?? '').match(/\d+/g)?.sort(), path).toEqual(text.match(/\d+/g)?.sort());
});
