// A vitest set-up file: writes what the worker has used by the beginning of each test file and by its end, for the table at the end
// of a run (cpu-table.mjs).
import { appendFileSync } from 'node:fs';
import { afterAll, afterEach, beforeEach, expect } from 'vitest';
import { listProcesses, secondsOf, sessionSeconds } from './cpu.mjs';

const output = process.env.SVC_TEST_CPU;
const file = expect.getState().testPath;

function note(/** @type {import('./cpu-table.mjs').Note['when']} */ when) {
  const processes = listProcesses();
  const test = secondsOf(process.pid, processes);
  const database = sessionSeconds(`_${process.pid}_`, processes);
  const project = /** @type {any} */ (globalThis).__vitest_worker__?.config?.name;
  const line = { worker: process.pid, at: Date.now(), when, project, file, test, database };
  appendFileSync(/** @type {string} */ (output), `${JSON.stringify(line)}\n`);
}

if (output !== undefined) {
  const isLeftOut = (/** @type {{ tags?: readonly string[] }} */ { tags }) => tags?.includes('ci') === true;
  note('begin');
  beforeEach(({ task }) => isLeftOut(task) && note('begin ci'));
  afterEach(({ task }) => isLeftOut(task) && note('end ci'));
  afterAll(() => note('end'));
}
