// Loaded into the server by bench/scenarios/server.mjs (node --import): measures its event loop delay. A message on the process's channel
// starts a new measurement or returns the current one, with the resident memory.
import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 1;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();

process.on('message', (ask) => {
  if (ask === 'reset') delay.reset();
  // The histogram contains whole intervals. A timer's own period is not a delay.
  const ms = (percentile) => Math.max(0, delay.percentile(percentile) / 1e6 - RESOLUTION_MS);
  process.send?.({ p50: ms(50), p99: ms(99), rss: process.memoryUsage().rss });
});
process.channel?.unref();
