import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CATALOGUE } from '../src/features/docs/catalogue.js';
import { ERRORS, type ErrorCode, envelope, Failure } from '../src/kernel/errors.js';
import { errorsOf } from '../src/kernel/route-errors.js';
import { type Service, startService } from './support/service.js';

const codes = Object.keys(ERRORS) as ErrorCode[];
const plain = (html: string) =>
  html
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/&#(\d+);/g, (_, number) => String.fromCharCode(Number(number)))
    .replaceAll(/\s+/g, ' ');
let service: Service;
let page: string;

beforeAll(async () => {
  service = await startService();
  page = (await service.call('GET', '/docs/errors')).text;
});
afterAll(() => service.close());

/** The part of a page that an anchor leads to. */
const sectionOf = (html: string, id: string) =>
  new RegExp(`<section id="${id}">(.*?)</section>`, 's').exec(html)?.[1] ?? '';

describe('the page of errors', () => {
  it.each(codes)(
    'is where the `docs` of %s leads: status, meaning, what to do, and who answers it',
    async (code) => {
      const [path, anchor] = envelope(new Failure(code), 'a request').docs.split('#') as [string, string];
      const reply = await service.call('GET', path);
      expect(reply.status).toBe(200);
      expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
      const section = sectionOf(reply.text, anchor);
      const text = plain(section);
      expect(text).toContain(` ${ERRORS[code][0]} `);
      expect(text).toContain(ERRORS[code][1]);
      const { means, when, next } = CATALOGUE[code];
      for (const sentence of [means, when, next]) {
        expect(sentence).toMatch(/[.]$/);
        expect(text).toContain(sentence.replaceAll('`', ''));
      }
      const answering = service.app.routes.filter((route) => errorsOf(route).includes(code));
      const listed = [...section.matchAll(/<li><code>([^<]+)<\/code>/g)].map(([, name]) => name);
      if (answering.length === service.app.routes.length) expect(text).toContain('every endpoint');
      else expect(listed).toEqual(answering.map(({ method, path: at }) => `${method} ${at}`));
    },
  );

  it('has no anchor twice, no link without one, and no script', () => {
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links.filter((id) => !ids.includes(id))).toEqual([]);
    expect(new Set(links).size).toBe(codes.length);
    expect(page).not.toMatch(/<script|style="|\son[a-z]+="/);
  });
});
