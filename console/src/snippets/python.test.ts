// @module-tag needs-python3
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { ENVIRONMENT, expectedOf, plainUrl, REQUESTS, type Received } from '../../test/support/requests';
import { snippets } from './snippets';

/** Runs each program with a `requests` that prints what it would send. */
const RUNNER = `
import json, sys, types
requests = types.ModuleType('requests')
sys.modules['requests'] = requests
class Response:
    status_code = 200
    text = ''
def sender(method):
    def send(url, headers={}, params={}, timeout=0, **more):
        body = [json.loads(more['data']) if 'data' in more else more['json']] if more else []
        sent.append([method, url, headers, list(params.items()), body])
        return Response()
    return send
for method in ('get', 'post', 'patch', 'delete'):
    setattr(requests, method, sender(method.upper()))
programs = json.load(sys.stdin)
out, sys.stdout, sent = sys.stdout, sys.stderr, []
for program in programs:
    exec(compile(program, 'snippet', 'exec'), {})
json.dump(sent, out)
`;

type Sent = [string, string, Record<string, string>, [string, unknown][], [unknown?]];

it('keeps any text of a request when Python runs it', () => {
  const input = JSON.stringify(REQUESTS.map((request) => snippets(request).python));
  const env = { ...process.env, ...ENVIRONMENT, PYTHONUTF8: '1' };
  const { stdout, stderr } = spawnSync('python3', ['-c', RUNNER], {
    input,
    env,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  expect(stdout, stderr).not.toBe('');
  const received = (JSON.parse(stdout) as Sent[]).map(([method, url, headers, params, [body]]): Received => {
    const { 'Content-Type': _, ...more } = headers;
    return { method, url: plainUrl(url, params), headers: more, body };
  });
  expect(received).toEqual(REQUESTS.map(expectedOf));
});
