import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConfigError } from '../../base/config/config.js';
import type { ErasureLine } from '../../http/deps.js';
import { openErasures, readErasure } from './erasures-file.js';

const id = (number: number) => `0199c0de-0000-7000-8000-${String(number).padStart(12, '0')}`;
const line = (number: number): ErasureLine => ({
  tenantId: id(1),
  environment: 'live',
  userId: id(1_000 + number),
  erasureId: id(2_000 + number),
  erasedAt: '2026-05-12T09:30:00.000Z',
});
const text = (number: number) => `${JSON.stringify(line(number))}\n`;

describe('the file of erasures [erasure/file-of-erasures]', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-erasures-'));
    path = join(folder, 'erasures.jsonl');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const read = () => readFileSync(path, 'utf8');
  const linesOf = async () => {
    const file = await openErasures(path);
    const lines: ErasureLine[] = [];
    for await (const each of file.lines()) lines.push(each);
    await file.close();
    return lines;
  };
  const errorOf = (content: string) => {
    writeFileSync(path, content);
    return openErasures(path).then(
      () => 'none',
      (error: unknown) => (error instanceof ConfigError ? error.message : `other: ${error}`),
    );
  };

  it('is created for its owner alone, and gets one line an erasure, in order', async () => {
    const file = await openErasures(path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await Promise.all([1, 2, 3].map((number) => file.record(line(number))));
    expect(read()).toBe(text(1) + text(2) + text(3));
    await file.close();
    expect(await linesOf()).toEqual([1, 2, 3].map(line));
  });

  it('does not get a line that it has, also after it was opened again', async () => {
    const first = await openErasures(path);
    await Promise.all([first.record(line(1)), first.record(line(1))]);
    await first.close();
    const second = await openErasures(path);
    await second.record(line(1));
    await second.record(line(2));
    await second.close();
    expect(read()).toBe(text(1) + text(2));
  });

  it.each(['{"tenantId":"', 'x'.repeat(10_000), '{'])(
    'loses a torn last line when it is opened',
    async (torn) => {
      writeFileSync(path, text(1) + text(2) + torn);
      expect(await linesOf()).toEqual([line(1), line(2)]);
      expect(read()).toBe(text(1) + text(2));
      writeFileSync(path, torn);
      expect(await linesOf()).toEqual([]);
      expect(read()).toBe('');
    },
  );

  it('writes over what an append that failed has left', async () => {
    const file = await openErasures(path);
    await file.record(line(1));
    appendFileSync(path, '{"tenant');
    await file.record(line(2));
    await file.close();
    expect(read()).toBe(text(1) + text(2));
  });

  it('fails with service_unavailable if a line cannot be written, and takes the next ones', async () => {
    const file = await openErasures(path);
    await file.close();
    await expect(file.record(line(1))).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(read()).toBe('');
  });

  it.each([
    ['no JSON', 'Ada Lovelace'],
    ['no object', '"Ada Lovelace"'],
    ['an empty line', ''],
    ['another order of the fields', JSON.stringify(Object.fromEntries(Object.entries(line(2)).reverse()))],
    ['another field', JSON.stringify({ ...line(2), name: 'Ada Lovelace' })],
    ['a missing field', JSON.stringify({ ...line(2), erasedAt: undefined })],
    ['a wrong id', JSON.stringify({ ...line(2), userId: 'Ada Lovelace' })],
    ['another environment', JSON.stringify({ ...line(2), environment: 'prod' })],
    ['a wrong time', JSON.stringify({ ...line(2), erasedAt: 'yesterday' })],
    ['a space', `${JSON.stringify(line(2))} `],
    ['a line without end', 'x'.repeat(10_000)],
  ])('is rejected for %s, by the number of the line and without what it says', async (_, wrong) => {
    const message = await errorOf(`${text(1)}${wrong}\n${text(3)}`);
    expect(message).toMatch(/^ERASURES_FILE: line 2 of \S+ is not an erasure\. /);
    expect(message).not.toContain('Ada');
    expect(message).not.toContain(line(2).userId);
  });

  it('is rejected if it cannot be opened', async () => {
    await expect(openErasures(join(folder, 'no', 'file'))).rejects.toThrow(/^ERASURES_FILE cannot be used: /);
  });

  it('reads a line only as it was written', () => {
    expect(readErasure(text(1).trimEnd())).toEqual(line(1));
    expect(readErasure(text(1))).toBeUndefined();
  });
});
