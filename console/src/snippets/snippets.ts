import { curl } from './curl';
import { go } from './go';
import { python } from './python';
import { sampleOf } from './request';
import type { Sample, WrittenRequest } from './sample';
import { typescript } from './typescript';

export type { WrittenRequest } from './sample';
// For the documentation, which has samples of several requests.
export { joined, Text } from './sample';

export type Language = 'curl' | 'typescript' | 'python' | 'go';

/** The only place that writes code: of the documentation, when it is built, and of the dashboard. */
export const WRITERS: Readonly<Record<Language, (sample: Sample) => string>> = {
  curl,
  typescript,
  python,
  go,
};

/**
 * A request as code that can be pasted and run. Strings are quoted, whatever they contain. The key is read from the environment
 * variable `SVC_API_KEY`.
 */
export function snippets(request: WrittenRequest): Readonly<Record<Language, string>> {
  const sample = sampleOf(request);
  return {
    curl: curl(sample),
    typescript: typescript(sample),
    python: python(sample),
    go: go(sample),
  };
}
