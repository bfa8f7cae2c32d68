// @module-tag needs-python3
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { ENVIRONMENT, expectedOf, plainUrl, REQUESTS, type Received } from '../../test/support/requests';
import { snippets } from './snippets';

/** Runs each program with an `urlopen` that notes what it would send. */
const RUNNER = `
import io, json, sys, urllib.request
def note(request):
    body = [] if request.data is None else [json.loads(request.data)]
    sent.append([request.get_method(), request.full_url, dict(request.header_items()), body])
    return io.BytesIO()
urllib.request.urlopen = note
programs = json.load(sys.stdin)
out, sys.stdout, sent = sys.stdout, sys.stderr, []
for program in programs:
    exec(compile(program, 'snippet', 'exec'), {})
json.dump(sent, out)
`;

type Sent = [method: string, url: string, headers: Record<string, string>, body: [unknown?]];

/** Python writes them with one capital letter. */
const lowerCase = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

it('keeps any text of a request when Python runs it', { tags: ['ci'] }, () => {
  const input = JSON.stringify(REQUESTS.map((request) => snippets(request).python));
  const env = { ...process.env, ...ENVIRONMENT, PYTHONUTF8: '1' };
  const { stdout, stderr } = spawnSync('python3', ['-c', RUNNER], {
    input,
    env,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  expect(stdout, stderr).not.toBe('');
  const received = (JSON.parse(stdout) as Sent[]).map(([method, url, headers, [body]]): Received => {
    const { 'content-type': type, ...more } = lowerCase(headers);
    expect(type).toBe(body === undefined ? undefined : 'application/json');
    return { method, url: plainUrl(url), headers: more, body };
  });
  const expected = REQUESTS.map(expectedOf);
  expect(received).toEqual(expected.map((it) => ({ ...it, headers: lowerCase(it.headers) })));
});
