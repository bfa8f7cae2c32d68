// A vitest reporter for long runs: `file x of n` and the elapsed time, instead of a line per test. On a terminal it updates one
// line, elsewhere it prints one every ten seconds. Failed files are listed when they end, and vitest's own summary prints every
// failure in full.
import { DefaultReporter } from 'vitest/node';
import { progressLine } from './test-plan.mjs';

const CLEAR_LINE = '\r\x1b[2K';

/** @public vitest loads this reporter by its path. */
export default class ProgressReporter extends DefaultReporter {
  /** Files that have not ended, by project and path. @type {Set<string>} */
  #left = new Set();
  #total = 0;
  #failed = 0;
  #startedAt = 0;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  constructor() {
    super({ summary: false });
  }

  onTestRunStart(/** @type {readonly import('vitest/node').TestSpecification[]} */ specifications) {
    super.onTestRunStart(specifications);
    this.#startedAt = Date.now();
    this.#left = new Set(specifications.map(({ project, moduleId }) => keyOf(project, moduleId)));
    this.#total = this.#left.size;
    this.#timer = setInterval(() => this.#print(), process.stdout.isTTY ? 1000 : 10_000);
    this.#timer.unref();
  }

  onTestModuleEnd(/** @type {import('vitest/node').TestModule} */ module) {
    this.#left.delete(keyOf(module.project, module.moduleId));
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
  }

  #print() {
    const line = progressLine({
      done: this.#total - this.#left.size,
      total: this.#total,
      failed: this.#failed,
      elapsedMs: Date.now() - this.#startedAt,
      left: [...this.#left],
    });
    process.stdout.write(process.stdout.isTTY ? `${CLEAR_LINE}${line}` : `${line}\n`);
  }

  #clear() {
    if (process.stdout.isTTY) process.stdout.write(CLEAR_LINE);
  }
}

const keyOf = (/** @type {import('vitest/node').TestProject} */ project, /** @type {string} */ file) =>
  `${project.name} ${file.slice(project.config.root.length + 1)}`;
