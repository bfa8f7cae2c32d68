// A vitest reporter for long runs: `file x of n`, the elapsed time and the time left, instead of a line per test. On a terminal
// it updates one line, elsewhere it prints one every ten seconds. Failed files are listed when they end, and vitest's own
// summary prints every failure in full. The file in SVC_TEST_TIMES records how long each file took.
import { DefaultReporter } from 'vitest/node';
import { estimateLeft, progressLine, readTimes, writeTimes } from './test-plan.mjs';

const CLEAR_LINE = '\r\x1b[2K';

/** @public vitest loads this reporter by its path. */
export default class ProgressReporter extends DefaultReporter {
  /** @type {string[]} */
  #all = [];
  /** @type {Record<string, number>} */
  #done = {};
  #failed = 0;
  #startedAt = 0;
  #suite = process.env.SVC_TESTS ?? 'selected';
  #file = process.env.SVC_TEST_TIMES ?? '';
  #last = readTimes(this.#file, this.#suite);
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  constructor() {
    super({ summary: false });
  }

  onTestRunStart(/** @type {readonly import('vitest/node').TestSpecification[]} */ specifications) {
    super.onTestRunStart(specifications);
    this.#startedAt = Date.now();
    this.#all = specifications.map(({ project, moduleId }) => keyOf(project, moduleId));
    this.#timer = setInterval(() => this.#print(), process.stdout.isTTY ? 1000 : 10_000);
    this.#timer.unref();
  }

  onTestModuleEnd(/** @type {import('vitest/node').TestModule} */ module) {
    this.#done[keyOf(module.project, module.moduleId)] = Math.round(module.diagnostic().duration);
    if (!module.ok()) this.#failed += 1;
    super.onTestModuleEnd(module);
  }

  printTestModule(/** @type {import('vitest/node').TestModule} */ module) {
    if (module.ok()) return;
    this.#clear();
    super.printTestModule(module);
  }

  /** @param {Parameters<DefaultReporter['printTestCase']>} args */
  printTestCase(...args) {
    if (args[1].result().state === 'failed') super.printTestCase(...args);
  }

  /** @param {Parameters<DefaultReporter['onUserConsoleLog']>} args */
  onUserConsoleLog(...args) {
    this.#clear();
    super.onUserConsoleLog(...args);
  }

  /** @param {Parameters<DefaultReporter['onTestRunEnd']>} args */
  onTestRunEnd(...args) {
    clearInterval(this.#timer);
    this.#print();
    if (process.stdout.isTTY) process.stdout.write('\n');
    super.onTestRunEnd(...args);
    if (this.#file && args[2] !== 'interrupted')
      writeTimes(this.#file, this.#suite, { ms: Date.now() - this.#startedAt, files: this.#done });
  }

  #print() {
    const elapsedMs = Date.now() - this.#startedAt;
    const done = Object.keys(this.#done);
    const leftMs = estimateLeft({
      elapsedMs,
      done,
      all: this.#all,
      suite: this.#suite,
      lastMs: this.#last?.files,
    });
    const left = this.#all.filter((file) => !(file in this.#done));
    const state = {
      done: done.length,
      total: this.#all.length,
      failed: this.#failed,
      elapsedMs,
      leftMs,
      left,
    };
    const line = progressLine(state);
    process.stdout.write(process.stdout.isTTY ? `${CLEAR_LINE}${line}` : `${line}\n`);
  }

  #clear() {
    if (process.stdout.isTTY) process.stdout.write(CLEAR_LINE);
  }
}

const keyOf = (/** @type {import('vitest/node').TestProject} */ project, /** @type {string} */ file) =>
  `${project.name} ${file.slice(project.config.root.length + 1)}`;
