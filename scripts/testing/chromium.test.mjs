import { afterEach, expect, it, vi } from 'vitest';
import { ensureChromium } from './chromium.mjs';

afterEach(() => vi.unstubAllEnvs());

it('uses the browser in CHROMIUM_PATH', () => {
  vi.stubEnv('CHROMIUM_PATH', process.execPath);
  expect(ensureChromium()).toBe(process.execPath);
});

it('reports a CHROMIUM_PATH that does not exist, and uses no other browser', () => {
  vi.stubEnv('CHROMIUM_PATH', '/nowhere/chromium');
  expect(() => ensureChromium()).toThrow('CHROMIUM_PATH is /nowhere/chromium, which does not exist.');
});
