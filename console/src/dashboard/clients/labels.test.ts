import { describe, expect, it } from 'vitest';
import { textOfRedirects } from './labels';

describe('where people return to', () => {
  it('is named by host, and only by its scheme in a native app', () => {
    expect(textOfRedirects(['https://app.example.com/callback'])).toBe('app.example.com');
    expect(textOfRedirects(['http://localhost:3000/callback'])).toBe('http://localhost:3000');
    expect(textOfRedirects(['com.example.app:/callback'])).toBe('com.example.app:');
    expect(textOfRedirects([])).toBeUndefined();
  });

  it('counts each host once', () => {
    expect(textOfRedirects(['https://a.example/1', 'https://a.example/2'])).toBe('a.example');
    expect(textOfRedirects(['https://a.example/', 'https://b.example/', 'https://c.example/'])).toBe(
      'a.example and 2 more',
    );
  });
});
