import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const dist = join(import.meta.dirname, '../dist');
const isInBuild = (text: string): boolean =>
  readdirSync(dist, { recursive: true })
    .map(String)
    .some((name) => /\.(js|html)$/.test(name) && readFileSync(join(dist, name), 'utf8').includes(text));

describe('the page of all parts', () => {
  it('is for development and not in the build', () => {
    expect(isInBuild('No people yet')).toBe(true);
    expect(isInBuild('Failed confirmation')).toBe(false);
    expect(isInBuild('/parts/')).toBe(false);
  });
});
