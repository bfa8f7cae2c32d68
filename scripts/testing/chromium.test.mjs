import { afterEach, expect, it, vi } from 'vitest';
import { ensureChromium } from './chromium.mjs';

afterEach(() => vi.unstubAllEnvs());

it('takes the browser that CHROMIUM_PATH names', () => {
  vi.stubEnv('CHROMIUM_PATH', process.execPath);
  expect(ensureChromium()).toBe(process.execPath);
});

it('names a CHROMIUM_PATH that leads nowhere, rather than take another browser', () => {
  vi.stubEnv('CHROMIUM_PATH', '/nowhere/chromium');
  expect(() => ensureChromium()).toThrow('CHROMIUM_PATH names /nowhere/chromium, and there is no such file.');
});
