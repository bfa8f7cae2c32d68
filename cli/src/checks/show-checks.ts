import type { Check } from '@svc/server/doctor';
import type { Run } from '../command.js';
import { EXIT } from '../failure.js';

const COLOUR = { ok: 'green', warn: 'yellow', fail: 'red' } as const;

/** Prints the checks. Returns exit code 1 if one failed. */
export function showChecks(run: Run, checks: readonly Check[]): number {
  const failed = checks.some(({ status }) => status === 'fail');
  const lines = checks.map(({ name, status, detail, next }) => {
    const line = `${run.style(COLOUR[status], status.padEnd(4))}  ${name.padEnd(14)}  ${detail}`;
    return next === undefined ? line : `${line}\n${' '.repeat(22)}Next: ${next}`;
  });
  run.show({ status: failed ? 'fail' : 'ok', checks }, lines.join('\n'));
  return failed ? EXIT.refused : EXIT.done;
}
