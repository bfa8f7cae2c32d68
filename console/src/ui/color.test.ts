import { describe, expect, it } from 'vitest';
import { isLight } from './color';

describe('the text on a company’s color', () => {
  it.each([
    ['#ffffff', true],
    ['#f2bd62', true],
    ['#777777', true],
    ['#0a6c56', false],
    ['#2c4a8f', false],
    ['#000000', false],
  ])('on %s is dark: %s', (color, expected) => {
    expect(isLight(color)).toBe(expected);
  });
});
