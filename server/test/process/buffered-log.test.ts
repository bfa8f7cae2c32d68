import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

const LOG = new URL('../../dist/base/telemetry/log.js', import.meta.url);

function run(work: string) {
  const script = `
    import { bufferedOutput, createLog } from '${LOG}';
    const log = createLog('info', bufferedOutput());
    log.info('first');
    log.info('last');
    ${work}`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  return stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { msg: string }).msg);
}

describe('the lines of a server’s log', () => {
  it.each([
    ['ends', ''],
    ['exits', 'process.exit(1);'],
    ['fails', 'throw new Error("failed");'],
    ['fails later', 'setTimeout(() => { throw new Error("failed"); }, 1);'],
    ['gets SIGTERM', 'process.on("SIGTERM", () => process.exit(0)); process.kill(process.pid, "SIGTERM");'],
  ])('are all written, in order, when the process %s', (_, work) => {
    expect(run(work)).toEqual(['first', 'last']);
  });
});
