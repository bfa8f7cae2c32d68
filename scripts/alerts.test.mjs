// @module-tag if-touched scripts/ deploy/ docs/ server/src/gauges.ts server/src/base/: runs Prometheus’ own program on the alerts
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { root } from './setup.mjs';

const hasPromtool = spawnSync('promtool', ['--version']).error === undefined;
if (!hasPromtool) console.error('!! NOT TESTED: the alerts of Prometheus, because promtool is missing.');

// promtool prints what is wrong, which is then part of the error.
const promtool = (/** @type {string[]} */ ...args) =>
  execFileSync('promtool', args, { cwd: join(root, 'deploy'), encoding: 'utf8' });

describe.runIf(hasPromtool)('deploy/alerts.yaml', () => {
  it('is valid for Prometheus', () => {
    promtool('check', 'rules', '--lint=all', '--lint-fatal', 'alerts.yaml');
  });

  it('fires for a node in trouble, and not for a healthy one', () => {
    promtool('test', 'rules', 'alerts.test.yaml');
  });
});
