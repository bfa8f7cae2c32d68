// @module-tag if-touched @core server/src/features/health/ scripts/: starts processes
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  endProcesses,
  freePort,
  freshSettings,
  type Installation,
  install,
  startProcess,
} from '../support/process.js';

const ALERTS = new URL('../../../deploy/alerts.yaml', import.meta.url);
let installed: Installation;
let folder: string;
beforeAll(() => {
  installed = install();
  folder = mkdtempSync(join(tmpdir(), 'svc-metrics-'));
});
afterAll(() => {
  endProcesses();
  installed.remove();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

it('the metrics of a process have every name that deploy/alerts.yaml uses', async () => {
  const port = await freePort();
  const running = await startProcess(installed, {
    ...(await freshSettings(join(folder, 'data'))),
    METRICS_PORT: String(port),
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'svc@example.com',
  });
  await running.serving;
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const names = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name, type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  );
  const used = readFileSync(ALERTS, 'utf8').match(/\b(svc|process|nodejs)_\w+/g) ?? [];
  expect(used.length).toBeGreaterThan(10);
  expect(used.filter((name) => !names.includes(name))).toEqual([]);
});
