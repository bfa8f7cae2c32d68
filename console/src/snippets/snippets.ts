import { curl } from './curl';
import { go } from './go';
import { python } from './python';
import type { WrittenRequest } from './request';
import { typescript } from './typescript';

export type { WrittenRequest } from './request';

export type Language = 'curl' | 'typescript' | 'python' | 'go';

/**
 * A request as code that can be pasted and run. Strings are quoted, whatever they contain. The key is read from the environment
 * variable `SVC_API_KEY`.
 */
export const snippets = (request: WrittenRequest): Readonly<Record<Language, string>> => ({
  curl: curl(request),
  typescript: typescript(request),
  python: python(request),
  go: go(request),
});
